"""Edges of a board that looks at its squares seldom: what it shows after a press happened before it, perhaps."""

import json
from itertools import pairwise

import chess
import pytest
from guests import evening
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c
from controller.game import Game
from controller.wire import decode_input, decode_session, encode

OPENED = (
    "1007 lift e2; 1607 place e4; 1744 press white; 2407 lift e7; 2807 place e5; 2961 press black;"
    "4207 lift g1; 4807 place f3; 4932 press white; 5607 lift b8; 6207 place c6; 6318 press black;"
)
"""It looks every 200 ms, and nobody presses just then."""


def test_a_move_that_the_next_look_shows_was_made_before_the_press() -> None:
    events = play(f"{OPENED} 7407 lift f1; 7630 press white; 7807 place c4", clock=CLOCK)
    assert (record(events)[-1], only(c.Completed, events)[-1].ms) == ("f1c4", 7630)
    assert not accusations(events)


def test_so_it_was_on_a_board_that_looks_three_times_a_second() -> None:
    opened = (
        "1006 lift e2; 1672 place e4; 1744 press white; 2338 lift e7; 3004 place e5; 3161 press black;"
        "4336 lift g1; 5002 place f3; 5132 press white; 5668 lift b8; 6334 place c6; 6518 press black;"
    )
    events = play(f"{opened} 7333 lift f1; 7830 press white; 7999 place c4", clock=CLOCK)
    assert (record(events)[-1], only(c.Completed, events)[-1].ms) == ("f1c4", 7830)
    assert not accusations(events)


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("late_ms", [35, 100, 200])
def test_so_it_was_while_nobody_knows_yet_how_often_it_looks(late_ms: int, senses: c.Senses) -> None:
    """The first move of a game."""
    log = f"1000 lift e2; 1100 press white; {1100 + late_ms} place e4 {seen('P', senses)}; 3000 lift e7"
    events = play(log, clock=CLOCK, senses=senses)
    assert [(done.uci, done.ms) for done in only(c.Completed, events)] == [("e2e4", 1100)]
    assert not accusations(events)


@pytest.mark.parametrize("then", ["", "1190 lift a7; 1700 place a7", "1400 place e4", "1190 place e5", "1190 place e2"])
def test_who_presses_with_a_piece_in_his_hand_is_told_a_moment_later(then: str) -> None:
    """Whatever comes then but the move, or if the move comes later than any board looks."""
    (said,) = only(c.Illegal, play(f"1000 lift e2; 1100 press white; {then}", clock=CLOCK))
    assert (said.side, said.kind, said.ms) == ("white", "no-move", 1100)


def test_a_board_that_is_known_to_look_often_shows_at_once_what_stood_there() -> None:
    often = c.Sensors(lost=0.002, scan_ms=5)
    log = "1000 lift e2; 1100 press white; {} place e4; 3000 lift e7"
    assert accusations(play(log.format(1110), clock=CLOCK, sensors=often))
    assert not accusations(play(log.format(1105), clock=CLOCK, sensors=often))


@pytest.mark.parametrize("again", ["press white", "draw white offer", "adjust black"])
def test_what_is_said_or_pressed_again_before_that_look_is_heard_after_the_press(again: str) -> None:
    """The clock of who has pressed stands already."""
    first = (
        f"1000 lift e2; 1100 press white; 1150 {again}; 1200 place e4; 3000 lift e7; 3200 place e5; 3300 press black"
    )
    known = f"{OPENED} 7407 lift f1; 7630 press white; 7680 {again}; 7807 place c4"
    for log, move in (first, "e2e4"), (known, "f1c4"):
        events = play(log, clock=CLOCK)
        assert move in record(events)
        assert not only(c.Illegal, events)


@pytest.mark.parametrize("late_ms", [50, 200])
def test_the_pawn_leaves_at_the_next_look_whose_queen_stood_there_before_the_press(late_ms: int) -> None:
    log = f"3000 place a8 Q; 3150 press white; {3150 + late_ms} lift a7"
    events = play(log, "8/P6k/8/8/8/8/6K1/8 w - - 0 1", clock=CLOCK, senses="identity")
    assert [(done.uci, done.ms) for done in only(c.Completed, events)] == [("a7a8q", 3150)]
    assert not accusations(events)


def test_a_pawn_that_stays_is_told() -> None:
    log = "3000 place a8 Q; 3150 press white; 3500 lift a7"
    (said,) = only(c.Illegal, play(log, "8/P6k/8/8/8/8/6K1/8 w - - 0 1", clock=CLOCK, senses="identity"))
    assert said.kind == "unfinished-promotion"


def test_what_the_look_after_that_shows_was_not() -> None:
    events = play(f"{OPENED} 7607 lift f1; 7745 press white; 8007 place c4", clock=CLOCK)
    assert accusations(events)


