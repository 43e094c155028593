"""Pieces that are put straight after "j'adoube" (4.2.1), one after the other or two at a time, bind nobody."""

import pytest
from shorthand import CLOCK, accusations, play, record

TAKES_C6 = "4k2r/3b1p2/r1p1pn1p/1p6/3B4/bP1P2P1/P2NP1B1/1K1R2NR w k - 0 20"
TAKES_F3 = "8/8/7k/8/6K1/3Q1q2/8/8 w - - 0 1"


@pytest.mark.parametrize("between", [100, 250])
def test_who_puts_his_piece_straight_after_the_one_that_it_attacks_has_not_taken_yet(between: int) -> None:
    """Then he takes; nothing that he has touched is held against his opponent."""
    straight = f"1000 adjust white; 1453 lift c6; 1653 place c6; {1653 + between} lift g2; 2353 place g2"
    taken = "2753 lift c6; 3053 lift g2; 3353 place c6; 3765 press white"
    castled = "5153 lift e8; 5453 place g8; 5553 lift h8; 5653 place f8; 5971 press black"
    events = play(f"{straight}; {taken}; {castled}", TAKES_C6, clock=CLOCK)
    assert (record(events), accusations(events)) == (["g2c6", "e8g8"], [])


@pytest.mark.parametrize("off_ms", [100, 300])
def test_who_holds_two_pieces_to_put_them_straight_owes_no_capture(off_ms: int) -> None:
    """The king might have taken the queen while both were off, and the other queen takes her at last, quickly or not:
    she who is taken is off for a moment, too."""
    straight = (
        "1000 adjust white; 1425 lift g4; 1525 lift f3; 1825 place f3; 2025 place g4; 2325 lift d3; 2825 place d3"
    )
    log = f"{straight}; 3325 lift d3; 3625 lift f3; {3625 + off_ms} place f3"
    events = play(log, TAKES_F3)
    assert (record(events), accusations(events)) == (["d3f3"], [])
