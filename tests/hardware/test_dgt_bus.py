"""The real drivers of boards on a line, through pyserial, against emulated boards that share a pseudo-terminal."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
import serial

from controller.shown import START
from hardware.boards import Change, Fault, FromDevice, LeverPress, Look, Recovered, dgt_bus, dgt_bus_polling
from hardware.boards.dgt_bus import DgtBusConfig
from hardware.boards.dgt_protocol import Command as SingleCommand
from hardware.boards.ports import open_serial
from hardware.simulator.dgt_bus import BusBoard, DgtLineEmulator
from hardware.simulator.games import random_game

TWELVE = [1025, 1031, 78, 127, 128, 9999, 16383, 4242, 5005, 6006, 7007, 8008]


class Seat:
    """One board with its driver, and what that has said."""

    def __init__(self, port: Path, address: int, silence_s: float = 0.5) -> None:
        self.items: list[FromDevice] = []
        self.address = address
        self.driver = DgtBusConfig(port=str(port), address=address, silence_s=silence_s).open(self.items.append)

    @property
    def whole(self) -> bool:
        return any(isinstance(item, Look) for item in self.items)

    @property
    def told(self) -> list[tuple[str, str]]:
        """After the 64 squares that come first."""
        return [shown(item) for item in self.items if isinstance(item, Change | LeverPress)][64:]

    @property
    def looks(self) -> list[str]:
        pieces = [""] * 64
        for item in self.items:
            if isinstance(item, Change):
                pieces[item.square] = item.piece
        return pieces

    @property
    def faults(self) -> list[str]:
        return [item.what for item in self.items if isinstance(item, Fault)]

    @property
    def recoveries(self) -> int:
        return sum(isinstance(item, Recovered) for item in self.items)


class Hall:
    """A port with seats; what is plugged in there is for the test to say."""

    def __init__(self, port: Path) -> None:
        self.port = port
        self.seats: list[Seat] = []

    def seat(self, *addresses: int, silence_s: float = 0.5) -> list[Seat]:
        new = [Seat(self.port, address, silence_s) for address in addresses]
        self.seats += new
        for seat in new:
            seat.driver.start()
        return new

    def until(self, true: Callable[[], object], within_s: float = 20.0) -> None:
        end = time.monotonic() + within_s
        while not true():
            assert time.monotonic() < end, [(seat.address, seat.items[-2:]) for seat in self.seats]
            time.sleep(0.005)

    def ready(self) -> None:
        self.until(lambda: all(seat.whole for seat in self.seats))

    def start(self, line: DgtLineEmulator) -> None:
        """White's clock is started on every board."""
        for seat in self.seats:
            line[seat.address].clock(300, 300, "left")
        self.until(lambda: all(seat.told for seat in self.seats))


def shown(item: Change | LeverPress) -> tuple[str, str]:
    return ("press", item.side) if isinstance(item, LeverPress) else (chess.square_name(item.square), item.piece)


def apart(told: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], ...]:
    """Squares and presses: where they are closer together than two questions, their order cannot be told."""
    return [one for one in told if one[0] != "press"], [one for one in told if one[0] == "press"]


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(dgt_bus, "RETRY_S", (0.02, 0.1))
    hall = Hall(tmp_path / "line")
    yield hall
    for seat in hall.seats:
        seat.driver.stop()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("dgt-bus")]


def play(board: BusBoard, seed: int, plies: int, rest: Callable[[], None]) -> list[tuple[str, str]]:
    """A game by hands that lift and place, each move with its press, with White's clock running; what is to be told."""
    position, expected = chess.Board(), list[tuple[str, str]]()
    for move in random_game(seed, plies):
        after = position.copy()
        after.push(move)
        gone = [s for s in chess.SQUARES if position.piece_at(s) and not after.piece_at(s)]
        come = [s for s in chess.SQUARES if after.piece_at(s) and after.piece_at(s) != position.piece_at(s)]
        for square in gone:
            board.lift(square)
            expected.append((chess.square_name(square), ""))
        for square in come:
            piece = after.piece_at(square)
            assert piece is not None
            board.place(square, piece.symbol())
            expected.append((chess.square_name(square), piece.symbol()))
            rest()
        expected.append(("press", "white" if position.turn else "black"))
        board.clock(300 - len(expected) % 60, 299, "right" if position.turn else "left")
        rest()
        position = after
    return expected


@pytest.mark.parametrize("rotated", [False, True])
def test_a_board_comes_whole_and_then_move_by_move(hall: Hall, rotated: bool) -> None:
    with DgtLineEmulator(hall.port) as line:
        BusBoard(line, 1025, rotated).plug()
        (seat,) = hall.seat(1025)
        hall.ready()
        first = [shown(item) for item in seat.items if isinstance(item, Change)]
        assert first[:64] == [(chess.square_name(s), START[s]) for s in chess.SQUARES]
        hall.start(line)
        expected = play(line[1025], 1, 8, lambda: time.sleep(0.3))
        hall.until(lambda: len(seat.told) >= len(expected) + 1)
        assert seat.told == [("press", "black"), *expected]


