"""A piece on its way stands on a square for less time than a release: it is let go where it comes to rest (4.7)."""

import pytest
from shorthand import CLOCK, MIDDLEGAME, only, play, record, seen

from controller import contract as c

EVERY_BOARD = pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
MATE_THREATENED = "7k/5ppp/8/8/8/8/8/KN2R3 w - - 0 1"


@EVERY_BOARD
@pytest.mark.parametrize("stay_ms", [60, 200, 300, 390])
def test_who_passes_over_the_square_of_a_mate_has_not_mated(senses: c.Senses, stay_ms: int) -> None:
    """He rests where he may not, goes home and plays another move with the same piece."""
    rook = seen("R", senses)
    log = (
        f"1000 lift e1; {1560 - stay_ms} place e8 {rook}; 1560 lift e8; 2400 place d8 {rook}; 3000 lift d8;"
        f"3500 place e1 {rook}; 4500 lift e1; 4900 place e5 {rook}; 6000 press white"
    )
    events = play(log, MATE_THREATENED, senses=senses, clock=CLOCK)
    assert record(events) == ["e1e5"]
    assert not only(c.Result, events)
    assert not [said for said in only(c.Illegal, events) if said.completed]


@EVERY_BOARD
@pytest.mark.parametrize("stay_ms", [60, 200, 300])
def test_who_passes_over_a_lawful_square_to_an_unlawful_one_is_told_at_the_press(
    senses: c.Senses, stay_ms: int
) -> None:
    pawn = seen("P", senses)
    log = f"1000 lift d2; 1500 place d3 {pawn}; {1500 + stay_ms} lift d3; 2000 place d5 {pawn}; 5000 press white"
    events = play(f"{log}; 9000 time", MIDDLEGAME, senses=senses, clock=CLOCK)
    (completed,) = [said for said in only(c.Illegal, events) if said.completed]
    assert (completed.uci, completed.ms) == ("d2d5", 5000)


@EVERY_BOARD
def test_who_passed_over_a_square_beside_and_is_moved_on_later_was_released_all_the_same(senses: c.Senses) -> None:
    pawn = seen("P", senses)
    way = f"1000 lift h2; 1500 place h5 {pawn}; 1550 lift h5; 1600 place h4 {pawn}"
    events = play(
        f"{way}; 3200 lift h4; 3600 place h3 {pawn}; 9000 press white", MIDDLEGAME, senses=senses, clock=CLOCK
    )
    (broken,) = only(c.Violation, events)
    assert (broken.kind, broken.uci, broken.ms) == ("released-move", "h2h4", 4000)


def test_a_king_that_slides_to_castle_says_nothing_of_a_piece_put_straight_before() -> None:
    """Black straightens the knight that he has just moved, before he presses."""
    log = (
        "1000 lift b5; 1500 place c7; 2200 lift c7; 2900 place c7; 3400 press black; 5000 lift e1; 5500 place f1;"
        "5560 lift f1; 5600 place g1; 6000 lift h1; 6500 place f1; 6700 press white; 8000 lift e8; 8500 place e7"
    )
    events = play(log, "4k3/8/8/1n6/8/6B1/8/4K2R b K - 0 1", clock=CLOCK)
    assert record(events) == ["b5c7", "e1g1", "e8e7"]
    assert not only(c.Violation, events)
