"""Sixty-four reed contacts under the pieces of a board, and what hands and wear do to them; others wire them.

A contact chatters before it rests, a weak magnet flickers, a reed sticks. Chance is seeded and time comes from a clock
that the caller may bring, so a test sees the same board each time.
"""

import errno
import heapq
import random
import threading
import time
from collections.abc import Callable
from typing import Literal

import chess

START: int = chess.BB_RANK_1 | chess.BB_RANK_2 | chess.BB_RANK_7 | chess.BB_RANK_8  #: pieces stand on these at first

MS_NS = 1_000_000


class Contacts:
    """May be moved in one thread and read in another.

    ``bounce_ms``: for how long a contact may chatter after an edge. ``clock``: nanoseconds.
    """

    def __init__(
        self,
        *,
        occupied: int = START,
        bounce_ms: float = 0.0,
        seed: int = 0,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.clock = clock
        self._bounce_ns = round(bounce_ms * MS_NS)
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._unplugged = False
        self._closed = occupied
        self._edges: list[tuple[int, int, int, int, bool]] = []  # (ns, order, edge, square, closed), a heap
        self._order = 0
        self._latest: dict[int, int] = {}  # the edge each square has seen last: no other may chatter there
        self._weak: dict[int, float] = {}
        self._stuck_closed = self._stuck_open = 0

    def place(self, square: chess.Square, at_ns: int | None = None) -> None:
        """A piece is set on ``square``, now or at a later time of the clock."""
        self._edge(square, True, at_ns)

    def lift(self, square: chess.Square, at_ns: int | None = None) -> None:
        """The piece on ``square`` is taken up, now or at a later time of the clock."""
        self._edge(square, False, at_ns)

    def weaken(self, square: chess.Square, open_share: float) -> None:
        """The piece on ``square`` has a weak magnet: so often (0 to 1) is its contact open at a read."""
        self._weak[square] = open_share

    def stick(self, square: chess.Square, state: Literal["open", "closed"] | None) -> None:
        """The reed of ``square`` sticks, or works again (None)."""
        bit = 1 << square
        self._stuck_closed = self._stuck_closed | bit if state == "closed" else self._stuck_closed & ~bit
        self._stuck_open = self._stuck_open | bit if state == "open" else self._stuck_open & ~bit

    def unplug(self) -> None:
        """The ribbon cable comes off, until :meth:`plug`."""
        self._unplugged = True

    def plug(self) -> None:
        self._unplugged = False

    @property
    def plugged(self) -> bool:
        return not self._unplugged

    def need_cable(self) -> None:
        """Raises OSError while the cable is off."""
        if self._unplugged:
            raise OSError(errno.EIO, "the pins do not answer: is the ribbon cable plugged in?")

    def closed(self, now: int) -> int:
        """Which contacts are closed at a read at ``now``: a mask, a1 = bit 0."""
        if self._edges and self._edges[0][0] <= now:
            self._run(now)
        contacts = self._closed
        for square, open_share in self._weak.items():
            if self._random.random() < open_share:
                contacts &= ~(1 << square)
        return (contacts | self._stuck_closed) & ~self._stuck_open

    def _edge(self, square: int, closed: bool, at_ns: int | None) -> None:
        at = self.clock() if at_ns is None else at_ns
        with self._lock:
            flips = 2 * self._random.randint(0, 3) if self._bounce_ns else 0
            times = [at, *sorted(at + self._random.randrange(self._bounce_ns) for _ in range(flips))]
            edge = self._order + 1
            for i, ns in enumerate(times):
                self._order += 1
                heapq.heappush(self._edges, (ns, self._order, edge, square, closed ^ bool(i % 2)))

    def _run(self, now: int) -> None:
        with self._lock:
            while self._edges and self._edges[0][0] <= now:
                _, order, edge, square, closed = heapq.heappop(self._edges)
                if order == edge:
                    self._latest[square] = edge
                if self._latest[square] == edge:
                    self._closed = self._closed | 1 << square if closed else self._closed & ~(1 << square)
