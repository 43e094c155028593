"""The edges by which each move of a finished record showed: by these it is counted what a board loses, and what hands
do.

Nothing is judged or searched here: the moves are known, and the edges of each are looked for between the move before it
and the one after. The rates made of it are in :mod:`controller.sensing.costs`.
"""

from collections.abc import Iterable, Iterator, Sequence

import chess
from chess import BB_SQUARES, Move
from msgspec import Struct

from controller import contract as c
from controller.chess960 import set_up
from controller.position import EMPTY, TURNED, Position
from controller.sensing.readings import FITS, reported
from controller.sensing.trace import Edge


class Showing(Struct, frozen=True):
    """A move, and the numbers of the edges that show it; None for one that was lost, or is not to be expected."""

    before: Position
    move: Move
    first: int  #: the number of the first edge that may belong to it
    past: int  #: the number of the first later edge that may not
    departure: int | None
    landing: int | None
    taken: int | None  #: the edge that opened the victim's square
    castled: tuple[int | None, ...] = ()  #: the edges that opened the rook's square, and closed its destination

    @property
    def captures(self) -> bool:
        """Whether the move captured a piece on its destination: any capture except en passant."""
        return self.before.captured(self.move) == self.move.to_square

    def signs(self, senses: c.Senses) -> list[int | None]:
        """The edges that a board which loses none shows. Of a capture within one scan it does not show the victim
        leaving, nor, if it sees only occupancy, the piece landing."""
        signs = [self.departure, *self.castled]
        if self.taken is not None or not self.captures or senses != "occupancy":
            signs.append(self.landing)
        if self.before.captured(self.move) is not None and not self.captures:
            signs.append(self.taken)
        return signs


class Lost(Struct, frozen=True):
    """How many edges of moves were to be expected, and how many of them were lost."""

    edges: int = 0
    lost: int = 0

    @property
    def share(self) -> float:
        """The estimated share of lost edges."""
        return (self.lost + 1) / (self.edges + 2)

    def __add__(self, more: "Lost") -> "Lost":
        return Lost(self.edges + more.edges, self.lost + more.lost)


class SeenGame(Struct, frozen=True):
    """A game as it was seen: all its edges, and the moves of its score, each with the edges that show it."""

    senses: c.Senses
    edges: tuple[Edge, ...]
    moves: tuple[Showing, ...]

    @property
    def lost(self) -> Lost:
        """How many edges of these moves the board lost."""
        signs = [sign for move in self.moves for sign in move.signs(self.senses)]
        return Lost(len(signs), signs.count(None))


class _Told(Struct, frozen=True):
    """A move of the record: the position before it as a FEN, and how many edges had been seen when it was told."""

    fen: str
    event: c.Move
    edges: int
    trusted: bool  #: the board was seen all the time since the move before, and no sensor of its squares fails


def recorded(session: c.Session, lines: Iterable[c.AnyInput | c.AnyEvent]) -> SeenGame:
    """The game with, for each move of the final score, the edges by which the sensors showed it. Moves are left out
    that were made while nobody saw the board, on squares whose sensor was known to fail, or that an arbiter has
    entered.

    ``lines``: the inputs, each followed by the events that it led to, as a journal has them.
    """
    edges, told = _read(session, lines)
    records = [_matched(session, _turned(edges, by), told) for by in (0, TURNED)]
    return min(records, key=lambda record: record.lost.lost)


