"""Debouncing a whole board at once: 64-bit masks in, settled squares out, each square on its own time.

A raw reading must hold for ``hold_ms`` before it counts. A square that chatters delays nobody but itself: a debouncer
that waits for the whole board to be quiet never settles while one contact bounces.
"""

from collections.abc import Sequence

Flip = tuple[int, int]
"""(ms, mask): these squares changed at the time of the first sample that showed it."""


class Debouncer:
    """Masks sampled at any rate in, settled changes out. Bit 0 is a1, bit 63 is h8.

    A sample holds until the next one. ``stable`` is what has settled so far.
    """

    def __init__(self, hold_ms: int, occupied: int) -> None:
        self.hold_ms = hold_ms
        self.stable = occupied
        self.raw = occupied  #: the last sample
        #: the squares that closed again with the last changed sample, after they had opened for less than ``hold_ms``
        self.jogged = 0
        self._pending: list[Flip] = []
        self._changed = -hold_ms  #: when a sample last differed from the one before, in ms

    def bounces(self, ms: int) -> bool:
        """Whether some contact may be bouncing at ``ms``, even if it just shows what it did before."""
        return bool(self._pending) or ms - self._changed < self.hold_ms

    def feed(self, ms: int, raw: int) -> list[Flip]:
        """Take one sample; return what settled by ``ms``, oldest first. ``ms`` never decreases."""
        if raw == self.raw:
            return self.settle(ms) if self._pending else []
        settled = self.settle(ms)
        self.raw, self._changed = raw, ms
        unsettled = raw ^ self.stable
        self.jogged = sum([mask & ~unsettled for _, mask in self._pending]) & self.stable
        known = 0
        kept: list[Flip] = []
        for since, mask in self._pending:
            if mask := mask & unsettled:
                kept.append((since, mask))
                known |= mask
        if fresh := unsettled & ~known:
            kept.append((ms, fresh))
        self._pending = kept
        return settled + self.settle(ms) if self.hold_ms == 0 else settled

    def settle(self, ms: int) -> list[Flip]:
        """Let time run to ``ms`` with the last sample still holding; return what has settled by then."""
        ripe = ms - self.hold_ms
        settled = [flip for flip in self._pending if flip[0] <= ripe]
        if settled:
            self._pending = [flip for flip in self._pending if flip[0] > ripe]
            for _, mask in settled:
                self.stable ^= mask
        return settled

    def close(self, passing: int = 0, origins: int = 0) -> list[Flip]:
        """Settle the squares that show something by now at once, as there is reason to believe them; return these
        changes, oldest first. With them settle, both as masks, the squares of ``passing``, over which a piece may have
        come there, and of ``origins``, one of which it has left. Those of ``passing`` settle, too, if the square where
        the piece came to has settled already."""
        shows = self.raw | origins
        if not any(mask & shows for _, mask in self._pending) and (self.stable & passing).bit_count() < 2:
            return []
        believed = shows | passing
        closed = [(since, mask & believed) for since, mask in self._pending if mask & believed]
        for _, mask in closed:
            self.stable ^= mask
        self._pending = [(since, mask & ~believed) for since, mask in self._pending if mask & ~believed]
        return closed

    @property
    def due(self) -> int | None:
        """When something settles if nothing changes before then; None when all is settled."""
        return self._pending[0][0] + self.hold_ms if self._pending else None

    @property
    def since(self) -> int | None:
        """Since when some square has not settled; None when all is settled."""
        return self._pending[0][0] if self._pending else None


def no_later(ms: int, flips: Sequence[Flip]) -> list[Flip]:
    """These changes, each at ``ms`` if it was later."""
    return [(min(since, ms), mask) for since, mask in flips]
