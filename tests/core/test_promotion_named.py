"""A name said by button is said of one promotion: not of the one before it, nor of the one after; and it is
final once the opponent has begun."""

import pytest
from shorthand import CLOCK, only, play, record, seen

from controller import contract as c


def test_the_next_promotion_may_be_named_before_it_is_its_turn() -> None:
    """White's new piece stands on c8 before Black has pressed: what he says then is said of that one."""
    white = "1000 lift a7; 2000 place a8; 3000 choose white b; 3500 press white; 4000 lift h2; 4800 place h1"
    ahead = "5300 place c8; 5300 choose white r; 5400 choose black n; 5800 press black; 6500 lift c7; 6700 press white"
    events = play(f"{white}; {ahead}", "8/P1P4k/8/8/8/8/4K2p/8 w - - 0 1", senses="occupancy", clock=CLOCK)
    assert record(events) == ["a7a8b", "h2h1n", "c7c8r"]


def test_what_was_said_of_one_promotion_is_not_said_of_the_next() -> None:
    """In haste, and without a clock: a bishop is named as it stands, and nothing of the piece that follows."""
    bishop = "1000 lift c1; 1070 lift b2; 1240 place c1; 1256 choose black b; 1414 place b4; 1432 lift b1"
    queen = "1550 lift d2; 1675 lift e1; 1782 place e1; 1940 lift e8; 2066 lift e1; 2158 place e1"
    log = f"{bishop}; {queen}; 2400 lift g7; 2500 place g6"
    events = play(log, "4Q3/6k1/8/8/8/8/1p1p4/1RB1N1K1 b - - 0 1", senses="occupancy")
    assert record(events) == ["b2c1b", "b1b4", "d2e1q", "e8e1", "g7g6"]


@pytest.mark.parametrize("clock", [CLOCK, None])
@pytest.mark.parametrize("exchanged", ["", "2438 lift a8; 2853 place a8;"])
def test_who_names_it_while_something_stands_there_may_name_it_anew(exchanged: str, clock: str | None) -> None:
    """What stands is a pawn, until he has exchanged it (4.4.4): the board does not see which, and a button may be
    pressed in error."""
    log = f"1000 lift a7; 1254 place a8; 1757 choose white r; 2257 choose white q; {exchanged} 3030 press white;"
    events = play(
        f"{log} 5000 lift c7; 5400 place a8; 5800 press black", "2k5/P1n5/8/7q/8/8/8/4KN2 w - - 0 6", clock=clock
    )
    assert record(events)[0] == "a7a8q"


@pytest.mark.parametrize(
    "named",
    ["1300 choose white r; 1350 choose white q", "1757 choose white r; 2257 choose white n; 2700 choose white q"],
    ids=["before it is released", "more than once"],
)
def test_the_last_word_counts(named: str) -> None:
    log = f"1000 lift a7; 1254 place a8; {named}; 3030 press white"
    assert record(play(log, "2k5/P1n5/8/7q/8/8/8/4KN2 w - - 0 6", clock=CLOCK)) == ["a7a8q"]


def test_once_he_has_pressed_he_may_not() -> None:
    log = "1000 lift a7; 1254 place a8; 1757 choose white r; 3030 press white; 3500 choose white q"
    assert record(play(log, "2k5/P1n5/8/7q/8/8/8/4KN2 w - - 0 6", clock=CLOCK)) == ["a7a8r"]


@pytest.mark.parametrize("senses", ["occupancy", "colour"])
def test_without_a_clock_it_is_no_exchange_once_the_opponent_has_touched_a_piece_of_his_own(senses: c.Senses) -> None:
    """4.3.3: he touches his rook, and then the queen, which he takes up and puts back; he owes the capture."""
    rook, queen = seen("r", senses), seen("Q", senses)
    log = (
        f"1000 choose white q; 1200 lift c7; 1600 place c8 {queen}; 3000 lift a8; 3500 place a8 {rook};"
        f"4500 lift c8; 5000 place c8 {queen}; 6500 lift h8"
    )
    events = play(log, "r6k/2P4p/8/8/8/8/7P/6K1 w - - 0 1", senses=senses, clock=None)
    assert [touch.square for touch in only(c.Touch, events) if touch.side == "black"] == ["a8", "c8", "h8"]
    assert (only(c.Obligation, events)[-1].must, only(c.Obligation, events)[-1].moves) == ("capture", ["a8c8"])
