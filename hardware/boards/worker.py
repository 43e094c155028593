"""A driver comes back by itself: open the device, work, and after a failure try again, later. One that has to wait for
its device, or to be on time, has a thread of its own for that; those on ports share one: ``ports``.

A failure is told as a :class:`Fault`, once for each reason, the return as :class:`Recovered`; between the two the
device is tried with a delay that doubles.
"""

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from controller.errors import DeviceError
from hardware.boards.placement import Placement
from hardware.boards.readings import Emit, Fault, FromDevice, Look, Recovered, Stance

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRY_S = (0.25, 5.0)  #: the first and the longest delay before a device is tried again
STOP_S = 3.0  #: a thread that has not ended by then hangs, and ends with the process


class ReportingDevice:
    """What a driver says of its device: a fault, once for each reason, and that it is over."""

    silence_s: float | None = None
    looked: Look | None = None
    placement: Placement | None = None  #: of a board that knows its pieces

    def __init__(self, name: str, emit: Emit) -> None:
        self.name = name
        self.alive_ns = 0
        self._emit = emit
        self._fault: str | None = None

    @property
    def stance(self) -> Stance | None:
        """As of :class:`Driver`."""
        return None if self.placement is None else self.placement.stance

    def recall(self, stance: Stance) -> None:
        """As of :class:`Driver`."""
        if self.placement is not None:
            self.placement.recall(stance)

    def emit(self, item: FromDevice) -> float:
        """Tells it; returns as :data:`Emit`."""
        return self._emit(item) or 0.0

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


class Attempts(ABC):
    """Work that is begun anew after every failure.

    ``retry_s``: the first and the longest delay between two attempts, in seconds.
    """

    name: str
    alive_ns: int  #: when the device last answered

    def __init__(self, retry_s: tuple[float, float]) -> None:
        self.retry_s = retry_s
        self.delay_s = 0.0  #: how long to wait before the next one

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def stop(self) -> None:
        """Ends the work and closes the device; returns when nothing more will be sent, or the device hangs."""

    @abstractmethod
    def report(self, error: DeviceError) -> None:
        """The work has failed for this reason, and will be begun anew."""

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """An attempt, whose failure is told."""
        before = self.alive_ns
        try:
            yield
        except (DeviceError, OSError) as error:
            self.report(error if isinstance(error, DeviceError) else self._unanswered(error))
        except Exception as error:  # a driver that dies without a word would leave a dead board on the wall
            log.exception("%s: defect in the driver", self.name)
            self.report(DeviceError(f"{self.name}: {error!r}", "a defect in the driver", "report it with the log"))
        shortest, longest = self.retry_s
        answered = self.alive_ns != before
        self.delay_s = shortest if answered else min(2 * self.delay_s or shortest, longest)

    def _unanswered(self, error: OSError) -> DeviceError:
        return DeviceError(
            f"{self.name}: {error.strerror or error}",
            "a cable that came off, or a device without power",
            "check cable and power; it goes on by itself when the device answers (dmesg | tail says what Linux saw)",
        )


class Worker(ReportingDevice, Attempts):
    """The thread around a device; what the device does is :meth:`work`, which calls :meth:`ready` once it answers."""

    def __init__(self, name: str, emit: Emit, retry_s: tuple[float, float] = RETRY_S) -> None:
        ReportingDevice.__init__(self, name, emit)
        Attempts.__init__(self, retry_s)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @abstractmethod
    def work(self) -> None:
        """Open the device, read until :attr:`stopping`, close it.

        Raises :exc:`DeviceError` or OSError when the device fails; the device is closed then too.
        """

    def ask(self) -> None:
        """As of :class:`Driver`; most devices report by themselves."""

    def emit(self, item: FromDevice) -> float:
        """Tells it, and waits for as long as is wished."""
        if wait_s := super().emit(item):
            time.sleep(wait_s)
        return 0.0

    def start(self) -> None:
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_S)
            if self._thread.is_alive():
                log.warning("%s: still waits for the device; left to itself", self.name)
            self._thread = None

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def _run(self) -> None:
        while not self.stopping:
            with self.attempt():
                self.work()
            self._stopping.wait(self.delay_s)


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
