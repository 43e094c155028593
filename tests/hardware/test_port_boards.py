"""Every board on a port, with its real driver, against its emulator: whatever goes wrong on a wire ends well."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from controller.shown import START
from hardware.boards import BoardReading, Change, Driver, Fault, FromDevice, Recovered, Remark, port
from hardware.boards.certabo import CertaboBoard, CertaboConfig, SentioBoard, SentioConfig
from hardware.boards.certabo_stones import save
from hardware.boards.chesslink import ChessLinkBoard, ChessLinkConfig
from hardware.boards.chessnut import ChessnutBoard, ChessnutConfig
from hardware.boards.codec import ProtocolError
from hardware.boards.dgt import DgtBoard, DgtConfig
from hardware.boards.line import LineBoard, LineConfig
from hardware.boards.placement import turned
from hardware.boards.port import PortBoard
from hardware.lamps import Lamps
from hardware.simulator.certabo import CertaboEmulator, SentioEmulator
from hardware.simulator.chesslink import ChessLinkEmulator
from hardware.simulator.chessnut import ChessnutEmulator
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.line import LineEmulator

SILENCE_S = 0.3
RETRY_S = (0.02, 0.1)
OCCUPIED = sum(chess.BB_SQUARES[square] for square in chess.SQUARES if START[square])


class Bench(ABC):
    """A driver at work, and the board that may be plugged in; what the driver says adds up to :attr:`seen`."""

    lit = True  #: it has lamps
    identity = True  #: it knows its pieces

    def __init__(self, folder: Path, rotated: bool = False, piecewise: bool = False) -> None:
        self.items: list[FromDevice] = []
        self.seen: list[str] = ["?"] * 64
        self.port = folder / "port"
        self.rotated = rotated
        self.board: Any = self.make(rotated, piecewise)
        self.driver: Driver = self.drive()

    @abstractmethod
    def make(self, rotated: bool, piecewise: bool) -> Any: ...

    @abstractmethod
    def drive(self) -> PortBoard[Any]: ...

    def hear(self, item: FromDevice) -> None:
        self.items.append(item)
        if isinstance(item, Change):
            self.seen[item.square] = item.piece
        elif isinstance(item, BoardReading):
            self.seen = ["x" if item.occupied & chess.BB_SQUARES[s] else "" for s in chess.SQUARES]

    def lamps(self) -> int:
        """The squares that are lit, as the board numbers them."""
        raise NotImplementedError

    def until(self, true: Callable[[], Any], within_s: float = 30.0) -> None:
        end = time.monotonic() + within_s
        while not true():
            assert time.monotonic() < end, f"never happened; last said: {self.items[-3:]}"
            time.sleep(0.005)

    def shows(self, position: chess.Board) -> bool:
        pieces = position.piece_map()
        letters = [pieces[s].symbol() if s in pieces else "" for s in chess.SQUARES]
        return self.seen == (letters if self.identity else ["x" if letter else "" for letter in letters])

    def play(self, *moves: str) -> None:
        """Quiet moves, as hands make them: a lift, and then a place."""
        for uci in moves:
            move = chess.Move.from_uci(uci)
            piece = self.position.piece_at(move.from_square)
            assert piece is not None
            self.board.lift(move.from_square)
            time.sleep(0.01)
            self.board.place(move.to_square, piece.symbol())
            self.position.push(move)

    def faults(self) -> list[str]:
        return [item.what for item in self.items if isinstance(item, Fault)]

    def __enter__(self) -> "Bench":
        self.position = chess.Board()
        self.driver.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.stop()
        self.board.unplug()


class Dgt(Bench):
    lit = False

    def make(self, rotated: bool, piecewise: bool) -> DgtEmulator:
        return DgtEmulator(self.port, rotated, piecewise)

    def drive(self) -> DgtBoard:
        return DgtBoard(DgtConfig(port=str(self.port), silence_s=SILENCE_S), self.hear, RETRY_S)


class ChessLink(Bench):
    def make(self, rotated: bool, piecewise: bool) -> ChessLinkEmulator:
        return ChessLinkEmulator(self.port, rotated, piecewise)

    def drive(self) -> ChessLinkBoard:
        return ChessLinkBoard(ChessLinkConfig(port=str(self.port), silence_s=SILENCE_S), self.hear, RETRY_S)

    def lamps(self) -> int:
        """A square is lit where its four corners are."""
        corners = (0, 1, 9, 10)
        first = {square: chess.square_file(square) * 9 + 7 - chess.square_rank(square) for square in chess.SQUARES}
        return sum(chess.BB_SQUARES[s] for s in first if all(self.board.lamps[first[s] + c] for c in corners))


class Certabo(Bench):
    def make(self, rotated: bool, piecewise: bool) -> CertaboEmulator:
        board = CertaboEmulator(self.port, rotated, piecewise)
        stones = self.port.with_name("stones.json")
        save(stones, {tag: piece for tag, piece in zip(board.chips, board.pieces, strict=True) if piece})
        return board

    def drive(self) -> CertaboBoard:
        stones = self.port.with_name("stones.json")
        config = CertaboConfig(port=str(self.port), stones=str(stones), silence_s=SILENCE_S)
        return CertaboBoard(config, self.hear, RETRY_S)

    def lamps(self) -> int:
        return int.from_bytes(self.board.lamps, "big")


class Sentio(Certabo):
    identity = False

    def make(self, rotated: bool, piecewise: bool) -> SentioEmulator:  # type: ignore[override]
        return SentioEmulator(self.port, rotated, piecewise)

    def drive(self) -> SentioBoard:  # type: ignore[override]
        config = SentioConfig(port=str(self.port), rotated=self.rotated, silence_s=SILENCE_S)
        return SentioBoard(config, self.hear, RETRY_S)


class Chessnut(Bench):
    def make(self, rotated: bool, piecewise: bool) -> ChessnutEmulator:  # noqa: ARG002 - reports are never split
        return ChessnutEmulator(rotated)

    def drive(self) -> ChessnutBoard:
        config = ChessnutConfig(port="/dev/hidraw0", silence_s=SILENCE_S)
        return ChessnutBoard(config, self.hear, RETRY_S, self.board.open)

    def lamps(self) -> int:
        ranks = [int(f"{rank:08b}"[::-1], 2) for rank in self.board.lamps]
        return int.from_bytes(bytes(ranks), "big")


class Line(Bench):
    identity = False

    def make(self, rotated: bool, piecewise: bool) -> LineEmulator:
        return LineEmulator(self.port, rotated, piecewise)

    def drive(self) -> LineBoard:
        config = LineConfig(port=str(self.port), rotated=self.rotated, silence_s=SILENCE_S)
        return LineBoard(config, self.hear, RETRY_S)

    def lamps(self) -> int:
        return int(self.board.lamps)


class LineOfPieces(Line):
    identity = True

    def make(self, rotated: bool, piecewise: bool) -> LineEmulator:
        return LineEmulator(self.port, rotated, piecewise, features=("identity", "lamps", "checksum"))

    def drive(self) -> LineBoard:
        config = LineConfig(port=str(self.port), senses="identity", silence_s=SILENCE_S)
        return LineBoard(config, self.hear, RETRY_S)


BENCHES: list[type[Bench]] = [Dgt, ChessLink, Certabo, Sentio, Chessnut, Line, LineOfPieces]
WIRED = [kind for kind in BENCHES if kind is not Chessnut]
QUICK_GAP_S = 0.02  #: what real lamps want between two commands is for real lamps
every_board = pytest.mark.parametrize("kind", BENCHES)
every_wire = pytest.mark.parametrize("kind", WIRED)
asked_and_telling = pytest.mark.parametrize("kind", [Dgt, Sentio, Chessnut, Line])  # where the kind makes no difference


@every_board
@pytest.mark.parametrize("rotated", [False, True])
def test_the_board_comes_whole_and_then_move_by_move(kind: type[Bench], rotated: bool, tmp_path: Path) -> None:
    with kind(tmp_path, rotated) as bench, bench.board:
        bench.until(lambda: bench.shows(bench.position))
        bench.play("e2e4", "g8f6", "b1c3")
        bench.until(lambda: bench.shows(bench.position))
        assert not [item for item in bench.items if isinstance(item, Remark)]


@pytest.mark.parametrize("kind", [kind for kind in WIRED if kind is not Certabo])  # 1,280 bytes a report
def test_the_bytes_may_come_one_at_a_time(kind: type[Bench], tmp_path: Path) -> None:
    with kind(tmp_path, piecewise=True) as bench, bench.board:
        bench.until(lambda: bench.shows(bench.position))
        bench.play("e2e4")
        bench.until(lambda: bench.shows(bench.position))


@every_wire
def test_the_bytes_may_come_all_at_once(kind: type[Bench], tmp_path: Path) -> None:
    with kind(tmp_path) as bench, bench.board:
        bench.until(lambda: bench.shows(bench.position))
        with bench.board.merged():
            bench.play("e2e4", "g8f6", "b1c3")
        bench.until(lambda: bench.shows(bench.position))
        assert not bench.faults() or "opened" in bench.faults()[-1]


@asked_and_telling
def test_garbage_costs_nothing_that_follows(kind: type[Bench], tmp_path: Path) -> None:
    with kind(tmp_path) as bench, bench.board:
        bench.until(lambda: bench.shows(bench.position))
        for i in range(4):
            bench.board.send(bytes(j * 73 + i & 0xFF for j in range(50)))
        bench.play("e2e4")
        bench.until(lambda: bench.shows(bench.position))


def test_noise_by_the_hundred_is_one_line_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Dgt(tmp_path) as bench, bench.board:
        bench.until(lambda: bench.shows(bench.position))
        bench.board.send(bytes(range(256)) * 3)
        bench.play("e2e4")
        bench.until(lambda: bench.shows(bench.position))
    assert len([record for record in caplog.records if record.levelname == "WARNING"]) == 1


def test_what_was_not_told_of_noise_is_counted() -> None:
    damage, message = port.Damage(), ProtocolError("message 80 was cut short")
    told = [damage.tell(at, message) for at in (5.0, 5.1, 14.9, 15.1)]
    assert told == ["message 80 was cut short", None, None, "message 80 was cut short; 2 more since the last was told"]


@every_wire
def test_a_message_that_is_lost_is_made_good(kind: type[Bench], tmp_path: Path) -> None:
    """The board says that e2 is empty and e4 is not, and only scraps of it arrive."""
    with kind(tmp_path) as bench, bench.board:
        bench.until(lambda: bench.shows(bench.position))
        send = bench.board.send
        bench.board.send = lambda data: send(data[:-2])
        bench.play("e2e4")
        del bench.board.send
        bench.until(lambda: bench.shows(bench.position))


@every_board
def test_a_board_that_comes_late_and_goes_away_is_waited_for(kind: type[Bench], tmp_path: Path) -> None:
    with kind(tmp_path) as bench:
        bench.until(bench.faults)
        assert "cannot be opened: No such file" in bench.faults()[0]
        bench.board.plug()
        bench.until(lambda: bench.shows(bench.position))
        assert isinstance(bench.items[1], Recovered)
        bench.play("e2e4")
        bench.until(lambda: bench.shows(bench.position))
        bench.board.unplug()
        bench.until(lambda: any("went away" in what or "opened" in what for what in bench.faults()[1:]))
        bench.play("e7e5")  # nobody sees it
        bench.board.plug()
        bench.until(lambda: bench.shows(bench.position))
        assert sum(isinstance(item, Recovered) for item in bench.items) == 2


@asked_and_telling
def test_a_board_that_never_answers_and_one_that_falls_silent(kind: type[Bench], tmp_path: Path) -> None:
    with kind(tmp_path) as bench:
        bench.board.deaf = True
        with bench.board:
            bench.until(lambda: any("answers" in what for what in bench.faults()))
            bench.board.deaf = False
            bench.until(lambda: bench.shows(bench.position))
            bench.board.deaf = True
            since, told = time.monotonic(), len(bench.faults())
            bench.until(lambda: len(bench.faults()) > told)
            assert time.monotonic() - since < 2 * SILENCE_S
            assert "answers" in bench.faults()[-1]
            bench.board.deaf = False
            bench.play("e2e4")
            bench.until(lambda: bench.shows(bench.position))
            bench.until(lambda: bench.driver.alive_ns > time.monotonic_ns() - 200_000_000)


@asked_and_telling
def test_a_board_at_rest_is_left_in_peace(kind: type[Bench], tmp_path: Path) -> None:
    with kind(tmp_path) as bench, bench.board:
        bench.until(lambda: bench.shows(bench.position))
        told, since = len(bench.faults()), time.monotonic_ns()
        time.sleep(2 * SILENCE_S)
        assert len(bench.faults()) == told
        assert bench.driver.alive_ns > since, "it was asked, and has answered"


@pytest.mark.parametrize("kind", [Dgt, ChessLink, Sentio])
def test_a_board_that_was_set_to_another_speed(kind: type[Bench], tmp_path: Path) -> None:
    with kind(tmp_path) as bench:
        bench.board.own_baud = 57600
        with bench.board:
            bench.until(lambda: any("answers" in what or "language" in what for what in bench.faults()))
            bench.board.own_baud = bench.board.baud
            bench.until(lambda: bench.shows(bench.position))


@pytest.mark.parametrize("kind", [Dgt, Line])
def test_a_slow_board_is_waited_for(kind: type[Bench], tmp_path: Path) -> None:
    with kind(tmp_path) as bench:
        bench.board.slow_s = 0.2
        with bench.board:
            bench.until(lambda: bench.shows(bench.position))
            bench.play("e2e4")
            bench.until(lambda: bench.shows(bench.position))
            assert not any("answers" in what for what in bench.faults())


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("kind", [kind for kind in BENCHES if kind.lit])
def test_lamps_show_what_was_last_asked_for(kind: type[Bench], rotated: bool, tmp_path: Path) -> None:
    e2g5, d7 = chess.BB_E2 | chess.BB_G5, chess.BB_D7
    with kind(tmp_path, rotated) as bench:
        assert isinstance(bench.driver, Lamps)
        bench.driver.light(e2g5)
        with bench.board:
            bench.until(lambda: bench.lamps() == (turned(e2g5) if rotated else e2g5))
            bench.driver.light(0)
            bench.driver.light(d7)
            bench.until(lambda: bench.lamps() == (turned(d7) if rotated else d7))
        with bench.board:  # plugged in again, dark
            bench.until(lambda: bench.lamps() == (turned(d7) if rotated else d7))
            bench.driver.stop()
            bench.until(lambda: bench.lamps() == 0)


def test_a_board_without_lamps_says_so(tmp_path: Path) -> None:
    assert not isinstance(Dgt(tmp_path).driver, Lamps)


@pytest.fixture(autouse=True)
def at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lamps that need no rest; and no emulator leaves its port behind."""
    for board in (ChessLinkBoard, CertaboBoard, SentioBoard, ChessnutBoard):
        monkeypatch.setattr(board, "lamp_gap_s", QUICK_GAP_S)
    yield
    assert not (tmp_path / "port").is_symlink()
