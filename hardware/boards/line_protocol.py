"""The line protocol for home-made boards: bytes to messages, and back. No I/O. docs/line-protocol.md describes it.

One ASCII line a message, in words that a person can type and read in any serial monitor. Times are the device's own ms.
"""

from collections.abc import Iterator
from functools import reduce
from operator import xor

import chess
from msgspec import Struct

from controller.contract import BLACK, WHITE, Side
from hardware.boards.codec import ProtocolError

VERSION = 1
LONGEST = 120  #: bytes of a line
WRAP_MS = 2**32  #: a device counts so far, and begins again: 49.7 days
PIECES = "PNBRQKpnbrqk"


class Hello(Struct, frozen=True):
    """The device has started, or was asked who it is; its state follows."""

    version: int
    features: frozenset[str]  #: ``identity``, ``lamps``, ``checksum``; others mean nothing to us


class LineEdge(Struct, frozen=True):
    """A piece was lifted, or placed."""

    ms: int
    square: chess.Square
    occupied: bool
    piece: str = ""  #: a FEN letter, where a piece stands that is known


class LineState(Struct, frozen=True):
    """The whole board."""

    ms: int
    occupied: int  #: 64-bit mask, a1 = bit 0
    pieces: tuple[str, ...] = ()  #: 64 FEN letters, empty for an empty square, a1 first; none where none are known


class LinePress(Struct, frozen=True):
    """A player has pressed the clock."""

    ms: int
    side: Side


class LineBattery(Struct, frozen=True):
    """How full the battery is."""

    percent: int


class Trouble(Struct, frozen=True):
    """What the device says is wrong with it; empty: nothing any more."""

    what: str


Message = Hello | LineEdge | LineState | LinePress | LineBattery | Trouble


class Decoder:
    """Bytes in, messages out; any chunking gives the same messages."""

    def __init__(self) -> None:
        self._line = bytearray()

    def feed(self, data: bytes) -> Iterator[Message | ProtocolError]:
        for byte in data:
            if byte != ord("\n"):
                if len(self._line) <= LONGEST:
                    self._line.append(byte)
            elif line := bytes(self._line).strip():
                self._line.clear()
                try:
                    yield parse(line)
                except ProtocolError as error:
                    yield error
            else:
                self._line.clear()


def parse(line: bytes) -> Message:
    """The message of a line without its end. Raises :exc:`ProtocolError` for what is none."""
    try:
        if len(line) > LONGEST:
            raise ValueError(f"more than {LONGEST} bytes")
        words = _unsealed(line).decode("ascii").split()
        match words:
            case ["hello", version, *features]:
                return Hello(_number(version), frozenset(features))
            case ["lift", ms, square]:
                return LineEdge(_ms(ms), chess.parse_square(square), occupied=False)
            case ["place", ms, square]:
                return LineEdge(_ms(ms), chess.parse_square(square), occupied=True)
            case ["place", ms, square, piece] if piece in PIECES and len(piece) == 1:
                return LineEdge(_ms(ms), chess.parse_square(square), True, piece)
            case ["state", ms, board] if len(board) == 16:
                return LineState(_ms(ms), int.from_bytes(bytes.fromhex(board), "big"))
            case ["state", ms, board] if len(board) == 64 and not set(board) - set(PIECES + "."):
                occupied = sum(chess.BB_SQUARES[square] for square in chess.SQUARES if board[square] != ".")
                return LineState(_ms(ms), occupied, tuple(each.strip(".") for each in board))
            case ["press", ms, "white" | "black" as side]:
                return LinePress(_ms(ms), WHITE if side == "white" else BLACK)
            case ["battery", percent]:
                return LineBattery(min(_number(percent), 100))
            case ["error", *what]:
                return Trouble(" ".join(what))
        raise ValueError("no such message")
    except ValueError as error:
        raise ProtocolError(f"{line[:LONGEST].decode('ascii', 'backslashreplace')!r}: {error}") from None


def seal(line: str) -> str:
    """The line with its checksum: ``*`` and the exclusive or of all bytes before it, two hexadecimal digits."""
    return f"{line}*{reduce(xor, line.encode('ascii'), 0):02x}"


def _unsealed(line: bytes) -> bytes:
    """The line without its checksum, if it has one. Raises ValueError where that is wrong."""
    body, star, checksum = line.rpartition(b"*")
    if not star:
        return line
    if int(checksum, 16) != reduce(xor, body, 0):
        raise ValueError("its checksum is wrong")
    return body


def _ms(word: str) -> int:
    if (ms := _number(word)) >= WRAP_MS:
        raise ValueError("no such time")
    return ms


def _number(word: str) -> int:
    if not (word.isdigit() and len(word) <= 10):
        raise ValueError(f"{word!r} is no number")
    return int(word)
