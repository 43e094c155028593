"""Time controls as text: the PGN TimeControl values of the contract, to periods and back.

    5400+30                 90 minutes, 30 s a move
    40/5400+30:1800+30      the same for 40 moves, then 30 minutes more
    2/30:600                2 moves in 30 s, then 10 minutes
    40/7200                 40 moves in two hours, again and again
    180d3                   3 minutes, the first 3 s of each move free
    180b3                   the same in the Bronstein way: the clock shows those 3 s too, and gives back what was used
    *60                     hourglass of one minute

Source: the PGN standard, section 9.6.1; `d` for a delay is the contract's own, `b` for one shown so is ours.
"""

import re

from msgspec import Struct

from controller.errors import LogError

_PERIOD = re.compile(r"(?:(\d{1,4})/)?(\d{1,7})(?:([+db])(\d{1,5}))?", re.ASCII)
_HOURGLASS = re.compile(r"\*(\d{1,7})", re.ASCII)


class Period(Struct, frozen=True):
    """One session of play (6.2): so many moves in so many seconds."""

    seconds: int
    moves: int | None = None  #: None: all that remain
    increment: int = 0  #: seconds added for each move
    delay: int = 0  #: seconds of each move that cost nothing
    bronstein: bool = False  #: the clock shows what is left of the delay

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        delay = f"{'b' if self.bronstein else 'd'}{self.delay}" if self.delay else ""
        bonus = f"+{self.increment}" if self.increment else delay
        return f"{moves}{self.seconds}{bonus}"


class TimeControl(Struct, frozen=True):
    """The periods of a game, one at least. A last one that counts moves repeats."""

    periods: tuple[Period, ...]
    hourglass: bool = False  #: what one player uses, the other gains
    delay_carries_over: bool = True  #: main time saved in a period with a delay goes on into the next

    def __str__(self) -> str:
        return ("*" if self.hourglass else "") + ":".join(map(str, self.periods))

    def period(self, index: int) -> Period:
        """The period ``index``, from 0."""
        return self.periods[min(index, len(self.periods) - 1)]

    @property
    def bronstein(self) -> bool:
        """Whether the clock shows what is left of the delay."""
        return any(period.bronstein for period in self.periods)

    @property
    def shown_at_first(self) -> int:
        """What both clocks show as the game begins, in s, with the first increment, and a delay that is shown."""
        first = self.period(0)
        return first.seconds + first.increment + (first.delay if self.bronstein else 0)

    @property
    def has_increment(self) -> bool:
        """Whether some move earns time; a quickplay finish then does not exist."""
        return any(period.increment or period.delay for period in self.periods)

    def seconds_for(self, moves: int) -> int:
        """The time, in s, that a player has for so many moves: all periods, and what each move earns in the first."""
        first = self.period(0)
        return sum(period.seconds for period in self.periods) + moves * (first.increment or first.delay)


def parse(text: str) -> TimeControl:
    """The time control that ``text`` says. Raises :exc:`LogError` naming the part that cannot be read."""
    if hourglass := _HOURGLASS.fullmatch(text):
        return TimeControl((_timed(Period(int(hourglass[1])), text),), hourglass=True)
    parts = text.split(":")
    periods = tuple(_period(part, text) for part in parts)
    for part, period in zip(parts[:-1], periods, strict=False):
        if period.moves is None:
            raise _malformed(text, f"'{part}' is not the last period and must say its moves, as in 40/{part}")
    if len({period.bronstein for period in periods if period.delay}) > 1:
        raise _malformed(text, "a clock shows delays one way or the other: d throughout, or b")
    return TimeControl(periods)


def _period(part: str, text: str) -> Period:
    match = _PERIOD.fullmatch(part)
    if not match:
        raise _malformed(text, f"'{part}' is no period: expected [moves/]seconds[+increment], or d or b and a delay")
    moves, seconds, kind, bonus = match.groups()
    if moves and not int(moves):
        raise _malformed(text, f"'{part}' asks for no moves at all")
    extra = int(bonus or 0)
    return _timed(
        Period(
            seconds=int(seconds),
            moves=int(moves) if moves else None,
            increment=extra if kind == "+" else 0,
            delay=0 if kind == "+" else extra,
            bronstein=kind == "b" and extra > 0,
        ),
        text,
    )


def _timed(period: Period, text: str) -> Period:
    if not (period.seconds or period.increment or period.delay):
        raise _malformed(text, f"'{period}' gives no time")
    return period


def _malformed(text: str, why: str) -> LogError:
    return LogError(
        f"malformed time control {text!r}: {why}",
        cause="a PGN TimeControl value was expected, in seconds; null stands for no clock",
        next_step="write it as in 5400+30, 40/5400+30:1800+30, 180d3, 180b3 or *60",
    )
