"""A damaged journal: set aside as it is, and what can be read of it restored into a new one.

A row is taken over where its hash follows from the row before. Where rows are lost a seam is noted, and the chain
begins anew; a row that is not what was written counts as lost. The numbers after the restored rows are left out in a
leap, so that none is given twice which a receiver may have seen before the damage. The file itself is renamed, and
never written to: it is evidence.
"""

import contextlib
import itertools
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby, pairwise
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.contract import decode_event, decode_input
from controller.errors import JournalError, LogError
from controller.journal import pages, store
from controller.journal.pages import beside
from controller.journal.record import GENESIS, Head, Record, Seam, chain, decode_opening

LEAP = 1000  #: numbers left out, more than a daemon writes before an outlet's cursor is written


class Restored(Struct, frozen=True):
    """What came of it."""

    path: Path
    aside: Path  #: where the damaged file is now
    records: int  #: so many could be read
    lost: tuple[tuple[int, int], ...]  #: the first and the last number of each row of records that could not

    def notice(self) -> JournalError:
        """What the arbiter has to know."""
        if self.lost:
            spans = ", ".join(f"{first}" if first == last else f"{first} to {last}" for first, last in self.lost)
            said = f"record {spans} is lost" if spans.isdecimal() else f"records {spans} are lost"
        else:
            said = "none is known to be lost"
        return JournalError(
            f"the journal was damaged: {self.records} records are restored, {said}; the file is kept as {self.aside}",
            "a failing card, or a change by another program",
            "compare game and clocks with the board and the scoresheets; exchange the card after the round",
        )


def set_aside(path: Path) -> Restored:
    """Renames ``path`` and begins a new journal there with all that can be read. The caller holds the journal.

    Raises :exc:`JournalError` where the disk takes no new file; nothing has been renamed then.
    """
    now = datetime.now()
    aside = _free(path, f"{now:%Y%m%d-%H%M%S}")
    new = _new(path)
    new.unlink(missing_ok=True)
    try:
        restored = _build(path, new, aside, f"restored {now:%Y-%m-%d %H:%M:%S} from {aside.name}")
        _exchange(path, aside)
    except (sqlite3.Error, OSError) as error:
        raise store.unopened(path, f"it is damaged, and no new one can be made: {error}") from error
    return restored


def finish(path: Path) -> None:
    """Ends what a power cut interrupted: of a file being built nothing is kept, of an exchange the rest is done."""
    if _new(path).exists():
        try:
            if path.exists():
                _new(path).unlink()
            else:
                _exchange(path, _free(path, f"{datetime.now():%Y%m%d-%H%M%S}"))
        except OSError as error:
            raise store.unopened(path, str(error)) from error


def salvage(path: Path, new: Path) -> Restored:
    """Puts all that can be read of ``path`` into a journal ``new``, and leaves ``path`` where it is.

    Raises :exc:`JournalError` where the disk takes no new file.
    """
    try:
        return _build(path, new, path, f"read {datetime.now():%Y-%m-%d %H:%M:%S} from {path.name}")
    except (sqlite3.Error, OSError) as error:
        raise store.unopened(new, str(error)) from error


def _new(path: Path) -> Path:
    return beside(path, ".restored")


