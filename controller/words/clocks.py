"""A time control in words: ``90 min and 30 s a move``."""

from functools import reduce

from controller.laws.timecontrol import Period, TimeControl, parse
from controller.words.language import Language


def time_control_of(clock: str, to: Language) -> str:
    """What ``clock``, as a session has it, gives each player. Raises :exc:`LogError` where that is no time control."""
    return time_control(parse(clock), to)


def time_control(control: TimeControl, to: Language) -> str:
    """What it gives each player."""
    if control.hourglass:
        return to.text("time control", "hourglass", time=_span(control.period(0).seconds, to))
    periods = [_period(period, to) for period in control.periods]
    return reduce(lambda first, rest: to.text("time control", "then", first=first, rest=rest), periods)


def _period(period: Period, to: Language) -> str:
    moves = to.text("time control", "moves", number=str(period.moves)) if period.moves else ""
    fields = {"time": _span(period.seconds, to), "moves": moves}
    if period.delay:
        return to.text("time control", "delay", bonus=_span(period.delay, to), **fields)
    if period.increment:
        return to.text("time control", "increment", bonus=_span(period.increment, to), **fields)
    return to.text("time control", "plain", **fields)


def _span(seconds: int, to: Language) -> str:
    return to.span(1000 * seconds)
