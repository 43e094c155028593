"""What a configuration will lead to, found without opening anything: ``doctor`` tells it, and ``run`` warns of it."""

from collections.abc import Iterator
from pathlib import Path

from controller.cli.hardware import machine
from controller.cli.hardware.health import CheckResult, ok, warning
from controller.cli.hardware.spoken import minutes_meant
from controller.config import Setup
from controller.game_details import Rules
from controller.laws.editions import EDITIONS
from controller.laws.timecontrol import TimeControl, parse
from controller.words.clocks import time_control
from controller.words.language import language


def foreseen(config: Setup) -> Iterator[CheckResult]:
    """What its clock gives, and whether the scores can be written, which is tried first when a game begins."""
    yield from rate(config.event)
    yield from machine.scores(Path(config.pgn.directory).expanduser().absolute())


def rate(event: Rules) -> Iterator[CheckResult]:
    """What the clock gives each player, in words, and whether that is the play whose rules are set: so one also sees
    that minutes were written where seconds are meant. Nothing where there is no clock."""
    if event.clock is None:
        return
    control, laws = parse(event.clock), EDITIONS[event.laws]
    means, said = laws.play(control), f"{event.clock} gives each player {control_in_words(control)}"
    meant = minutes_meant(event.clock)
    if meant is not None and not (event.play == means == "blitz" and laws.play(meant) != "blitz"):
        what = f"{said}: did you mean {meant}, which is {control_in_words(meant)}?"
        cause = "minutes, where a configuration has seconds"
        yield warning("play", what, cause, f'clock = "{meant}" in [event]')
    elif means == event.play:
        yield ok("play", said)
    else:
        what = f"{said}: by the Laws that is {means} play, and [event] play says {event.play}"
        yield warning("play", what, "play was left out, or another clock is meant", f'play = "{means}" in [event]')


def control_in_words(control: TimeControl) -> str:
    """A time control in the words of the command line."""
    return time_control(control, language("en"))
