"""The successors of a position are those that python-chess finds."""

from random import Random

import chess
import pytest
from chess import Board

from controller.mating.state import in_check, state_of, successors

FENS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  # castling, and much else
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",  # en passant that uncovers a check
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",  # promotions with captures
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",  # two pawns leave a rank at once
    "4k3/8/8/8/8/8/1p6/R3K2R w KQ - 0 1",  # a square beside the king attacked
    "k7/8/8/3pP3/8/8/8/7K w - d6 0 1",
]


OF_CHESS960 = [
    "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w GEge - 0 1",  # king and rook change places
    "rk5r/pp4pp/8/8/8/8/PP4PP/RK5R w HAha - 0 1",
    "r4kr1/8/8/8/8/8/8/2R1K1R1 b Gg - 0 1",
    "4k3/8/8/8/8/8/6PP/rRK5 w B - 0 1",  # the rook shields the king
]


@pytest.mark.parametrize(("fen", "shuffled"), [(fen, False) for fen in FENS] + [(fen, True) for fen in OF_CHESS960])
def test_successors(fen: str, shuffled: bool) -> None:
    rng = Random(1)
    for _ in range(15):
        board = Board(fen, chess960=shuffled)
        for _ in range(40):
            state = state_of(board)
            assert in_check(state) == board.is_check()
            wanted = []
            for move in board.legal_moves:
                board.push(move)
                wanted.append(state_of(board))
                board.pop()
            assert sorted(successors(state)) == sorted(wanted), board.fen()
            if not wanted:
                break
            board.push(rng.choice(list(board.legal_moves)))
