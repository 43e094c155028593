"""Who takes pushes his victim off its square, to the one beside, and takes it off from there: on a board that sees no
kinds that is a capture as soon as it is off, whether anything follows or not.
"""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen
from two_boards import Played

from controller import contract as c

OPENED = "1000 lift e2; 2000 place e4; {white} 4000 lift d7; 5000 place d5; {black}"
PUSHED = "7000 lift e4; 7600 lift d5; 7650 place d6; 7700 place d5; 7900 lift d6"


def opened(clock: str | None) -> str:
    return (
        OPENED.format(white="2500 press white;", black="5500 press black;")
        if clock
        else OPENED.format(white="", black="")
    )


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_it_is_taken_once_it_is_off_though_nothing_follows(clock: str | None) -> None:
    events = play(f"{opened(clock)} {PUSHED}; 20000 time", clock=clock)
    assert (record(events), accusations(events)) == (["e2e4", "d7d5", "e4d5"], [])
    assert only(c.Move, events)[-1].ms == 7900 + 400, "when that has stood for as long as a release takes"


def test_the_reply_is_the_reply() -> None:
    events = play(f"{opened(None)} {PUSHED}; 11000 lift g8; 12000 place f6", clock=None)
    assert (record(events), accusations(events)) == (["e2e4", "d7d5", "e4d5", "g8f6"], [])
    assert [each.side for each in only(c.Touch, events) if each.square == "g8"] == ["black"]


def test_a_piece_that_may_go_to_the_square_beside_has_not_taken_by_passing_over_it() -> None:
    """The queen is set down on d6 while d5 is knocked and put back, and goes on to b4."""
    log = "1000 lift b6; 1500 lift d5; 1550 place d6; 1600 place d5; 1800 lift d6; 2200 place b4; 3000 press white"
    events = play(log, "4k3/8/1Q6/3p4/8/8/8/4K3 w - - 0 1", clock=CLOCK)
    assert record(events) == ["b6b4"]


UNSEEN = "3q4/4r3/4N3/3k2r1/6q1/8/5K2/8 w - - 13 62"
"""The knight takes on g5, which is never seen empty, and whom it takes stands on a square beside for a while."""


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_his_own_square_need_not_have_been_seen_empty(clock: str | None) -> None:
    log = "1051 lift e6; 1291 place g6; 2256 lift g6"
    events = play(f"{log}; 4373 press white" if clock else f"{log}; 5000 lift e7; 5600 place e2", UNSEEN, clock=clock)
    assert (record(events)[0], accusations(events)) == ("e6g5", [])


def test_also_where_the_hand_is_known_that_pushed_him() -> None:
    log = "940 lift f4 side=black; 1165 place f2 side=black; 1975 lift f2 side=black; 2549 press black"
    board = "1r2kbnr/pQ2p1p1/n2p3p/2p5/P1PN1q2/5P2/1P2B2P/R3K1Nb b k - 1 20"
    events = play(log, board, clock=CLOCK)
    assert (record(events), accusations(events)) == (["f4f3"], [])


@pytest.mark.parametrize(
    ("pawn", "log", "told"),
    [
        ("/7p", "3500 time", 2900 + 1000),
        ("/7p", "2600 press white", 2600),
        ("/8", "3500 time", 2900),  # with the last pawn taken the game would be over
    ],
)
def test_who_leaves_him_there_has_moved_where_he_may_not(pawn: str, log: str, told: int) -> None:
    """The king on e2 might be the pawn from d3, pushed there as he takes: not for long, nor with the clock pressed."""
    events = play(f"1000 lift d2; 2500 place e2; {log}", f"4k3{pawn}/8/8/8/3p4/3K4/7B w - - 0 1", clock=CLOCK)
    assert only(c.Illegal, events)[0].ms == told


def test_a_contact_that_bounces_under_him_is_no_reply() -> None:
    """The pawn takes f2, whose pawn is knocked to e2 and picked up from there; its contact opens twice for 36 ms. So
    nobody has moved to e2."""
    bounces = "2682 place e2; 2773 place f2; 2792 lift f2; 2828 place f2; 2883 lift f2; 2920 place f2; 3305 lift e2"
    fen = "rnbqk1n1/pp3pp1/4p3/3pP2r/2B4P/P1P1p3/2P2PP1/2KR2NR b q - 0 12"
    events = play(f"2151 lift e3; 2627 lift f2; {bounces}; 6000 lift d1; 6600 place d2", fen)
    assert record(events) == ["e3f2", "d1d2"]
    assert not accusations(events)


def test_who_presses_with_the_piece_in_hand_that_was_pushed_there_has_not_moved_it_there() -> None:
    """gxf6: who stood on f6 is knocked to g6, where the pawn might go as well, and is off the board at the press."""
    fen = "4k3/pp1p2p1/5P1P/P7/1P6/5K2/7P/5n2 b - - 0 9"
    takes = "1000 lift g7; 1550 lift f6; 1650 place f6; 1825 place g6; 2975 lift g6; 3575 press black; "
    reply = "8175 lift f3; 8775 place f2; 9375 press white; "
    goes_on = "13975 lift f1; 14575 lift h2; 15175 place h2; 15775 press black"
    events = play(takes + reply + goes_on, fen, clock=CLOCK)
    assert record(events) == ["g7f6", "f3f2", "f1h2"]
    assert [said.uci for said in only(c.Retract, events)] == ["g7g6"], "once"
    assert not accusations(events)


def test_who_is_pushed_aside_as_quickly_as_a_board_shakes_is_taken_all_the_same() -> None:
    """The pawn that takes him was in the hand before he left his square."""
    taken = "7000 lift e4; 7270 lift d5; 7320 place e5; 7329 place d5; 7451 lift e5; 7564 press white"
    events = play(f"{opened(CLOCK)} {taken}; 9000 lift g8; 9500 place f6; 10500 press black", clock=CLOCK)
    assert (record(events), accusations(events)) == (["e2e4", "d7d5", "e4d5", "g8f6"], [])


def test_what_is_set_down_beside_it_long_afterwards_was_not_pushed_there() -> None:
    """A knight was touched and is owed; seconds later the pawn goes straight on, and becomes what was named."""
    log = "1000 lift b8; 3000 place b8; 8000 lift a7; 8200 choose white q; 8700 place a8"
    events = play(log, "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert record(events) == ["a7a8q"]
    assert [said.kind for said in only(c.Violation, events)] == ["touch-move"]


@pytest.mark.parametrize("clock", ["180", None])
@pytest.mark.parametrize("stock", ["", "p"])
@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_in_a_match_what_is_pushed_off_its_square_is_not_dropped_there(
    senses: c.Senses, stock: str, clock: str | None
) -> None:
    white, black, king = (seen(piece, senses) for piece in "Ppk")
    pushed = f"1000 A lift b4; 1835 A lift c5; 1856 A place c5 {white}; 1868 A place d4 {black}; 2464 A lift d4"
    log = f"{pushed}; 3000 A press white; 6000 A lift e8; 6800 A place d7 {king}; 7300 A press black"
    match = Played(log, a=f"4k3/8/8/2p5/1P6/8/8/4K3[{stock}] w - - 0 1", senses=senses, clock=clock)
    assert match.moves("A") == ["b4c5", "e8d7"]
    assert not accusations(match.events)
