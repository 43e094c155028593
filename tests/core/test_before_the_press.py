"""Between a move and its press the opponent may reply, and the hand that has moved may touch what it leaves: nobody is
accused of what either may have done as well.
"""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

SENSES = pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
KNIGHT_TAKEN = "2b1k3/p1ppq1pp/1r6/8/4N1P1/4P2P/PP6/R1B2KR1 w - - 1 26"
SCANDINAVIAN = "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


# -- the reply --------------------------------------------------------------------------------------------------------


@SENSES
@pytest.mark.parametrize("knocked", ["", "1500 lift c8; 2300 place c8 {bishop};"])
@pytest.mark.parametrize("lifted_ms", [2960, 3250])
def test_who_is_taken_up_before_the_press_is_about_to_be_taken(lifted_ms: int, knocked: str, senses: c.Senses) -> None:
    """White's knight goes to f6; Black takes it up, White presses, and Black takes with his queen at leisure."""
    moved = f"1000 lift e4; {knocked.format(bishop=seen('b', senses))} 2900 place f6 {seen('N', senses)}"
    taken = f"{lifted_ms} lift f6; 3700 press white; 4300 lift e7; 5200 place f6 {seen('q', senses)}; 5500 press black"
    events = play(f"{moved}; {taken}", KNIGHT_TAKEN, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e4f6", "e7f6"], [])


@pytest.mark.parametrize("by", ["", " side=black"])
def test_so_is_another_than_the_piece_that_moved(by: str) -> None:
    """The rook moves; Black takes up the pawn g5 before the press, and takes it with the bishop ten seconds later."""
    log = (
        f"1981 lift e1; 3959 place e2; 4301 lift g5{by}; 4699 press white;"
        f"15260 lift c1{by}; 16293 place g5{by}; 16674 press black"
    )
    events = play(log, "2k5/n1p5/5p2/6Pn/8/N7/8/2b1R1KR w - - 1 30", clock=CLOCK)
    assert (record(events), accusations(events)) == (["e1e2", "c1g5"], [])


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
def test_a_known_hand_that_takes_up_who_has_just_landed_releases_him(senses: c.Senses) -> None:
    """And so has the move: what it takes up next is not out of turn."""
    log = (
        f"1000 lift d2 side=white; 2000 place d4 {seen('P', senses)} side=white; 2060 lift d4 side=black;"
        f"2070 lift e5 side=black; 2100 press white; 3900 place d4 {seen('p', senses)} side=black; 4700 press black"
    )
    events = play(log, "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2", senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["d2d4", "e5d4"], [])


def test_a_piece_tapped_on_its_square_was_in_the_hand_of_who_moved_it() -> None:
    """White taps d4 before he lets go there; Black's pawn is seen on d6 before it is seen to leave d7."""
    opened = "1000 lift e2; 1900 place e4; 2000 press white; 3000 lift e7; 3900 place e5; 4000 press black"
    tapped = "5000 lift d2; 5600 place d4; 5800 lift d4; 6700 place d4"
    log = f"{opened}; {tapped}; 6840 place d6; 6900 press white; 6920 lift d7; 7900 press black"
    events = play(log, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e2e4", "e7e5", "d2d4", "d7d6"], [])


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_a_reply_of_which_both_squares_change_in_one_scan_is_a_reply(senses: c.Senses) -> None:
    """Without a clock, a move every fifth of a second: the king is seen on d7 and off e8 at once."""
    rook, king, bishop = seen("R", senses), seen("k", senses), seen("B", senses)
    log = (
        f"1131 lift d1; 1271 place c1 {seen('r', senses)}; 1451 place h8 {rook}; 1471 lift h1; 1651 place d7 {king};"
        f"1651 lift e8; 1811 lift b4; 1931 place a3 {bishop}"
    )
    events = play(log, "q3k3/8/8/8/1B6/4K3/8/3r3R b - - 3 5", senses=senses)
    assert (record(events), accusations(events)) == (["d1c1", "h1h8", "e8d7", "b4a3"], [])


# -- the hand that leaves ---------------------------------------------------------------------------------------------


@SENSES
@pytest.mark.parametrize("touched", ["e4 P", "d8 q"])
def test_what_is_touched_before_the_press_may_have_been_by_the_hand_that_leaves(touched: str, senses: c.Senses) -> None:
    """White puts his pawn in the middle of its square, or knocks over the queen and sets it up, and presses."""
    square, piece = touched.split()
    centred = f"3000 lift {square}; 3300 place {square} {seen(piece, senses)}; 3700 press white"
    moved = f"1000 lift e2; 2000 place e4 {seen('P', senses)}; {centred}"
    events = play(
        f"{moved}; 6000 lift g8; 7000 place f6 {seen('n', senses)}; 7700 press black",
        SCANDINAVIAN,
        senses=senses,
        clock=CLOCK,
    )
    assert (record(events), accusations(events)) == (["e2e4", "g8f6"], [])


@SENSES
def test_what_is_touched_after_the_press_is_touched_by_the_player_having_the_move(senses: c.Senses) -> None:
    moved = f"1000 lift e2; 2000 place e4 {seen('P', senses)}; 2700 press white"
    touched = f"3000 lift d8; 3300 place d8 {seen('q', senses)}"
    log = f"{moved}; {touched}; 6000 lift g8; 7000 place f6 {seen('n', senses)}; 7700 press black"
    (said,) = only(c.Violation, play(log, SCANDINAVIAN, senses=senses, clock=CLOCK))
    assert (said.kind, said.side) == ("touch-move", "black")


def test_a_reply_that_is_whole_before_a_late_press_is_a_reply() -> None:
    """The new queen has stood for less than a release takes when Black lifts her; he takes, and White presses then."""
    white = "1000 lift a7; 1800 lift b8; 2600 place b8 Q"
    log = f"{white}; 2960 lift b8; 3400 lift c6; 4800 place b8 n; 4900 press white; 6000 press black"
    events = play(log, "1n4k1/P7/2n5/8/8/8/7P/6K1 w - - 0 1", senses="identity", clock=CLOCK)
    assert (record(events), accusations(events)) == (["a7b8q", "c6b8"], [])
