"""The numbers of boards as people write them, ``1-3,9``, and as they order them."""

import re
from collections.abc import Iterable

from controller.errors import ConfigError

MOST = 1000  #: boards of a range


def ranges(numbers: Iterable[str]) -> str:
    """``1-3,9`` of ``1 2 3 9``."""
    runs: list[tuple[str, str]] = []
    for number in numbers:
        if runs and number.isdecimal() and runs[-1][1].isdecimal() and int(number) == int(runs[-1][1]) + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return ",".join(first if first == last else f"{first}-{last}" for first, last in runs)


def numbers(text: str) -> tuple[str, ...]:
    """``1 2 3 9`` of ``1-3,9``. Raises :exc:`ConfigError` for ``3-1`` and ``1-x``."""
    found: list[str] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        whole = dash and first.isdecimal() and last.isdecimal()
        if dash and first.isdecimal() != last.isdecimal():
            raise ConfigError(f"--boards {part} names no board", "a slip of the pen", "--boards 1-50, or 1,2,5")
        if whole and int(first) > int(last):
            raise ConfigError(
                f"--boards {part} names no board", "the last one stands first", f"--boards {last}-{first}"
            )
        found += map(str, range(int(first), min(int(last), int(first) + MOST) + 1)) if whole else [part]
    return tuple(found)


def natural(name: str) -> list[tuple[int, str]]:
    """The key of the order of people: ``ttyUSB9`` before ``ttyUSB10``."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
