"""A square whose sensor does not work: the game goes on over it, by way of the press or the reply."""

from typing import get_args

import chess
import pytest
from shorthand import (
    CASTLING,
    CLOCK,
    EN_PASSANT,
    MIDDLEGAME,
    PROMOTION,
    accusations,
    only,
    play,
    record,
    seen,
)

from controller import contract as c

EACH_SENSE = pytest.mark.parametrize("senses", get_args(c.Senses))


def with_dead(square: str, log: str, fen: str = "startpos", clock: str | None = CLOCK, **fields: object) -> list[str]:
    """The game in which this sensor never works. Nobody is accused, and nothing is out of place."""
    events = play(f"0 sensor {square} dead; {log}", fen, clock=clock, **fields)
    assert not accusations(events)
    assert not only(c.Displaced, events)
    assert not only(c.Ambiguous, events)
    return record(events)


# -- onto it ---------------------------------------------------------------------------------------------------------


@EACH_SENSE
def test_a_piece_set_down_there_has_moved_once_the_clock_is_pressed(senses: c.Senses) -> None:
    assert with_dead("e4", "1000 lift e2; 3000 press white", senses=senses) == ["e2e4"]


def test_until_the_press_or_the_reply_he_is_in_hand() -> None:
    assert with_dead("e4", "1000 lift e2; 60000 time") == []
    assert with_dead("e4", "1000 lift e2; 60000 time", clock=None) == []


@EACH_SENSE
def test_without_a_clock_the_reply_tells(senses: c.Senses) -> None:
    reply = f"5000 lift g8; 6000 place f6 {seen('n', senses)}"
    assert with_dead("e4", f"1000 lift e2; {reply}", clock=None, senses=senses) == ["e2e4", "g8f6"]


def test_a_piece_put_back_has_not_moved() -> None:
    assert with_dead("e4", "1000 lift e2; 2000 place e2; 60000 time", clock=None) == []


def test_who_lifts_and_presses_without_a_move_that_leads_there_has_made_none() -> None:
    events = play("0 sensor e4 dead; 1000 lift d2; 3000 press white", clock=CLOCK)
    assert [event.kind for event in only(c.Illegal, events)] == ["no-move"]


@EACH_SENSE
@pytest.mark.parametrize("order", ["1000 lift e5; 1300 lift f3", "1000 lift f3; 1300 lift e5", "1000 lift f3"])
def test_a_capture_there(order: str, senses: c.Senses) -> None:
    assert with_dead("e5", f"{order}; 3000 press white", MIDDLEGAME, senses=senses) == ["f3e5"]


@EACH_SENSE
@pytest.mark.parametrize("order", ["1000 lift e5; 1300 lift f3", "1000 lift f3"])
def test_a_capture_there_where_nobody_presses_is_told_by_the_reply(order: str, senses: c.Senses) -> None:
    reply = f"5000 lift d7; 6000 place d6 {seen('p', senses)}"
    assert with_dead("e5", f"{order}; {reply}", MIDDLEGAME, clock=None, senses=senses) == ["f3e5", "d7d6"]


@EACH_SENSE
def test_a_promotion_there_is_to_a_queen_unless_another_is_chosen(senses: c.Senses) -> None:
    assert with_dead("a8", "1000 lift a7; 3000 press white", PROMOTION, senses=senses) == ["a7a8q"]
    chosen = "1000 lift a7; 1500 choose white n; 3000 press white"
    assert with_dead("a8", chosen, PROMOTION, senses=senses) == ["a7a8n"]


@EACH_SENSE
def test_two_moves_there(senses: c.Senses) -> None:
    """A pawn goes there, is taken, and what took it is taken."""
    fen = "4k3/8/5n2/3p4/8/2N5/4P3/4K3 w - - 0 1"
    log = "1000 lift e2; 2000 press white; 3000 lift d5; 4000 press black; 5000 lift c3; 6000 press white"
    assert with_dead("e4", f"{log}; 7000 lift f6; 8000 press black", fen, senses=senses) == [
        "e2e4",
        "d5e4",
        "c3e4",
        "f6e4",
    ]


