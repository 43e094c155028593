"""An electronic clock beside the board keeps the time: where it shows something else than is reckoned, it is read."""

import asyncio
from pathlib import Path

import chess
import pytest
from hall import running, until
from stage import START, Scene, Stage

from controller.config import check
from controller.contract import Clock, Completed, Flag, Reading, Side
from controller.daemon.dial import SETTLE_MS, Dial, TimesShown
from controller.daemon.timeline import MS_NS
from controller.wire import decode_event, decode_input
from hardware.boards import ClockShown
from hardware.simulator.dgt import DgtEmulator

RECKONED: TimesShown = (60_400, 50_000, "white")


def shown(white_s: int, black_s: int, running: Side | None, ns: int = 0) -> ClockShown:
    return ClockShown(ns, white_s, black_s, running)


def heard() -> Dial:
    """One that was listened to."""
    dial = Dial()
    assert dial.read(0, None, shown(60, 50, "white"), RECKONED) is None
    return dial


@pytest.mark.parametrize(
    ("says", "reckoned", "read"),
    [
        (shown(61, 50, "white"), RECKONED, False),
        (shown(59, 49, "white"), RECKONED, False),
        (shown(57, 50, "white"), RECKONED, True),
        (shown(60, 80, "white"), RECKONED, True),
        (shown(60, 50, "black"), RECKONED, True),  # a press that nobody heard of
        (shown(60, 50, None), RECKONED, True),  # somebody has stopped it
        (shown(60, 80, "white"), None, False),
    ],
)
def test_it_is_read_where_it_differs_by_more_than_it_can_show(
    says: ClockShown, reckoned: TimesShown | None, read: bool
) -> None:
    dial = heard()
    assert dial.read(0, None, says, reckoned) is None, "it may be the moment after a press"
    assert dial.read(SETTLE_MS - 1, None, says, reckoned) is None
    expected = Reading(ms=SETTLE_MS, white_ms=says.white_s * 1000, black_ms=says.black_s * 1000, running=says.running)
    assert dial.read(SETTLE_MS, None, says, reckoned) == (expected if read else None)


def test_what_agreed_meanwhile_begins_to_differ_anew() -> None:
    dial = heard()
    dial.read(0, None, shown(90, 50, "white"), RECKONED)
    dial.read(1000, None, shown(60, 50, "white"), RECKONED)
    assert dial.read(SETTLE_MS, None, shown(90, 50, "white"), RECKONED) is None


def test_after_a_time_in_which_nobody_listened_it_is_read_at_once() -> None:
    dial = Dial()
    says = shown(60, 90, "black")
    assert dial.read(5, None, shown(60, 90, None), RECKONED) is None, "it was not set going again yet"
    assert dial.read(10, None, says, RECKONED) == Reading(ms=10, white_ms=60_000, black_ms=90_000, running="black")
    assert dial.read(20, None, says, RECKONED) is None, "once"
    assert dial.read(30, None, says, None) is None, "play is stopped"
    assert dial.read(40, None, says, RECKONED) is not None


def test_once_it_was_stopped_it_is_read_as_soon_as_it_runs_again() -> None:
    stands: TimesShown = (60_000, 50_000, None)
    dial = heard()
    assert dial.read(0, None, shown(60, 50, None), stands) is None
    assert dial.read(0, None, shown(60, 50, "white"), stands) is not None


@pytest.fixture
def timed(stage: Stage) -> Scene:
    """A game is on, White to move, 300 s each; two seconds have passed."""
    scene = stage(event={"clock": "300"})
    scene.show()
    scene.run(1000)
    scene.press("black")
    scene.run(2000)
    return scene


def tick(scene: Scene, white_s: int, black_s: int, running: Side | None, times: int) -> None:
    for passed in range(times):
        scene.session.take(shown(white_s - passed, black_s, running, scene.at * MS_NS))
        scene.run(1000)


def test_from_then_on_it_is_the_time_and_what_was_reckoned_is_kept(timed: Scene) -> None:
    tick(timed, 250, 300, "white", 5)
    told = [decode_event(record.body) for record in timed._records() if record.kind == "event"]
    (read,) = [event for event in told if isinstance(event, Clock) and event.white_reckoned_ms is not None]
    assert (read.white_ms, read.running) == (250_000, "white")
    assert 297_000 < (read.white_reckoned_ms or 0) < 299_000
    timed.restart(0)
    assert timed.session._play is not None
    assert timed.session._play.boards[None].clocks(timed.session._play.last_ms) == (read.white_ms, 300_000, "white")


def test_after_a_power_cut_a_move_pressed_in_the_dark_has_the_time_that_the_clock_shows(timed: Scene) -> None:
    timed.lift("e2")
    timed.run(100)
    timed.restart(5000)
    timed.show(START & ~chess.BB_E2 | chess.BB_E4)
    timed.run(50)
    timed.session.take(shown(290, 300, "black", timed.at * MS_NS))
    timed.run(50)
    told = [decode_event(record.body) for record in timed._records() if record.kind == "event"]
    (completed,) = [event for event in told if isinstance(event, Completed)]
    assert (completed.uci, completed.white_ms, completed.black_ms) == ("e2e4", 290_000, 300_000)
    assert timed.moves() == ["e2e4"]


