"""What a search is asked, the lines of moves that it looks at, and what it answers."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import inf

import chess
from chess import Move
from msgspec import Struct
from msgspec.structs import replace

from controller.position import EMPTY, Position
from controller.sensing.costs import Rates
from controller.sensing.difference import Readings
from controller.sensing.laid import Taken
from controller.sensing.trace import Edge, straddles

LATE_MS = 1000
"""How long after a press a slow board may show a piece to land that was set down before the press."""


class ExplainedMove(Struct, frozen=True):
    """A move of an explanation, and how many edges had been seen when it was made."""

    move: Move
    edges: int
    hidden: bool = False  #: the sensors did not show all of it
    late: bool = False  #: it was made before the press that followed it, and seen only after that press
    cost: float = 0.0  #: of believing this move and those before it
    beside: Mapping[str, float] = {}  #: other moves, as UCI, that it may have been, each with its relative likelihood


class Explanation(Struct, frozen=True):
    """Moves that account for what was seen."""

    moves: tuple[ExplainedMove, ...]
    cost: float
    position: Position  #: after the last of them
    foreseen: float = 0.0  #: a further cost once it is lived through, for what was said or done out of turn
    open_yet: float = 0.0  #: the part of the cost that is for squares which still do not fit
    nowhere: float = 0.0  #: the part of the cost that is for pieces which came from nowhere, and stand there
    stuck: int = 0  #: the square, as a bitboard, whose sensor is supposed not to work
    of_stuck: float = 0.0  #: the part of the cost that is for that sensor


class Asked(Struct, frozen=True):
    """What was asked already: the moves that may follow the beginning of a later turn."""

    position: tuple[int, ...]  #: the key of the position at that beginning
    edges: int  #: how many edges of this question had been seen by then
    cost: float  #: what was paid by then: a cheaper line may go on further than was asked


class Question(Struct, frozen=True, dict=True):  # a dict, for the cached property
    """What is to be explained: the edges since ``position``, which end at ``readings``."""

    position: Position
    edges: Sequence[Edge]
    readings: Readings
    rates: Rates
    release_ms: int
    #: the pieces named by button, for a drop or a promotion: when, in ms, by whom, and which kind
    named: Sequence[tuple[int, chess.Color, chess.PieceType]] = ()
    found: int = 0  #: so many edges are of a first reading: nobody saw how they came about
    presses: Sequence[tuple[int, chess.Color]] = ()  #: when the clock was pressed meanwhile, in ms, and by whom
    announced: Sequence[tuple[int, chess.Color]] = ()  #: the same for "j'adoube", which is said at one's own turn
    presser: chess.Color | None = None  #: who has just pressed the clock, and so made the last move
    left_out: int = 0  #: squares that take no part in the game, as a bitboard
    most: float = inf  #: what an explanation may cost
    scanned: bool = False  #: the board is scanned slowly
    watched: bool = True  #: somebody saw the board all the time
    by_scans: bool = False  #: the board sends whole scans: if one is lost the next one shows what has changed
    faulty: int = 0  #: the squares whose sensors do not work, as a bitboard
    supposed: int = 0  #: those of them whose sensors are only supposed not to work
    late_ms: int = LATE_MS  #: how long after a press the board may show a piece to land that was set down before it
    settling_ms: int = 0  #: how long a contact may take until it shows what stands there
    brush_ms: int = 0  #: no hand takes up a piece and sets it down elsewhere in less
    earlier: Sequence[Edge] = ()  #: the edges just before: a piece on two squares may have closed one of them then
    asked: Asked | None = None
    worked: int = 0  #: the squares whose sensors have opened or closed in this game, as a bitboard
    taken: Sequence[Taken] = ()  #: the piece captured just before ``position``
    stopped: range = range(0)  #: the numbers of the edges that came while the clocks stood still, and belong to no move

    @cached_property
    def astride(self) -> frozenset[int]:
        """The numbers of the edges with which a piece came to stand on two squares at once."""
        edges, first = [*self.earlier, *self.edges], len(self.earlier)
        closed = [number for number, edge in enumerate(self.edges) if edge.seen != EMPTY]
        return frozenset(number for number in closed if straddles(edges, first + number))

    def pressed_by(self, white: chess.Color, ms: int) -> int | None:
        """When that player pressed first since ``ms``; None if he has not pressed."""
        return next((when for when, by in self.presses if by == white and when >= ms), None)

    def named_with(
        self, moves: Sequence[ExplainedMove], white: chess.Color, number: int | None
    ) -> tuple[chess.PieceType, ...]:
        """The kind that the player who moves after these moves has named, for a drop with edge ``number`` or a
        promotion: the last one named before that edge, else the first one after it, but none that belongs to an earlier
        move. Empty if he has named none."""
        said = [(ms, kind) for ms, by, kind in self.named if by == white]
        for made in moves[len(moves) % 2 :: 2] if said else ():  # his own
            kind = made.move.promotion or made.move.drop
            if kind and said:
                until = self.edges[made.edges - 1].ms if made.edges else 0
                earlier = sum(ms <= until for ms, _ in said)
                said = said[earlier or said[0][1] == kind :]
        if not said:
            return ()
        earlier = sum(number is None or ms <= self.edges[number].ms for ms, _ in said)
        return (said[max(earlier - 1, 0)][1],)


class Line(Struct, frozen=True):
    """Moves that a search has put together so far."""

    before: Position  #: the position before the last move
    moves: tuple[ExplainedMove, ...]
    used: int  #: the edges accounted for, as a mask of their numbers
    cost: float
    mismatch: int  #: the squares where what is seen does not fit the position
    lost: int  #: how many edges were lost so far
    stuck: int = 0  #: a square, as a bitboard, whose sensor is supposed not to work
    late: bool = False  #: one of the moves was made before the press that followed it, and seen only after that press
    taken: tuple[Taken, ...] = ()  #: the pieces that these moves capture

    def dearer(self, cost: float) -> "Line":
        """The same line, with this cost added to its last move."""
        last = self.moves[-1]
        return replace(self, cost=self.cost + cost, moves=(*self.moves[:-1], replace(last, cost=last.cost + cost)))