def test_several_moves_there_without_a_clock_are_told_by_the_first_reply_that_shows() -> None:
    fen = "4k2r/8/8/3p4/8/2N5/4P3/4K3 w - - 0 1"
    log = "1000 lift e2; 3000 lift d5; 5000 lift c3; 7000 lift e8; 8000 place e7"
    assert with_dead("e4", log, fen, clock=None) == ["e2e4", "d5e4", "c3e4", "e8e7"]


def test_a_piece_drawn_over_other_squares_on_his_way_there() -> None:
    fen = "3qk3/8/8/8/8/8/8/4K3 b - - 0 1"
    log = "1000 lift d8; 1080 place e7; 1160 lift e7; 1500 press black"
    assert with_dead("f6", log, fen) == ["d8f6"]


def test_a_piece_who_could_have_taken_in_one_scan_has_gone_there() -> None:
    """A capture by exchange would leave the same squares; but here a sensor is known not to work."""
    assert with_dead("e5", "1000 lift e4; 2000 press white", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1") == ["e4e5"]


# -- away from it ----------------------------------------------------------------------------------------------------


@EACH_SENSE
def test_a_piece_that_appears_has_come_from_there(senses: c.Senses) -> None:
    log = f"1000 place e4 {seen('P', senses)}; 3000 press white"
    assert with_dead("e2", log, senses=senses) == ["e2e4"]


@EACH_SENSE
@pytest.mark.parametrize("press", ["3000 press white; ", ""])
def test_a_capture_from_there(press: str, senses: c.Senses) -> None:
    log = f"1000 lift e5; 1500 place e5 {seen('N', senses)}; {press}4000 lift d7; 5000 place d6 {seen('p', senses)}"
    played = with_dead("f3", log, MIDDLEGAME, clock=CLOCK if press else None, senses=senses)
    assert played == ["f3e5", "d7d6"]


def test_an_enemy_piece_put_straight_was_not_taken_from_there() -> None:
    log = "1000 adjust white; 1200 lift e5; 1500 place e5; 4000 lift d2; 5000 place d3; 6000 press white"
    assert with_dead("f3", log, MIDDLEGAME) == ["d2d3"]


def test_there_and_away_again() -> None:
    log = (
        "1000 lift g1; 2000 press white; 3000 lift d7; 3500 place d5; 4000 press black;"
        "5000 place g5; 6000 press white; 7000 lift e7; 7500 place e6; 8000 press black; 9000 lift g5; 9500 press white"
    )
    assert with_dead("f3", log) == ["g1f3", "d7d5", "f3g5", "e7e6", "g5f3"]


def test_a_destination_reported_before_its_origin_is_not_his_who_might_have_come_from_there() -> None:
    log = "1000 place d2; 1050 lift d1; 3000 press white"
    assert with_dead("c1", log, "4k3/8/8/8/8/8/8/2BQK3 w - - 0 1") == ["d1d2"]


# -- over it ---------------------------------------------------------------------------------------------------------


@EACH_SENSE
@pytest.mark.parametrize("dead", ["e1", "f1", "g1", "h1"])
@pytest.mark.parametrize("slowly", [False, True])
def test_castling(dead: str, slowly: bool, senses: c.Senses) -> None:
    steps = [("lift", "e1", ""), ("place", "g1", "K"), ("lift", "h1", ""), ("place", "f1", "R")]
    apart = 1500 if slowly else 200
    seen_of_it = [(kind, square, piece) for kind, square, piece in steps if square != dead]
    log = "; ".join(
        f"{1000 + i * apart} {kind} {square} {seen(piece, senses) if piece else ''}"
        for i, (kind, square, piece) in enumerate(seen_of_it)
    )
    assert with_dead(dead, f"{log}; 9000 press white", CASTLING, senses=senses) == ["e1g1"]


def test_nothing_shows_that_a_king_not_seen_was_touched_after_his_rook() -> None:
    log = "1000 lift h1; 1300 place g1; 1600 place f1; 4000 press white"
    assert with_dead("e1", log, CASTLING) == ["e1g1"]


@EACH_SENSE
@pytest.mark.parametrize("dead", ["e5", "d5", "d6"])
def test_a_capture_en_passant(dead: str, senses: c.Senses) -> None:
    steps = [("lift", "e5", ""), ("lift", "d5", ""), ("place", "d6", seen("P", senses))]
    log = "; ".join(
        f"{1000 + 300 * i} {kind} {square} {piece}" for i, (kind, square, piece) in enumerate(steps) if square != dead
    )
    assert with_dead(dead, f"{log}; 4000 press white", EN_PASSANT, senses=senses) == ["e5d6"]


# -- several ---------------------------------------------------------------------------------------------------------


def test_where_two_squares_are_dead_later_play_tells_to_which_of_them_he_went() -> None:
    log = "0 sensor e3 dead; 0 sensor e4 dead; 1000 lift e2; 3000 press white"
    log += "; 4000 lift d7; 5000 place d5; 6000 press black"
    events = play(log, clock=CLOCK)
    assert [event.moves for event in only(c.Ambiguous, events)] == [["e2e3", "e2e4"]]
    log += "; 7000 lift d5; 8000 place d5; 9000 press white"
    events = play(log, clock=CLOCK)
    assert record(events) == ["e2e4", "d7d5", "e4d5"]
    assert not accusations(events)
    assert [(done.uci, done.side) for done in only(c.Completed, events)][-1] == ("e4d5", "white")


def test_a_piece_may_come_from_either_of_two() -> None:
    fen = "4k3/3pp3/8/8/8/8/8/R3K2R w - - 0 1"
    log = "0 sensor a1 dead; 0 sensor h1 dead; 1000 place h8; 9000 time"
    assert record(play(log, fen, clock=CLOCK)) == ["h1h8"], "no other leads there"
    fen = "4k3/3pp3/8/8/8/8/4K3/R6R w - - 0 1"
    log = "0 sensor a1 dead; 0 sensor h1 dead; 1000 place d1; 3000 press white"
    events = play(log, fen, clock=CLOCK)
    assert [event.moves for event in only(c.Ambiguous, events)] == [["a1d1", "h1d1"]]
    assert not accusations(events)


# -- found out in the midst of a game --------------------------------------------------------------------------------


def test_what_it_said_of_the_turn_was_no_touch() -> None:
    log = "1000 lift a2; 9000 sensor a2 dead; 12000 lift e2; 12500 place e4; 13000 press white"
    events = play(log, clock=CLOCK)
    assert record(events) == ["e2e4"]
    assert [event.must for event in only(c.Obligation, events)] == ["move", "none", "move"]
    assert not accusations(events)


def test_a_piece_held_for_long_and_put_back_was_touched_after_all() -> None:
    log = "1000 lift a2; 9000 sensor a2 dead; 11000 place a2; 11000 sensor a2 works; 12000 lift e2; 12500 place e4"
    events = play(log, clock=CLOCK)
    assert [(event.kind, event.squares) for event in only(c.Violation, events)] == [("touch-move", ["a2", "e2"])]


def test_who_presses_while_another_piece_is_off_the_board_is_not_accused_before_it_is_set_down() -> None:
    """Its sensor may have failed under it: nobody moves and presses with another piece in his hand."""
    log = "1000 lift d2; 3000 lift a2; 3400 place a4; 3500 press white"
    assert not accusations(play(log, clock=CLOCK))
    set_down = play(f"{log}; 6000 place d2; 9000 time", clock=CLOCK)
    assert [(event.kind, event.squares) for event in only(c.Violation, set_down)] == [("touch-move", ["d2", "a2"])]


def test_a_sensor_that_fails_under_a_piece_is_found_out() -> None:
    """The knight stands where it stood while five moves are made."""
    log = "1000 lift e2; 1300 place e4; 1500 press white; 2000 lift b1; 3000 lift e7; 3300 place e5; 3500 press black"
    log += "; 4000 lift g1; 4300 place f3; 4500 press white; 5000 lift b8; 5300 place c6; 5500 press black"
    log += "; 6000 lift f1; 6300 place c4; 6500 press white; 9000 time"
    events = play(log, clock=CLOCK)
    assert record(events) == ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]
    assert [event.squares for event in only(c.Disbelieved, events)] == [["b1"]]
    assert not accusations(events)


