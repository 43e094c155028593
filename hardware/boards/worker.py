"""One thread a driver, which comes back by itself: open the device, work, and after a failure try again, later.

A failure is told as a :class:`Fault`, once for each reason, the return as :class:`Recovered`; between the two the
device is tried with a delay that doubles.
"""

import logging
import threading
import time
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from controller.errors import DeviceError
from hardware.boards.readings import Emit, Fault, Look, Recovered

log = logging.getLogger(__name__)

T = TypeVar("T")

STOP_S = 3.0  #: a thread that has not ended by then hangs, and ends with the process


class Device:
    """What a driver says of its device: a fault, once for each reason, and that it is over."""

    silence_s: float | None = None
    looked: Look | None = None

    def __init__(self, name: str, emit: Emit) -> None:
        self.name = name
        self.emit = emit
        self.alive_ns = 0
        self._fault: str | None = None

    def ready(self) -> None:
        """The device answers: whatever was wrong is over."""
        if self._fault is not None:
            self._fault = None
            self.emit(Recovered(time.monotonic_ns()))

    def report(self, error: DeviceError) -> None:
        """Something is wrong, told once; the work may go on and call :meth:`ready` when it is over."""
        if error.what != self._fault:
            self._fault = error.what
            self.emit(Fault(time.monotonic_ns(), error.what, error.cause, error.next_step))


class Loop(ABC):
    """A thread that comes back by itself after every failure.

    ``retry_s``: the first and the longest delay between two attempts, in seconds.
    """

    name: str
    alive_ns: int  #: when the device last answered

    def __init__(self, retry_s: tuple[float, float]) -> None:
        self._retry_s = retry_s
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the work and closes the device; returns when nothing more will be sent, or the thread hangs."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_S)
            if self._thread.is_alive():
                log.warning("%s: still waits for the device; left to itself", self.name)
            self._thread = None

    @abstractmethod
    def work(self) -> None:
        """Open the device, read until :attr:`stopping`, close it.

        Raises :exc:`DeviceError` or OSError when the device fails; the device is closed then too.
        """

    @abstractmethod
    def report(self, error: DeviceError) -> None:
        """The work has failed for this reason, and will be begun anew."""

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def _run(self) -> None:
        shortest, longest = self._retry_s
        delay = shortest
        while not self.stopping:
            started = self.alive_ns
            try:
                self.work()
            except (DeviceError, OSError) as error:
                self.report(error if isinstance(error, DeviceError) else self._unanswered(error))
            except Exception as error:  # a driver that dies without a word would leave a dead board on the wall
                log.exception("%s: defect in the driver", self.name)
                self.report(DeviceError(f"{self.name}: {error!r}", "a defect in the driver", "report it with the log"))
            if self.alive_ns != started:
                delay = shortest
            self._stopping.wait(delay)
            delay = min(2 * delay, longest)

    def _unanswered(self, error: OSError) -> DeviceError:
        return DeviceError(
            f"{self.name}: {error.strerror or error}",
            "a cable that came off, or a device without power",
            "check cable and power; it goes on by itself when the device answers (dmesg | tail says what Linux saw)",
        )


class Worker(Device, Loop):
    """The thread around a device; what the device does is :meth:`work`, which calls :meth:`ready` once it answers."""

    def __init__(self, name: str, emit: Emit, retry_s: tuple[float, float] = (0.25, 5.0)) -> None:
        Device.__init__(self, name, emit)
        Loop.__init__(self, retry_s)

    def ask(self) -> None:
        """As of :class:`Driver`; most devices report by themselves."""


class Shower(Worker, Generic[T]):
    """The thread around a device that shows something; a change wakes it."""

    def __init__(self, name: str, emit: Emit, first: T) -> None:
        super().__init__(name, emit)
        self._wanted = first
        self._changed = threading.Event()

    def show(self, wanted: T) -> None:
        """From now on, in whatever thread this is said."""
        self._wanted = wanted
        self._changed.set()

    def stop(self) -> None:
        self._stopping.set()
        self._changed.set()
        super().stop()

    def wanted(self) -> T:
        """What is to be shown now; a change after this ends :meth:`rest`."""
        self._changed.clear()
        return self._wanted

    def rest(self, seconds: float) -> None:
        """Until something else is to be shown, or so long."""
        self._changed.wait(seconds)
