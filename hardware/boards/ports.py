"""All ports in one thread: it waits for what comes from any of them, and takes the time of it as soon as it is there.

Nobody waits there but for himself. A port is opened and closed in a thread that lasts as long as that takes; what is
written waits until the device takes it; and of one that sends without end only so much is read as a board can mean.
"""

import asyncio
import errno
import logging
import math
import os
import termios
import threading
import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from controller.errors import DeviceError
from hardware.boards.worker import STOP_S, Attempts

log = logging.getLogger(__name__)

T = TypeVar("T")

WRITE_S = 1.0  #: a device that takes nothing for so long has gone
MOST = 1024  #: bytes of one read
FASTEST = 16_384  #: bytes a second: more than any board's line can carry, 11,520 at 115,200 baud


NAMED = "jadoube boards --ports names what is plugged in; put that into [board] port"
HELD = ("another program holds the port", "sudo fuser -v {port}")
NO_PORT = ("it is no serial port", NAMED)
WHY_NOT = {
    errno.ENOENT: ("nothing is plugged in that has this name", NAMED),
    errno.EACCES: ("the user may not use it", "sudo usermod -aG dialout $USER, and log in again"),
    errno.EAGAIN: HELD,
    errno.EBUSY: HELD,
    errno.ENOTTY: NO_PORT,
    errno.EISDIR: NO_PORT,
}
"""Why a port cannot be opened, and what to do, by what the system says."""

WHY_EVER = (
    "the board is not plugged in, another program holds the port, or the user may not use it",
    "ls -l /dev/serial/by-id/; put that name into [board] port; sudo usermod -aG dialout $USER",
)


class PortLine:
    """An open device: whoever holds it never waits, but in :meth:`read`. Raises OSError once the device has gone."""

    def __init__(self, file: int) -> None:
        os.set_blocking(file, False)
        self._file = file
        self._news = asyncio.Event()
        self._readable = False
        self._unsent: list[bytes] = []
        self._stuck_s = math.inf  # when the device should have taken it
        self._paid_s = 0.0  # until when what was read was not too much

    async def read(self, until_s: float) -> bytes:
        """What has come, waiting until then at most, in seconds of :func:`time.monotonic`; or until :meth:`wake`."""
        if (ahead_s := self._paid_s - time.monotonic()) > MOST / FASTEST:
            await asyncio.sleep(ahead_s)
        await self._wait(min(until_s, self._stuck_s))
        self._send()
        data = os.read(self._file, MOST) if self._readable else b""
        if self._readable and not data:
            raise OSError(errno.EIO, "the device was closed")
        self._paid_s = max(self._paid_s, time.monotonic()) + len(data) / FASTEST
        return data

    def write(self, data: bytes) -> None:
        """Now, or in the next :meth:`read`, as soon as the device takes it."""
        if data:
            self._unsent.append(data)
            self._send()

    def wake(self) -> None:
        """Ends a read that waits, or else the next one. In the thread of the reader."""
        self._news.set()

    def close(self) -> None:
        """May wait until the device has taken the last that was written."""
        with suppress(OSError):  # it has gone
            os.close(self._file)

    async def _wait(self, until_s: float) -> None:
        loop, self._readable = asyncio.get_running_loop(), False
        loop.add_reader(self._file, self._come)
        if self._unsent:
            loop.add_writer(self._file, self.wake)
        try:
            async with asyncio.timeout_at(until_s):
                await self._news.wait()
        except TimeoutError:
            pass
        finally:
            loop.remove_reader(self._file)
            loop.remove_writer(self._file)
        self._news.clear()

    def _come(self) -> None:
        self._readable = True
        self.wake()

    def _send(self) -> None:
        with suppress(BlockingIOError):
            while self._unsent:
                sent = os.write(self._file, self._unsent[0])
                self._stuck_s = math.inf
                self._unsent[:1] = [rest] if (rest := self._unsent[0][sent:]) else []
        if self._unsent:
            if time.monotonic() >= self._stuck_s:
                raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            self._stuck_s = min(self._stuck_s, time.monotonic() + WRITE_S)


def unopened(port: str, error: OSError | termios.error) -> DeviceError:
    """Why a serial port cannot be had, and what to do."""
    number = getattr(error, "errno", None)
    number = errno.ENOTTY if number is None else number  # pyserial tells no number of what it cannot set up
    cause, next_step = WHY_NOT.get(number, WHY_EVER)
    what = f"the port {port} cannot be opened: {os.strerror(number)}"
    return DeviceError(what, cause, next_step.replace("{port}", port))