def test_a_piece_of_the_opponents_that_is_off_while_a_move_is_completed_may_stand_there() -> None:
    log = "1000 lift e2; 1300 place e4; 1500 press white; 2000 lift f1; 3000 lift e7; 3300 place e5; 3500 press black"
    log += "; 4000 lift g1; 4300 place f3; 4500 press white; 5000 lift b8; 5300 place c6; 5500 press black; 9000 time"
    events = play(log, clock=CLOCK)
    assert record(events) == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert not accusations(events)


def test_what_was_not_explained_is_explained_once_it_is_known() -> None:
    """White moves there and Black replies, without a clock, before anybody knows."""
    log = "1000 lift e2; 3000 lift g8; 3500 place f6; 8000 sensor e4 dead; 20000 lift d2; 21000 place d3"
    assert record(play(log)) == ["e2e4", "g8f6", "d2d3"]


def test_the_board_is_restored_once_it_is_known() -> None:
    for scan, square in (("ffff00000000feff", "a2"), ("feff00000000ffff", "a8")):
        events = play(f"0 frame {scan}; 5000 sensor {square} dead", clock=CLOCK)
        assert [event.squares for event in only(c.Displaced, events)] == [[square]]
        assert [event.ms for event in only(c.Restored, events)] == [5000]


