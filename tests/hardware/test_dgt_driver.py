"""The real driver, through pyserial, against a board on a pseudo-terminal."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
import serial

from controller.shown import START
from hardware.boards import Change, Fault, FromDevice, LeverPress, Look, Recovered, dgt
from hardware.boards.dgt import DgtBoard, DgtConfig
from hardware.boards.dgt_picture import DgtRecording
from hardware.boards.dgt_protocol import Command, Id, encode
from hardware.simulator.dgt import DgtEmulator

MOVES = [
    *[("press", "black"), ("e2", ""), ("e4", "P"), ("press", "white")],
    *[("e7", ""), ("e5", "p"), ("press", "black")],
]


class Bench:
    """A driver on a port where a board may be plugged in."""

    def __init__(self, port: Path) -> None:
        self.port = port
        self.items: list[FromDevice] = []
        config = DgtConfig(port=str(port), silence_s=0.5)
        self.driver = DgtBoard(config, self.items.append, retry_s=(0.02, 0.1))

    def until(self, condition: Callable[[], bool], within_s: float = 30.0) -> None:
        end = time.monotonic() + within_s
        while not condition():
            assert time.monotonic() < end, f"never happened; last sent: {self.items[-3:]}"
            time.sleep(0.005)

    def greeted(self) -> None:
        """The whole board was sent, and the board reports changes by now."""
        self.until(lambda: len(self.told()) >= 64)

    def faults(self) -> list[Fault]:
        return [item for item in self.items if isinstance(item, Fault)]

    def told(self) -> list[tuple[str, str]]:
        return [shown(item) for item in self.items if isinstance(item, Change | LeverPress)]


def shown(item: Change | LeverPress) -> tuple[str, str]:
    return ("press", item.side) if isinstance(item, LeverPress) else (chess.square_name(item.square), item.piece)


def open_game(board: DgtEmulator) -> None:
    """White's clock is started by Black; 1.e4 e5, each with its press."""
    board.clock(300, 300, "left")
    board.lift(chess.E2)
    board.place(chess.E4, "P")
    board.clock(300, 300, "right")
    board.lift(chess.E7)
    board.place(chess.E5, "p")
    board.clock(300, 300, "left")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "dgt")
    bench.driver.start()
    yield bench
    bench.driver.stop()


def ready(board: DgtEmulator, bench: Bench) -> None:
    bench.greeted()
    bench.until(lambda: Command.UPDATE_NICE in board.received)


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("piecewise", [False, True])
def test_the_board_comes_whole_and_then_move_by_move(bench: Bench, rotated: bool, piecewise: bool) -> None:
    with DgtEmulator(bench.port, rotated, piecewise) as board:
        ready(board, bench)
        assert bench.told()[:64] == [(chess.square_name(s), START[s]) for s in chess.SQUARES]
        open_game(board)
        bench.until(lambda: len(bench.told()) >= 64 + len(MOVES))
    assert bench.told()[64:] == MOVES


def test_samples_bear_the_time_they_came(bench: Bench) -> None:
    with DgtEmulator(bench.port) as board:
        ready(board, bench)
        before = time.monotonic_ns()
        board.lift(chess.E2)
        bench.until(lambda: len(bench.told()) > 64)
        assert before < bench.items[-1].ns <= bench.driver.alive_ns <= time.monotonic_ns()


def test_garbage_on_the_line_costs_nothing_that_follows(bench: Bench) -> None:
    with DgtEmulator(bench.port) as board:
        ready(board, bench)
        board.send(bytes(range(256)) + encode(Id.FIELD, bytes((99, 1))))
        open_game(board)
        bench.until(lambda: len(bench.told()) >= 64 + len(MOVES))
    assert bench.told()[64:] == MOVES


def test_a_port_that_is_not_there_is_waited_for(bench: Bench) -> None:
    bench.until(lambda: bool(bench.faults()))
    fault = bench.faults()[0]
    assert str(bench.port) in fault.what and "No such file" in fault.what
    assert "boards --ports" in fault.next_step
    with DgtEmulator(bench.port):
        bench.greeted()
    assert isinstance(bench.items[1], Recovered)


