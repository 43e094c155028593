"""What goes by its age: first the touches of a game, then all of it. What stands is proven as before.

Rows are taken out in spans, each noted in ``gone`` with the hash of its last row, from which the next row follows: so
whoever was told a hash later than that can still prove all that stands. Of a game whose touches are gone its opening
stays, and what makes its score. Never taken are the last game of each board, and what an outlet has yet to send.

The time of day may be wrong, on a Pi without a network by decades. A date before :data:`EARLIEST` or after now counts
as unknown; no game counts as older than one before it; and nothing goes at once, but what was too old a day ago.
"""

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.contract import Clock, Completed, Displaced, Interrupted, Match, Move, Restored, Result, Retract, Stock
from controller.journal import store
from controller.journal.reading import Reader
from controller.journal.record import Opening

EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)  #: no clock that is right is before it
GRACE = timedelta(days=1)  #: so long after it was first found too old something goes
AT_ONCE = 300  #: rows that go in one step, which keeps the disk busy for some hundredths of a second
SCORE = frozenset(
    kind.__struct_config__.tag
    for kind in (Move, Retract, Completed, Clock, Displaced, Restored, Result, Stock, Match, Interrupted)
)
"""The events of which a score is made, and by which it is known at what time of day."""

Due = tuple[str, str]
"""``touches`` or ``game``, and which game; ``file``, and its name."""


RowSpan = tuple[int, int, bytes]
"""The first row, the last, and its hash."""


class _Typed(Struct):
    type: str = ""


_typed = msgspec.json.Decoder(_Typed)


class Keeper:
    """Of the journal ``path``, beside the thread that writes to it. Days count from when a game began."""

    def __init__(self, path: Path, touches_days: int, names_days: int) -> None:
        self._path = path
        self._touches = timedelta(days=touches_days)
        self._names = timedelta(days=names_days)

    def steps(self, now: datetime, sent: int) -> Generator[int, None, None]:
        """Lets go what is due ``now``, of what lies before record ``sent``: a little with each step.

        Yields the last number that went. Raises :exc:`JournalError`, :exc:`sqlite3.Error` and :exc:`OSError`.
        """
        with closing(store.connect(self._path)) as connection:
            connection.execute("PRAGMA secure_delete = ON")  # what goes is overwritten with zeros
            found = [*self._old(connection, now, sent), *self._old_files(now)]
            ripe = dict.fromkeys([*_begun(connection), *_ripe(connection, now, found)])
            for what, name in ripe:
                if what == "file":
                    (self._path.parent / name).unlink(missing_ok=True)
                else:
                    yield from _let_go(connection, what, name)
            if ripe and _folded(connection):
                with connection:
                    for what, name in ripe:
                        _close_up(connection, what, name, now)
                store.make_room(connection, self._path)

    def _old(self, connection: sqlite3.Connection, now: datetime, sent: int) -> Iterator[Due]:
        openings = list(Reader(connection, self._path).openings())
        last = {opening.board: opening.game for opening in openings}
        for opening, began in _dated(openings, now):
            (end,) = connection.execute("SELECT max(seq) FROM record WHERE game = ?", (opening.game,)).fetchone()
            if opening.game == last[opening.board] or end >= sent:
                continue
            if now - began >= self._names:
                yield "game", opening.game
            elif now - began >= self._touches and not _finished(connection, opening.game):
                yield "touches", opening.game

    def _old_files(self, now: datetime) -> Iterator[Due]:
        """What was set aside as damaged holds touches and names, too."""
        for path in self._path.parent.glob(f"{self._path.name}.damaged-*"):
            if EARLIEST <= datetime.fromtimestamp(path.stat().st_mtime, UTC) <= now - self._names:
                yield "file", path.name


