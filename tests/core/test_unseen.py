"""What the sensors did not show: swapped captures, lost scans, odd order; settled at once, or else by later play."""

from typing import get_args

import chess
import pytest
from shorthand import CLOCK, MIDDLEGAME, accusations, inputs, only, play, record, scan, session

from controller import contract as c
from controller.game import Game

EDITIONS: tuple[c.Edition, ...] = get_args(c.Edition)
OLD, NEW = EDITIONS[:3], EDITIONS[3:]

ONE_VICTIM = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
TWO_VICTIMS = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"


def frames(*positions: tuple[int, str]) -> str:
    """One scan of each position (a FEN's first field) at its time."""
    return "; ".join(f"{ms} frame {scan(chess.Board(f'{board} w - - 0 1'))}" for ms, board in positions)


# -- a capture swapped within one scan: the square of the piece taken is never seen empty ------------------------------


def test_with_one_candidate_the_press_settles_it() -> None:
    events = play("1000 lift e4; 2000 press white", ONE_VICTIM, clock=CLOCK)
    assert [(move.ms, move.uci) for move in only(c.Move, events)] == [(2000, "e4d5")]
    assert [done.uci for done in only(c.Completed, events)] == ["e4d5"]
    assert not accusations(events)


BISHOPS = "4k3/pppppppp/8/8/8/7b/PPPP4/4KB2 w - - 0 1"


@pytest.mark.parametrize("taken_up", [1700, 2800])
def test_who_sets_his_piece_down_where_it_may_not_go_and_takes_it_up_again_may_capture_with_it(taken_up: int) -> None:
    """What is put right before the press was no illegal move (7.5.1)."""
    log = f"1000 lift f1; 1500 place f2; {taken_up} lift f2; 3600 press white; 5000 lift e7; 5500 place e6; "
    events = play(log + "6000 press black", BISHOPS, clock=CLOCK)
    assert record(events) == ["f1h3", "e7e6"]
    assert [said for said in only(c.Illegal, events) if said.completed] == []


def test_but_with_nothing_to_capture_he_has_pressed_without_a_move() -> None:
    log = "1000 lift f1; 1500 place f2; 2800 lift f2; 3600 press white; 9000 time"
    events = play(log, BISHOPS.replace("7b", "8"), clock=CLOCK)
    assert (record(events), [said.kind for said in only(c.Illegal, events) if said.completed]) == ([], ["no-move"])


