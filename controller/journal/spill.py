"""What the disk does not take, put down in the machine's memory, where it outlives the program, though not the power.

A file in ``/dev/shm`` holds the rows that wait for the disk, one a line, with their numbers and hashes. Whoever opens
the journal next takes them from there first: a program that is stopped or killed while the disk is full loses nothing.
"""

import contextlib
import hashlib
import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from controller.journal.pages import KINDS, NUMBERS
from controller.journal.record import Head, Record, chain

log = logging.getLogger(__name__)

MEMORY = Path("/dev/shm")

_decode = msgspec.json.Decoder(tuple[int, str, str, str, bytes]).decode


class Spill:
    """That of the journal ``path``. Nothing here raises: it is a help in need, and the need is known already."""

    def __init__(self, path: Path) -> None:
        digest = hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:16]
        folder = MEMORY if MEMORY.is_dir() else Path(tempfile.gettempdir())
        self.file = folder / f"jadoube-{os.getuid()}-{digest}"
        self._written = 0  # the number of the last row in it
        self._lines = 0  # in it
        self.failed = False  #: it cannot help
        self.aside: Path | None = None  #: a copy of what could not be taken over, or not all of it

    def keep(self, records: Sequence[Record]) -> None:
        """Puts down those of the waiting rows that are not there yet."""
        new = [record for record in records if record.seq > self._written]
        if not new or self.failed:
            return
        lines = b"".join(msgspec.json.encode((r.seq, r.game, r.kind, r.body.decode(), r.hash)) + b"\n" for r in new)
        # Others can write to that folder too: what is there already must be ours, and no way to somewhere else.
        how = os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC | (os.O_APPEND if self._written else os.O_CREAT | os.O_EXCL)
        try:
            file = os.open(self.file, how, 0o600)
            try:
                os.write(file, lines)
            finally:
                os.close(file)
        except OSError as error:
            self.failed = True
            log.warning("%s: what waits for the disk cannot be put down there: %s", self.file, error.strerror)
        else:
            self._written = new[-1].seq

    def clear(self) -> None:
        """All of it is on the disk."""
        if self._written:
            self._written = 0
            with contextlib.suppress(OSError):
                self.file.unlink()

    def after(self, head: Head) -> list[Record]:
        """The rows in it that follow from ``head``. Where one does not, a copy of all is kept under another name."""
        rows = self.waiting()
        whole = len(rows) == self._lines
        following: list[Record] = []
        for record in rows:
            if record.seq <= head.seq:
                continue
            last = following[-1] if following else head
            if record.seq != last.seq + 1 or chain(last.hash, record.seq, record.draft) != record.hash:
                log.error("%s does not follow from record %d of the journal", self.file, last.seq)
                whole = False
                break
            following.append(record)
        if not whole:
            aside = self.file.with_name(f"{self.file.name}-{secrets.token_hex(4)}")
            with contextlib.suppress(OSError):
                shutil.copyfile(self.file, aside)
                self.aside = aside
        self._written = rows[-1].seq if rows else 0
        return following

    def waiting(self) -> list[Record]:
        """The rows in it, as they are."""
        try:
            if self.file.is_symlink() or self.file.stat().st_uid != os.getuid():
                return []
            return list(self._rows())
        except OSError:
            return []

    def _rows(self) -> Iterator[Record]:
        lines = self.file.read_bytes().splitlines()
        self._lines = len(lines)
        for line in lines:
            with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
                seq, game, kind, body, digest = _decode(line)
                if kind in KINDS and 0 < seq < NUMBERS:
                    yield Record(seq, game, kind, body.encode(), digest)  # type: ignore[arg-type]
