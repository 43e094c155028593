"""Positions for the property tests: legal play at random, from the start and from odd beginnings."""

import chess
from hypothesis import strategies as st

from controller.position import Position

BEGINNINGS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  # castling, pins, captures
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",  # en passant pinned along the rank
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",  # every promotion
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",  # all four castlings
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",  # two takers in passing
    "QQ5k/Q7/8/8/8/8/q7/K6q w - - 0 1",  # moves that need file, rank or both to be told apart
    "4k3/8/8/8/7b/8/5P2/4K2R w K - 99 80",
)

OF_CHESS960 = (
    "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w GEge - 0 1",  # king and rook change places
    "rk5r/pp4pp/8/8/8/8/PP4PP/RK5R w HAha - 0 1",  # a step on one side, a leap on the other
    "r4kr1/8/8/8/8/8/8/2R1K1R1 b Gg - 0 1",  # the king where the rook stands, and over him
    "1r3rkb/8/8/8/8/8/8/R1KR4 w Ab - 0 1",  # the king stands still; a rook beside his own
    "4k3/8/8/8/8/8/6PP/rRK5 w B - 0 1",  # the rook shields the king
)


@st.composite
def positions(draw: st.DrawFn, longest: int = 16) -> Position:
    """A position reached from one of :data:`BEGINNINGS` through :meth:`Position.after`, so that it carries on."""
    shuffled = draw(st.booleans())
    begin = draw(st.sampled_from(OF_CHESS960 if shuffled else BEGINNINGS))
    position = Position(chess.Board(begin, chess960=shuffled))
    for number in draw(st.lists(st.integers(0, 10_000), max_size=longest)):
        legal = sorted(position.board.legal_moves, key=chess.Move.uci)
        if not legal:
            break
        position = position.after(legal[number % len(legal)])
    return position
