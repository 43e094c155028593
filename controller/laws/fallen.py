"""Pieces that whoever sets his own down knocks over, and puts back in his own time (7.4.1): nobody has touched them."""

import chess

from controller import contract as c
from controller.laws.state import State
from controller.position import EMPTY
from controller.sensing.difference import LEGAL

REACTS_MS = 250
"""Nobody replies so soon after a piece stands: what it knocks over falls at once. A guess."""

REACHES = 2
"""No further off, in squares, does a piece knock over another."""


def landing(s: State) -> chess.Square | None:
    """Where the piece stands that was moved last; None where there is none."""
    last, difference = s.last(), s.turn.difference
    if difference.kind in LEGAL:
        return s.position.carried(difference.moves[0])[0][1]
    return last.landing if last is not None and last.move else None


def stands_for(s: State, square: chess.Square | None, ms: c.Ms) -> c.Ms:
    """For how long the piece on that square stands there by ``ms``; -1 where it was not seen to come."""
    came = (edge.ms for edge in reversed(s.trace) if edge.square == square and edge.seen != EMPTY)
    return ms - next(came, ms + 1)


def may_have_fallen(s: State, square: chess.Square, ms: c.Ms) -> bool:
    """Whether a piece that leaves that square at ``ms`` may have been knocked over by the one that was moved last."""
    stands = landing(s)
    if stands is None or stands == square or chess.square_distance(stands, square) > REACHES:
        return False
    return 0 <= stands_for(s, stands, ms) < REACTS_MS
