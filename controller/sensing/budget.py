"""How much may be looked at for one input, by all the searches for it together: what bounds the time that it takes,
whatever comes.

Each position that is looked at counts, each move that is tried, and each step that is lived through again. What a
search does not need is left to those after it, until something new is heard; that time passes is nothing new, so that
it makes no difference in how many steps it is told.
"""

from chess import Move

from controller.position import Position

NODES = 300
"""Positions looked at for one input."""

TRIED = 500
"""Moves tried for one input."""

STEPS = 300
"""Steps lived through again for one input."""

ASKED = 2
"""Searches for who can still mate, for one input."""

PLAYED = 24
"""Times a match is played through by other names for one input."""

NAMED = 3000
"""Partial namings of dropped pieces looked at for one input; a whole match seldom needs a hundred."""


class UnaskedError(Exception):
    """Who can still mate was not searched for: too often for this input, or not by this story."""


class Budget:
    """What is left of it, and the positions that were worked out with it. The one thing that states share and that
    changes; it is no part of how things stand."""

    __slots__ = ("_after", "asked", "named", "nodes", "played", "steps", "tried")

    def __init__(self, nodes: int = NODES, tried: int = TRIED, steps: int = STEPS, played: int = PLAYED) -> None:
        self.nodes = nodes
        self.tried = tried
        self.steps = steps
        self.played = played
        self.named, self.asked = NAMED, ASKED
        self._after: dict[tuple[Position, Move, bool], Position] = {}

    def refill(self) -> None:
        """Something new was heard."""
        self.nodes, self.tried, self.steps, self.played, self.named = NODES, TRIED, STEPS, PLAYED, NAMED
        self.asked = ASKED
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
        return self.nodes <= 0 or self.tried <= 0

    def part(self, share: float) -> "Budget":
        """A share of what is left, taken from it: for one of several that need it."""
        part = Budget(*[int(max(0, left) * share) for left in (self.nodes, self.tried, self.steps)])
        part._after = self._after
        self._add(part, -1)
        return part

    def give_back(self, part: "Budget") -> None:
        """What is left of a part, or was used beyond it."""
        self._add(part, 1)

    def _add(self, other: "Budget", times: int) -> None:
        self.nodes += times * other.nodes
        self.tried += times * other.tried
        self.steps += times * other.steps
