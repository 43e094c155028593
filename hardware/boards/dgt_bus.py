"""DGT boards that share a serial line, each with an address, read through pyserial: 9600 8N1.

The boards of one process that name the same port share the thread that asks them. A board on a line is never told what
its clock is to show: the command for that would take all boards of the line out of their mode.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from controller.contract import Senses
from controller.errors import DeviceError
from hardware.boards.dgt_bus_polling import Polled, Polling
from hardware.boards.dgt_bus_protocol import LAST_ADDRESS
from hardware.boards.dgt_bus_talk import Asking, Present, T, Talk, roll_call
from hardware.boards.port import Line, SerialLine, in_use
from hardware.boards.readings import Driver, Emit, Item
from hardware.boards.worker import Loop
from hardware.wires import Wire

BAUD = 9600
NOBODY_ELSE: AbstractContextManager[object] = nullcontext()
RETRY_S = (0.25, 5.0)  #: the first and the longest delay before the port is opened again


class DgtBusConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="dgt-bus"):
    """Where the line is plugged in, and which board on it this is."""

    senses: ClassVar[Senses] = "identity"
    scan_ms: ClassVar[float] = 225.0  #: how long after one look at a square the next one comes: 200 to 250
    port: str = "/dev/ttyUSB0"  #: of all boards on the line; better a name under /dev/serial/by-id
    address: Annotated[int, Meta(ge=1, le=LAST_ADDRESS)] = 1  #: the board's serial number, up to 16383
    silence_s: Annotated[float, Meta(gt=0)] = 2.0  #: a board that does not answer for so long has a fault
    answer_ms: Annotated[float, Meta(gt=0)] = 80.0  #: how long an answer may take; the same for all of a line
    dtr_rts: bool = True  #: whether these lines of the port are raised; the same for all of a line

    @property
    def batteries(self) -> tuple[str, ...]:
        """The remarks on batteries that there may be."""
        return ("clock-battery",)

    @property
    def wires(self) -> list[Wire]:
        line = f"port {self.port}"
        return [Wire(line, "port", line, shared=True), Wire(f"address {self.address} on {self.port}", "address")]

    @property
    def asking(self) -> Asking:
        """How the boards of its line are asked."""
        return Asking(self.answer_ms / 1000)

    def open(self, emit: Emit) -> Driver:
        return DgtBusBoard(self, emit)


class DgtBusBoard(Polled):
    """The driver of one board."""

    def __init__(self, config: DgtBusConfig, emit: Emit) -> None:
        super().__init__(config.port, config.address, config.silence_s, self._emit_started)
        self._config = config
        self._emit = emit
        self._started = False

    def start(self) -> None:
        self._started = True
        self.begin()
        _LINES.join(self._config, self)

    def stop(self) -> None:
        self._started = False
        _LINES.leave(self._config, self)

    def ask(self) -> None:
        self.want(time.monotonic_ns())

    def _emit_started(self, item: Item) -> None:
        if self._started:
            self._emit(item)


class DgtLine(Loop):
    """The thread that asks the boards of one port."""

    def __init__(self, config: DgtBusConfig) -> None:
        super().__init__(RETRY_S)
        self.name = f"dgt-bus {config.port}"
        self.alive_ns = 0
        self.alone = threading.Lock()  #: held while answers are taken, and while :attr:`boards` changes
        self.boards: list[Polled] = []
        self._config = config

    def report(self, error: DeviceError) -> None:
        with self.alone:
            for board in self.boards:
                board.report(error)

    def work(self) -> None:
        polling = Polling(self.name, self.boards, self._config.asking)
        talk = Talk(polling.script(), polling.stray)
        with open_line(self._config.port, self._config.dtr_rts) as line:
            for data in converse(talk, line, self.alone):
                if self.stopping:
                    return
                if data:
                    self.alive_ns = time.monotonic_ns()


def open_line(port: str, dtr_rts: bool = True) -> AbstractContextManager[Line]:
    """The line on ``port``, closed at the end. Raises :exc:`DeviceError` where it cannot be had, or goes away."""
    return in_use(SerialLine(port, BAUD, dtr_rts), "line of DGT boards", port)


def converse(talk: Talk[T], line: Line, alone: AbstractContextManager[object] = NOBODY_ELSE) -> Iterator[bytes]:
    """Carries on ``talk`` until it is over; what is read, as it comes. ``alone``: held while that is taken."""
    while True:
        with alone:
            question = talk.next(time.monotonic_ns())
        if talk.over:
            return
        line.write(question)
        data = line.read()
        with alone:
            talk.hear(time.monotonic_ns(), data)
        yield data


def boards_on(port: str) -> list[Present]:
    """Who is on the line, which takes two seconds and more. Raises :exc:`DeviceError` for a port that cannot be had."""
    talk = Talk(roll_call(Asking()))
    with open_line(port) as line:
        for _ in converse(talk, line):
            pass
    return talk.result or []


class _Lines:
    """The lines in use, by port and by how they are used."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, float, bool], DgtLine] = {}
        self._changing = threading.Lock()

    def join(self, config: DgtBusConfig, board: Polled) -> None:
        """``board`` is asked from now on; the first one opens the line."""
        with self._changing:
            line = self._lines.get(_key(config))
            if line is None:
                line = self._lines[_key(config)] = DgtLine(config)
                line.start()
            with line.alone:
                line.boards.append(board)

    def leave(self, config: DgtBusConfig, board: Polled) -> None:
        """Nothing more is heard of ``board``; the last one closes the line."""
        with self._changing:
            line = self._lines.get(_key(config))
            if line is None or board not in line.boards:
                return
            with line.alone:
                line.boards.remove(board)
            if not line.boards:
                line.stop()
                del self._lines[_key(config)]


def _key(config: DgtBusConfig) -> tuple[str, float, bool]:
    return config.port, config.answer_ms, config.dtr_rts


_LINES = _Lines()
