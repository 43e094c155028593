"""How much work all searches for one input may do together: this bounds the time that any input takes.

Work is counted in units of time: for each position that is looked at, each move that is tried, and each change of a
square that is lived through again. What one search does not use is left to the next ones, and each input adds some. The
passing of time adds nothing, so it makes no difference in how many steps it is told.
"""

from chess import Move

from controller.position import Position

WORK = 3600
"""The most work for one input; a move that is tried takes two units."""

OF_A_MATCH = 2400
"""The same on both boards of a match together. A unit takes up to half as long again there: stocks are copied, too."""

ADDED = 0.5
"""Each input adds this share, up to all of it: what fell due before it may have used up all. A guess: of 560 games with
failing sensors, gaps and lost scans none comes out otherwise than with all of the work added."""

MOVE, LINE, NODE, STEP = 1, 1, 7, 4
"""The units that it takes to ask how a move shows, to work out the line that it leads to, to look at the position
there, and to live through the change of a square again."""

LIFE = 3
"""The units that it takes to find out, in a match, what became of a dropped piece that nobody has named."""

PAIR = 3
"""The units that it takes to ask whether two dropped pieces of other names explain what stands."""

KEPT = 0.25
"""This share of the work is kept for living through what the searches find."""

ASKED = 1
"""At most so many searches for who can still mate, for one input, besides one for the position that it leads to."""

PLAYED = 24
"""At most so many replays of a match under other names, for one input."""

NAMED = 1000
"""At most so many partial namings of dropped pieces, for one input; a whole match seldom needs a hundred."""

NEARBY = 900
"""The same for namings that change one name besides, where these were not enough."""


class UnaskedError(Exception):
    """No search for who can still mate was made: this input has had enough of them, or this story may make none."""


class Budget:
    """The work that is left, and the positions worked out with it: ``work`` in all, of which searches leave the share
    :data:`KEPT`. It is the one thing that states share and that changes; it says nothing of how the game stands."""

    __slots__ = ("_after", "asked", "kept", "left", "may_refill", "named", "nearby", "played", "work")

    def __init__(self, work: int = WORK) -> None:
        self.work = self.left = work
        self.kept = int(work * KEPT)
        self.played, self.named, self.nearby, self.asked = PLAYED, NAMED, NEARBY, ASKED
        self.may_refill = True  #: it was not refilled yet for the input that is being heard
        self._after: dict[tuple[Position, Move, bool], Position] = {}

    def refill(self) -> None:
        """Add the work for a new input, and forget the positions: once for each input, though others that have waited
        are heard with it."""
        if not self.may_refill:
            return
        self.may_refill = False
        if self.left < self.work:
            self.left = min(self.work, max(0, self.left) + int(self.work * ADDED))
        self.played, self.named, self.nearby, self.asked = PLAYED, NAMED, NEARBY, ASKED
        self._after.clear()

    def after(self, position: Position, move: Move, exchanged: bool = False) -> Position:
        """The position after that move: one object for all who ask, so that its moves are worked out once."""
        key = position, move, exchanged
        known = self._after.get(key)
        if known is None:
            known = self._after[key] = position.after(move, exchanged)
        return known

    def play(self) -> bool:
        """Count a replay of a match under other names; False if no more is allowed for this input."""
        self.played -= 1
        return self.played >= 0

    def ask(self) -> None:
        """Count a search for who can still mate. Raises :exc:`UnaskedError` if no more is allowed for this input."""
        if not self.asked:
            raise UnaskedError
        self.asked -= 1

    @property
    def spent(self) -> bool:
        """Whether nothing is left to search with."""
        return self.left <= self.kept

    def take(self, work: int) -> bool:
        """Take so much work, for what a search has found; whether something is left then."""
        self.left -= work
        return self.left > 0

    def part(self, share: float) -> "Budget":
        """Split off a share of what is left, for one of several worlds that need it."""
        part = Budget(int(max(0, self.left) * share))
        part.kept = int(self.kept * share)
        part._after = self._after
        self.left -= part.left
        return part

    def give_back(self, part: "Budget") -> None:
        """Add what is left of a part, or subtract what it used too much."""
        self.left += part.left
