"""What a player still holds when play is resumed (6.11): he took it up before the clocks were stopped, or since."""

from controller.laws.state import State
from controller.laws.turn import Raised


def taken_up(s: State, start: int) -> int:
    """The edge with which the turn begins anew once the clocks run again: a piece that was taken up in it before they
    were stopped, and is in the hand still, is part of the move. ``start``: the edge with which it began first."""
    lifts = s.trace.last_edges(s.gone(), start).values()
    return min((number for number in lifts if 0 <= number < s.stopped_at), default=len(s.trace))


def still_in_hand(s: State, start: int) -> State:
    """The state in which a piece that the player still holds counts as lifted early: it may have been taken up while
    the clocks stood, so it is no touch unless it is set down elsewhere. ``start``: the edge with which the turn began.
    """
    touched = {touch.square for touch in s.turn.touches}
    edges = s.trace.last_edges(s.gone(), start)
    for square, number in sorted(edges.items(), key=lambda each: each[1]):
        if number >= 0 and square not in touched:
            s = s.raising(square, Raised(s.trace[number].ms, announced=False, early=True))
    return s
