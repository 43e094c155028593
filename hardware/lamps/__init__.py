"""Lamps on the squares of a board: ``lamps.light(mask)``. What they mean is decided elsewhere; a device only shows it.

A board's driver that has lamps is one of these beside being a :class:`hardware.boards.readings.Driver`:
``isinstance(driver, Lamps)`` tells. So is a strip of lamps that is wired by itself; that is a file in this folder.
"""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Lamps(Protocol):
    """One lamp a square, or what looks like it where lamps stand at the corners."""

    def light(self, mask: int) -> None:
        """From now on the squares of ``mask`` are lit and all others dark.

        ``mask``: 64 bits, a1 = bit 0 and h8 = bit 63, as White sees the board. Returns at once and raises nothing, in
        whatever thread; the device's own thread sends it. Only the latest mask counts: it is sent again to a device
        that was plugged in again, and one that is not there shows nothing. Dark before the first call, and dark again
        after the driver's ``stop``.
        """
