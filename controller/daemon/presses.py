"""Presses of the clock, held back until every edge that was sampled before them is known.

A press counts at once, an edge only when it has held for the debounce time. Told as they come, a man set down and the
clock pressed 5 ms later would be a press without a move. So a press waits for the debounce time, and for a contact that
began to change within it (it may have chattered since before the press): twice that time at most. It keeps its own
time, so the wait costs nobody anything on the clock.
"""

from collections import deque

from msgspec import Struct

from controller.contract import Side


class Held(Struct, frozen=True):
    """A press, in ms of the daemon."""

    ms: int
    side: Side


class Presses:
    """The presses that wait. ``hold_ms`` is the debounce time."""

    def __init__(self, hold_ms: int) -> None:
        self._hold_ms = hold_ms
        self._held: deque[Held] = deque()

    def add(self, ms: int, side: Side) -> None:
        self._held.append(Held(ms, side))

    def pop(self) -> Held:
        """The oldest, which waits no longer. Raises :exc:`IndexError` where none does."""
        return self._held.popleft()

    @property
    def first(self) -> int | None:
        """When the oldest was sampled: nothing later may be told before it."""
        return self._held[0].ms if self._held else None

    @property
    def due(self) -> int | None:
        """When no edge can precede the oldest any more, on a board at rest."""
        return self._held[0].ms + self._hold_ms if self._held else None