def open_serial(port: str, baud: int, dtr_rts: bool = True) -> PortLine:
    """A serial port, 8N1, for ourselves alone. Raises :exc:`DeviceError` if it cannot be had.

    ``dtr_rts``: whether these two lines of it are raised.
    """
    import serial  # here, because only those who have such a board need it

    opened = serial.Serial(None, baud, exclusive=True)
    opened.dtr = opened.rts = dtr_rts
    opened.port = port
    try:
        opened.open()
        return PortLine(os.dup(opened.fileno()))  # pyserial would keep four pipes beside it
    except (OSError, termios.error) as error:
        raise unopened(port, error) from error
    finally:
        opened.close()


@asynccontextmanager
async def in_use(open_line: Callable[[], PortLine], kind: str, port: str) -> AsyncIterator[PortLine]:
    """The line, closed at the end. Raises :exc:`DeviceError` where it cannot be had, or goes away meanwhile."""
    line = await _opened(open_line)
    try:
        yield line
    except OSError as error:
        raise DeviceError(
            f"the {kind} on {port} went away: {reason(error)}",
            "the cable was pulled, or the board lost its power",
            "plug it in again; it goes on by itself",
        ) from error
    finally:
        await asyncio.wait([_beside(line.close)])


async def _opened(open_line: Callable[[], PortLine]) -> PortLine:
    opening = _beside(open_line)
    try:
        await asyncio.wait([opening])
    except asyncio.CancelledError:
        await asyncio.wait([opening])
        if opening.exception() is None:
            opening.result().close()
        raise
    return opening.result()


def _beside(call: Callable[[], T]) -> "asyncio.Future[T]":
    """What ``call`` returns, from a thread of its own, for a device may let it wait as long as it likes."""
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=run, name="port", daemon=True).start()
    return asyncio.wrap_future(done)


class Ports:
    """A thread with an event loop, which lasts as long as anybody is served in it."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._served = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self, life: Coroutine[Any, Any, None]) -> "Future[asyncio.Task[None]]":
        """Has ``life`` begin; what :meth:`end` wants."""
        with self._changing:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._serve, args=(self._loop,), name="ports", daemon=True).start()
            self._served += 1
            return asyncio.run_coroutine_threadsafe(_begun(life), self._loop)

    def end(self, begun: "Future[asyncio.Task[None]]") -> None:
        """Ends it, and returns once it has ended. Raises :exc:`TimeoutError` where it hangs."""
        self.do(_ended(begun.result(STOP_S)))
        with self._changing:
            self._served -= 1
            if not self._served and self._loop is not None:
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._loop = None

    def do(self, what: Coroutine[Any, Any, T]) -> T:
        """Does that in the thread, while somebody is served there, and returns what it returns."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(STOP_S)

    def soon(self, call: Callable[[], None]) -> None:
        """Calls that in the thread; does not wait for it."""
        with suppress(AttributeError, RuntimeError):  # nobody is served (any more)
            self._loop.call_soon_threadsafe(call)  # type: ignore[union-attr]

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.run_forever()
        loop.close()


async def _begun(life: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
    return asyncio.create_task(life)


async def _ended(task: "asyncio.Task[None]") -> None:
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=WRITE_S)


PORTS = Ports()


class PortWork(Attempts):
    """Work in the thread of the ports, begun anew after every failure."""

    ports = PORTS

    def __init__(self, retry_s: tuple[float, float]) -> None:
        super().__init__(retry_s)
        self._begun: Future[asyncio.Task[None]] | None = None

    @abstractmethod
    async def work(self) -> None:
        """Open the device and read until cancelled. Raises as that of :class:`.Worker`."""

    def start(self) -> None:
        self._begun = self.ports.begin(self._live())

    def stop(self) -> None:
        if self._begun is not None:
            try:
                self.ports.end(self._begun)
            except TimeoutError:
                log.warning("%s: still waits for the device; left to itself", self.name)
            self._begun = None

    async def _live(self) -> None:
        while True:
            with self.attempt():
                await self.work()
            await asyncio.sleep(self.delay_s)


def reason(error: Exception) -> str:
    """What the system says; pyserial wraps it in so many words."""
    number = getattr(error, "errno", None)
    return os.strerror(number) if number else str(error)
