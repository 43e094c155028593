"""What the clock gives, in words; whether that is the play whose rules are set, and what was meant."""

import pytest

from controller.cli.hardware.foreseen import rate
from controller.contract import Play
from controller.game_details import EventConfig


@pytest.mark.parametrize(
    ("clock", "play", "words"),
    [
        ("40/5400+30:1800+30", "standard", "90 min and 30 s a move for 40 moves, then 30 min and 30 s a move"),
        ("180d3", "blitz", "3 min, the first 3 s of each move free"),
        ("*60", "blitz", "1 min, and what the other one uses"),
        ("60", "blitz", "1 min"),
        ("120+1", "blitz", "2 min and 1 s a move"),
        ("900+10", "rapid", "15 min and 10 s a move"),
    ],
)
def test_the_clock_is_said_in_words(clock: str, play: Play, words: str) -> None:
    (said,) = rate(EventConfig(clock=clock, play=play))
    assert (said.status, said.what) == ("ok", f"{clock} gives each player {words}")


def test_no_clock_gives_nothing() -> None:
    assert not [*rate(EventConfig())]


@pytest.mark.parametrize(
    ("clock", "play", "meant"),
    [
        ("90+30", "standard", "5400+30"),
        ("90+30", "rapid", "5400+30"),
        ("3+2", "blitz", "180+2"),
        ("15+10", "rapid", "900+10"),
        ("60", "standard", "3600"),
        ("40/90+30:30+30", "standard", "40/5400+30:1800+30"),
    ],
)
def test_minutes_where_seconds_are_meant_are_seen(clock: str, play: Play, meant: str) -> None:
    (said,) = rate(EventConfig(clock=clock, play=play))
    assert said.status == "warning"
    assert f"did you mean {meant}, " in said.what
    assert said.next_step == f'clock = "{meant}" in [event]'


def test_play_by_other_rules_than_the_clock_means_is_seen() -> None:
    (said,) = rate(EventConfig(clock="180+2"))
    assert said.status == "warning"
    assert said.what.endswith("by the Laws that is blitz play, and [event] play says standard")
    assert said.next_step == 'play = "blitz" in [event]'
