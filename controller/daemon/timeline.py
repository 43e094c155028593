"""The daemon's time: the drivers' nanoseconds to whole milliseconds since the daemon began."""

from msgspec import Struct

MS_NS = 1_000_000


class Timeline(Struct, frozen=True):
    """``speed`` above 1 lets a demonstration, board and clocks alike, run faster than life."""

    origin_ns: int  #: of time.monotonic_ns
    speed: float = 1.0

    def ms(self, ns: int) -> int:
        """When that was, in the daemon's milliseconds."""
        return int((ns - self.origin_ns) * self.speed) // MS_NS

    def ns(self, ms: int) -> int:
        """The first nanosecond at which the daemon's time is ``ms``."""
        return self.origin_ns + int(-(-ms * MS_NS // self.speed))
