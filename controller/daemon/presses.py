"""Presses of the clock, held back until every edge that was sampled before them is known.

A press counts at once, an edge only when it has held for the debounce time. Told as they come, a man set down and the
clock pressed 5 ms later would be a press without a move. So a press waits until the board has been scanned once more,
and then for a contact that began to change meanwhile (it may have chattered since before the press). Mostly that scan
is over by the time at which the contact of the clock has been debounced; on a machine that stands still for a moment it
may be long in coming, and a press told without it would accuse a player who has moved. Of a board that reports by
itself nobody knows when it has looked: there the debounce time has to do. A press keeps its own time, so the wait costs
nobody anything on the clock.
"""

import math
from collections import deque

from msgspec import Struct

from controller.contract import Senses, Side

DELIVERY_MS = 3  #: from a sample to the table, on a machine that is busy
RETURN_MS = 100  #: within which a board that is back has told what stands on it
SILENCE_MS = 250  #: a board that has not been scanned for so long is at fault, and no longer waited for


def hold_ms(senses: Senses, debounce_ms: int, scan_hz: float | None) -> int:
    """How long an edge sampled before a press may be unheard of; ``scan_hz`` is None of a board that reports by itself.

    A board that knows its men debounces for itself.
    """
    if senses == "identity":
        return 0
    return debounce_ms if scan_hz is None else min(debounce_ms, math.ceil(1000 / scan_hz) + DELIVERY_MS)


class Held(Struct, frozen=True):
    """A press, in ms of the daemon."""

    ms: int
    side: Side
    due: int  #: what came to light up to then is told before it
    waits: bool = False  #: for a scan that began after it


class Presses:
    """The presses that wait: for a scan, or ``hold_ms`` (see :func:`hold_ms`) where nobody tells of scans."""

    def __init__(self, hold_ms: int) -> None:
        self._hold_ms = hold_ms
        self._held: deque[Held] = deque()
        self._away = False

    def leave(self) -> None:
        """The board is away: who presses may have moved, and nobody can say that he has not."""
        self._away = True

    def come_back(self, ms: int) -> None:
        """The board is there again, and tells by and by what stands on it."""
        self._away = False
        self._held = deque(Held(held.ms, held.side, ms + RETURN_MS) for held in self._held)

    def clear(self) -> None:
        """What was pressed belongs to no game any more."""
        self._held.clear()

    def add(self, ms: int, side: Side, scan: tuple[int, int] | None) -> None:
        """``scan``: when the last one that is known by now began and ended, where :meth:`scanned` tells of the next."""
        if scan is None:
            self._held.append(Held(ms, side, ms + self._hold_ms))
        else:
            self._held.append(Held(ms, side, ms + SILENCE_MS, waits=True))
            self.scanned(*scan)

    def scanned(self, began: int, ended: int) -> None:
        """The whole board was scanned: no press before that waits any longer."""
        for number, held in enumerate(self._held):
            if held.waits and held.ms <= began:
                self._held[number] = Held(held.ms, held.side, ended + 1)

    def pop(self) -> Held:
        """The oldest, which waits no longer. Raises :exc:`IndexError` where none does."""
        return self._held.popleft()

    @property
    def first(self) -> int | None:
        """When the oldest was sampled: nothing later may be told before it."""
        return self._held[0].ms if self._held else None

    @property
    def due(self) -> int | None:
        """When no edge can precede the oldest any more, on a board at rest; None also while the board is away."""
        return self._held[0].due if self._held and not self._away else None