def test_once_mended_it_is_believed() -> None:
    log = "0 sensor e4 dead; 1000 place e4; 2000 lift e2; 3000 sensor e4 works; 9000 time"
    assert record(play(log, clock=CLOCK)) == ["e2e4"], "he stands there for all to see"
    log = "0 sensor e4 dead; 1000 sensor e4 works; 2000 lift e2; 3000 press white"
    assert [event.kind for event in only(c.Illegal, play(log, clock=CLOCK))] == ["no-move"]


def test_a_square_seen_again_decides_between_two() -> None:
    log = "0 sensor e3 dead; 0 sensor e4 dead; 1000 lift e2; 3000 press white; 4000 place e3; 4000 sensor e3 works"
    events = play(f"{log}; 20000 time", clock=CLOCK)
    assert record(events) == ["e2e3"]
    assert [done.uci for done in only(c.Completed, events)] == ["e2e3"]


@pytest.mark.parametrize("turned", [False, True])
def test_scans_go_on_over_it(turned: bool) -> None:
    """Also on a board that stands the other way round, where the square is named as the board names it."""
    board, moves = chess.Board(), ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5"]
    log = [f"0 sensor {'e4' if turned else 'd5'} dead", _scan(board.occupied, turned, 0)]
    for ms, uci in enumerate(moves, 1):
        lifted = board.occupied & ~chess.BB_SQUARES[chess.parse_square(uci[:2])]
        board.push_uci(uci)
        log.append(_scan(lifted, turned, 1000 * ms))
        log.append(_scan(board.occupied, turned, 1000 * ms + 500))
        log.append(f"{1000 * ms + 900} press {'white' if ms % 2 else 'black'}")
    events = play("; ".join(log), clock=CLOCK)
    assert record(events) == moves
    assert not accusations(events)


def _scan(occupied: int, turned: bool, ms: int) -> str:
    """A scan by a board on which the sensor of d5 sticks open."""
    occupied &= ~chess.BB_D5
    return f"{ms} frame {chess.flip_vertical(chess.flip_horizontal(occupied)) if turned else occupied:016x}"


def test_one_that_sticks_closed_makes_no_move_out_of_turn_of_the_reply() -> None:
    """White's pawn comes from f2, which never opens, and the queen takes at g3: she has not gone from h4 to f3."""
    fen = "r3k2r/8/8/8/7q/6P1/R4P2/4K3 w kq - 0 1"
    board = chess.Board(fen).occupied
    seen_at = {1000: board, 2000: board | chess.BB_F3}
    seen_at[2090] = seen_at[2000] & ~chess.BB_H4
    seen_at[2330] = seen_at[2090] & ~chess.BB_G3
    seen_at[2550] = seen_at[2090]
    shown, scans = board, []
    for ms in range(1000, 3000, 10):
        shown = seen_at.get(ms, shown)
        scans.append(f"{ms} frame {shown:016x}")
    assert not accusations(play("; ".join(scans), fen, clock=None))
