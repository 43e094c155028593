"""The moves made so far, and what awaits a ruling."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import chess
from chess import BB_SQUARES, Move
from msgspec import Struct
from msgspec.structs import replace

from controller.contract import BLACK, WHITE, Arbiter, Ms, Result, Side
from controller.laws.editions import Price
from controller.laws.touch import PartialMove, TouchedPiece
from controller.position import Position, uci

if TYPE_CHECKING:
    from controller.laws.state import State

NONE_OF_EITHER: Mapping[Side, int] = MappingProxyType({WHITE: 0, BLACK: 0})

Fault = Literal["illegal", "violation", "false-claim", "discretion", "wrong-array", "colours-reversed"]
Asked = Literal["result", "given", "quickplay", "increment", "wrong-clock", "turned-board"]
What = Fault | Asked
"""What a notice is about."""

Held = Mapping[What, tuple[str, ...]]
"""For each thing that a notice may be about: the ids of the events that say so."""
NOTHING_HELD: Held = MappingProxyType({})

Beside = Mapping[str, float]
"""Other moves, as UCI, that may have been made instead, each with its likelihood relative to the move that was made:
0.5 where it is half as likely. The key "" stands for no move."""
NOTHING_BESIDE: Beside = MappingProxyType({})


def beside(move: Move, weights: Mapping[str, float]) -> Beside:
    """The other moves, each with its weight relative to ``move``; ``weights`` holds the weights of all, ``move``
    included."""
    own = weights[uci(move)]
    return {other: weight / own for other, weight in weights.items() if other != uci(move)}


class Pressed(Struct, frozen=True):
    """A press that completes a move that is not known yet, and what the clocks showed after it."""

    side: Side
    white_ms: int
    black_ms: int


class Made(Struct, frozen=True):
    """One move made (4.7), or an illegal one that stands on the board until somebody acts.

    An illegal move is in the game, so that play can go on from it; it is reported as a move only once the time to
    correct it has passed.
    """

    side: Side
    before: Position
    move: Move  #: a null move where the clock was pressed without one
    after: Position
    ms: Ms
    ply: int
    touches: tuple[TouchedPiece, ...]
    partial_move: PartialMove | None
    turn: int  #: the number of its turn; 0 where nothing is known of what was touched in it
    start: int  #: where in the trace of edges its turn began
    changed: int  #: the squares that differ between before and after, as a bitboard
    breach: bool = False  #: it breaks Article 4
    illegal: bool = False
    reported: bool = True
    stood: bool = False  #: it was seen to stand for as long as a release takes
    inferred: bool = False  #: read from traces; later play may show that it was another move
    believed: bool = False  #: inferred, and certain within its world: in other worlds it was not made
    hidden: bool = False  #: the sensors did not show all of it
    ruled: bool = False  #: an arbiter said that it was played
    beside: Beside = NOTHING_BESIDE  #: what else it may have been, by the edges that led to it
    pressed_back: bool = False  #: no move: a press that gives the clock back so that an illegal move is corrected
    shifted: bool = False  #: its released piece was moved on, and that was told
    #: the move that stands in its place, against the rules; of the move that stands so, the one released before
    instead: Move | None = None
    completed: bool = False
    completed_by_press: bool = False
    may_be_pressed: bool = False  #: nobody saw the board for a while since: he may have pressed then
    pressed: Pressed | None = None  #: the press that completed it before the move was known
    done: Ms = 0  #: when it was completed
    takes: chess.PieceType | None = None  #: in a match: the kind that goes to the partner once it is completed
    unnamed: bool = False  #: a promotion, or a drop of a match, whose kind nobody has said
    left: tuple[int | None, int | None] = (None, None)  #: what White's and Black's clocks showed once it was completed
    shown: tuple[Ms, Ms] | None = None  #: the same when it was made, less what both had been awarded by then
    held: Held = NOTHING_HELD  #: the offences told of it that wait for a claim

    @property
    def was_pressed(self) -> bool:
        """Whether the clock counted a press for it."""
        return self.illegal or self.completed_by_press or self.pressed is not None

    @property
    def released(self) -> int:
        """Where the move set down pieces, as a bitboard: one square, or two for castling."""
        return self.changed & self.after.board.occupied_co[self.before.turn]

    @property
    def landing(self) -> chess.Square:
        """Where the moved piece was set down; of castling, where the king was."""
        return self.before.landing(self.move)

    @property
    def victim_brushed(self) -> bool:
        """Whether the captured piece was seen off its square for no longer than a brush."""
        brief = [touch.square for touch in self.touches if touch.brief]
        return bool(brief) and self.before.captured(self.move) in brief

    @property
    def may_be_taken_back(self) -> bool:
        """Whether the player himself may still put another move in its place."""
        return (self.inferred and not self.believed) or self.illegal or self.breach


class WrittenMove(Struct, frozen=True):
    """The move that a player wrote down for a claim of a draw (9.2, 9.3)."""

    move: Move
    before: Position
    at: int  #: how many moves had been made


class Witnessed(Struct, frozen=True):
    """What a person reported of a move not yet pressed: two hands (4.1), or that it is illegal."""

    kind: str  #: ``two-hands`` or ``illegal-move``
    said: Mapping[str, Any]  #: in which words, and who saw it: fields of :class:`controller.contract.Illegal`
    turn: int  #: the number of the turn in which it was made
    landed: int = 0  #: if it was not made yet: where pieces had been set down by then, as a bitboard


NOWHERE = -1
"""``Notice.at`` of a notice that is about no move: a ruling on it does not take the game back."""


class Notice(Struct, frozen=True):
    """Something that only a person can settle: an irregularity, or a proposed result."""

    number: int  #: unique within a game
    ids: tuple[str, ...]  #: of the events that are about it, oldest first: a ruling on it names any of them
    what: What
    side: Side  #: the offender; of a result, the player it goes against; of a claim, the player who made it
    at: int  #: how many moves had been made before it, to where the game may return; or :data:`NOWHERE`
    before: Position
    touches: tuple[TouchedPiece, ...]  #: what binds the replacement
    partial_move: PartialMove | None
    article: str = ""
    prices: tuple[Price, ...] = ()  #: proposed and not yet applied
    fine: str = ""  #: the clause that sets these prices
    result: Result | None = None  #: the proposed result
    shown: tuple[Ms, Ms] | None = None  #: what the clocks showed when the move that it is about was played


class UndoPoint(Struct, frozen=True):
    """A ruling that can be taken back."""

    before: State  #: the state before the ruling
    clocks: Mapping[Side, tuple[int, int]]  #: what it added to each player's time, in ns, and to the moves counted
    until: int  #: how many moves were made after the ruling
    last: Made | None  #: the last of them
    ended: Result | None  #: the result that the ruling brought, or that stood then
    ruling: Arbiter
    rewrote: bool  #: whether it changed what the record says
    moved: bool  #: whether it changed the position
    noticed: int  #: how many notices there had been by then
    counts: Mapping[Side, int]  #: how many completed illegal moves of each player there had been
    fined: Mapping[Side, int]  #: how many of these had a price


def outliving(notices: tuple[Notice, ...], at: int) -> tuple[Notice, ...]:
    """The notices that are still open once the moves from number ``at`` on are taken back.

    A player who corrects his completed illegal move by himself has completed it all the same: its notice stays open,
    but no longer leads back to a position.
    """
    kept = [replace(n, at=NOWHERE) if n.what == "illegal" and n.at >= at else n for n in notices]
    return tuple(notice for notice in kept if notice.at < at)


def holding(made: Made, what: What, ids: tuple[str, ...]) -> Held:
    """What waits for a claim about a move, after events with these ids have said one more thing against it."""
    return {**made.held, what: (*made.held.get(what, ()), *ids)}


def changed(before: Position, after: Position) -> int:
    """The squares on which two positions differ, as a bitboard."""
    mask = 0
    for square in chess.SQUARES:
        if before.symbol(square) != after.symbol(square):
            mask |= BB_SQUARES[square]
    return mask


def changed_by(before: Position, after: Position) -> int:
    """The same where one legal move leads from one to the other. Such a move changes whose piece stands on each square
    that it changes, except where king and rook of chess960 change places."""
    if before.shuffled:
        return changed(before, after)
    a, b = before.board.occupied_co, after.board.occupied_co
    return (a[chess.WHITE] ^ b[chess.WHITE]) | (a[chess.BLACK] ^ b[chess.BLACK])
