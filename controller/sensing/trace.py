"""What the sensors have shown since the start of the game: edges, one after the other."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import overload

import chess
from chess import BB_SQUARES
from msgspec import Struct

from controller.position import EMPTY, squares
from controller.sensing.readings import SOMETHING


class Edge(Struct, frozen=True, gc=False):
    """A square opened or closed."""

    ms: int
    square: chess.Square
    seen: str  #: what it shows now, see :mod:`controller.sensing.readings`
    white: bool | None = None  #: whose hand it was, where that is known


STRADDLE_MS = 100
"""A piece set down on the edge of two squares closes both within this time."""

TOLD_APART_MS = 350
"""The same where the board sees that both show a piece of one colour: then it is hardly another piece. A guess."""


LOOK = 4
"""Up to so many edges before and after one may be of the same look."""


def stands_beside(edges: Sequence[Edge], number: int) -> chess.Square | None:
    """The square beside that closes together with the one of edge ``number``, and shows the same, while no third square
    does: one piece stands on both. Either may open and close more than once. None if there is no such square."""
    edge = edges[number]
    within = STRADDLE_MS if edge.seen == SOMETHING else TOLD_APART_MS
    later = takewhile(lambda at: edges[at].ms - edge.ms <= within, range(number + 1, len(edges)))
    earlier = takewhile(lambda at: edge.ms - edges[at].ms <= within, range(number - 1, -1, -1))
    near = -1  # the number of the last edge that closes another square
    left = set[chess.Square]()
    for at in chain(later, earlier):
        each = edges[at]
        if each.square == edge.square:
            continue
        if each.seen != EMPTY:
            if near >= 0 and edges[near].square != each.square:
                return None
            near = max(near, at)
        else:
            left.add(each.square)
            if len(left) > 2:
                return None
    if near < 0:
        return None
    beside = edges[near]
    left.discard(beside.square)  # one other square may have opened: that from which the piece came
    if len(left) > 1 or beside.seen != edge.seen or chess.square_distance(beside.square, edge.square) != 1:
        return None
    return beside.square if _together(edges, *sorted((near, number))) else None


def _together(edges: Sequence[Edge], first: int, then: int) -> bool:
    """Whether the square that closed ``first`` stays closed until the other closes ``then``, or closes again soon
    after; else a piece slid from one to the other."""
    square, ms = edges[first].square, edges[then].ms
    if all(edge.square != square for edge in edges[first + 1 : then]):
        return True
    return any(
        edge.square == square and edge.seen != EMPTY and edge.ms - ms <= STRADDLE_MS for edge in edges[then + 1 :]
    )


def straddles(edges: Sequence[Edge], number: int) -> bool:
    """Whether the piece set down with that edge stands on two squares."""
    return stands_beside(edges, number) is not None


def seen_late(edges: Sequence[Edge], number: int) -> bool:
    """Whether the look that shows a piece set down, with that edge, also shows another piece gone: the first may have
    stood there for long, and a look that showed it was lost."""
    return bool(left_with(edges, number))


def left_with(edges: Sequence[Edge], number: int) -> list[chess.Square]:
    """The squares that pieces have left in the same look in which that edge shows a piece set down."""
    edge = edges[number]
    around = (*reversed(edges[max(0, number - LOOK) : number]), *edges[number + 1 : number + 1 + LOOK])
    left = [each.square for each in around if each.ms == edge.ms and each.seen == EMPTY and each.square != edge.square]
    return left if edge.seen != EMPTY else []


def away_and_back(edges: Sequence[Edge]) -> Iterator[tuple[int, int]]:
    """For each square that opened and closed again: the numbers of these two edges."""
    opened: dict[chess.Square, int] = {}
    for number, edge in enumerate(edges):
        if edge.seen == EMPTY:
            opened[edge.square] = number
        elif (lift := opened.pop(edge.square, None)) is not None:
            yield lift, number


def came_and_left(edges: Sequence[Edge]) -> Iterator[tuple[int, int]]:
    """For each square that was empty, closed, and opened again: the numbers of the last two edges."""
    closed: dict[chess.Square, int] = {}
    opened = set[chess.Square]()
    for number, edge in enumerate(edges):
        if edge.seen == EMPTY:
            opened.add(edge.square)
            if (came := closed.pop(edge.square, None)) is not None:
                yield came, number
        elif edge.square not in opened:
            closed[edge.square] = number


def brushes(edges: Sequence[Edge], brush_ms: int) -> Iterator[tuple[int, int]]:
    """As :func:`away_and_back`, for squares that were open for less than a brush."""
    return ((left, back) for left, back in away_and_back(edges) if edges[back].ms - edges[left].ms < brush_ms)


class Trace(Sequence[Edge]):
    """Edges in order. A trace never changes. Traces that go on from one another share their common edges, so that
    adding an edge costs the same however long a game has lasted."""

    __slots__ = ("_count", "_edges", "last")

    def __init__(self, edges: Iterable[Edge] = ()) -> None:
        self._edges = list(edges)
        self._count = len(self._edges)
        #: the latest edge, None before the first; kept, as every step asks for it
        self.last = self._edges[-1] if self._edges else None

    def then(self, edge: Edge) -> "Trace":
        """This trace and one edge more."""
        further = Trace.__new__(Trace)
        # If another trace has gone on from here already, this one needs a copy of the edges.
        further._edges = self._edges if len(self._edges) == self._count else self._edges[: self._count]
        further._edges.append(edge)
        further._count, further.last = self._count + 1, edge
        return further

    def changed(self, start: int) -> int:
        """The squares that changed with edge number ``start`` or later, as a bitboard."""
        return sum({BB_SQUARES[edge.square] for edge in self[start:]})

    def last_edges(self, mask: int, since: int) -> dict[chess.Square, int]:
        """The number of the last edge of each of the squares ``mask``, a bitboard; -1 where there is none since that
        number."""
        numbers, left, number = dict.fromkeys(squares(mask), -1), mask, self._count
        while left and number > max(0, since):
            number -= 1
            square = self._edges[number].square
            if left & BB_SQUARES[square]:
                numbers[square] = number
                left &= ~BB_SQUARES[square]
        return numbers

    def last_edge(self, square: chess.Square, since: int) -> int:
        """The number of the last edge of that square since that number; -1 where there is none."""
        for number in range(self._count - 1, max(since, 0) - 1, -1):
            if self._edges[number].square == square:
                return number
        return -1

    def latest(self, square: chess.Square, empty: bool, since: int = 0) -> Edge | None:
        """The last edge since that number with which that square opened (``empty``), or closed; None if none did."""
        for number in range(self._count - 1, max(since, 0) - 1, -1):
            edge = self._edges[number]
            if edge.square == square and (edge.seen == EMPTY) == empty:
                return edge
        return None

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Edge]:
        return islice(self._edges, self._count)

    @overload
    def __getitem__(self, index: int) -> Edge: ...
    @overload
    def __getitem__(self, index: slice) -> list[Edge]: ...
    def __getitem__(self, index: int | slice) -> Edge | list[Edge]:
        if isinstance(index, slice):
            return self._edges[slice(*index.indices(self._count))]
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError(index)
        return self._edges[index]
