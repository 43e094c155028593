"""A board on a port: opened, greeted, listened to, asked when it is quiet, and opened anew after every failure.

A board file brings the codec and what its messages mean; the talk, the silence and the lamps are here. A board that
shows nothing for ``silence_s`` is a fault at once. The port stays open for a while then, for some boards take longer to
start than a person should wait for a word; plugging the cable in again is enough in every case.
"""

import asyncio
import logging
import math
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, suppress
from typing import ClassVar, Generic

from controller.errors import DeviceError
from hardware.boards.codec import Codec, M, ProtocolError
from hardware.boards.picture import Picture
from hardware.boards.ports import PortLine, PortWork, in_use, open_serial
from hardware.boards.readings import Emit, FromDevice, LeverPress, Look, Remark
from hardware.boards.worker import RETRY_S, ReportingDevice

log = logging.getLogger(__name__)

REPAIR_S = 0.25  #: between two questions about what was damaged on the way
TELL_S = 10.0  #: so often at most the log tells of bytes that make no sense
ANSWER_S = 0.5  #: a question for the whole board that was not answered for so long is asked again
PATIENCE = 3  #: a silent port is opened anew after so many times the silence that is a fault


class Damage:
    """What made no sense, for the log: noise comes by the hundred, and would leave room for nothing else in it."""

    def __init__(self) -> None:
        self._told = -TELL_S
        self._untold = 0

    def tell(self, now: float, message: ProtocolError) -> str | None:
        """What is to be said of it at ``now``, in seconds: nothing so soon after the last."""
        if now - self._told < TELL_S:
            self._untold += 1
            return None
        before, self._told, self._untold = self._untold, now, 0
        return f"{message}; {before} more since the last was told" if before else str(message)


