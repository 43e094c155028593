"""The language of Millennium ChessLink boards: bytes to messages, and back. No I/O.

38400 baud, seven data bits and odd parity, which this file does by itself above a port of eight bits. A message is a
letter (large from the PC, small from the board), its body, and the exclusive or of all that as two hexadecimal digits.
Source: the description of the "Magic Chessboard" by D. Woodfield (2017), as published with python-mchess.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import xor

import chess
from msgspec import Struct

from hardware.boards.codec import Framer, ProtocolError

PIECES = ".PNBRQKpnbrqk"
LENGTHS = {"s": 67, "v": 7, "l": 3, "x": 3, "w": 7, "r": 7}  #: of each reply, checksum included
HEX = "0123456789ABCDEF"

SCAN_TIME = 0x01  #: register: a scan, in units of 2.048 ms; 15 to 255
REPORTS = 0x02  #: register: when the board tells its state by itself
ON_CHANGE = 0x03  #: a value of it: at once, as soon as a scan differs

SLOT = 0x40  #: 262 ms a slot of the lamps' patterns, in units of 4.096 ms
STEADY = 0xFF  #: a lamp's pattern: lit in each of eight slots


class ChessLinkState(Struct, frozen=True):
    """The whole board."""

    pieces: tuple[str, ...]  #: 64 FEN letters, empty for an empty square; a1 first, of a board that is not turned


class Reply(Struct, frozen=True):
    """Anything else: that a command was understood, a version, a register."""

    kind: str  #: the command's letter, small
    data: bytes  #: what its hexadecimal digits say


Message = ChessLinkState | Reply


class Decoder:
    """Bytes in, messages out; any chunking gives the same messages."""

    def __init__(self) -> None:
        self._framer = Framer[Message](_parse)

    def feed(self, data: bytes) -> Iterator[Message | ProtocolError]:
        return self._framer.feed(data)


def encode(text: str) -> bytes:
    """A message with its checksum, each character with its parity: what goes over the wire, either way."""
    whole = text + f"{reduce(xor, text.encode('ascii')):02X}"
    return bytes(code | (0x00 if code.bit_count() % 2 else 0x80) for code in whole.encode("ascii"))


def decode(data: bytes) -> str:
    """The characters without their parity. Raises :exc:`ProtocolError` where it is wrong: how a board hears us."""
    if any(not byte.bit_count() % 2 for byte in data):
        raise ProtocolError(f"wrong parity in {data.hex(' ')}: is the baud rate right?")
    return bytes(byte & 0x7F for byte in data).decode("ascii")


def encode_state(pieces: Sequence[str]) -> bytes:
    """What a board reports of itself; ``pieces`` as in :class:`ChessLinkState`."""
    return encode("s" + "".join(pieces[own ^ 56] or "." for own in chess.SQUARES))


def lamps(mask: int) -> bytes:
    """The command that lights the four corners of each square of ``mask``, a1 = bit 0, and no other lamp.

    81 lamps stand at the corners of the squares: 1 at the corner of a8, 9 at that of a1, 81 at that of h1.
    """
    lit = {
        (chess.square_file(square) + right) * 9 + 7 - chess.square_rank(square) + down
        for square in chess.scan_forward(mask)
        for right in (0, 1)
        for down in (0, 1)
    }
    return encode(f"L{SLOT:02X}" + "".join(f"{STEADY if lamp in lit else 0:02X}" for lamp in range(81)))


def register(address: int, value: int) -> bytes:
    """The command that sets a register, which outlives a loss of power."""
    return encode(f"W{address:02X}{value:02X}")


def _parse(data: bytes) -> Message | None:
    text = decode(data)
    length = LENGTHS.get(text[0])
    if length is None:
        raise ProtocolError(f"{text[0]!r} begins no message")
    body, alphabet = text[1 : length - 2], PIECES if text[0] == "s" else HEX
    if any(letter not in alphabet for letter in body) or any(digit not in HEX for digit in text[length - 2 :]):
        raise ProtocolError(f"{text!r} can be no message")
    if len(text) < length:
        return None
    if encode(text[:-2]) != data:
        raise ProtocolError(f"the checksum of {text!r} is wrong")
    if text[0] == "s":
        return ChessLinkState(tuple(body[square ^ 56].strip(".") for square in chess.SQUARES))
    return Reply(text[0], bytes.fromhex(body))
