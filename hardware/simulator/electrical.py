"""An electrical matrix behind the pins: rows that are driven, columns that are pulled, contacts that are not perfect.

What it models is what :mod:`hardware.boards.matrix` has to live with: the contacts of
:mod:`hardware.simulator.contacts`; a line needs time to settle, and a read that comes sooner sees the row before;
without diodes current finds its way around through other pieces.
"""

import time
from collections.abc import Callable, Sequence
from typing import Literal

from hardware.pins import Pull
from hardware.simulator.contacts import START, Contacts

__all__ = ["START", "ElectricalBoard"]


class ElectricalBoard(Contacts):
    """A reed matrix that implements :class:`hardware.pins.Pins`. May be moved in one thread and read in another.

    ``rows`` and ``columns`` are pin numbers, rank 1 and file a first. ``settle_us``: how long a line needs after a
    row has changed. ``bounce_ms``: for how long a contact may chatter after an edge. ``clock``: nanoseconds.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        *,
        occupied: int = START,
        active: Literal["high", "low"] = "high",
        diodes: bool = True,
        settle_us: float = 20.0,
        bounce_ms: float = 0.0,
        seed: int = 0,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        super().__init__(occupied=occupied, bounce_ms=bounce_ms, seed=seed, clock=clock)
        self.shorts = 0  #: reads during which two outputs fought each other through closed contacts
        self._row_of = {pin: i for i, pin in enumerate(rows)}
        self._column_of = {pin: i for i, pin in enumerate(columns)}
        self._high = active == "high"
        self._diodes = diodes
        self._settle_ns = round(settle_us * 1000)
        # rows at the active and at the passive level, one bit each; neither: not driven
        self._driven = self._held = 0
        self._settled = (0, 0)  # the same, as the lines still were when the rows last changed
        self._changed_ns = clock()

    def setup_output(self, pin: int, level: bool) -> None:
        self._set_row(pin, level)

    def setup_input(self, pin: int, pull: Pull) -> None:
        if pin in self._row_of:
            self._set_row(pin, None)
        elif pull != ("down" if self._high else "up"):
            raise ValueError(f"column pin {pin} is pulled {pull}: nothing would tell an open contact from a closed one")

    def output(self, pin: int, level: bool) -> None:
        self._set_row(pin, level)

    def input(self, pin: int) -> bool:
        return bool(self.inputs((pin,)))

    def inputs(self, pins: Sequence[int]) -> int:
        self.need_cable()
        now = self.clock()
        driven, held = (self._driven, self._held) if now - self._changed_ns >= self._settle_ns else self._settled
        active = self._columns(self.closed(now), driven, held)
        if not self._high:
            active ^= 0xFF
        column_of = self._column_of
        return sum((active >> column_of[pin] & 1) << i for i, pin in enumerate(pins))

    def cleanup(self) -> None:
        self._driven = self._held = 0

    def _columns(self, contacts: int, driven: int, held: int) -> int:
        """The columns at the active level, one bit each."""
        ranks = contacts.to_bytes(8, "little")
        reached = 0
        for row, closed in enumerate(ranks):
            if driven >> row & 1:
                reached |= closed
        if self._diodes:
            return reached
        current = driven  # without diodes it flows back from a column into every other row that touches it
        while spread := [r for r, closed in enumerate(ranks) if closed & reached and not current >> r & 1]:
            for row in spread:
                current |= 1 << row
                reached |= ranks[row]
        if current & held:
            self.shorts += 1
        return reached

    def _set_row(self, pin: int, level: bool | None) -> None:
        self.need_cable()
        now, bit = self.clock(), 1 << self._row_of[pin]
        if now - self._changed_ns >= self._settle_ns:
            self._settled = (self._driven, self._held)
        self._changed_ns = now
        self._driven = self._driven | bit if level == self._high and level is not None else self._driven & ~bit
        self._held = self._held | bit if level == (not self._high) and level is not None else self._held & ~bit
