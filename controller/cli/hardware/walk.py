"""One piece taken from square to square, and what is seen of it. Time comes in with each sample; no I/O."""

from collections.abc import Sequence

import chess

from controller.cli.hardware.diagnose import Walk

SETTLE_MS = 300  #: so long must the board look the same before it counts


class Walker:
    """Asks for the squares of ``order`` one after the other; ``idle`` is the mask seen without the piece."""

    def __init__(self, order: Sequence[chess.Square], idle: int, settle_ms: int = SETTLE_MS) -> None:
        self.seen: dict[chess.Square, int] = {}
        self._order = order
        self._idle = idle
        self._settle_ms = settle_ms
        self._mask = idle
        self._since_ms = 0
        self._before = idle  # what the last square showed
        self._fresh = False  # something has changed since then

    @property
    def square(self) -> chess.Square | None:
        """Where the piece is to be set down next; None at the end."""
        return self._order[len(self.seen)] if len(self.seen) < len(self._order) else None

    @property
    def walk(self) -> Walk:
        return Walk(self._idle, dict(self.seen))

    def feed(self, ms: int, mask: int) -> bool:
        """Takes what is seen at ``ms``; whether that answers for the square."""
        if mask != self._mask:
            self._mask, self._since_ms, self._fresh = mask, ms, True
        if self.square is None or not self._fresh or mask == self._idle or ms - self._since_ms < self._settle_ms:
            return False
        if self._before != self._idle and mask != self._before and mask & self._before == self._before:
            return False  # he is between two squares, and still seen on the last one
        self._note(mask)
        return True

    def skip(self) -> None:
        """There is nothing to wait for: notes what is seen at present; that is nothing while no more than the last
        square still shows its piece."""
        if self.square is not None:
            self._note(self._mask if self._fresh or self._mask != self._before else self._idle)

    def back(self) -> None:
        """Forgets the last square, to try it again."""
        if self.seen:
            self.seen.popitem()
            self._before, self._fresh = self._idle, False

    def _note(self, mask: int) -> None:
        assert self.square is not None
        self.seen[self.square] = mask
        self._before, self._fresh = mask, False
