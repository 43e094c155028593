"""The clock pressed with a piece in the hand: no move was made by that (6.2, 7.5.3), whatever comes of the piece; and
nobody else is held to what that hand does afterwards."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

KNIGHTS = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4"
ROOK = "4k2N/8/2P5/1p3K2/8/8/7r/8 b - - 0 15"
EXCHANGE = "rnbqkbnr/ppp1pppp/8/3p4/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 2"
LAWS = [("fide-2014", "clock-misuse"), ("fide-2023", "no-move")]
SENSES = ["occupancy", "colour", "identity"]

BOTH_UP = "870 lift f3; 1740 lift e5; 2610 press white"


def said(events: list[c.AnyEvent]) -> list[tuple[str, str]]:
    return [(each.side, each.kind) for each in events if isinstance(each, c.Illegal | c.Violation)]


@pytest.mark.parametrize(("laws", "kind"), LAWS)
def test_where_nothing_could_be_taken_no_move_is_thought_of(laws: c.Edition, kind: str) -> None:
    events = play("870 lift a1; 1740 press white", "4k3/8/8/8/8/8/7p/R3K2N w - - 0 1", clock=CLOCK, laws=laws)
    assert (record(events), said(events)) == ([], [("white", kind)])


@pytest.mark.parametrize(("laws", "kind"), LAWS)
def test_put_back_it_has_taken_nobody(laws: c.Edition, kind: str) -> None:
    """A capture that nothing shows is likelier until the piece is home again."""
    events = play("870 lift f3; 1740 press white; 4740 place f3", KNIGHTS, clock=CLOCK, laws=laws)
    assert (record(events), said(events)) == ([], [("white", kind)])


@pytest.mark.parametrize("senses", ["colour", "identity"])
@pytest.mark.parametrize(("laws", "kind"), LAWS)
def test_the_capture_made_after_it_is_made_then(senses: c.Senses, laws: c.Edition, kind: str) -> None:
    log = f"{BOTH_UP}; 4610 place e5 {seen('N', senses)}"
    events = play(log, KNIGHTS, senses=senses, clock=CLOCK, laws=laws)
    assert (record(events), said(events)) == (["f3e5"], [("white", kind)])


@pytest.mark.parametrize("senses", SENSES)
def test_both_put_back_in_turn(senses: c.Senses) -> None:
    log = f"{BOTH_UP}; 4610 place f3 {seen('N', senses)}; 5480 place e5 {seen('p', senses)}"
    events = play(log, KNIGHTS, senses=senses, clock=CLOCK, laws="fide-2018")
    assert (record(events), said(events)) == ([], [("white", "no-move")])


def test_the_enemys_piece_put_back_first_was_not_taken() -> None:
    """It looks as if the rook had taken there, until the rook is home again: that is no piece moved on."""
    log = "276 lift h8; 775 lift h2; 1570 press black; 3654 place h8; 4359 place h2"
    events = play(log, ROOK, clock=CLOCK, laws="fide-2018")
    assert (record(events), said(events)) == ([], [("black", "no-move")])


def test_the_piece_set_down_where_it_may_not_go_came_from_that_hand() -> None:
    """It owed the capture; no sensor is disbelieved for its sake, and nothing is played by a square that was empty."""
    log = f"{BOTH_UP}; 4610 place g5 N; 5480 place e5 p"
    events = play(log, KNIGHTS, senses="identity", clock=CLOCK, laws="fide-2023")
    assert (record(events), said(events)) == ([], [("white", "no-move")])
    assert not [each for each in events if isinstance(each, c.Disbelieved)]


@pytest.mark.parametrize("laws", ["fide-2014", "fide-2023"])
def test_the_opponent_has_touched_nothing(laws: c.Edition) -> None:
    """What was taken up before the press is no piece of his hand's."""
    log = "870 lift c3; 1740 lift d5; 2610 press white; 4110 place d5; 5610 lift e7; 6250 place e6; 7120 press black"
    events = play(log, EXCHANGE, clock=CLOCK, laws=laws)
    assert not [each for each in accusations(events) if each.side == "black"]
    assert record(events) == ["c3d5", "e7e6"]


def test_of_two_stories_as_likely_neither_accuses() -> None:
    """White pressed with his knight in the hand, and took then; or black has touched the knight that had taken."""
    log = "870 lift c3; 1740 press white; 2440 lift d5; 3340 place d5; 4840 lift e7; 5480 place e6; 6350 press black"
    assert not accusations(play(log, EXCHANGE, clock=CLOCK, laws="fide-2023"))


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
def test_a_piece_that_lies_beside_the_board_since_before_his_turn_is_not_in_his_hand(senses: c.Senses) -> None:
    """e7 was taken off in White's turn; Black moves and presses all the same, and his move is completed then."""
    log = "1000 lift e7; 1600 lift e2; 2100 place e4 {P}; 3000 press white; 8000 lift b8; 8500 place c6 {n}"
    pieces = {"P": seen("P", senses), "n": seen("n", senses)}
    events = play(f"{log}; 9500 press black".format(**pieces), senses=senses, clock=CLOCK)
    assert [(done.uci, done.ms) for done in only(c.Completed, events)] == [("e2e4", 3000), ("b8c6", 9500)]
    assert not accusations(events)


@pytest.mark.parametrize("laws", ["fide-2018", "fide-2023"])
@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_what_is_set_down_when_the_opponent_holds_a_piece_already_is_no_doing_of_his(
    senses: c.Senses, laws: c.Edition
) -> None:
    """White presses with the knight in his hand, Black takes up his pawn, and then the knight is set down."""
    pressed = "1000 lift g1; 1600 press white; 3000 lift e7"
    late = f"4000 place f3 {seen('N', senses)}; 5000 place e5 {seen('p', senses)}; 5700 press black"
    then = f"7000 lift b1; 7500 place c3 {seen('N', senses)}; 8000 press white"
    events = play(f"{pressed}; {late}; {then}", senses=senses, clock=CLOCK, laws=laws)
    assert record(events) == ["g1f3", "e7e5", "b1c3"]
    assert [(each.side, each.kind) for each in only(c.Illegal, events)] == [("white", "no-move")]


@pytest.mark.parametrize(("laws", "kind"), LAWS)
def test_both_pieces_in_hand_have_not_changed_places_and_the_opponent_has_touched_neither(
    laws: c.Edition, kind: str
) -> None:
    log = "1500 lift e4; 1900 lift d5; 2500 press white; 7500 place d5"
    events = play(log, "4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", clock=CLOCK, laws=laws)
    assert said(events) == [("white", kind)]
    assert {touch.side for touch in only(c.Touch, events)} == {"white"}


def test_what_that_hand_had_taken_up_is_no_touch_of_the_opponents() -> None:
    log = """
        1000 lift e4; 1500 lift d5; 2500 press white; 3200 place d5; 5000 lift e8; 5500 place e7; 6000 press black
    """
    events = play(log, "4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", clock=CLOCK)
    assert record(events) == ["e4d5", "e8e7"]
    assert not [each for each in accusations(events) if each.side == "black"]
