"""The journal: every game's inputs and events in SQLite, append-only, each row hashed together with the one before.

It is at once the memory of the daemon (recovery is replay), the outbox of every outlet (one cursor each), and the
evidence of an arbiter. WAL with ``synchronous=FULL``: with NORMAL, simulated power cuts lost acknowledged rows in
half of the states tried, with FULL in none. One thread writes; what is queued meanwhile shares one commit.
The tables stand in ``schema/NNN.sql``; a journal of an older schema is brought up to date when it is opened.
"""

import asyncio
import contextlib
import fcntl
import hashlib
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import IO, Literal

import msgspec
from msgspec import Struct

from controller.contract import AnyEvent, AnyInput, BoardId, Session, encode
from controller.errors import JournalError

RETRY_S = 1.0  #: between attempts to write when the disk is full or busy
FOLD_ROWS = 500  #: after so many rows the write-ahead log is folded into the database
RECENT = 512  #: so many of the last rows are kept in memory, for those who keep up
ROOM = 2**21  #: bytes of write-ahead log that are made beforehand
MAGIC = b"SQLite format 3\0"
GENESIS = bytes(32)  #: the hash before the first row


class Opening(Struct, frozen=True, kw_only=True):
    """What a game is: the first record of each."""

    game: str  #: unique among all games of all boards
    venue: str
    board: str  #: the board's number in the hall; of a match those of A and B, ``1+2``
    started: str  #: date and time in ISO 8601, with the offset of the place
    tags: dict[str, str] = {}  #: PGN tags
    session: Session

    def number(self, seat: BoardId | None) -> str:
        """The number in the hall of a board of the match; without a match that of the board."""
        return self.board if seat is None else self.board.split("+")["AB".index(seat)]


class Record(Struct, frozen=True):
    """One row. ``body`` is JSON: an :class:`Opening`, an input, or an event."""

    seq: int
    game: str
    kind: Literal["game", "input", "event"]
    body: bytes
    hash: bytes


class Head(Struct, frozen=True):
    """The last row: its number, and the hash that vouches for all rows up to it."""

    seq: int
    hash: bytes


Draft = tuple[str, Literal["game", "input", "event"], bytes]
Batch = tuple[Sequence[Draft], "Future[int]"]

_opening = msgspec.json.Decoder(Opening)


