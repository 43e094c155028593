"""Switches on single pins, with the chatter of their contacts: what a lever or a button is wired to."""

import errno
import random
import time
from collections.abc import Callable, Sequence

from hardware.pins import Pull


class Switches:
    """Implements :class:`hardware.pins.Pins` for inputs. May be turned in one thread and read in another.

    ``bounce_ms``: for how long a contact chatters after it was turned. ``clock``: nanoseconds.
    """

    def __init__(self, *, bounce_ms: float = 0.0, seed: int = 0, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._bounce_ns = round(bounce_ms * 1e6)
        self._random = random.Random(seed)
        self._clock = clock
        self._levels: dict[int, tuple[bool, int | None]] = {}  # level, and since when it was turned to it
        self._unplugged = False

    def turn(self, pin: int, level: bool) -> None:
        """The switch on ``pin`` gives this level from now on. The first time is how it was built in, at rest."""
        if pin not in self._levels:
            self._levels[pin] = (level, None)
        elif self._levels[pin][0] != level:
            self._levels[pin] = (level, self._clock())

    def unplug(self) -> None:
        """The cable comes off: every use of a pin raises OSError until :meth:`plug`."""
        self._unplugged = True

    def plug(self) -> None:
        self._unplugged = False

    def setup_input(self, pin: int, pull: Pull) -> None:
        self._need_cable()
        self._levels.setdefault(pin, (pull == "up", None))

    def setup_output(self, pin: int, level: bool) -> None:
        raise ValueError(f"pin {pin} driven to {level}: there is a switch on it, which would short it")

    output = setup_output

    def input(self, pin: int) -> bool:
        self._need_cable()
        level, since = self._levels[pin]
        chatters = since is not None and self._clock() - since < self._bounce_ns
        return self._random.random() < 0.5 if chatters else level

    def inputs(self, pins: Sequence[int]) -> int:
        return sum(1 << i for i, pin in enumerate(pins) if self.input(pin))

    def cleanup(self) -> None:
        """Nothing is driven, so there is nothing to let go of."""

    def _need_cable(self) -> None:
        if self._unplugged:
            raise OSError(errno.EIO, "the switch does not answer: is its cable plugged in?")
