"""Play that the score cannot follow: the board has left the game, and nothing explains what is played since.

That happens after an illegal move that nobody completes or corrects (without a clock the reply completes it), when
nothing settles what the sensors showed in part, while the game is paused, and after pieces were moved unseen. In each
case the board alone shows it: more pieces are off their squares than the moves in progress can have moved, and pieces
go on being set down where they do not belong long after the first one was. Pieces that are knocked over fall all at
once, and pieces that are put back stand where they belong: neither is play.
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
"""Pieces must be set down astray over so many times ``release_ms`` before that counts as play: longer than a hand needs
for one move, or than pieces fall."""


def stall(s: State) -> State:
    """Tell, once, that the score cannot follow play, if that is so."""
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
