"""A notice is told once, for as long as it holds."""

import asyncio
import logging

import pytest

from controller.errors import DeviceError
from controller.outlets.notices import Notices

UNPLUGGED = DeviceError("the port is gone", "the cable is out", "put it in")


def test_it_holds_until_cleared() -> None:
    notices = Notices()
    notices.set("board", UNPLUGGED)
    (notice,) = notices.current
    assert (notice.source, notice.what, notice.cause, notice.next_step) == (
        "board",
        "the port is gone",
        "the cable is out",
        "put it in",
    )
    notices.clear("board")
    notices.clear("board")
    assert notices.current == ()


def test_each_source_has_one() -> None:
    notices = Notices()
    notices.set("board", UNPLUGGED)
    notices.set("mqtt", DeviceError("no broker"))
    notices.set("board", DeviceError("it speaks nonsense"))
    assert [(notice.source, notice.what) for notice in notices.current] == [
        ("board", "it speaks nonsense"),
        ("mqtt", "no broker"),
    ]


def test_the_log_hears_of_a_cause_once(caplog: pytest.LogCaptureFixture) -> None:
    notices = Notices()
    with caplog.at_level(logging.INFO):
        for square in ("a1", "b1", "c1"):
            notices.set("start", DeviceError(f"missing: {square}", "pieces still to be set up"))
        notices.set("start", DeviceError("missing: c1", "a dead sensor"))
        notices.clear("start")
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING", "INFO"]
    assert "a1" in caplog.text
    assert "pieces still to be set up" in caplog.text


def test_who_waits_hears_of_changes_only() -> None:
    async def scene() -> None:
        notices = Notices()
        notices.set("board", UNPLUGGED)
        waiting = asyncio.create_task(notices.changed())
        await asyncio.sleep(0)
        notices.set("board", UNPLUGGED)
        await asyncio.sleep(0.01)
        assert not waiting.done()
        notices.clear("board")
        await asyncio.wait_for(waiting, 1)

    asyncio.run(scene())
