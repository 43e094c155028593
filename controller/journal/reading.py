"""Reading a journal, and proving that it says what was written."""

import heapq
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from controller.errors import JournalError
from controller.journal.record import GENESIS, Gone, Head, Opening, Record, Seam, chain, decode_board, decode_opening
from controller.journal.store import CURSOR, ERRORS, GONE, ORIGIN, RECORD, SEAM, damaged, explained, like, unknown
from controller.journal.witness import Noted

WHOLE = 2**26  #: bytes; a larger journal is not gone through whole at each start: a slow card needs 50 ms for 1 MB
LATELY = 30_000  #: rows whose hashes are computed anew at each start; 0.07 s on a virtual machine


class Proof(Struct, frozen=True):
    """What a chain was found to hold."""

    records: int
    head: Head
    seams: tuple[Seam, ...] = ()  #: those that were passed: rows were lost there
    gone: int = 0  #: rows besides, that were let go by their age


class LetGo(Struct, frozen=True):
    """What went on one day."""

    day: str
    what: str  #: the ``touches`` of so many games, or of each the ``game``
    games: int
    records: int


class Reader:
    """Reads the journal ``path`` through ``connection``. For one thread.

    Each method raises :exc:`JournalError` where the file cannot be read, :exc:`DamageError` where it is damaged.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self.schema = 0  #: it had when it was opened, before it was brought up to date; 0 for a new one
        # since schema 2
        seams = self._of(SEAM, "SELECT seq, before, told FROM seam") if self._has("seam") else ()
        #: by the number of the row that follows
        self.seams = {seq: Seam(seq, before, told) for seq, before, told in seams}

    def close(self) -> None:
        self._connection.close()

    def after(self, seq: int, limit: int) -> list[Record]:
        """Up to ``limit`` records that follow ``seq``, in order."""
        return list(self._records("WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit))

    def after_on(self, board: str, seq: int, limit: int) -> list[Record]:
        """Up to ``limit`` records of ``board`` that follow ``seq``, in order: there its games follow each other."""
        games: list[str] = []
        for opening in self._openings_on(board):
            games.append(opening.game)
            if opening.seq <= seq:
                break
        found: list[Record] = []
        for game in reversed(games):
            where = "WHERE game = ? AND seq > ? ORDER BY seq LIMIT ?"
            found += self._records(where, game, seq, limit - len(found))
            if len(found) == limit:
                break
        return found

    def boards(self) -> dict[str, tuple[str, int]]:
        """Of each board the game begun there last, and the last record of it."""
        last: dict[str, str] = {}
        for record in self._records("WHERE kind = 'game' ORDER BY seq"):
            last[_board_of(record)] = record.game
        ends = "SELECT max(seq) FROM record WHERE game = ?"
        return {board: (game, int(next(self._rows(ends, game))[0])) for board, game in last.items()}

    def game(self, game: str) -> Iterator[Record]:
        """All records of one game, in order."""
        return self._records("WHERE game = ? ORDER BY seq", game)

    def opening(self, game: str) -> Opening:
        """What ``game`` is. Raises :exc:`JournalError` when there is no such game."""
        for record in self._records("WHERE game = ? AND kind = 'game'", game):
            return self._read(record)
        raise JournalError(f"there is no game {game} in {self._path}")

    def last_game(self, board: str) -> Opening | None:
        """The game begun last on ``board``; None where there was none."""
        for record in self._openings_on(board):
            return self._read(record)
        return None

    def games_after(self, board: str, seq: int) -> list[str]:
        """The games on ``board`` of which a record follows ``seq``, in order: there they follow each other."""
        found: list[str] = []
        for opening in self._openings_on(board):
            if opening.seq <= seq:
                last = next(self._rows("SELECT max(seq) FROM record WHERE game = ?", opening.game))[0]
                return [opening.game, *found] if last > seq else found
            found.insert(0, opening.game)
        return found

    def openings(self) -> Iterator[Opening]:
        """All games, in the order in which they began."""
        return (self._read(record) for record in self._records("WHERE kind = 'game' ORDER BY seq"))

    def count(self) -> int:
        """How many rows there are."""
        return int(next(self._rows("SELECT count(*) FROM record"))[0])

    def cursors(self) -> dict[str, int]:
        """How far each outlet is known to have come; none further than there are rows, whatever a damaged page says."""
        head = self.head().seq
        return {outlet: min(seq, head) for outlet, seq in self._of(CURSOR, "SELECT outlet, seq FROM cursor")}

    def head(self) -> Head:
        """The last row."""
        for record in self._records("ORDER BY seq DESC LIMIT 1"):
            return Head(record.seq, record.hash)
        return Head(0, GENESIS)

    def end(self) -> Head:
        """What the next row follows from: the last one; after a seam that nothing follows yet, by a leap of numbers."""
        last = self.head()
        return Head(max([last.seq, *(seq - 1 for seq in self.seams)]), last.hash)

    def origin(self) -> str:
        """By what the journal is known."""
        return str(next(self._of(ORIGIN, "SELECT name FROM origin ORDER BY seq DESC LIMIT 1"))[0])

    def origins(self) -> list[str]:
        """All names by which it was known."""
        return [str(name) for (name,) in self._of(ORIGIN, "SELECT name FROM origin ORDER BY seq")]

    def check(self, noted: Noted | None = None) -> None:
        """What is looked at at each start: the pages, unless there are too many, the chain of the last game and of what
        came lately, what it says of itself, and whether all is there that was ``noted``. Raises :exc:`DamageError`.
        """
        size = self._rows("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        if next(size)[0] <= WHOLE:
            self.check_pages()
        last = next(self._rows("SELECT max(seq) FROM record WHERE kind = 'game'"))[0]
        self.verify(since=max(1, min(last or 1, self.head().seq - LATELY)))
        self.cursors()
        if self._has("origin"):  # since schema 3
            self.origin()
        self.check_end(noted)

    def check_end(self, noted: Noted | None) -> None:
        """Raises :exc:`DamageError` where the last row that was ``noted`` is not there."""
        if noted is None or not noted.seq:
            return
        head = self.head()
        if head.seq < noted.seq:
            raise damaged(self._path, f"it ends with record {head.seq}, and had come to {noted.seq}")
        if [noted.hash] != [record.hash for record in self.after(noted.seq - 1, 1) if record.seq == noted.seq]:
            raise damaged(self._path, f"record {noted.seq} is not the one that was written")

    def check_pages(self) -> None:
        """Goes through all pages of the file. Raises :exc:`DamageError` where they do not fit together."""
        for (found,) in self._rows("PRAGMA integrity_check(1)"):
            if found != "ok":
                raise damaged(self._path, str(found).replace("\n", ", "))

    def verify(self, since: int = 1) -> Proof:
        """Recomputes the hashes from record ``since`` on.

        Raises :exc:`DamageError` naming the first row that is missing or is not what was written. Where rows were lost
        before a restoration the chain begins anew, and the proof says so. Rows that were let go are taken at their
        hash, from which the next row follows.
        """
        last, expected, number, gone, passed = GENESIS, since, 0, 0, []
        for record in self._records("WHERE seq = ?", since - 1):
            last = record.hash
        for span in self._gone("WHERE first < ? AND last >= ?", since, since - 1):  # the row after that is the first
            last, expected, since = span.hash, span.last + 1, span.last + 1
        rows = self._records("WHERE seq >= ? ORDER BY seq", since)
        spans = self._gone("WHERE first >= ? ORDER BY first", since)
        items: Iterator[Record | Gone] = heapq.merge(rows, spans, key=lambda item: item.seq)
        for item in items:
            seam = self.seams.get(item.seq)
            if seam is not None:
                passed.append(seam)
                last = seam.before or last
            elif item.seq != expected:
                raise damaged(self._path, f"record {expected} is missing")
            if isinstance(item, Gone):
                last, expected, gone = item.hash, item.last + 1, gone + item.last + 1 - item.seq
                continue
            proven = seam is not None and seam.before is None
            if not proven and chain(last, item.seq, item.draft) != item.hash:
                raise damaged(self._path, f"record {item.seq} is not what was written")
            last, expected, number = item.hash, item.seq + 1, number + 1
        return Proof(number, Head(expected - 1, last), tuple(passed), gone)

    def let_go(self) -> list[LetGo]:
        """What went by its age, day by day."""
        count = (
            "SELECT day, what, count(DISTINCT game), sum(last + 1 - first) FROM gone GROUP BY day, what ORDER BY day"
        )
        return [LetGo(*row) for row in self._rows(count)] if self._has("gone") else []

    def scores(self) -> set[str]:
        """The games of which there is the score, and no touch any more."""
        return {game for (game,) in self._rows("SELECT DISTINCT game FROM gone")} if self._has("gone") else set()

    def gone_after(self, seq: int) -> tuple[int, int] | None:
        """The first and the last of the records after ``seq`` that were let go; None where none was."""
        for first, last in self._rows("SELECT min(first), max(last) FROM gone WHERE last > ?", seq):
            return None if first is None else (max(first, seq + 1), last)
        return None

    def _read(self, record: Record) -> Opening:
        try:
            return decode_opening(record.body)
        except msgspec.DecodeError as error:
            raise unknown(record.seq, "opening", str(error)) from error

    def _openings_on(self, board: str) -> Iterator[Record]:
        """The first record of each game on ``board``, the last game first."""
        for record in self._records("WHERE kind = 'game' ORDER BY seq DESC"):
            if _board_of(record) == board:
                yield record

    def _gone(self, where: str, *values: object) -> Iterator[Gone]:
        if self._has("gone"):  # since schema 4
            for row in self._of(GONE, f"SELECT first, last, hash FROM gone {where}", *values):
                yield Gone(*row)

    def _has(self, table: str) -> bool:
        return bool(next(self._rows("SELECT count(*) FROM sqlite_master WHERE name = ?", table))[0])

    def _records(self, where: str, *values: object) -> Iterator[Record]:
        rows = self._of(RECORD, f"SELECT seq, game, kind, body, hash FROM record {where}", *values)
        for seq, game, kind, body, digest in rows:
            yield Record(seq, game, kind, body.encode(), digest)

    def _of(self, types: Sequence[Any], statement: str, *values: object) -> Iterator[tuple]:  # type: ignore[type-arg]
        for row in self._rows(statement, *values):
            if not like(row, types):
                what = "record" if types is RECORD else "row"
                raise damaged(self._path, f"{what} {row[0]} is not what was written")
            yield row

    def _rows(self, statement: str, *values: object) -> Iterator[tuple]:  # type: ignore[type-arg]
        try:
            for row in self._connection.execute(statement, values):  # noqa: UP028  # would close what may be closed
                yield row
        except ERRORS as error:
            raise explained(self._path, error) from error


def _board_of(opening: Record) -> str:
    try:
        return decode_board(opening.body).board
    except msgspec.DecodeError as error:
        raise unknown(opening.seq, "opening", str(error)) from error
