"""A DGT clock that is set to the game's times: when it is, when it is left alone, and by the daemon as a whole."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))
from hall import running, until

from controller.config import check
from hardware.boards import dgt_face
from hardware.boards.dgt_clock import end_text, set_and_run, text
from hardware.boards.dgt_face import SETTLE_NS, ClockFollower, ClockTimes, wanted
from hardware.boards.dgt_protocol import ClockState, Flank
from hardware.clocks.face import Face
from hardware.simulator.dgt import DgtEmulator

S = 1_000_000_000
FACE = Face(white_ms=300_000, black_ms=290_500, running="white")


def clock(left: int, right: int, to_move: Flank, running: bool = True) -> ClockState:
    return ClockState(left, right, running, to_move, to_move == "left", False, False, False)


def told(face: Face, shown: ClockState | None, white: Flank = "left") -> list[bytes]:
    follower = ClockFollower()
    follower.show(face, 0)
    return follower.next(shown, white, SETTLE_NS)


# -- what it should show -------------------------------------------------------------------------------------------


def test_the_clock_that_runs_goes_down_and_whites_is_on_whites_flank() -> None:
    assert wanted(FACE, "left", 20 * S) == ClockTimes(280, 291, "left")
    assert wanted(FACE, "right", 20 * S) == ClockTimes(291, 280, "right")
    assert wanted(Face(white_ms=1, black_ms=10**9), "left", 0) == ClockTimes(1, 35_999, None)
    assert wanted(Face(), "left", 0) is None


@pytest.mark.parametrize(
    ("shown", "differs"),
    [
        (clock(299, 291, "left"), False),
        (clock(297, 289, "left"), False),
        (clock(295, 291, "left"), True),  # an arbiter gave time
        (clock(299, 261, "left"), True),  # an increment of 30 s
        (clock(299, 291, "right"), True),
        (clock(299, 291, "left", running=False), True),  # the game goes on
    ],
)
def test_it_is_set_where_it_differs_and_else_left_alone(shown: ClockState, differs: bool) -> None:
    assert told(FACE, shown) == ([set_and_run(299, 291, "left")] if differs else [])


def test_it_is_stopped_with_the_games_clock() -> None:
    stopped = Face(white_ms=300_000, black_ms=290_000)
    assert told(stopped, clock(300, 290, "left")) == [set_and_run(300, 290, None)]
    assert told(stopped, clock(300, 290, "left", running=False)) == []


def test_nothing_is_said_before_it_had_time_to_show_it_by_itself_nor_twice() -> None:
    follower = ClockFollower()
    follower.show(FACE, 0)
    shown = clock(100, 100, "left")
    assert follower.next(shown, "left", SETTLE_NS - 1) == []
    assert follower.next(None, "left", SETTLE_NS) == [], "no clock on the cable"
    assert len(follower.next(shown, "left", SETTLE_NS)) == 1
    assert follower.next(shown, "left", 2 * SETTLE_NS) == []


def test_that_the_arbiter_was_called_stands_there_until_the_game_goes_on() -> None:
    follower, shown = ClockFollower(), clock(300, 290, "left", running=False)
    said = []
    for called in (True, True, False):
        follower.show(Face(white_ms=300_000, black_ms=290_000, called=called), 0)
        said.append(follower.next(shown, "left", SETTLE_NS))
    assert said == [[text("arbiter")], [], [end_text()]]


# -- in a game -----------------------------------------------------------------------------------------------------


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DgtEmulator]:
    monkeypatch.setattr(dgt_face, "SETTLE_NS", S // 20)
    with DgtEmulator(tmp_path / "port") as board:
        yield board


def configured(folder: Path, set_clock: bool) -> Any:
    return check(
        {
            "board": {"type": "dgt", "port": str(folder / "port"), "set_clock": set_clock},
            "event": {"clock": "300+30"},
            "pgn": {"directory": str(folder / "games")},
            "journal": {"path": str(folder / "journal.sqlite")},
        },
        "a test",
    )


def game(folder: Path, board: DgtEmulator, play: Callable[[Any], Any], set_clock: bool = True) -> None:
    """A game that White's clock has begun."""

    async def scene() -> None:
        async with running(configured(folder, set_clock)) as daemon:
            await until(lambda: daemon.only.boards[None].alive_ns and daemon.only.session.phase(None).phase == "ready")
            board.clock(330, 330, "left", running=False)
            board.clock(330, 330, "left")
            await until(lambda: daemon.only.session.playing)
            await play(daemon)

    asyncio.run(scene())


def setting(board: DgtEmulator) -> tuple[int, int, bool]:
    """Both times, and whether one runs, as the emulated clock was last set or turned."""
    hms = [board._clock[at] & 0x0F for at in (3, 6)]
    left, right = (
        hours * 3600 + int(f"{board._clock[at]:02x}") * 60 + int(f"{board._clock[at + 1]:02x}")
        for hours, at in ((hms[1], 7), (hms[0], 4))
    )
    return left, right, bool(board._clock[9] & 1)


def test_the_increment_comes_onto_the_clock_and_an_arbiter_stops_it(tmp_path: Path, board: DgtEmulator) -> None:
    async def play(daemon: Any) -> None:
        board.lift(chess.E2)
        board.place(chess.E4, "P")
        board.clock(328, 330, "right")  # White has pressed; this clock knows of no increment
        await until(lambda: setting(board)[0] > 350)
        assert setting(board)[2]
        await daemon.only.carry_out({"type": "arbiter", "do": "pause"})
        await until(lambda: not setting(board)[2])
        await daemon.only.carry_out({"type": "arbiter", "do": "set-clock", "white_ms": 100000, "black_ms": 200000})
        await until(lambda: setting(board) == (100, 200, False))
        await daemon.only.carry_out({"type": "arbiter", "do": "resume"})
        await until(lambda: setting(board)[2])
        events = b"".join(record.body for record in daemon.journal.after(0, 1000))
        assert events.count(b'"type":"press"') == 1, "what it was set to is nobody's press"

    game(tmp_path, board, play)


def test_unless_it_is_wanted_the_clock_is_left_alone(tmp_path: Path, board: DgtEmulator) -> None:
    async def play(daemon: Any) -> None:
        await daemon.only.carry_out({"type": "arbiter", "do": "pause"})
        began = time.monotonic()
        await until(lambda: time.monotonic() - began > 0.3)
        assert setting(board) == (330, 330, True)

    game(tmp_path, board, play, set_clock=False)
