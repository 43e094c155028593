"""Captured pieces that may stand where the game has none: see :mod:`controller.sensing.laid`."""

from collections.abc import Sequence

from chess import BB_SQUARES

from controller.belief.held import last_edges
from controller.laws.record import Made
from controller.laws.state import State
from controller.position import EMPTY
from controller.sensing.laid import Taken, TakenUp, laid_down, taken_up_from


def taken_by(s: State, moves: Sequence[Made]) -> list[Taken]:
    """The pieces captured by these moves of the game. If the board did not show all of one, what was set down before
    its press is more likely the capturing piece."""
    taken = []
    for made in moves:
        victim = made.before.captured(made.move) if made.move else None
        if victim is not None and made.start < len(s.trace) and (made.was_pressed or not made.hidden):
            since = made.done if made.hidden else s.trace[made.start].ms
            taken.append(Taken(made.before.symbols[victim], since, _moved(s, made)))
    return taken


def _moved(s: State, made: Made) -> TakenUp:
    """The piece of that move, as it was taken up."""
    origin = made.move.from_square
    left = (edge.ms for edge in s.trace[made.start :] if edge.square == origin and edge.seen == EMPTY)
    return taken_up_from(made.before, origin, next(left, 0))


def stand_taken(s: State, mask: int) -> int:
    """On which of these squares, bitboards, a piece captured by the last two moves may stand, or one that is about to
    be captured; none in a match, where it goes to the partner."""
    if not (mask := mask & ~s.empty(mask)) or s.position.drop_board is not None:
        return 0
    taken, last = taken_by(s, s.made[-2:]), s.made[-1:]
    others = [_moved(s, made) for made in last if made.move]
    own, off = s.own, last_edges(s, s.empty(s.mismatch))
    for square, number in off.items():
        if number >= s.turn.start and own & BB_SQUARES[square]:
            others.append(taken_up_from(s.position, square, s.trace[number].ms))
        elif number >= s.turn.start and s.position.capturing(square):
            taken.append(Taken(s.position.symbols[square], s.trace[number].ms))
    if not taken:
        return 0
    landed = {square: s.trace[number] for square, number in last_edges(s, mask).items() if number >= 0}
    return laid_down(landed, taken, others)
