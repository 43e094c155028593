"""What has been made of the game so far, and what awaits a ruling."""

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Literal

import chess
from chess import BB_SQUARES, Move
from msgspec import Struct

from controller.contract import BLACK, WHITE, Ms, Result, Side
from controller.laws.clock import ChessClock
from controller.laws.deadposition import position_key
from controller.laws.editions import Price
from controller.laws.touch import Half, Touch
from controller.position import Position

NOTHING_AWARDED: Mapping[Side, int] = MappingProxyType({WHITE: 0, BLACK: 0})


class Pressed(Struct):
    """A press that completes a move not yet known, and what the clocks showed after it."""

    side: Side
    white_ms: int
    black_ms: int


class Made(Struct, eq=False):
    """One move made (4.7), or an illegal one that stands on the board until somebody acts.

    An illegal one is in the game, so that play can go on from it, but it is reported as a move only once the time to
    correct it has passed.
    """

    side: Side
    before: Position
    move: Move  #: a null move where the clock was pressed without one
    after: Position
    ms: Ms
    ply: int
    touches: list[Touch]
    half: Half | None
    start: int  #: where in the trace of edges its turn began
    changed: int  #: the squares that differ between before and after, as a bitboard
    breach: bool = False  #: it breaks Article 4
    illegal: bool = False
    reported: bool = True
    inferred: bool = False  #: read from traces that later play may show to be another move
    pressed_back: bool = False  #: no move: the clock given back for an illegal one to be corrected
    shifted: bool = False  #: a released piece was moved on after it, and that was reported
    completed: bool = False
    completed_by_press: bool = False
    pressed: Pressed | None = None  #: the press that completed it before it was known
    done: Ms = 0  #: when it was completed
    takes: chess.PieceType | None = None  #: what goes to the partner in a match, once it is completed
    unnamed: bool = False  #: a drop or promotion of a match whose kind nobody has said
    left: tuple[int | None, int | None] = (None, None)  #: what White's and Black's clocks showed once it was completed
    awarded: Mapping[Side, int] = NOTHING_AWARDED  #: what penalties had given by then, less what they had taken, in ms

    known_key: Hashable = None  #: of :attr:`key`, once that was asked for

    @property
    def key(self) -> Hashable:
        """The key of the position after it (9.2)."""
        if self.known_key is None:
            self.known_key = position_key(self.after.board)
        return self.known_key

    @property
    def was_pressed(self) -> bool:
        """Whether the clock counted a press for it."""
        return self.illegal or self.completed_by_press or self.pressed is not None

    @property
    def released(self) -> int:
        """Where its men were set down, as a bitboard: two when castling, a king and a rook."""
        return self.changed & self.after.board.occupied_co[self.before.turn]

    @property
    def may_be_taken_back(self) -> bool:
        """Whether the player himself may still put another move in its place."""
        return self.inferred or self.illegal or (self.breach and not self.completed)


class TwoHands(Struct, frozen=True):
    """Two hands that were reported of a move not yet pressed (4.1)."""

    touches: list[Touch]  #: of the turn in which it was made, the very list
    landed: int = 0  #: where men had been set down by then, while it was not made yet, as a bitboard


Fault = Literal["illegal", "violation", "false-claim", "discretion", "wrong-array", "colours-reversed"]
Asked = Literal["result", "quickplay", "increment"]
What = Fault | Asked
"""What a notice is about."""

NOWHERE = -1
"""Where the game returns to for a notice that hangs on no move: nowhere."""


class Notice(Struct, eq=False):
    """Something only a person can settle: an irregularity, or a result that is proposed."""

    what: What
    side: Side  #: the offender; of a result, whom it goes against; of a claim, who made it
    at: int  #: how many moves had been made before it: where the game returns to; :data:`NOWHERE`
    before: Position
    touches: list[Touch]  #: what binds the replacement
    half: Half | None
    article: str = ""
    prices: tuple[Price, ...] = ()  #: proposed and not yet applied
    fine: str = ""  #: the clause that sets them
    result: Result | None = None  #: the one that is proposed


class Ruling(Struct, eq=False):
    """How things stood before a ruling, to be put back if it is taken back; each thing with a copy of what it was."""

    made: list[tuple[Made, Made]]
    notices: list[tuple[Notice, Notice]]
    position: Position
    touches: list[Touch]
    half: Half | None
    counts: dict[Side, int]
    fined: dict[Side, int]
    awarded: Mapping[Side, int]
    presses: list[Pressed]
    clock: ChessClock | None
    extra: int  #: what each press adds on top of the control, in ns
    clocks: dict[Side, tuple[int, int]]  #: time in ns and moves counted; once it was given, what it added to them
    until: int = 0  #: how many moves were made when it had been given
    last: Made | None = None  #: the last of them
    ended: Result | None = None  #: the result that it brought


def outliving(notices: list[Notice], at: int) -> list[Notice]:
    """What is still open once the moves from number ``at`` on are taken back.

    Who corrects his completed illegal move by himself has completed it all the same: only the position is settled.
    """
    for notice in notices:
        if notice.what == "illegal" and notice.at >= at:
            notice.at = NOWHERE
    return [notice for notice in notices if notice.at < at]


def changed(before: Position, after: Position) -> int:
    """The squares on which two positions differ, as a bitboard."""
    mask = 0
    for square in chess.SQUARES:
        if before.symbol(square) != after.symbol(square):
            mask |= BB_SQUARES[square]
    return mask


def changed_by(before: Position, after: Position) -> int:
    """The same where a legal move lies between them: on each square it changes, it changes whose man stands there."""
    a, b = before.board.occupied_co, after.board.occupied_co
    return (a[chess.WHITE] ^ b[chess.WHITE]) | (a[chess.BLACK] ^ b[chess.BLACK])
