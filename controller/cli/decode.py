"""``jadoube decode BOARD FILE``: the raw bytes that a board sent become a session log that ``replay`` can judge.

A recording is binary, or text with one read a line in base64, each line with an optional leading ``<ms> ``. Where
there are no timestamps the board's own clock moves time on, and the log's settings say how coarse that is.

``jadoube decode dgt-log PORT`` asks the board itself: a DGT board remembers the games that nobody recorded.
"""

import base64
import binascii
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol

import chess
from msgspec import structs

from controller import files
from controller.contract import AnyInput, Frame, Lift, Place, Press, Senses, Session, Settings
from controller.errors import ConfigError, JadoubeError, LogError
from controller.options import slip
from controller.wire import encode
from hardware.boards import certabo, chesslink, chessnut, dgt_bus_picture
from hardware.boards.dgt import fetch_log
from hardware.boards.dgt_log import LogRecording
from hardware.boards.dgt_picture import DgtRecording
from hardware.boards.line import LineRecording
from hardware.boards.readings import BoardReading, Change, LeverPress, RecordedMessage
from hardware.boards.scan_recording import ScanRecording

LARGEST = 2**26  #: bytes of a recording; a board sends far less in a day
TICKED = Settings(release_ms=1500, brush_ms=10)  #: a tick cannot tell a passage from a release


class RecordingReader(Protocol):
    """How one kind of board reads its own recordings."""

    senses: Senses
    timed: bool  #: the board stamps its messages itself, as well as a recording could
    damaged: int  #: stretches of bytes that no such board can have sent

    def read(self, data: bytes) -> Iterator[RecordedMessage]: ...


READERS: dict[str, Callable[[], RecordingReader]] = {  #: a new board is a line here
    "dgt": DgtRecording,
    "dgt-bus": dgt_bus_picture.recording,
    "dgt-log": LogRecording,
    "chesslink": chesslink.recording,
    "certabo": certabo.certabo_recording,
    "sentio": certabo.sentio_recording,
    "chessnut": chessnut.recording,
    "line": LineRecording,
    "line-identity": partial(LineRecording, "identity"),
    "scans": ScanRecording,
    "scans-colour": partial(ScanRecording, "colour"),
}
FETCH: dict[str, Callable[[str], bytes]] = {"dgt-log": fetch_log}  #: what is asked of a board on a port
START = chess.BB_RANK_1 | chess.BB_RANK_2 | chess.BB_RANK_7 | chess.BB_RANK_8

_LINE = re.compile(rb"(?:(\d+) +)?([A-Za-z0-9+/]+={0,2})")


def decode_file(board: str, path: Path, out: BinaryIO | None = None) -> int:
    """Writes the session log of ``path`` to ``out`` (standard output if none); the exit status.

    0: all was decoded. 2: the board is unknown, or the file cannot be read or holds nothing such a board sends;
    standard error says which, and what to do. Damaged stretches are skipped and counted on standard error.
    """
    out = out or sys.stdout.buffer
    try:
        reader = reader_for(board)
        asked = FETCH.get(board) if path.is_char_device() else None
        out.writelines(decode(reader, asked(str(path)) if asked else _contents(path), str(path)))
        out.flush()
    except JadoubeError as error:
        print(f"jadoube: {error}", file=sys.stderr)
        return 2
    if reader.damaged:
        print(f"{path}: {reader.damaged} damaged stretches skipped", file=sys.stderr)
    return 0


def reader_for(board: str) -> RecordingReader:
    """Raises :exc:`ConfigError` for a board whose recordings nobody reads."""
    if board not in READERS:
        known = sorted(READERS)
        cause = slip(board, known) or "recordings of that kind are not read"
        raise ConfigError(f"there is no board called {board!r}", cause, f"known here: {', '.join(known)}")
    return READERS[board]()


def decode(reader: RecordingReader, data: bytes, source: str = "the recording") -> Iterator[bytes]:
    """The lines of the session log, each with its newline.

    Raises :exc:`LogError` for a text that is no recording, for timestamps that go back, and where ``reader`` finds no
    message at all.
    """
    reads = list(_reads(data, source))
    stamped = any(ms is not None for ms, _ in reads)
    session = Session(version=1, senses=reader.senses)
    yield encode(session if stamped or reader.timed else structs.replace(session, settings=TICKED)) + b"\n"
    now, found, occupied = 0, False, START
    for ms, chunk in reads:
        if ms is not None:
            now = ms
        for step in reader.read(chunk):
            found = True
            if not stamped:
                now += step.elapsed_ms
            for item in step.items:
                if isinstance(item, BoardReading) and isinstance(reader, ScanRecording):
                    yield encode(Frame(ms=now, occupied=f"{item.occupied:016x}")) + b"\n"
                elif isinstance(item, BoardReading):
                    yield from (encode(edge) + b"\n" for edge in _edges(now, occupied, item.occupied))
                    occupied = item.occupied
                else:
                    yield encode(_input(now, item)) + b"\n"
    if not found:
        raise LogError(
            f"{source}: {len(data)} bytes and no message in them",
            "another kind of board, or a recording at the wrong baud rate",
            "check the board's name: jadoube decode BOARD FILE",
        )


def _input(ms: int, item: Change | LeverPress) -> AnyInput:
    if isinstance(item, LeverPress):
        return Press(ms=ms, side=item.side)
    square = chess.square_name(item.square)
    return Place(ms=ms, square=square, piece=item.piece) if item.piece else Lift(ms=ms, square=square)


def _edges(ms: int, before: int, after: int) -> Iterator[AnyInput]:
    """What lies between two masks; squares left come before squares taken."""
    for square in chess.scan_forward(before & ~after):
        yield Lift(ms=ms, square=chess.square_name(square))
    for square in chess.scan_forward(after & ~before):
        yield Place(ms=ms, square=chess.square_name(square))


def _reads(data: bytes, source: str) -> Iterable[tuple[int | None, bytes]]:
    """The reads in a recording, each with its timestamp if it has one."""
    if not data.isascii():
        yield None, data
        return
    latest = 0
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        if not (match := _LINE.fullmatch(line.strip())):
            raise LogError(f"{source}, line {number}: expected base64, with or without a leading time in ms")
        ms = None if match[1] is None else int(match[1])
        if ms is not None and ms < latest:
            raise LogError(f"{source}, line {number}: the time goes back from {latest} to {ms} ms")
        latest = ms or latest
        try:
            yield ms, base64.b64decode(match[2], validate=True)
        except binascii.Error as error:
            raise LogError(f"{source}, line {number}: not base64: {error}") from error


def _contents(path: Path) -> bytes:
    try:
        return files.read(path, LARGEST)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}", "a mistyped path", f"ls {path.parent}") from error