class Journal:
    """An open journal. Reading is for the thread that opened it; :meth:`append` may be called anywhere.

    Raises :exc:`JournalError` where ``path`` cannot be opened, is in use by another daemon, is damaged, or was
    written by a later version. A journal that cannot be read is never written to.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: JournalError | None = None  #: why nothing can be written at present
        self.on_trouble: Callable[[JournalError | None], None] = lambda _: None  #: called in the writer's thread
        self._lock_file = _hold(path)
        self._closing = threading.Event()
        self._moved: dict[str, int] = {}  # cursors not yet written
        self._queue: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._waiters: dict[asyncio.Future[None], asyncio.AbstractEventLoop] = {}  # who came first is woken first
        self._recent: deque[Record] = deque(maxlen=RECENT)
        # Over the waiters, the cursors, the head and what is recent; taken twice where a waiter that nobody awaits any
        # more is collected as garbage in the midst of it.
        self._lock = threading.RLock()
        self._unfolded = 0  # rows that stand in the write-ahead log alone
        try:
            _refuse_foreign(path)
            self._reader = _connect(path)
            _migrate(self._reader, path)
            self._cursors: dict[str, int] = dict(self._reader.execute("SELECT outlet, seq FROM cursor"))
            self.head = self._read_head()
            last = self._reader.execute("SELECT max(seq) FROM record WHERE kind = 'game'").fetchone()[0]
            self.verify(since=last or 1)
        except (sqlite3.Error, JournalError) as error:
            self._lock_file.close()
            if isinstance(error, sqlite3.OperationalError):
                raise unopened(path, str(error)) from error
            raise damaged(path, str(error)) if isinstance(error, sqlite3.Error) else error from None
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    # -- writing -------------------------------------------------------------------------------------------------

    def begin(self, opening: Opening) -> "Future[int]":
        """Opens a game. The result, once it is safely on the disk, is the record's number."""
        return self._submit([(opening.game, "game", encode(opening))])

    def append(self, game: str, item: AnyInput, events: Iterable[AnyEvent]) -> "Future[int]":
        """Adds an input and what it led to, together or not at all.

        The result, once they are safely on the disk, is the number of the last; it may be a :exc:`JournalError`
        where the journal is closed or damaged. A full disk delays it.
        """
        drafts: list[Draft] = [(game, "input", encode(item))]
        drafts += [(game, "event", encode(event)) for event in events]
        return self._submit(drafts)

    def move_cursor(self, outlet: str, seq: int) -> None:
        """Notes that ``outlet`` has sent everything up to ``seq``; written with the next commit or at the close."""
        with self._lock:
            self._cursors[outlet] = self._moved[outlet] = seq

    def close(self) -> None:
        """Writes what is queued, then the cursors. What a full disk still keeps out is given up."""
        self._closing.set()
        self._queue.put(None)
        self._writer.join()
        self._reader.close()
        self._lock_file.close()

    # -- reading -------------------------------------------------------------------------------------------------

    def cursor(self, outlet: str) -> int:
        """The last record that ``outlet`` is known to have sent; 0 for an outlet never seen."""
        with self._lock:
            return self._cursors.get(outlet, 0)

    def after(self, seq: int, limit: int = 256) -> list[Record]:
        """Up to ``limit`` records that follow ``seq``, in order; those who keep up are spared the disk."""
        with self._lock:
            known = seq + 1 - self._recent[0].seq if self._recent else -1
            if known >= 0:
                return list(islice(self._recent, known, known + limit))
        return list(self._records("WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit))

    def game(self, game: str) -> Iterator[Record]:
        """All records of one game, in order."""
        return self._records("WHERE game = ? ORDER BY seq", game)

    def opening(self, game: str) -> Opening:
        """What ``game`` is. Raises :exc:`JournalError` when there is no such game."""
        for record in self._records("WHERE game = ? AND kind = 'game'", game):
            return _opening.decode(record.body)
        raise JournalError(f"there is no game {game} in {self.path}")

    def last_game(self, board: str) -> Opening | None:
        """The game begun last on ``board``; None where there was none."""
        for record in self._records("WHERE kind = 'game' ORDER BY seq DESC"):
            opening = _opening.decode(record.body)
            if opening.board == board:
                return opening
        return None

    async def wait(self, seq: int) -> None:
        """Returns once there is a record after ``seq``."""
        while True:
            loop = asyncio.get_running_loop()
            waiter = loop.create_future()
            with self._lock:
                if self.head.seq > seq:
                    return
                self._waiters[waiter] = loop
            try:
                await waiter
            finally:
                with self._lock:
                    self._waiters.pop(waiter, None)

    def verify(self, since: int = 1) -> None:
        """Recomputes the hashes from record ``since`` on. Raises :exc:`JournalError` where a row was tampered with."""
        before = self._reader.execute("SELECT hash FROM record WHERE seq = ?", (since - 1,)).fetchone()
        last = before[0] if before else GENESIS
        expected = since
        for record in self._records("WHERE seq >= ? ORDER BY seq", since):
            if record.seq != expected:
                raise damaged(self.path, f"record {expected} is missing")
            last = chain(last, record.seq, (record.game, record.kind, record.body))
            if last != record.hash:
                raise damaged(self.path, f"record {record.seq} is not what was written")
            expected += 1

    def _records(self, where: str, *values: object) -> Iterator[Record]:
        try:
            for seq, game, kind, body, digest in self._reader.execute(
                f"SELECT seq, game, kind, body, hash FROM record {where}", values
            ):
                yield Record(seq, game, kind, body.encode(), digest)
        except sqlite3.Error as error:
            raise damaged(self.path, str(error)) from error

    def _read_head(self) -> Head:
        row = self._reader.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone()
        return Head(*row) if row else Head(0, GENESIS)

    # -- the writer's thread -------------------------------------------------------------------------------------

    def _submit(self, drafts: Sequence[Draft]) -> "Future[int]":
        future: Future[int] = Future()
        if self._closing.is_set():
            future.set_exception(JournalError(f"{self.path} is closed"))
        else:
            self._queue.put((drafts, future))
        return future

    def _write(self) -> None:
        connection = _connect(self.path)
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # it would delay the commit that it falls upon
        _make_room(connection)
        last = False
        while not last:
            batches = self._take()
            last = batches[-1] is None
            work = [batch for batch in batches if batch is not None]
            try:
                numbers = self._commit_patiently(connection, [drafts for drafts, _ in work])
            except JournalError as error:
                self._tell(error)
                for _, future in work:
                    future.set_exception(error)
                continue
            self._wake()
            for (_, future), seq in zip(work, numbers, strict=True):
                future.set_result(seq)
            self._fold(connection)
        connection.close()

    def _take(self) -> list[Batch | None]:
        """Waits for something to write, then takes all that is queued."""
        batches = [self._queue.get()]
        with contextlib.suppress(queue.Empty):
            while batches[-1] is not None:
                batches.append(self._queue.get_nowait())
        return batches

    def _commit_patiently(self, connection: sqlite3.Connection, batches: Sequence[Sequence[Draft]]) -> list[int]:
        """Commits, again and again while the disk is full or busy. Raises :exc:`JournalError` when that is hopeless."""
        while True:
            try:
                numbers = self._commit(connection, batches)
            except sqlite3.OperationalError as error:
                trouble = JournalError(
                    f"{self.path} cannot be written: {error}",
                    "the disk is full, read-only or failing; the game goes on and is kept in memory meanwhile",
                    f"df -h {self.path.parent}; dmesg | tail",
                )
                if self._closing.is_set():
                    raise trouble from error
                self._tell(trouble)
                self._closing.wait(RETRY_S)
            except sqlite3.Error as error:
                raise damaged(self.path, str(error)) from error
            else:
                self._tell(None)
                return numbers

    def _commit(self, connection: sqlite3.Connection, batches: Sequence[Sequence[Draft]]) -> list[int]:
        seq, digest = self.head.seq, self.head.hash
        with self._lock:
            moved, self._moved = self._moved, {}
        numbers: list[int] = []
        records: list[Record] = []
        for drafts in batches:
            for draft in drafts:
                seq += 1
                digest = chain(digest, seq, draft)
                records.append(Record(seq, *draft, digest))
            numbers.append(seq)
        rows = [(record.seq, record.game, record.kind, record.body.decode(), record.hash) for record in records]
        try:
            with connection:
                connection.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?)", rows)
                connection.executemany("INSERT OR REPLACE INTO cursor VALUES (?, ?)", moved.items())
        except sqlite3.Error:
            with self._lock:
                self._moved = moved | self._moved
            raise
        with self._lock:
            self._recent.extend(records)
            self.head = Head(seq, digest)
        self._unfolded += len(rows)
        return numbers

    def _fold(self, connection: sqlite3.Connection) -> None:
        """Keeps the write-ahead log short, once those who wait for the commit have been woken."""
        if self._unfolded >= FOLD_ROWS:
            self._unfolded = 0
            with contextlib.suppress(sqlite3.OperationalError):  # a full disk: the next commit will say so
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _tell(self, trouble: JournalError | None) -> None:
        if (trouble and trouble.what) != (self.trouble and self.trouble.what):
            self.trouble = trouble
            self.on_trouble(trouble)

    def _wake(self) -> None:
        with self._lock:
            waiters, self._waiters = self._waiters, {}
        for future, loop in waiters.items():
            with contextlib.suppress(RuntimeError):  # that loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_release, future)


def _release(waiter: "asyncio.Future[None]") -> None:
    if not waiter.done():
        waiter.set_result(None)


def chain(before: bytes, seq: int, draft: Draft) -> bytes:
    """The hash of a row: SHA-256 over the hash before it, its number, game, kind and body, one a line."""
    game, kind, body = draft
    return hashlib.sha256(b"%b%d\n%b\n%b\n%b" % (before, seq, game.encode(), kind.encode(), body)).digest()


def damaged(path: Path, seen: str) -> JournalError:
    """The error for a journal that is not to be trusted, nor written to."""
    return JournalError(
        f"the journal {path} is damaged: {seen}",
        "a failing card, a file that is no journal, or a change by another program",
        f"keep the file as evidence and begin a new one: mv {path} {path}.damaged",
    )


def unopened(path: Path, seen: str) -> JournalError:
    """The error for a journal that is out of reach."""
    return JournalError(
        f"the journal {path} cannot be opened: {seen}",
        "the folder belongs to another user, is read-only, or is not there",
        f"ls -ld {path.parent}, or set [journal] path to a folder that can be written",
    )


def _hold(path: Path) -> IO[str]:
    """Holds ``path`` for this process; a file of its own, for closing SQLite's would drop SQLite's locks."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.with_name(path.name + "-lock").open("w")
    except OSError as error:
        raise unopened(path, error.strerror or str(error)) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise JournalError(
            f"the journal {path} is in use", "another jadoube is running with it", "pgrep -a jadoube"
        ) from error
    return file


def in_use(path: Path) -> bool:
    """Whether a daemon of this machine has the journal open."""
    try:
        with path.with_name(path.name + "-lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _refuse_foreign(path: Path) -> None:
    """SQLite takes a file shorter than its own header for an empty one, and would write over it."""
    if path.exists() and path.stat().st_size:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise damaged(path, "it is not an SQLite database")


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, timeout=1.0)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _make_room(connection: sqlite3.Connection) -> None:
    """Lengthens the write-ahead log beforehand: a commit that makes a file longer waits for the file system's own
    journal too. What is rolled back leaves nothing but the room.
    """
    with contextlib.suppress(sqlite3.OperationalError):  # a full disk: the first commit will say so
        cache = connection.execute("PRAGMA cache_size").fetchone()[0]
        connection.execute(f"PRAGMA cache_size = {-ROOM // 16384}")
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE room (filled)")
        connection.execute("INSERT INTO room VALUES (zeroblob(?))", (ROOM,))
        connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA cache_size = {cache}")


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Brings the tables to the newest ``schema/NNN.sql``, one transaction a step."""
    scripts = resources.files("controller") / "schema"
    steps = sorted((file for file in scripts.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise damaged(path, "it holds the tables of another program")
    newest = int(steps[-1].name[:3])
    if version > newest:
        raise JournalError(
            f"the journal {path} has schema {version}, and this jadoube knows {newest} at most",
            "it was written by a later version",
            "pip install --upgrade jadoube, or set [journal] path to a new file",
        )
    for step in steps[version:]:
        number = int(step.name[:3])
        connection.executescript(f"BEGIN; {step.read_text('utf-8')} PRAGMA user_version = {number}; COMMIT;")