def test_twelve_boards_on_a_line_each_with_a_whole_game(hall: Hall) -> None:
    """Hands that do not wait for the line: several moves may fall into one round."""
    with DgtLineEmulator(hall.port, TWELVE) as line:
        seats = hall.seat(*TWELVE)
        hall.ready()
        hall.start(line)
        rng = random.Random(1)
        expected: dict[int, list[tuple[str, str]]] = {}

        def hands(address: int) -> None:
            expected[address] = play(line[address], address, 80, lambda: time.sleep(rng.uniform(0, 0.12)))

        players = [threading.Thread(target=hands, args=(address,)) for address in TWELVE]
        for player in players:
            player.start()
        for player in players:
            player.join()
        hall.until(lambda: all(len(seat.told) > len(expected[seat.address]) for seat in seats))
        for seat in seats:
            assert apart(seat.told) == apart([("press", "black"), *expected[seat.address]])
            assert not seat.faults


def test_a_board_that_is_asked_says_that_it_was_looked_at_since(hall: Hall) -> None:
    with DgtLineEmulator(hall.port, TWELVE) as line:
        seats = hall.seat(*TWELVE)
        hall.ready()
        seen = {seat.address: len(seat.items) for seat in seats}
        line[1025].lift(chess.E2)
        asked = time.monotonic_ns()
        seats[0].driver.ask()
        hall.until(lambda: any(isinstance(item, Look) for item in seats[0].items[seen[1025] :]))
        *before, look = seats[0].items[seen[1025] :]
        assert [shown(item) for item in before if isinstance(item, Change)] == [("e2", "")]
        assert isinstance(look, Look)
        assert asked <= look.began_ns <= look.ns - dgt_bus_polling.LAG_NS
        assert seats[0].driver.looked is not None
        for seat in seats[1:]:
            assert len(seat.items) == seen[seat.address], "nobody else was asked about"
            assert seat.driver.looked is not None
            assert seat.driver.looked.ns > asked - 1_000_000_000, "each round looks at all"


def test_answers_that_are_lost_or_garbled_are_asked_for_again(hall: Hall) -> None:
    with DgtLineEmulator(hall.port, TWELVE[:3]) as line:
        seats = hall.seat(*TWELVE[:3], silence_s=2)
        hall.ready()
        hall.start(line)
        rng, trouble = random.Random(2), threading.Event()

        def disturb() -> None:
            while not trouble.wait(rng.uniform(0.1, 0.4)):
                with line.alone:
                    line.damaged, line.lost = rng.choice([(1, 0), (0, 1), (1, 1)])
                line.send(rng.randbytes(rng.randrange(12)))

        nuisance = threading.Thread(target=disturb)
        nuisance.start()
        expected = play(line[TWELVE[0]], 3, 30, lambda: time.sleep(rng.uniform(0, 0.15)))
        hall.until(lambda: len(seats[0].told) > len(expected))
        trouble.set()
        nuisance.join()
        assert apart(seats[0].told) == apart([("press", "black"), *expected])
        assert not any(seat.faults for seat in seats)


def test_what_was_lost_for_good_is_made_good_by_the_whole_board(hall: Hall) -> None:
    """Nothing that the board answers arrives for a while, and it forgets what it had sent."""
    with DgtLineEmulator(hall.port, [1025]) as line:
        (seat,) = hall.seat(1025, silence_s=5)
        hall.ready()
        board = line[1025]
        line.lost = 8
        board.lift(chess.E2)
        hall.until(lambda: line.lost < 7)
        with line.alone:
            board.log.clear()
            board._reported, board._last = 0, b""
        hall.until(lambda: seat.looks[chess.E2] == "")
        assert not seat.faults


def test_a_board_is_plugged_out_and_in_while_the_others_play(hall: Hall) -> None:
    with DgtLineEmulator(hall.port, TWELVE) as line:
        seats = hall.seat(*TWELVE)
        hall.ready()
        hall.start(line)
        gone, others = line[1025], [seat for seat in seats if seat.address != 1025]
        gone.lift(chess.E2)
        gone.place(chess.E4, "P")
        gone.clock(300, 300, "right")
        hall.until(lambda: ("press", "white") in seats[0].told)
        gone.unplug()
        hall.until(lambda: seats[0].faults)
        assert seats[0].faults == [f"the DGT board 1025 on {hall.port} does not answer"]
        gone.lift(chess.E7)
        gone.place(chess.E5, "p")
        gone.clock(290, 299, "left")
        expected = play(line[1031], 5, 6, lambda: time.sleep(0.1))
        gone.plug()
        hall.until(lambda: seats[0].recoveries)
        hall.until(lambda: seats[0].told[-1] == ("press", "black"))
        assert seats[0].looks == gone.pieces
        hall.until(lambda: len(seats[1].told) > len(expected))
        assert seats[1].told == [("press", "black"), *expected]
        assert not any(seat.faults for seat in others)


