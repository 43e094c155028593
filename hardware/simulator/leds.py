"""LEDs on pins, and what an eye sees of them: how bright each was over a while."""

import time
from collections.abc import Callable, Sequence

from hardware.pins import Pull


class Leds:
    """Implements :class:`hardware.pins.Pins` for outputs. ``clock``: nanoseconds."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.changes: dict[int, list[tuple[int, bool]]] = {}  #: of each pin: when it came to which level
        self._clock = clock

    def setup_output(self, pin: int, level: bool) -> None:
        self.changes.setdefault(pin, []).append((self._clock(), level))

    def setup_input(self, pin: int, pull: Pull) -> None:
        raise ValueError(f"pin {pin} pulled {pull}: there is an LED on it")

    def output(self, pin: int, level: bool) -> None:
        self.changes[pin].append((self._clock(), level))

    def input(self, pin: int) -> bool:
        raise ValueError(f"pin {pin} is an output")

    def inputs(self, pins: Sequence[int]) -> int:
        raise ValueError(f"pins {pins} are outputs")

    def cleanup(self) -> None:
        """The LEDs go dark with their pins."""
        for pin in self.changes:
            self.output(pin, False)

    def level(self, pin: int) -> bool:
        """As it is now; False before it was set up."""
        return self.changes[pin][-1][1] if self.changes.get(pin) else False

    def share(self, pin: int, since_ns: int, until_ns: int) -> float:
        """For which part of that time the pin was high."""
        high, level, at = 0, False, since_ns
        for ns, now in self.changes.get(pin, []):
            if ns > until_ns:
                break
            high += max(0, ns - at) if level else 0
            level, at = now, max(ns, since_ns)
        return (high + (until_ns - at if level else 0)) / (until_ns - since_ns)
