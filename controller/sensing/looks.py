"""The looks of a board that sends only edges, and looks at its squares seldom: what one look shows happened since the
look before, and so perhaps before a press in between.

The times of its edges tell that it is such a board: all of them come in step, while people press off the beat. Until
they do, any board may be one; so may one whose times are not in step, as it looks at one square after another. After a
press that comes too early all its edges are waited for, then, that may be of a look at what stood there.
"""

from collections.abc import Callable, Sequence
from math import ceil, gcd

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.sensing.costs import LOOKS_MS
from controller.sensing.rhythm import NOTICED_MS, QUICK_MS, SLOWEST_MS, Pace, Step

FEW = 5
"""Fewer looks than this may be in step by chance: of five times in ms, one in half a million."""

OFF_BEAT = 2
"""At least so many presses, and most of the last ones, fall between the looks of such a board."""

SILENT = 40
"""If nobody presses, more looks in step than this are enough."""

AT_MOST_MS = 1000
"""No press waits longer for a look, however seldom somebody says that the board looks."""

PRESSES = 8
"""So many presses are remembered."""


class Looks:
    """The times of the edges so far; and the edges of the last look, with a press before it, which wait. Times
    in ms."""

    def __init__(self, every_ms: float | None = None) -> None:
        """``every_ms``: how far apart the looks are, as somebody has measured them; None where nobody has."""
        self._every = SLOWEST_MS if every_ms is None else min(ceil(every_ms), AT_MOST_MS)
        #: it is known to show some of what stood there at a press so late that it may show all of it late
        self.late = every_ms is not None and every_ms > QUICK_MS
        self._late_for = set[str]()  # by whose presses it has done so, where nobody has measured it
        self.waiting: list[c.Lift | c.Place | c.Press] = []  #: a press, if any, and then the edges of one look
        self._ms: int | None = None  # the time of the last edge
        self._count = 0  # how many looks have shown something
        self._step = Step()
        self._presses: list[int] = []  # the times of the last few presses
        self._within = 0  # within what time the look after the press comes, which waits for it
        self._supposed = False  # that is not known, only supposed

    @property
    def apart(self) -> int:
        """How far apart the looks are; 0 if they are close together, or if it is not known."""
        step = self._step.ms
        if self._ms is None or self._count < FEW or not QUICK_MS < step <= LOOKS_MS:
            return 0
        beats = [(ms - self._ms) % step for ms in self._presses]
        off = len(beats) - beats.count(0)
        # In scenarios that people write down, presses are in step with the edges, if not with every look.
        between = off >= OFF_BEAT and 2 * off > len(beats) and gcd(step, *beats) < QUICK_MS
        silent = self._count > SILENT and step <= SLOWEST_MS and not beats
        return step if between or silent else 0

    def pace_after(self, pace: Pace, said: int) -> Pace:
        """What is known of the looks by now, after ``pace``; ``said``: how far apart they are, as the session says."""
        apart = max(self.apart, said)
        if pace.apart == apart:
            return pace
        return Pace(by_scans=pace.by_scans or not apart, slow=apart > 0, apart=apart, looks_ms=apart)

    @property
    def pressed(self) -> c.Press | None:
        """The press that waits, if one does; the first of several."""
        return self.waiting[0] if self.waiting and isinstance(self.waiting[0], c.Press) else None

    @property
    def pressed_last(self) -> c.Press | None:
        """The last press that waits, if one does."""
        return next((item for item in reversed(self.waiting) if isinstance(item, c.Press)), None)

    @property
    def due(self) -> int | None:
        """When what waits is to be heard at the latest; None if nothing waits. Where it is only supposed that the board
        looks so seldom, the first edge after the press need not be of the last look at what stood there then."""
        if not self.waiting:
            return None
        first, last = self.waiting[0], self.waiting[-1]
        if self._supposed and isinstance(first, c.Press):
            last = first
        return last.ms + (self._within if isinstance(last, c.Press) else 0) + 1

    def press_waits(self, press: c.Press, early: bool, again: bool = False) -> bool:
        """Take the next press; whether it has to wait for the edges of one look. ``early``: it completes no move, so it
        waits for the next look also where nobody knows yet when that comes. ``again``: it has been taken before, and
        has waited for another press."""
        if not again:
            self._presses = [*self._presses[1 - PRESSES :], press.ms]
        if not self.waiting:
            self._supposed = not self.apart
            self._within = self.apart or (self._every if early else 0)
            if not self._within:
                return False
        self.waiting.append(press)
        return True

    def edge_waits(self, edge: c.Lift | c.Place, again: bool = False) -> bool:
        """Take the next edge, whose time tells how far apart the looks are; whether it has to wait for further edges of
        the same look. ``again``: as for a press."""
        if edge.ms != self._ms and not again:
            if self._ms is not None:
                self._step.takes(edge.ms - self._ms)
            self._ms, self._count = edge.ms, self._count + 1
        if not (self.waiting or self.apart):
            return False
        self.waiting.append(edge)
        return True

    def goes_on(self, item: c.AnyInput) -> bool:
        """Whether that input is an edge of the look that is waited for; or an answer to the press that waits, after
        which a look may still show what stood there before both."""
        due, press = self.due, self.pressed_last
        if due is None or item.ms >= due:
            return False
        if isinstance(item, c.Press):
            return self._supposed and press is not None and item.side != press.side
        return isinstance(item, c.Lift | c.Place)

    def release(
        self,
        in_order: Callable[[int], Sequence[chess.Square]],
        whole: Callable[[c.Side], bool],
        made_whole: Callable[[Sequence[c.Lift | c.Place]], Sequence[c.Lift | c.Place]],
    ) -> tuple[list[c.Lift | c.Place | c.Press], list[c.AnyInput]]:
        """The inputs that have waited: those that are to be heard now, and in which order; and those that have waited
        for another press, and are to be taken after these as if they came now. ``in_order``: the order in which the
        squares of a bitboard, shown by one look, have changed; ``whole``: whether a press by that player would complete
        a move as things stand; ``made_whole``: those of these edges that make the move stand whole.

        The edges come before the press, except those known to be by the other player's hand; and if the move stood
        whole already and pieces only left their squares, they all come after it. Where it is only supposed that the
        board looks so seldom, those that make the move whole come before the press.
        """
        press, waiting, self.waiting = self.pressed, self.waiting, []
        told = [item for item in waiting if not isinstance(item, c.Press)]
        order = in_order(sum({chess.BB_SQUARES[_square(edge)] for edge in told}))
        if press is not None and self._supposed:
            edges = sorted(told, key=lambda edge: (edge.ms, order.index(_square(edge))))
            before = made_whole([edge for edge in edges if edge.side in (None, press.side)])
            if not self.late and _taken_up_since(before):
                before = []
            if any(edge.ms > press.ms + QUICK_MS for edge in before):
                self._late_for.add(press.side)
            self.late = self.late or len(self._late_for) > 1
            heard = [*(replace(edge, ms=press.ms) for edge in before), press]
            return heard, [item for item in waiting[1:] if not any(item is edge for edge in before)]
        edges = sorted(told, key=lambda edge: order.index(_square(edge)))
        if press is None:
            return [*edges], []
        before = [edge for edge in edges if edge.side in (None, press.side)]
        if whole(press.side) and all(isinstance(edge, c.Lift) for edge in edges):
            before = []
        after = [edge for edge in edges if edge not in before]
        return [*(replace(edge, ms=press.ms) for edge in before), press, *after], []


def _taken_up_since(edges: Sequence[c.Lift | c.Place]) -> bool:
    """Whether, after one of these edges with which a piece leaves its square, another comes with which one is set down,
    and so late that it is no edge of the same look."""
    left = [edge.ms for edge in edges if isinstance(edge, c.Lift)]
    return any(isinstance(edge, c.Place) and edge.ms > min(left) + NOTICED_MS for edge in edges) if left else False


def _square(edge: c.Lift | c.Place) -> chess.Square:
    return chess.parse_square(edge.square)
