"""Journals against the archive: what a journal has, the archive has, and the same.

A journal is proven by its own chain first. Rows are compared by number and content; under which of the journal's names
they are archived does not matter, for it gets another one where somebody may have been told what is lost.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from psycopg import Connection

from controller.journal import Reader, Record, connect_to_read, hear

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
        for records in _batches(reader):
            told = [record for record in records if record.kind != "input"]
            bodies = _bodies(archive, names, [record.seq for record in told])
            for record in told:
                found.events += 1
                left.discard(record.seq)
                if record.seq not in bodies:
                    found.missing.append(record.seq)
                elif any(not _same(body, record) for body in bodies[record.seq]):
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


def _bodies(archive: Connection[Any], names: Sequence[str], numbers: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """What is archived under these numbers: of a match once for it and once for the board."""
    found: dict[int, list[dict[str, Any]]] = {}
    question = "SELECT seq, body FROM event WHERE origin = ANY(%s) AND seq = ANY(%s)"
    for seq, body in archive.execute(question, (list(names), list(numbers))):
        found.setdefault(seq, []).append(body)
    return found


def _same(archived: dict[str, Any], record: Record) -> bool:
    """Whether that is what the record was told as: with the ply that it belongs to, unless it is a move's own."""
    body = _decode(record.body)
    if record.kind == "game":
        body = {"type": "game", "opening": body}
    return body == {name: value for name, value in archived.items() if name in body or name != "ply"}
