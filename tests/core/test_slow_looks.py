"""Edges of a board that looks at its squares seldom: what it shows after a press happened before it, perhaps."""

import json
from itertools import pairwise

import pytest
from guests import evening
from shorthand import CLOCK, accusations, only, play, record

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


def test_who_is_exchanged_for_another_at_one_look_has_left_before_that_one_came() -> None:
    taken = "7407 lift f3; 8007 lift e5; 8007 place e5 N; 8645 press white"
    reply = "9007 lift d7; 9607 place d6 p; 9755 press black"
    seen = OPENED.replace("e4;", "e4 P;").replace("e5;", "e5 p;").replace("f3;", "f3 N;").replace("c6;", "c6 n;")
    events = play(f"{seen} {taken}; {reply}", clock=CLOCK, senses="identity")
    assert (record(events)[-2:], accusations(events)) == (["f3e5", "d7d6"], [])
    assert only(c.Move, events)[-2].basis is None, "it was seen"


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
