"""The log that a DGT board keeps in its own memory: what it says, and its last game as a recording. No I/O.

About 7,900 bytes in which the newest overwrites the oldest: two bytes for a square that changed (``010r pppp``, the
square; ``r``: less than 250 ms after the change before), three for the time of a clock that was stopped (``011f hhhh``,
minutes, seconds; ``f``: the left one), one for anything else. Source: DGT's own description of 2014. Messages are told
apart by their first byte, so reading can begin in the middle of one.
"""

from collections.abc import Iterator
from enum import IntEnum

import chess
from msgspec import Struct

from controller.contract import BLACK, WHITE, Senses
from controller.shown import START
from hardware.boards.codec import ProtocolError
from hardware.boards.dgt_picture import own_number
from hardware.boards.dgt_protocol import PIECES, Decoder, Flank, Log
from hardware.boards.picture import MESSAGE_MS
from hardware.boards.placement import Placement
from hardware.boards.readings import LeverPress, RecordedMessage

SOON_MS, LATER_MS = 150, 500  #: what passes between two squares that changed, as far as the log can tell


class Tag(IntEnum):
    """What else happened."""

    NOTHING = 0x00
    POWER_UP = 0x6A  #: the pieces on the board follow
    END = 0x6B  #: of the log
    FOUR_ROWS = 0x6C  #: pieces on four ranks, not as at the start
    EMPTY_BOARD = 0x6D
    DOWNLOADED = 0x6E
    BEGIN = 0x6F  #: the start position
    BEGIN_ROTATED = 0x7A  #: the same on a board that stands the other way round
    START_TAG = 0x7B
    WATCHDOG = 0x7C
    FUTURE_1 = 0x7D
    FUTURE_2 = 0x7E
    NOTHING_2 = 0x7F


class LoggedSquare(Struct, frozen=True):
    square: int  #: the board's own number, 0 to 63
    code: int
    soon: bool  #: less than about 250 ms after the change before


class Stopped(Struct, frozen=True):
    """The lever was pressed down on this flank of the clock, which showed that time."""

    flank: Flank
    seconds: int


LoggedEvent = LoggedSquare | Stopped | Tag


def events(data: bytes) -> Iterator[LoggedEvent | ProtocolError]:
    """All that a log says, oldest first. What makes no sense is a :exc:`ProtocolError` in its place, as a value."""
    at = 0
    while at < len(data):
        length = 2 if 0x40 <= data[at] < 0x60 else 3 if data[at] & 0x6F in range(0x60, 0x6A) else 1
        try:
            yield _event(data[at : at + length])
        except (ValueError, IndexError):
            length = 1
            yield ProtocolError(f"0x{data[at]:02x} at {at} begins no event")
        at += length


def encode(event: LoggedEvent) -> bytes:
    """As a board writes it: for emulators."""
    match event:
        case LoggedSquare(square, code, soon):
            return bytes((0x40 | soon << 4 | code, square))
        case Stopped(flank, seconds):
            hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
            return bytes((0x60 | (flank == "left") << 4 | hours, int(str(minutes), 16), int(str(rest), 16)))
    return bytes((event,))


def _event(data: bytes) -> LoggedEvent:
    """Raises ValueError or IndexError for what is none."""
    kind = data[0]
    if 0x40 <= kind < 0x60:
        if data[1] > 63:
            raise ValueError("no such square")
        return LoggedSquare(data[1], kind & 0x0F, bool(kind & 0x10))
    if kind & 0x6F in range(0x60, 0x6A):
        seconds = (kind & 0x0F) * 3600 + int(f"{data[1]:02x}") * 60 + int(f"{data[2]:02x}")
        return Stopped("left" if kind & 0x10 else "right", seconds)
    return Tag(kind)


class LogRecording:
    """Reads the last game in a board's log, from the answer to the command that asks for it.

    What the log does not tell is guessed: how much time passes between two changes. The flank of the clock that stops
    first is White's, or Black's if all pieces stand at the start.
    """

    senses: Senses = "identity"
    timed = False

    def __init__(self) -> None:
        self.damaged = 0
        self._decoder = Decoder()

    def read(self, data: bytes) -> Iterator[RecordedMessage]:
        """The steps of the game that the log which ``data`` completes ends with."""
        for message in self._decoder.feed(data):
            if isinstance(message, ProtocolError):
                self.damaged += 1
            elif isinstance(message, Log):
                yield from self._last_game(message.data)

    def _last_game(self, data: bytes) -> Iterator[RecordedMessage]:
        game: list[LoggedEvent] = []
        for event in events(data):
            if isinstance(event, ProtocolError):
                self.damaged += 1
            elif event in (Tag.BEGIN, Tag.BEGIN_ROTATED):
                game = [event]
            elif game:
                game.append(event)
        placement, codes = Placement(), bytearray(PIECES.index(START[own_number(s)]) for s in chess.SQUARES)
        white: Flank | None = None
        stopped: dict[Flank, int] = {}
        for event in game:
            match event:
                case Tag.BEGIN_ROTATED:
                    codes.reverse()
                    placement.rotated = True
                case LoggedSquare(square, code, soon):
                    codes[square] = code
                    changes = placement.show(0, [PIECES[codes[own_number(s)]] for s in chess.SQUARES])
                    yield RecordedMessage(SOON_MS if soon else LATER_MS, tuple(changes))
                case Stopped(flank, seconds):
                    if placement.shown.readings == START:
                        white = "left" if flank == "right" else "right"
                        continue
                    white = white or flank
                    passed = max(stopped.get(flank, seconds) - seconds, 0) * 1000
                    stopped[flank] = seconds
                    yield RecordedMessage(passed or MESSAGE_MS, (LeverPress(0, WHITE if flank == white else BLACK),))
