"""Who sets his piece down knocks over its neighbour, and puts it back in his own time (7.4.1): nobody touched it."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

ADVANCED = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
FOOL = "rnbqkbnr/ppp2ppp/8/8/3pp3/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 3"
TAKEN = "rn2kbnr/1b6/P7/2pqpP1P/5Pp1/1P6/P1PPP1PP/RNBQKBNR w KQkq - 0 23"
TOPPLED = "4k3/3b4/8/8/6P1/5P2/8/4K3 b - - 0 1"
KNOCKED = "rnbqkbnr/pp3ppp/3P4/2p1p3/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 4"
CASTLED = "4k2r/6pp/8/8/8/3B4/P7/4K3 b k - 0 1"
SMOTHERED = "6rk/5ppp/8/6N1/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fell", "clock"), [(1505, CLOCK), (1505, None), (1540, None), (1720, None), (1895, CLOCK), (2100, CLOCK)]
)
def test_the_opponent_does_not_owe_a_piece_that_fell_beside_his_opponent_s(fell: int, clock: str | None) -> None:
    log = f"1000 lift e4; 1500 place e5; {fell} lift d5; 2500 place d5; 3000 press white; 5000 lift c7; 5400 place c5;"
    events = play(log if clock is None else f"{log} 5700 press black", ADVANCED, clock=clock)
    assert record(events) == ["e4e5", "c7c5"]
    assert not accusations(events)


@pytest.mark.parametrize("said", ["", "3240 adjust black;"])
def test_nor_one_that_fell_beside_the_rook_of_his_castling(said: str) -> None:
    """The hand sets down the rook last, whose king has stood for a while."""
    log = "1000 lift e8; 1500 place g8; 2200 lift h8; 2700 place f8; 2880 lift h7; {} 3600 place h7; 5300 press black"
    events = play(f"{log}; 7000 lift a2; 7500 place a3; 8000 press white".format(said), CASTLED, clock=CLOCK)
    assert record(events) == ["e8g8", "a2a3"]
    assert not [each for each in accusations(events) if each.side == "white"]


def test_who_takes_it_up_seconds_after_castling_means_to_take_it() -> None:
    log = "1000 lift e8; 1500 place g8; 2200 lift h8; 2700 place f8; 3200 press black; 4880 lift h7; 5600 place h7"
    events = play(f"{log}; 7000 lift a2; 7500 place a3; 8000 press white", CASTLED, clock=CLOCK)
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("white", "touch-move")]


def test_who_mates_did_not_have_to_take_what_had_fallen() -> None:
    log = "1000 lift g2; 1500 place g4; 1540 lift f3; 2500 place f3; 3000 press white; 5000 lift d8; 5500 place h4"
    events = play(log, FOOL, clock=CLOCK)
    assert not accusations(events)
    assert [result.reason for result in only(c.Result, events)] == ["checkmate"]


def test_where_it_rolled_nobody_has_set_down_anything() -> None:
    log = "1005 lift a6; 1220 lift b7; 1550 place b7; 1565 lift b8; 1635 place c7; 1795 lift c7; 2045 place b8"
    events = play(f"{log}; 2645 press white", TAKEN, clock=CLOCK)
    assert record(events) == ["a6b7"]
    assert not accusations(events)


@pytest.mark.parametrize("clock", [CLOCK, None])
def test_nobody_has_moved_what_stood_elsewhere_before_his_opponent_s_piece_was_set_down(clock: str | None) -> None:
    """There was nothing yet to reply to."""
    log = "1000 lift d7; 1600 lift f3; 1660 lift g4; 1700 place f5 P; 1880 place g4 b; 3000 lift f5; 3600 place f3 P"
    events = play(log if clock is None else f"{log}; 4000 press black", TOPPLED, senses="identity", clock=clock)
    assert record(events) == ["d7g4"]
    assert not accusations(events)


@pytest.mark.parametrize("clock", [CLOCK, None])
def test_who_knocks_over_his_own_piece_on_his_way_has_moved_the_one_in_his_hand(clock: str | None) -> None:
    log = "1000 lift f8; 1700 lift e5; 1745 lift d6; 1790 place c7; 1866 place d6; 2480 lift c7; 4470 place e5"
    events = play(log if clock is None else f"{log}; 4950 press black", KNOCKED, clock=clock)
    assert record(events) == ["f8d6"]
    assert not accusations(events)


@pytest.mark.parametrize("shaken", ["g7", "h7", "g8"])
def test_a_capture_stands_though_it_shakes_a_piece_beside(shaken: str) -> None:
    """Who is seen to come back is not taken for one whom the piece in hand has taken, where it cannot go there."""
    log = f"1000 lift g5; 1200 lift f7; 1500 place f7; 1510 lift {shaken}; 1580 place {shaken}"
    events = play(log, SMOTHERED)
    assert record(events) == ["g5f7"]
    assert [result.reason for result in only(c.Result, events)] == ["checkmate"]


@pytest.mark.parametrize(("lifted", "owes"), [(1850, False), (4000, True)])
def test_without_a_clock_who_has_moved_may_put_his_piece_straight_at_once(lifted: int, owes: bool) -> None:
    """Who touches it seconds later has the move, and means to take it."""
    log = f"1000 lift e2; 1500 place e4; {lifted} lift e4; {lifted + 300} place e4; 6000 lift g8; 6400 place f6"
    events = play(log, "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2")
    assert record(events) == ["e2e4", "g8f6"]
    assert [said.kind for said in only(c.Violation, events)] == ["touch-move"] * owes


def test_a_piece_that_the_player_touched_before_he_moved_another_is_touched() -> None:
    log = "1000 lift d5; 1900 place d5; 2100 lift g1; 2500 place f3; 3000 press white"
    assert [said.kind for said in only(c.Violation, play(log, ADVANCED, clock=CLOCK))] == ["touch-move"]


def test_two_kings_that_shake_as_the_queen_lands_make_no_rook_of_her() -> None:
    """Who came back there was taken by nobody who was off for a moment only."""
    promoted = "1000 lift c7; 1275 place c8; 1960 lift c8; 2703 place c8; 3715 lift g7; 4172 place f6"
    moves = "5000 lift c8; 5500 place c4; 6000 lift f6; 6500 place f5; 7000 lift c4; 7500 place e4"
    shaken = "7503 lift f5; 7522 lift d3; 7545 place f5; 7612 place d3"
    events = play(f"{promoted}; {moves}; {shaken}; 9000 lift f5; 9500 place g5", "8/2P3k1/8/8/8/3K4/8/8 w - - 0 1")
    assert record(events) == ["c7c8q", "g7f6", "c8c4", "f6f5", "c4e4", "f5g5"]
    assert not only(c.Retract, events)


def test_so_it_is_on_the_way_of_two_moves_one_after_the_other() -> None:
    """White knocks over a bishop that rolls to c5, and Black, as he takes, a pawn that rolls to f3."""
    rook = "555 lift a1; 931 place a3; 1000 lift b4; 1113 place c5; 1277 lift c5; 1936 place b4; 2769 press white"
    taken = "5366 lift g5; 5985 lift h4; 6125 place h4; 6153 lift g3; 6213 place f3; 6373 lift f3; 6987 place g3"
    board = "rnb1k1n1/pp1p2p1/2q1p3/6pr/PbP4P/3P2P1/1P1N1PR1/R1B1KB2 w Qq - 2 14"
    events = play(f"{rook}; {taken}; 8222 press black", board, clock=CLOCK)
    assert (record(events), accusations(events)) == (["a1a3", "g5h4"], [])


@pytest.mark.parametrize("lifted", [1650, 1740])
def test_what_is_taken_up_once_the_clock_was_pressed_has_not_fallen(lifted: int) -> None:
    log = f"1000 lift e4; 1500 place e5; 1600 press white; {lifted} lift d5; 2700 place d5; 4000 lift b8; 4400 place c6"
    events = play(f"{log}; 5000 press black", ADVANCED, clock=CLOCK)
    assert [said.kind for said in only(c.Violation, events)] == ["touch-move"]


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_who_shoves_a_piece_to_the_square_beside_and_puts_it_back_has_moved_once(clock: str | None) -> None:
    log = "1000 lift g1; 1600 place f3; 2650 place a3; 2660 lift a2; 3110 lift a3; 3115 place a2"
    events = play(f"{log}; 4000 press white" if clock else f"{log}; 5000 lift d7; 5500 place d5", clock=clock)
    assert (record(events)[0], accusations(events)) == ("g1f3", [])


def test_nor_has_he_while_his_own_move_stands() -> None:
    log = "1000 lift g1; 1260 place f3; 1600 place a3; 1630 lift a2; 2180 place a2; 2240 lift a3; 5000 lift d7"
    events = play(f"{log}; 5500 place d5")
    assert (record(events), accusations(events)) == (["g1f3", "d7d5"], [])


@pytest.mark.parametrize("side", ["white", "black"])
def test_several_that_are_knocked_over_at_once_are_displaced_until_they_stand_again(side: str) -> None:
    """Nobody has touched them, whoever has the move; nor when his turn comes, and they still lie there."""
    felled = ("a8", "b7", "a7") if side == "black" else ("a1", "b2", "a2")
    down = "; ".join(f"{1000 + 10 * number} lift {square}" for number, square in enumerate(felled))
    up = "; ".join(f"{20_000 + 700 * number} place {square}" for number, square in enumerate(felled))
    moves = "6000 lift d2; 7000 place d4; 8000 press white; 12000 lift d7; 13000 place d5; 14000 press black"
    events = play(f"{down}; {moves}; {up}; 30000 time", clock=CLOCK)
    assert (record(events), accusations(events)) == (["d2d4", "d7d5"], [])
    first = only(c.Displaced, events)[0]
    assert (set(first.squares), first.ms) == (set(felled), 1520), "a brush, and then a release, after the first"
    assert [said.ms for said in only(c.Restored, events)][-1] == 21_400


def test_taken_up_and_set_down_it_is_another_move() -> None:
    events = play("1000 lift g1; 1600 place f3; 2650 lift a2; 2850 place a3; 5000 press white", clock=CLOCK)
    assert [said.kind for said in only(c.Violation, events)] == ["out-of-turn"]


BLOW = "2kr3r/pppn1pp1/2np3p/2b1p1Q1/2BNP3/2NP2Pq/PPP2P1P/3R1RK1 b - - 3 5"


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("apart_ms", [0, 5, 15, 40, 90])
def test_a_blow_that_fells_three_at_once_touches_none_of_them(apart_ms: int, senses: c.Senses) -> None:
    """Two of White's and one of Black's, who has the move, are set up one after the other. With 90 ms between them they
    may have been taken up."""
    queen, pawn = seen("q", senses), seen("P", senses)
    felled = "; ".join(f"{2000 + number * apart_ms} lift {square}" for number, square in enumerate(("h2", "g3", "h3")))
    log = f"{felled}; 3800 place h3 {queen}; 4600 place g3 {pawn}; 5400 place h2 {pawn}; 9000 lift c8; 9500 place b8 "
    events = play(log + seen("k", senses), BLOW, senses=senses)
    assert record(events) == ["c8b8"]
    assert (accusations(events) == []) == (apart_ms < 90)


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_what_a_capture_fells_and_whom_it_pushes_aside_is_no_move_of_the_opponent_s(clock: str | None) -> None:
    """The pawn takes on b2, pushes the rook to b1, and fells White's pawn a2."""
    log = (
        "1700 lift a3; 1900 lift a2; 2000 place b2 p; 2000 place b1 R; 2600 lift b1; 2900 place a2 P; 3000 press black"
    )
    events = play(log, "8/8/n2p3k/8/8/p6P/PR1p1R2/3K4 b - - 1 43", senses="identity", clock=clock)
    assert record(events) == ["a3b2"]
    assert not accusations(events)


