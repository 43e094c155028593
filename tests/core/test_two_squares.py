"""A piece is set down on the edge of two squares, and both see it, until it is put in the middle of one: that is one
move, to the square where it stays.
"""

import pytest
from shorthand import CLOCK, accusations, inputs, only, play, record, seen, session

from controller import contract as c
from controller.belief.pricing import loose
from controller.game import Game
from controller.sensing.costs import STRADDLING

CAPTURE = "4k3/7r/8/8/8/7B/8/4K3 b - - 0 1"
PLAIN = "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"
HASTE = "4k3/7p/8/8/8/4B3/7P/4K3 w - - 0 1"
BEGUN = "rnbqkbnr/pp1ppppp/2p5/8/8/N4N2/PPPPPPPP/R1BQKB1R b KQkq - 1 2"
SENSES = pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])


@SENSES
@pytest.mark.parametrize("clock", [None, CLOCK])
@pytest.mark.parametrize("stays_ms", [150, 660, 1600])
@pytest.mark.parametrize(("first", "then"), [("h3", "h4"), ("h4", "h3")])
def test_who_takes_and_stands_on_two_squares_has_taken(
    first: str, then: str, stays_ms: int, clock: str | None, senses: c.Senses
) -> None:
    rook = seen("r", senses)
    landed = f"500 lift h7; 2160 lift h3; 2299 place {first} {rook}; 2340 place {then} {rook}"
    log = f"{landed}; {2340 + stays_ms} lift h4; {3200 + stays_ms} press black"
    events = play(
        f"{log}; 6000 lift e1; 6500 place e2 {seen('K', senses)}; 7200 press white", CAPTURE, senses=senses, clock=clock
    )
    assert record(events) == ["h7h3", "e1e2"]
    assert not accusations(events)


@SENSES
@pytest.mark.parametrize("stays_ms", [150, 660, 1600])
@pytest.mark.parametrize("chatters", ["", "6500 lift d3; 6510 place d3 {pawn};"])
def test_so_has_who_moves(chatters: str, stays_ms: int, senses: c.Senses) -> None:
    """Also where the contact of the one square chatters."""
    pawn = seen("P", senses)
    landed = f"500 lift d2; 6454 place d3 {pawn}; 6491 place e2 {pawn}; {chatters.format(pawn=pawn)}"
    events = play(
        f"{landed} {6520 + stays_ms} lift e2; 9000 lift e8; 9500 place e7 {seen('k', senses)}", PLAIN, senses=senses
    )
    assert record(events) == ["d2d3", "e8e7"]
    assert not accusations(events)


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_a_piece_of_the_opponents_knocked_over_by_the_same_hand_makes_no_other_move_of_it(senses: c.Senses) -> None:
    """The knight cannot take e7: that it was off and stands again binds nobody."""
    knight = seen("N", senses)
    knocked = f"1000 lift g1; 1500 lift e7; 2200 place e7 {seen('p', senses)}"
    log = f"{knocked}; 2600 place f3 {knight}; 2610 place g3 {knight}; 4100 lift g3; 5500 press white"
    events = play(log, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["g1f3"], [])


def test_so_it_is_where_the_move_before_stood_on_two_squares_as_well() -> None:
    black = "1166 lift g7; 2670 place g5 b; 2679 place h5 b; 4547 lift h5"
    white = "7039 lift c2; 8386 place c3 w; 8404 place c4 w; 10092 lift c4"
    events = play(f"{black}; {white}; 12000 lift f7; 12600 place f5 b", BEGUN, senses="colour")
    assert (record(events), accusations(events)) == (["g7g5", "c2c3", "f7f5"], [])


@pytest.mark.parametrize("laws", ["fide-2014", "fide-2018"])
def test_a_reply_seen_on_two_squares_while_the_clock_is_pressed_is_the_opponents(laws: str) -> None:
    """White has knocked h7 on the way, which his pawn cannot take; Black slides his pawn to e6 as White presses."""
    moved = "1000 lift e2; 1500 lift h7; 2100 place h7; 2600 place e4; 2800 place e6; 2850 press white"
    events = play(f"{moved}; 2890 lift e7; 3600 press black", clock=CLOCK, laws=laws)
    assert (record(events), accusations(events)) == (["e2e4", "e7e6"], [])


