"""One ply: think, do this and that, make the move, and press."""

from typing import NamedTuple

import chess

from strangers.habits import before, brush
from strangers.hands import Hands
from strangers.moves import make
from strangers.wood import pieces


class Ply(NamedTuple):
    """One move as it was made."""

    uci: str
    began: int  #: ms
    made: int  #: ms
    habits: list[str]


def played(hands: Hands, move: chess.Move, *, plain: bool) -> Ply:
    """Make the move, without any habit if plain. Raises :exc:`FlagFellError` where the time does not do."""
    board, colour = hands.board, hands.board.turn
    hands.plain = plain
    hands.habits = []
    thinking = hands.thinking()
    if hands.early is None:
        hands.now += thinking
        before(hands, move)
    else:  # at it before the other has pressed
        hands.now = hands.early + hands.rng.randint(70, 160)
        hands.early = None
        hands.habits.append("at-once")
        hands.plain = True
    began = hands.now
    make(hands, move)
    made = hands.now
    if not plain and hands.brushes and not move.promotion and hands.rng.random() < 0.06:
        hands.habits.append("centres")
        hands.wait(90, 600)
        brush(hands, [move.to_square])
        made = hands.now
    ply = Ply(move.uci(), began, hands.now, hands.habits)
    board.push(move)
    assert pieces(board) == hands.on, f"{move} left other pieces than {board.fen()}"
    over = board.is_game_over()
    if hands.way.clock:
        hands.press(colour, over)
    elif not over and hands.brushes and not plain and hands.pace == "blitz" and hands.rng.random() < 0.3:
        hands.early = made
    return ply
