"""What the writer's thread tells everybody else: how far the journal has come, and its last rows."""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from controller.journal.record import Head, Record

RECENT = 512  #: so many of the last rows are kept in memory, for those who keep up


class Latest:
    """May be asked and told in any thread. ``cursors``: how far each outlet had come."""

    def __init__(self, head: Head, cursors: Mapping[str, int], origin: str) -> None:
        self.head = head  #: the last row that is safely on the disk
        self.origin = origin  #: by what the journal is known
        self._recent: deque[Record] = deque(maxlen=RECENT)
        self._kept: list[Record] = []  # what the disk does not take at present, and may have to be numbered anew
        self._slowest_ns = 0  # so long has a row waited for the disk, since somebody asked
        self._cursors = dict(cursors)
        self._moved: dict[str, int] = {}  # cursors not yet written
        self._waiters: dict[asyncio.Future[None], asyncio.AbstractEventLoop] = {}  # who came first is woken first
        # Over all of these; taken twice where a waiter that nobody awaits any more is collected as garbage meanwhile.
        self._lock = threading.RLock()

    # -- the writer tells ----------------------------------------------------------------------------------------

    def commit(self, records: Sequence[Record], waited_ns: int = 0) -> None:
        """These are safely on the disk, the first after so long; those who wait learn of it by :meth:`wake`."""
        with self._lock:
            self._slowest_ns = max(self._slowest_ns, waited_ns)
            self._recent.extend(records)
            if records:
                self.head = Head(records[-1].seq, records[-1].hash)
            self._kept = [record for record in self._kept if record.seq > self.head.seq]

    def keep(self, records: Sequence[Record]) -> None:
        """All that the disk does not take at present; who asks for it is woken."""
        with self._lock:
            self._kept = list(records)
        self.wake()

    def begin_anew(self, head: Head, origin: str) -> None:
        """The journal goes on otherwise, after ``head``: in another file, or under another name after a leap of
        numbers. Of what was before nothing is kept here, for the rows here are counted by their numbers.
        """
        with self._lock:
            self.head = head
            self.origin = origin
            self._recent.clear()
            self._kept.clear()

    def forget(self, seq: int) -> None:
        """Keeps none of the rows up to ``seq``; they are read from the disk, if they are there still."""
        with self._lock:
            while self._recent and self._recent[0].seq <= seq:
                self._recent.popleft()

    def wake(self) -> None:
        """Lets all look again who wait for more."""
        by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
        with self._lock:
            waiters, self._waiters = self._waiters, {}
        for future, loop in waiters.items():
            by_loop.setdefault(loop, []).append(future)
        for loop, futures in by_loop.items():  # a loop is called once: each call is a write to its pipe
            with contextlib.suppress(RuntimeError):  # that loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_release, futures)

    def take_moved(self) -> dict[str, int]:
        """The cursors that are to be written; by :meth:`give_back` they are so still."""
        with self._lock:
            moved, self._moved = self._moved, {}
        return moved

    def give_back(self, moved: Mapping[str, int]) -> None:
        """These could not be written."""
        with self._lock:
            self._moved = {**moved, **self._moved}

    # -- anybody asks --------------------------------------------------------------------------------------------

    def after(self, seq: int, limit: int) -> list[Record] | None:
        """Up to ``limit`` rows that follow ``seq``; None where that is too long ago to be known here."""
        with self._lock:
            known = seq + 1 - self._recent[0].seq if self._recent else -1
            return list(islice(self._recent, known, known + limit)) if known >= 0 else None

    def recent(self) -> list[Record]:
        """The last rows that are on the disk, as far as they are in memory."""
        with self._lock:
            return list(self._recent)

    def kept(self, seq: int) -> list[Record]:
        """The rows after ``seq`` that the disk does not take at present."""
        with self._lock:
            return [record for record in self._kept if record.seq > seq]

    def take_slowest_ns(self) -> int:
        """For how long a row that is on the disk now waited for it, at most since this was asked last."""
        with self._lock:
            slowest, self._slowest_ns = self._slowest_ns, 0
        return slowest

    def cursor(self, outlet: str) -> int:
        """The last row that ``outlet`` is known to have sent; 0 for an outlet never seen."""
        with self._lock:
            return self._cursors.get(outlet, 0)

    def move_cursor(self, outlet: str, seq: int) -> None:
        """``outlet`` has sent everything up to ``seq``."""
        with self._lock:
            self._cursors[outlet] = self._moved[outlet] = seq

    async def wait(self, there: Callable[[], bool]) -> None:
        """Returns once ``there`` holds, which is asked whenever the writer has told something."""
        loop = asyncio.get_running_loop()
        while True:
            waiter = loop.create_future()
            with self._lock:
                if there():
                    return
                self._waiters[waiter] = loop
            try:
                await waiter
            finally:
                with self._lock:
                    self._waiters.pop(waiter, None)


def _release(waiters: "Sequence[asyncio.Future[None]]") -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)
