"""A journal that is not what was written: set aside as it is, and what can be read of it restored into a new one.

A row is taken over where its hash follows from the row before. Where rows are lost a seam is noted, and the chain
begins anew; a row that is not what was written counts as lost. The file itself is renamed, and never written to: it is
evidence.

Where the witness vouches that nothing is lost, nobody will notice: numbers go on. Else they go on after a leap, so that
none is given twice which a receiver may have seen before, and the journal has another name from there on, by which
receivers know that they have to begin anew.
"""

import contextlib
import itertools
import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.errors import JournalError, LogError
from controller.journal import pages, store
from controller.journal.hold import real, unopened
from controller.journal.pages import beside
from controller.journal.record import GENESIS, Head, Record, Seam, chain, decode_opening
from controller.journal.witness import Noted, hear
from controller.wire import decode_event, decode_input

BUILDING, BUILT = ".building", ".restored"  #: how a new file ends in name while it is written, and once it is complete
FAR = 10**6  #: so many records in front of the last one that can be read may an outlet have come


class RescuedJournal(Struct, frozen=True):
    path: Path
    aside: Path | None  #: where the file is now; None where it stayed in its place
    records: int  #: so many could be read
    lost: tuple[tuple[int, int], ...]  #: the first and the last number of each row of records that could not
    whole: bool = False  #: the witness vouches that nothing is lost; receivers need not begin anew
    why: str = "was damaged"

    def notice(self) -> JournalError:
        """What the arbiter has to know."""
        if self.lost:
            spans = ", ".join(f"{first}" if first == last else f"{first} to {last}" for first, last in self.lost)
            said = f"record {spans} is lost" if spans.isdecimal() else f"records {spans} are lost"
        else:
            said = "nothing is lost" if self.whole else "none is known to be lost"
        done, kept = "there", ""
        if self.aside is not None:
            done, kept = "restored", f"; the file is kept as {self.aside}"
        what = f"the journal {self.why}: {self.records} records are {done}, {said}{kept}"
        cause = "a failing card, or a change by another program or person"
        if self.whole:
            return JournalError(
                what, cause, "let nobody touch its files while jadoube runs; if nobody did, exchange the card"
            )
        remedy = "compare game and clocks with the board and the scoresheets; exchange the card after the round"
        return JournalError(what, cause, remedy)


class GoneRows(NamedTuple):
    """Rows that are not there any more, as ``gone`` has them."""

    first: int
    last: int
    hash: bytes
    game: str
    what: str
    day: str

    @property
    def sound(self) -> bool:
        """Whether a journal takes it."""
        return self.first <= self.last and len(self.hash) == 32 and self.what in ("touches", "game")


class Remembered(Struct, frozen=True):
    """What a journal says of itself beside its rows."""

    cursors: dict[str, int] = {}
    seams: tuple[Seam, ...] = ()
    origin: str | None = None
    gone: tuple[GoneRows, ...] = ()  #: what was let go by its age, in order

    def over(self, seq: int) -> GoneRows | None:
        """What record ``seq`` was let go with."""
        at = bisect_right(self.gone, seq, key=lambda span: span.first)
        return self.gone[at - 1] if at and self.gone[at - 1].last >= seq else None


def set_aside(
    path: Path,
    why: str = "was damaged",
    noted: Noted | None = None,
    more: Iterable[Record] = (),
    at_work: sqlite3.Connection | None = None,
    *,
    moved: bool = False,
) -> RescuedJournal:
    """Renames ``path`` and begins a new journal there with all that can be read. The caller holds the journal.

    ``noted``: how far it had come, where that is known; ``more``: rows that are known from elsewhere. ``at_work``: it
    is open, and what is not committed by then will be handed over again; ``moved``: the file at ``path`` is another one
    or none, so that what was written is read through that connection.
    Raises :exc:`JournalError` where the disk takes no new file; nothing has been renamed then.
    """
    now = datetime.now()
    aside = _free(path, f"{now:%Y%m%d-%H%M%S}")
    told = f"restored {now:%Y-%m-%d %H:%M:%S} from {aside.name}"
    new = beside(path, BUILDING)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove(new)
        before = _asked(path) if at_work is None else _said(at_work)
        found = _through(at_work) if moved and at_work is not None else pages.rows(path)
        if at_work is not None and noted is not None:
            found = (record for record in found if record.seq <= noted.seq)
        restored = _build(path, new, told, before, itertools.chain(found, more), noted)
        new.rename(beside(path, BUILT))
        store.sync_folder(path.parent)
        _exchange(path, aside)
    except (sqlite3.Error, OSError) as error:
        raise unopened(path, f"it {why}, and no new one can be made: {error}") from error
    return replace(restored, aside=aside if aside.exists() else None, why=why)


