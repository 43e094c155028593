"""Blitz à quatre: fast hands brush, drop and reply within a moment. What was done is what they meant, and nobody is
accused."""

import re

import pytest
from two_boards import Played

from controller import contract as c

KINGS = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"


def played(log: str, a: str, moves: list[str], b: str = KINGS, **session: object) -> Played:
    """A match in which these moves come out on board A, and nobody is accused."""
    match = Played(log, a=a, b=b, **session)  # type: ignore[arg-type]
    assert match.moves("A") == moves
    assert not match.accusations
    return match


@pytest.mark.parametrize("stock", ["", "P", "p", "Pp"])
@pytest.mark.parametrize("up", [1157, 1207, 1400])
def test_a_piece_brushed_before_another_moves_was_not_taken_by_it(stock: str, up: int) -> None:
    log = f"1000 A lift f1; 1057 A place f1; {up} A lift h1; 1800 A place h2; 2500 A press black; 5000 A time"
    played(log, f"4k3/8/8/8/8/8/P7/3K1B1q[{stock}] b - - 0 1", ["h1h2"])


@pytest.mark.parametrize("clock", ["180", None])
@pytest.mark.parametrize("lifted", [4060, 4130, 4250, 4390])
def test_who_is_dropped_may_be_taken_at_once_also_where_he_came_from_the_partner(
    lifted: int, clock: str | None
) -> None:
    log = (
        "1000 B lift d5; 1200 B lift e4; 1500 B place e4; 2000 B press black; 3000 A choose white p; 4000 A place f7;"
        f"{lifted} A lift f7; {lifted + 150} A lift e8; 4900 A place f7; 8000 A press white; 8100 A press black"
    )
    played(log, KINGS, ["P@f7", "e8f7"], "4k3/8/8/3p4/4P3/8/8/4K3[] b - - 0 1", clock=clock)


@pytest.mark.parametrize(("placed", "dropped"), [(2020, "P@d5"), (2400, "P@d5"), (2600, "Q@d5")])
@pytest.mark.parametrize("piece", ["Q", "R"])
def test_who_came_into_stock_just_now_has_yet_to_be_handed_over(piece: str, placed: int, dropped: str) -> None:
    """Without a button: who was there before was dropped, though the other is the likelier one."""
    taken = "1000 B lift d5; 1200 B lift e4; 1500 B place e4; 2000 B press black;"
    log = f"{taken} {placed} A place d5; 3400 A press white; 5000 A lift h7; 5500 A place h6"
    moves = [dropped.replace("Q", piece), "h7h6"]
    played(log, "4k3/7p/8/8/8/8/8/4K3[P] w - - 0 1", moves, f"4k3/8/8/3p4/4{piece}3/8/8/4K3[] b - - 0 1")


@pytest.mark.parametrize("dropped", [1750, 1890, 1910])
def test_who_has_named_a_piece_drops_it_where_the_taker_has_just_left(dropped: int) -> None:
    log = (
        f"1000 A lift a8; 1200 A lift a2; 1500 A place a8; 1600 A choose black n; {dropped} A place a2;"
        "5000 A lift e1; 5400 A place e2; 7000 A lift h7; 7300 A place h6"
    )
    played(log, "r7/7k/8/8/8/8/R7/4K3[n] w - - 0 1", ["a2a8", "N@a2", "e1e2", "h7h6"], clock=None)


@pytest.mark.parametrize("press", [1045, 1090, 1170])
@pytest.mark.parametrize(
    ("senses", "named", "pieces"), [("occupancy", "500 A choose white n; ", ("", "")), ("identity", "", ("N", "P"))]
)
def test_a_piece_brushed_across_the_press_is_no_part_of_the_move(
    senses: c.Senses, named: str, pieces: tuple[str, str], press: int
) -> None:
    back = f"{press + 60} A place a2 {pieces[1]}; 3000 A claim black illegal-move"
    log = f"{named}1000 A place d4 {pieces[0]}; 1030 A lift a2; {press} A press white; {back}"
    match = played(log, "4k3/8/8/8/8/8/P7/4K3[N] w - - 0 1", ["N@d4"], senses=senses)
    assert match.completed("A") == ["N@d4"]


