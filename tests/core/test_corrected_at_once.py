"""A breach corrected by the player himself, as the Laws demand, and quickly: it is one breach (4.3, 7.4)."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

KNIGHTS = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4"


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
@pytest.mark.parametrize("move", ["f3g5", "f3e5"])
def test_who_corrects_himself_at_once_has_broken_one_rule(senses: c.Senses, move: str) -> None:
    """The wrong piece is home for less than a release when the right one is taken up."""
    knight, to = seen("N", senses), move[2:]
    log = (
        f"870 contact f3; 1740 lift c3; 2380 place b5 {knight}; 3880 lift b5; 4480 place c3 {knight};"
        f"4780 lift f3; {'5080 lift e5;' if to == 'e5' else ''} 5480 place {to} {knight}; 6350 press white"
    )
    events = play(log, KNIGHTS, senses=senses, clock=CLOCK)
    assert [each.kind for each in only(c.Violation, events)] == ["touch-move"]
    assert record(events) == [move]


def test_a_wrong_capture_is_put_right_piece_by_piece() -> None:
    """The taker is home for longer than a release before the captured pawn is back."""
    taken = "1000 lift b1; 1500 place b1 N; 3000 lift e4; 3500 lift d5; 4000 place d5 P; 5000 lift d5; 5300 place e4 P"
    log = f"{taken}; 5900 place d5 p; 7000 lift b1; 7500 place c3 N; 8500 press white"
    events = play(log, "4k3/8/8/3p4/4P3/8/8/1N2K3 w - - 0 1", senses="identity", clock=CLOCK)
    assert [each.kind for each in only(c.Violation, events)] == ["touch-move"]
    assert record(events) == ["b1c3"]


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
@pytest.mark.parametrize("first", ["king", "rook"])
def test_so_is_a_castling_that_was_begun_with_the_rook(senses: c.Senses, first: str) -> None:
    king, rook = seen("K", senses), seen("R", senses)
    castled = (
        f"1000 lift h1; 1500 place h1 {rook}; 3000 lift e1; 3500 place g1 {king}; 4500 lift h1; 5000 place f1 {rook}"
    )
    homes = [("g1", "e1", king), ("f1", "h1", rook)]
    (a, to_a, piece_a), (b, to_b, piece_b) = homes if first == "king" else homes[::-1]
    back = f"7000 lift {a}; 7500 place {to_a} {piece_a}; 8200 lift {b}; 8700 place {to_b} {piece_b}"
    log = f"{castled}; {back}; 10000 lift h1; 10500 place h5 {rook}; 11500 press white"
    events = play(log, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", senses=senses, clock=CLOCK)
    assert [each.kind for each in only(c.Violation, events)] == ["castling-order"]
    assert record(events) == ["h1h5"]


def test_a_piece_put_where_it_may_go_before_its_first_square_was_known_is_no_illegal_move() -> None:
    """Whether a queen stood on f6, or a piece was taken unseen, shows only once she is set down on a8."""
    log = "1000 lift b8; 1320 place f6; 2550 lift f6; 2933 place a8; 9000 time"
    events = play(log, "1q2kr2/1p3p2/P6B/2P1P2p/nP6/5P2/n6b/1N2K3 b - - 2 31", laws="fide-2005")
    assert (record(events), accusations(events)) == (["b8a8"], [])
