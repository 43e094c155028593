"""The file of a journal: how it is opened, and the tables in it, ``schema/NNN.sql``."""

import contextlib
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from controller.errors import DamageError, JournalError
from controller.journal.hold import holder, in_use, real, unopened, unwritable
from controller.journal.pages import MAGIC, beside, rows
from controller.journal.record import Head, Record, Seam
from controller.journal.witness import Noted

LEAP = 1000  #: numbers left out, more than a daemon writes before its witness is on the disk
FORMATS = (b"\1\1", b"\2\2")  #: in SQLite's header: the file is kept by a rollback journal, or by a write-ahead log
SPARE = 4  #: times that much must be free for it
SYNCHRONOUS = "FULL"  #: with NORMAL a commit returns before it is on the disk
ROOM = 2**21  #: bytes of write-ahead log that are made beforehand
DAMAGE = (
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB),
    *(sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS),
    sqlite3.SQLITE_ERROR,  # our statements are sound; tables of which they are not true were changed
)
"""What SQLite says of a file that is not what was written: another attempt is in vain."""
RULES = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.DataError)
"""A rule was broken, of the tables or of SQLite itself: a defect, or another program's doing. The file is sound."""
UNWRITABLE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
"""What it says, with more, of a disk that takes nothing."""

RECORD = (int, str, str, str, bytes)
GONE = (int, int, bytes)
SEAM = (int, bytes | None, str)
CURSOR = (str, int)
ORIGIN = (str,)
"""What stands in the columns of these tables."""

ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What reading may raise; the latter where SQLite quotes in its message what is no text."""


def is_damage(error: Exception) -> bool:
    """Whether ``error`` says that the file is not what was written.

    All else is a disk that takes nothing at present (full, read-only, failing to write or to lock), a file out of
    reach, or a rule of the tables that was broken.
    """
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # without one it is text that is none
    return not isinstance(error, RULES) and (code in DAMAGE or code & 0xFF == sqlite3.SQLITE_CORRUPT)


def like(row: Sequence[Any], types: Sequence[Any]) -> bool:
    """Whether each column is of its type. A damaged row may hold anything, or nothing, whatever the table says."""
    return all(isinstance(value, kind) for value, kind in zip(row, types, strict=True))


def connect(path: Path) -> sqlite3.Connection:
    """To write: a commit is on the disk when it returns."""
    connection = sqlite3.connect(path, check_same_thread=False, timeout=1.0)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    return connection


def insert(connection: sqlite3.Connection, records: Iterable[Record], cursors: Mapping[str, int]) -> None:
    """Commits rows and cursors together; they are on the disk when it returns."""
    rows = [(record.seq, record.game, record.kind, record.body.decode(), record.hash) for record in records]
    with connection:
        connection.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?)", rows)
        connection.executemany("INSERT OR REPLACE INTO cursor VALUES (?, ?)", cursors.items())


def add(connection: sqlite3.Connection, record: Record) -> None:
    """Puts a row in; it is not committed."""
    row = (record.seq, record.game, record.kind, record.body.decode(), record.hash)
    connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?)", row)


def sew(connection: sqlite3.Connection, seam: Seam) -> None:
    """Notes where rows are missing; it is not committed."""
    connection.execute("INSERT OR IGNORE INTO seam VALUES (?, ?, ?)", (seam.seq, seam.before, seam.told))


def rename(connection: sqlite3.Connection, seq: int, name: str) -> None:
    """From the row ``seq`` on the journal is known by ``name``; it is not committed."""
    connection.execute("INSERT OR REPLACE INTO origin VALUES (?, ?)", (seq, name))


def part(connection: sqlite3.Connection, reached: Head, told: str) -> None:
    """Records may be missing up to ``reached`` that somebody was sent: numbers go on after a leap, under another name.

    It is not committed.
    """
    following = reached.seq + 1 + LEAP
    sew(connection, Seam(following, reached.hash, told))
    rename(connection, following, secrets.token_hex(32))


def connect_to_read(path: Path, noted: Noted | None = None) -> sqlite3.Connection:
    """Opens the journal only to read it; a daemon may write to it meanwhile. No file is changed, also at its close.

    Raises :exc:`JournalError` where there is none, or one of a later version, and :exc:`DamageError` for a damaged one.
    """
    path = real(path)
    if not path.is_file() or not path.stat().st_size:
        if path.is_file():
            cause = "another program made the file, or the disk was full; no game was begun on it"
            raise JournalError(f"{path} is empty", cause, "name another journal, or delete the file")
        raise JournalError(f"there is no journal {path}", "another folder or name", f"ls -l {path.parent}")
    if holder(path) != os.getpid():  # to close the file here would undo SQLite's own locks on it
        refuse_foreign(path, noted)
    # Without a log to be read there is no need to lock: SQLite would leave files behind, or fail in a read-only folder.
    way = "mode=ro" if beside(path, "-wal").exists() or in_use(path) else "immutable=1"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True, timeout=1.0)
    try:
        _check_schema(connection, path, noted)
        version_of(connection, path)
    except (*ERRORS, JournalError) as error:
        connection.close()
        raise (error if isinstance(error, JournalError) else explained(path, error)) from error
    return connection


def _check_schema(connection: sqlite3.Connection, path: Path, noted: Noted | None) -> None:
    """Raises :exc:`DamageError` where the file says that it has another schema than it had."""
    said: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if noted is not None and said > NEWEST >= noted.schema:
        raise damaged(path, f"it says that it has schema {said}, and had {noted.schema}")


def make_room(connection: sqlite3.Connection, path: Path) -> None:
    """Lengthens the write-ahead log beforehand: a commit that makes a file longer waits for the file system's own
    journal too. What is rolled back leaves nothing but the room. It is left out where it would take room that
    others need.
    """
    with contextlib.suppress(sqlite3.OperationalError, OSError):  # a full disk: the first commit will say so
        if shutil.disk_usage(path.parent).free < SPARE * ROOM:
            return
        cache = connection.execute("PRAGMA cache_size").fetchone()[0]
        connection.execute(f"PRAGMA cache_size = {-ROOM // 16384}")
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE room (filled)")
        connection.execute("INSERT INTO room VALUES (zeroblob(?))", (ROOM,))
        connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA cache_size = {cache}")


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """The number of the schema; 0 for an empty file.

    Raises :exc:`JournalError` for the tables of another program, or of a later version.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise foreign(path, "it holds the tables of another program")
    if version > NEWEST:
        raise JournalError(
            f"the journal {path} has schema {version}, and this jadoube knows {NEWEST} at most",
            "it was written by a later version",
            "pip install --upgrade jadoube, or set [journal] path to a new file",
        )
    return version


