"""What the clock gives, in words, and whether that is the play whose rules are set."""

import pytest

from controller.cli.bench.rate import play, rate
from controller.contract import Edition, Play
from controller.laws.timecontrol import parse
from controller.occasion import EventConfig


@pytest.mark.parametrize(
    ("clock", "laws", "means"),
    [
        ("5400+30", "fide-2023", "standard"),
        ("40/5400+30:1800+30", "fide-2023", "standard"),
        ("3600", "fide-2023", "standard"),
        ("3599", "fide-2023", "rapid"),
        ("900+10", "fide-2023", "rapid"),
        ("601", "fide-2023", "rapid"),
        ("600", "fide-2023", "blitz"),
        ("180+2", "fide-2023", "blitz"),
        ("180d3", "fide-2023", "blitz"),
        ("899", "fide-2009", "blitz"),
        ("900", "fide-2009", "rapid"),
    ],
)
def test_the_play_is_told_by_the_time_for_sixty_moves(clock: str, laws: Edition, means: Play) -> None:
    assert play(parse(clock), laws) == means


def test_the_clock_is_said_in_words() -> None:
    (said,) = rate(EventConfig(clock="40/5400+30:1800+30"))
    assert (said.status, said.what) == (
        "ok",
        "40/5400+30:1800+30 gives each player 90 min and 30 s a move for 40 moves",
    )
    assert not [*rate(EventConfig())]


def test_minutes_where_seconds_are_meant_are_seen() -> None:
    (said,) = rate(EventConfig(clock="90+30"))
    assert said.status == "warning"
    assert said.what.startswith("90+30 gives each player 1 min 30 s and 30 s a move: by the Laws that is rapid play")
