"""What the disk does not take, put down in the machine's memory, where it outlives the program, though not the power.

A file holds the rows that wait for the disk, one a line, with their numbers and hashes. Whoever opens the journal next
takes them from there first: a program that is stopped or killed while the disk is full loses nothing.

It stands in the folder that systemd keeps in memory for the service, ``$RUNTIME_DIRECTORY``, which the unit has left
alone when the service stops (``RuntimeDirectoryPreserve=``). Who starts the program by hand has no such folder, but
``/dev/shm``. There systemd removes what belongs to a user when his last session ends, or a unit of his with
``RemoveIPC=`` stops (logind.conf(5), systemd.exec(5)); while the program runs it is put down again within a second.
"""

import contextlib
import hashlib
import logging
import os
import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from controller.journal.pages import KINDS, NUMBERS
from controller.journal.record import Head, Record, chain

log = logging.getLogger(__name__)

MEMORY = Path("/dev/shm")
SERVICE = Path("/run/jadoube")  #: the folder of the service; below it, those of several boards

_decode = msgspec.json.Decoder(tuple[int, str, str, str, bytes]).decode


class Spill:
    """That of the journal ``path``. Nothing here raises: it is a help in need, and the need is known already."""

    def __init__(self, path: Path) -> None:
        digest = hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:16]
        given = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
        self._shared = MEMORY if MEMORY.is_dir() else Path(tempfile.gettempdir())
        self.file = Path(given or self._shared) / f"jadoube-{os.getuid()}-{digest}"
        self.taken: list[Path] = []  #: the files that :meth:`after` has found
        self._made = False  # this program has written it
        self._written = 0  # the number of the last row in it
        self.failed = False  #: it cannot help at present
        self.aside: dict[Path, Path] = {}  #: of these, those that could not be taken over whole, and what they become

    def keep(self, records: Sequence[Record]) -> None:
        """Puts down those of the waiting rows that are not there yet, or not there any more."""
        try:
            file = self._opened()
            try:
                new = [record for record in records if record.seq > self._written]
                _append(file, b"".join(map(_line, new)))
            finally:
                os.close(file)
        except OSError as error:
            if not self.failed:
                log.warning("%s: what waits for the disk cannot be put down there: %s", self.file, error.strerror)
            self.failed = True
        else:
            self.failed = False
            self._written = records[-1].seq if records else self._written

    def clear(self) -> None:
        """All that waited is in the journal: the files go. One that was not whole is kept under another name."""
        for file in {*self.taken, *([self.file] if self._made else [])}:
            with contextlib.suppress(OSError):
                file.rename(self.aside[file]) if file in self.aside else file.unlink()
        self.taken, self.aside, self._made, self._written = [], {}, False, 0

    def after(self, head: Head, stored: Callable[[int, int], list[Record]]) -> list[Record]:
        """The rows that were put down and follow from ``head``. ``stored``: those of the journal itself after a number,
        and how many. Where a file has others, or is not whole, it stays under another name: by :meth:`clear`, for
        until then it may be asked for once more.
        """
        found: list[Record] = []
        for file in self._files():
            try:
                rows, whole = _rows(file)
            except OSError:
                continue
            self.taken.append(file)
            following, fits = _following(rows, head, stored)
            if not (whole and fits):
                self.aside[file] = aside = file.with_name(f"{file.name}-{secrets.token_hex(4)}")
                said = "%s does not follow from record %d of the journal, or is not whole; it is to be kept as %s"
                log.error(said, file, head.seq, aside)
            if following:
                found += following
                head = Head(following[-1].seq, following[-1].hash)
        return found

    def waiting(self) -> list[Record]:
        """The rows that were put down, as they are."""
        found: list[Record] = []
        for file in self._files():
            with contextlib.suppress(OSError):
                found += _rows(file)[0]
        return found

    def _opened(self) -> int:
        """The file, to be written at its end; anew where it is not there any more. Raises OSError."""
        # Others can write to that folder too: what is there already must be ours, and no way to somewhere else.
        how = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        if self._made:
            with contextlib.suppress(FileNotFoundError):
                file = os.open(self.file, how)
                if os.fstat(file).st_uid == os.getuid():
                    return file
                os.close(file)
        file = os.open(self.file, how | os.O_CREAT | os.O_EXCL, 0o600)
        self._made, self._written = True, 0
        return file

    def _files(self) -> Iterator[Path]:
        """Where there is one of ours: also of a program that was started in another way, or of an older one."""
        folders = [self.file.parent, self._shared, SERVICE]
        with contextlib.suppress(OSError):
            folders += sorted(SERVICE.iterdir())
        for folder in dict.fromkeys(folders):
            file = folder / self.file.name
            with contextlib.suppress(OSError):
                if not file.is_symlink() and file.stat().st_uid == os.getuid():
                    yield file


def _following(
    rows: Sequence[Record], head: Head, stored: Callable[[int, int], list[Record]]
) -> tuple[list[Record], bool]:
    """Those after ``head`` as far as they follow; and whether all do, and the journal has the same up to there."""
    before = [row for row in rows if row.seq <= head.seq]
    if before and stored(before[-1].seq - 1, 1) != before[-1:]:  # its hash vouches for those before it, too
        return [], False
    following: list[Record] = []
    for record in (row for row in rows if row.seq > head.seq):
        last = following[-1] if following else head
        if record.seq != last.seq + 1 or chain(last.hash, record.seq, record.draft) != record.hash:
            return following, False
        following.append(record)
    return following, True


def _append(file: int, lines: bytes) -> None:
    """All or nothing. Raises OSError."""
    whole = os.fstat(file).st_size
    try:
        while lines:
            lines = lines[os.write(file, lines) :]
    except OSError:
        os.ftruncate(file, whole)
        raise


def _line(record: Record) -> bytes:
    return msgspec.json.encode((record.seq, record.game, record.kind, record.body.decode(), record.hash)) + b"\n"


def _rows(file: Path) -> tuple[list[Record], bool]:
    """The rows in it, and whether each line is one. Raises OSError."""
    lines, rows = file.read_bytes().splitlines(), []
    for line in lines:
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            seq, game, kind, body, digest = _decode(line)
            if kind in KINDS and 0 < seq < NUMBERS:
                rows.append(Record(seq, game, kind, body.encode(), digest))  # type: ignore[arg-type]
    return rows, len(rows) == len(lines)
