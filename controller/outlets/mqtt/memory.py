"""What a board keeps for its broker beyond a restart: the name by which it is known there, and up to when it has taken
signed commands.

A file beside the journal, which is not the place for it: a command is used up before it is carried out, also one that
is then refused, and that is to be known whatever becomes of the journal. The file has two halves, written in turn, each
with its number and hash. So it is written in place, also where the disk is full, and a half that was being written when
the power went leaves the other one. Where a half is not whole, or there is no file, something may be forgotten: then
nothing counts that was signed up to a minute after that was found out, for a signer's clock may be ahead so far.
"""

import asyncio
import hashlib
import logging
import os
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.errors import AccessError, JournalError
from controller.journal.hold import TAKES_NOTHING, unwritable

log = logging.getLogger(__name__)

HALF = 8192  #: bytes
AHEAD_MS = OLD_MS = 60_000  #: so far may a signer's clock be from ours, and the way of a command take


class _Kept(Struct, frozen=True):
    number: int  #: of the halves the one with the higher number counts
    name: str
    latest: int  #: the highest ``at`` of any command taken
    floor: int  #: nothing counts that was signed up to then
    taken: dict[str, int]  #: the last ``at`` of each signer, as far as others may still count


class Memory:
    """Kept in the file ``path``; ``now_ms``: since 1970. Times are those that signers name.

    Belongs to the thread of the event loop; the file is written in another.

    Raises :exc:`JournalError` where the file cannot be read or made; :exc:`StorageError` where the disk takes nothing.
    """

    def __init__(self, path: Path, now_ms: int) -> None:
        self.path = path
        self._writing = threading.Lock()
        try:
            halves = [*_whole(path.read_bytes()[: 2 * HALF])] if path.exists() else []
            self._kept = max(halves, key=lambda half: half.number, default=_Kept(0, secrets.token_hex(8), 0, 0, {}))
            self._number, self._safe = self._kept.number, self._kept
            if len(halves) < 2:
                said = "%s is %s: no signed command counts for a minute"
                log.info(said, path, "new" if not halves else "not whole")
                self._kept = msgspec.structs.replace(self._kept, floor=max(self._kept.floor, now_ms + AHEAD_MS))
                self._write()
                self._write()
        except OSError as error:
            if error.errno in TAKES_NOTHING:
                raise unwritable(path, error.strerror or str(error)) from error
            raise JournalError(
                f"{path} cannot be read and written: {error.strerror}",
                "the folder of the journal belongs to another user, or is read-only",
                f"ls -ld {path.parent}",
            ) from error

    @property
    def name(self) -> str:
        """Chosen by chance, once: nobody else is to guess it."""
        return self._kept.name

    @property
    def latest(self) -> int:
        """The highest time of any command taken: about so late it is at least, whatever the clock of the board says."""
        return self._kept.latest

    @property
    def floor(self) -> int:
        """Nothing counts that was signed up to then: it may have been used, and forgotten."""
        return self._kept.floor

    def last(self, signer: str) -> int:
        """The time of the last command that was taken of him, as far as one like it may still count."""
        return self._kept.taken.get(signer, 0)

    def take(self, signer: str, at: int) -> None:
        """A command of that time is used up; certain only after :meth:`keep`."""
        latest = max(self._kept.latest, at)
        counts = latest - AHEAD_MS - OLD_MS  # what is older is refused as old for ever
        taken = {one: last for one, last in (self._kept.taken | {signer: at}).items() if last >= counts}
        self._kept = msgspec.structs.replace(self._kept, latest=latest, taken=taken)

    async def keep(self) -> None:
        """Returns once all that was taken is safe. Raises :exc:`AccessError` where it cannot be made so."""
        if self._kept is self._safe:
            return
        try:
            await asyncio.to_thread(self._write)
        except OSError as error:
            raise AccessError(
                f"that the command was given cannot be noted: {error.strerror}",
                "the disk is read-only or failing; a signed command is carried out only if it cannot be used again",
                f"df -h {self.path.parent}; rule on the arbiter's page",
            ) from error

    def _write(self) -> None:
        with self._writing:
            kept, number = self._kept, self._number + 1
            text = msgspec.json.encode(msgspec.structs.replace(kept, number=number))
            half = (hashlib.sha256(text).hexdigest().encode() + b" " + text).ljust(HALF)
            if len(half) > HALF:
                raise OSError(0, "too many sign at once")
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                os.pwrite(file, half, HALF * (number % 2))
                os.fsync(file)
            finally:
                os.close(file)
            self._number, self._safe = number, kept  # where it failed, the same half is tried again, not the good one


def _whole(data: bytes) -> Iterator[_Kept]:
    """The halves that are whole."""
    for place in (0, HALF):
        digest, _, text = data[place : place + HALF].strip().partition(b" ")
        if hashlib.sha256(text).hexdigest().encode() == digest:
            yield msgspec.json.decode(text, type=_Kept)