def _read(session: c.Session, lines: Iterable[c.AnyInput | c.AnyEvent]) -> tuple[list[Edge], list[_Told]]:
    edges: list[Edge] = []
    told: list[_Told] = []
    fen = chess.STARTING_FEN if session.fen == "startpos" else str(session.fen)
    away, failing = False, 0
    gone: list[_Told] | None = None  # the moves that a ruling has taken back and not told again yet
    for line in lines:
        if isinstance(line, c.Input):
            gone = [] if isinstance(line, c.Arbiter) else None
        if isinstance(line, c.Lift | c.Place):
            seen = EMPTY if isinstance(line, c.Lift) else reported(line.piece, session.senses)
            edges.append(Edge(line.ms, chess.parse_square(line.square), seen))
        elif isinstance(line, c.Unseen | c.Seen | c.Outage):
            away = True
        elif isinstance(line, c.Sensor) and not line.works:
            failing |= BB_SQUARES[chess.parse_square(line.square)]
        elif isinstance(line, c.Move) and gone is not None:
            told.append(_again(fen, line, gone, len(edges)))
            fen = line.fen
        elif isinstance(line, c.Move):
            move = Move.from_uci(line.uci)
            trusted = line.legal and not away
            trusted = trusted and not failing & (BB_SQUARES[move.from_square] | BB_SQUARES[move.to_square])
            told.append(_Told(fen, line, len(edges), trusted))
            fen, away = line.fen, False
        elif isinstance(line, c.Retract):
            if told:
                back = told.pop()
                gone = None if gone is None else [back, *gone]
            fen = line.fen
        elif isinstance(line, c.Displaced | c.Restored) and line.fen is not None:
            fen, away = line.fen, True
    return edges, told


def _again(fen: str, event: c.Move, gone: list[_Told], edges: int) -> _Told:
    """A move that a ruling tells: its edges are those from when it was told before, if it was. ``gone``: the moves
    taken back; this one and those before it are removed from the list."""
    at = next((at for at, one in enumerate(gone) if one.event.uci == event.uci), None)
    if at is None:
        return _Told(fen, event, gone[0].edges if gone else edges, trusted=False)
    was = gone[at]
    del gone[: at + 1]
    return _Told(fen, event, was.edges, was.trusted and event.basis != "reported")


def _turned(edges: Sequence[Edge], by: int) -> tuple[Edge, ...]:
    return tuple([Edge(edge.ms, edge.square ^ by, edge.seen) for edge in edges])


def _matched(session: c.Session, edges: tuple[Edge, ...], told: Sequence[_Told]) -> SeenGame:
    used: set[int] = set()
    moves: list[Showing] = []
    for number, one in enumerate(told):
        first = told[number - 2].edges if number >= 2 else 0
        past = told[number + 1].edges if number + 1 < len(told) else len(edges)
        position, move = Position(set_up(one.fen, session.variant)), Move.from_uci(one.event.uci)
        if one.trusted and position.is_legal(move):
            shown = _shown(position, move, edges, [n for n in range(first, past) if n not in used], first, past)
            used.update(n for n in (shown.departure, shown.landing, shown.taken, *shown.castled) if n is not None)
            moves.append(shown)
    return SeenGame(session.senses, edges, tuple(moves))


def _shown(
    position: Position, move: Move, edges: Sequence[Edge], free: Sequence[int], first: int, past: int
) -> Showing:
    """The move with the edges that show it; ``free``: the numbers of the edges that no earlier move accounts for."""
    changes, victim = position.changes(move), position.captured(move)

    def where(square: chess.Square, symbol: str) -> Iterator[int]:
        return (n for n in free if edges[n].square == square and symbol in FITS[edges[n].seen])

    (start, target), *after = position.carried(move)
    origin, symbol = list(where(start, EMPTY)), dict(changes)[target]
    landings = list(where(target, symbol)) or list(where(target, position.symbol(start)))  # still a pawn
    landing = next((n for n in landings if origin and n > origin[0]), next(iter(landings), None))
    # A piece that is lifted more than once has left with the last lift.
    left = [n for n in origin if landing is None or n < landing]
    departure = left[-1] if left else next(iter(origin), None)
    taken = None
    if victim is not None:
        gone = [n for n in where(victim, EMPTY) if victim != target or landing is None or n < landing]
        taken = gone[-1] if gone else None
    beside = [change for change in changes[2:] if change[0] != victim]
    if position.shuffled:
        beside = [sign for left, to in after for sign in ((left, EMPTY), (to, position.symbol(left)))]
    castled = [next(where(*change), None) for change in beside]
    return Showing(position, move, first, past, departure, landing, taken, tuple(castled))
