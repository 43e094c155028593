"""What awaits a ruling is told beside the events, with what people said to it: by a real daemon, over a real broker."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hall import Mosquitto, Subscriber, make, running, until

from controller.config import Config
from controller.wire import decode_event

pytestmark = pytest.mark.broker
Configure = Callable[..., Config]


async def touch_move(hall: Subscriber) -> None:
    """White is reported to have touched another piece."""
    await hall.command(type="arbiter", do="report", side="white", kind="touch-move", by="Ana")


def test_a_notice_stands_there_until_it_is_ruled_on(configure: Configure, mosquitto: Mosquitto) -> None:
    config = configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port})

    async def scene() -> None:
        async with running(config) as daemon, Subscriber(mosquitto.port) as hall:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            assert not hall.on("docket")
            await touch_move(hall)
            await until(lambda: hall.on("docket"))
            told: dict[str, Any] = hall.on("docket")[-1]
            report = daemon.journal.head.seq - 1
            ((since, ((came, ids),)),) = told["open"]
            event = decode_event(daemon.journal.after(report)[0].body)
            assert (since, came, ids) == (report, report, [event.id])
            assert [(seq, item["do"], item["by"]) for seq, item in told["said"]] == [(report, "report", "Ana")]
            await hall.command(type="arbiter", do="dismiss", answers=event.id, by="Bo")
            await until(lambda: hall.on("docket")[-1]["open"][-1][1] == [])
            ruling, item = hall.on("docket")[-1]["said"][-1]
            assert (item["do"], item["by"]) == ("dismiss", "Bo")
            assert hall.on("docket")[-1]["open"][-1] == [ruling, []]

    asyncio.run(scene())


def test_it_is_the_same_after_a_restart(configure: Configure, mosquitto: Mosquitto) -> None:
    config = configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port})

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall:
            async with running(config) as daemon:
                await until(lambda: daemon.only.session.playing and hall.on("status"))
                await touch_move(hall)
                await until(lambda: hall.on("docket"))
            before = hall.on("docket")
            async with running(config):
                await until(lambda: len(hall.on("docket")) > len(before))
                assert hall.on("docket")[-1]["open"] == before[-1]["open"]
                assert hall.on("docket")[-1]["said"] == before[-1]["said"]

    asyncio.run(scene())


def test_a_proposed_result_stands_on_state_until_it_is_dismissed(configure: Configure, mosquitto: Mosquitto) -> None:
    config = configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port})

    def result(hall: Subscriber) -> Any:
        told = hall.on("state")
        return told[-1]["result"] if told else None

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall:
            async with running(config) as daemon:
                await until(lambda: daemon.only.session.playing)
                await hall.command(type="arbiter", do="absent", side="white", by="Ana")
                await until(lambda: result(hall) is not None)
                assert (result(hall)["result"], result(hall)["status"]) == ("-+", "proposed")
                assert [alert["type"] for alert in hall.on("alert")] == ["result"], "it wants an arbiter"
                await until(lambda: hall.on("last-alert")[-1]["count"] == 1)
                await hall.command(type="arbiter", do="dismiss", answers=result(hall)["id"], by="Ana")
                await until(lambda: result(hall) is None)
                await make(daemon, "e2e4")
                await until(lambda: hall.on("state")[-1]["ply"] == 1)
                assert result(hall) is None
            before = len(hall.on("state"))
            async with running(config):
                await until(lambda: len(hall.on("state")) > before)
                await asyncio.sleep(0.3)
                assert result(hall) is None

    asyncio.run(scene())
