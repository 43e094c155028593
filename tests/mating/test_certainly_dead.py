"""Dead positions (5.2b / 5.2.2) and who can still mate, position by position."""

import chess
import pytest
from chess import Board

from controller.laws.endings import can_mate
from controller.mating import certainly_dead
from controller.mating.dead import FEW_PIECES

NO_LEGAL_GAME = [
    "4k3/8/8/4r3/Q7/8/8/4K3 w - - 0 30",  # both kings in check
    "7k/8/8/8/8/8/8/K2p4 w - - 0 40",  # a pawn on its last rank
    "8/8/8/8/8/8/8/K7 w - - 0 1",  # no king
    "8/8/8/8/8/8/8/KK5k w - - 0 1",  # a king too many
    "kK6/8/8/8/8/8/8/8 w - - 0 1",  # kings side by side
]

DEAD = {
    "bare kings": "8/8/8/8/3k4/8/8/1K6 w - - 0 1",
    "king and knight": "8/8/8/8/3k4/8/8/1KN5 w - - 0 1",
    "king and bishop": "8/8/8/8/3k4/8/8/1KB5 b - - 0 1",
    "bishops of one colour, one each": "8/8/8/8/3kb3/8/8/2KB4 w - - 0 1",
    "bishops of one colour, many": "8/8/8/8/3kb3/5b2/6b1/2KB1B2 w - - 0 1",
    "a closed wall, kings alone": "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1",
    "a closed wall in zigzag": "k7/8/8/1p1p1p1p/1P1P1P1P/8/8/K7 w - - 0 1",
    "a closed wall, a bishop that sees no pawn": "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/3BK3 w - - 0 1",
    "a closed wall, such a bishop on either side": "4kb2/8/8/p1p1p1p1/P1P1P1P1/8/8/3BK3 b - - 0 1",
    "the only move takes the last queen": "7k/6Q1/8/8/8/8/8/K7 b - - 0 1",
    "two moves, each takes the last queen": "5K2/8/8/4b3/8/8/1Q6/k7 b - - 0 1",
    "the queen must take and be taken": "1N6/8/8/8/8/8/Q1n5/K1k5 w - - 0 1",
    "three moves, two of them stalemate": "5K1k/4N2n/7Q/8/8/8/8/8 w - - 0 1",
    "stalemate": "k7/P7/1K6/8/8/8/8/8 b - - 0 1",
    "one side has no piece left that moves, and each move of the other's king stalemates it": (
        "8/1p5k/1P6/KP6/PP6/8/8/8 b - - 0 1"
    ),
    "the same with more pieces on": "1bK1k3/qnp2p2/pp1p1P2/2n5/8/8/8/8 b - - 0 1",
    "shut in behind a wall, whoever has moved last": "k1b5/1p1p4/1P1P4/8/8/8/8/6K1 w - - 1 2",
}

ALIVE = {
    "the start": chess.STARTING_FEN,
    "bishops of both colours": "8/8/8/8/3kb3/8/8/1KB5 w - - 0 1",
    "knight against knight": "8/8/8/8/3kn3/8/8/1KN5 w - - 0 1",
    "knight against bishop": "8/8/8/8/3kb3/8/8/1KN5 w - - 0 1",
    "two knights": "8/8/8/8/3k4/8/8/1KNN4 w - - 0 1",
    "knight against pawn": "8/8/8/8/3kp3/8/8/1KN5 w - - 0 1",
    "a pawn": "8/8/8/4p3/3k4/8/8/1K6 w - - 0 1",
    "a wall, a bishop that takes its pawns": "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/2B1K3 w - - 0 1",
    "a wall with an open wing": "4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1",
    "a wall, but a king stands behind it": "8/8/8/p1p1p1p1/P1P1P1P1/8/8/k6K w - - 0 1",
    "a wall that a pawn may still open": "4k3/8/1p6/p1p1p1p1/P1P1P1P1/8/1P6/4K3 w - - 0 1",
    "a wall, rooks that take its pawns": "r3k3/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K3 w - - 0 1",
    "a wall, but a pawn can be taken en passant": "4k3/8/8/p1pPp1p1/P1P1P1P1/8/8/4K3 w - c6 0 1",
    "the queen may be taken or left": "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
    "smothered in the corner": "6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1",
}


@pytest.mark.parametrize("fen", DEAD.values(), ids=DEAD)
def test_dead(fen: str) -> None:
    board = Board(fen)
    assert board.is_valid()
    assert certainly_dead(board)
    assert not can_mate(board, "white")
    assert not can_mate(board, "black")
    assert certainly_dead(board.mirror())


@pytest.mark.parametrize("fen", ALIVE.values(), ids=ALIVE)
def test_alive(fen: str) -> None:
    board = Board(fen)
    assert board.is_valid()
    assert not certainly_dead(board)
    assert not certainly_dead(board.mirror())


@pytest.mark.parametrize(
    ("about", "fen", "white", "black"),
    [
        ("a bare king cannot", "8/8/8/8/8/5k2/6pK/8 w - - 0 1", False, True),
        ("a bare king cannot", "8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1", True, False),
        ("a knight alone cannot against a queen", "8/8/8/4k3/8/8/3Q4/3K1n2 w - - 0 1", True, False),
        ("a knight alone can against a pawn", "8/8/8/4k3/8/8/3P4/3K1n2 w - - 0 1", True, True),
        ("a bishop can smother with the other's knight", "8/8/8/4k3/8/8/3N4/3K1b2 w - - 0 1", True, True),
        ("mated already", "R6k/8/7K/8/8/8/8/8 b - - 0 1", True, False),
        ("mated by a pawn that stands fast", "k7/1P6/K7/8/8/8/8/8 b - - 0 1", True, False),
        ("a mate that two pawns and the king give", "7k/6P1/5KP1/8/8/8/8/8 b - - 0 1", True, False),
        ("the only move takes White's last piece", "7k/6Q1/8/8/8/8/7p/K7 b - - 0 1", False, True),
    ],
)
def test_who_can_mate(about: str, fen: str, white: bool, black: bool) -> None:
    board = Board(fen)
    assert (can_mate(board, "white"), can_mate(board, "black")) == (white, black), about


@pytest.mark.parametrize("fen", NO_LEGAL_GAME)
def test_what_no_legal_game_reaches_is_never_called_dead(fen: str) -> None:
    assert not certainly_dead(Board(fen))


def test_on_a_board_of_a_match_pieces_may_come_from_elsewhere() -> None:
    from chess.variant import CrazyhouseBoard

    assert not certainly_dead(CrazyhouseBoard("8/8/8/8/3k4/8/8/1K6[] w - - 0 1"))


def test_the_board_asked_about_is_left_alone() -> None:
    board = Board("7k/6Q1/8/8/8/8/8/K7 b - - 0 1")
    before = board.copy()
    assert len(board.piece_map()) <= FEW_PIECES
    certainly_dead(board)
    assert board == before