class PortBoard(ReportingDevice, PortWork, Generic[M]):
    """The driver of a board on ``port``. What was last seen is kept while the port is away."""

    kind: ClassVar[str]  #: ``DGT board``, for messages
    baud: ClassVar[int]
    greeting: bytes = b""  #: asks for the whole board, and for reports from then on
    again: bytes = b""  #: the same for a board that may be answering just now, where the greeting would interrupt it
    query: bytes = b""  #: what a board answers that is there
    repair: bytes = b""  #: asks for the whole board; empty of one that tells it again and again by itself
    #: so many pictures may be on their way already when the board is asked: 0 if it sends them only when it is asked,
    #: 1 if it also sends them by itself, so that the first one after the question may be older
    stale: int = 1
    lag_ms: float = 0.0  #: so old may be what a picture shows: some boards answer from a memory that their scan fills
    farewell: bytes = b""

    def __init__(
        self,
        name: str,
        port: str,
        silence_s: float,
        codec: Callable[[], Codec[M]],
        picture: Picture[M],
        emit: Emit,
        retry_s: tuple[float, float] = RETRY_S,
    ) -> None:
        ReportingDevice.__init__(self, f"{name} {port}", emit)
        PortWork.__init__(self, retry_s)
        self._port = port
        self._silence_s = silence_s
        self._codec = codec
        self._picture = picture
        self.placement = picture.placement
        self._line: PortLine | None = None  # while it is open
        self._wait_s = 0.0  # so long nothing more is taken from it
        self._due_s = math.inf  # when :meth:`commands` has more, if nothing comes before
        self._shown = False  # the whole board, since the port was opened or the board fell silent
        self._held: list[LeverPress] = []  # until the board has shown itself
        self._since_ns = 0  # when it last had not shown itself yet
        self._looks_wanted: deque[int] = deque()  # looks at the whole board, each from then on
        self._look_from_ns: int | None = None  # from when the one that was asked for is; None: none is awaited
        self._look_said_ns = 0  # when it was asked for last
        self._look_awaited = 0  # so many pictures more, of which the last is the answer

    @property
    def _lag_ns(self) -> int:
        return round(self.lag_ms * 1e6)

    def ask(self) -> None:
        self._looks_wanted.append(time.monotonic_ns())
        self.wake()

    def wake(self) -> None:
        """There is something to be sent."""
        self.ports.soon(self._wake)

    def emit(self, item: FromDevice) -> float:
        """Tells it; before more is read it is waited for as long as is wished."""
        self._wait_s += super().emit(item)
        return 0.0

    def doubts(self, message: M) -> bool:  # noqa: ARG002
        """Whether a message that can be one is so unlikely that it counts as damaged."""
        return False

    def note(self, message: M) -> None:
        """A message that may concern more than the board's picture."""

    def awaits(self, message: M) -> DeviceError | None:  # noqa: ARG002
        """What people must do before the board can show itself, seen from this message."""
        return None

    def commands(self, now: float) -> Iterator[bytes]:  # noqa: ARG002
        """What else is to be sent at this moment, in seconds of :func:`time.monotonic`. Where more will be at another,
        it sets :attr:`_due_s`."""
        yield from ()

    def open_line(self) -> PortLine:
        """May wait for the device. Raises :exc:`DeviceError` if it cannot be had."""
        return open_serial(self._port, self.baud)

    def opened(self) -> AbstractAsyncContextManager[PortLine]:
        """The line, closed at the end. Raises :exc:`DeviceError` where it cannot be had, or goes away meanwhile."""
        return in_use(self.open_line, self.kind, self._port)

    async def work(self) -> None:
        async with self.opened() as line:
            self._line = line
            try:
                await self._converse(line)
            except asyncio.CancelledError:
                with suppress(OSError):  # it went away just now
                    line.write(self.farewell)
                raise
            finally:
                self._line = None

    async def _converse(self, line: PortLine) -> None:
        codec, self._shown = self._codec(), False
        self._since_ns, self._look_from_ns = time.monotonic_ns(), None
        heard = asked = time.monotonic()
        damaged, repaired, damage = False, 0.0, Damage()
        noise = 0  # bytes since the board last made sense
        line.write(self.greeting)
        while True:
            if wait_s := self._wait_s:
                self._wait_s = 0.0
                await asyncio.sleep(wait_s)
            due_s = max(heard, asked) + self._silence_s / 2
            if damaged and self._shown:
                due_s = min(due_s, repaired + REPAIR_S)
            data = await line.read(min(due_s, self._look_due_s, self._due_s))
            ns = time.monotonic_ns()
            now = ns / 1e9
            noise += len(data)
            for message in codec.feed(data):
                if isinstance(message, ProtocolError):
                    if (words := damage.tell(now, message)) is not None:
                        log.log(logging.WARNING if self._shown else logging.INFO, "%s: %s", self.name, words)
                    damaged = True
                    continue
                if self._shown and self.doubts(message):
                    damaged = True
                    continue
                self._show(ns, message)
                if (awaited := self.awaits(message)) is not None:
                    self._hide(ns)
                    self.report(awaited)
                if self._shown or awaited is not None:
                    heard, noise, self.alive_ns = now, 0, ns
            if now - heard > self._silence_s:
                self._hide(ns)
                self.report(self._silent(noise))
                if now - heard > PATIENCE * self._silence_s:
                    raise self._silent(noise)
            if now - max(heard, asked) > self._silence_s / 2:
                line.write(self.query if self._shown else self.again or self.greeting)
                asked = now
            if damaged and self._shown and now - repaired > REPAIR_S:
                self._looks_wanted.appendleft(ns - self._lag_ns)
                damaged, repaired = False, now
            self._ask_for_the_whole(line)
            self._due_s = math.inf
            for command in self.commands(now):
                line.write(command)

    def _wake(self) -> None:
        if self._line is not None:
            self._line.wake()

    @property
    def _look_due_s(self) -> float:
        """When the whole board is to be asked for, in seconds."""
        if self._look_from_ns is not None:
            return self._look_said_ns / 1e9 + ANSWER_S
        return (self._looks_wanted[0] + self._lag_ns) / 1e9 if self._shown and self._looks_wanted else math.inf

    def _ask_for_the_whole(self, line: PortLine) -> None:
        """Asks, if that is wanted: all that had come was read by now, so what comes next is the answer, but for
        :attr:`stale` pictures. A board that answers from its memory is asked once that can be as old as wanted."""
        if not self._shown:
            return
        ns = time.monotonic_ns()
        known_ns = ns - self._lag_ns
        if self._look_from_ns is None and self._looks_wanted and self._looks_wanted[0] <= known_ns:
            while self._looks_wanted and self._looks_wanted[0] <= known_ns:
                self._looks_wanted.popleft()
            self._look_from_ns = known_ns
            self._look_said_ns, self._look_awaited = 0, 1 + self.stale
        if self._look_from_ns is not None and ns - self._look_said_ns > ANSWER_S * 1e9:
            line.write(self.repair)
            self._look_said_ns = ns

    def _look(self, ns: int) -> None:
        """The whole board was told at ``ns``: if that answers the question, all know that it was looked at."""
        if self._look_from_ns is None:
            return
        self._look_awaited, self._look_said_ns = self._look_awaited - 1, 0
        if self._look_awaited <= 0:
            self.looked, self._look_from_ns = Look(self._look_from_ns, ns), None
            self.emit(self.looked)

    def _show(self, ns: int, message: M) -> None:
        self.note(message)
        items = self._picture.take(ns, message)
        if self._shown:
            for item in items:
                self.emit(item)
            if self._picture.shows_all(message):
                self._look(ns)
            return
        for item in items:
            if isinstance(item, Remark):
                self.emit(item)
            elif isinstance(item, LeverPress):
                self._held.append(item)  # it comes after what stands on the board
        if self._picture.shows_all(message):
            self._shown = True
            self.ready()
            for item in (*self._picture.whole(ns), *self._held):
                self.emit(item)
            self._held.clear()
            self.looked = Look(self._since_ns - self._lag_ns, ns)
            self.emit(self.looked)

    def _hide(self, ns: int) -> None:
        """What the board showed is not to be relied on, until it shows all of itself anew."""
        if self._shown:
            self._shown, self._since_ns, self._look_from_ns = False, ns, None

    def _silent(self, noise: int) -> DeviceError:
        if noise:
            return DeviceError(
                f"what comes from {self._port} is not the language of a {self.kind}",
                "another device on that port, another kind of board, or a bad cable",
                "check type and port in [board]; unplug the board and plug it in again",
            )
        return DeviceError(
            f"no {self.kind} answers on {self._port}",
            "another device on that port, a board that sleeps or is switched off, or one that hangs",
            "switch the board on; check the port in [board]; unplug the board and plug it in again",
        )


class LitBoard(PortBoard[M]):
    """A board with lamps: a :class:`hardware.lamps.Lamps` too."""

    lamp_gap_s: ClassVar[float]  #: what the board needs between two commands to its lamps

    _wanted = 0  # the mask as White sees the board
    _sent: bytes | None = None  # since the port was opened
    _sent_at = 0.0

    @abstractmethod
    def lamp_command(self, mask: int) -> bytes:
        """What lights the squares of ``mask``, as White sees the board, and darkens all others."""

    def light(self, mask: int) -> None:
        self._wanted = mask
        self.wake()

    def commands(self, now: float) -> Iterator[bytes]:
        yield from super().commands(now)
        if not self._shown:
            self._sent = None  # it may have lost its power
        elif (command := self.lamp_command(self._wanted)) == self._sent:
            return
        elif (due_s := self._sent_at + self.lamp_gap_s) > now:
            self._due_s = due_s
        else:
            self._sent, self._sent_at = command, now
            yield command

    async def work(self) -> None:
        self._sent = None
        await super().work()
