"""A score that stands while play goes on: the board has left the game, and nothing explains what is played since.

It is so after an illegal move that nobody completes or puts right (without a clock the reply completes it), where
nothing has settled what the sensors showed in part, while the game is paused, and wherever pieces were moved unseen. In
each case it is seen from the board alone: more pieces are away than the moves in progress can have moved, and others
are set down where they do not belong long after the first was. Pieces knocked over fall all at once, and those put back
stand where they belong: neither is play that goes on.
"""

from typing import Literal

from chess import BB_SQUARES, SQUARE_NAMES
from msgspec.structs import replace

from controller import contract as c
from controller.laws.board import beyond_a_move
from controller.laws.state import State
from controller.position import EMPTY, squares
from controller.sensing.readings import FITS

RELEASES = 8
"""For so many times ``release_ms`` pieces are set down astray before that is play: longer than a hand needs for one
move, or than pieces fall."""


def stall(s: State) -> State:
    """Say, once, that the score stands, where it does."""
    if not s.mismatch or s.stalled or s.result is not None or not beyond_a_move(s):
        return s
    landed = _set_down_astray(s)
    if not landed or landed[-1] - landed[0] < RELEASES * s.release_ms:
        return s
    last, mismatch = s.last(), [SQUARE_NAMES[square] for square in squares(s.mismatch)]
    return replace(s, stalled=True).say(
        c.Stalled, after_ply=last.ply if last else 0, since_ms=landed[0], reason=_reason(s), squares=mismatch
    )


def _set_down_astray(s: State) -> list[c.Ms]:
    """When pieces were set down where the game has none, since the board last matched it in this turn."""
    symbols, mismatch, landed = s.position.symbols, 0, list[c.Ms]()
    for edge in s.trace[s.turn.start :]:
        if symbols[edge.square] in FITS[edge.seen]:
            mismatch &= ~BB_SQUARES[edge.square]
        else:
            mismatch |= BB_SQUARES[edge.square]
            landed += [edge.ms] if edge.seen != EMPTY else []
        if not mismatch:
            landed.clear()
    return landed


def _reason(s: State) -> Literal["illegal-move", "paused", "displaced"]:
    if s.stopped:
        return "paused"
    return "illegal-move" if s.turn.astray or s.uncorrected() is not None else "displaced"
