"""A strip of 64 WS2812 or SK6812 lamps, one under each square, on the data line of an SPI bus: no root is needed.

Facts from the data sheet (WorldSemi WS2812B): a bit is a pulse, 0.4 µs high for a 0 and 0.8 µs for a 1, 1.25 µs in all,
each 0.15 µs more or less; a lamp takes the first 24 bits, green, red, blue, and hands on the rest; 280 µs of low make
all show what they took. At 2.4 MHz three bits of SPI make such a bit: 100 or 110. The clock of SPI must not change
under way: `core_freq=250` in config.txt on a Pi 3 or Zero 2, `core_freq_min=500` on a Pi 4.
"""

import time
from typing import Annotated

from msgspec import Meta

from hardware import wires
from hardware.boards.readings import Emit
from hardware.boards.worker import Shower
from hardware.buses import OpenSpi, open_spi
from hardware.order import Ordered
from hardware.wires import Wire

HZ = 2_400_000
RENEW_S = 1.0  #: a spark on the data line may light any lamp: so often all are told again
LATCH = bytes(HZ * 300 // 8_000_000)  #: 300 µs of low

Intensity = Annotated[int, Meta(ge=0, le=255)]
Colour = Annotated[tuple[Intensity, ...], Meta(min_length=3, max_length=3)]


class StripConfig(Ordered, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="ws2812"):
    """How the strip is laid: the first lamp, next to the Pi, is under the first square."""

    zigzag: bool = True
    #: of /dev/spidev0.0: its MOSI goes to the strip, alone; a board on that bus takes 1
    bus: Annotated[int, Meta(ge=0)] = 0
    chip_select: Annotated[int, Meta(ge=0)] = 0
    colour: Colour = (48, 36, 12)  #: red, green, blue, 0 to 255; 64 lamps at 255 each would draw 3.8 A

    @property
    def wires(self) -> list[Wire]:
        return [*wires.spi(self.bus, self.chip_select, reads=False, alone=True)]

    def open(self, emit: Emit) -> "Strip":
        return Strip(self, open_spi, emit)


def _pulses(value: int) -> bytes:
    """The three bytes of SPI that make one byte of the strip."""
    return int("".join("110" if value >> bit & 1 else "100" for bit in range(7, -1, -1)), 2).to_bytes(3, "big")


PULSES = [_pulses(value) for value in range(256)]


def encode(lit: list[bool], colour: Colour) -> bytes:
    """What is sent over SPI for lamps that are lit in ``colour`` or dark, the first first."""
    red, green, blue = (PULSES[channel] for channel in colour)
    on, off = green + red + blue, PULSES[0] * 3
    return LATCH + b"".join(on if lamp else off for lamp in lit) + LATCH


class Strip(Shower[int]):
    """The driver, which is :class:`hardware.lamps.Lamps`. A strip answers nothing: one that is off goes unnoticed."""

    def __init__(self, config: StripConfig, open_bus: OpenSpi, emit: Emit) -> None:
        super().__init__("lamps", emit, 0)
        self._config = config
        self._open_bus = open_bus
        self._squares = config.squares()

    def light(self, mask: int) -> None:
        self.show(mask)

    def work(self) -> None:
        line = self._open_bus(self._config.bus, self._config.chip_select, HZ)
        try:
            while not self.stopping:
                line.writebytes2(self._encoded(self.wanted()))
                self.ready()
                self.alive_ns = time.monotonic_ns()
                self.rest(RENEW_S)
            line.writebytes2(self._encoded(0))
        finally:
            line.close()

    def _encoded(self, mask: int) -> bytes:
        return encode([bool(mask >> square & 1) for square in self._squares], self._config.colour)
