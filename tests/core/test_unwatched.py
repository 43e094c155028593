"""Several moves that no scan shows: pieces that went on from squares where nobody saw them are followed."""

import chess
import pytest
from chess import BB_SQUARES, Move
from shorthand import accusations, play, record
from test_scan_lost import frames

from controller.outlets.scoresheet import board_of
from controller.position import Position
from controller.sensing.question import ExplainedMove, Line
from controller.sensing.unwatched import astray_unseen

ROOKS = "4r1k1/5p1p/p1N3p1/8/2r5/7P/P5P1/R6K w - - 0 1"


def test_a_knight_and_a_rook_went_on_while_nobody_looked() -> None:
    """The first scan shows neither the knight on a5 nor the rook on e4, which is in hand already."""
    unseen = "9000 -c6 -c4 +b3 | 9250 +e1"
    seen = "12000 -a1 | 12250 -e1 | 12500 +e1 | 15000 -e1 | 15250 -e8 | 15500 +e1 | 18000 -h1 | 18250 +h2"
    events = play(frames(f"{unseen} | {seen}", ROOKS), ROOKS)
    assert record(events) == ["c6a5", "c4e4", "a5b3", "e4e1", "a1e1", "e8e1", "h1h2"]
    assert not accusations(events)


@pytest.mark.parametrize(("shown", "astray"), [("f6", False), ("a8", True)])
def test_a_piece_that_was_dropped_where_nothing_shows_it_goes_on_as_what_it_is(shown: str, astray: bool) -> None:
    """A knight goes from e4 to f6."""
    position = Position(board_of("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"))
    dropped = ExplainedMove(Move(chess.E4, chess.E4, drop=chess.KNIGHT), edges=0)
    seen = BB_SQUARES[chess.parse_square(shown)]
    line = Line(position, (dropped,), used=0, cost=0.0, mismatch=BB_SQUARES[chess.E4] | seen, lost=0)
    assert astray_unseen(line, filled=seen, opened=0) == astray
