"""What stands on a board that knows its men, whichever way round the board stands. No I/O, no clock of its own.

A board that is turned round numbers its squares as ever. It is recognised when the men stand at home on the wrong side.
"""

from collections.abc import Iterator, Sequence

import chess

from hardware.boards.readings import Change

START = tuple(piece.symbol() if (piece := chess.Board().piece_at(s)) else "" for s in chess.SQUARES)
AT_HOME = 24  #: so many of the 32 men on their squares tell how the board stands


class Placement:
    """The men as last reported, by python-chess's squares: a1 = 0, the way White sees it. At the start before that."""

    def __init__(self) -> None:
        self.pieces = list(START)  #: FEN letters, empty for an empty square
        self.rotated = False

    def show(self, ns: int, own: Sequence[str]) -> list[Change]:
        """What has changed; squares left come before squares taken.

        ``own``: the 64 FEN letters, empty for an empty square, by the squares of a board that is not turned.
        """
        for rotated in (False, True):
            seen = _as_seen(own, rotated)
            if sum(piece != "" and piece == home for piece, home in zip(seen, START, strict=True)) >= AT_HOME:
                self.rotated = rotated
        now = _as_seen(own, self.rotated)
        changed = [square for square in chess.SQUARES if now[square] != self.pieces[square]]
        self.pieces = now
        return [Change(ns, square, now[square]) for square in sorted(changed, key=lambda square: now[square] != "")]

    def whole(self, ns: int) -> Iterator[Change]:
        """All 64 squares."""
        return (Change(ns, square, piece) for square, piece in enumerate(self.pieces))

    def own_mask(self, mask: int) -> int:
        """A mask of squares, for the lamps of the board as it stands."""
        return turned(mask) if self.rotated else mask


def turned(mask: int) -> int:
    """A 64-bit mask as it looks from the other side of the board."""
    return int(f"{mask:064b}"[::-1], 2)


def _as_seen(own: Sequence[str], rotated: bool) -> list[str]:
    return list(own[::-1] if rotated else own)