@pytest.mark.parametrize("named", [1250, 1650, 1690, 1950])
def test_who_names_the_same_piece_once_more_means_the_next_drop(named: int) -> None:
    """The move before was named, and pressed; the opponent's has just been set down, or is on its way."""
    log = (
        "400 A choose white p; 500 A place h4; 700 A press white; 1000 A lift h7; 1500 A place h5;"
        f"{named} A choose white p; {named + 60} A place g6; 4000 A press black; 4060 A press white"
    )
    match = played(log, "4k3/7p/8/8/8/8/8/4K3[RPP] w - - 0 1", ["P@h4", "h7h5", "P@g6"])
    assert match.stock("A") == ("R", "")


@pytest.mark.parametrize("left", [2647, 2700, 2720])
def test_a_reply_that_is_seen_to_land_first_releases_what_stands(left: int) -> None:
    """The pawn was set down on a3 in passing."""
    log = (
        "2000 A lift a2; 2300 A place a3; 2352 A lift a3; 2400 A place a4;"
        f"2640 A place f6; {left} A lift g8; 4652 A press white; 4685 A press black"
    )
    played(log, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1", ["a2a4", "g8f6"])


def test_what_comes_into_stock_meanwhile_begins_no_release_anew() -> None:
    """Black's knight stands on e4 for 600 ms, and is then moved on (17)."""
    log = (
        "100 B lift e4; 300 B lift d5; 500 B place d5; 900 A choose black n; 1000 A place e4; 1300 B press white;"
        "1600 A lift e4; 1900 A place f5; 5000 A press black"
    )
    match = Played(log, a="4k3/8/8/8/8/8/8/4K3[n] b - - 0 1", b="4k3/8/8/3p4/4P3/8/8/4K3[] w - - 0 1")
    assert [(e.uci, e.ms) for e in match.all(c.Move, "A")] == [("N@e4", 1400)]
    assert [e.kind for e in match.all(c.Violation)] == ["released-move"]


@pytest.mark.parametrize("stock", ["", "N"])
def test_beside_a_brush_across_the_press_a_move_is_told_at_once(stock: str) -> None:
    log = "1000 A lift e2; 1300 A place e4; 1330 A lift a2; 1360 A press white; 1400 A place a2; 35000 A time"
    match = played(log, f"4k3/8/8/8/8/8/P3P3/4K3[{stock}] w - - 0 1", ["e2e4"])
    assert [e.ms for e in match.all(c.Completed)] == [1360]


@pytest.mark.parametrize(("clock", "pressed"), [("180", "; 1206 A press white"), (None, "")])
@pytest.mark.parametrize(("beside", "left"), [(1063, 1113), (1126, 1168)])
def test_who_is_set_down_on_an_edge_and_pushed_on_is_one_piece(
    beside: int, left: int, clock: str | None, pressed: str
) -> None:
    """The square beside closes before the first one opens: nobody has dropped anything there in reply."""
    log = f"500 A choose white p; 1000 A place h6; {beside} A place h5; {left} A lift h6{pressed}"
    played(log, "4k3/8/8/8/8/8/8/4K3[Pp] w - - 0 1", ["P@h5"], clock=clock)


def test_who_tips_over_on_to_the_square_beside_binds_nobody() -> None:
    log = "500 A choose white p; 1000 A place e7; 1042 A place d7; 1188 A lift d7; 1440 A press white;"
    taken = "1520 A lift d8; 1980 A lift e7; 2345 A place e7; 2670 A press black"
    played(log + taken, "3qk3/8/8/8/8/8/8/4K3[Pp] w - - 0 1", ["P@e7", "d8e7"])


@pytest.mark.parametrize("dropped", [1150, 1200])
def test_what_is_seen_to_be_the_other_s_is_dropped_where_the_piece_has_just_left(dropped: int) -> None:
    log = f"1000 A lift e5; 1040 A place d4 p; {dropped} A place e5 Q;"
    log += f"{dropped + 300} A lift h7; {dropped + 540} A place h6 p"
    board = "k7/7p/8/4p3/3P4/8/8/4K3[Q] b - - 0 1"
    played(log, board, ["e5d4", "Q@e5", "h7h6"], senses="identity", clock=None)


@pytest.mark.parametrize("lifted", [1170, 1350])
def test_a_pawn_that_has_just_promoted_is_taken_at_once(lifted: int) -> None:
    """Nobody has said what it is: it is taken up first, and who takes it then."""
    log = f"700 A lift e2; 1000 A place e1; {lifted} A lift e1; {lifted + 200} A lift d2; {lifted + 450} A place e1;"
    dropped = "1850 A choose black p; 2400 A place d2"
    played(log + dropped, "4k3/8/8/8/8/8/3Kp3/8[p] b - - 0 1", ["e2e1q", "d2e1", "P@d2"], clock=None)


def test_a_drop_waits_for_hands_that_are_at_work_on_the_partner_s_board() -> None:
    """On B Black takes on f2, and is taken at once: the pawn that he took is dropped on A before that has settled."""
    taken = "1680 B lift e3; 2310 B lift f2; 2480 B place f2 b; 2690 B lift f2; 2860 B lift e2; 3030 B place f2 w;"
    b = "7k/8/8/8/8/4p3/4QP2/3K4[p] b - - 0 1"
    log = f"{taken} 3340 A place f6 w; 3363 B place e2 b"
    match = played(log, KINGS, ["P@f6"], b, senses="colour", clock=None)
    assert match.moves("B") == ["e3f2", "e2f2", "P@e2"]


def test_who_drops_what_a_nameless_promotion_took_shows_that_it_was_made() -> None:
    """Nobody presses, nor says what the pawn has become: a queen."""
    taken = "2500 B lift c7; 2700 B lift b8; 2940 B place b8;"
    b = "1n2k3/2P5/8/8/8/8/8/4K3[] w - - 0 1"
    played(f"{taken} 4200 A choose black n; 4220 A place e4", KINGS.replace(" w ", " b "), ["N@e4"], b, clock=None)


@pytest.mark.parametrize(
    ("promoted", "dropped", "drops", "clock", "until"),
    [
        ("2700 B lift b8; 2940 B place b8", 3020, "b", None, 3300),
        ("2700 B place c8", 4220, "b", None, 9000),
        ("2700 B lift b8; 2940 B place b8", 4220, "w", None, 9000),
        ("2700 B lift b8; 2940 B place b8", 4220, "b", "180", 9000),
    ],
    ids=["not released yet", "takes nobody", "takes for the opponents", "not pressed, where that is done"],
)
def test_who_drops_what_no_promotion_has_taken_shows_nothing_of_it(
    promoted: str, dropped: int, drops: str, clock: str | None, until: int
) -> None:
    """On B a pawn stands on its last rank, and nobody has said what it is."""
    log = f"2500 B lift c7; {promoted}; {dropped} A place e4; {until} A time"
    board = "1n5k/2P5/8/8/8/8/8/4K3[] w - - 0 1"
    match = Played(log, KINGS.replace(" w ", f" {drops} "), board, clock=clock)
    assert not [event for event in match.all(c.Move, "B") if event.ms < until]


def test_a_drop_that_nothing_was_taken_for_is_told_once_the_partner_has_moved() -> None:
    log = "1000 B lift e8; 1200 A place e4; 2000 B place e7; 9000 A time"
    match = Played(log, KINGS, KINGS.replace(" w ", " b "), clock=None)
    assert [(said.kind, 2400 <= said.ms <= 3300) for said in match.all(c.Illegal, "A")] == [("illegal-move", True)]


def test_a_pawn_that_nobody_named_is_a_queen_at_the_press_and_her_mate_a_proposal() -> None:
    log = "1000 B lift e7; 1400 B lift f8; 1800 B place f8; 2300 B press white"
    b = "2bqkbnr/p1ppPN1p/pn4P1/2Qp2p1/3N1R2/N1P3p1/r4PPP/R1n1bK1R[B] w k - 0 24"
    match = Played(f"{log}; 14000 B time", KINGS, b)
    assert match.moves("B") == ["e7f8q"]
    assert [(result.reason, result.status) for result in match.all(c.Result, "B")] == [("checkmate", "proposed")]


@pytest.mark.parametrize(("clock", "pressed"), [("180", "{} A press {};"), (None, "")])
def test_while_the_opponent_s_move_stands_a_button_names_the_next_drop(clock: str | None, pressed: str) -> None:
    drops = f"1000 A place f2 w; {pressed.format(1500, 'white')} 3000 A lift h2; 3300 A place h3 b;"
    named = f"3600 A choose white b; {pressed.format(3800, 'black')} 4800 A place g3 w; {pressed.format(5000, 'white')}"
    board = "4k3/8/8/8/8/8/7r/K7[BNP] w - - 0 1"
    match = Played((drops + named).strip("; "), board, KINGS, clock=clock, senses="colour")
    assert [move[1:] for move in match.moves("A")] == ["@f2", "2h3", "@g3"]
    assert match.moves("A")[2] == "B@g3"


def test_a_mate_that_a_piece_without_a_name_might_parry_is_not_final() -> None:
    """What Black has dropped on d6 was taken for a rook; it is a bishop, and takes the queen."""
    board = "rnb1kb1Q~/3q1pPp/1pP3pn/2pp1p2/p1P2P2/BPp3PN/P2P1K1P/RN1Q1B1R[rb] b q - 1 16"
    drop = "1697 A place d6 b; 1935 A press black; 4238 A choose white q; 4799 A lift f8; 5439 A lift g7"
    log = f"{drop}; 5874 A place f8 w; 6110 A lift d6; 6242 A press white; 6388 A place f8 b; 6849 A press black"
    played(log, board, ["B@d6", "g7f8q", "d6f8"], senses="colour", clock="600")


def test_what_stands_where_two_have_left_accuses_nobody_in_the_other_stories_of_it_either() -> None:
    """Ten scans a second: a knight on h8, a bishop drawn over five squares, a knight on f8. Which pieces they were, and
    whether h8 was left, board A does not tell; in one story of it Black has touched what he does not move."""
    rook = "1174 A 776c03c06908dec7; 1274 A 776c03406908dec7; 1674 A 776c03c06908dec7; 1874 A f76c03c06908dec7"
    taken = "2333 B b3ff518011400ebd; 2633 B b3ff518011000ebd; 3033 B b3ff518011400ebd"
    bishop = "3674 A d77c03c06908dec7; 3774 A d76c0bc06908dec7; 3874 A d76c03c46908dec7; 3974 A d76c03c06b08dec7"
    knight = "4074 A d76c03c06909dec7; 4274 A f76c03c06909dec7; 6874 A f76c03806909dec7; 7074 A f76c0380e909dec7"
    scans = "; ".join(["0 A f76c03c06908dec7; 0 B b3ff518011402ebd", rook, taken, bishop, knight])
    match = Played(
        re.sub(r"( [AB]) ", r"\1 frame ", scans),
        a="rnb1kbnr/2pp1pp1/pp6/6qP/P2p1Pp1/3Q4/1PPKP1BP/RNB3NR[NNP] b kq f3 0 9",
        b="rn2kb1r/pbqpnppp/P3p1p1/7P/P3P3/6q~1/1PPP1P2/R1BQKB1R[P] w KQkq - 0 10",
        clock=None,
    )
    assert not match.accusations