def test_a_port_that_goes_away_comes_back_with_what_was_missed(bench: Bench) -> None:
    board = DgtEmulator(bench.port)
    board.plug()
    ready(board, bench)
    open_game(board)
    bench.until(lambda: len(bench.told()) >= 64 + len(MOVES))
    board.unplug()
    bench.until(lambda: any("went away" in fault.what for fault in bench.faults()))
    board.lift(chess.G1)
    board.place(chess.F3, "N")
    seen = len(bench.items)
    board.plug()
    bench.until(lambda: any(isinstance(item, Recovered) for item in bench.items[seen:]))
    bench.until(lambda: any(isinstance(item, Look) for item in bench.items[seen:]))
    board.unplug()
    whole = {item.square: item.piece for item in bench.items[seen:] if isinstance(item, Change)}
    expected = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2").piece_map()
    assert {square: piece for square, piece in whole.items() if piece} == {s: p.symbol() for s, p in expected.items()}


@pytest.mark.parametrize("first", [Command.SEND_BOARD, Command.SEND_CLOCK])
def test_a_press_while_the_cable_was_out_is_told_after_what_stands_on_the_board(
    bench: Bench, first: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the two the board answers first."""
    then = {Command.SEND_BOARD: Command.SEND_CLOCK, Command.SEND_CLOCK: Command.SEND_BOARD}[first]
    monkeypatch.setattr(DgtBoard, "greeting", bytes((Command.RESET, Command.UPDATE_NICE, first, then)))
    board = DgtEmulator(bench.port)
    board.plug()
    ready(board, bench)
    board.lift(chess.E2)
    board.clock(300, 300, "left")
    board.clock(299, 300, "left")
    bench.until(lambda: len(bench.told()) > 64)
    board.unplug()
    bench.until(lambda: any("went away" in fault.what for fault in bench.faults()))
    board.place(chess.E4, "P")
    board.clock(290, 300, "right")
    seen = len(bench.told())
    board.plug()
    bench.until(lambda: len(bench.told()) > seen + 64)
    board.unplug()
    assert bench.told()[seen:].index(("e4", "P")) < bench.told()[seen:].index(("press", "white"))


def test_a_port_where_nobody_answers_says_so_and_is_tried_again(bench: Bench) -> None:
    with DgtEmulator(bench.port) as board:
        board.deaf = True
        bench.until(lambda: any("no DGT board answers" in fault.what for fault in bench.faults()))
        board.deaf = False
        bench.greeted()


def test_a_board_that_falls_silent_is_found_out(bench: Bench) -> None:
    with DgtEmulator(bench.port) as board:
        ready(board, bench)
        board.deaf = True
        bench.until(lambda: any("no DGT board answers" in fault.what for fault in bench.faults()))


def test_a_quiet_board_that_answers_is_left_in_peace(bench: Bench) -> None:
    with DgtEmulator(bench.port) as board:
        ready(board, bench)
        bench.until(lambda: board.received.count(Command.VERSION) >= 4)  # one greeting, and asked three times since
        assert board.received.count(Command.SEND_BOARD) == 1
        assert not any("answers" in fault.what for fault in bench.faults())


def test_a_port_that_another_program_holds(bench: Bench) -> None:
    bench.driver.stop()
    bench.items.clear()
    with DgtEmulator(bench.port), serial.Serial(str(bench.port), exclusive=True):
        bench.driver.start()
        bench.until(lambda: bool(bench.faults()))
        assert "another program holds the port" in bench.faults()[0].cause


def test_what_is_no_port_and_what_nobody_has_plugged_in_are_called_so(bench: Bench, tmp_path: Path) -> None:
    causes = []
    for port in ("absent", "notes.txt", "."):
        bench.driver.stop()
        bench.items.clear()
        (tmp_path / "notes.txt").touch()
        bench.driver = DgtBoard(DgtConfig(port=str(tmp_path / port)), bench.items.append, retry_s=(0.02, 0.1))
        bench.driver.start()
        bench.until(lambda: bool(bench.faults()))
        causes.append(bench.faults()[0].cause)
    assert causes == ["nothing is plugged in that has this name", "it is no serial port", "it is no serial port"]


def test_what_a_damaged_byte_has_shown_does_not_stay(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the first dump: nothing is told of a square on which nothing changes."""
    monkeypatch.setattr(dgt, "VERIFY_S", 0.5)
    with DgtEmulator(bench.port) as board:
        board.pieces[chess.D5] = "p"
        bench.until(lambda: ("d5", "p") in bench.told())
        board.pieces[chess.D5] = ""
        bench.until(lambda: ("d5", "") in bench.told())


def test_stopping_leaves_the_board_idle(bench: Bench) -> None:
    with DgtEmulator(bench.port) as board:
        ready(board, bench)
        bench.driver.stop()
        bench.until(lambda: board.received[-1] == Command.RESET)
        sent = len(bench.items)
        board.lift(chess.E2)
        time.sleep(0.05)
        assert len(bench.items) == sent


def test_a_recorded_game_comes_through_the_port(bench: Bench, recorded: bytes) -> None:
    """What the driver sends is the press that started White's clock, and what decoding the same bytes gives."""
    with DgtEmulator(bench.port) as board:
        ready(board, bench)
        board.send(recorded)
        expected = [("press", "black")]
        expected += [shown(item) for step in DgtRecording().read(recorded) for item in step.items]
        bench.until(lambda: len(bench.told()) >= 64 + len(expected))
    assert bench.told()[64:] == expected


def test_the_emulated_board_says_how_it_stood_before_it_reports_a_change(bench: Bench) -> None:
    """A picture of the board made before a move and sent after its report would take that move back."""
    hands: list[threading.Thread] = []

    class Handled(DgtEmulator):
        def _codes(self) -> bytes:
            codes = super()._codes()
            if self._updates:
                hand = threading.Thread(target=self.lift, args=(chess.E2,))
                hand.start()
                hand.join(0.1)
                hands.append(hand)
            return codes

    with Handled(bench.port):
        bench.until(lambda: bool(hands))
        hands[0].join()
        bench.until(lambda: ("e2", "") in bench.told())
        bench.greeted()
        time.sleep(0.1)
        assert [told for told in bench.told() if told[0] == "e2"] == [("e2", "P"), ("e2", "")]


def test_what_a_board_says_of_itself_is_logged_once_however_often_it_is_asked(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    with DgtEmulator(bench.port) as board:
        bench.greeted()
        bench.until(lambda: board.received.count(Command.VERSION) >= 3)
    with DgtEmulator(bench.port):
        bench.until(lambda: caplog.text.count("version 1.8") == 2)
    assert caplog.text.count("00042") == 2, "a board that is plugged in again may be another one"


def test_a_picture_that_lost_a_byte_on_the_way_shows_nothing(bench: Bench) -> None:
    """It was completed by a byte of what came next: most pieces seem to stand on the square beside."""
    with DgtEmulator(bench.port) as board:
        bench.greeted()
        before = len(bench.items)
        codes = board._codes()
        board.send(encode(Id.BOARD, codes[:40] + codes[41:] + codes[:1]))
        bench.driver.ask()
        bench.until(lambda: any(isinstance(item, Look) for item in bench.items[before:]))
        assert not [item for item in bench.items[before:] if isinstance(item, Change)]


def test_a_board_that_was_set_up_unseen_is_shown_once_it_has_said_so_twice(bench: Bench) -> None:
    with DgtEmulator(bench.port) as board:
        bench.greeted()
        before = len(bench.items)
        board.pieces[:] = ["" for _ in board.pieces]  # all changes are lost
        bench.driver.ask()
        bench.until(lambda: any(isinstance(item, Look) for item in bench.items[before:]))
        assert len([item for item in bench.items[before:] if isinstance(item, Change)]) == 32
