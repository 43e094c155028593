"""A time as four digits and a separator, the way chess clocks show it, and the two kinds of seven-segment displays.

An hour and more: `1:29`, hours and minutes; less: `29:59`; under twenty seconds: `19.9`, with tenths. The separator of
the clock that runs blinks.
"""

from typing import NamedTuple

TENTHS_BELOW_MS = 20_000
BLANK = -1  #: a dark digit


class Digits(NamedTuple):
    """Four digits, the leftmost first, each 0 to 9 or :data:`BLANK`."""

    digits: tuple[int, int, int, int]
    separator: bool  #: between the second and the third


DARK = Digits((BLANK,) * 4, False)


def digits(left_ms: int | None, running: bool, ms: int) -> Digits:
    """What a display shows of ``left_ms``, ``ms`` after the clock was started; rounded down."""
    if left_ms is None:
        return DARK
    separator = not running or ms % 1000 < 500
    if left_ms < TENTHS_BELOW_MS:
        seconds, tenths = left_ms // 1000, left_ms // 100 % 10
        return Digits((seconds // 10 or BLANK, seconds % 10, tenths, BLANK), separator)
    seconds = left_ms // 1000
    high, low = divmod(seconds // 60, 60) if seconds >= 3600 else divmod(seconds, 60)
    return Digits((high // 10 % 10 or BLANK, high % 10, low // 10, low % 10), separator)
