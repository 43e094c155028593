"""The language of Chessnut boards (Air, Air+, Go, Pro, EVO): bytes to messages, and back. No I/O.

A message is a kind, the length of what follows, and that. The board's state is 32 bytes of two squares each, from h8 to
a1, the lower four bits first; some bytes without a meaning may follow. On USB the messages are HID reports, filled up
with zeros; by Bluetooth they come as a stream, and are the same. Sources: the maker's EasyLinkSDK and picochess.
"""

from collections.abc import Iterator, Sequence

import chess
from msgspec import Struct

from hardware.boards.codec import Framer, ProtocolError

PIECES = ("", *"qkbpnRPrBNQK")  #: by code
STATE, BATTERY = 0x01, 0x2A  #: kinds of messages from the board
STATE_LENGTHS = range(32, 62)  #: 61 on USB, 34 or 36 by Bluetooth
BATTERY_LENGTH = 2

REAL_TIME = bytes((0x21, 1, 0))  #: command: report the state, ten times a second
ASK_BATTERY = bytes((0x29, 1, 0))


class ChessnutState(Struct, frozen=True):
    """The whole board."""

    pieces: tuple[str, ...]  #: 64 FEN letters, empty for an empty square; a1 first, of a board that is not turned


class ChessnutBattery(Struct, frozen=True):
    """How full the battery is."""

    percent: int
    charging: bool


Message = ChessnutState | ChessnutBattery


class Decoder:
    """Bytes in, messages out; any chunking gives the same messages."""

    def __init__(self) -> None:
        self._framer = Framer[Message](_parse, padding=0)

    def feed(self, data: bytes) -> Iterator[Message | ProtocolError]:
        return self._framer.feed(data)


def encode_state(pieces: Sequence[str], length: int = 61) -> bytes:
    """What a board reports of itself; ``pieces`` as in :class:`ChessnutState`, ``length`` of all that follows it."""
    codes = [PIECES.index(pieces[square]) for square in reversed(chess.SQUARES)]
    # From h8 to a8, from h7 to a7: within each rank the files run backwards, as they do in reversed(SQUARES).
    squares = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True))
    return bytes((STATE, length)) + squares.ljust(length, b"\0")


def encode_battery(percent: int, charging: bool = False) -> bytes:
    return bytes((BATTERY, BATTERY_LENGTH, percent, charging))


def lamps(mask: int) -> bytes:
    """The command that lights the squares of ``mask``, a1 = bit 0, and no other lamp: a byte a rank, from the eighth,
    with the a-file as its highest bit.
    """
    ranks = (int(f"{rank:08b}"[::-1], 2) for rank in mask.to_bytes(8, "big"))
    return bytes((0x0A, 8, *ranks))


def _parse(data: bytes) -> Message | None:
    kind = data[0]
    if kind not in (STATE, BATTERY):
        raise ProtocolError(f"0x{kind:02x} begins no message that is known")
    if len(data) == 1:
        return None
    length = data[1]
    if not (length in STATE_LENGTHS if kind == STATE else length == BATTERY_LENGTH):
        raise ProtocolError(f"message 0x{kind:02x} with length {length}")
    body = data[2:]
    if kind == BATTERY:
        return ChessnutBattery(min(body[0], 100), body[1] == 1) if len(body) == length else None
    if len(body) <= 32 and body and max(body[-1] & 0x0F, body[-1] >> 4) >= len(PIECES):
        raise ProtocolError(f"no such piece: 0x{body[-1]:02x}")
    if len(body) < length:
        return None
    backwards = [PIECES[code] for byte in body[:32] for code in (byte & 0x0F, byte >> 4)]
    return ChessnutState(tuple(reversed(backwards)))
