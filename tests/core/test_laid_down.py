"""A captured piece that stands on the board for a while: its captor has set it down out of his way, or it has fallen
from his hand. It speaks for the capture, and against nobody (4.3.2, 4.7)."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

ATTACKED = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
SENSES = ["occupancy", "colour", "identity"]


def parked(square: str, senses: str, off_ms: int) -> str:
    """Black's pawn goes to d5 from beside the board; White sets it down elsewhere, and takes there."""
    black, white = seen("p", senses), seen("P", senses)
    log = f"1000 lift d7; 1500 place d5 {black}; 2000 press black; 3000 lift d5; 3400 place {square} {black}; "
    return log + f"3800 lift e4; 4400 place d5 {white}; {off_ms} lift {square}; 6000 press white; 9000 time"


START = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize(("square", "off_ms"), [("h4", 4900), ("b6", 4900), ("b6", 6900)])
def test_set_down_out_of_the_way_by_who_takes_it(square: str, off_ms: int, senses: c.Senses) -> None:
    events = play(parked(square, senses, off_ms), START, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["d7d5", "e4d5"], [])


@pytest.mark.parametrize("senses", SENSES)
def test_and_sooner_than_it_would_be_released_there(senses: c.Senses) -> None:
    """The capturing piece is taken up while the other one has not stood for as long as a release takes."""
    black, white = seen("p", senses), seen("P", senses)
    log = f"1000 lift d5; 1290 place b6 {black}; 1640 lift e4; 2000 place d5 {white}; 2500 lift b6; 3000 press white"
    events = play(f"{log}; 9000 time", ATTACKED, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e4d5"], [])


def test_where_it_could_have_gone_itself_if_what_takes_it_is_in_the_hand() -> None:
    log = "1000 lift h8; 1500 place c8 Q; 2000 press white; 3000 lift c8; 3400 place d4 Q; 3700 lift b8; "
    events = play(
        log + "4400 place c8 k; 4900 lift d4; 6000 press black", "1kr4Q/8/8/8/8/8/8/6K1 w - - 0 1", senses="identity"
    )
    assert (record(events), accusations(events)) == (["h8c8", "b8c8"], [])


def test_who_set_it_down_has_touched_it() -> None:
    """It binds him as any touch does: another move is a breach, and his."""
    log = (
        "1000 lift d5; 1400 place h4 p; 3000 lift h4; 3300 place d5 p; 4000 lift b1; 4500 place c3 N; 5000 press white"
    )
    events = play(log, ATTACKED, senses="identity", clock=CLOCK)
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("white", "touch-move")]


@pytest.mark.parametrize("senses", SENSES)
def test_whoever_takes_up_another_piece_has_not_set_it_down(senses: c.Senses) -> None:
    """So its owner has moved it, against the rules and out of turn: White, who plays his knight, need not take."""
    black, white = seen("p", senses), seen("N", senses)
    log = f"2600 lift d5; 3000 place d3 {black}; 9000 lift g1; 9500 place f3 {white}; 10000 press white; 20000 time"
    events = play(log, ATTACKED, senses=senses, clock=CLOCK)
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("black", "out-of-turn")]
    assert not [said for said in only(c.Illegal, events) if said.completed]
    assert record(events) == ["g1f3"]


@pytest.mark.parametrize("square", ["d4", "d6"])
def test_a_released_piece_that_went_where_it_could_go_was_moved_on_by_its_own_player(square: str) -> None:
    log = f"1000 lift d7; 1500 place d5 p; 2000 press black; 2600 lift d5; 3000 place {square} p; 9000 time"
    events = play(log, START, senses="identity", clock=CLOCK)
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("black", "released-move")]


def test_or_anywhere_if_his_hand_was_seen() -> None:
    log = "1000 lift d5 side=black; 1400 place h4 p side=black; 9000 time"
    events = play(log, ATTACKED, senses="identity", clock=CLOCK)
    assert {said.side for said in only(c.Violation, events)} == {"black"}


UNSEEN = "1000 lift e4; 1600 press white; "


@pytest.mark.parametrize("square", ["g6", "a6"])
def test_fallen_after_a_capture_that_nothing_showed_it_bears_that_out(square: str) -> None:
    """It did not come from the hand that pressed, which had set its piece down."""
    log = (
        UNSEEN + f"2200 place {square}; 2900 lift {square}; 5000 lift d8; 5200 lift d5; 5600 place d5; 6100 press black"
    )
    events = play(log, ATTACKED, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e4d5", "d8d5"], [])
    assert not only(c.Retract, events)
    assert only(c.Displaced, events)[0].squares == [square]


def test_back_on_its_own_square_a_piece_was_in_the_hand() -> None:
    events = play(UNSEEN + "4000 place e4", ATTACKED, clock=CLOCK)
    assert (record(events), [said.kind for said in only(c.Illegal, events)]) == ([], ["no-move"])


@pytest.mark.parametrize("senses", SENSES)
def test_fallen_as_the_other_takes_up_the_piece_of_his_reply(senses: c.Senses) -> None:
    white, black = seen("P", senses), seen("p", senses)
    log = f"1000 lift g4; 1500 lift h3; 2200 place g4 {white}; 2700 press white; 3070 place g5 {black}; 3230 lift h5; "
    log += f"3310 lift g4; 3470 place g4 {black}; 3810 press black; 4310 lift g5; 9000 time"
    events = play(log, "6k1/8/8/7p/6p1/7P/8/6K1 w - - 0 1", senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["h3g4", "h5g4"], [])


def test_fallen_as_the_king_takes_back() -> None:
    log = "1000 lift d8; 1200 lift d1; 1600 place d8; 1800 press white; 2120 lift e8; 2200 lift d8; 2340 place c3; "
    events = play(
        log + "2380 place d8; 2460 press black; 3000 lift c3; 9000 time",
        "3qk3/ppp1pppp/8/8/8/8/PPP1PPPP/3QK3 w - - 0 1",
        clock=CLOCK,
    )
    assert (record(events), accusations(events)) == (["d1d8", "e8d8"], [])


def test_what_is_set_down_before_the_press_is_the_piece_in_the_hand() -> None:
    """Though it might have captured unseen, and what it had captured have fallen."""
    events = play("1000 lift e4; 1500 place g6; 2500 press white; 9000 time", ATTACKED, clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events) if said.completed] == ["illegal-move"]
    assert record(events) == []
