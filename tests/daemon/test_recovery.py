"""After an outage the same game goes on, and the arbiter is told for how long nobody looked, and what was lost."""

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Callable

import pytest
from hall import make, moves_of, running, until
from stage import Scene, Stage

from controller.config import Config
from controller.contract import Interrupted, Session, Time
from controller.daemon.service import Daemon
from controller.journal import store, writer
from controller.outlets.alerts import wants_arbiter
from controller.wire import decode_event
from controller.words.context import Context
from controller.words.say import say

TIMED = {"event": {"clock": "300"}, "start": {"by": "at-once"}}


@pytest.fixture
def played(stage: Stage) -> Scene:
    scene = stage(**TIMED)
    scene.show()
    scene.run(4_000)
    scene.move("e2e4")
    scene.press("white")
    scene.run(2_000)
    return scene


def restart(scene: Scene, written_s_ago: float) -> list[dict[str, object]]:
    """The daemon dies and comes back, so long after the file was last written to; what it said of that."""
    before = scene._records()[-1].seq + 1  # and the barrier
    scene.journal.close()
    at = time.time() - written_s_ago
    os.utime(scene.path, (at, at))
    scene.at += round(1000 * abs(written_s_ago))
    scene.open()
    scene.show()
    scene.journal.append("barrier", Time(ms=0), []).result(5)
    return [json.loads(record.body) for record in scene.journal.after(before) if record.kind == "event"]


def test_the_arbiter_is_told_for_how_long_nobody_looked(played: Scene) -> None:
    outage, clock, *_ = restart(played, 180)
    assert outage["type"] == "outage"
    assert abs(outage["away_ms"] - 180_000) < 5_000  # type: ignore[operator]
    assert wants_arbiter(decode_event(json.dumps(outage).encode()))
    assert clock["type"] == "clock"


def test_the_clocks_go_on_as_they_last_stood(played: Scene) -> None:
    *_, last = [json.loads(r.body) for r in played._records() if b'"clock"' in r.body]
    _, clock, *_ = restart(played, 3600)
    assert clock["running"] == last["running"] == "black"
    assert clock["white_ms"] == last["white_ms"]
    assert 0 <= last["black_ms"] - clock["black_ms"] <= 2_000, "the hour away costs nobody anything"


def test_a_machine_whose_time_of_day_is_behind_does_not_guess(played: Scene) -> None:
    outage, *_ = restart(played, -3600)
    assert outage["type"] == "outage"
    assert "away_ms" not in outage


def test_a_game_that_is_over_knows_no_outage(played: Scene) -> None:
    played.command(type="resign", side="white")
    assert [event["type"] for event in restart(played, 60)] == []


def test_it_is_said_in_words() -> None:
    event = Interrupted(ms=5000, away_ms=95_400)
    context = Context(Session(version=1))
    assert say(event, "en", context).startswith("Nobody watched the board for about 1 min 35 s; the game goes on")
    assert say(Interrupted(ms=5000), "fr", context).startswith("Pendant un temps, l’échiquier n’a pas été suivi")


def test_a_damaged_journal_stops_no_game(configure: Callable[..., Config], caplog: pytest.LogCaptureFixture) -> None:
    config = configure()

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4", "e7e5")
            game, path = daemon.journal.last_game("7"), daemon.journal.path
        with path.open("r+b") as file:
            file.seek(-4096, os.SEEK_END)  # the page with the last rows, or an index; either was written
            file.write(b"\xff" * 4096)
        async with running(config) as daemon:
            assert daemon.journal.last_game("7") == game
            await until(lambda: daemon.notices.current)
            (notice,) = (notice for notice in daemon.notices.current if notice.source == "journal restored")
            assert "records are restored" in notice.what
            assert ".damaged-" in notice.what
            await until(lambda: daemon.only.session.playing)
            daemon.journal.verify()

    asyncio.run(scene())
    assert "journal restored" in caplog.text


def test_a_disk_that_takes_nothing_stops_no_game_and_the_clock_is_shown_on(
    configure: Callable[..., Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "RETRY_S", 0.02)
    config = configure(event={"clock": "300"}, start={"by": "at-once", "ready_s": 0.1})

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            await until(lambda: any(b'"type":"move"' in record.body for record in daemon.journal.after(0, 1000)))
            commit, head = daemon.journal._writer._commit, daemon.journal.head

            monkeypatch.setattr(daemon.journal._writer, "_commit", full)
            pressed = asyncio.create_task(daemon.only.carry_out({"type": "press", "side": "white"}))
            await until(lambda: any(notice.source == "journal" for notice in daemon.notices.current))
            await asyncio.wait_for(daemon.journal.wait_kept(head.seq), 5)
            kept = daemon.journal.kept_after(head.seq)
            assert any(b'"running":"black"' in record.body for record in kept), "the players see their clock"
            assert daemon.journal.head == head
            assert not pressed.done(), "what is not safe is not answered"
            assert moves_of(daemon.journal) == ["e2e4"]
            monkeypatch.setattr(daemon.journal._writer, "_commit", commit)
            assert await asyncio.wait_for(pressed, 5) > head.seq
            assert [record.body for record in daemon.journal.after(head.seq)][: len(kept)] == [r.body for r in kept]
            await until(lambda: not any(notice.source == "journal" for notice in daemon.notices.current))

    asyncio.run(scene())


def test_a_disk_that_is_full_already_at_the_start_is_told(
    configure: Callable[..., Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first record waits before the daemon is at work: the outage of the game that goes on."""
    monkeypatch.setattr(writer, "RETRY_S", 0.02)
    config = configure()

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
        with monkeypatch.context() as patch:
            patch.setattr(store, "insert", full)
            daemon = Daemon(config)
            await until(lambda: daemon.journal.trouble is not None)
            task = asyncio.create_task(daemon.run())
            await until(lambda: any(notice.source == "journal" for notice in daemon.notices.current))
        await until(lambda: not daemon.notices.current)
        daemon.stop()
        await asyncio.wait_for(task, 15)

    asyncio.run(scene())


def full(*_: object) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


def test_a_game_whose_board_has_another_number_by_now_is_told_of(configure: Callable[..., Config]) -> None:
    """Else its pieces would be set up for another game, as the start position is what is missing."""
    one, four = (
        configure(event={"venue": "hall", "board": number, "clock": "300"}, start={"by": by, "ready_s": 0.1})
        for number, by in (("1", "at-once"), ("4", "press"))
    )

    def told(daemon: Daemon) -> list[str]:
        return [notice.what for notice in daemon.notices.current if notice.source == "recovery"]

    async def scene() -> None:
        async with running(one) as daemon:
            await until(lambda: daemon.only.session.playing)
        async with running(four) as daemon:
            await until(lambda: told(daemon))
            assert told(daemon) == ["a game on board 1 has no result, and no board here has that number"]
            await daemon.only.carry_out({"type": "new-game"})
            assert told(daemon) == []
        async with running(one) as daemon:
            assert daemon.only.session.playing, "under its own number it goes on"
            await daemon.only.carry_out({"type": "resign", "side": "white"})
        async with running(four) as daemon:
            await until(lambda: daemon.only.session.playing)
            assert told(daemon) == []

    asyncio.run(scene())
