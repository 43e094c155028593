"""What players say rather than do: claims, draw offers, resignation (4.8, 5, 6.8, 9)."""

from controller import contract as c
from controller.laws.state import State


def claim(s: State, item: c.Claim) -> None:
    """A player claims."""


def too_late(s: State, item: c.Claim) -> None:
    """After the end of the game nothing can be claimed."""


def draw(s: State, item: c.Draw) -> None:
    """A draw is offered, accepted or declined."""


def resign(s: State, side: c.Side) -> None:
    """A player resigns."""
