"""The language of Certabo boards, and of Tabutronic's Sentio, which speaks like them: bytes to messages and back.

No I/O. 38400 baud, 8N1. The board tells its state again and again without being asked: a colon, numbers with blanks
between them, CR LF. A Certabo board sends 320 numbers, five bytes for the chip in the piece on each square from a8 to
h1. A Sentio board sends 8, a rank each from the eighth, in which the a-file is the highest bit. A line feed alone may
stand anywhere, even within a number, and means nothing. ``L`` or ``D`` on a line says which lamps are built in: one a
square, or coloured ones at the corners; a board that was not heard to say so is spoken to as one of the first kind.
Sources: the makers' own programs, certabo-lichess and picochess, which agree.
"""

from collections.abc import Iterator, Sequence

import chess
from msgspec import Struct

from hardware.boards.codec import ProtocolError

ChipTag = bytes
"""The five bytes of a chip; :data:`NOBODY` for none."""

NOBODY: ChipTag = bytes(5)
TAGS, RANKS = 64 * 5, 8  #: so many numbers come from either kind of board
LONGEST = 2048  #: no line is longer; the longest possible is 1,284 bytes and some line feeds
BRIGHTNESS = 0x40  #: of coloured lamps


class ChipTags(Struct, frozen=True):
    """Who stands where, by their chips."""

    tags: tuple[ChipTag, ...]  #: 64, a1 first, of a board that is not turned


class Occupied(Struct, frozen=True):
    """Where something stands."""

    mask: int  #: 64 bits, a1 = bit 0, of a board that is not turned


class LampKind(Struct, frozen=True):
    coloured: bool


Message = ChipTags | Occupied | LampKind


class Decoder:
    """Bytes in, messages out; any chunking gives the same messages."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._lost = False  # this line is too long to be one

    def feed(self, data: bytes) -> Iterator[Message | ProtocolError]:
        for byte in data:
            if byte == ord("\n"):
                if self._line.endswith(b"\r"):
                    yield from self._finished()
            elif byte == ord(":"):
                if self._line and not self._lost:
                    yield ProtocolError(f"a line was cut short after {len(self._line)} bytes")
                self._line[:], self._lost = b":", False
            elif len(self._line) < LONGEST:
                self._line.append(byte)
            elif not self._lost:
                self._lost = True
                yield ProtocolError(f"{LONGEST} bytes and no end of the line: is the baud rate right?")

    def _finished(self) -> Iterator[Message | ProtocolError]:
        line, lost = bytes(self._line[:-1]), self._lost
        self._line.clear()
        self._lost = False
        if lost or not line:
            return
        try:
            yield _parse(line)
        except ValueError as error:
            yield ProtocolError(f"a line of {len(line)} bytes: {error}")


def encode_tags(tags: Sequence[ChipTag]) -> bytes:
    """What a Certabo board reports; ``tags`` as in :class:`ChipTags`."""
    return _encode(number for own in chess.SQUARES for number in tags[own ^ 56])


def encode_occupied(mask: int) -> bytes:
    """What a Sentio board reports; ``mask`` as in :class:`Occupied`."""
    return _encode(_backwards(rank) for rank in mask.to_bytes(8, "big"))


def encode_lamp_kind(coloured: bool) -> bytes:
    return b"D\r\n" if coloured else b"L\r\n"


def lamps(mask: int) -> bytes:
    """Lights the squares of ``mask``, a1 = bit 0, where each square has a lamp: a byte a rank, the a-file its bit 0."""
    return mask.to_bytes(8, "big")


def coloured_lamps(mask: int) -> bytes:
    """Lights the corners of the squares of ``mask`` in blue: 81 lamps of three bytes each, from the corner of h1."""
    colours = bytearray(81 * 3)
    for square in chess.scan_forward(mask):
        right, up = 7 - chess.square_file(square), chess.square_rank(square)
        for lamp in (up * 9 + right, up * 9 + right + 1, up * 9 + right + 9, up * 9 + right + 10):
            colours[lamp * 3 + 2] = BRIGHTNESS
    return b"\xff\x55" + bytes(colours) + b"\r\n"


def _encode(numbers: Iterator[int]) -> bytes:
    return b":" + " ".join(map(str, numbers)).encode("ascii") + b"\r\n"


def _parse(line: bytes) -> Message:
    """Raises ValueError for what is no message."""
    if line in (b"L", b"D"):
        return LampKind(line == b"D")
    if not line.startswith(b":"):
        raise ValueError("its beginning is missing")
    numbers = bytes(int(word) for word in line[1:].decode("ascii").split())
    match len(numbers):
        case 320:
            by_own = [numbers[i : i + 5] for i in range(0, TAGS, 5)]
            return ChipTags(tuple(by_own[square ^ 56] for square in chess.SQUARES))
        case 8:
            return Occupied(int.from_bytes(map(_backwards, numbers), "big"))
    raise ValueError(f"{len(numbers)} numbers, not {TAGS} or {RANKS}")


def _backwards(byte: int) -> int:
    return int(f"{byte:08b}"[::-1], 2)