def _dated(openings: Sequence[Opening], now: datetime) -> Iterator[tuple[Opening, datetime]]:
    """Each game with when it began, at the latest. One that no date is known of is as old as the next one; the last of
    them are left out.
    """
    known: list[datetime | None] = []
    latest = EARLIEST
    for opening in openings:
        began = datetime.fromisoformat(opening.started)
        began = began if began.tzinfo else began.replace(tzinfo=UTC)
        credible = EARLIEST <= began <= now
        latest = max(latest, began) if credible else latest
        known.append(latest if credible else None)
    following = None
    for opening, date in zip(reversed(openings), reversed(known), strict=True):
        following = date or following
        if following is not None:
            yield opening, following


def _finished(connection: sqlite3.Connection, game: str) -> bool:
    """Whether the touches of a game are gone."""
    return connection.execute("SELECT 1 FROM gone WHERE game = ? AND day != ''", (game,)).fetchone() is not None


def _begun(connection: sqlite3.Connection) -> list[Due]:
    """Of what a part went when a game began or the power failed; or it went, and stood in the write-ahead log still."""
    return list(connection.execute("SELECT DISTINCT what, game FROM gone WHERE day = '' ORDER BY first"))


def _ripe(connection: sqlite3.Connection, now: datetime, found: Iterable[Due]) -> list[Due]:
    """What of it was too old a day ago; all of it is noted, and what is too old no more is not. What was noted by a
    clock that was ahead is noted by this one.
    """
    noted = connection.execute("SELECT what, name, since FROM due")
    before = {(what, name): datetime.fromisoformat(since) for what, name, since in noted}
    due = {each: min(before.get(each, now), now) for each in found}
    with connection:
        connection.execute("DELETE FROM due")
        rows = ((*each, since.isoformat()) for each, since in due.items())
        connection.executemany("INSERT INTO due VALUES (?, ?, ?)", rows)
    return [each for each, since in due.items() if now - since >= GRACE]


def _let_go(connection: sqlite3.Connection, what: str, game: str) -> Iterator[int]:
    """From the end to the beginning, so that a game which is not quite gone is one still; each step is a commit."""
    rows = connection.execute("SELECT seq, kind, body, hash FROM record WHERE game = ? ORDER BY seq", (game,))
    going = [(seq, digest) for seq, kind, body, digest in rows if what == "game" or not _of_score(kind, body)]
    while going:
        some, going = going[-AT_ONCE:], going[:-AT_ONCE]
        with connection:
            for first, last, digest in _joined((seq, seq, digest) for seq, digest in some):
                note = "INSERT INTO gone VALUES (?, ?, ?, ?, ?, '')"
                connection.execute(note, (first, last, digest, game, what))
                connection.execute("DELETE FROM record WHERE seq BETWEEN ? AND ?", (first, last))
        yield some[-1][0]


def _folded(connection: sqlite3.Connection) -> bool:
    """Takes out of the write-ahead log what went and stands there still; False where somebody is reading it."""
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def _of_score(kind: str, body: str) -> bool:
    return kind == "game" or (kind == "event" and _typed.decode(body).type in SCORE)


def _close_up(connection: sqlite3.Connection, what: str, name: str, now: datetime) -> None:
    """Notes that it is done. Spans that follow each other are joined: a game that is gone leaves one."""
    connection.execute("DELETE FROM due WHERE what = ? AND name = ?", (what, name))
    spans = connection.execute("SELECT first, last, hash FROM gone WHERE game = ? ORDER BY first", (name,))
    joined = list(_joined(spans))
    connection.execute("DELETE FROM gone WHERE game = ?", (name,))
    rows = ((*span, name, what, f"{now:%Y-%m-%d}") for span in joined)
    connection.executemany("INSERT INTO gone VALUES (?, ?, ?, ?, ?, ?)", rows)


def _joined(spans: Iterable[RowSpan]) -> Iterator[RowSpan]:
    before: RowSpan | None = None
    for first, last, digest in spans:
        if before is not None and first == before[1] + 1:
            before = (before[0], last, digest)
            continue
        if before is not None:
            yield before
        before = (first, last, digest)
    if before is not None:
        yield before
