"""The file of a journal: who may hold it, how it is opened, and the tables in it, ``schema/NNN.sql``."""

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Iterable, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import IO

from controller.errors import DamageError, JournalError
from controller.journal.pages import MAGIC, beside, rows
from controller.journal.record import Record

SYNCHRONOUS = "FULL"  #: with NORMAL a commit returns before it is on the disk
ROOM = 2**21  #: bytes of write-ahead log that are made beforehand
BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR)
"""What SQLite says of a file that cannot be read as it was written."""


def hold(path: Path) -> IO[str]:
    """Holds ``path`` for this process; a file of its own, for closing SQLite's would drop SQLite's locks.

    Raises :exc:`JournalError` where another process has it, or the folder cannot be written to.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = beside(path, "-lock").open("w")
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
        with beside(path, "-lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


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


def connect_to_read(path: Path) -> sqlite3.Connection:
    """To read only, also where a daemon writes.

    Raises :exc:`JournalError` where there is none, or one of a later version, and :exc:`DamageError` for a damaged one.
    """
    if not path.is_file() or not path.stat().st_size:
        raise JournalError(f"there is no journal {path}", "another folder or name", f"ls -l {path.parent}")
    refuse_foreign(path)
    # Without a log to be read there is no need to lock: SQLite would leave files behind, or fail in a read-only folder.
    way = "mode=ro" if beside(path, "-wal").exists() or in_use(path) else "immutable=1"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True, timeout=1.0)
    try:
        version_of(connection, path)
    except (sqlite3.Error, JournalError) as error:
        connection.close()
        raise (explained(path, error) if isinstance(error, sqlite3.Error) else error) from error
    return connection


def make_room(connection: sqlite3.Connection) -> None:
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


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """The number of the schema; 0 for an empty file.

    Raises :exc:`JournalError` for the tables of another program, or of a later version.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise foreign(path, "it holds the tables of another program")
    newest = int(_steps()[-1].name[:3])
    if version > newest:
        raise JournalError(
            f"the journal {path} has schema {version}, and this jadoube knows {newest} at most",
            "it was written by a later version",
            "pip install --upgrade jadoube, or set [journal] path to a new file",
        )
    return version


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Brings the tables to the newest schema, one transaction a step. Raises as :func:`version_of` does."""
    for step in _steps()[version_of(connection, path) :]:
        number = int(step.name[:3])
        connection.executescript(f"BEGIN; {step.read_text('utf-8')} PRAGMA user_version = {number}; COMMIT;")


def _steps() -> list[Traversable]:
    scripts = resources.files("controller") / "schema"
    return sorted((file for file in scripts.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)


def refuse_foreign(path: Path) -> None:
    """SQLite takes a file shorter than its own header for an empty one, and would write over it.

    Raises :exc:`DamageError` for a journal without its head, and :exc:`JournalError` for a file that never was one or
    cannot be read.
    """
    if path.is_dir():
        raise foreign(path, "it is a folder")
    if not path.exists() or not path.stat().st_size:
        return
    try:
        with path.open("rb") as file:
            begin = file.read(1 << 16)
    except OSError as error:
        raise unopened(path, error.strerror or str(error)) from error
    if begin.startswith(MAGIC) or (not any(begin) and beside(path, "-journal").exists()):
        return  # the latter is what a power cut leaves of the first moment of all, and SQLite takes it back
    if not any(begin) or next(rows(path), None) is not None:
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
        f"{path} is no journal: {seen}", "a slip in [journal] path", "set it to a file that is not there yet"
    )


def unopened(path: Path, seen: str) -> JournalError:
    """The error for a journal that is out of reach."""
    return JournalError(
        f"the journal {path} cannot be opened: {seen}",
        "the folder belongs to another user, is read-only, or is not there",
        f"ls -ld {path.parent}, or set [journal] path to a folder that can be written",
    )


def explained(path: Path, error: sqlite3.Error) -> JournalError:
    """What SQLite's error means for ``path``."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if isinstance(error, sqlite3.OperationalError) and code & 0xFF not in BROKEN:
        return unopened(path, str(error))
    return damaged(path, str(error))


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