def finish(path: Path) -> None:
    """Ends what a power cut interrupted: of a file being built nothing is kept, of an exchange the rest is done."""
    try:
        _remove(beside(path, BUILDING))
        if beside(path, BUILT).exists():
            _exchange(path, _free(path, f"{datetime.now():%Y%m%d-%H%M%S}"))
    except OSError as error:
        raise unopened(path, error.strerror or str(error)) from error


def unseen(path: Path, head: Head) -> None:
    """Raises :exc:`DamageError` where a row stands behind ``head``, the last that SQLite sees: its log is damaged."""
    last = head
    for record in _in_order(record for record in pages.rows(real(path)) if record.seq > head.seq):
        if record.seq == last.seq + 1 and _follows(last.hash, record):
            last = Head(record.seq, record.hash)
    if last != head:
        raise store.damaged(
            path, f"records {head.seq + 1} to {last.seq} stand in its log, and SQLite does not see them"
        )


def salvage(path: Path, new: Path) -> RescuedJournal:
    """Puts all that can be read of ``path`` into a journal ``new``, and leaves ``path`` where it is.

    Raises :exc:`JournalError` where the disk takes no new file.
    """
    try:
        told = f"read {datetime.now():%Y-%m-%d %H:%M:%S} from {path.name}"
        return _build(path, new, told, _asked(path), pages.rows(real(path)), hear(path).noted)
    except (sqlite3.Error, OSError) as error:
        raise unopened(new, str(error)) from error


def _remove(new: Path) -> None:
    for suffix in ("", "-journal"):
        beside(new, suffix).unlink(missing_ok=True)


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
    beside(path, BUILT).rename(path)
    store.sync_folder(path.parent)


def _build(
    path: Path, new: Path, told: str, before: Remembered, found: Iterable[Record], noted: Noted | None
) -> RescuedJournal:
    """Where ``noted`` is among the rows, and there is no gap, nothing is lost."""
    connection = sqlite3.connect(new)
    known = {(seam.seq, seam.before): seam for seam in before.seams}
    with contextlib.closing(connection):
        connection.execute("PRAGMA synchronous = FULL")
        store.migrate(connection, new)
        back: set[tuple[str]] = set()
        last, records, lost, met = Head(0, GENESIS), 0, [], noted is not None and noted.seq == 0
        with connection:
            for record, seam in _proven(_in_order(found), told, noted.reached if noted is not None else 0, before):
                while (span := before.over(last.seq + 1)) is not None and span.last < record.seq:
                    note = span._replace(first=last.seq + 1)
                    connection.execute("INSERT INTO gone VALUES (?, ?, ?, ?, ?, ?)", note)
                    last = Head(span.last, span.hash)
                if before.over(record.seq) is not None:
                    back.add((record.game,))
                if seam is not None:
                    earlier = known.pop((seam.seq, seam.before), None)
                    store.sew(connection, earlier or seam)
                    if earlier is None:
                        lost.append((last.seq + 1, record.seq - 1))
                store.add(connection, record)
                last, records = Head(record.seq, record.hash), records + 1
                met = met or (noted is not None and last == Head(noted.seq, noted.hash))
            reached = max(last.seq, noted.reached if noted is not None else _reached(before, last))
            if reached > last.seq:
                lost.append((last.seq + 1, reached))
            for seam in known.values():  # that nothing follows yet
                if seam.seq > last.seq:
                    store.sew(connection, seam)
                    reached = max(reached, seam.seq - 1)
            whole = met and not lost
            if whole and before.origin is not None:
                store.rename(connection, last.seq + 1, before.origin)
            elif not whole:
                store.part(connection, Head(reached, last.hash), told)
            # What had been let go, and was still found, is to go once more.
            connection.executemany("UPDATE gone SET day = '' WHERE game = ?", back)
            # A cursor goes back to the last record that is there.
            there = "INSERT INTO cursor SELECT ?, coalesce(max(seq), 0) FROM record WHERE seq <= ?"
            connection.executemany(there, before.cursors.items())
    return RescuedJournal(path, path, records, tuple(lost), whole)


def _reached(before: Remembered, last: Head) -> int:
    """As far as the outlets had come, for what it is worth: this is read from a damaged file."""
    return max([last.seq, *(seq for seq in before.cursors.values() if seq <= last.seq + FAR)])