def test_a_clock_that_was_stopped_says_so_once_and_is_read_all_the_same(timed: Scene) -> None:
    """With 12 s left nobody is to lose on time by a clock that stands."""
    tick(timed, 250, 300, "white", 2)
    timed.session.take(shown(12, 300, None, timed.at * MS_NS))
    timed.run(20_000)
    told = [decode_event(record.body) for record in timed._records() if record.kind == "event"]
    last = [event for event in told if isinstance(event, Clock)][-1]
    assert (last.white_ms, last.running) == (12_000, None)
    assert not [event for event in told if isinstance(event, Flag)]


def test_it_is_read_soon_after_an_arbiter_lets_play_go_on_while_it_stands_still(timed: Scene) -> None:
    tick(timed, 298, 300, "white", 2)
    timed.command(type="arbiter", do="pause")
    timed.session.take(shown(296, 300, None, timed.at * MS_NS))
    timed.run(1000)
    timed.command(type="arbiter", do="resume")
    timed.run(2 * SETTLE_MS)
    told = [decode_event(record.body) for record in timed._records() if record.kind == "event"]
    assert [event.running for event in told if isinstance(event, Clock)][-1] is None


def test_while_play_is_stopped_nothing_is_read(timed: Scene) -> None:
    timed.command(type="arbiter", do="pause")
    tick(timed, 250, 300, "white", 8)
    assert "Reading" not in [name for name, _ in timed.inputs()]


UNSET = "the clock itself does not show what the arbiter has ruled"


def told(scene: Scene) -> list[str]:
    return [notice.what for notice in scene.notices.current]


def test_that_the_clock_itself_is_to_be_set_as_the_arbiter_ruled_is_said_until_it_is(timed: Scene) -> None:
    tick(timed, 298, 300, "white", 2)
    timed.command(type="arbiter", do="set-clock", black_add_ms=60_000)
    tick(timed, 296, 300, "white", 1)
    assert UNSET in told(timed)
    tick(timed, 295, 300, "white", 6)
    assert "Reading" in [name for name, _ in timed.inputs()], "what it shows is the time all the same"
    assert UNSET in told(timed)
    timed.command(type="arbiter", do="pause")
    tick(timed, 289, 300, None, 2)
    assert UNSET in told(timed)
    tick(timed, 289, 355, None, 1)
    assert UNSET not in told(timed)


def test_a_clock_that_was_set_at_once_wants_no_more(timed: Scene) -> None:
    timed.command(type="arbiter", do="pause")
    timed.command(type="arbiter", do="set-clock", white_ms=120_000, black_ms=60_000)
    tick(timed, 290, 300, None, 1)
    assert UNSET in told(timed)
    tick(timed, 120, 60, None, 2)
    assert UNSET not in told(timed)
    timed.command(type="arbiter", do="resume")
    tick(timed, 120, 60, "white", 9)
    assert UNSET not in told(timed)
    assert "Reading" not in [name for name, _ in timed.inputs()]


def test_once_the_game_is_over_no_clock_is_to_be_set(timed: Scene) -> None:
    timed.command(type="arbiter", do="set-clock", white_add_ms=-30_000)
    tick(timed, 298, 300, "white", 1)
    assert UNSET in told(timed)
    timed.command(type="arbiter", do="result", result="0-1")
    tick(timed, 298, 300, None, 1)
    assert UNSET not in told(timed)


def test_of_a_dgt_clock_what_it_shows_is_the_time(tmp_path: Path) -> None:
    """It was set to five minutes less than was announced, and is read over the cable of an emulated board."""
    table = {
        "board": {"type": "dgt", "port": str(tmp_path / "port")},
        "event": {"clock": "600"},
        "pgn": {"directory": str(tmp_path / "games")},
        "journal": {"path": str(tmp_path / "journal.sqlite")},
    }

    async def scene(board: DgtEmulator) -> None:
        async with running(check(table, "a test")) as daemon:
            await until(lambda: daemon.only.boards[None].alive_ns and daemon.only.session.phase(None).phase == "ready")
            board.clock(300, 300, "left", running=False)
            board.clock(300, 300, "left")
            await until(lambda: daemon.only.session.playing)

            def readings() -> list[Reading]:
                board.clock(300, 300, "left")
                items = [decode_input(r.body) for r in daemon.journal.after(0, 1000) if r.kind == "input"]
                return [item for item in items if isinstance(item, Reading)]

            await until(lambda: len(readings()) > 0)
            (read,) = readings()
            assert (read.white_ms, read.black_ms, read.running) == (300_000, 300_000, "white")

    with DgtEmulator(tmp_path / "port") as board:
        asyncio.run(scene(board))
