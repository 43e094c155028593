"""A piece that was set down for a moment, or where it may not go, and taken up again, before it captured unseen: an
illegal move that is put right before the press is none (7.5.1)."""

from typing import NamedTuple

from chess import Move

from controller.position import Position
from controller.sensing.costs import ILLEGAL, PASSED
from controller.sensing.question import Question
from controller.sensing.readings import FITS
from controller.sensing.trace import came_and_left


class Visited(NamedTuple):
    """Where a piece stood for a while between its lift and its capture."""

    edges: int  #: the edges that show it, as a mask of their numbers
    cost: float  #: of believing so


def visits(q: Question, used: int, position: Position, move: Move, departure: int | None) -> Visited | None:
    """Where the piece of this move, which left with edge ``departure``, may have stood before its player pressed. None
    if nowhere, if there is no press, or if it may go to such a square: then it was released there (4.7), except for a
    moment in a match. ``used``: a mask of the edges accounted for otherwise."""
    pressed = None if departure is None else q.pressed_by(position.turn, q.edges[departure].ms)
    if departure is None or pressed is None:
        return None
    symbol = position.symbols[move.from_square]
    targets = {each.to_square for each in position.moves_from(move.from_square)}
    edges, cost = 0, 0.0
    for came, left in came_and_left(q.edges):
        first, then = q.edges[came], q.edges[left]
        pair = 1 << came | 1 << left
        if came < departure or then.ms >= pressed or used & pair or symbol not in FITS[first.seen]:
            continue
        brief = then.ms - first.ms < q.release_ms
        # In a match it would else have come from a stock.
        if first.square in targets and not (brief and position.drop_board):
            return None
        edges |= pair
        cost += ILLEGAL if not brief else 0.0 if position.drop_board else PASSED
    return Visited(edges, cost) if edges else None