def test_what_is_set_down_against_the_rules_further_off_has_not_fallen() -> None:
    """Black's pawn goes from d7 to d3 as White's knight lands on c3."""
    log = "1000 lift b1; 1800 lift d7; 1900 place d3; 2000 place c3; 3000 press white; 5000 press black; 6000 time"
    events = play(log, clock=CLOCK)
    assert [(said.side, said.kind) for said in only(c.Illegal, events) if said.completed] == [("black", "illegal-move")]


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_who_takes_in_passing_and_fells_the_knight_beside_has_moved_nothing_against_the_rules(senses: c.Senses) -> None:
    knight, pawn = seen("n", senses), seen("P", senses)
    log = f"1000 lift e5; 1700 lift e6; 1760 place f6 {pawn}; 2300 lift f5; 2800 place e6 {knight}; 3500 press white"
    events = play(log, "4k3/8/4n3/4Pp2/8/8/8/4K3 w - f6 0 1", senses=senses, clock=CLOCK)
    assert record(events) == ["e5f6"]
    assert not accusations(events)


def test_a_piece_brushed_long_after_its_move_is_not_set_down_so_who_is_taken_up_beside_it_was_touched() -> None:
    """Black has to move the pawn that he touched first, and does."""
    log = (
        "1000 lift a4; 1800 place c6; 6000 lift c6; 6020 place c6; 6240 lift c4; 7500 place c4;"
        "8200 lift d6; 9600 place d6; 10300 lift c4; 10560 lift d3; 11000 place d3"
    )
    events = play(log, "4rkn1/8/3N4/p7/B1p5/b2Pp1p1/6b1/B5K1 w - - 2 43")
    assert (record(events), accusations(events)) == (["a4c6", "c4d3"], [])


