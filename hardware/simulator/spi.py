"""An SPI bus made of numbers: what is soldered to it answers behind the methods of ``spidev.SpiDev``.

A chip sees a whole transfer with its chip select, mode and clock; what it makes of these is in its data sheet.
"""

import errno
from collections.abc import Mapping, Sequence
from typing import Protocol


class SpiChip(Protocol):
    """What hangs on a bus."""

    def exchange(self, line: "SimulatedSpiDevice", sent: bytes) -> bytes:
        """What comes back while ``sent`` goes out with the chip select of ``line`` low."""


class SimulatedSpi:
    """A bus with ``chips`` on its chip selects; the same chip may hang on several."""

    def __init__(self, chips: Mapping[int, SpiChip]) -> None:
        self._chips = chips

    def open(self, bus: int, select: int, hz: int) -> "SimulatedSpiDevice":
        """Stands in for :func:`hardware.buses.open_spi`."""
        if select not in self._chips:
            raise OSError(errno.ENOENT, f"there is no /dev/spidev{bus}.{select}")
        return SimulatedSpiDevice(self._chips[select], select, hz)


class SimulatedSpiDevice:
    """An open ``spidev.SpiDev`` in mode 0."""

    def __init__(self, chip: SpiChip, select: int, hz: int) -> None:
        self.mode = 0
        self.max_speed_hz = hz
        self.select = select
        self._chip: SpiChip | None = chip

    def xfer2(self, values: Sequence[int], /) -> list[int]:
        return list(self._exchange(bytes(values)))

    def writebytes2(self, values: bytes, /) -> None:
        self._exchange(values)

    def close(self) -> None:
        self._chip = None

    def _exchange(self, sent: bytes) -> bytes:
        if self._chip is None:
            raise OSError(errno.EBADF, "Bad file descriptor")
        return self._chip.exchange(self, sent)
