"""What a press of the clock just now would complete (6.2.1), and what it still lacks."""

from collections.abc import Sequence

import chess

from controller import contract as c
from controller.laws.drop_names import undecided
from controller.laws.state import State
from controller.laws.step import as_reported
from controller.sensing.difference import LEGAL, Kind, differing, read

BEGUN = frozenset((Kind.HELD, Kind.VACANT, Kind.PARTIAL))
"""What a move is before it stands whole."""


def completes(s: State, side: c.Side) -> bool:
    """Whether a press by ``side`` just now would complete a move without offence: it has been made, or stands complete,
    is what was owed, and leaves nothing undecided."""
    if s.result is not None or s.stopped or s.faulty or s.not_by_mover:
        return False
    if s.unseen or s.unsure or not s.watched:
        return False
    if s.turn.side != side:
        return (last := s.last()) is not None and not last.completed and not last.illegal
    difference, owed = s.turn.difference, s.owed
    if difference.kind not in LEGAL or difference.part == "drop" or s.turn.corrects:
        return False
    return not undecided(s, difference) and (owed is None or set(difference.moves) <= set(owed.moves))


def too_early(s: State, press: c.Press) -> bool:
    """Whether the player having the move, whose clock runs, presses while a piece is in the air, or a move half made,
    as far as is seen: the rest may be seen later. A square that was filled again has what was in the air."""
    runs = s.clock is not None and s.clock.running == press.side and not s.stopped and s.result is None
    turn, traces = s.turn, s.turn.traces
    filled = traces.refilled is not None or traces.retaken is not None
    return runs and turn.side == press.side and turn.difference.kind in BEGUN and not filled


def made_whole(s: State, changes: Sequence[tuple[chess.Square, str]]) -> list[int]:
    """After how many of these changes, none of them included, the move of the player having the move stands complete. A
    change is a square, as the board calls it, and what stands there since."""
    readings, whole = list(s.readings), [0] if s.turn.difference.kind in LEGAL else []
    for number, (square, shown) in enumerate(changes, 1):
        readings[square ^ s.turned] = as_reported(shown or ".", s.senses)
        mismatch = differing(s.position, readings, chess.BB_ALL) & ~s.not_by_mover
        if read(s.position, readings, mismatch, s.turn.traces, s.faulty).kind in LEGAL:
            whole.append(number)
    return whole


def made_whole_by(s: State, edges: Sequence[c.Lift | c.Place]) -> int:
    """After how many of these edges the move of the player having the move stands complete; 0 if it never does."""
    shown = ["." if isinstance(edge, c.Lift) else edge.piece or "x" for edge in edges]
    changes = [(chess.parse_square(edge.square), seen) for edge, seen in zip(edges, shown, strict=True)]
    return next(reversed(made_whole(s, changes)), 0)