@pytest.mark.parametrize("after_ms", [450, 1000, 2000])
def test_who_puts_his_piece_straight_soon_after_his_move_may_fell_its_neighbour(after_ms: int) -> None:
    straight = 1800 + after_ms
    falls = f"{straight} lift c6; {straight + 60} place c6; {straight + 100} lift c7; {straight + 850} place c7"
    log = f"1000 lift a4; 1800 place c6; {falls}; 9000 lift a5; 9700 place a4"
    events = play(log, "4rkn1/2p5/8/p7/B7/8/8/6K1 w - - 2 43")
    assert (record(events), accusations(events)) == (["a4c6", "a5a4"], [])


@pytest.mark.parametrize("fell_ms", [260, 380])
@pytest.mark.parametrize("senses", ["occupancy", "identity"])
def test_a_piece_beside_that_falls_a_while_after_a_release_was_not_touched_by_the_opponent(
    senses: c.Senses, fell_ms: int
) -> None:
    knight, pawn, king = (seen(piece, senses) for piece in "Npk")
    log = f"1000 lift c3; 1800 place d5 {knight}; {1800 + fell_ms} lift e5; 3300 place e5 {pawn}; 7000 lift e8"
    events = play(f"{log}; 7900 place d7 {king}", "4k3/8/8/4p3/8/2N5/8/4K3 w - - 0 1", senses=senses)
    assert (record(events), accusations(events)) == (["c3d5", "e8d7"], [])
