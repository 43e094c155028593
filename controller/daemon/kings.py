"""The kings in the middle: players who have ended their game put both on two of d4, d5, e4 and e5, as boards that are
broadcast have taught them. On two light squares White has won, on two dark ones Black; on one of each it is a draw.

Kings that stand so are beside each other, which they never are in play. Only a board that tells pieces apart knows
them.
"""

import chess

from controller.contract import AnyInput, Draw, Resign, Side
from controller.shown import Shown

STAND_MS = 5_000
"""They must stand so long: a hand may hold one of them only for a moment over the board."""


class Kings:
    """Those of one board; nothing is known of them yet. Times are ms of the daemon."""

    def __init__(self) -> None:
        self._squares = 0
        self.due: int | None = None  #: when they will have stood in the middle for long enough

    def look(self, now: int, shown: Shown | None) -> None:
        """The board shows that; None where nobody sees it."""
        squares = 0 if shown is None else in_the_middle(shown)
        if squares != self._squares:
            self._squares = squares
            self.due = now + STAND_MS if squares else None

    def ends(self, now: int, turn: Side, ms: int) -> list[AnyInput]:
        """What they have said by ``now``, once: as the players would say it at ``ms`` of the session, the one whose
        ``turn`` it is first."""
        if self.due is None or now < self.due:
            return []
        self.due = None
        light = (self._squares & chess.BB_LIGHT_SQUARES).bit_count()
        if light == 1:
            other: Side = "black" if turn == "white" else "white"
            return [Draw(ms=ms, side=turn, act="offer"), Draw(ms=ms, side=other, act="accept")]
        return [Resign(ms=ms, side="black" if light else "white")]


def in_the_middle(shown: Shown) -> int:
    """The two squares of the middle on which the kings stand, as a bitboard; 0 where they do not both."""
    kings = {shown[square]: square for square in chess.scan_forward(chess.BB_CENTER) if shown[square] in ("K", "k")}
    return chess.BB_SQUARES[kings["K"]] | chess.BB_SQUARES[kings["k"]] if len(kings) == 2 else 0
