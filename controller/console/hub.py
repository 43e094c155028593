"""What is shown at present, and since when: the state behind a page, handed over as far as a reader lacks it.

Each part of each board has the number of its last change. A reader who has everything up to some number is given the
parts changed since, each as it stands now: so who was away for a while catches up by the same means as who reads along,
and nobody who is slow makes anything wait.
"""

import asyncio
import contextlib
import secrets
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from itertools import takewhile

import msgspec
from msgspec import Struct

GROUP = 8  #: readers woken at a time; between two groups the sensors have their turn
HEARTBEAT_S = 10.0  #: of silence, after which a word is sent: a reader who hears none knows that the network dropped

_encode = msgspec.json.Encoder().encode


class PageReader:
    """Somebody who reads what a page is sent, until :meth:`end`. ``good`` says whether he still may: it is asked before
    each event."""

    def __init__(self, good: Callable[[], bool] = lambda: True) -> None:
        self.good = good
        self.waiter: asyncio.Future[None] | None = None

    def end(self) -> None:
        """Ends his stream at once."""
        self.good = lambda: False
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)


class _Part(Struct, frozen=True):
    """What is shown, as JSON, and with which number first, and as it stands."""

    first: int
    changed: int
    body: bytes


class Hub:
    """The parts of all boards of one page, in one language."""

    def __init__(self) -> None:
        self.number = 0  #: of the last change
        self.readers = 0
        self._closed = False
        self._dropped = 0  # so often boards were
        self._epoch = secrets.token_hex(4)
        self._parts: dict[tuple[str, str], _Part] = {}  # what was changed last is last
        self._names: defaultdict[str, set[str]] = defaultdict(set)  # of the parts of each board
        self._waiting: list[asyncio.Future[None]] = []
        self._waker: asyncio.Task[None] | None = None
        self._made: tuple[tuple[int, int], bytes] = ((-1, -1), b"")  # the last patch, for most readers want the same

    def put(self, board: str, part: str, value: object) -> None:
        """Shows ``value``, which JSON can hold, as this part of a board."""
        body, before = _encode(value), self._parts.get((board, part))
        if before is None or before.body != body:
            self.number += 1
            self._parts.pop((board, part), None)
            first = self.number if before is None else before.first
            self._parts[board, part] = _Part(first, self.number, body)
            self._names[board].add(part)
            self._wake()

    def clear(self, board: str, parts: Collection[str]) -> None:
        """There is nothing in these parts of a board any more."""
        for part in parts:
            if (board, part) in self._parts:
                self.put(board, part, None)

    def keep(self, board: str, kind: str, names: Collection[str]) -> None:
        """Forgets the parts of a board that begin with ``kind``, but for these: no page asks for them any more."""
        for part in [part for part in self._names[board] if part.startswith(kind) and part not in names]:
            self._names[board].remove(part)
            del self._parts[board, part]

    def drop(self, boards: Collection[str]) -> None:
        """Forgets these boards; who reads along comes back at once, and is given all anew."""
        for board in boards:
            for part in self._names.pop(board, ()):
                del self._parts[board, part]
        self._epoch = secrets.token_hex(4)
        self.number += 1
        self._dropped += 1
        self._wake()

    @property
    def last(self) -> str:
        """The id of the last event: with it a reader is told only what comes after."""
        return f"{self._epoch}-{self.number}"

    def close(self) -> None:
        """Ends the streams of all readers."""
        self._closed = True
        self.number += 1
        self._wake()

    def since(self, number: int) -> bytes:
        """What has changed after ``number``: ``"boards": {"7": {"clock": …}}``."""
        if self._made[0] != (number, self.number):
            boards: dict[str, list[bytes]] = {}
            changed = takewhile(lambda each: each[1].changed > number, reversed(self._parts.items()))
            for (board, name), part in sorted(changed, key=lambda each: each[1].first):
                boards.setdefault(board, []).append(_encode(name) + b":" + part.body)
            said = b",".join(_encode(board) + b":{" + b",".join(parts) + b"}" for board, parts in boards.items())
            self._made = (number, self.number), b'"boards":{' + said + b"}"
        return self._made[1]

    async def events(self, last: str | None, reader: PageReader | None = None) -> AsyncIterator[bytes]:
        """Server-sent events to a reader who had ``last``, his Last-Event-ID, until he is gone or ended.

        The first tells what he lacks, even if that is nothing; where his id means nothing any more, it says ``all``.
        """
        reader = reader or PageReader()
        known, dropped = self._known(last), self._dropped
        number, event = self._event(known or 0, anew=known is None)
        self.readers += 1
        try:
            while not self._closed and self._dropped == dropped and reader.good():
                yield event
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(HEARTBEAT_S):
                        await self._more(number, reader)
                number, event = self._event(number)
        finally:
            self.readers -= 1

    def _event(self, number: int, *, anew: bool = False) -> tuple[int, bytes]:
        """What changed after ``number``, and up to where that is."""
        now = b'"now":%d' % (time.time_ns() // 1_000_000)
        head = b'"all":true,' + now if anew else now
        return self.number, b"id: %b-%d\ndata: {%b,%b}\n\n" % (
            self._epoch.encode(),
            self.number,
            head,
            self.since(number),
        )

    def _known(self, last: str | None) -> int | None:
        epoch, _, number = (last or "").partition("-")
        if epoch != self._epoch or not number.isascii() or not number.isdigit() or int(number) > self.number:
            return None
        return int(number)

    async def _more(self, number: int, reader: PageReader) -> None:
        while self.number <= number and reader.good():
            waiter = reader.waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            try:
                await waiter
            finally:
                if waiter in self._waiting:
                    self._waiting.remove(waiter)

    def _wake(self) -> None:
        if self._waiting and (self._waker is None or self._waker.done()):
            self._waker = asyncio.get_running_loop().create_task(self._wake_in_groups())

    async def _wake_in_groups(self) -> None:
        """A group at a time: a crowd must not keep the board waiting."""
        woken = -1
        while woken < self.number and self._waiting:
            woken = self.number
            waiting, self._waiting = self._waiting, []
            for first in range(0, len(waiting), GROUP):
                for waiter in waiting[first : first + GROUP]:
                    if not waiter.done():
                        waiter.set_result(None)
                await asyncio.sleep(0)
