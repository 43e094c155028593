"""What comes from a queue is an event, a head or an answer; all else is kept with why it makes no sense."""

import json

import pytest

from controller.archive.heard import Foreign, GoneAnswer, QueuedEvent, QueuedHead, VenueBoard, read

KEY = "jadoube.v1.hall.board.7.event"
MOVE = {"seq": 9, "game": "g", "ply": 1, "after": 6, "origin": "ab", "type": "move", "uci": "e2e4", "ms": 5}


def test_an_event_is_what_the_journal_has_and_where_it_belongs() -> None:
    event = read(KEY, json.dumps(MOVE).encode())
    assert event == QueuedEvent(
        VenueBoard("hall", "board/7"), "ab", 9, 6, "g", {"ply": 1, "type": "move", "uci": "e2e4", "ms": 5}
    )


def test_one_that_is_told_again_is_the_same() -> None:
    assert read(KEY, json.dumps(MOVE | {"replayed": True}).encode()) == read(KEY, json.dumps(MOVE).encode())


def test_a_head_says_how_far_a_board_is() -> None:
    head = {"seq": 9, "hash": "00ff", "last": 8, "origin": "ab", "game": None, "ply": 0}
    assert read("jadoube.v1.hall.match.2.head", json.dumps(head).encode()) == QueuedHead(
        VenueBoard("hall", "match/2"), "ab", 9, b"\0\xff", 8
    )


def test_an_answer_may_say_what_a_board_has_let_go() -> None:
    answer = {"type": "done", "seq": 9}
    assert read(KEY, json.dumps(answer).encode()) is None
    assert read(KEY, json.dumps(answer | {"gone": {"first": 1, "last": 5}}).encode()) == GoneAnswer(
        VenueBoard("hall", "board/7"), 1, 5
    )


def test_a_dot_in_a_name_is_a_slash_to_the_broker() -> None:
    event = read("jadoube.v1.st/denis.board.7.event", json.dumps(MOVE).encode())
    assert isinstance(event, QueuedEvent)
    assert event.place.venue == "st.denis"
    assert event.place.topic("replay") == "jadoube.v1.st/denis.board.7.replay"


@pytest.mark.parametrize(
    ("key", "payload"),
    [
        ("something.else", b"{}"),
        (KEY, b"\xff"),
        (KEY, b"[" * 100_000),
        (KEY, b'{"type": "move"}'),
        (KEY, b'{"type": "game", "seq": 1, "game": "g", "after": 0, "origin": "a"}'),
        ("jadoube.v1.hall.board.7.head", b'{"seq": 1, "hash": "zz", "last": 1, "origin": "a"}'),
    ],
)
def test_what_makes_no_sense_is_kept_with_why(key: str, payload: bytes) -> None:
    heard = read(key, payload)
    assert isinstance(heard, Foreign)
    assert (heard.topic, heard.payload) == (key, payload)
    assert heard.why
