"""Who has set his piece down and pressed has made his move (6.2.1), though the board shows that late, and though the
opponent has begun his reply before it does."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

SENSES = ["occupancy", "colour", "identity"]
EDITIONS = ["fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023"]

CASTLED = "r3k2r/pp3ppp/2n5/3p4/3P4/2N5/PP3PPP/R3K2R w KQkq - 0 1"
EN_PASSANT = "4k1n1/8/8/2pP4/8/8/8/4K3 w - c6 0 1"
MOVES = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "2000 lift g1", "place f3 N", "g8", "g1f3"),
    ("4k1n1/8/8/5p2/3N4/8/8/4K3 w - - 0 1", "1800 lift d4; 2000 lift f5", "place f5 N", "g8", "d4f5"),
    (CASTLED, "1400 lift e1; 1700 lift h1; 2000 place g1 K", "place f1 R", "a7", "e1g1"),
    ("6n1/1P2k3/8/8/8/8/8/4K3 w - - 0 1", "2000 lift b7", "place b8 Q", "g8", "b7b8q"),
    (EN_PASSANT, "1600 lift d5; 2000 place c6 P", "lift c5", "g8", "d5c6"),
]
"""Where, what is seen before the press, what is seen late, who is up for the reply, and the move."""


def late(seen_before: str, senses: str) -> str:
    """These edges as such a board names the pieces."""
    words = seen_before.split()
    return " ".join(seen(word, senses) if len(word) == 1 and word.isalpha() else word for word in words)


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("reply_ms", [2380, 2400, 2430])
@pytest.mark.parametrize("late_ms", [0, 1, 40, 180])
@pytest.mark.parametrize(("fen", "before", "landing", "reply", "move"), MOVES)
def test_the_last_edge_of_a_move_may_come_with_the_press_or_after_it(
    fen: str, before: str, landing: str, reply: str, move: str, late_ms: int, reply_ms: int, senses: c.Senses
) -> None:
    """White presses at 2400."""
    edges = [(reply_ms, 0, f"{reply_ms} lift {reply}"), (2400, 1, "2400 press white")]
    edges += [(2400 + late_ms, 2, f"{2400 + late_ms} {late(landing, senses)}")]
    then = "; ".join(log for *_, log in sorted(edges))
    events = play(
        f"{'; '.join(late(each, senses) for each in before.split('; '))}; {then}", fen, clock=CLOCK, senses=senses
    )
    assert [(done.uci, done.ms) for done in only(c.Completed, events)] == [(move, 2400)]
    assert not accusations(events)


@pytest.mark.parametrize("laws", EDITIONS)
@pytest.mark.parametrize("up_ms", [2390, 2330, 2200])
def test_however_shortly_before_the_press_the_piece_was_seen_to_leave(up_ms: int, laws: c.Edition) -> None:
    log = f"{up_ms} lift c2; 2400 press white; 2440 lift d7; 2490 place c4 P; 2700 place d6 p; 2900 press black"
    events = play(log, clock=CLOCK, senses="identity", laws=laws)
    assert (record(events), accusations(events)) == (["c2c4", "d7d6"], [])


@pytest.mark.parametrize("laws", EDITIONS)
@pytest.mark.parametrize("senses", SENSES)
def test_also_where_it_left_before_the_opponents_landing_was_seen(senses: c.Senses, laws: c.Edition) -> None:
    """Black took up his pawn when he saw the knight stand, the board showed the knight a moment later; and White has
    taken up his bishop again by the time at which Black's pawn is shown."""
    white = f"1000 lift b1; 1400 lift g7; 1440 place c3 {seen('N', senses)}; 1450 press white"
    then = f"1640 lift g2; 1700 press black; 1745 place g6 {seen('p', senses)}; 1900 place g3 {seen('P', senses)}"
    events = play(f"{white}; {then}; 2100 press white", clock=CLOCK, senses=senses, laws=laws)
    assert (record(events), accusations(events)) == (["b1c3", "g7g6", "g2g3"], [])