def test_a_board_that_was_without_power_for_a_moment_is_read_anew(hall: Hall) -> None:
    with DgtLineEmulator(hall.port, [1025, 1031]) as line:
        seats = hall.seat(1025, 1031, silence_s=5)
        hall.ready()
        board = line[1025]
        board.unplug()
        board.lift(chess.B1)
        board.place(chess.C3, "N")
        board.plug()
        hall.until(lambda: seats[0].looks == board.pieces)
        assert not seats[0].faults


def test_the_cable_of_the_line_is_pulled_and_plugged_in_again(hall: Hall) -> None:
    line = DgtLineEmulator(hall.port, TWELVE[:4])
    seats = hall.seat(*TWELVE[:4])
    hall.until(lambda: all("cannot be opened" in what for seat in seats for what in seat.faults[:1] or [""]))
    with line:
        hall.ready()
    hall.until(lambda: all("went away" in seat.faults[1] for seat in seats if len(seat.faults) > 1))
    line[TWELVE[0]].lift(chess.E2)
    with line:
        hall.until(lambda: all(seat.recoveries == 2 for seat in seats))
        hall.until(lambda: seats[0].looks[chess.E2] == "")


def test_two_boards_with_one_address_are_named_and_the_others_play_on(hall: Hall) -> None:
    with DgtLineEmulator(hall.port, TWELVE[:4]) as line:
        seats = hall.seat(*TWELVE[:4])
        hall.ready()
        other = BusBoard(line, 1025)
        other.plug()
        hall.until(lambda: any("two boards" in what for what in seats[0].faults))
        assert seats[0].faults[-1] == f"two boards on {hall.port} have the address 1025"
        line[1031].lift(chess.E2)
        hall.until(lambda: seats[1].looks[chess.E2] == "")
        other.unplug()
        hall.until(lambda: seats[0].recoveries)
        assert seats[0].looks == list(START)
        assert not any(seat.faults for seat in seats[1:])


def test_boards_that_another_program_left_in_another_mode_are_brought_back(hall: Hall) -> None:
    """They report by themselves, all on one line."""
    with DgtLineEmulator(hall.port, TWELVE[:3]) as line:
        line.obey(bytes((SingleCommand.UPDATE_NICE,)))
        line[1025].lift(chess.E2)
        hall.seat(*TWELVE[:3])
        hall.ready()
        line.obey(bytes((SingleCommand.RESET,)))  # a stray byte in the middle of a game
        line[1025].place(chess.E4, "P")
        hall.until(lambda: hall.seats[0].looks == line[1025].pieces)


def test_a_board_may_come_to_a_line_that_is_in_use_and_leave_it(hall: Hall) -> None:
    with DgtLineEmulator(hall.port, TWELVE[:2]) as line:
        first, second = hall.seat(TWELVE[0])[0], hall.seat(TWELVE[1])[0]
        hall.ready()
        first.driver.stop()
        told = len(first.items)
        for board in line.boards:
            board.lift(chess.E2)
        hall.until(lambda: second.looks[chess.E2] == "")
        assert len(first.items) == told
        first.driver.start()
        hall.until(lambda: first.looks[chess.E2] == "")


def test_nobody_on_a_line_is_told_of_each_board_and_waited_for(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dgt_bus_polling, "PATIENCE_S", 0.8)
    with DgtLineEmulator(hall.port) as line:
        seats = hall.seat(*TWELVE[:2])
        wakes = bytes((SingleCommand.RESET,))
        hall.until(lambda: line.received.count(wakes) > 1)  # opened anew
        assert [seat.faults for seat in seats] == [
            [f"the DGT board {seat.address} on {hall.port} does not answer"] for seat in seats
        ]
        for address in TWELVE[:2]:
            BusBoard(line, address).plug()
        hall.ready()


def test_a_board_that_is_there_is_fed_to_the_watchdog_by_its_answers(hall: Hall) -> None:
    with DgtLineEmulator(hall.port, [1025]):
        (seat,) = hall.seat(1025)
        hall.ready()
        alive = seat.driver.alive_ns
        hall.until(lambda: seat.driver.alive_ns > alive)


@pytest.mark.parametrize("raised", [True, False])
def test_two_lines_of_the_port_are_raised_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: bool) -> None:
    seen: list[bool] = []
    monkeypatch.setattr(serial.Serial, "_update_dtr_state", lambda port: seen.append(port.dtr))
    monkeypatch.setattr(serial.Serial, "_update_rts_state", lambda port: seen.append(port.rts))
    with DgtLineEmulator(tmp_path / "line"):
        open_serial(str(tmp_path / "line"), dgt_bus.BAUD, raised).close()
        assert seen
        assert set(seen) == {raised}
