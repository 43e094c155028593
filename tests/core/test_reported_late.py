"""A board reports a move shortly after its player has pressed: in the first moves nothing tells yet that it is slow.
What nobody will ever find out holds up nothing of what is played after it."""

import pytest
from shorthand import CLOCK, accusations, only, play, record

from controller import contract as c

FIRST = """
    14201 lift f2; 14745 press white; 14801 place f3 {P}; 18801 lift g8; 19684 press black; 19801 place h6 {n};
    25003 lift g2; 25504 place g4 {P}; 25911 press white
"""
LATER = """
    2825 lift e2; 3168 press white; 3225 place e4; 6825 lift e7; 7180 press black; 7225 place e5; 11225 lift f1;
    11715 press white; 11825 place c4; 13425 lift f7; 13786 press black; 13825 place f6; 15625 lift h2; 16025 place h4;
    16155 press white; 19225 lift b7; 19625 place b5; 19664 press black
"""


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
def test_two_moves_reported_after_their_presses_are_told_once_they_are(senses: str) -> None:
    pieces = {"P": "P", "n": "n"} if senses == "identity" else {"P": "", "n": ""}
    events = play(FIRST.format(**pieces), clock=CLOCK, senses=senses)
    assert (record(events), accusations(events)) == (["f2f3", "g8h6", "g2g4"], [])
    told = [event.ms for event in only(c.Move, events)]
    assert all(ms < reported + 1000 for ms, reported in zip(told, (14801, 19801, 25911), strict=True))


def test_whether_somebody_pressed_too_early_twenty_seconds_ago_holds_up_no_move() -> None:
    events = play(LATER, clock="900+10")
    assert (record(events), accusations(events)) == (["e2e4", "e7e5", "f1c4", "f7f6", "h2h4", "b7b5"], [])
    last = only(c.Move, events)[-1]
    assert (last.uci, last.ms) == ("b7b5", 19664)


@pytest.mark.parametrize(("late_ms", "kinds"), [(56, []), (166, []), (380, []), (470, ["no-move"])])
def test_a_press_before_the_board_has_had_time_to_report_accuses_nobody(late_ms: int, kinds: list[str]) -> None:
    log = f"4840 lift g2; 5474 press white; {5474 + late_ms} place g3; 9000 lift e7; 9600 place e5; 10200 press black"
    events = play(log, clock=CLOCK)
    assert [each.kind for each in only(c.Illegal, events)] == kinds
    assert record(events) == ["g2g3", "e7e5"]


@pytest.mark.parametrize(
    ("fen", "log", "moves"),
    [
        ("4k3/8/8/R7/8/8/8/4K3 w - - 0 1", "1000 place h5 R; 1500 lift a5", "a5h5 e8e7"),
        ("4k3/8/8/R7/8/8/8/4K2R w - - 0 1", "1000 place h5 R; 1500 lift a5", "a5h5 e8e7"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "1000 place d5 P; 1450 lift e4", "e4d5 e8e7"),
    ],
    ids=["moves", "of two that may have come the one whose square opened", "takes"],
)
def test_a_piece_that_is_seen_to_leave_well_after_it_came_has_moved(fen: str, log: str, moves: str) -> None:
    events = play(f"{log}; 6000 lift e8; 6500 place e7 k", fen, senses="identity")
    assert record(events) == moves.split()
    assert not [each for each in accusations(events) if not isinstance(each, c.Displaced)]


def test_nor_was_the_clock_pressed_without_a_move_then() -> None:
    events = play(
        "2000 place e4; 3000 press white; 3300 lift e2; 8000 lift e7; 8500 place e5; 9000 press black", clock=CLOCK
    )
    assert (record(events), accusations(events)) == (["e2e4", "e7e5"], [])
