"""DGT boards that share a serial line, each with an address, read through pyserial: 9600 8N1.

The boards of one process that name the same port share the line. A board on a line is never told what its clock is to
show: the command for that would take all boards of the line out of their mode.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from controller.contract import Senses
from controller.errors import DeviceError
from hardware.boards.about import SERIAL, About
from hardware.boards.dgt_bus_polling import Polled, Polling
from hardware.boards.dgt_bus_protocol import LAST_ADDRESS
from hardware.boards.dgt_bus_talk import Asking, Present, T, Talk, roll_call
from hardware.boards.ports import PortLine, PortWork, in_use, open_serial
from hardware.boards.readings import Driver, Emit
from hardware.boards.worker import RETRY_S
from hardware.wires import Wire

BAUD = 9600
AT_LEISURE_S = 0.4  #: who only asks who is there has time for a board that is heard late, as the machine is busy


class DgtBusConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="dgt-bus"):
    """Where the line is plugged in, and which board on it this is."""

    about: ClassVar[About] = About(
        "one of several DGT boards on a line, by address",
        ("dialout",),
        SERIAL,
        "docs/boards/dgt-bus.md",
        own_clock=True,
    )
    senses: ClassVar[Senses] = "identity"
    scan_ms: ClassVar[float] = 225.0  #: how long after one look at a square the next one comes: 200 to 250
    polled: ClassVar[bool] = True  #: it says what has changed when it is asked, in turn with the others
    port: str = "/dev/ttyUSB0"  #: of the line, for each board on it; better the name that ls /dev/serial/by-id shows
    #: as ``1025``: of this board, as jadoube boards --ports names them: the serial number as a rule
    address: Annotated[int, Meta(ge=1, le=LAST_ADDRESS)] = 1
    silence_s: Annotated[float, Meta(gt=0)] = 2.0  #: a board that does not answer for so long has a fault
    #: so long may an answer take, of all boards on the line; more behind a server of serial ports
    answer_ms: Annotated[float, Meta(gt=0)] = 80.0
    dtr_rts: bool = True  #: these lines of the port are raised, for all boards on it; false: where boards stay silent

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
        super().__init__(config.port, config.address, config.silence_s, emit)
        self._config = config

    def start(self) -> None:
        self.begin()
        _LINES.join(self._config, self)

    def stop(self) -> None:
        _LINES.leave(self._config, self)

    def ask(self) -> None:
        self.want(time.monotonic_ns())


class DgtLine(PortWork):
    """Asks the boards of one port."""

    def __init__(self, config: DgtBusConfig) -> None:
        super().__init__(RETRY_S)
        self.name = f"dgt-bus {config.port}"
        self.alive_ns = 0
        self.boards: list[Polled] = []  #: changes in the thread of the ports alone
        self._config = config

    def report(self, error: DeviceError) -> None:
        for board in self.boards:
            board.report(error)

    async def work(self) -> None:
        polling = Polling(self.name, self.boards, self._config.asking)
        talk = Talk(polling.script(), polling.stray)
        async with open_line(self._config.port, self._config.dtr_rts) as line:
            async for data in converse(talk, line):
                if data:
                    self.alive_ns = time.monotonic_ns()

    async def admit(self, board: Polled) -> None:
        self.boards.append(board)

    async def dismiss(self, board: Polled) -> None:
        self.boards.remove(board)


def open_line(port: str, dtr_rts: bool = True) -> AbstractAsyncContextManager[PortLine]:
    """The line on ``port``, closed at the end. Raises :exc:`DeviceError` where it cannot be had, or goes away."""
    return in_use(partial(open_serial, port, BAUD, dtr_rts), "line of DGT boards", port)


async def converse(talk: Talk[T], line: PortLine) -> AsyncIterator[bytes]:
    """Carries on ``talk`` until it is over; what is read, as it comes."""
    while True:
        question = talk.next(time.monotonic_ns())
        if talk.over:
            return
        line.write(question)
        data = await line.read(talk.due_ns / 1e9)
        talk.hear(time.monotonic_ns(), data)
        yield data


def boards_on(port: str) -> list[Present]:
    """Who is on the line, which takes two seconds and more. Raises :exc:`DeviceError` for a port that cannot be had."""
    return asyncio.run(_boards_on(port))


async def _boards_on(port: str) -> list[Present]:
    talk = Talk(roll_call(Asking(AT_LEISURE_S)))
    async with open_line(port) as line:
        async for _ in converse(talk, line):
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
            line.ports.do(line.admit(board))

    def leave(self, config: DgtBusConfig, board: Polled) -> None:
        """Nothing more is heard of ``board``; the last one closes the line."""
        with self._changing:
            line = self._lines.get(_key(config))
            if line is None or board not in line.boards:
                return
            line.ports.do(line.dismiss(board))
            if not line.boards:
                line.stop()
                del self._lines[_key(config)]


def _key(config: DgtBusConfig) -> tuple[str, float, bool]:
    return config.port, config.answer_ms, config.dtr_rts


_LINES = _Lines()