def test_what_was_shown_of_both_moves_only_after_both_presses() -> None:
    """Nobody has waited for the board, which looks four times a second, at one square after another."""
    log = "1700 lift d2; 1801 press white; 1911 lift d7; 1990 press black; 2003 place d4 P; 2094 place d5 p"
    events = play(f"{log}; 4000 lift g1; 4500 place f3 N; 4700 press white", clock=CLOCK, senses="identity")
    assert [(done.uci, done.ms) for done in only(c.Completed, events)] == [
        ("d2d4", 1801),
        ("d7d5", 1990),
        ("g1f3", 4700),
    ]
    assert not accusations(events)


@pytest.mark.parametrize("laws", EDITIONS)
@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("late_ms", [0, 15, 200])
def test_the_destination_may_be_shown_before_the_press_and_the_origin_after_it(
    late_ms: int, senses: c.Senses, laws: c.Edition
) -> None:
    pawn, reply = seen("P", senses), seen("p", senses)
    log = f"2380 place d3 {pawn}; 2400 press white; {2400 + late_ms} lift d2; 4000 lift d7; 4300 place d5 {reply}"
    events = play(f"{log}; 4500 press black", clock=CLOCK, senses=senses, laws=laws)
    assert [(done.uci, done.ms) for done in only(c.Completed, events)] == [("d2d3", 2400), ("d7d5", 4500)]
    assert not accusations(events)


@pytest.mark.parametrize("laws", EDITIONS)
@pytest.mark.parametrize("left_ms", [1480, 1520])
def test_a_reply_seen_to_have_come_does_not_hide_the_move_that_stands_beside_it(left_ms: int, laws: c.Edition) -> None:
    """Black's pawn is shown on its new square before it is shown to have left the old one; he presses in between, or
    afterwards."""
    log = f"1000 lift g1; 1300 place d5 p; 1330 place f3 N; 1400 press white; {left_ms} lift d7; 1500 press black"
    log = "; ".join(sorted(log.split("; "), key=lambda line: int(line.split()[0])))
    events = play(log, clock=CLOCK, senses="identity", laws=laws)
    assert [(done.uci, done.ms) for done in only(c.Completed, events)] == [("g1f3", 1400), ("d7d5", 1500)]
    assert not accusations(events)


@pytest.mark.parametrize("taken_ms", [2310, 2500])
def test_what_the_opponent_takes_up_to_capture_it_is_no_part_of_the_move(taken_ms: int) -> None:
    """White's pawn is in the air, as far as is seen; Black takes the other one off the board, and then the first is
    shown where White has set it down."""
    fen = "4k3/8/8/3r4/3P4/8/P7/4K3 w - - 0 1"
    log = f"2290 lift a2; 2400 press white; {taken_ms} lift d4; 2520 place a4 P; 2540 lift d5; 2800 place d4 r"
    log = "; ".join(sorted(log.split("; "), key=lambda line: int(line.split()[0])))
    events = play(f"{log}; 3000 press black", fen, clock=CLOCK, senses="identity")
    assert (record(events), accusations(events)) == (["a2a4", "d5d4"], [])


QUICK = "1000 lift e2; 2200 press white; 2330 place e4; 3000 lift e7; 3120 press black; 3250 place e5"
"""With it the board has shown a piece of each player 130 ms after the press of who had set it down."""


@pytest.mark.parametrize("looks", [None, c.Sensors(lost=0.002, scan_ms=240)])
def test_a_board_known_to_be_late_may_show_the_whole_move_late(looks: c.Sensors | None) -> None:
    log = (
        QUICK
        if looks is None
        else "1000 lift e2; 1500 place e4; 2200 press white; 3000 lift e7; 3120 place e5; 3300 press black"
    )
    events = play(f"{log}; 5207 press white; 5288 lift b1; 5311 place c3; 7000 lift g8", clock=CLOCK, sensors=looks)
    assert [(done.uci, done.ms) for done in only(c.Completed, events)][2:] == [("b1c3", 5207)]
    assert not accusations(events)


@pytest.mark.parametrize("then", ["", "5288 lift b1", "5288 lift g8; 5311 place f6", "5460 lift b1; 5500 place c3"])
def test_who_has_moved_nothing_by_then_is_told_of(then: str) -> None:
    (said,) = only(c.Illegal, play(f"{QUICK}; 5207 press white; {then}", clock=CLOCK))
    assert (said.side, said.kind, said.ms) == ("white", "no-move", 5207)


