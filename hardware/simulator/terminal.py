"""A serial device on a pseudo-terminal, with all that goes wrong on a wire.

The port is a symbolic link to the pseudo-terminal, so a device that is plugged in again comes back under its name, as
under ``/dev/serial/by-id``. What is sent can be split, merged, garbage, or late; where the driver has set another baud
rate than the device's own, neither understands the other.
"""

import os
import select
import termios
import threading
import time
import tty
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

BLOCKED_S = 0.5  #: what nobody reads for so long is lost
TICK_S = 0.02


class Pluggable(ABC):
    """A device on a cable. A context manager: plugged in on entry, unplugged on exit."""

    def __enter__(self) -> Self:
        self.plug()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()

    @abstractmethod
    def plug(self) -> None:
        """The device gets its power and a port."""

    @abstractmethod
    def unplug(self) -> None:
        """The port goes away; what was read up to then stays read."""


class Terminal(Pluggable):
    """A device at ``port``. ``piecewise``: each byte is sent by itself."""

    baud: ClassVar[int]

    def __init__(self, port: Path, piecewise: bool = False) -> None:
        self.received = bytearray()  #: every byte since it was made, understood or not
        self.deaf = False  #: while True it neither answers nor reports
        self.slow_s = 0.0  #: how long it thinks before it answers
        self.own_baud = self.baud  #: a device that was set to another speed
        self._port = port
        self._piecewise = piecewise
        self._ends: tuple[int, int] | None = None
        self._plugged = False
        self._held: bytearray | None = None
        #: held while it does something: like the chip of a real one, it does one thing after the other
        self.alone = threading.RLock()
        self._thread: threading.Thread | None = None

    @abstractmethod
    def obey(self, data: bytes) -> None:
        """What the device does on hearing these bytes, which may be any part of a command."""

    def wake_up(self) -> None:
        """The device has got its power."""

    def tick(self, now: float) -> None:
        """Some hundredths of a second have passed, for devices that talk without being asked."""

    def plug(self) -> None:
        controller, terminal = os.openpty()
        tty.setraw(terminal)
        os.set_blocking(controller, False)
        self._ends, self._plugged = (controller, terminal), True
        self._port.symlink_to(os.ttyname(terminal))
        self.wake_up()
        self._thread = threading.Thread(target=self._live, args=(controller,), name="emulator", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        if self._ends is None or self._thread is None:
            return
        self._port.unlink()
        self._plugged = False
        self._thread.join()
        with self.alone:
            for end in self._ends:
                os.close(end)
            self._ends = None

    def send(self, data: bytes) -> None:
        """These bytes, whatever they are."""
        with self.alone:
            if self._ends is None or not self._plugged or self.deaf:
                return
            if self._held is not None:
                self._held += data
                return
            if not self._understood():
                data = bytes(byte * 37 + 11 & 0xFF for byte in data)
            for part in (data[i : i + 1] for i in range(len(data))) if self._piecewise else (data,):
                self._write(self._ends[0], part)
                if self._piecewise:
                    time.sleep(0.0005)

    @contextmanager
    def merged(self) -> Iterator[None]:
        """All that is sent meanwhile arrives in one piece at the end."""
        with self.alone:
            self._held = bytearray()
        yield
        with self.alone:
            held, self._held = bytes(self._held), None
            self.send(held)

    def _understood(self) -> bool:
        """Whether the driver has set our speed; the speed of a pseudo-terminal is but a number."""
        assert self._ends is not None
        return bool(termios.tcgetattr(self._ends[1])[5] == getattr(termios, f"B{self.own_baud}"))

    @staticmethod
    def _write(end: int, data: bytes) -> None:
        while data and select.select([], [end], [], BLOCKED_S)[1]:
            with suppress(BlockingIOError):
                data = data[os.write(end, data) :]

    def _live(self, controller: int) -> None:
        while self._plugged:
            if select.select([controller], [], [], TICK_S)[0]:
                with suppress(OSError):  # the driver may close its end at any time
                    data = os.read(controller, 1024)
                    heard = self._understood() and not self.deaf
                    if heard:
                        time.sleep(self.slow_s)
                    with self.alone:
                        self.received += data  # first: whoever has an answer finds here what was asked
                        if heard:
                            self.obey(data)
            with self.alone:
                self.tick(time.monotonic())