@pytest.mark.parametrize("meanwhile", ["", "3500 lift e8; 3900 place e8; 4400 lift e1; 4800 place e1; "])
def test_nor_does_an_arbiter_who_stops_the_clocks_before_the_press_unsettle_it(meanwhile: str) -> None:
    """The piece is still in the hand when the clocks run again; what others touch meanwhile is no part of the move."""
    log = f"1000 lift e4; 3000 arbiter pause; {meanwhile}6000 arbiter resume; 7000 press white; 9000 time"
    events = play(log, ONE_VICTIM, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e4d5"], [])


def test_but_a_piece_that_was_taken_up_while_they_stood_still_has_moved_nowhere() -> None:
    log = "2000 arbiter pause; 3000 lift e4; 6000 arbiter resume; 7000 press white; 9000 time"
    assert record(play(log, ONE_VICTIM, clock=CLOCK)) == []


@pytest.mark.parametrize("laws", NEW)
def test_the_piece_put_back_after_the_press_was_in_the_hand_and_nothing_was_moved(laws: c.Edition) -> None:
    events = play("1000 lift e4; 2000 press white; 4000 place e4", ONE_VICTIM, clock=CLOCK, laws=laws)
    assert record(events) == []
    assert [(said.kind, said.count) for said in only(c.Illegal, events)] == [("no-move", 1)]
    assert [said.moves for said in only(c.Obligation, events)][-1] == ["e4d5", "e4e5"]


@pytest.mark.parametrize("laws", EDITIONS)
def test_a_piece_from_beside_the_board_long_after_the_press_is_not_the_one_that_took(laws: c.Edition) -> None:
    """A child sets it down where the queen that has taken might have gone, too."""
    log = "1000 lift d1; 1600 lift d5; 2200 place d5; 3000 press white; 6000 place d3; 8200 lift d3"
    events = play(log, "4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", clock=CLOCK, laws=laws)
    assert record(events) == ["d1d5"]
    assert not accusations(events)
    assert only(c.Displaced, events)[0].squares == ["d3"]


@pytest.mark.parametrize("late_ms", [500, 1500])
def test_nor_is_it_soon_after_as_nobody_presses_with_his_piece_in_the_hand(late_ms: int) -> None:
    log = f"1000 lift e4; 1600 lift d5; 1900 place d5; 3000 press white; {3000 + late_ms} place e5; 9000 time"
    events = play(log, ONE_VICTIM, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e4d5"], [])
    assert only(c.Displaced, events)[0].squares == ["e5"]


def test_nor_where_the_piece_that_took_came_from() -> None:
    """One from the box looks as if he had been put back who was released there, and pressed."""
    log = "1000 lift e4; 1600 lift d5; 2500 place d5; 3300 press white; 5000 place e4; 5600 lift e4; 9000 time"
    events = play(log, ONE_VICTIM, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e4d5"], [])
    assert not only(c.Retract, events)


def test_without_a_clock_nor_is_it_long_after_he_was_released() -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 0 3"
    log = "1000 lift e5; 1300 lift f3; 1700 place e5; 9000 place g5; 11000 lift g5; 12000 lift a7; 13000 place a6"
    events = play(log, fen)
    assert (record(events), accusations(events)) == (["f3e5", "a7a6"], [])


@pytest.mark.parametrize("every_ms", [50, 90, 120])
def test_on_a_board_that_sends_its_scans_who_takes_has_left_before_he_stands_there(every_ms: int) -> None:
    """A sleeve brushes the pawn, and only then is the queen taken up, who passes the king and goes elsewhere."""
    start, brushed = "3k4/8/8/8/p7/8/8/Q3K3", "3k4/8/8/8/8/8/8/Q3K3"
    gone, passing, moved = "3k4/8/8/8/p7/8/8/4K3", "8/8/8/8/p7/8/8/4K3", "3k4/8/8/8/p7/8/8/1Q2K3"
    shown = [start] * 12 + [brushed, start] + [gone] * 3 + [passing] * 2 + [gone] * 2 + [moved] * 8
    log = frames(*[(number * every_ms, position) for number, position in enumerate(shown)])
    events = play(f"{log}; {len(shown) * every_ms} press white", f"{start} w - - 0 1", clock=CLOCK)
    assert [move.uci for move in only(c.Move, events)] == ["a1b1"]
    assert not accusations(events)


@pytest.mark.parametrize("laws", OLD)
def test_up_to_2014_that_was_misuse_of_the_clock(laws: c.Edition) -> None:
    log = "1000 lift e4; 2000 press white; 4000 place e4; 6000 lift e4; 7000 place e5; 9000 time"
    events = play(log, ONE_VICTIM, clock=CLOCK, laws=laws)
    assert ([said.kind for said in only(c.Violation, events)], only(c.Illegal, events)) == (["clock-misuse"], [])
    assert record(events) == ["e4e5"]
    assert [done.uci for done in only(c.Completed, events)] == ["e4d5"], "the press completes nothing that comes later"


@pytest.mark.parametrize("laws", NEW)
def test_the_piece_set_down_elsewhere_long_after_the_press_was_in_the_hand_too_and_has_moved_now(
    laws: c.Edition,
) -> None:
    log = "1000 lift e4; 2000 press white; 4000 place e5; 6000 lift e8; 7000 place e7; 8000 press black"
    events = play(log, ONE_VICTIM, clock=CLOCK, laws=laws)
    assert record(events) == ["e4e5", "e8e7"]
    assert [said.kind for said in only(c.Illegal, events)] == ["no-move"]


def test_the_piece_whom_a_slow_board_shows_to_land_just_after_the_press_had_landed_before_it() -> None:
    events = play("1000 lift e4; 2000 press white; 2400 place e5", ONE_VICTIM, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e4e5"], [])
    assert only(c.Completed, events)[-1].uci == "e4e5"


def test_without_a_clock_the_reply_settles_it() -> None:
    events = play("1000 lift e4; 4000 lift e8; 5000 place e7", ONE_VICTIM)
    assert record(events) == ["e4d5", "e8e7"]
    assert not accusations(events)


def test_until_something_settles_it_the_piece_is_in_hand() -> None:
    assert record(play("1000 lift e4; 60000 time", ONE_VICTIM)) == []


@pytest.mark.parametrize("senses", ["colour", "identity"])
@pytest.mark.parametrize("held", ["1000 lift e4", "1000 lift e4; 1500 lift d5"])
def test_a_board_that_tells_pieces_apart_would_have_seen_the_swap(senses: c.Senses, held: str) -> None:
    events = play(f"{held}; 2000 press white", ONE_VICTIM, senses=senses, clock=CLOCK)
    assert record(events) == []
    assert [event.kind for event in only(c.Illegal, events)] == ["no-move"]


@pytest.mark.parametrize(
    ("reply", "taken"), [("4000 lift d5; 5000 place d4", "e4f5"), ("4000 lift f5; 5000 place f4", "e4d5")]
)
def test_with_two_candidates_later_play_settles_it(reply: str, taken: str) -> None:
    events = play(f"1000 lift e4; 2000 press white; {reply}; 6000 press black", TWO_VICTIMS, clock=CLOCK)
    assert [event.moves for event in only(c.Ambiguous, events)] == [["e4d5", "e4f5"]]
    assert record(events)[0] == taken
    assert len(record(events)) == 2
    assert not accusations(events)


def test_the_press_counts_for_the_move_that_was_not_known_then() -> None:
    log = "1000 lift e4; 2000 press white; 4000 lift d5; 5000 place d4; 6000 press black"
    white, black = only(c.Completed, play(log, TWO_VICTIMS, clock=CLOCK))
    assert (white.uci, white.white_ms) == ("e4f5", 5_430_000 - 2_000 + 30_000)
    assert (black.uci, black.black_ms) == ("d5d4", 5_430_000 - 4_000 + 30_000)


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_a_board_that_tells_colours_sees_the_swap(senses: c.Senses) -> None:
    piece = "w" if senses == "colour" else "P"
    events = play(f"1000 lift e4; 1000 place d5 {piece}", TWO_VICTIMS, senses=senses)
    assert [(move.ms, move.uci) for move in only(c.Move, events)] == [(1400, "e4d5")]


# -- captures that look like nothing, or prove to be none ------------------------------------------------------------


def test_a_victims_square_filled_again_with_the_taker_in_hand_is_a_capture() -> None:
    events = play("1000 lift f3; 2000 lift e5; 2500 place e5", MIDDLEGAME)
    assert record(events) == ["f3e5"]


def test_and_it_is_retracted_when_the_taker_goes_elsewhere() -> None:
    events = play("1000 lift f3; 2000 lift e5; 2500 place e5; 4000 place g5", MIDDLEGAME)
    assert [event.uci for event in only(c.Retract, events)] == ["f3e5"]
    assert record(events) == ["f3g5"]
    assert [event.kind for event in only(c.Violation, events)] == ["touch-move"]


def test_or_goes_home() -> None:
    events = play("1000 lift f3; 2000 lift e5; 2500 place e5; 4000 place f3", MIDDLEGAME)
    assert record(events) == []
    assert only(c.Obligation, events)[-1].moves == ["f3e5"]


def test_where_nobody_in_hand_could_take_a_press_makes_it_an_illegal_move() -> None:
    events = play("1000 lift c4; 2000 lift e5; 2500 place e5; 4000 press white", MIDDLEGAME, clock=CLOCK)
    assert [event.kind for event in only(c.Illegal, events)] == ["illegal-move"]


# -- lost scans and odd order ----------------------------------------------------------------------------------------


def test_a_whole_move_between_two_scans_is_a_move() -> None:
    log = frames((0, "4k3/8/8/8/8/8/4P3/4K3"), (200, "4k3/8/8/8/4P3/8/8/4K3"))
    assert record(play(log, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")) == ["e2e4"]


def test_two_whole_moves_between_two_scans_are_two_moves() -> None:
    log = frames((0, "4k3/4p3/8/8/8/8/4P3/4K3"), (200, "4k3/8/8/4p3/4P3/8/8/4K3"), (9000, "4k3/8/8/4p3/4P3/8/8/4K3"))
    assert record(play(log, "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")) == ["e2e4", "e7e5"]


def test_a_piece_lifted_between_scans_and_put_down_in_a_later_one() -> None:
    log = frames((0, "4k3/8/8/8/8/8/8/4KB2"), (200, "4k3/8/8/8/8/8/8/4K3"), (400, "4k3/8/8/1B6/8/8/8/4K3"))
    assert record(play(log, "4k3/8/8/8/8/8/8/4KB2 w - - 0 1")) == ["f1b5"]


def test_who_presses_has_set_down_what_closed_just_then() -> None:
    """Sooner than a reading must hold to be believed."""
    board = "4k3/8/8/8/8/8/4P3/4K3"
    log = frames((0, board), (200, "4k3/8/8/8/8/8/8/4K3"), (500, "4k3/8/8/8/4P3/8/8/4K3"))
    events = play(f"{log}; 505 press white", f"{board} w - - 0 1", clock=CLOCK)
    assert [(done.ms, done.uci) for done in only(c.Completed, events)] == [(505, "e2e4")]
    assert not accusations(events)


@pytest.mark.parametrize("press", [481, 484, 485, 486, 499, 500, 501])
def test_a_press_between_two_scans_is_judged_by_what_the_next_one_shows(press: int) -> None:
    """A board looked at each 5 ms: at 485 the pawn stands on e4."""
    before, in_hand, after = (f"4k3/8/8/8/{e4}/8/{e2}/4K3" for e4, e2 in (("8", "4P3"), ("8", "8"), ("4P3", "8")))
    scans = [(ms, before if ms < 200 else in_hand if ms < 485 else after) for ms in range(0, 600, 5)]
    log = [f"{frames(*[each for each in scans if each[0] < press])}; {press} press white"]
    log.append(frames(*[each for each in scans if each[0] >= press]))
    events = play("; ".join(log), f"{before} w - - 0 1", clock=CLOCK)
    assert [(done.ms, done.uci) for done in only(c.Completed, events)] == [(press, "e2e4")]
    assert not accusations(events)


def test_a_press_waits_for_no_scan_that_does_not_come() -> None:
    board = "4k3/8/8/8/8/8/4P3/4K3"
    game = Game(session(fen=f"{board} w - - 0 1", clock=CLOCK))
    for item in inputs(f"{frames((0, board), (5, board), (10, board))}; 12 press white"):
        assert game.deadline is None or game.deadline > item.ms
        events = game.handle(item)
    assert not only(c.Illegal, events)
    assert game.deadline == 18, "5 ms after the press the next scan would have come"
    (said,) = only(c.Illegal, game.handle(c.Time(ms=18)))
    assert (said.ms, said.kind) == (12, "no-move")


def test_who_presses_long_before_his_piece_lands_has_made_no_move() -> None:
    before, in_hand, after = (f"4k3/8/8/8/{e4}/8/{e2}/4K3" for e4, e2 in (("8", "4P3"), ("8", "8"), ("4P3", "8")))
    scans = [(ms, before if ms < 200 else in_hand if ms < 485 else after) for ms in range(0, 600, 5)]
    log = [frames(*[each for each in scans if each[0] < 451]), "451 press white"]
    log.append(frames(*[each for each in scans if each[0] >= 451]))
    events = play("; ".join(log), f"{before} w - - 0 1", clock=CLOCK)
    # Until then a sensor on e3 or e4 may have failed to show it.
    assert [(said.ms, said.kind) for said in only(c.Illegal, events)] == [(885, "no-move")]


def test_a_scan_that_flickers_is_not_seen() -> None:
    board = "4k3/8/8/8/8/8/4P3/4K3"
    log = frames((0, board), (200, "4k3/8/8/8/8/8/8/4K3"), (205, board), (5000, board))
    assert play(log, f"{board} w - - 0 1") == []


def test_the_destination_may_be_reported_before_the_origin() -> None:
    events = play("1000 place f3; 1050 lift g1")
    assert record(events) == ["g1f3"]
    assert not only(c.Displaced, events)


@pytest.mark.parametrize("back", [1060, 1800])
def test_a_piece_who_stood_on_his_square_again_is_not_the_one_set_down_later(back: int) -> None:
    """The rook brushed or touched, then castling over an attacked square: that is no move of the rook to g1."""
    log = f"1000 lift h1; {back} place h1; 4000 lift e1; 5500 place g1; 7000 lift h1; 8500 place f1; 10000 press white"
    events = play(log, "4k3/8/b7/8/8/8/3P1PPP/R3K2R w KQ - 0 1", clock=CLOCK)
    assert record(events) == []
    assert [event.uci for event in only(c.Illegal, events) if event.completed] == ["e1g1"]
    assert not only(c.Violation, events)


def test_sliding_over_other_squares_is_one_move() -> None:
    log = "1000 lift c1; 1100 place d2; 1180 lift d2; 1200 place e3; 1280 lift e3; 1300 place f4"
    events = play(log, "4k3/7p/8/8/8/8/8/2B1K3 w - - 0 1")
    assert record(events) == ["c1f4"]
    assert not only(c.Retract, events)


def test_a_quick_reply_shows_that_the_move_before_it_was_released() -> None:
    events = play("1000 lift f3; 1200 lift e5; 1300 place e5; 1400 lift c6; 1450 lift e5; 1700 place e5", MIDDLEGAME)
    assert record(events) == ["f3e5", "c6e5"]
    assert [move.ms for move in only(c.Move, events)] == [1400, 2100]


def test_a_piece_taken_in_a_flash_before_the_press_had_moved() -> None:
    """Lifted a moment after he was set down, while his player reaches for the clock: no slide ends with a press."""
    log = "1000 lift f3; 1400 place d4; 1450 lift d4; 1490 press white; 1700 lift c6; 2000 place d4; 2300 press black"
    events = play(log, MIDDLEGAME, clock="180")
    assert record(events) == ["f3d4", "c6d4"]
    assert not only(c.Ambiguous, events)


# -- what is no move -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_kings_put_to_the_centre_are_no_move(senses: c.Senses) -> None:
    """A result sign: on d5 and e4 as Black has won, or after a draw."""
    white, black = {"occupancy": ("", ""), "colour": ("w", "b"), "identity": ("K", "k")}[senses]
    log = f"1000 lift e1; 1500 place e4 {white}; 2000 lift e8; 2500 place d5 {black}; 9000 time"
    events = play(log, MIDDLEGAME, senses=senses)
    assert record(events) == []
    assert not only(c.Result, events)


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
def test_a_piece_knocked_over_and_put_back_is_displaced_and_restored(senses: c.Senses) -> None:
    piece = "b" if senses == "identity" else ""
    events = play(f"1000 lift c5 side=black; 8000 place c5 {piece} side=black", MIDDLEGAME, senses=senses)
    assert [(event.ms, event.squares) for event in only(c.Displaced, events)] == [(1400, ["c5"])]
    assert [event.ms for event in only(c.Restored, events)] == [8000]
    assert record(events) == []
    assert not only(c.Touch, events)


def test_an_extra_piece_is_displaced_until_it_is_gone() -> None:
    events = play("1000 place h6; 5000 lift h6; 6000 lift d2; 7000 place d3", MIDDLEGAME)
    assert [event.squares for event in only(c.Displaced, events)] == [["h6"]]
    assert [event.ms for event in only(c.Restored, events)] == [5000]
    assert record(events) == ["d2d3"]
