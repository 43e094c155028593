"""How much may be looked at for one input, by all the searches for it together: what bounds the time that it takes,
whatever comes.

Each position that is looked at counts, each move that is tried, and each step that is lived through again. What a
search does not need is left to those after it, until something new is heard; that time passes is nothing new, so that
it makes no difference in how many steps it is told.
"""

NODES = 400
"""Positions looked at for one input."""

TRIED = 700
"""Moves tried for one input."""

STEPS = 400
"""Steps lived through again for one input."""


class Budget:
    """What is left of it. The one thing that states share and that changes; it is no part of how things stand."""

    __slots__ = ("nodes", "steps", "tried")

    def __init__(self, nodes: int = NODES, tried: int = TRIED, steps: int = STEPS) -> None:
        self.nodes = nodes
        self.tried = tried
        self.steps = steps

    def refill(self) -> None:
        """Something new was heard."""
        self.nodes, self.tried, self.steps = NODES, TRIED, STEPS

    @property
    def spent(self) -> bool:
        """Whether nothing is left to search with."""
        return self.nodes <= 0 or self.tried <= 0

    def part(self, share: float) -> "Budget":
        """A share of what is left, taken from it: for one of several that need it."""
        part = Budget(*[int(max(0, left) * share) for left in (self.nodes, self.tried, self.steps)])
        self._add(part, -1)
        return part

    def give_back(self, part: "Budget") -> None:
        """What is left of a part, or was used beyond it."""
        self._add(part, 1)

    def _add(self, other: "Budget", times: int) -> None:
        self.nodes += times * other.nodes
        self.tried += times * other.tried
        self.steps += times * other.steps

    def share(self) -> "Share":
        """Half of what is left, for one search; the other half is for those after it."""
        return Share(self)


class Share:
    """A part of a budget, which one search may use up."""

    __slots__ = ("_budget", "_nodes", "_tried")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._nodes = budget.nodes // 2
        self._tried = budget.tried // 2

    @property
    def spent(self) -> bool:
        """Whether nothing is left of it."""
        return self._budget.nodes <= self._nodes or self._budget.tried <= self._tried

    def look(self) -> None:
        """A position is looked at."""
        self._budget.nodes -= 1

    def attempt(self) -> None:
        """A move is tried."""
        self._budget.tried -= 1
