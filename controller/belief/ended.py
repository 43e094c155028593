"""What is still done on a board after the end of its game, in a world that has one: whether that speaks against it."""

from collections.abc import Iterator

import chess
from chess import BB_SQUARES

from controller import contract as c
from controller.belief.pricing import rates_of
from controller.laws import step
from controller.laws.state import State, turned
from controller.position import squares
from controller.sensing import costs

Handling = c.Press | c.Lift | c.Place | step.Settled
"""What players do on a board."""

SET_UP = chess.BB_RANK_1 | chess.BB_RANK_2 | chess.BB_RANK_7 | chess.BB_RANK_8
"""Where pieces are set up for the next game, some of them from beside the board."""


def going_on(s: State, stands: int | None, item: Handling) -> tuple[int, float]:
    """On which squares, a bitboard, something stands after that item, and what it costs that it came though the game
    had ended with ``s``. ``stands``: the squares before it; None for those at the end. A piece that nobody has lifted
    since is more likely the one that was moved last, as it did not go where it seemed to."""
    filled = chess.BB_ALL & ~s.empty(chess.BB_ALL)
    most, now, last = filled.bit_count(), filled if stands is None else stands, s.last()
    completes = isinstance(item, c.Press) and last is not None and last.side == item.side
    cost = 0.0 if completes else costs.GONE_ON
    for square, came in _changed(s, item, now):
        now = now | BB_SQUARES[square] if came else now & ~BB_SQUARES[square]
        from_last = last is not None and square == last.move.from_square
        if came and now.bit_count() > most and (from_last or not BB_SQUARES[square] & SET_UP):
            cost += rates_of(s).wrong
    return now, cost


def _changed(s: State, item: Handling, stands: int) -> Iterator[tuple[chess.Square, bool]]:
    """Each square that changes, and whether something comes there; ``stands``: where something stood before."""
    if isinstance(item, c.Lift | c.Place):
        yield step.square_of(s, item), isinstance(item, c.Place)
    elif type(item) is step.Settled:
        for _, mask in item.flips:
            for square in squares(turned(mask) if s.turned else mask):
                stands ^= BB_SQUARES[square]
                yield square, stands & BB_SQUARES[square] != 0
