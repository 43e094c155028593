"""Small closed positions, of which every one that legal moves reach is looked at: what is said of them is true.

The truth is found with python-chess alone: all positions reached, and whether one of them is a mate.
"""

from collections.abc import Callable
from random import Random

import chess
import pytest
from chess import BLACK, WHITE, Board, Color, Piece, Square

from controller.mating import who_can_mate_both

REACHED = 400  #: positions; where there are more and no mate by both is among them, the truth is left open
TRIED, KNOWN = 150, 20


def who_mates(board: Board) -> set[Color] | None:
    """Who mates in some position that legal moves reach; None where that is not known."""
    found: set[Color] = set()
    seen, queue = {board.epd()}, [board]
    for here in queue:
        if here.is_checkmate():
            found.add(not here.turn)
        if found == {WHITE, BLACK}:
            return found
        for move in here.legal_moves:
            after = here.copy(stack=False)
            after.push(move)
            if (epd := after.epd()) not in seen:
                seen.add(epd)
                queue.append(after)
        if len(seen) > REACHED:
            return None
    return found


def put(board: Board, squares: list[Square], pieces: list[Piece], rng: Random) -> Board | None:
    """These pieces somewhere on these squares; turned over every other time, so that both colours are in it."""
    free = [square for square in squares if not board.piece_at(square)]
    if len(free) < len(pieces):
        return None
    for square, piece in zip(rng.sample(free, len(pieces)), pieces, strict=True):
        board.set_piece_at(square, piece)
    board.turn = rng.random() < 0.5
    if rng.random() < 0.5:
        board = board.mirror()
    return board if board.is_valid() else None


SHUT_KINGS = ("8/8/8/8/8/6p1/6Pp/7K w", "8/8/8/1p6/1P6/KP6/PP6/8 w", "8/6p1/6P1/6PK/6PP/8/8/8 w")


def short_of_moves(rng: Random) -> Board | None:
    """A king that is shut in, with nothing but pawns to move, and a king who goes about."""
    board = Board(rng.choice(SHUT_KINGS) + " - - 0 1")
    for file in rng.sample((2, 4), rng.choice((1, 1, 2))):
        low = rng.randrange(1, 5)
        board.set_piece_at(chess.square(file, low), Piece(chess.PAWN, WHITE))
        board.set_piece_at(chess.square(file, rng.randrange(low + 1, min(low + 3, 7))), Piece(chess.PAWN, BLACK))
    return put(board, list(chess.SQUARES), [Piece(chess.KING, BLACK)], rng)


def jammed(rng: Random) -> Board | None:
    """Both kings shut in, with bishops and knights that go about and take what they meet."""
    board = Board("k7/Pp6/1P6/8/8/6p1/6Pp/7K w - - 0 1")
    for file in rng.sample(range(2, 6), rng.choice((0, 1, 2))):
        rank = rng.randrange(2, 5)
        board.set_piece_at(chess.square(file, rank), Piece(chess.PAWN, WHITE))
        board.set_piece_at(chess.square(file, rank + 1), Piece(chess.PAWN, BLACK))
    kinds = (chess.BISHOP, chess.BISHOP, chess.KNIGHT)
    pieces = [Piece(rng.choice(kinds), rng.random() < 0.5) for _ in range(rng.choice((0, 1, 2)))]
    return put(board, list(chess.SQUARES), pieces, rng)


@pytest.mark.parametrize("made", [short_of_moves, jammed])
def test_what_is_said_of_a_small_position_is_true(made: Callable[[Random], Board | None]) -> None:
    rng = Random(3)
    known = 0
    for _ in range(TRIED):
        board = made(rng)
        if board is None or (truth := who_mates(board)) is None:
            continue
        known += 1
        for colour, verdict in zip((WHITE, BLACK), who_can_mate_both(board), strict=True):
            assert verdict.can in (colour in truth, None), board.fen()
    assert known >= KNOWN