def test_what_the_opponent_takes_up_once_the_move_stands_he_takes_up_after_the_press() -> None:
    events = play(f"{OPENED} 7607 lift f1; 7807 place c4; 7945 press white; 8007 lift g8; 8407 place f6", clock=CLOCK)
    assert [touch.since_ms or touch.ms for touch in only(c.Touch, events)][-1] == 8007
    assert not accusations(events)


def test_who_is_off_his_square_at_one_look_alone_is_brushed() -> None:
    brushed = "7607 lift d2; 7807 place d2; 8607 lift f1; 9007 place c4; 9145 press white"
    assert not accusations(play(f"{OPENED} {brushed}", clock=CLOCK))
    touched = brushed.replace("7807", "8207")
    assert [each.kind for each in only(c.Violation, play(f"{OPENED} {touched}", clock=CLOCK))] == ["touch-move"]


def test_nobody_is_accused_by_a_brush_that_may_have_been_the_first_touch() -> None:
    """White takes up his pawn on d2 again, which one look showed off its square before he had touched another."""
    then = "8607 lift c2; 9407 place c2; 10607 lift {0}2; 11207 place {0}4; 11745 press white"
    brushed = f"{OPENED} 7607 lift d2; 7807 place d2; {then}"
    events = play(brushed.format("d"), clock=CLOCK)
    assert (record(events)[-1], accusations(events)) == ("d2d4", [])
    for told in brushed.format("h"), f"{OPENED} {then}".format("d"):
        assert [each.kind for each in only(c.Violation, play(told, clock=CLOCK))] == ["touch-move"]


def test_who_is_exchanged_for_another_at_one_look_has_left_before_that_one_came() -> None:
    taken = "7407 lift f3; 8007 lift e5; 8007 place e5 N; 8645 press white"
    reply = "9007 lift d7; 9607 place d6 p; 9755 press black"
    opened = OPENED.replace("e4;", "e4 P;").replace("e5;", "e5 p;").replace("f3;", "f3 N;").replace("c6;", "c6 n;")
    events = play(f"{opened} {taken}; {reply}", clock=CLOCK, senses="identity")
    assert (record(events)[-2:], accusations(events)) == (["f3e5", "d7d6"], [])
    assert only(c.Move, events)[-2].basis is None, "it was seen"


def test_a_board_that_was_away_for_a_moment_looks_as_seldom_as_before() -> None:
    """Three times a second; its looks go on 37 ms out of step."""
    log, ms = [], 1006
    pairs = ["g1f3", "b8c6", "f3g1", "c6b8"] * 3
    for number, move in enumerate(pairs, 1):
        side = "white" if number % 2 else "black"
        log.append(f"{ms} lift {move[:2]}; {ms + 666} place {move[2:]}; {ms + 729 + number} press {side};")
        ms += 1665 + 37 * (number == 11)
    events = play(f"{' '.join(log)} {ms} lift e2; {ms + 345} press white; {ms + 666} place e4", clock=CLOCK)
    assert (record(events)[-1], only(c.Completed, events)[-1].ms) == ("e2e4", ms + 345)
    assert not accusations(events)


def test_presses_that_fall_on_the_beat_say_nothing_of_it() -> None:
    """As of a log that somebody has written by hand."""
    log = OPENED
    for off, on in (("1744", "1807"), ("2961", "3007"), ("4932", "5007"), ("6318", "6407")):
        log = log.replace(off, on)
    events = play(f"{log} 7407 lift f1; 7630 press white; 8107 place c4", clock=CLOCK)
    assert accusations(events)


@pytest.mark.parametrize("seed", range(3))
def test_who_is_told_of_time_meanwhile_hears_the_same(seed: int) -> None:
    lines = [json.dumps(line) for line in evening.by_looks(seed, evening.SENSES[seed], "fide-2023")[1]]
    items = [decode_input(line) for line in lines[1:]]
    alone, live = Game(decode_session(lines[0])), Game(decode_session(lines[0]))
    expected = [event for item in items for event in alone.handle(item)] + alone.finish()
    told = live.handle(items[0])
    for before, item in pairwise(items):
        told += [event for ms in range(before.ms + 37, item.ms, 37) for event in live.handle(c.Time(ms=ms))]
        told += live.handle(item)
    assert [encode(event) for event in told + live.finish()] == [encode(event) for event in expected]


def test_what_nothing_shows_ends_no_game_that_leaves_a_piece_without_a_reason() -> None:
    """A knight on b5 has left its king in check; or it has taken the rook unseen, and what stands on b5 came from
    nowhere. The latter costs as much once the game would be over."""
    kings = chess.Board("4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1")
    game = Game(c.Session(version=1, fen=kings.fen(), clock=CLOCK))
    events: list[c.AnyEvent] = []
    for ms in range(0, 12_000, 100):
        off = chess.BB_C3 * (ms >= 1000) | chess.BB_B5 * (ms >= 1800)
        events += game.handle(c.Frame(ms=ms, occupied=f"{kings.occupied ^ off:016x}"))
        events += game.handle(c.Press(ms=3003, side="white")) if ms == 3000 else []
    assert not only(c.Move, events)
    assert not only(c.Result, events)
