"""Rates and what is made of them: costs that follow from what a board loses and how often it looks, and a session that
says so."""

from itertools import pairwise

import pytest

from controller import contract as c
from controller.errors import LogError
from controller.game import Game
from controller.sensing import costs
from controller.sensing.costs import REPORTED, SCANNED, nats, rates, swapped
from controller.wire import decode_input, decode_session, encode

SHARES = [0.0005, 0.002, 0.01, 0.05, 0.13, 0.3, 0.5]
EVERY_MS = [1, 5, 20, 41, 100, 150, 225, 400]
EVERY_EDGE = [share for share in SHARES if share <= 0.01]
"""The shares that a board may lose which is said to send every edge."""


@pytest.mark.parametrize("scan_ms", EVERY_MS)
def test_the_more_a_board_loses_the_cheaper_it_is_to_believe_that_it_did(scan_ms: float) -> None:
    for less, more in pairwise(rates(share, scan_ms) for share in SHARES):
        assert less.lost > more.lost
        assert less.again > more.again
        assert less.wrong > more.wrong
        assert less.swapped > more.swapped


@pytest.mark.parametrize("lost", SHARES)
def test_the_less_often_a_board_looks_the_cheaper_is_a_capture_that_it_has_not_shown(lost: float) -> None:
    for often, seldom in pairwise(rates(lost, scan_ms) for scan_ms in EVERY_MS):
        assert often.swapped >= seldom.swapped
        unaltered = often.lost, often.again, often.wrong, often.stuck
        assert unaltered == (seldom.lost, seldom.again, seldom.wrong, seldom.stuck)
    assert rates(lost, 20).swapped > rates(lost, 41).swapped


@pytest.mark.parametrize("lost", SHARES)
@pytest.mark.parametrize("scan_ms", EVERY_MS)
def test_costs_are_what_they_are_said_to_be(lost: float, scan_ms: float) -> None:
    """Negative logarithms of rates, and a second edge in the same gap is never dearer than the first."""
    found = rates(lost, scan_ms)
    assert found.lost == pytest.approx(nats(lost))
    assert found.swapped >= 0
    assert found.wrong >= 0
    assert found.again < found.lost


def test_as_many_captures_are_taken_to_be_hidden_as_the_recordings_show() -> None:
    """15 of 20 in two recordings of boards that look every 200 to 250 ms; at 50 looks a second no more than are pushed
    off their square, and those however often a board looks."""
    assert swapped(225) == pytest.approx(16 / 22, abs=0.01)
    assert swapped(200) < 16 / 22 < swapped(250)
    assert swapped(costs.OPEN_MS) == swapped(1) == costs.SLID >= 0.07
    assert all(costs.SLID <= swapped(scan_ms) < 1 for scan_ms in EVERY_MS)


@pytest.mark.parametrize("lost", EVERY_EDGE)
@pytest.mark.parametrize("scan_ms", [1, 5, 20])
def test_a_board_that_sends_every_edge_talks_no_press_away(lost: float, scan_ms: float) -> None:
    found = rates(lost, scan_ms)
    assert found.lost + found.wrong > costs.UNFINISHED, "an edge lost, and a square wrong"
    assert found.lost + found.again > costs.NO_MOVE, "a move of which nothing was seen"
    assert nats(0.1) < found.swapped <= nats(0.07), "hands push who is taken off his square"


def test_those_of_a_board_that_nobody_measured_are_among_them() -> None:
    assert rates(0.002, 5) == REPORTED
    assert SCANNED.lost < REPORTED.lost
    assert SCANNED.swapped < REPORTED.swapped


# -- a session that says what was measured ---------------------------------------------------------------------------

LIFT_LOST = """
{"type":"place","ms":1500,"square":"e4"}
{"type":"press","ms":2500,"side":"white"}
{"type":"lift","ms":4000,"square":"e7"}
{"type":"place","ms":4500,"square":"e5"}
{"type":"press","ms":5500,"side":"black"}
{"type":"lift","ms":8000,"square":"g1"}
{"type":"place","ms":8400,"square":"f3"}
{"type":"press","ms":9500,"side":"white"}
"""
"""A pawn stands on e4, and on e2 one is seen still."""


def judged(session: str, log: str = LIFT_LOST) -> list[c.AnyEvent]:
    game = Game(decode_session(session))
    return [event for line in log.split() for event in game.handle(decode_input(line))] + game.finish()


def session_of(sensors: str = "") -> str:
    return f'{{"type":"session","version":1,"clock":"300"{sensors}}}'


def moves(events: list[c.AnyEvent]) -> list[str]:
    return [event.uci for event in events if isinstance(event, c.Move)]


@pytest.mark.parametrize(("lost", "sticks"), [(0.002, True), (0.01, True), (0.03, False), (0.1, False), (0.3, False)])
def test_a_session_says_how_easily_an_edge_is_lost(lost: float, sticks: bool) -> None:
    """On a board that loses next to none, it is the sensor of e2 that does not work."""
    events = judged(session_of(f',"sensors":{{"lost":{lost},"scan_ms":5}}'))
    assert moves(events) == ["e2e4", "e7e5", "g1f3"]
    assert not [event for event in events if isinstance(event, c.Illegal)]
    disbelieved = [event.squares for event in events if isinstance(event, c.Disbelieved)]
    assert disbelieved == ([["e2"]] if sticks else [])


def test_a_session_that_says_nothing_is_that_of_a_board_that_sends_every_edge() -> None:
    assert judged(session_of()) == judged(session_of(',"sensors":{"lost":0.002,"scan_ms":5}'))


def test_a_session_that_says_nothing_is_written_as_ever() -> None:
    assert b"sensors" not in encode(c.Session(version=1))
    told = c.Session(version=1, sensors=c.Sensors(lost=0.01, scan_ms=5.0))
    assert decode_session(encode(told)) == told


@pytest.mark.parametrize(
    ("sensors", "wrong"),
    [
        ('{"lost":0,"scan_ms":5}', "$.sensors.lost"),
        ('{"lost":0.6,"scan_ms":5}', "$.sensors.lost"),
        ('{"lost":0.01,"scan_ms":0}', "$.sensors.scan_ms"),
        ('{"lost":0.01}', "scan_ms"),
        ('{"lost":0.01,"scan_ms":5,"bounces":1}', "bounces"),
    ],
)
def test_sensors_that_make_no_sense_are_refused(sensors: str, wrong: str) -> None:
    with pytest.raises(LogError) as caught:
        decode_session(session_of(f',"sensors":{sensors}'))
    assert wrong in caught.value.what
