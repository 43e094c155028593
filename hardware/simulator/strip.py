"""A strip of WS2812 lamps on the data line of an SPI bus: it goes by the length of pulses, as the data sheet says."""

import re
from collections.abc import Sequence

import chess

from hardware.simulator.spi import SimulatedSpiDevice

ZERO_US, ONE_US = (0.25, 0.55), (0.65, 0.95)  #: how long the line is high
LATCH_US = 280.0


class LampStrip:
    """Lamps in a row; :attr:`shown` is what each shows, as (red, green, blue). ``squares``: that of each lamp."""

    def __init__(self, squares: Sequence[chess.Square], lamps: int = 64) -> None:
        self.shown = [(0, 0, 0)] * lamps
        self._squares = squares

    @property
    def lit(self) -> int:
        """The mask of the squares whose lamp is not dark, a1 = bit 0."""
        return sum(1 << square for square, colour in zip(self._squares, self.shown, strict=True) if colour != (0, 0, 0))

    def spark(self) -> None:
        """Something on the line lights them all."""
        self.shown = [(255, 255, 255)] * len(self.shown)

    def exchange(self, line: SimulatedSpiDevice, sent: bytes) -> bytes:
        """Raises :exc:`ValueError` for a pulse that is neither a 0 nor a 1."""
        bit_us = 1e6 / line.max_speed_hz
        taken = ""
        for run in re.finditer("1+|0+", f"{int.from_bytes(sent, 'big'):0{8 * len(sent)}b}"):
            length_us = len(run[0]) * bit_us
            if run[0][0] == "0":
                if length_us >= LATCH_US:
                    self._latch(taken)
                    taken = ""
            elif ZERO_US[0] <= length_us <= ZERO_US[1]:
                taken += "0"
            elif ONE_US[0] <= length_us <= ONE_US[1]:
                taken += "1"
            else:
                raise ValueError(f"a pulse of {length_us:.2f} µs")
        return bytes(len(sent))

    def _latch(self, taken: str) -> None:
        for lamp in range(min(len(self.shown), len(taken) // 24)):
            green, red, blue = (int(taken[24 * lamp + at : 24 * lamp + at + 8], 2) for at in (0, 8, 16))
            self.shown[lamp] = (red, green, blue)
