"""Sensors that fail, known by what they do: restless ones, and ones that deny the game for too long.

The men of the player to move may be missing for as long as he thinks, and no rule takes offence; so a contact that
sticks would pass for a man in the hand, and a later move for one that breaks Article 4. Here it is named in time.
Whoever has held a man in plain sight for so long tells nobody anything new by it.
"""

from collections import Counter, deque
from collections.abc import Iterable

import chess

STUCK_MS = 8_000  #: longer than a man is held in the hand


class Restless:
    """The squares that have changed ``limit`` times within ``window_ms``. Times are ms of the daemon."""

    def __init__(self, limit: int, window_ms: int) -> None:
        self._limit = limit
        self._window_ms = window_ms
        self._changes: deque[tuple[int, chess.Square]] = deque()

    def add(self, ms: int, mask: int) -> None:
        """The squares of ``mask`` changed at ``ms``."""
        self._changes.extend((ms, square) for square in chess.scan_forward(mask))

    def squares(self, now: int) -> set[chess.Square]:
        while self._changes and self._changes[0][0] < now - self._window_ms:
            self._changes.popleft()
        counts = Counter(square for _, square in self._changes)
        return {square for square, count in counts.items() if count >= self._limit}


class Denials:
    """The squares that show otherwise than the game says, and since when. Times are ms of the daemon."""

    def __init__(self) -> None:
        self._since: dict[chess.Square, int] = {}

    def see(self, ms: int, squares: Iterable[chess.Square]) -> None:
        """Those that do so at ``ms``; each goes on from when it began."""
        self._since = {square: self._since.get(square, ms) for square in squares}

    def lasting(self, now: int) -> list[chess.Square]:
        """Those that have done so for :data:`STUCK_MS`."""
        return sorted(square for square, since in self._since.items() if since + STUCK_MS <= now)

    def due(self, now: int) -> int | None:
        """When there will be another; None as long as nothing changes."""
        return min((since + STUCK_MS for since in self._since.values() if since + STUCK_MS > now), default=None)
