"""The rows that can still be read of a damaged SQLite file, page by page, without the tree that led to them.

After the file format of SQLite (https://sqlite.org/fileformat2.html): a leaf of a table names its cells itself, so what
stands on one page is readable whatever happened to all others. Of the write-ahead log each frame counts up to the last
that ended a commit, also those behind the first damaged one, at which SQLite stops. Rows are only ever added, so no
older state of a page says what is wrong. Whether a row is what was written is for its hash to tell.
"""

import contextlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from controller.journal.record import Record

MAGIC = b"SQLite format 3\0"  #: how each file of SQLite begins
PAGE = 4096  #: bytes of a page, as SQLite makes them unless told otherwise
LEAF = 0x0D  #: the first byte of a leaf of a table
KINDS = ("game", "input", "event")
NUMBERS = 2**53  #: rows have smaller ones
COLUMNS = 5
SMALLEST = 40  #: bytes of a row, at least: its hash has 32
WAL_HEAD, FRAME_HEAD = 32, 24  #: bytes before the frames, and before the page of each


class Spot(NamedTuple):
    """Where a page stands."""

    file: int
    offset: int


def beside(path: Path, suffix: str) -> Path:
    """A file that belongs to ``path``: ``-wal``, ``-shm``, and those of ours."""
    return path.with_name(path.name + suffix)


def rows(path: Path) -> Iterator[Record]:
    """All that looks like a row of a journal, in no order, perhaps more than once. Raises OSError where the file cannot
    be opened; a sector that cannot be read costs its own page only.
    """
    with contextlib.ExitStack() as stack:
        main = _opened(stack, path)
        in_file = [] if main is None else [(n + 1, Spot(main, n * PAGE)) for n in range(-(-_size(main) // PAGE))]
        wal = _opened(stack, beside(path, "-wal"))
        in_log = [] if wal is None else list(_logged(wal))
        for pages, spots in ((in_file, dict([*in_log, *in_file])), (in_log, dict([*in_file, *in_log]))):
            for number, spot in pages:
                page = _read(spot, PAGE)
                begin = 100 if number == 1 else 0
                if len(page) == PAGE and page[begin] == LEAF:
                    yield from _leaf(page, begin, spots)


def _opened(stack: contextlib.ExitStack, path: Path) -> int | None:
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    stack.callback(os.close, file)
    return file


def _size(file: int) -> int:
    return os.fstat(file).st_size


def _read(spot: Spot, size: int) -> bytes:
    try:
        return os.pread(spot.file, size, spot.offset)
    except OSError:
        return b""


def _logged(wal: int) -> Iterator[tuple[int, Spot]]:
    """The pages in a write-ahead log up to the last that ended a commit, by their numbers. What the log held before it
    was begun anew has other salts, and stands in the file; a frame whose own head is damaged counts nevertheless.
    """
    heads = [_read(Spot(wal, at), FRAME_HEAD) for at in range(WAL_HEAD, _size(wal), FRAME_HEAD + PAGE)]
    salts, _ = Counter([_read(Spot(wal, 16), 8), *(head[8:16] for head in heads[:2])]).most_common(1)[0]
    ends = (number for number, head in enumerate(heads) if head[8:16] == salts and any(head[4:8]))
    for number, head in enumerate(heads[: max(ends, default=-1) + 1]):
        yield int.from_bytes(head[:4], "big"), Spot(wal, WAL_HEAD + number * (FRAME_HEAD + PAGE) + FRAME_HEAD)


def _leaf(page: bytes, begin: int, spots: dict[int, Spot]) -> Iterator[Record]:
    cells = int.from_bytes(page[begin + 3 : begin + 5], "big")
    for cell in range(min(cells, len(page) // SMALLEST)):
        at = begin + 8 + 2 * cell
        with contextlib.suppress(IndexError, ValueError, KeyError):  # a cell that makes no sense
            yield _row(page, int.from_bytes(page[at : at + 2], "big"), spots)


def _row(page: bytes, at: int, spots: dict[int, Spot]) -> Record:
    """The row in the cell at ``at``. Raises :exc:`ValueError` and others where there is none."""
    length, at = _varint(page, at)
    seq, at = _varint(page, at)
    usable = len(page)
    most, least = usable - 35, (usable - 12) * 32 // 255 - 23
    here = least + (length - least) % (usable - 4) if length > most else length
    here = here if here <= most else least
    payload = page[at : at + here]
    if here < length:
        payload += _overflow(int.from_bytes(page[at + here : at + here + 4], "big"), length - here, usable, spots)
    null, game, kind, body, digest = _columns(payload)
    if null or not 0 < seq < NUMBERS or kind.decode() not in KINDS or len(digest) != 32:
        raise ValueError("a row of another table")
    return Record(seq, game.decode(), kind.decode(), body, digest)  # type: ignore[arg-type]


def _overflow(number: int, length: int, usable: int, spots: dict[int, Spot]) -> bytes:
    """The rest of a row that is too long for its leaf. Raises :exc:`ValueError` for one longer than all pages there
    are: a damaged chain of them may be a circle.
    """
    if length > usable * len(spots):
        raise ValueError("a row without end")
    rest = bytearray()
    while len(rest) < length:
        page = _read(spots[number], usable)
        number = int.from_bytes(page[:4], "big")
        rest += page[4:]
    return bytes(rest[:length])


def _columns(payload: bytes) -> Sequence[bytes]:
    """The columns of a row; only text and blobs have a length that is of interest here."""
    end, at = _varint(payload, 0)
    lengths: list[int] = []
    while at < end:
        if len(lengths) == COLUMNS:
            raise ValueError("a row of another table")
        kind, at = _varint(payload, at)
        lengths.append((kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind])
    columns = []
    for length in lengths:
        columns.append(payload[at : at + length])
        at += length
    if at != len(payload):
        raise ValueError("a row of another length")
    return columns


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of SQLite's, big end first, seven bits a byte and all eight of the ninth; and where it ends."""
    value = 0
    for end in range(at + 1, at + 9):
        byte = data[end - 1]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, end
    return value << 8 | data[at + 8], at + 9
