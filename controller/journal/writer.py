"""The thread that writes: what is queued meanwhile shares one commit, and what the disk does not take is kept.

Whatever the disk says, nothing that was handed over is dropped and nothing changes places. A full, read-only or failing
disk is asked again each second. A journal that turns out to be damaged is set aside, and what can be read of it is
restored.
"""

import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from controller.errors import JournalError
from controller.journal import rescue, store
from controller.journal.hold import FilesOpen, Hold, MovedError
from controller.journal.latest import Latest
from controller.journal.reading import Reader
from controller.journal.record import Head, Record, RecordDraft, chain
from controller.journal.spill import Spill
from controller.journal.witness import Noted, Witness

log = logging.getLogger(__name__)

RETRY_S = 1.0  #: between attempts to write when the disk is full or busy
AT_ONCE = 1000  #: so many rows at least share a commit, if there are so many
FOLD_ROWS = 500  #: after so many rows the write-ahead log is folded into the database
SYNC_S = 0.2  #: after so long without anything to write the witness is synced
LOOK_S = 1.0  #: so often it is looked whether the files are where they were, where nothing is written

Submitted = tuple[Sequence[RecordDraft], "Future[int]"]
Waiting = tuple[list[Record], "Future[int]"]


class BesideFile(NamedTuple):
    """What stands beside the file, and helps where it fails."""

    hold: Hold
    witness: Witness
    spill: Spill


class Disowned(NamedTuple):
    """The journal is to get another name."""

    why: str
    told: int
    future: "Future[int]"


