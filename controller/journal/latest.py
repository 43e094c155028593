"""What the writer's thread tells everybody else: how far the journal has come, and its last rows.

Of many boards each has its own rows: who follows one is woken for these alone, and reads no others. Fifty boards that
each read what all fifty do would keep a machine busy with that.
"""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from controller.journal.record import Head, Record, decode_board

RECENT = 512  #: so many of the last rows are kept in memory, for those who keep up
RECENT_ON = 128  #: and so many of each board: of a quarter of a minute, however fast it is played


class _Board:
    """The last rows of one board. ``last``: its last row on the disk. Those after ``whole`` are all here."""

    def __init__(self, last: int, whole: int) -> None:
        self.last = last
        self._whole = whole
        self._recent: deque[Record] = deque()

    def commit(self, record: Record) -> None:
        self.last = record.seq
        self._recent.append(record)
        if len(self._recent) > RECENT_ON:
            self._whole = self._recent.popleft().seq

    def forget(self, seq: int) -> None:
        while self._recent and self._recent[0].seq <= seq:
            self._whole = self._recent.popleft().seq

    def after(self, seq: int, limit: int) -> list[Record] | None:
        if seq >= self.last:
            return []
        if seq < self._whole:
            return None
        return list(islice((record for record in self._recent if record.seq > seq), limit))


class Latest:
    """May be asked and told in any thread. ``cursors``: how far each outlet had come. ``boards``: of each the last game
    and its last row.
    """

    def __init__(
        self, head: Head, cursors: Mapping[str, int], origin: str, boards: Mapping[str, tuple[str, int]]
    ) -> None:
        self._recent: deque[Record] = deque(maxlen=RECENT)
        self._kept: list[Record] = []  # what the disk does not take at present, and may have to be numbered anew
        self._slowest_ns = 0  # so long has a row waited for the disk, since somebody asked
        self._cursors = dict(cursors)
        self._moved: dict[str, int] = {}  # cursors not yet written
        self._waiters: dict[asyncio.Future[None], tuple[asyncio.AbstractEventLoop, str | None]] = {}  # in order
        self._news: set[str] = set()  # the boards of which there are rows that nobody was woken for
        # Over all of these; taken twice where a waiter that nobody awaits any more is collected as garbage meanwhile.
        self._lock = threading.RLock()
        self._boards: dict[str, _Board] = {}
        self._games: dict[str, str] = {}  # where the last of each board is played
        self.begin_anew(head, origin, boards)

    # -- the writer tells ----------------------------------------------------------------------------------------

    def commit(self, records: Sequence[Record], waited_ns: int = 0) -> None:
        """These are safely on the disk, the first after so long; those who wait learn of it by :meth:`wake`."""
        with self._lock:
            self._slowest_ns = max(self._slowest_ns, waited_ns)
            self._recent.extend(records)
            for record in records:
                if (name := self._board_of(record)) is not None:
                    if record.kind == "game":  # on no board is another one written to from now on
                        self._games = {game: on for game, on in self._games.items() if on != name}
                        self._games[record.game] = name
                        self._boards.setdefault(name, _Board(0, 0))
                    self._boards[name].commit(record)
                    self._news.add(name)
            if records:
                self.head = Head(records[-1].seq, records[-1].hash)
            self._kept = [record for record in self._kept if record.seq > self.head.seq]

    def keep(self, records: Sequence[Record]) -> None:
        """All that the disk does not take at present; who asks for it is woken."""
        with self._lock:
            self._kept = list(records)
            self._news.update(name for record in records if (name := self._board_of(record)) is not None)
        self.wake()

    def begin_anew(self, head: Head, origin: str, boards: Mapping[str, tuple[str, int]]) -> None:
        """The journal goes on otherwise, after ``head``: in another file, or under another name after a leap of
        numbers. Of what was before nothing is kept here, for the rows here are counted by their numbers.
        """
        with self._lock:
            self.head = head  #: the last row that is safely on the disk
            self.origin = origin  #: by what the journal is known
            self._recent.clear()
            self._kept.clear()
            self._boards = {name: _Board(last, last) for name, (_, last) in boards.items()}
            self._games = {game: name for name, (game, _) in boards.items()}
            self._news.update(boards)

    def forget(self, seq: int) -> None:
        """Keeps none of the rows up to ``seq``; they are read from the disk, if they are there still."""
        with self._lock:
            while self._recent and self._recent[0].seq <= seq:
                self._recent.popleft()
            for board in self._boards.values():
                board.forget(seq)

    def wake(self) -> None:
        """Lets all look again who wait for more of a board of which there is more."""
        by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
        with self._lock:
            woken = [waiter for waiter, (_, name) in self._waiters.items() if name is None or name in self._news]
            for waiter in woken:
                loop, _ = self._waiters.pop(waiter)
                by_loop.setdefault(loop, []).append(waiter)
            self._news.clear()
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

    def after(self, seq: int, limit: int, board: str | None = None) -> list[Record] | None:
        """Up to ``limit`` rows that follow ``seq``, of all boards or of one; None where that is too long ago to be
        known here.
        """
        with self._lock:
            if board is not None:
                return self._boards[board].after(seq, limit) if board in self._boards else []
            known = seq + 1 - self._recent[0].seq if self._recent else -1
            return list(islice(self._recent, known, known + limit)) if known >= 0 else None

    def reached(self, board: str | None) -> int:
        """The last row, or that of ``board``, that is on the disk; 0 where there is none."""
        with self._lock:
            if board is None:
                return self.head.seq
            return self._boards[board].last if board in self._boards else 0

    def recent(self) -> list[Record]:
        """The last rows that are on the disk, as far as they are in memory."""
        with self._lock:
            return list(self._recent)

    def not_on_disk(self, seq: int, board: str | None = None) -> list[Record]:
        """The rows after ``seq``, of all boards or of one, that the disk does not take at present."""
        with self._lock:
            later = [record for record in self._kept if record.seq > seq]
            return later if board is None else [record for record in later if self._games.get(record.game) == board]

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

    async def wait(self, board: str | None, there: Callable[[], bool]) -> None:
        """Returns once ``there`` holds, asked whenever the writer has told something, or something of ``board``."""
        loop = asyncio.get_running_loop()
        while True:
            waiter = loop.create_future()
            with self._lock:
                if there():
                    return
                self._waiters[waiter] = loop, board
            try:
                await waiter
            finally:
                with self._lock:
                    self._waiters.pop(waiter, None)

    # -- inside --------------------------------------------------------------------------------------------------

    def _board_of(self, record: Record) -> str | None:
        """Where it was played; None of a game that is none of those in progress."""
        if record.kind == "game":
            self._games[record.game] = decode_board(record.body).board
        return self._games.get(record.game)


def _release(waiters: "Sequence[asyncio.Future[None]]") -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)
