"""Who may write to a journal: one process, by whatever name it knows the file; and whether it is still that file.

The lock on the name is a file beside it. The name is that without symbolic links, as SQLite's own: it looks for the log
beside the file that a link points to. A hard link or a mounted file has a name of its own all the same; so the file
itself is locked besides, by a byte far behind its end. That lock belongs to our descriptor alone (``F_OFD_SETLK``),
holds over NFS too, and is none of SQLite's. As long as SQLite has the file open ours must stay so too: closing any
descriptor of it would drop SQLite's own locks.
"""

import contextlib
import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from pathlib import Path

from controller.errors import JournalError, StorageError
from controller.journal.pages import beside

LOCKS = Path("/proc/locks")  #: of all processes, as proc_locks(5) has them
TAKEN = (errno.EACCES, errno.EAGAIN)
TAKES_NOTHING = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)  #: what the system says of a disk
WHOLE_LOCK = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 2**62, 1, 0)
PARTS = ("", "-wal", "-shm")  #: what SQLite has open

FileIdentity = tuple[int, int]


class MovedError(JournalError):
    """The file at the path is not the one that is open."""


class Hold:
    """Holds the journal ``path`` for this process until closed.

    Raises :exc:`JournalError` where another process has it, or the folder cannot be written to.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = -1
        self._files: list[int] = []  # the last is the one at the path; readers may still have those before open
        try:
            with _explained(path):
                self.take()
                if path.is_file():
                    self.take_file()
        except BaseException:
            self.close()
            raise

    def take(self) -> None:
        """Takes the lock on the name, also where somebody has taken the lock's file away meanwhile."""
        lock = beside(self._path, "-lock")
        if self._name >= 0 and identity(lock) == _of(os.fstat(self._name)):
            return
        with _explained(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            name = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(name, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(name)
            raise _in_use(self._path) from error
        if self._name >= 0:
            os.close(self._name)
        self._name = name

    def take_file(self) -> None:
        """Takes the lock on the file that is at the path now."""
        if self._files and identity(self._path) == _of(os.fstat(self._files[-1])):
            return
        with _explained(self._path):
            file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        self._files.append(file)
        try:
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, WHOLE_LOCK)
        except OSError as error:
            if error.errno in TAKEN:
                raise _in_use(self._path) from error

    def close(self) -> None:
        """Once SQLite has the file open no more."""
        for file in (*self._files, self._name):
            if file >= 0:
                os.close(file)
        self._files, self._name = [], -1


class FilesOpen:
    """Where the files are that SQLite has open."""

    def __init__(self, path: Path) -> None:
        self._files = [beside(path, suffix) for suffix in PARTS]
        self._known: list[FileIdentity | None] = [None] * len(self._files)
        self.check()

    def check(self) -> None:
        """Raises :exc:`MovedError` where one of them was moved, deleted or replaced: nobody finds what is written."""
        for number, file in enumerate(self._files):
            known = there = self._known[number]
            with contextlib.suppress(OSError):  # a failing disk is no proof of anything
                there = identity(file)
            if known is None:
                self._known[number] = there
            elif known != there:
                seen = "was moved away or deleted" if there is None else "was replaced by another file"
                raise MovedError(f"{file.name} {seen} while it was in use")


def in_use(path: Path) -> bool:
    """Whether a daemon of this machine has the journal open."""
    try:
        with beside(real(path), "-lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def holder(path: Path) -> int | None:
    """The process that has the journal open; None where there is none, or the system does not tell."""
    with contextlib.suppress(OSError, ValueError):
        inode = beside(real(path), "-lock").stat().st_ino
        for line in LOCKS.read_text().splitlines():
            kind, *_, process, file, _, _ = line.split()[1:]
            if kind == "FLOCK" and file.rpartition(":")[2] == str(inode):
                return int(process)
    return None


def real(path: Path) -> Path:
    """The name without symbolic links, as SQLite's own. Raises :exc:`JournalError` where they lead nowhere."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # the latter for links in a circle
        raise unopened(path, str(error)) from error


def identity(file: Path) -> FileIdentity | None:
    """By what a file is known, whatever its name; None where there is none. Raises OSError where that is not known."""
    try:
        return _of(os.stat(file))  # noqa: PTH116  # at each commit
    except (FileNotFoundError, NotADirectoryError):
        return None


def _of(stat: os.stat_result) -> FileIdentity:
    return stat.st_dev, stat.st_ino


def _in_use(path: Path) -> JournalError:
    process = holder(path)
    cause = "another jadoube is running with it: this board's, started twice, or that of another board"
    look = "pgrep -a jadoube" if process is None else f"ps -fp {process}"
    own = f'each board wants its own, in its configuration: [journal] path = "{path.stem}-2.sqlite"'
    return JournalError(f"the journal {path} is in use", cause, f"{look}; {own}")


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = unwritable if error.errno in TAKES_NOTHING else unopened
        raise why(path, error.strerror or str(error)) from error


def unopened(path: Path, seen: str) -> JournalError:
    """The error for a journal that is out of reach."""
    return JournalError(
        f"the journal {path} cannot be opened: {seen}",
        "the folder belongs to another user, is read-only, or is not there",
        f"ls -ld {path.parent}, or set [journal] path to a folder that can be written",
    )


def unwritable(path: Path, seen: str) -> StorageError:
    """The error for a journal, or a file beside it, on a disk that takes nothing."""
    return StorageError(
        f"{path} cannot be opened to write: {seen}",
        "the disk is full, read-only or failing",
        f"make room: df -h {path.parent}; findmnt -T {path.parent}",
    )
