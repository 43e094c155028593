"""How far the journal has come, noted beside it: by that it is noticed when its end is missing.

SQLite takes a write-ahead log up to the first frame that is not as it was written, and says nothing of those behind it;
of a log that is gone, or of an older copy of the file, it knows nothing. So each commit is noted in a file of its own,
before anybody is told of what it holds: the number of the last row and its hash. A kill leaves the note as it is; it is
synced when there is nothing else to do, so after a power cut it may be some commits late. A note that is late accuses
nobody; one that is ahead is true, for it is written after the commit is on the disk.

Two notes stand in blocks of their own and are written in turn, each a line with its own sum.
"""

import contextlib
import hashlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from controller.journal.hold import real
from controller.journal.pages import PAGE, beside
from controller.journal.record import Head

log = logging.getLogger(__name__)

LINE = 160  #: bytes of a note; less than a sector, so that it is there whole or not at all
NOTES = 2


class Noted(Struct, frozen=True, order=True):
    """The last row that was committed."""

    seq: int
    hash: bytes
    kept: int = 0  #: while the disk takes nothing: up to here rows have a number and wait elsewhere
    schema: int = 0  #: of the journal

    @property
    def reached(self) -> int:
        """The last number that was given."""
        return max(self.seq, self.kept)


class Testimony(Struct, frozen=True):
    """What the witness of a journal has to say."""

    noted: Noted | None  #: the last note that can be read
    trouble: str = ""  #: why there may have been a later one


def hear(path: Path) -> Testimony:
    """Read the file beside the journal ``path`` that remembers its last number and hash."""
    file = beside(real(path), "-witness")
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return Testimony(None, f"its witness {file.name} is gone")
    except OSError as error:
        return Testimony(None, f"its witness {file.name} cannot be read: {error.strerror}")
    notes = [_read(data[begin : begin + LINE]) for begin in range(0, NOTES * PAGE, PAGE)]
    readable = [note for note in notes if note is not None]
    whole = len(readable) == NOTES and len(data) == NOTES * PAGE
    return Testimony(max(readable, default=None), "" if whole else f"its witness {file.name} is damaged")


class Witness:
    """That of the journal ``path``. Nothing here raises: where it cannot be written, the journal goes on without."""

    def __init__(self, path: Path, schema: int) -> None:
        self._path = path
        self._file = beside(path, "-witness")
        self._schema = schema
        self._open = -1
        self._turn = 0
        self._last = Noted(0, b"")
        self._failing = False  # that was said; until there is a new one
        self.unsynced = False  #: something was noted since the last sync

    def begin(self, head: Head) -> None:
        """Makes a new witness file, which notes ``head``; once this returns, it is safe on the disk."""
        self._last = Noted(head.seq, head.hash, schema=self._schema)
        self._make()

    def _make(self) -> None:
        self.close()
        new = beside(self._path, "-witness.new")
        with self._told():
            self._open = os.open(new, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
            os.pwrite(self._open, (_line(self._last).ljust(PAGE, b"\0")) * NOTES, 0)
            os.fsync(self._open)
            new.rename(self._file)
            folder = os.open(self._file.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
            self._failing = False

    def note(self, head: Head, kept: int = 0) -> None:
        """This is on the disk; numbers up to ``kept`` are given, and wait."""
        noted = Noted(head.seq, head.hash, kept, self._schema)
        if noted == self._last:
            return
        self._last = noted
        if self._open < 0:
            return
        with self._told():
            os.pwrite(self._open, _line(noted), self._turn * PAGE)
            self._turn = (self._turn + 1) % NOTES
            self.unsynced = True

    def look(self) -> None:
        """Makes a new one where somebody has taken it away, or there was no room for it, and makes durable what was
        noted.
        """
        if not _same(self._open, self._file):
            if not self._failing:
                log.warning("%s was taken away, and is written anew", self._file)
            self._make()
        if self.unsynced:
            self.unsynced = False
            with self._told():
                os.fdatasync(self._open)

    def close(self) -> None:
        """Nothing more is noted."""
        if self._open >= 0:
            self.unsynced = False
            with self._told():
                os.fdatasync(self._open)
            os.close(self._open)
            self._open = -1

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if not self._failing:
                log.warning("%s cannot be written: %s", self._file, error.strerror)
            self._failing = True


def _line(noted: Noted) -> bytes:
    said = b"%d %d %s %d" % (noted.schema, noted.seq, noted.hash.hex().encode(), noted.kept)
    return (b"%s %s" % (said, _sum(said))).ljust(LINE - 1) + b"\n"


def _read(line: bytes) -> Noted | None:
    said, _, vouched = line.rstrip().rpartition(b" ")
    if len(line) < LINE or vouched != _sum(said):
        return None
    schema, seq, digest, kept = said.split()
    return Noted(int(seq), bytes.fromhex(digest.decode()), int(kept), int(schema))


def _sum(said: bytes) -> bytes:
    return hashlib.sha256(said).hexdigest()[:16].encode()


def _same(opened: int, file: Path) -> bool:
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(opened), file.stat())
    return False
