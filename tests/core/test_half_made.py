"""A move of which a part is released, with another piece taken up before the rest (4.4.4, 4.7)."""

import pytest
from shorthand import CASTLING, CLOCK, EN_PASSANT, PROMOTION, accusations, only, play, seen

from controller import contract as c


@pytest.mark.parametrize(
    ("fen", "begun", "touched", "ended", "move"),
    [
        (PROMOTION, "1000 lift a7; 2000 place a8 P", "b8 n", "6000 lift a8; 7000 place a8 Q", "a7a8q"),
        (PROMOTION, "1000 lift a7; 2000 place a8 P", "a1 K", "6000 lift a8; 7000 place a8 Q", "a7a8q"),
        (EN_PASSANT, "1000 lift e5; 2000 place d6 P", "e1 K", "6000 lift d5", "e5d6"),
        (EN_PASSANT, "1000 lift e5; 2000 place d6 P", "e8 k", "6000 lift d5", "e5d6"),
        (CASTLING, "1000 lift e1; 2000 place g1 K", "c6 n", "6000 lift h1; 7000 place f1 R", "e1g1"),
    ],
)
def test_a_piece_touched_while_a_move_is_half_made_makes_no_illegal_move_of_it(
    fen: str, begun: str, touched: str, ended: str, move: str
) -> None:
    square = touched.split()[0]
    log = f"{begun}; 3000 lift {square}; 5000 place {touched}; {ended}; 8000 press white"
    events = play(log, fen, clock=CLOCK, senses="identity")
    assert [done.uci for done in only(c.Completed, events)] == [move]
    assert not accusations(events)


@pytest.mark.parametrize("pause", ["", "5000 arbiter pause; 5000 arbiter resume; "])
def test_a_rook_put_where_the_king_stood_finishes_nothing_also_when_play_was_stopped_meanwhile(pause: str) -> None:
    log = "1000 lift e1; 2000 place g1; 3000 lift h1; 4000 place e1; " + pause + "6000 press white"
    events = play(log, CASTLING, clock=CLOCK)
    assert not only(c.Move, events)
    assert [said.count for said in only(c.Illegal, events) if said.completed] == [1]
    assert only(c.Obligation, events)[-1].moves == ["e1g1"]


ROOK = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@pytest.mark.parametrize(("late_ms", "unfinished"), [(10, False), (80, False), (1000, True)])
def test_a_slow_board_shows_the_rook_of_castling_after_the_press(late_ms: int, unfinished: bool) -> None:
    log = f"1000 lift e1; 1400 place g1; 2000 lift h1; 2560 press white; {2560 + late_ms} place f1"
    events = play(f"{log}; 4000 lift e8; 4500 place e7; 5000 press black", ROOK, clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events)] == ["unfinished-castling"] * unfinished


def test_a_rook_that_moves_after_the_press_was_left_at_home() -> None:
    """It was in nobody's hand: no board has shown late that it was set down."""
    log = "1000 lift e1; 1400 place g1; 2560 press white; 2600 lift h1; 2640 place f1; 4000 lift e8; 4500 place e7"
    events = play(f"{log}; 5000 press black", ROOK, clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events)] == ["unfinished-castling"]


def test_a_rook_in_hand_at_the_press_that_is_never_set_down_is_told() -> None:
    events = play("1000 lift e1; 1400 place g1; 2000 lift h1; 2560 press white", ROOK, clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events)] == ["unfinished-castling"]


def test_king_and_rook_taken_up_with_one_hand_are_castling_though_the_king_was_seen_on_its_way() -> None:
    log = "1083 lift e1; 1112 place f1; 1184 lift h1; 1191 lift f1; 1220 place g1; 1609 place f1; 3902 press white"
    events = play(log, CASTLING, clock=CLOCK)
    assert [made.uci for made in only(c.Move, events)] == ["e1g1"]
    assert not accusations(events)


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
def test_without_a_clock_the_replies_complete_a_capture_in_passing_whose_victim_stands(senses: c.Senses) -> None:
    """Nobody has pressed, and the sensor of d5 might fail, until that pawn goes on to d4 and is taken there."""
    pawn, knight = seen("p", senses), seen("N", senses)
    log = f"1000 lift e5; 2500 place d6 {seen('P', senses)}; 6000 lift h7; 7500 place h6 {pawn}; 11000 lift g1"
    taken = f"16000 lift d5; 17500 place d4 {pawn}; 21000 lift f3; 22000 lift d4; 23500 place d4 {knight}; 30000 time"
    passing = "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"
    events = play(f"{log}; 12500 place f3 {knight}; {taken}", passing, senses=senses)
    assert [(said.side, said.kind) for said in only(c.Illegal, events)] == [("white", "unfinished-capture")]
    assert [move.uci for move in only(c.Move, events)][-2:] == ["d5d4", "f3d4"]
    assert not only(c.Violation, events)


def test_without_a_clock_the_reply_makes_a_king_s_move_of_no_forgotten_castling() -> None:
    log = "1000 lift e1; 2500 place g1; 6000 lift a7; 7500 place a6; 11000 lift a2; 12500 place a3; 20000 time"
    events = play(log, CASTLING)
    assert [(said.side, said.kind) for said in only(c.Illegal, events)] == [("white", "unfinished-castling")]
    assert [move.uci for move in only(c.Move, events)] == ["a7a6", "a2a3"]


def test_a_castling_that_was_put_back_is_not_completed_by_a_reply() -> None:
    """White still owes it; nothing of it stands, so Black, who moves, is out of turn."""
    log = "1000 lift e1; 2000 place g1; 4000 lift g1; 4600 place e1; 7000 lift a7; 8500 place a6; 13000 time"
    events = play(log, CASTLING)
    assert not only(c.Illegal, events)
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("black", "out-of-turn")]
