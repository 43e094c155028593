"""What a pawn becomes where the board cannot see it and the player has not said it yet (4.4.4, 4.7.3).

The pawn itself may stand there; until the press he may choose, and is taken to mean a queen.
"""

import pytest
from shorthand import CLOCK, PROMOTION, accusations, only, play, record, seen
from two_boards import Played

from controller import contract as c

ALONE = "8/P6k/6p1/8/8/8/8/K7 w - - 0 1"
ON_A8 = ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]
STANDS = "1000 lift a7; 2500 place a8; "

blind = pytest.mark.parametrize("senses", ["occupancy", "colour"])


@blind
@pytest.mark.parametrize("piece", "qrbn")
def test_chosen_after_a_man_stands_there_it_is_that_piece(senses: c.Senses, piece: str) -> None:
    events = play(f"{STANDS}4000 choose white {piece}; 5500 press white", ALONE, senses=senses, clock=CLOCK)
    assert [event.moves for event in only(c.Ambiguous, events)] == [ON_A8]
    assert [event.uci for event in only(c.Move, events)] == [f"a7a8{piece}"]
    assert [event.uci for event in only(c.Completed, events)] == [f"a7a8{piece}"]
    assert not accusations(events)


def test_until_then_the_square_is_fixed_and_the_piece_open() -> None:
    released = only(c.Obligation, play(STANDS + "3000 time", PROMOTION, clock=CLOCK))[-1]
    assert (released.must, released.moves, released.article) == ("promote", ON_A8, "4.7.3")


def test_the_pawn_may_be_changed_for_the_piece_that_is_chosen() -> None:
    changed = "4000 lift a8; 5000 choose white n; 5500 place a8; 7000 press white"
    events = play(STANDS + changed, ALONE, clock=CLOCK)
    assert [event.uci for event in only(c.Move, events)] == ["a7a8n"]
    assert not accusations(events)


def test_but_not_go_to_another_square() -> None:
    events = play(STANDS + "4000 lift a8; 5000 lift b8; 6000 place b8; 7000 press white", PROMOTION, clock=CLOCK)
    assert [event.kind for event in only(c.Violation, events)] == ["released-move"]


@blind
@pytest.mark.parametrize("goes_on", ["press white", "lift h7", "pause white", "draw white offer"])
def test_who_goes_on_without_a_word_has_a_queen(senses: c.Senses, goes_on: str) -> None:
    events = play(f"{STANDS}4000 {goes_on}", ALONE, senses=senses, clock=CLOCK)
    made = only(c.Move, events)
    assert [(event.uci, event.ms) for event in made] == [("a7a8q", 4000)]
    assert only(c.Ambiguous, events)


def test_a_queen_who_mates_is_not_waited_for() -> None:
    events = play(STANDS + "3000 time", "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1", clock=CLOCK)
    assert [event.ms for event in only(c.Move, events)] == [2900]
    assert [event.reason for event in only(c.Result, events)] == ["checkmate"]
    assert not only(c.Ambiguous, events)


def test_one_who_would_leave_him_stalemate_is() -> None:
    log = "1000 lift f7; 2500 place f8; 4000 choose white r; 5500 press white"
    events = play(log, "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", clock=CLOCK)
    assert record(events) == ["f7f8r"]


def test_without_a_clock_nobody_presses_and_it_is_a_queen_as_soon_as_it_is_released() -> None:
    events = play(STANDS + "9000 time", ALONE)
    assert [(event.uci, event.ms) for event in only(c.Move, events)] == [("a7a8q", 2900)]


def test_a_choice_made_before_is_not_asked_for_again() -> None:
    events = play("500 choose white r; " + STANDS + "4000 choose white q; 5500 press white", ALONE, clock=CLOCK)
    assert record(events) == ["a7a8r"]
    assert not only(c.Ambiguous, events)


@blind
def test_a_choice_made_before_is_final_as_soon_as_the_piece_stands_there(senses: c.Senses) -> None:
    log = "500 choose white q; 1000 lift a7; 1500 place a8; 1600 choose white n; 4000 press white"
    assert record(play(log, ALONE, senses=senses, clock=CLOCK)) == ["a7a8q"]


def test_and_may_be_changed_while_the_pawn_is_in_hand() -> None:
    log = "500 choose white q; 1000 lift a7; 1200 choose white n; 1500 place a8; 4000 press white"
    assert record(play(log, ALONE, clock=CLOCK)) == ["a7a8n"]


@blind
def test_a_choice_made_in_reply_to_an_illegal_move_counts(senses: c.Senses) -> None:
    """Only he who made it has nothing to choose until it is ruled on."""
    illegal = "1000 lift a1; 2500 place a3; 4000 press white; "
    log = illegal + "5000 choose black n; 6000 lift h2; 7000 place h1; 9000 press black"
    events = play(log, "7k/8/8/8/8/8/7p/K7 w - - 0 1", senses=senses, clock=CLOCK)
    assert record(events)[-1] == "h2h1n"


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_in_a_match_where_the_pawn_stays_the_square_is_fixed_too(senses: c.Senses) -> None:
    """Only what he became is still to be said (9 of the blitz à quatre)."""
    pawn = seen("P", senses)
    on_b8 = f"4000 A lift a8; 5000 A lift b8; 6000 A place b8 {pawn}; 7000 A choose white q; 8000 A press white"
    log = f"1000 A lift a7; 2500 A place a8 {pawn}; {on_b8}"
    match = Played(log, a=PROMOTION.replace(" w", "[] w"), senses=senses, laws="fide-2018")
    owed = [said for said in match.all(c.Obligation) if said.must == "promote"]
    assert [(said.moves, said.article) for said in owed] == [(ON_A8, "4.7.3")]
    assert [said.kind for said in match.all(c.Violation)] == ["released-move"]