def _free(path: Path, when: str) -> Path:
    """A name that no file has yet."""
    names = (beside(path, f".damaged-{when}{again}") for again in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(name for name in names if not any(beside(name, suffix).exists() for suffix in ("", "-wal")))


def _exchange(path: Path, aside: Path) -> None:
    """The new file takes the place of the old one, last of all: before that it is clear what is still to be done."""
    if path.exists():
        path.rename(aside)
    for suffix in ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            beside(path, suffix).rename(beside(aside, suffix))
    _new(path).rename(path)
    store.sync_folder(path.parent)


def _build(path: Path, new: Path, aside: Path, told: str) -> Restored:
    cursors, connection = _cursors(path), sqlite3.connect(new)
    with contextlib.closing(connection):
        connection.execute("PRAGMA synchronous = FULL")
        store.migrate(connection, new)
        last, records, lost = Head(0, GENESIS), 0, []
        with connection:
            for record, seam in _proven(_in_order(pages.rows(path)), told):
                if seam is not None:
                    _sew(connection, seam)
                if record.seq > last.seq + 1:
                    lost.append((last.seq + 1, record.seq - 1))
                row = (record.seq, record.game, record.kind, record.body.decode(), record.hash)
                connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?)", row)
                last, records = Head(record.seq, record.hash), records + 1
            reached = max([last.seq, *cursors.values()])
            if reached > last.seq:
                lost.append((last.seq + 1, reached))
            _sew(connection, Seam(reached + 1 + LEAP, last.hash, told))
            # A cursor goes back to the last record that is there.
            back = "INSERT INTO cursor SELECT ?, coalesce(max(seq), 0) FROM record WHERE seq <= ?"
            connection.executemany(back, cursors.items())
    return Restored(path, aside, records, tuple(lost))


def _sew(connection: sqlite3.Connection, seam: Seam) -> None:
    connection.execute("INSERT INTO seam VALUES (?, ?, ?)", (seam.seq, seam.before, seam.told))


def _cursors(path: Path) -> dict[str, int]:
    """How far the outlets had come, if that can be read; else they begin with the game in progress."""
    try:
        with contextlib.closing(store.connect_to_read(path)) as connection:
            return dict(connection.execute("SELECT outlet, seq FROM cursor"))
    except (sqlite3.Error, JournalError):
        return {}


def _in_order(found: Iterable[Record]) -> Iterator[Record]:
    """By their numbers; sorted on the disk, for a journal may be larger than the memory of a small Pi."""
    with contextlib.closing(sqlite3.connect("")) as sorter:  # a temporary file
        sorter.execute("CREATE TABLE found (seq, game, kind, body, hash, PRIMARY KEY (seq, hash, body))")
        rows = ((r.seq, r.game, r.kind, r.body, r.hash) for r in found)
        sorter.executemany("INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?, ?)", rows)
        for row in sorter.execute("SELECT * FROM found ORDER BY seq"):
            yield Record(*row)


def _proven(found: Iterable[Record], told: str) -> Iterator[tuple[Record, Seam | None]]:
    """The rows that are what was written, as far as their hashes can tell, with the seams before them."""
    last = Head(0, GENESIS)
    denied: Head | None = None  # the row before, which is not what was written; its hash may be
    groups = (list(group) for _, group in groupby(found, lambda record: record.seq))
    for candidates, following in pairwise(itertools.chain(groups, [[]])):
        seq = candidates[0].seq
        befores = [last.hash, *([denied.hash] if denied is not None and denied.seq == seq - 1 else [])]
        proven = [(r, before) for before in befores for r in candidates if _follows(before, r)]
        likely = [(r, None) for r in candidates if last.seq < seq - 1 and _sound(r) and _bears(r, following)]
        if not proven and not likely:
            denied = Head(seq, candidates[-1].hash)
            continue
        record, before = (proven or likely)[0]
        yield record, None if last.seq == seq - 1 else Seam(seq, before, told)
        last = Head(seq, record.hash)


def _follows(before: bytes, record: Record) -> bool:
    return chain(before, record.seq, record.draft) == record.hash


def _bears(record: Record, following: Iterable[Record]) -> bool:
    """Whether the next row, if it is there, follows from the hash of a row that nothing else can prove."""
    following = [other for other in following if other.seq == record.seq + 1]
    return not following or any(_follows(record.hash, other) for other in following)


def _sound(record: Record) -> bool:
    """Whether such a row makes sense at least."""
    read = {"game": decode_opening, "input": decode_input, "event": decode_event}[record.kind]
    try:
        read(record.body)
    except (LogError, msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True
