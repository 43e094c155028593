"""What a clock shows: both times, whose runs, whose flag is down, whether the arbiter was called. Lights and displays
are told this whenever it changes, and work out the rest from the time that has passed.
"""

from typing import Protocol, runtime_checkable

from msgspec import Struct

from controller.contract import BLACK, WHITE, Side

MS_NS = 1_000_000
SIDES: tuple[Side, Side] = (WHITE, BLACK)


class Face(Struct, frozen=True, kw_only=True):
    """The clock at the moment ``ns`` of :func:`time.monotonic_ns`. Before a game both times are None."""

    ns: int = 0
    white_ms: int | None = None
    black_ms: int | None = None
    running: Side | None = None
    free_ms: int = 0  #: of a delay: so long the running clock does not go down
    flagged: tuple[Side, ...] = ()
    called: bool = False  #: a player stopped the clocks to call the arbiter
    speed: float = 1.0  #: above 1 in demonstrations: the clocks go so much faster than life

    def left_ms(self, side: Side, now_ns: int) -> int | None:
        """What the clock of ``side`` shows at ``now_ns``; never below 0."""
        left = self.white_ms if side == WHITE else self.black_ms
        if left is None or side != self.running:
            return left
        spent = int((now_ns - self.ns) * self.speed) // MS_NS
        return max(0, left - max(0, spent - self.free_ms))


@runtime_checkable
class FaceShows(Protocol):
    """Whatever shows a face: :meth:`show` returns at once, in whatever thread; the latest face counts."""

    def show(self, face: Face) -> None: ...
