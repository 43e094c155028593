"""All boards on ports share one thread: whatever one of them does, the others are heard as if it were not there."""

import os
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
import serial

from hardware.boards import Change, Fault, FromDevice, ports
from hardware.boards.codec import ProtocolError
from hardware.boards.dgt import DgtBoard, DgtConfig
from hardware.boards.dgt_protocol import Decoder, Id, Message, encode
from hardware.boards.ports import PortLine
from hardware.simulator.dgt import DgtEmulator

EMULATED = 2  #: descriptors of an emulated board: both ends of its wire
FLOOD = encode(Id.FIELD, bytes((chess.A8, 0))) * 200


class Seat:
    """A board's driver, and what it has said."""

    def __init__(self, port: Path, kind: type[DgtBoard] = DgtBoard) -> None:
        self.items: list[FromDevice] = []
        self.port = port
        self.driver = kind(DgtConfig(port=str(port)), self.hear, retry_s=(0.02, 0.1))

    def hear(self, item: FromDevice) -> float | None:
        self.items.append(item)
        return None

    @property
    def whole(self) -> bool:
        return sum(isinstance(item, Change) for item in self.items) >= 64

    @property
    def faults(self) -> list[str]:
        return [item.what for item in self.items if isinstance(item, Fault)]

    def __enter__(self) -> "Seat":
        self.driver.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.stop()


class Sound(Seat):
    """One whose board is there, and is heard."""

    def __init__(self, port: Path) -> None:
        super().__init__(port)
        self.board = DgtEmulator(port)

    def __enter__(self) -> "Sound":
        self.board.plug()
        super().__enter__()
        until(lambda: self.whole)
        return self

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self.board.unplug()

    def is_heard(self) -> None:
        """A piece is lifted and set down."""
        self.board.lift(chess.E2)
        until(lambda: self.shows(chess.E2) == "")
        self.board.place(chess.E2, "P")
        until(lambda: self.shows(chess.E2) == "P")

    def shows(self, square: chess.Square) -> str:
        return [item.piece for item in self.items if isinstance(item, Change) and item.square == square][-1]


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def sound(tmp_path: Path) -> Iterator[Sound]:
    with Sound(tmp_path / "sound") as seat:
        yield seat


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """A port at which nobody answers; its other end, and its name."""
    controller, end = os.openpty()
    tty.setraw(end)
    (tmp_path / "odd").symlink_to(os.ttyname(end))
    yield controller, tmp_path / "odd"
    os.close(controller)
    os.close(end)


def test_many_boards_have_one_thread_and_a_descriptor_each(tmp_path: Path) -> None:
    def counted() -> tuple[int, int]:
        threads = [thread for thread in threading.enumerate() if thread.name != "emulator"]
        return len(threads), len(list(Path("/proc/self/fd").iterdir()))

    with Sound(tmp_path / "one"):
        threads, descriptors = counted()
        with Sound(tmp_path / "two"), Sound(tmp_path / "three"):
            assert counted() == (threads, descriptors + 2 * (1 + EMULATED))
    until(lambda: not [thread for thread in threading.enumerate() if thread.name == "ports"])


def test_a_port_that_is_served_is_for_ourselves_alone(sound: Sound) -> None:
    with pytest.raises(serial.SerialException, match="lock"):
        serial.Serial(str(sound.port), exclusive=True)


def test_a_board_that_takes_nothing_is_told_of_and_slows_no_other(sound: Sound, terminal: tuple[int, Path]) -> None:
    _, port = terminal
    with port.open("rb", buffering=0) as held:
        termios.tcflow(held, termios.TCOOFF)
        with Seat(port) as stuck:
            sound.is_heard()
            assert not stuck.faults
            until(lambda: stuck.faults)
            assert "Connection timed out" in stuck.faults[0]
            termios.tcflow(held, termios.TCOON)
            until(lambda: os.read(terminal[0], 100))
    assert not sound.faults


def test_a_port_that_hangs_while_it_is_opened_slows_no_other(sound: Sound, tmp_path: Path) -> None:
    hanging = threading.Event()

    class Hanging(DgtBoard):
        def open_line(self) -> PortLine:
            hanging.wait(20)
            return super().open_line()

    with DgtEmulator(tmp_path / "odd"), Seat(tmp_path / "odd", Hanging) as seat:
        sound.is_heard()
        assert not seat.items
        hanging.set()
        until(lambda: seat.whole)


def test_a_board_that_is_stopped_while_its_port_hangs_lets_it_go(sound: Sound, tmp_path: Path) -> None:
    hanging, opened = threading.Event(), list[PortLine]()

    class Hanging(DgtBoard):
        def open_line(self) -> PortLine:
            hanging.wait(20)
            opened.append(super().open_line())
            return opened[0]

    with DgtEmulator(tmp_path / "odd"):
        seat = Seat(tmp_path / "odd", Hanging)
        seat.driver.start()
        threading.Timer(0.1, hanging.set).start()
        seat.driver.stop()
        assert opened
        with Seat(tmp_path / "odd") as other:
            until(lambda: other.whole)
            assert not other.faults
    sound.is_heard()


@pytest.mark.parametrize("sent", [FLOOD, bytes(range(256)) * 4], ids=["changes", "noise"])
def test_of_a_board_that_floods_no_more_is_read_than_a_line_carries(
    sound: Sound, terminal: tuple[int, Path], sent: bytes
) -> None:
    controller, port = terminal
    read, ended = list[int](), threading.Event()

    class Counted(Decoder):
        def feed(self, data: bytes) -> Iterator[Message | ProtocolError]:
            read.append(len(data))
            return super().feed(data)

    def flood() -> None:
        while not ended.is_set():
            os.write(controller, sent)

    with Seat(port) as seat:
        seat.driver._codec = Counted
        flooding = threading.Thread(target=flood)
        began = time.monotonic()
        flooding.start()
        while time.monotonic() < began + 1:
            sound.is_heard()
        assert sum(read) <= ports.FASTEST * (time.monotonic() - began) + 2 * ports.MOST
        ended.set()
        flooding.join()


def test_a_board_of_which_too_much_waits_is_not_read_meanwhile(tmp_path: Path) -> None:
    class Full(Sound):
        full = False

        def hear(self, item: FromDevice) -> float | None:
            self.items.append(item)
            return 60.0 if self.full else None

    with Sound(tmp_path / "sound") as sound, Full(tmp_path / "full") as seat:
        seat.full = True
        seat.board.lift(chess.A2)
        until(lambda: seat.shows(chess.A2) == "")
        told = len(seat.items)
        for _ in range(5):
            seat.board.place(chess.A3, "P")
            sound.is_heard()
        assert len(seat.items) == told
