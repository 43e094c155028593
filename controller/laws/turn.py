"""A turn as a table: how the board differs from the position, what happens next, and what follows.

Rows are the kinds of difference (:mod:`controller.sensing.difference`), columns the triggers. Everything that ends or
changes a turn stands here; a pair that is not in the table changes nothing. :class:`Turn` holds what cannot be
computed.
"""

from collections.abc import Mapping
from enum import Enum, IntEnum, auto
from types import MappingProxyType

import chess
from msgspec import Struct
from msgspec.structs import replace

from controller.contract import Ms, Side
from controller.laws.touch import PartialMove, TouchedPiece
from controller.sensing.difference import QUIET, Difference, Kind, Traces


class Trigger(IntEnum):
    """What may happen to a difference."""

    RELEASE = auto()  #: it has stood for ``release_ms``
    REPLY = auto()  #: another piece is touched, one that is no part of the difference
    PRESS = auto()  #: the player having the move presses the clock


class Outcome(Enum):
    """What follows from a difference and a trigger."""

    MAKE = auto()  #: the move is made (4.7)
    BIND = auto()  #: part of a legal move is released: the rest is owed (4.4.4, 4.7.2, 4.7.3)
    PLACED_ASTRAY = auto()  #: an illegal move is released, not completed: to be corrected (4.7, 7.5.1)
    MISMATCH = auto()  #: the board does not match the game (7.4)
    DISPLACED = auto()  #: what does not match beside a move in progress is told (7.4)
    UNSEEN = auto()  #: a move may have been made that the sensors did not show; if not, none was made
    UNFINISHED = auto()  #: castling, capture or promotion completed by the press before it was made (7.5)
    ILLEGAL = auto()  #: an illegal move is completed (7.5.1)
    NO_MOVE = auto()  #: the clock was pressed without a move (7.5.3)


TABLE: dict[tuple[Kind, Trigger], Outcome] = {
    (Kind.WHOLE, Trigger.RELEASE): Outcome.MAKE,
    (Kind.WHOLE, Trigger.REPLY): Outcome.MAKE,
    (Kind.WHOLE, Trigger.PRESS): Outcome.MAKE,
    (Kind.STEP, Trigger.RELEASE): Outcome.BIND,
    (Kind.STEP, Trigger.REPLY): Outcome.MAKE,
    (Kind.STEP, Trigger.PRESS): Outcome.MAKE,
    (Kind.PARTIAL, Trigger.RELEASE): Outcome.BIND,
    (Kind.PARTIAL, Trigger.PRESS): Outcome.UNFINISHED,
    (Kind.ASTRAY, Trigger.RELEASE): Outcome.PLACED_ASTRAY,
    (Kind.ASTRAY, Trigger.PRESS): Outcome.ILLEGAL,
    (Kind.FOREIGN, Trigger.RELEASE): Outcome.MISMATCH,
    (Kind.FOREIGN, Trigger.PRESS): Outcome.UNSEEN,
    (Kind.HELD, Trigger.PRESS): Outcome.UNSEEN,
    (Kind.DISTURBED, Trigger.RELEASE): Outcome.DISPLACED,
    (Kind.DISTURBED, Trigger.PRESS): Outcome.UNSEEN,
    (Kind.VACANT, Trigger.PRESS): Outcome.UNFINISHED,
    (Kind.QUIET, Trigger.PRESS): Outcome.NO_MOVE,
}


JUDGED = frozenset(kind for kind, what in TABLE if what is Trigger.RELEASE)
"""The differences that are judged when they have stood for a release."""


class Raised(Struct, frozen=True):
    """A piece lifted from its own square, not yet judged to be touched."""

    ms: Ms
    announced: bool  #: lifted after "j'adoube"
    exchanged: bool = False  #: a pawn on its promotion square, which gives way to the new piece if that follows
    by: Side | None = None  #: the opponent, where his hand is known to have lifted it
    #: lifted while the opponent had the move, or knocked over: no touch, unless it is set down elsewhere
    early: bool = False
    fell: bool = False  #: it may have been knocked over

    @property
    def counts(self) -> bool:
        """Whether lifting it is a touch, or out of turn, once it is too long for a brush."""
        return not self.announced and not self.exchanged and not self.early


NOTHING_RAISED: Mapping[chess.Square, Raised] = MappingProxyType({})
UNTOUCHED = Traces()


class Turn(Struct, frozen=True):
    """One player's turn: what he has touched and let go so far. Times are session milliseconds."""

    side: Side
    stands_since: Ms  #: since when ``difference`` holds; at first, since when it is his turn
    number: int  #: which turn of the game it is; a turn that begins anew after a move was taken back gets a new number
    start: int = 0  #: where in the trace of edges it begins
    raised: Mapping[chess.Square, Raised] = NOTHING_RAISED  #: in order of lift
    touches: tuple[TouchedPiece, ...] = ()  #: in order of touch
    straightened: tuple[chess.Square, ...] = ()  #: put straight after "j'adoube", not yet reported
    partial_move: PartialMove | None = None
    traces: Traces = UNTOUCHED
    difference: Difference = QUIET
    judged: bool = True  #: this difference has been dealt with
    corrects: bool = False  #: it replaces an illegal move: until the ruling only what is owed may be made
    astray: int = 0  #: where pieces stood when an illegal move was last told to be released, as a bitboard
    astray_ids: tuple[str, ...] = ()  #: the name of that fact
    astray_at: int = 0  #: how many edges there had been by then
    unwatched: bool = False  #: nobody saw the board for a while, before which a whole move stood there

    def touching(self, touch: TouchedPiece) -> "Turn":
        """The turn with one more touch; a piece that was touched before is not touched again."""
        if not self.touches:
            return replace(self, touches=(touch,))
        if any(known.square == touch.square for known in self.touches):
            return self
        touches = (*self.touches, touch)
        if touch.ms < self.touches[-1].ms:
            touches = tuple(sorted(touches, key=lambda each: each.ms))
        return replace(self, touches=touches)

    def lowering(self, mask: int) -> "Turn":
        """The turn in which the pieces of these squares, a bitboard, are no longer off."""
        if not self.raised:
            return self
        raised = {square: piece for square, piece in self.raised.items() if not chess.BB_SQUARES[square] & mask}
        return self if len(raised) == len(self.raised) else replace(self, raised=raised)

    def standing(self, difference: Difference, ms: Ms) -> "Turn":
        """The turn with this difference from ``ms`` on."""
        if difference == self.difference:
            return self
        now, before = difference, self.difference
        if now.part == "drop" == before.part and (now.kind, now.mask) == (before.kind, before.mask):
            return replace(self, difference=difference, judged=False)  # only the stock has changed, not the board
        return replace(self, difference=difference, stands_since=ms, judged=difference.kind not in JUDGED)

    def touched(self, brush_ms: Ms) -> Ms | None:
        """When the first of the pieces in hand will count as touched; None if time alone makes none count."""
        for piece in self.raised.values():
            if piece.counts:
                return piece.ms + brush_ms
        return None

    def due(self, release_ms: Ms) -> Ms:
        """When the present difference is to be judged."""
        return self.stands_since + release_ms
