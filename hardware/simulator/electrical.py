"""An electrical board behind the pins: rows that are driven, columns that are pulled, contacts that are not perfect.

What it models is what :mod:`hardware.boards.matrix` has to live with: a contact chatters before it rests; a line
needs time to settle, and a read that comes sooner sees the row before; without diodes current finds its way around
through other men; a weak magnet flickers; a reed sticks. Chance is seeded and time comes from a clock that the
caller may bring, so a test sees the same board each time.
"""

import errno
import heapq
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Literal

import chess

from hardware.pins import Pull

START: int = chess.BB_RANK_1 | chess.BB_RANK_2 | chess.BB_RANK_7 | chess.BB_RANK_8  #: men stand on these at first

MS_NS = 1_000_000


class ElectricalBoard:
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
        self.shorts = 0  #: reads during which two outputs fought each other through closed contacts
        self._row_of = {pin: i for i, pin in enumerate(rows)}
        self._column_of = {pin: i for i, pin in enumerate(columns)}
        self._high = active == "high"
        self._diodes = diodes
        self._settle_ns = round(settle_us * 1000)
        self._bounce_ns = round(bounce_ms * MS_NS)
        self._random = random.Random(seed)
        self._clock = clock
        self._lock = threading.Lock()
        self._unplugged = False
        # contacts: a1 = bit 0
        self._closed = occupied
        self._edges: list[tuple[int, int, int, int, bool]] = []  # (ns, order, edge, square, closed), a heap
        self._order = 0
        self._latest: dict[int, int] = {}  # the edge each square has seen last: no other may chatter there
        self._weak: dict[int, float] = {}
        self._stuck_closed = self._stuck_open = 0
        # rows at the active and at the passive level, one bit each; neither: not driven
        self._driven = self._held = 0
        self._settled = (0, 0)  # the same, as the lines still were when the rows last changed
        self._changed_ns = clock()

    # -- what hands and wear do to it ----------------------------------------------------------------------------

    def place(self, square: chess.Square, at_ns: int | None = None) -> None:
        """A man is set on ``square``, now or at a later time of the clock."""
        self._edge(square, True, at_ns)

    def lift(self, square: chess.Square, at_ns: int | None = None) -> None:
        """The man on ``square`` is taken up, now or at a later time of the clock."""
        self._edge(square, False, at_ns)

    def weaken(self, square: chess.Square, open_share: float) -> None:
        """The man on ``square`` has a weak magnet: so often (0 to 1) is its contact open at a read."""
        self._weak[square] = open_share

    def stick(self, square: chess.Square, state: Literal["open", "closed"] | None) -> None:
        """The reed of ``square`` sticks, or works again (None)."""
        bit = 1 << square
        self._stuck_closed = self._stuck_closed | bit if state == "closed" else self._stuck_closed & ~bit
        self._stuck_open = self._stuck_open | bit if state == "open" else self._stuck_open & ~bit

    def unplug(self) -> None:
        """The ribbon cable comes off: every use of a pin raises OSError until :meth:`plug`."""
        self._unplugged = True

    def plug(self) -> None:
        self._unplugged = False

    # -- the pins ------------------------------------------------------------------------------------------------

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
        self._need_cable()
        now = self._clock()
        driven, held = (self._driven, self._held) if now - self._changed_ns >= self._settle_ns else self._settled
        active = self._columns(self._contacts(now), driven, held)
        if not self._high:
            active ^= 0xFF
        column_of = self._column_of
        return sum((active >> column_of[pin] & 1) << i for i, pin in enumerate(pins))

    def cleanup(self) -> None:
        self._driven = self._held = 0

    # -- inside --------------------------------------------------------------------------------------------------

    def _edge(self, square: int, closed: bool, at_ns: int | None) -> None:
        at = self._clock() if at_ns is None else at_ns
        with self._lock:
            flips = 2 * self._random.randint(0, 3) if self._bounce_ns else 0
            times = [at, *sorted(at + self._random.randrange(self._bounce_ns) for _ in range(flips))]
            edge = self._order + 1
            for i, ns in enumerate(times):
                self._order += 1
                heapq.heappush(self._edges, (ns, self._order, edge, square, closed ^ bool(i % 2)))

    def _contacts(self, now: int) -> int:
        """Which contacts are closed at this read."""
        with self._lock:
            while self._edges and self._edges[0][0] <= now:
                _, order, edge, square, closed = heapq.heappop(self._edges)
                if order == edge:
                    self._latest[square] = edge
                if self._latest[square] == edge:
                    self._closed = self._closed | 1 << square if closed else self._closed & ~(1 << square)
        contacts = self._closed
        for square, open_share in self._weak.items():
            if self._random.random() < open_share:
                contacts &= ~(1 << square)
        return (contacts | self._stuck_closed) & ~self._stuck_open

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
        self._need_cable()
        now, bit = self._clock(), 1 << self._row_of[pin]
        if now - self._changed_ns >= self._settle_ns:
            self._settled = (self._driven, self._held)
        self._changed_ns = now
        self._driven = self._driven | bit if level == self._high and level is not None else self._driven & ~bit
        self._held = self._held | bit if level == (not self._high) and level is not None else self._held & ~bit

    def _need_cable(self) -> None:
        if self._unplugged:
            raise OSError(errno.EIO, "the pins do not answer: is the ribbon cable plugged in?")
