"""A DGT board (USB, serial or Bluetooth serial port), read through pyserial: 9600 8N1.

On opening, the board is reset, asked who it is (for the log) and what stands on it, and told to report changes of
board and clock by itself. A quiet board is asked for its version now and then, so a dead cable is found while both
players think. The port is opened anew after every failure: plugging the cable in again is enough.
"""

import logging
import os
import termios
import time
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta, Struct

from controller.contract import Senses
from controller.errors import DeviceError
from hardware.boards.dgt_picture import Picture
from hardware.boards.dgt_protocol import Command, Decoder, Dump, Info, ProtocolError
from hardware.boards.readings import Driver, Emit
from hardware.boards.worker import Worker

if TYPE_CHECKING:
    import serial

log = logging.getLogger(__name__)

BAUD = 9600
READ_S = 0.1  #: how long a read waits, and so how long a stop may take
GREETING = bytes(
    (
        Command.RESET,
        Command.TRADEMARK,
        Command.SERIAL,
        Command.VERSION,
        Command.SEND_BOARD,
        Command.SEND_CLOCK,
        Command.UPDATE_NICE,
    )
)


class DgtConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="dgt"):
    """Where the board is plugged in."""

    senses: ClassVar[Senses] = "identity"
    port: str = "/dev/ttyACM0"  #: better a name under /dev/serial/by-id, which stays when another device is added
    answer_s: Annotated[float, Meta(gt=0)] = 3.0  #: how long the board may take to answer
    quiet_s: Annotated[float, Meta(gt=0)] = 5.0  #: a board that says nothing for so long is asked whether it is there

    def open(self, emit: Emit) -> Driver:
        return DgtBoard(self, emit)


class DgtBoard(Worker):
    """The driver. The picture of the board is kept while the port is away."""

    def __init__(self, config: DgtConfig, emit: Emit, retry_s: tuple[float, float] = (0.25, 5.0)) -> None:
        super().__init__(f"dgt {config.port}", emit, retry_s)
        self._config = config
        self._picture = Picture(tell_start=True)

    def work(self) -> None:
        with self._open() as line:
            try:
                self._converse(line)
            except (OSError, termios.error) as error:
                raise DeviceError(
                    f"the DGT board on {self._config.port} went away: {_reason(error)}",
                    "the cable was pulled, or the board lost its power",
                    "plug it in again; it goes on by itself",
                ) from error

    def _open(self) -> "serial.Serial":
        import serial  # here, because only those who have such a board need it

        port = self._config.port
        try:
            return serial.Serial(port, BAUD, timeout=READ_S, write_timeout=self._config.answer_s, exclusive=True)
        except OSError as error:
            raise DeviceError(
                f"the port {port} cannot be opened: {_reason(error)}",
                "the board is not plugged in, another program holds the port, or the user may not use it",
                "ls -l /dev/serial/by-id/; put that name into [board] port; sudo usermod -aG dialout $USER",
            ) from error

    def _converse(self, line: "serial.Serial") -> None:
        decoder, greeted = Decoder(), False
        line.reset_input_buffer()
        line.write(GREETING)
        asked, heard = time.monotonic(), 0.0
        while not self.stopping:
            data = line.read(1)
            data += line.read(line.in_waiting)
            ns = time.monotonic_ns()
            for message in decoder.feed(data):
                if isinstance(message, ProtocolError):
                    log.warning("%s: %s", self.name, message)
                    continue
                heard, self.alive_ns = ns / 1e9, ns
                if isinstance(message, Info):
                    log.info("%s: %s", self.name, message)
                elif greeted:
                    for item in self._picture.take(ns, message):
                        self.emit(item)
                elif isinstance(message, Dump):
                    greeted = True
                    self._greet(ns, message)
            now = time.monotonic()
            waiting = not greeted or heard < asked
            if waiting and now - asked > self._config.answer_s:
                raise self._silent()
            if not waiting and now - heard > self._config.quiet_s:
                line.write(bytes((Command.VERSION,)))
                asked = now
        line.write(bytes((Command.RESET,)))

    def _greet(self, ns: int, dump: Dump) -> None:
        """The first dump after opening: whatever was missed, the whole board says it."""
        for _ in self._picture.take(ns, dump):
            pass
        self.ready()
        for change in self._picture.whole(ns):
            self.emit(change)

    def _silent(self) -> DeviceError:
        return DeviceError(
            f"no DGT board answers on {self._config.port}",
            "another device on that port, a Bluetooth board that sleeps, or a board that hangs",
            "check the port in [board]; unplug the board and plug it in again",
        )


def _reason(error: Exception) -> str:
    """What the system says; pyserial wraps it in so many words."""
    number = getattr(error, "errno", None)
    return os.strerror(number) if number else str(error)
