"""The edges that are to be explained, and which of them show a move: where its piece left and was set down, and where
its victim left; or how a sensor failed.
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import TypeAlias

import chess
from chess import BB_SQUARES, Move

from controller.position import EMPTY, PROMOTIONS, SYMBOLS, Changes, Position
from controller.sensing.question import Question
from controller.sensing.readings import FITS, LINES, SOMETHING, UNKNOWN
from controller.sensing.trace import Edge, brushes
from controller.sensing.unwatched import unwatched

EARLIEST_MS = 1_000
"""How long before its origin opens a destination may be seen to close, at most; a guess."""


class Way(Enum):
    """How a move may show."""

    SEEN = auto()  #: by every edge that there is for it
    LATE = auto()  #: by every edge, of which some are seen only after the press that followed the move
    TAKEN_LOST = auto()  #: the victim was not seen to leave; an edge that opens its square belongs to another piece
    LANDING_LOST = auto()  #: the piece was not seen to land; an edge that closes its square belongs to another piece
    SWAPPED = auto()  #: a capture whose target shows nothing, or, if the board can tell, only the other piece


OneOf: TypeAlias = tuple[int | None, ...]
"""The numbers of alternative edges; None: no edge."""

Sign: TypeAlias = tuple[chess.Square, int | None]
"""A square, and the number of the edge there that shows a move; None if it was lost."""


def _masks(numbers: Mapping[chess.Square, Sequence[int]]) -> dict[int, int]:
    """By square, as a bitboard: the mask of its edge numbers."""
    return {BB_SQUARES[square]: sum(1 << number for number in of) for square, of in numbers.items()}


def _left_over(numbers: Mapping[int, int], used: int) -> int:
    """The squares, a bitboard, with an edge that is not accounted for. ``numbers``: as :func:`_masks` returns them."""
    found = 0
    for square, edges in numbers.items():
        if edges & ~used:
            found |= square
    return found


def silent_lines(supposed: int, filled: int) -> int:
    """The squares, as a bitboard, of ranks and files that show nothing, and on which a sensor is ``supposed`` not to
    work already: the others may have failed for the same reason."""
    silent = 0
    for line in LINES if supposed else ():
        if line & supposed and not line & filled & ~supposed:
            silent |= line & ~supposed
    return silent


def _tapped(
    edges: Sequence[Edge], places: Mapping[chess.Square, Sequence[int]], release_ms: int
) -> dict[chess.Square, int]:
    """By square: the mask of the edges with which a piece came there only in passing, and came again later."""
    tapped: dict[chess.Square, int] = {}
    for square, numbers in places.items():
        for number, again in pairwise(numbers):
            gone = next((edge for edge in edges[number + 1 : again] if edge.square == square), None)
            if gone is not None and gone.seen == EMPTY and gone.ms - edges[number].ms < release_ms:
                tapped[square] = tapped.get(square, 0) | 1 << number
    return tapped


class Edges:
    """The edges of a question, by their numbers, from 0. ``used`` is a mask of the numbers that are accounted for."""

    def __init__(self, question: Question) -> None:
        self.all: Sequence[Edge] = question.edges
        self._looks, self._watched = question.readings, question.watched
        self.lifts: dict[chess.Square, list[int]] = {}
        self.places: dict[chess.Square, list[int]] = {}
        for number, edge in enumerate(self.all):
            (self.lifts if edge.seen == EMPTY else self.places).setdefault(edge.square, []).append(number)
        brushed = list(brushes(self.all, question.brush_ms))
        #: the mask of the edges with which a square opened for less than a brush: no piece has left for good with them
        self.brushed = sum(1 << lift for lift, _ in brushed)
        self.tapped = _tapped(self.all, self.places, question.release_ms)
        self.unwatched = unwatched(question)
        self.unwatched_squares = sum({BB_SQUARES[self.all[number].square] for number in self.unwatched})
        #: the board tells one piece from another
        self.tells = any(seen not in (EMPTY, SOMETHING, UNKNOWN) for seen in question.readings)
        self._opening, self._closing = _masks(self.lifts), _masks(self.places)
        brief = sum(1 << number for pair in brushed for number in pair)
        #: where more was seen than brushes, as a bitboard
        self.shown = _left_over(self._opening, brief) | _left_over(self._closing, brief)
        #: where brushes were, and nothing else: a hand was there, or the sensor closes again without its piece
        self.only_brushed = (_left_over(self._opening, 0) | _left_over(self._closing, 0)) & ~self.shown
        self._unexplained = dict[int, tuple[int, int]]()  #: answers of :meth:`unexplained`, by ``used``

    def unexplained(self, used: int) -> tuple[int, int]:
        """The squares that opened, and those that closed, with an edge that is not accounted for; as bitboards."""
        known = self._unexplained.get(used)
        if known is None:
            known = self._unexplained[used] = _left_over(self._opening, used), _left_over(self._closing, used)
        return known

    def failed(self, square: chess.Square) -> int:
        """The mask of the only edge of that square, if it may show how the sensor failed: no hand is known to have made
        it, and it shows no kind or colour. Else 0."""
        numbers = [*self.lifts.get(square, ()), *self.places.get(square, ())]
        edge = self.all[numbers[0]]
        return 1 << numbers[0] if len(numbers) == 1 and edge.white is None and edge.seen in (EMPTY, SOMETHING) else 0

    def first(
        self,
        numbers: Mapping[chess.Square, Sequence[int]],
        square: chess.Square,
        used: int,
        white: bool | None = None,
    ) -> int | None:
        """The first edge of that square that is not accounted for; ``white``: not by a hand known to be the other's."""
        for number in numbers.get(square, ()):
            if not used >> number & 1 and (white is None or self.all[number].white in (None, white)):
                return number
        return None

    def shown_new(self, position: Position, move: Move) -> list[chess.PieceType]:
        """The kinds of new pieces that the board shows, or has shown, where a pawn is promoted by that move."""
        shown = [self.all[number].seen for number in self.places.get(move.to_square, ())]
        seen = {self._looks[move.to_square], *shown}
        return [kind for kind in PROMOTIONS if SYMBOLS[position.turn][kind] in seen]

    def exchanged(self, position: Position, move: Move) -> bool:
        """Whether, in a match, the board has shown the real new piece where the pawn should stay."""
        if not move.promotion or position.drop_board is None:
            return False
        return move.promotion in self.shown_new(position, move)

    def changes(self, position: Position, move: Move) -> Changes:
        """What ``move`` leaves on each square that it changes, as the board shows it: see :meth:`exchanged`."""
        changes = position.changes(move)
        if not move.promotion or not self.exchanged(position, move):
            return changes
        new = SYMBOLS[position.turn][move.promotion or chess.QUEEN]
        return tuple([(square, new if square == move.to_square else symbol) for square, symbol in changes])

    def left_with(self, used: int, position: Position, origin: chess.Square) -> OneOf:
        """The edges with which the piece on ``origin`` may have left."""
        return self._left(used | self.brushed, origin, position.turn)

    def seen_with(
        self, used: int, position: Position, move: Move, departures: OneOf
    ) -> list[tuple[int | None, int | None]]:
        """The pairs of edges with which the moving piece may have left, one of ``departures``, and its victim; None in
        place of one that is lost, or of a victim if there is none."""
        if (victim := position.captured(move)) is None:
            return [(departure, None) for departure in departures]
        found, takings = [], self._left(used, victim, None)
        for departure in departures:
            last = self._taken_last(used, victim, departure)
            more = () if last is None or last in takings else (last,)
            found += [(departure, taken) for taken in (*takings, *more)]
        return found

    def _taken_last(self, used: int, victim: chess.Square, departure: int | None) -> int | None:
        """The last edge with which the victim's square opened before the piece that left with ``departure`` filled it:
        if it opened before, that was a brush. None if it opened only once."""
        lifts = [number for number in self.lifts.get(victim, ()) if not used >> number & 1]
        if departure is None or len(lifts) < 2:
            return None
        landing = next((number for number in self.places.get(victim, ()) if number > departure), len(self.all))
        return max((number for number in lifts if number < landing), default=None)

    def _left(self, used: int, origin: chess.Square, white: bool | None) -> OneOf:
        """The edges with which a piece may have left for good: the first that opens its square, or, if it was put back
        since, the last. ``(None,)`` if there is none."""
        first = self.first(self.lifts, origin, used, white)
        if first is None or self._looks[origin] != EMPTY or self.lifts[origin][-1] == first:
            return (first,)
        return (first, self.lifts[origin][-1])

    def signs(
        self, used: int, faulty: int, position: Position, move: Move, way: Way, departure: int | None, taken: int | None
    ) -> list[Sign] | None:
        """The squares that show this move, each with its edge, or None where that was lost: first the origin, then the
        destination. None instead of the list if the move cannot show in this way."""
        if position.shuffled and position.castles(move):
            return self._castled(used, position, move, way, departure)
        victim, changes = position.captured(move), self.changes(position, move)
        if way is Way.TAKEN_LOST:
            taken = None
        landing = self._landing(
            changes[1], used, departure, taken if victim == move.to_square else None, move.promotion
        )
        if way is Way.LANDING_LOST:
            if landing is None:
                return None  # that is SEEN with a lost landing
            landing = None
        left, landed = (move.from_square, departure), (move.to_square, landing)
        if way is Way.SWAPPED:
            landing = self._landing(changes[1], used, departure, None, move.promotion)
            shows = landing is not None and self._tells(position, move, landing)
            if departure is not None and self._was_empty(move.to_square, departure, landing if shows else None):
                return None  # no piece stood there to be exchanged
            if shows:
                return [left, (move.to_square, landing)]
            # A piece from a square whose sensor does not work may have captured unseen, too.
            return None if departure is None and not BB_SQUARES[move.from_square] & faulty else [left]
        castled = [
            (square, self.first(self.lifts if symbol == EMPTY else self.places, square, used))
            for square, symbol in changes[2:]
            if square != victim
        ]
        return [left, landed, *([(victim, taken)] if victim is not None else []), *castled]

    def _castled(self, used: int, position: Position, move: Move, way: Way, departure: int | None) -> list[Sign] | None:
        """The same for castling in chess960: the origin and destination of each carried piece."""
        (origin, to), *after = position.carried(move)
        landing = self._landing((to, position.symbol(origin)), used, departure, None)
        if way is Way.LANDING_LOST:
            if landing is None:
                return None  # that is SEEN with a lost landing
            landing = None
        signs: list[Sign] = [(origin, departure), (to, landing)]
        for origin, to in after:
            signs += [(origin, self.first(self.lifts, origin, used)), (to, self.first(self.places, to, used))]
        return signs

    def _landing(
        self,
        lands: tuple[chess.Square, str],
        used: int,
        departure: int | None,
        taken: int | None,
        promoted: chess.PieceType | None = None,
    ) -> int | None:
        """The edge with which the piece was set down; ``lands``: its destination, and its FEN letter there. It comes
        after the piece left, or just before, for a promotion even long before (4.6); and after its victim left. None if
        there is no such edge."""
        square, symbol = lands
        for number in self.places.get(square, ()):
            if used >> number & 1 or (taken is not None and number < taken):
                continue
            if symbol not in FITS[self.all[number].seen]:
                continue
            if departure is None or number > departure or promoted:
                return number
            if self.all[departure].ms - self.all[number].ms <= EARLIEST_MS:
                return number
        return None

    def _was_empty(self, square: chess.Square, since: int, until: int | None) -> bool:
        """Whether that square was seen to be empty between these two edges; without ``until``, to the last edge."""
        if not self._watched:
            return False
        end = len(self.all) if until is None else until
        lifted = max((number for number in self.lifts.get(square, ()) if number < end), default=-1)
        closed = max((number for number in self.places.get(square, ()) if number < end), default=-1)
        return closed < lifted < since

    def _tells(self, position: Position, move: Move, landing: int) -> bool:
        """Whether the edge ``landing`` shows that the moved piece stands there, and not the one that stood there."""
        seen = self.all[landing].seen
        return seen != SOMETHING and dict(self.changes(position, move))[move.to_square] in FITS[seen]
