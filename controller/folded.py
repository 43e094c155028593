"""A log that stays small whatever happens: a line of the code that has said much in a minute is counted, not written.

Strangers decide how often some things happen, and a defect may happen at every scan. So what one line of the code says
is written :data:`OFTEN` times a minute, whatever it says; the last of these tells that more is only counted, and the
first after that minute how many there were.
"""

import logging
import time
from collections.abc import Callable

OFTEN = 20  #: lines
PER_S = 60.0


class Folding(logging.Filter):
    """Lets so many records through from each line of code in a minute. ``now`` in s."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._said: dict[tuple[str, int], tuple[float, int]] = {}  # since when, and how often

    def filter(self, record: logging.LogRecord) -> bool:
        place, now = (record.pathname, record.lineno), self._now()
        since, times = self._said.get(place, (now, 0))
        if now - since >= PER_S:
            if times > OFTEN:
                _add(record, f" (and {times - OFTEN} more like the last, not written)")
            since, times = now, 0
        self._said[place] = since, times + 1
        if times + 1 == OFTEN:
            _add(record, " (more of these are only counted for a minute)")
        return times < OFTEN


def folded() -> None:
    """Folds what is logged from now on by the handlers of the root."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(Folding())


def _add(record: logging.LogRecord, words: str) -> None:
    record.msg, record.args = record.getMessage() + words, ()
