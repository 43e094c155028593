"""What the clock gives each player, and whether that is the play whose rules are set.

Rapid and blitz are told apart by the time for sixty moves, Appendices A.1 and B.1: rapid is less than 60 minutes, blitz
10 or less, up to the Laws of 2009 less than 15. So one also sees that minutes were written where seconds are meant.
"""

from collections.abc import Iterator

from controller.cli.bench.health import Health, ok, warning
from controller.contract import Edition, Play
from controller.laws.timecontrol import TimeControl, parse
from controller.occasion import Rules
from controller.words.language import language

MOVES = 60  #: for which the time is counted
RAPID_S, BLITZ_S, OLD_BLITZ_S = 60 * 60, 10 * 60, 15 * 60 - 1  #: below the first, up to the others
OLD: tuple[Edition, ...] = ("fide-2005", "fide-2009")


def rate(event: Rules) -> Iterator[Health]:
    """The clock in words; nothing where there is none."""
    if event.clock is None:
        return
    control = parse(event.clock)
    means, said = play(control, event.laws), f"{event.clock} gives each player {_told(control)}"
    if means == event.play:
        yield ok("play", said)
        return
    what = f"{said}: by the Laws that is {means} play, and [event] play says {event.play}"
    cause = "minutes where seconds are meant, or play was left out"
    yield warning("play", what, cause, f'clock = "5400+30" is 90 minutes and 30 s a move; or play = "{means}"')


def play(control: TimeControl, laws: Edition) -> Play:
    """What play that is, by the time for sixty moves."""
    first = control.period(0)
    total = sum(period.seconds for period in control.periods) + MOVES * (first.increment or first.delay)
    if total <= (OLD_BLITZ_S if laws in OLD else BLITZ_S):
        return "blitz"
    return "rapid" if total < RAPID_S else "standard"


def _told(control: TimeControl) -> str:
    to = language("en")
    first = control.period(0)
    bonus = first.increment or first.delay
    more = f" and {to.span(1000 * bonus)} a move" if bonus else ""
    moves = f" for {first.moves} moves" if first.moves else ""
    return f"{to.span(1000 * first.seconds)}{more}{moves}"
