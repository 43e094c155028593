"""Each board that reports by itself says when it was looked at as a whole: what a press of the clock waits for."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from hardware.boards import BoardReading, Change, Driver, FromDevice, Look, open_board
from hardware.boards.certabo import CertaboConfig, SentioConfig
from hardware.boards.certabo_stones import save
from hardware.boards.chesslink import ChessLinkConfig
from hardware.boards.chessnut import ChessnutBoard, ChessnutConfig
from hardware.boards.dgt import DgtBoard, DgtConfig
from hardware.boards.line import LineConfig
from hardware.boards.ports import PortWork
from hardware.simulator.certabo import CertaboEmulator, SentioEmulator
from hardware.simulator.chesslink import ChessLinkEmulator
from hardware.simulator.chessnut import ChessnutEmulator
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.line import LineEmulator

KINDS: dict[str, tuple[Any, Any]] = {
    "dgt": (DgtEmulator, DgtConfig),
    "line": (LineEmulator, LineConfig),
    "chesslink": (ChessLinkEmulator, ChessLinkConfig),
    "sentio": (SentioEmulator, SentioConfig),
    "certabo": (CertaboEmulator, CertaboConfig),
    "chessnut": (ChessnutEmulator, ChessnutConfig),
}


class Bench:
    """A board on a pseudo-terminal and its driver."""

    def __init__(self, kind: str, folder: Path, **more: Any) -> None:
        emulator, config = KINDS[kind]
        self.board = emulator() if kind == "chessnut" else emulator(folder / "port")
        if kind == "certabo":
            save(
                folder / "stones",
                {tag: piece for tag, piece in zip(self.board.chips, self.board.pieces, strict=True) if piece},
            )
            more = {"stones": str(folder / "stones")}
        self.items: list[FromDevice] = []
        told = config(port=str(folder / "port"), **more)
        if kind == "chessnut":
            self.driver: Driver = ChessnutBoard(told, self.items.append, open_file=self.board.open)
        else:
            self.driver = open_board(told, self.items.append)
        assert isinstance(self.driver, PortWork)
        self.driver.retry_s = (0.05, 0.1)
        self.board.plug()
        self.driver.start()

    def until(self, true: Callable[[], object]) -> None:
        end = time.monotonic() + 10
        while not true():
            assert time.monotonic() < end, self.items[-3:]
            time.sleep(0.005)

    @property
    def looks(self) -> list[int]:
        """Where in the items they are."""
        return [place for place, item in enumerate(self.items) if isinstance(item, Look)]

    def shown(self, upto: int) -> str:
        """What stands on e4 by the items before that one; ``x`` where it cannot be told."""
        seen = ""
        for item in self.items[:upto]:
            if isinstance(item, BoardReading):
                seen = "x" if item.occupied & chess.BB_E4 else ""
            elif isinstance(item, Change) and item.square == chess.E4:
                seen = item.piece
        return seen


@pytest.fixture(params=list(KINDS))
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(request.param, tmp_path)
    yield bench
    bench.driver.stop()
    bench.board.unplug()


def test_a_board_is_asked_at_once_however_long_its_port_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A press waits for the answer, so the question must not wait for the end of a read."""
    monkeypatch.setattr(DgtBoard, "lag_ms", 0.0)
    bench = Bench("dgt", tmp_path, silence_s=120)
    bench.until(lambda: bench.looks)
    bench.driver.ask()
    bench.until(lambda: len(bench.looks) > 1)
    bench.driver.stop()
    bench.board.unplug()


def test_it_is_looked_at_when_it_has_come_and_when_it_is_asked(bench: Bench) -> None:
    bench.until(lambda: bench.looks)
    first = bench.items[bench.looks[0]]
    assert isinstance(first, Look)
    assert first.began_ns <= first.ns
    assert bench.looks == [place for place in bench.looks if place >= 1], "all that stands there comes before"
    asked = time.monotonic_ns()
    bench.driver.ask()
    bench.until(lambda: len(bench.looks) > 1)
    look = bench.items[bench.looks[1]]
    assert isinstance(look, Look)
    assert look.began_ns >= asked
    assert bench.driver.looked == look


def test_what_was_set_down_before_it_was_asked_is_told_before_the_look(bench: Bench) -> None:
    bench.until(lambda: bench.looks)
    for _ in range(5):
        before = len(bench.looks)
        bench.board.lift(chess.E2)
        bench.board.place(chess.E4, "P")
        bench.driver.ask()
        bench.until(lambda before=before: len(bench.looks) > before)
        assert bench.shown(bench.looks[before])
        bench.board.lift(chess.E4)
        bench.board.place(chess.E2, "P")
        bench.until(lambda: not bench.shown(len(bench.items)))


def test_after_the_cable_was_out_it_is_looked_at_anew(bench: Bench) -> None:
    bench.until(lambda: bench.looks)
    bench.board.unplug()
    bench.board.lift(chess.E2)
    bench.board.place(chess.E4, "P")
    before = len(bench.looks)
    bench.driver.ask()  # somebody pressed
    asked = time.monotonic_ns()
    time.sleep(0.2)
    assert len(bench.looks) == before
    bench.board.plug()
    bench.until(lambda: any(bench.items[place].began_ns > asked for place in bench.looks))  # type: ignore[union-attr]
    assert bench.shown(bench.looks[before])


@pytest.mark.parametrize("bench", ["dgt"], indirect=True)
def test_a_question_that_is_not_answered_is_asked_again(bench: Bench) -> None:
    bench.until(lambda: bench.looks)
    bench.board.deaf = True
    bench.driver.ask()
    time.sleep(0.2)
    assert len(bench.looks) == 1
    bench.board.deaf = False
    bench.until(lambda: len(bench.looks) == 2)


class Slow(DgtEmulator):
    """A board that knows of a hand only when its scan comes by, and of what that shows reports nothing by itself."""

    SCAN_S = 0.2

    def __init__(self, port: Path) -> None:
        super().__init__(port)
        self._known = [(0.0, super()._codes())]

    def changed(self, square: chess.Square) -> None:
        del square
        self._known.append((time.monotonic() + self.SCAN_S, super()._codes()))

    def _codes(self) -> bytes:
        return [codes for ms, codes in self._known if ms <= time.monotonic()][-1]


def test_a_look_from_a_memory_that_lags_shows_what_stood_when_it_is_said_to_have_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board answers at once, but with what its scan saw before the piece was set down."""
    monkeypatch.setitem(KINDS, "slow", (Slow, DgtConfig))
    bench = Bench("slow", tmp_path)
    bench.until(lambda: bench.looks)
    bench.board.lift(chess.E2)
    bench.board.place(chess.E4, "P")
    pressed = time.monotonic_ns()
    bench.driver.ask()
    time.sleep(0.1)
    pressed_again = time.monotonic_ns()
    bench.driver.ask()  # somebody presses once more before the first question was put

    def later() -> list[int]:
        looks = ((place, bench.items[place]) for place in bench.looks)
        return [place for place, look in looks if isinstance(look, Look) and look.began_ns >= pressed]

    bench.until(lambda: len(later()) > 1)
    assert [bench.shown(place) for place in later()] == ["P", "P"]
    last = bench.items[later()[-1]]
    assert isinstance(last, Look)
    assert last.began_ns >= pressed_again - 1_000_000
    bench.driver.stop()
    bench.board.unplug()
