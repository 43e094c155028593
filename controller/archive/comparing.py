"""Journals against the archive: what a journal has, the archive has, and the same.

A journal is proven by its own chain first. Rows are compared by number and content; under which of the journal's names
they are archived does not matter, for it gets another one where somebody may have been told what is lost.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from psycopg import Connection

from controller.journal import Opening, Reader, Record, connect_to_read, hear

AT_ONCE = 1000  #: records

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Compared(Struct):
    """What came of one journal."""

    events: int = 0  #: that it has, the beginnings of games among them
    missing: list[int] = []  #: the numbers of those that are not archived
    altered: list[int] = []  #: those that are archived with another content
    forgotten: int = 0  #: archived, and not there any more: a journal lets go what is old
    head: str | None = None  #: what was told of its head and is not so

    @property
    def is_whole(self) -> bool:
        """Whether all of it is archived as it is."""
        return not (self.missing or self.altered or self.head)


def compare(path: Path, archive: Connection[Any]) -> Compared:
    """Holds the journal against the archive, and changes neither.

    Raises :exc:`DamageError` where the journal is not what was written, :exc:`JournalError` where there is none.
    """
    found = Compared()
    with closing(Reader(connect_to_read(path, hear(path).noted), path)) as reader:
        reader.verify()
        names = reader.origins()
        numbers = archive.execute("SELECT DISTINCT seq FROM event WHERE origin = ANY(%s)", (names,))
        left = {seq for (seq,) in numbers}
        openings = {opening.game: opening for opening in reader.openings()}
        for records in _batches(reader):
            told = [record for record in records if record.kind != "input"]
            rows = _rows(archive, names, [record.seq for record in told])
            for record in told:
                found.events += 1
                left.discard(record.seq)
                if record.seq not in rows:
                    found.missing.append(record.seq)
                elif not all(_same(row, record, openings.get(record.game)) for row in rows[record.seq]):
                    found.altered.append(record.seq)
        found.forgotten = len(left)
        for seq, told_hash in archive.execute("SELECT seq, hash FROM head WHERE origin = ANY(%s)", (names,)):
            ours = [record.hash for record in reader.after(seq - 1, 1) if record.seq == seq]
            if ours and ours != [bytes(told_hash)]:
                found.head = f"a board has told of record {seq} with the hash {bytes(told_hash).hex()}"
    return found


def _batches(reader: Reader) -> Iterator[list[Record]]:
    last = 0
    while records := reader.after(last, AT_ONCE):
        yield records
        last = records[-1].seq


class _Row(NamedTuple):
    """Of the table ``event``."""

    seq: int
    venue: str
    board: str
    game: str
    ply: int
    type: str
    side: str | None
    ms: int | None
    body: dict[str, Any]


_QUESTION = f"SELECT {', '.join(_Row._fields)} FROM event WHERE origin = ANY(%s) AND seq = ANY(%s)"


def _rows(archive: Connection[Any], names: Sequence[str], numbers: Sequence[int]) -> dict[int, list[_Row]]:
    """What is archived under these numbers: of a match once for it and once for the board."""
    found: dict[int, list[_Row]] = {}
    for columns in archive.execute(_QUESTION.encode(), (list(names), list(numbers))):
        row = _Row(*columns)
        found.setdefault(row.seq, []).append(row)
    return found


def _same(row: _Row, record: Record, opening: Opening | None) -> bool:
    """Whether the row is what the record was told as: with the ply that it belongs to, unless it is a move's own. Its
    columns, by which the archive is asked, are those of its content and of its game, if the ``opening`` is there."""
    body = _decode(record.body)
    if record.kind == "game":
        body = {"type": "game", "opening": body}
    if body != {name: value for name, value in row.body.items() if name in body or name != "ply"}:
        return False
    told = (row.body.get("ply", 0), body["type"], body.get("side"), body.get("ms"))
    if told != (row.ply, row.type, row.side, row.ms) or row.game != record.game:
        return False
    kind, _, number = row.board.partition("/")
    return opening is None or (row.venue == opening.venue and (kind != "board" or number in opening.board.split("+")))
