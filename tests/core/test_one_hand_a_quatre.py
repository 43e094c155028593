"""Blitz à quatre: what one hand does in several edges is one move, in whatever order and over whatever squares the
board shows it, and though a stock would explain the same as moves of two players."""

import pytest
from shorthand import seen
from two_boards import START, Played

from controller import contract as c

PAWN = "4k3/8/8/8/8/8/3P4/4K3[{}] w - - 0 1"
KNIGHT = "4k3/p2p4/1p6/3pp3/4P3/2N5/8/4K3[p] w - - 0 1"


@pytest.mark.parametrize("stock", ["", "P", "p", "Pp"])
@pytest.mark.parametrize("left", [1030, 1109, 1170, 1240])
@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_piece_may_be_seen_to_arrive_a_whole_look_before_it_is_seen_to_leave(
    senses: c.Senses, left: int, stock: str
) -> None:
    """Nobody replies within a quarter of a second: so it is no drop, and no touch of the opponent's."""
    log = f"1000 A place d3 {seen('P', senses)}; {left} A lift d2; 1500 A press white; 9000 A time"
    match = Played(log, a=PAWN.format(stock), senses=senses)
    assert [(done.uci, done.ms) for done in match.all(c.Completed)] == [("d2d3", 1500)]
    assert not match.accusations


def test_who_has_named_a_piece_of_his_stock_has_dropped_it() -> None:
    """The bishop takes the knight, which might have gone where the pawn stands, and takes it up first."""
    taken = "1194 A lift b1; 1318 A lift a2; 1434 A place b1"
    log = f"900 A choose white p; 1000 A place d2; {taken}"
    match = Played(log, a="4k3/8/8/8/8/8/b7/1N2K3[P] w - - 0 1", clock=None)
    assert match.moves("A") == ["P@d2", "a2b1"]


@pytest.mark.parametrize("stock", ["", "P", "p", "Pp"])
@pytest.mark.parametrize("on", [1100, 1235, 1400])
@pytest.mark.parametrize("overlap", [-30, 5, 40])
def test_a_piece_slid_over_a_square_is_not_replied_to_by_a_drop_where_it_goes_on_to(
    overlap: int, on: int, stock: str
) -> None:
    """It has not stood on d3 for a release, and nobody has pressed."""
    slid = sorted([(on, "place d4"), (on + overlap, "lift d3")])
    log = "; ".join(f"{ms} A {what}" for ms, what in [(1000, "lift d2"), (1040, "place d3"), *slid])
    match = Played(f"{log}; 1700 A press white; 9000 A time", a=PAWN.format(stock))
    assert [(done.uci, done.ms) for done in match.all(c.Completed)] == [("d2d4", 1700)]
    assert match.moves("A") == ["d2d4"]


@pytest.mark.parametrize("left", [1360, 1375])
def test_nor_is_a_dropped_piece_that_is_slid_on_to_the_square_beside(left: int) -> None:
    log = f"1000 A choose white n; 1200 A place d4; 1360 A place c4; {left} A lift d4; 1700 A press white; 9000 A time"
    match = Played(log, a=PAWN.format("Np"))
    assert [(done.uci, done.ms) for done in match.all(c.Completed)] == [("N@c4", 1700)]
    assert match.moves("A") == ["N@c4"]


@pytest.mark.parametrize(("pressed", "reply"), [("", 1250), ("; 1300 A press white", 1700)])
def test_a_drop_elsewhere_is_a_reply_at_once(pressed: str, reply: int) -> None:
    match = Played(f"1000 A lift d2; 1040 A place d3{pressed}; {reply} A place h5; 2000 A time", a=PAWN.format("p"))
    assert match.moves("A") == ["d2d3", "P@h5"]


def test_who_puts_right_what_he_set_down_against_the_rules_has_moved_when_he_presses() -> None:
    """The knight stands on c5 for a second. Nobody has taken on d5, dropped a pawn on c5 and put it on b5, all before
    White's press."""
    log = "1000 A lift c3; 1300 A place c5; 2300 A lift c5; 2600 A place b5; 3300 A press white"
    match = Played(f"{log}; 9000 A lift d7; 9300 A place d6; 9800 A press black", a=KNIGHT)
    assert [(move.uci, move.ms) for move in match.all(c.Move)] == [("c3b5", 3300), ("d7d6", 9700)]
    assert not [each for each in match.all(c.Illegal) if each.ms > 3300 or each.completed]


def test_who_has_named_what_his_pawn_becomes_has_not_dropped_another_piece_meanwhile() -> None:
    """The pawn stands on e4 for a second, and then on its last rank."""
    log = "1000 A choose black n; 1100 A lift b2; 1400 A place e4 b; 2400 A lift e4; 2900 A place b1 b"
    match = Played(f"{log}; 4000 A press black", a="4k3/8/8/8/7p/8/1p6/6K1[p] b - - 0 30", senses="colour")
    assert [(move.uci, move.ms) for move in match.all(c.Move)] == [("b2b1n", 3300)]


def test_a_move_long_completed_is_no_drop_though_a_piece_stands_where_it_came_from() -> None:
    """White puts another pawn on d2, and then on e4. He has not held his d-pawn while he pressed, and Black moved."""
    log = "1000 A lift d2; 1100 A place d3 P; 1400 A press white; 2000 A lift g7; 2060 A place g6 p; 2200 A press black"
    slip = "2400 A lift e2; 2500 A place d2 P; 3700 A lift d2; 3800 A place e4 P; 3900 A press white"
    match = Played(f"{log}; {slip}", a="4k3/6p1/8/8/8/8/3PP3/4K3[P] w - - 0 1", senses="identity")
    assert [(move.uci, move.ms) for move in match.all(c.Move)] == [("d2d3", 1400), ("g7g6", 2200), ("e2e4", 3900)]
    assert not match.all(c.Retract)


def test_a_piece_that_leaves_well_after_it_is_seen_where_it_goes_is_not_dropped_there() -> None:
    """Else White would have had it in his hand while he pressed, and ever since."""
    log = "1000 A place f3 N; 1390 A lift g1; 2900 A press white; 6000 A lift e7; 6500 A place e6 p; 7500 A press black"
    match = Played(log, a=START.replace("[]", "[Nn]"), senses="identity")
    assert match.moves("A") == ["g1f3", "e7e6"]


def test_a_square_that_a_piece_taps_before_it_takes_unseen_is_touched_by_no_piece_of_the_opponents_stock() -> None:
    tapped = "1000 A lift d3; 2200 A place f1; 2345 A lift f1; 3287 A press white; 7358 A lift g7; 8265 A place g5"
    log = f"{tapped}; 8677 A press black; 10300 A lift f5; 11500 A place e4; 12000 A press white"
    match = Played(log, a="4k3/6p1/8/5p2/8/3B4/8/4K3[q] w - - 0 1")
    assert match.moves("A") == ["d3f5", "g7g5", "f5e4"]
    assert not match.all(c.Violation)
