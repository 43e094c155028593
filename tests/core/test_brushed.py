"""A sleeve lifts a piece for less than a brush while another is set down: when it stands again, nobody was touched,
and nothing was released by that.
"""

import pytest
from shorthand import CLOCK, accusations, play, record, seen

from controller import contract as c

SENSES = ("occupancy", "colour", "identity")


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("clock", [None, CLOCK])
def test_what_stands_in_passing_is_not_released_by_a_sleeve(senses: c.Senses, clock: str | None) -> None:
    """The knight stops on f3 for less than a release takes, and goes on to h3."""
    knight, pawn = seen("N", senses), seen("p", senses)
    log = (
        f"1000 lift g1; 1700 place f3 {knight}; 1850 lift e7; 1900 place e7 {pawn}; 1990 lift f3;"
        f"2600 place h3 {knight}; 4000 press white"
    )
    events = play(log, senses=senses, clock=clock)
    assert (record(events), accusations(events)) == (["g1h3"], [])


@pytest.mark.parametrize("senses", SENSES)
def test_a_piece_tapped_on_a_square_and_taken_home_is_not_released_by_a_sleeve(senses: c.Senses) -> None:
    knight, pawn = seen("N", senses), seen("p", senses)
    tapped = f"1000 lift g1; 1700 place f3 {knight}; 1850 lift e7; 1900 place e7 {pawn}; 1990 lift f3"
    log = f"{tapped}; 2600 place g1 {knight}; 5000 lift g1; 6000 place f3 {knight}; 7000 press white"
    events = play(log, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["g1f3"], [])


@pytest.mark.parametrize("senses", SENSES)
def test_who_is_brushed_while_another_lands_is_not_touched(senses: c.Senses) -> None:
    """In haste: c7 is off when the pawn that is moved lands, and stands again before the press."""
    log = (
        f"1000 lift e2; 1120 place e4 {seen('P', senses)}; 1200 press white; 1300 lift c7; 1320 lift g7;"
        f"1335 place g6 {seen('p', senses)}; 1380 place c7 {seen('p', senses)}; 1420 press black"
    )
    events = play(log, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e2e4", "g7g6"], [])


@pytest.mark.parametrize("senses", SENSES)
def test_who_was_off_for_longer_than_a_brush_is_touched(senses: c.Senses) -> None:
    """The same, and c7 is off for as long as a touch takes, and too long before g7 for both to be touched at once."""
    log = (
        f"1000 lift e2; 1120 place e4 {seen('P', senses)}; 1200 press white; 1250 lift c7; 1420 lift g7;"
        f"1435 place g6 {seen('p', senses)}; 1480 place c7 {seen('p', senses)}; 1520 press black"
    )
    (said,) = accusations(play(log, senses=senses, clock=CLOCK))
    assert isinstance(said, c.Violation)
    assert (said.kind, said.side) == ("touch-move", "black")


def test_who_is_brushed_where_the_destination_is_seen_first_is_not_touched() -> None:
    opened = "1000 lift h2; 1100 place h3; 1200 press white; 1300 lift a7; 1400 place a6; 1475 press black"
    log = f"{opened}; 1548 lift a2; 1585 place h2; 1587 place a2; 1658 lift h1; 1774 press white"
    events = play(log, senses="occupancy", clock=CLOCK)
    assert (record(events), accusations(events)) == (["h2h3", "a7a6", "h1h2"], [])


@pytest.mark.parametrize("lifted", [("d5", "e4"), ("e4", "d5")])
@pytest.mark.parametrize("back_ms", [9500, 9700])
def test_two_pieces_put_straight_at_once_are_not_touched(lifted: tuple[str, str], back_ms: int) -> None:
    """ "J'adoube" (4.2): his own pawn and the one that it might take."""
    opened = "1000 lift e2; 2000 place e4; 3000 press white; 4000 lift d7; 5000 place d5; 6000 press black"
    first, second = lifted
    straightened = f"8000 adjust white; 8600 lift {first}; 8700 lift {second}; 9100 place d5; {back_ms} place e4"
    log = f"{opened}; {straightened}; 12000 lift g1; 13000 place f3; 14000 press white"
    events = play(log, senses="occupancy", clock=CLOCK)
    assert (record(events), accusations(events)) == (["e2e4", "d7d5", "g1f3"], [])


@pytest.mark.parametrize("laws", ["fide-2014", "fide-2023"])
def test_who_is_brushed_as_the_clock_is_pressed_is_not_held(laws: str) -> None:
    """On the way to the clock the sleeve lifts two of his own."""
    moved = "1000 place h3; 1080 lift h2; 1100 lift a2; 1100 lift e3; 1131 press black; 1140 place a2; 1140 place e3"
    log = f"{moved}; 1300 lift d1; 1800 place e1; 2000 press white"
    events = play(log, "6k1/8/8/8/8/4b3/r6q/3K4 b - - 0 1", senses="occupancy", clock=CLOCK, laws=laws)
    assert (record(events), accusations(events)) == (["h2h3", "d1e1"], [])


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_who_slides_half_a_square_on_a_board_that_is_shaken_is_not_touched(clock: str | None) -> None:
    """The square beside his sees him for a moment, and he is back sooner than a hand could take him up."""
    shaken = "1000 lift b8; 1059 place c7; 1080 place b8; 1096 lift c7"
    events = play(
        f"{shaken}; 4000 lift d7; 4600 place d6; 5500 press black", "1n2k3/3p4/8/8/8/8/8/4K3 b - - 0 1", clock=clock
    )
    assert (record(events), accusations(events)) == (["d7d6"], [])


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize(("blinks", "apart_ms", "accused"), [(1, 800, True), (6, 800, False), (3, 40_000, False)])
def test_a_square_that_has_chattered_is_not_touched(
    senses: c.Senses, blinks: int, apart_ms: int, accused: bool
) -> None:
    """The sensor of d2 opens for 60 ms again and again, and once for longer than a brush."""
    pawn = seen("P", senses)
    began = [130_000 - number * apart_ms for number in range(blinks, 0, -1)]
    blinking = "; ".join(f"{ms} lift d2; {ms + 60} place d2 {pawn}" for ms in began)
    touched = f"137000 lift d2; 137150 place d2 {pawn}"
    moved = f"137600 lift e2; 138100 place e4 {pawn}; 138800 press white"
    events = play(f"{blinking}; {touched}; {moved}; 148000 time", senses=senses, clock=CLOCK)
    assert (record(events), bool(accusations(events))) == (["e2e4"], accused)
