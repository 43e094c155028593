"""How much may be looked at for one input, by all the searches for it together: what bounds the time that it takes,
whatever comes.

Each position that is looked at counts, each move that is tried, and each change of a square that is lived through
again, by the time that they take. What a search does not need is left to those after it, and some is added with each
input that is heard. That time passes is no such input, so that it makes no difference in how many steps it is told.
"""

from chess import Move

from controller.position import Position

WORK = 3600
"""What may be done for one input, in units of which a move that is tried takes two."""

ADDED = 1800
"""So much is added for an input, to no more than that: what falls due before it may have taken all there was. A guess:
of 560 games with failing sensors, gaps and lost scans none comes out otherwise than with all of it."""

MOVE, LINE, NODE, STEP = 1, 1, 7, 4
"""How many of them it takes to ask how a move shows, to work out the line that it leads to, to look at the position
there, and to live through the change of a square again."""

KEPT = 900
"""How much of it is left for living through what the searches find."""

ASKED = 2
"""Searches for who can still mate, for one input."""

PLAYED = 24
"""Times a match is played through by other names for one input."""

NAMED = 1500
"""Partial namings of dropped pieces looked at for one input; a whole match seldom needs a hundred."""


class UnaskedError(Exception):
    """Who can still mate was not searched for: too often for this input, or not by this story."""


class Budget:
    """What is left of it, and the positions that were worked out with it: ``work`` in all, of which no search uses the
    last that is ``kept``. The one thing that states share and that changes; it is no part of how things stand."""

    __slots__ = ("_after", "asked", "kept", "left", "named", "played")

    def __init__(self, work: int = WORK, kept: int = KEPT) -> None:
        self.left, self.kept = work, kept
        self.played, self.named, self.asked = PLAYED, NAMED, ASKED
        self._after: dict[tuple[Position, Move, bool], Position] = {}

    def refill(self) -> None:
        """An input was heard."""
        self.left = min(WORK, max(0, self.left) + ADDED)
        self.played, self.named, self.asked = PLAYED, NAMED, ASKED
        self._after.clear()

    def after(self, position: Position, move: Move, exchanged: bool = False) -> Position:
        """The position after that move: the same one for all who ask for it, with what is known of its moves."""
        key = position, move, exchanged
        known = self._after.get(key)
        if known is None:
            known = self._after[key] = position.after(move, exchanged)
        return known

    def ask(self) -> None:
        """Who can still mate is to be searched for. Raises :exc:`UnaskedError` where that was done often enough."""
        if not self.asked:
            raise UnaskedError
        self.asked -= 1

    @property
    def spent(self) -> bool:
        """Whether nothing is left to search with."""
        return self.left <= self.kept

    def take(self, work: int) -> bool:
        """Take so much of it, for what a search has found. Whether something is left then."""
        self.left -= work
        return self.left > 0

    def part(self, share: float) -> "Budget":
        """A share of what is left, taken from it: for one of several that need it."""
        part = Budget(int(max(0, self.left) * share), int(self.kept * share))
        part._after = self._after
        self.left -= part.left
        return part

    def give_back(self, part: "Budget") -> None:
        """What is left of a part, or was used beyond it."""
        self.left += part.left
