"""The looks of a board that sends edges alone, where it looks at its squares seldom: what one look shows happened since
the one before, and so perhaps before somebody pressed in between.

That it is such a board the times of its edges tell: all of them come in step, and people press off the beat.
"""

from collections.abc import Callable, Sequence
from math import gcd

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.sensing.rhythm import QUICK_MS, SLOWEST_MS

FEW = 5
"""So few looks may be in step by chance: of five times in ms one in half a million."""

OFF_BEAT = 2
"""So many presses at least fall between the looks of such a board, and most of the last ones."""

SILENT = 40
"""Where nobody presses, so many looks tell it alone."""

PRESSES = 8
"""So many are remembered."""


class Looks:
    """The edges so far, and those of the last look with a press before it, which wait. Times in ms."""

    def __init__(self) -> None:
        self.waiting: list[c.Lift | c.Place | c.Press] = []  #: a press, if any, and then the edges of one look
        self._ms: int | None = None  # of the last edge
        self._count = 0  # looks that have shown something
        self._step = 0  # of what all times between them are multiples
        self._presses: list[int] = []  # when somebody pressed, the last few

    @property
    def apart(self) -> int:
        """How far apart they are; 0 where they are close together, or it is not known."""
        if self._ms is None or self._count < FEW or not QUICK_MS < self._step <= SLOWEST_MS:
            return 0  # as nearly always
        beats = [(ms - self._ms) % self._step for ms in self._presses]
        off = len(beats) - beats.count(0)
        # Somebody who writes times down has presses in step with all else, if not with every look.
        between = off >= OFF_BEAT and 2 * off > len(beats) and gcd(self._step, *beats) < QUICK_MS
        return self._step if between or (self._count > SILENT and not beats) else 0

    @property
    def due(self) -> int | None:
        """When what waits is to be heard at the latest; None where nothing does."""
        if not self.waiting:
            return None
        last = self.waiting[-1]
        return last.ms + (self.apart if isinstance(last, c.Press) else 0) + 1

    def wait_with(self, item: c.AnyInput) -> bool:
        """Take the next input. Whether it waits, with others of the same look, for what comes after that."""
        if isinstance(item, c.Press):
            self._presses = [*self._presses[1 - PRESSES :], item.ms]
        elif isinstance(item, c.Lift | c.Place):
            if item.ms != self._ms:
                self._step = 0 if self._ms is None else gcd(self._step, item.ms - self._ms)
                self._ms, self._count = item.ms, self._count + 1
        else:
            return False
        waits = self.apart > 0
        if waits:
            self.waiting.append(item)
        return waits

    def goes_on(self, item: c.AnyInput) -> bool:
        """Whether that input belongs to the look that is waited for."""
        due = self.due
        return due is not None and item.ms < due and isinstance(item, c.Lift | c.Place)

    def release(
        self, in_order: Callable[[int], Sequence[chess.Square]], whole: Callable[[c.Side], bool]
    ) -> list[c.Lift | c.Place | c.Press]:
        """What has waited, as it is to be heard. ``in_order``: in which order squares, a bitboard, have changed that
        one look shows; ``whole``: whether a player completes a move by pressing as things stand.

        It was before the press, but for what the other player's hand has done, where that is known; and but for squares
        that are left where the move stood whole already.
        """
        press = self.waiting[0] if isinstance(self.waiting[0], c.Press) else None
        edges = [item for item in self.waiting if not isinstance(item, c.Press)]
        order = in_order(sum({chess.BB_SQUARES[_square(edge)] for edge in edges}))
        edges.sort(key=lambda edge: order.index(_square(edge)))
        self.waiting = []
        if press is None:
            return [*edges]
        left_after = whole(press.side) and all(isinstance(edge, c.Lift) for edge in edges)
        before = [] if left_after else [edge for edge in edges if edge.side in (None, press.side)]
        after = [edge for edge in edges if edge not in before]
        return [*(replace(edge, ms=press.ms) for edge in before), press, *after]


def _square(edge: c.Lift | c.Place) -> chess.Square:
    return chess.parse_square(edge.square)
