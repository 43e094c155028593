"""Several moves that no scan shows: pieces that went on from squares where nobody saw them are followed."""

from shorthand import accusations, play, record
from test_scan_lost import frames

ROOKS = "4r1k1/5p1p/p1N3p1/8/2r5/7P/P5P1/R6K w - - 0 1"


def test_a_knight_and_a_rook_went_on_while_nobody_looked() -> None:
    """The first scan shows neither the knight on a5 nor the rook on e4, which is in hand already."""
    unseen = "9000 -c6 -c4 +b3 | 9250 +e1"
    seen = "12000 -a1 | 12250 -e1 | 12500 +e1 | 15000 -e1 | 15250 -e8 | 15500 +e1 | 18000 -h1 | 18250 +h2"
    events = play(frames(f"{unseen} | {seen}", ROOKS), ROOKS)
    assert record(events) == ["c6a5", "c4e4", "a5b3", "e4e1", "a1e1", "e8e1", "h1h2"]
    assert not accusations(events)
