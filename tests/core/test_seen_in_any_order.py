"""What was seen, in whatever order hands may do it: the new piece before the pawn, two presses at once, the next name
before the last move. Each log is the shortest of a game that hands of others played and that was once told wrongly.
"""

import chess
import pytest
from shorthand import CLOCK, accusations, inputs, only, play, record, session

from controller import contract as c
from controller.game import Game

TAKES = "r5k1/1P3ppp/8/8/8/8/5PPP/6K1 w - - 0 1"
TAKEN_AT_ONCE = "r5k1/1P6/8/8/8/8/8/4K3 w - - 0 1"
E2, E4 = chess.BB_E2, chess.BB_E4
NEW_PIECE_FIRST = "2000 lift a8; 2340 place a8; 3000 lift b7"


@pytest.mark.parametrize("laws", ["fide-2014", "fide-2018", "fide-2023"])
@pytest.mark.parametrize(("said", "uci"), [("", "b7a8q"), ("1000 choose white n; ", "b7a8n")])
def test_a_capture_by_promotion_may_begin_with_the_new_piece(laws: c.Edition, said: str, uci: str) -> None:
    events = play(f"{said}{NEW_PIECE_FIRST}; 3371 press white", TAKES, laws=laws, clock=CLOCK)
    assert record(events) == [uci]
    assert [(event.uci, event.ms) for event in only(c.Move, events)] == [(uci, 3371)]
    assert not accusations(events)


def test_without_a_clock_the_opponents_touch_shows_that_it_was_made() -> None:
    events = play(f"{NEW_PIECE_FIRST}; 3850 choose white r; 7000 adjust black; 7600 lift g8; 8200 place g8", TAKES)
    assert record(events) == ["b7a8r"]
    assert not accusations(events)


@pytest.mark.parametrize(
    ("log", "promoted"),
    [
        ("1000 place b8 Q; 2000 lift b7; 2180 lift b8; 2480 lift a8; 2780 place b8 r", "b7b8q"),
        ("1000 lift b7; 1300 place b8 P; 2300 lift b8; 3300 place b8 N; 3470 lift b8; 3700 lift a8; 4000 place b8 r",
         "b7b8n"),
    ],
    ids=["the new piece first", "the pawn first"],
)  # fmt: skip
def test_a_promoted_piece_may_be_taken_before_it_has_stood_for_a_release(log: str, promoted: str) -> None:
    events = play(log, TAKEN_AT_ONCE, senses="identity")
    assert record(events) == [promoted, "a8b8"]
    assert not accusations(events)


def test_who_promotes_next_may_say_to_what_while_the_opponents_pawn_stands_unnamed() -> None:
    both = "4k3/PP6/8/8/8/8/K2p4/8 w - - 0 1"
    white = "1000 lift a7; 1300 place a8; 2000 lift a8; 2100 choose white n; 2500 place a8"
    black = "4000 lift d2; 5000 place d1"
    events = play(f"{white}; {black}; 8000 choose white r; 9000 lift b7; 9300 place b8", both)
    assert [move[4:] for move in record(events)] == ["n", "q", "r"]


def test_no_press_makes_a_move_of_which_nothing_was_seen_by_then() -> None:
    """Both press within a moment, and seconds later comes a capture that shows nothing: it was not made then."""
    log = "1000 lift a7; 1400 place a5; 2000 lift c1; 2300 place b1; 3000 press black; 3040 press white"
    events = play(f"{log}; 8000 lift f7; 9000 press black", "r3k3/p4p2/6B1/8/8/8/8/2K5 b q - 0 5", clock=CLOCK)
    assert record(events) == ["a7a5", "c1b1", "f7g6"]
    assert not accusations(events)


def test_a_press_without_a_move_is_told_at_once_where_the_last_move_was_drawn_over_squares() -> None:
    """The queen's last step, seconds before the reply, is no move that followed the reply."""
    slide = "3526 lift d1; 3644 place c2; 3753 lift c2; 3849 place b3; 3956 lift b3; 4033 place a4; 4083 press white"
    log = f"{slide}; 10629 lift f5; 10898 place f4; 11699 press black; 16463 press white"
    fen = "rnbqkb1r/2p1p1pp/p6n/1p1P1p2/3P4/7P/PP1BPPP1/RN1QKBNR w KQkq - 0 6"
    game = Game(session(fen, laws="fide-2014", senses="occupancy", clock="180+2"))
    events = [event for item in inputs(log) for event in game.handle(item)]
    assert [(each.kind, each.ms) for each in only(c.Violation, events)] == [("clock-misuse", 16463)]


def test_nobody_is_pushed_to_where_another_stands() -> None:
    """Black ignores the check from d6, a square on which a pawn stood: nobody was pushed there from a7 or c7."""
    white = "1000 lift d6; 2191 lift b5; 3540 place d6; 6942 press white"
    log = f"{white}; 10605 lift h8; 11062 place h5; 11527 press black"
    fen = "4k2r/p1p5/b1qppQp1/1N6/1P2n3/7p/1PPnBP1P/2KR2R1 w k - 1 11"
    events = play(log, fen, laws="fide-2005", clock=CLOCK)
    assert record(events) == ["b5d6"]
    assert [(each.kind, each.side) for each in only(c.Illegal, events) if each.completed] == [("illegal-move", "black")]


def test_scans_far_apart_do_not_tell_which_of_king_and_rook_was_taken_first() -> None:
    fen = "r1bqk2r/ppp1bppp/1nn5/4p3/8/2NP1NP1/PP2PPBP/R1BQ1RK1 b kq - 0 8"
    start, rook, both, castled = "9df70610006cf36d", "1df70610006cf36d", "0df70610006cf36d", "6df70610006cf36d"
    scans = [start] * 8 + [rook] + [both] * 5 + [castled] * 12
    log = ";".join(f"{200 * number} frame {scan}" for number, scan in enumerate(scans))
    events = play(log, fen, laws="fide-2018")
    assert record(events) == ["e8g8"]
    assert not accusations(events)


def test_a_press_between_two_slow_scans_comes_after_what_the_next_one_shows() -> None:
    """Scans 200 ms apart, of which those are sent that show a change: the piece stood by the time of the press."""
    start = chess.Board().occupied
    shown = ((0, start), (600, start ^ E2), (800, start), (1000, start ^ E2))
    scans = "; ".join(f"{ms} frame {mask:016x}" for ms, mask in shown)
    events = play(f"{scans}; 1430 press white; 1600 frame {start ^ E2 ^ E4:016x}", clock=CLOCK)
    assert [(each.uci, each.ms) for each in only(c.Completed, events)] == [("e2e4", 1430)]
    assert not accusations(events)
