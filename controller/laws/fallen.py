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
        return s.position.landing(difference.moves[0])
    return last.landing if last is not None and last.move else None


def stood_less(s: State, square: chess.Square, ms: c.Ms, than: c.Ms) -> bool:
    """Whether what stands on that square by ``ms`` was seen to come there, and has stood there for less than that."""
    came = next((edge.ms for edge in reversed(s.trace) if edge.square == square and edge.seen != EMPTY), None)
    return came is not None and 0 <= ms - came < than


def may_have_fallen(s: State, square: chess.Square, ms: c.Ms) -> bool:
    """Whether a piece that leaves that square at ``ms`` may have been knocked over by the one that was moved last."""
    stands, last = landing(s), s.last()
    if stands is None or stands == square or chess.square_distance(stands, square) > REACHES:
        return False
    if s.turn.difference.kind not in LEGAL and last is not None and last.completed_by_press:
        return False  # since then it is the other who touches
    return stood_less(s, stands, ms, REACTS_MS)
