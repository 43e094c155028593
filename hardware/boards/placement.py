"""What stands on a board that knows its pieces, whichever way round the board stands. No I/O, no clock of its own.

A board that is turned round numbers its squares as ever. It is recognised when the pieces stand at home on the wrong
side. Amid a game nothing shows it any more: after a restart it has to be known from before.
"""

from collections.abc import Iterator, Sequence

from controller.shown import START, Shown, left_first
from hardware.boards.readings import Change, Stance

AT_HOME = 24  #: so many of the 32 pieces on their squares tell how the board stands


class Placement:
    """The pieces as last reported, at first those of the start; by python-chess's squares: a1 = 0, as White sees it."""

    def __init__(self) -> None:
        self.shown = Shown(START)
        self.rotated = False
        self.white_right = False  #: of the clock beside it, as far as that can be told
        self.white_ran = False  #: White's clock is known by that it ran first
        self.crossed = False  #: the clock says "left" of the turn on its right
        self._recognised = False  # that it stands so was seen

    @property
    def stance(self) -> Stance | None:
        """How it stands; None before that was seen."""
        return Stance(self.rotated, self.white_right, self.crossed) if self._recognised else None

    def recall(self, stance: Stance) -> None:
        """So it stood when that was seen last."""
        self.rotated, self.white_right, self.crossed = stance.rotated, stance.white_right, stance.crossed
        self.white_ran = True  # once it has run, and before that it will be known anew

    def show(self, ns: int, own: Sequence[str]) -> list[Change]:
        """What has changed; squares left come before squares taken.

        ``own``: the 64 FEN letters, empty for an empty square, by the squares of a board that is not turned.
        """
        for rotated in (False, True):
            seen = _as_seen(own, rotated)
            at_home = sum(piece != "" and piece == home for piece, home in zip(seen.readings, START, strict=True))
            if at_home >= AT_HOME:
                self.rotated, self._recognised = rotated, True
        before, self.shown = self.shown, _as_seen(own, self.rotated)
        changed = left_first(self.shown.differs(before), self.shown)
        return [Change(ns, square, self.shown[square]) for square in changed]

    def whole(self, ns: int) -> Iterator[Change]:
        """All 64 squares."""
        return (Change(ns, square, piece) for square, piece in enumerate(self.shown.readings))

    def own_mask(self, mask: int) -> int:
        """A mask of squares, for the lamps of the board as it stands."""
        return turned(mask) if self.rotated else mask


def turned(mask: int) -> int:
    """A 64-bit mask as it looks from the other side of the board."""
    return int(f"{mask:064b}"[::-1], 2)


def _as_seen(own: Sequence[str], rotated: bool) -> Shown:
    return Shown(tuple(own[::-1] if rotated else own))
