"""What the sensors show, whatever kind of board it is: debounced edges, and the whole picture to compare a game with.

The picture outlives the games: it is the board's, and what a game was told of it is kept by the table.
"""

from collections.abc import Sequence

import chess
from msgspec import Struct

from controller.contract import Senses
from controller.daemon.suspects import Restless
from controller.sensing.debounce import Debouncer, Flip
from controller.shown import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE
from hardware.boards import BoardReading, Change

WHITES = 64  #: from this bit on a picture has the white pieces, on a board that sees colours; below it the others

CHATTER = (24, 5_000)  #: readings of one sensor that change within so many ms, more than contacts bounce
FIDGETS = (16, 10_000)  #: changes of one square that hold, more than hands can make


class SquareEdge(Struct, frozen=True):
    """One square, and what stands on it from ``ms`` on: a look as of :mod:`controller.shown`."""

    ms: int
    square: chess.Square
    shown: str


class Sensed:
    """The board as the sensors show it. Times are ms of the daemon."""

    def __init__(self, debounce_ms: int, senses: Senses = "occupancy") -> None:
        self.shown = NOTHING  #: what has settled
        self._colours = senses == "colour"
        self._unknown = set(chess.SQUARES)
        self._debounce_ms = debounce_ms
        self._debouncer: Debouncer | None = None
        self._chatter = Restless(*CHATTER)
        self._fidgets = Restless(*FIDGETS)

    @property
    def whole(self) -> bool:
        """Whether every square has been reported."""
        return not self._unknown

    @property
    def due(self) -> int | None:
        """When :meth:`settle` will have something to say."""
        return self._debouncer.due if self._debouncer else None

    def quiet_until(self, now: int) -> int:
        """Up to when nothing can still come to light: a reading that has yet to hold began at that time."""
        due = self.due
        return now if due is None else min(now, due - self._debounce_ms)

    def take(self, ms: int, item: BoardReading | Change) -> list[SquareEdge]:
        """The edges that are certain by now. The first report of a square is no edge."""
        if isinstance(item, Change):
            known = item.square not in self._unknown
            self._unknown.discard(item.square)
            return self._show([SquareEdge(ms, item.square, item.piece)], known)
        picture = self._picture(item)
        if self._debouncer is None:
            self._debouncer = Debouncer(self._debounce_ms, picture)
            self._unknown.clear()
            return self._show(self._edges(ms, picture, picture), known=False)
        self._chatter.add(ms, _squares(picture ^ self._debouncer.raw))
        return self._settled(self._debouncer, self._debouncer.feed(ms, picture))

    def settle(self, ms: int) -> list[SquareEdge]:
        """The edges that have become certain by ``ms`` without another report."""
        return self._settled(self._debouncer, self._debouncer.settle(ms)) if self._debouncer else []

    def flickering(self, now: int) -> list[chess.Square]:
        """Sensors that change faster than pieces are moved."""
        return sorted(self._chatter.squares(now) | self._fidgets.squares(now))

    def _picture(self, reading: BoardReading) -> int:
        return reading.occupied ^ reading.white | reading.white << WHITES if self._colours else reading.occupied

    def _settled(self, debouncer: Debouncer, flips: Sequence[Flip]) -> list[SquareEdge]:
        picture, edges = debouncer.stable, list[SquareEdge]()
        for _, mask in flips:
            picture ^= mask  # before they settled
        for ms, mask in flips:
            picture ^= mask
            self._fidgets.add(ms, _squares(mask))
            edges += self._show(self._edges(ms, mask, picture), known=True)
        return edges

    def _edges(self, ms: int, mask: int, picture: int) -> list[SquareEdge]:
        """These bits have changed, to ``picture``. Squares of one moment: those left come before those taken."""
        edges = [SquareEdge(ms, square, self._look(picture, square)) for square in chess.scan_forward(_squares(mask))]
        return sorted(edges, key=lambda edge: edge.shown)

    def _look(self, picture: int, square: chess.Square) -> str:
        bit = chess.BB_SQUARES[square]
        if picture >> WHITES & bit:
            return WHITE_PIECE
        return "" if not picture & bit else BLACK_PIECE if self._colours else SOMETHING

    def _show(self, edges: list[SquareEdge], known: bool) -> list[SquareEdge]:
        news = [edge for edge in edges if self.shown[edge.square] != edge.shown]
        for edge in news:
            self.shown = self.shown.having(edge.square, edge.shown)
        return news if known else []


def _squares(picture: int) -> int:
    """The mask of the squares that have a bit in ``picture``."""
    return (picture | picture >> WHITES) & chess.BB_ALL