@pytest.mark.parametrize("then", ["", "1720 place f3 N", "1500 place f6 n", "1600 place h6 n"])
def test_who_presses_with_a_piece_in_his_hand_is_told_of_whatever_the_opponent_does(then: str) -> None:
    """What comes later than any board looks comes too late, too."""
    (said,) = only(
        c.Illegal, play(f"1400 lift g1; 1440 press white; 1470 lift g8; {then}", clock=CLOCK, senses="identity")
    )
    assert (said.side, said.kind, said.ms) == ("white", "no-move", 1440)


@pytest.mark.parametrize("then", ["", "1800 place h5 p; 1830 lift h7; 2500 press black"])
def test_a_piece_of_the_opponents_is_not_what_is_in_the_hand(then: str) -> None:
    log = f"1000 lift b1; 1390 place h6 p; 1440 press white; 1750 lift h6; {then}"
    said = only(c.Illegal, play(log, clock=CLOCK, senses="identity"))[0]
    assert (said.side, said.kind, said.uci) == ("white", "no-move", None)


def test_nor_does_it_hide_the_move() -> None:
    log = (
        "1000 lift b1; 1390 place h6 p; 1440 press white; 1460 place c3 N; 1750 lift h7; 1770 lift h6; 1790 place h5 p"
    )
    events = play(f"{log}; 2000 press black", clock=CLOCK, senses="identity")
    assert (record(events), accusations(events)) == (["b1c3", "h7h5"], [])


def test_an_illegal_move_is_told_by_its_press_though_the_opponent_has_begun() -> None:
    log = "1000 lift g1; 1400 place g3 N; 1420 lift e7; 1440 press white"
    (said,) = only(c.Illegal, [e for e in play(log, clock=CLOCK, senses="identity") if getattr(e, "completed", False)])
    assert (said.side, said.kind, said.uci, said.ms) == ("white", "illegal-move", "g1g3", 1440)


def test_what_is_said_while_a_press_waits_is_heard_before_what_is_done_after_it() -> None:
    """Black says "j'adoube" and puts his pawn straight, before the board shows White's move."""
    log = "1000 lift g1; 1440 press white; 1480 adjust black; 1510 lift e7; 1600 place f3 N; 1800 place e7 p"
    events = play(f"{log}; 3000 lift d7; 3500 place d5 p; 3700 press black", clock=CLOCK, senses="identity")
    assert (record(events), accusations(events)) == (["g1f3", "d7d5"], [])


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_a_pawn_that_has_just_moved_two_squares_may_capture_in_reply(senses: c.Senses) -> None:
    """The position has a square on which it could be taken in passing, but no pawn that does so is in hand."""
    white = f"1000 lift c3; 1456 press white; 1475 lift d5; 1570 place e4 {seen('N', senses)}"
    black = f"1646 lift e4; 2288 press black; 2309 place e4 {seen('p', senses)}; 9000 time"
    events = play(f"{white}; {black}", "4k3/8/8/3p4/8/2N5/P7/4K3 w - d6 0 1", senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["c3e4", "d5e4"], [])


def test_one_piece_shown_late_does_not_excuse_a_press_with_nothing_moved() -> None:
    late = "1000 lift e2; 1400 place e4; 1500 press white; 3000 lift e7; 3400 press black; 3460 place e5; "
    events = play(f"{late}5000 press white; 5100 lift g1; 5240 place f3; 9000 time", clock=CLOCK)
    assert [(said.side, said.kind) for said in only(c.Illegal, events)] == [("white", "no-move")]


def test_a_pawn_is_promoted_to_a_piece_of_the_wrong_colour() -> None:
    log = "1000 lift a7; 1500 place a8 n; 2000 press white; 4000 lift h8; 4500 place g8 k; 5000 press black"
    events = play(log, "7k/P7/8/8/8/8/8/K7 w - - 0 1", senses="identity", clock=CLOCK)
    assert [said.uci for said in only(c.Illegal, events) if said.completed] == ["a7a8"]
    assert [made.ply for made in only(c.Move, events)] == [2]