@pytest.mark.parametrize("senses", ["colour", "identity"])
@pytest.mark.parametrize("clock", [None, CLOCK])
def test_so_it_is_in_haste_where_the_piece_left_its_square_just_before(clock: str | None, senses: c.Senses) -> None:
    bishop = seen("B", senses)
    log = f"1000 lift e3; 1032 place b6 {bishop}; 1035 place a6 {bishop}; 1970 lift a6; 2500 press white"
    events = play(f"{log}; 4000 lift e8; 4500 place f8 {seen('k', senses)}", HASTE, senses=senses, clock=clock)
    assert (record(events), accusations(events)) == (["e3b6", "e8f8"], [])


@pytest.mark.parametrize("side", ["", " side=white"])
def test_where_hands_are_known_it_is_no_second_piece_of_that_players_either(side: str) -> None:
    """While it stands on both it is as likely as where nobody knows whose hand it was."""
    game = Game(session(PLAIN, senses="identity", clock=CLOCK))
    for item in inputs(f"500 lift d2{side}; 1400 place d3 P{side}; 1406 place e3 P{side}; 2000 time"):
        game.handle(item)
    on_two = [loose(state, state.now) for state in game._belief.states if state.made]
    assert on_two == [STRADDLING]


@SENSES
@pytest.mark.parametrize(("first", "then"), [("c6", "b6"), ("b6", "c6")])
def test_who_takes_in_passing_and_stands_on_two_squares_has_released_nothing_yet(
    first: str, then: str, senses: c.Senses
) -> None:
    pawn = seen("P", senses)
    landed = f"1000 lift d5; 1310 place {first} {pawn}; 1311 place {then} {pawn}; 1749 lift b6; 2337 lift c5"
    log = f"{landed}; 2756 press white; 5030 lift e8; 5507 place d8 {seen('k', senses)}; 5935 press black"
    events = play(log, "4k3/8/8/2pPp3/8/3P4/8/4K3 w - c6 0 1", senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["d5c6", "e8d8"], [])


def test_a_piece_that_stood_on_two_squares_has_set_down_nothing_for_the_other_player() -> None:
    """It was on b8, too, where White's pawn may promote: he takes on a8 instead."""
    taken = "1000 lift b6; 1508 lift c8; 2008 place c8; 2015 place b8; 2981 lift b8; 3222 press black"
    log = f"{taken}; 4035 lift a8; 4496 lift b7; 4766 place a8; 5454 lift a8; 6177 place a8; 6953 press white"
    events = play(log, "n1Q5/PP1k4/1n6/8/8/8/4K3/5N1q b - - 0 4", clock=CLOCK)
    assert (record(events), accusations(events)) == (["b6c8", "b7a8q"], [])


@pytest.mark.parametrize("beside", ["d5", "f5"])
def test_who_slid_over_the_square_beside_and_stands_against_the_rules_is_told_of(beside: str) -> None:
    log = f"1000 lift e2; 1440 place {beside}; 1500 place e5; 1600 lift {beside}; 9000 time"
    assert [said.kind for said in only(c.Illegal, play(log, clock=CLOCK))] == ["illegal-move"]


def test_king_and_rook_set_down_at_once_where_castling_is_illegal_stand_on_no_edge() -> None:
    """Two pieces are off, so it is not one that two squares see."""
    castled = "1000 lift e1; 1050 lift h1; 2000 place g1; 2010 place f1; 9000 time"
    events = play(castled, "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events)] == ["illegal-move"]


@pytest.mark.parametrize("apart_ms", [110, 340])
def test_where_colours_are_seen_the_second_square_may_close_a_while_later(apart_ms: int) -> None:
    """There is one white king only, and one piece was lifted."""
    log = f"1000 lift e1; 1900 place d3 K; {1900 + apart_ms} place d2 K; 3500 lift d3; 4000 press white"
    events = play(log, "4k3/p7/8/8/8/8/8/4K3 w - - 0 1", senses="identity", clock=CLOCK)
    assert (record(events), accusations(events)) == (["e1d2"], [])
