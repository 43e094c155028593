"""What the clock gives, in words, and whether that is the play whose rules are set."""

from controller.cli.bench.rate import rate
from controller.occasion import EventConfig


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
