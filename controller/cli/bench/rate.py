"""What the clock gives each player, and whether that is the play whose rules are set.

So one also sees that minutes were written where seconds are meant.
"""

from collections.abc import Iterator

from controller.cli.bench.health import Health, ok, warning
from controller.laws.editions import EDITIONS
from controller.laws.timecontrol import TimeControl, parse
from controller.occasion import Rules
from controller.words.language import language


def rate(event: Rules) -> Iterator[Health]:
    """The clock in words; nothing where there is none."""
    if event.clock is None:
        return
    control = parse(event.clock)
    means, said = EDITIONS[event.laws].play(control), f"{event.clock} gives each player {_told(control)}"
    if means == event.play:
        yield ok("play", said)
        return
    what = f"{said}: by the Laws that is {means} play, and [event] play says {event.play}"
    cause = "minutes where seconds are meant, or play was left out"
    yield warning("play", what, cause, f'clock = "5400+30" is 90 minutes and 30 s a move; or play = "{means}"')


def _told(control: TimeControl) -> str:
    to = language("en")
    first = control.period(0)
    bonus = first.increment or first.delay
    more = f" and {to.span(1000 * bonus)} a move" if bonus else ""
    moves = f" for {first.moves} moves" if first.moves else ""
    return f"{to.span(1000 * first.seconds)}{more}{moves}"