def migrate(connection: sqlite3.Connection, path: Path) -> int:
    """Brings the tables to the newest schema, one transaction a step; what it was before. Raises as :func:`version_of`
    does.
    """
    before = version_of(connection, path)
    for step in _steps()[before:]:
        number = int(step.name[:3])
        connection.executescript(f"BEGIN; {step.read_text('utf-8')} PRAGMA user_version = {number}; COMMIT;")
    return before


def _steps() -> list[Traversable]:
    scripts = resources.files("controller") / "schema"
    return sorted((file for file in scripts.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)


NEWEST = int(_steps()[-1].name[:3])  #: the schema of this version


def is_empty(path: Path) -> bool:
    """Whether there is no file, or nothing in it."""
    return not path.exists() or not path.stat().st_size


def refuse_foreign(path: Path, noted: Noted | None = None) -> None:
    """SQLite takes a file shorter than its own header for an empty one, and would write over it.

    Raises :exc:`DamageError` for a journal without its head, and :exc:`JournalError` for a file that never was one or
    cannot be read.
    """
    if path.is_dir():
        raise foreign(path, "it is a folder")
    if is_empty(path):
        return
    try:
        with path.open("rb") as file:
            begin = file.read(1 << 16)
    except OSError as error:
        raise unopened(path, error.strerror or str(error)) from error
    if not any(begin) and beside(path, "-journal").exists():
        return  # what a power cut leaves of the first moment of all, and SQLite takes it back
    if begin.startswith(MAGIC) and begin[18:20] in FORMATS:
        return
    witnessed = noted is not None
    if witnessed or begin.startswith(MAGIC) or not any(begin) or next(rows(path), None) is not None:
        raise damaged(path, "its first page is not what was written")
    raise foreign(path, "it is not an SQLite database")


def damaged(path: Path, seen: str) -> DamageError:
    """The error for a journal that is not to be trusted, nor written to."""
    return DamageError(
        f"the journal {path} is damaged: {seen}",
        "a failing card, or a change by another program",
        f"keep the file as evidence, exchange the card, and look what can be read: jadoube export {path} --out rescued",
    )


def foreign(path: Path, seen: str) -> JournalError:
    """The error for a file that is something else; it must not be touched."""
    return JournalError(
        f"{path} is no journal: {seen}",
        "another file was meant, or a slip in [journal] path",
        "name a journal; a new one is made in a file that is not there yet",
    )


def unknown(seq: int, kind: str, seen: str) -> JournalError:
    """The error for a row whose meaning this version does not know."""
    return JournalError(
        f"record {seq} of the journal is an {kind} that this version does not know: {seen}",
        "it was written by a later version",
        "pip install --upgrade jadoube, or set [journal] path to a new file",
    )


def explained(path: Path, error: Exception) -> JournalError:
    """What SQLite's error means for ``path``."""
    if is_damage(error):
        return damaged(path, str(error))
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return (unwritable if code & 0xFF in UNWRITABLE else unopened)(path, str(error))


def last_written(path: Path) -> float | None:
    """When ``path`` was last written to, in seconds since 1970, by the file system's account; None if never."""
    times = [file.stat().st_mtime for file in (path, beside(path, "-wal")) if file.exists()]
    return max(times, default=None)


def sync_folder(folder: Path) -> None:
    """Makes durable which files there are in ``folder``. Raises OSError."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