class Writer:
    """Writes to ``path`` what follows from ``end``, and tells ``latest``.

    ``on_trouble``: why nothing can be written, or None: it can again. ``on_restored``: the file is another one from now
    on. Both are called in the writer's thread.
    """

    def __init__(
        self,
        path: Path,
        latest: Latest,
        end: Head,
        beside: BesideFile,
        on_trouble: Callable[[JournalError | None], None],
        on_restored: Callable[[rescue.RescuedJournal], None],
    ) -> None:
        self._path = path
        self._latest = latest
        self._hold, self._witness, self._spill = beside
        self._place = FilesOpen(path)
        self._on_trouble = on_trouble
        self._on_restored = on_restored
        self._last = end  # the last row that has got a number
        self._trouble = ""
        self._waiting_since_ns = 0  # of time.monotonic_ns: since when the oldest row waits for the disk; 0: none does
        self._queue: queue.SimpleQueue[Submitted | Disowned | None] = queue.SimpleQueue()
        self._disowned: Disowned | None = None  # is done once all is written that came before
        self._waiting: deque[Waiting] = deque()
        self._closing = threading.Event()
        self._unfolded = 0  # rows that stand in the write-ahead log alone
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def submit(self, drafts: Sequence[RecordDraft]) -> "Future[int]":
        """Takes rows that belong together. The future holds the number of the last once they are on the disk; or a
        :exc:`JournalError` where the journal was closed before that.
        """
        future: Future[int] = Future()
        future.set_running_or_notify_cancel()  # what was handed over is written, even if nobody waits for it any more
        if self._closing.is_set():
            future.set_exception(JournalError(f"{self._path} is closed"))
        else:
            self._queue.put((drafts, future))
        return future

    def disown(self, why: str, told: int) -> "Future[int]":
        """As :meth:`.Journal.disown`."""
        future: Future[int] = Future()
        self._queue.put(Disowned(why, told, future))
        return future

    @property
    def waited_ns(self) -> int:
        """For how long the oldest row has waited for a disk that is slow; one that takes nothing is trouble."""
        since = self._waiting_since_ns
        return time.monotonic_ns() - since if since and not self._trouble else 0

    def close(self) -> None:
        """Writes what is queued, and the cursors. What the disk does not take even now stays in the spill."""
        self._closing.set()
        self._queue.put(None)
        self._thread.join()

    # -- the thread ----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        connection = None
        with contextlib.suppress(sqlite3.Error, JournalError, OSError):  # the first commit will say what is wrong
            connection = self._connect()
        last = False
        while not last or self._waiting:
            last = self._take() or last
            work = self._next()
            try:
                connection = connection or self._connect()
                if work or last:
                    self._commit(connection, [record for records, _ in work for record in records])
                elif self._disowned is not None:
                    self._part(connection, self._disowned)
                else:
                    self._look()
            except (*store.ERRORS, JournalError, OSError) as error:
                connection = self._survive(connection, error)
                kept = [record for records, _ in self._waiting for record in records]
                self._spill.keep(kept)
                self._latest.keep(kept)
                self._witness.note(self._latest.head, kept[-1].seq if kept else 0)
                if last:
                    break
                self._closing.wait(RETRY_S)
                continue
            self._tell(None)
            if work:
                self._latest.wake()
            for records, future in work:
                self._waiting.popleft()
                future.set_result(records[-1].seq)
            if not self._waiting:
                self._spill.clear()
            self._fold(connection)
        self._give_up()
        if connection is not None:
            connection.close()
        self._witness.look()
        self._witness.close()

    def _take(self) -> bool:
        """Takes all that is queued; waits for it for a while where nothing else is to be written. Whether it was the
        last.
        """
        while True:
            idle = not self._waiting and self._disowned is None
            try:
                submitted = self._queue.get(block=idle, timeout=SYNC_S if self._witness.unsynced else LOOK_S)
            except queue.Empty:
                return False
            if submitted is None:
                return True
            if isinstance(submitted, Disowned):
                self._disowned = submitted
                continue
            self._waiting.append((self._number(submitted[0]), submitted[1]))
            self._waiting_since_ns = self._waiting_since_ns or time.monotonic_ns()

    def _number(self, drafts: Sequence[RecordDraft]) -> list[Record]:
        records = []
        seq, digest = self._last.seq, self._last.hash
        for draft in drafts:
            seq += 1
            digest = chain(digest, seq, draft)
            records.append(Record(seq, *draft, digest))
        self._last = Head(seq, digest)
        return records

    def _next(self) -> list[Waiting]:
        """What shares the next commit."""
        rows = 0
        for number, (records, _) in enumerate(self._waiting):
            if rows >= AT_ONCE:
                return list(islice(self._waiting, number))
            rows += len(records)
        return list(self._waiting)

    def _commit(self, connection: sqlite3.Connection, records: Sequence[Record]) -> None:
        if self._trouble:  # it may have been written already where nobody finds it
            self._place.check()
        moved = self._latest.take_moved()
        try:
            store.insert(connection, records, moved)
        except sqlite3.Error:
            self._latest.give_back(moved)
            raise
        self._place.check()  # once more: who looks at the path must find what is told now
        if records:
            self._witness.note(Head(records[-1].seq, records[-1].hash))
        waited_ns, self._waiting_since_ns = self.waited_ns, 0
        self._latest.commit(records, waited_ns)
        self._unfolded += len(records)

    def _look(self) -> None:
        """While nothing is written. Raises :exc:`MovedError` where the file is not where it was."""
        self._place.check()
        self._hold.take()
        self._witness.look()

    def _part(self, connection: sqlite3.Connection, disowned: Disowned) -> None:
        end = Head(self._last.seq, self._latest.head.hash)
        with connection:
            store.part(connection, end, f"{datetime.now():%Y-%m-%d %H:%M:%S}: it {disowned.why}")
        self._disowned = None
        reader = Reader(connection, self._path)
        self._last = reader.end()
        self._latest.begin_anew(self._latest.head, reader.origin(), reader.boards())
        lost = ((end.seq + 1, disowned.told),) if disowned.told > end.seq else ()
        self._on_restored(rescue.RescuedJournal(self._path, None, reader.count(), lost, why=disowned.why))
        self._latest.wake()
        disowned.future.set_result(self._last.seq)

    def _fold(self, connection: sqlite3.Connection) -> None:
        """Keeps the write-ahead log short, once those who wait for the commit have been woken."""
        if self._unfolded >= FOLD_ROWS:
            self._unfolded = 0
            with contextlib.suppress(sqlite3.Error):  # the next commit will say what is wrong
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    # -- when the disk does not take it --------------------------------------------------------------------------

    def _survive(self, connection: sqlite3.Connection | None, error: Exception) -> sqlite3.Connection | None:
        """Says what is wrong; the connection for the next attempt, to a restored journal where this one is damaged, or
        is not at its place any more.
        """
        if isinstance(error, MovedError) or (isinstance(error, store.ERRORS) and store.is_damage(error)):
            return self._renew(connection, error)
        if isinstance(error, store.RULES):
            cause = "another program wrote to it, or a defect; the game goes on and is kept in memory meanwhile"
            remedy = f"look who has it open, and let jadoube alone write to it: fuser -v {self._path}"
        elif isinstance(error, JournalError):
            cause, remedy = error.cause, error.next_step
        else:
            cause = "the disk is full, read-only or failing; the game goes on and is kept in memory meanwhile"
            remedy = f"make room, and leave the machine on until this is over: df -h {self._path.parent}; dmesg | tail"
        self._tell(JournalError(f"{self._path} cannot be written: {error}", cause, remedy))
        return connection

    def _renew(self, connection: sqlite3.Connection | None, error: Exception) -> sqlite3.Connection | None:
        """Writes a new file at the path, with all that the one before held: read through the connection that is still
        open, where that file was moved away; page by page, where it is damaged; the last records from memory.
        """
        moved = isinstance(error, MovedError)
        head = self._latest.head
        try:
            self._hold.take()
            why = f"was not where it was: {error}" if moved else "was damaged"
            at_work = connection or sqlite3.connect(":memory:")
            noted = Noted(head.seq, head.hash)
            restored = rescue.set_aside(self._path, why, noted, self._latest.recent(), at_work, moved=moved)
            renewed = self._connect()
            self._on_restored(restored)
            self._begin_anew(renewed)
        except (OSError, *store.ERRORS, JournalError) as hopeless:
            self._tell(store.damaged(self._path, f"{error}; it cannot be restored: {hopeless}"))
            return connection
        if connection is not None:
            connection.close()
        return renewed

    def _connect(self) -> sqlite3.Connection:
        self._hold.take_file()
        connection = store.connect(self._path)
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # it would delay the commit that it falls upon
        store.make_room(connection, self._path)
        self._place = FilesOpen(self._path)
        return connection

    def _begin_anew(self, connection: sqlite3.Connection) -> None:
        """Gives what waits the numbers that follow in another file."""
        reader = Reader(connection, self._path)
        self._last = reader.end()
        head = reader.head()
        self._latest.begin_anew(head, reader.origin(), reader.boards())
        self._witness.begin(head)
        self._spill.clear()
        self._waiting = deque((self._number([r.draft for r in records]), future) for records, future in self._waiting)

    def _tell(self, trouble: JournalError | None) -> None:
        what = trouble.what if trouble else ""
        if what != self._trouble:
            self._trouble = what
            self._on_trouble(trouble)

    def _give_up(self) -> None:
        if self._waiting:
            rows = sum(len(records) for records, _ in self._waiting)
            if self._spill.failed:
                log.error("%s: the last %d records were kept in memory to the end, and are lost", self._path, rows)
            else:
                log.error("%s: the last %d records are not in it yet, but in %s", self._path, rows, self._spill.file)
                log.error("make room, and start jadoube again before the machine is switched off, or you log out")
        if self._disowned is not None:
            self._disowned.future.cancel()
        for _, future in self._waiting:
            future.set_exception(JournalError(f"{self._path} was closed before it could be written again"))
