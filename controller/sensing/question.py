"""What is asked of a search, the lines of moves it looks at, and what it answers."""

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
from controller.sensing.trace import Edge, straddles

LATE_MS = 1000
"""How long after the press a slow board may show a piece to land that was set down before it."""


class ExplainedMove(Struct, frozen=True):
    """A move of an explanation, and how many edges had been seen when it was made."""

    move: Move
    edges: int
    hidden: bool = False  #: not all that shows such a move was seen
    late: bool = False  #: it was made before the press that followed it, and seen only after that
    cost: float = 0.0  #: of believing in it and those before it
    beside: Mapping[str, float] = {}  #: what else it may have been as well, as UCI, and how many times as likely


class Explanation(Struct, frozen=True):
    """Moves that account for what was seen."""

    moves: tuple[ExplainedMove, ...]
    cost: float
    position: Position  #: after the last of them
    foreseen: float = 0.0  #: what it will cost besides once it is lived through: what was said out of turn, or done
    open_yet: float = 0.0  #: of the cost, that of the squares that do not fit it still
    nowhere: float = 0.0  #: of the cost, that of pieces that came from nowhere, and stand there
    stuck: int = 0  #: the square, as a bitboard, whose sensor has not shown what they did
    of_stuck: float = 0.0  #: of the cost, what that is


class Asked(Struct, frozen=True):
    """What was asked already: what may follow a later turn."""

    position: tuple[int, ...]  #: before it, by its key
    edges: int  #: how many of this question had been seen by then
    cost: float  #: what was paid by then: a line that is cheaper may go on further than was asked


class Question(Struct, frozen=True, dict=True):  # a dict, for what is worked out once
    """What is to be explained: the edges since ``position``, which end at ``readings``."""

    position: Position
    edges: Sequence[Edge]
    readings: Readings
    rates: Rates
    release_ms: int
    #: what somebody has said that he drops, or that his pawn becomes: when, in ms, who, and what
    named: Sequence[tuple[int, chess.Color, chess.PieceType]] = ()
    found: int = 0  #: so many edges are of a first reading: how they came about nobody saw
    presses: Sequence[tuple[int, chess.Color]] = ()  #: when the clock was pressed meanwhile, in ms, and by whom
    announced: Sequence[tuple[int, chess.Color]] = ()  #: the same of "j'adoube", which is said at one's own turn
    presser: chess.Color | None = None  #: who has just pressed the clock, and so made the last move
    left_out: int = 0  #: squares that take no part in the game, as a bitboard
    most: float = inf  #: what an explanation may cost
    scanned: bool = False  #: the board is scanned slowly
    watched: bool = True  #: somebody saw it all the time
    by_scans: bool = False  #: the whole board is sent, scan by scan: where one is lost the next shows what has changed
    faulty: int = 0  #: the squares whose sensors do not work, as a bitboard
    supposed: int = 0  #: those of them of which nobody has said so
    late_ms: int = LATE_MS  #: how long after the press the board may show a piece to land that was set down before it
    settling_ms: int = 0  #: so long may a contact take until it shows what stands there
    brush_ms: int = 0  #: no hand takes up a piece and sets it down elsewhere in less
    earlier: Sequence[Edge] = ()  #: the edges just before: one of a pair may be among them
    asked: Asked | None = None
    worked: int = 0  #: those whose sensors have opened or closed in this game, as a bitboard

    @cached_property
    def astride(self) -> frozenset[int]:
        """The numbers of the edges that are one of two with which a piece came to stand on two squares at once."""
        edges, first = [*self.earlier, *self.edges], len(self.earlier)
        closed = [number for number, edge in enumerate(self.edges) if edge.seen != EMPTY]
        return frozenset(number for number in closed if straddles(edges, first + number))

    def named_with(
        self, moves: Sequence[ExplainedMove], white: chess.Color, number: int | None
    ) -> tuple[chess.PieceType, ...]:
        """What the player who moves after these has said that he drops with that edge, or that his pawn becomes: last
        before it, or else after, and not of a piece before. Empty where he has said nothing."""
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
    """Moves, as far as they are thought out."""

    before: Position  #: the position before the last move
    moves: tuple[ExplainedMove, ...]
    used: int  #: the edges accounted for, as a mask of their numbers
    cost: float
    mismatch: int  #: the squares where what is seen does not fit the position
    lost: int  #: how many edges were lost so far
    stuck: int = 0  #: a square, as a bitboard, whose sensor is supposed not to work
    late: bool = False  #: one of the moves was made before the press that followed it, and seen only after that

    def dearer(self, cost: float) -> "Line":
        """The same, with that paid for its last move as well."""
        last = self.moves[-1]
        return replace(self, cost=self.cost + cost, moves=(*self.moves[:-1], replace(last, cost=last.cost + cost)))