def _asked(path: Path) -> Remembered:
    """What the journal says of itself, if that can be read."""
    try:
        with contextlib.closing(store.connect_to_read(path)) as connection:
            return _said(connection)
    except (*store.ERRORS, JournalError, OSError):
        return Remembered()


def _said(connection: sqlite3.Connection) -> Remembered:
    def rows(statement: str) -> list[tuple[Any, ...]]:
        try:
            return list(connection.execute(statement))
        except store.ERRORS:
            return []

    cursors = [row for row in rows("SELECT outlet, seq FROM cursor") if store.like(row, store.CURSOR)]
    seams = rows("SELECT seq, before, told FROM seam ORDER BY seq")
    spans = [GoneRows(*row) for row in rows("SELECT first, last, hash, game, what, day FROM gone")]
    names = [row for row in rows("SELECT name FROM origin ORDER BY seq DESC LIMIT 1") if store.like(row, store.ORIGIN)]
    return Remembered(
        {outlet: seq for outlet, seq in cursors if 0 <= seq < pages.NUMBERS},
        tuple(Seam(*row) for row in seams if store.like(row, store.SEAM) and row[0] < pages.NUMBERS),
        names[0][0] if names else None,
        tuple(sorted(span for span in spans if store.like(span, (*store.GONE, str, str, str)) and span.sound)),
    )


def _through(connection: sqlite3.Connection) -> Iterator[Record]:
    """The rows as an open journal has them, up to one that cannot be read."""
    with contextlib.suppress(*store.ERRORS):
        for row in connection.execute("SELECT * FROM record ORDER BY seq"):
            if store.like(row, store.RECORD):
                seq, game, kind, body, digest = row
                yield Record(seq, game, kind, body.encode(), digest)


def _in_order(found: Iterable[Record]) -> Iterator[Record]:
    """By their numbers; sorted on the disk, for a journal may be larger than the memory of a small Pi."""
    with contextlib.closing(sqlite3.connect("")) as sorter:  # a temporary file
        sorter.execute("CREATE TABLE found (seq, game, kind, body, hash, PRIMARY KEY (seq, hash, body))")
        rows = ((r.seq, r.game, r.kind, r.body, r.hash) for r in found)
        sorter.executemany("INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?, ?)", rows)
        for row in sorter.execute("SELECT * FROM found ORDER BY seq"):
            yield Record(*row)


def _proven(found: Iterable[Record], told: str, reached: int, said: Remembered) -> Iterator[tuple[Record, Seam | None]]:
    """The rows that are what was written, as far as their hashes can tell, with the seams before them.

    Behind a gap the first cannot be proven. It counts where the next one follows from it, or its number was
    ``reached``. What was let go, and is still found in part, counts only as far as it is proven.
    """
    last = Head(0, GENESIS)
    denied: Head | None = None  # the row before, which is not what was written; its hash may be
    groups = (list(group) for _, group in groupby(found, lambda record: record.seq))
    for candidates, following in pairwise(itertools.chain(groups, [[]])):
        seq = candidates[0].seq
        while (span := said.over(last.seq + 1)) is not None and span.last < seq:
            last = Head(span.last, span.hash)
        befores = [last.hash, *([denied.hash] if denied is not None and denied.seq == seq - 1 else [])]
        proven = [(r, before) for before in befores for r in candidates if _follows(before, r)]
        proven.sort(key=lambda one: not _bears(one[0], following, True))  # of several the one that others follow from
        likely = [
            (r, None) for r in candidates if last.seq < seq - 1 and _sound(r) and _bears(r, following, r.seq <= reached)
        ]
        if not proven and said.over(seq) is not None:
            continue
        if not proven and not likely:
            denied = Head(seq, candidates[-1].hash)
            continue
        record, before = (proven or likely)[0]
        yield record, None if last.seq == seq - 1 else Seam(seq, before, told)
        last = Head(seq, record.hash)


def _follows(before: bytes, record: Record) -> bool:
    return chain(before, record.seq, record.draft) == record.hash


def _bears(record: Record, following: Iterable[Record], alone: bool) -> bool:
    """Whether the next row follows from the hash of this one; ``alone``, also where there is none."""
    following = [other for other in following if other.seq == record.seq + 1]
    return any(_follows(record.hash, other) for other in following) or (alone and not following)


def _sound(record: Record) -> bool:
    """Whether such a row makes sense at least."""
    read = {"game": decode_opening, "input": decode_input, "event": decode_event}[record.kind]
    try:
        read(record.body)
    except (LogError, msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True
