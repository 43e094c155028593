"""An I2C bus made of numbers: what is soldered to it answers behind the methods of ``smbus2.SMBus``.

The chips see what is on the wires: a write, or a write of the register's number and a read after it.
"""

import errno
from collections.abc import Mapping, Sequence
from typing import Protocol


class I2cChip(Protocol):
    """What hangs on a bus. An address at which nobody acknowledges is one without such a chip."""

    def write(self, sent: bytes) -> None: ...

    def read(self, length: int) -> bytes: ...


class SimulatedI2c:
    """A bus with ``chips`` at their addresses."""

    def __init__(self, chips: Mapping[int, I2cChip]) -> None:
        self.sparks = 0  #: so many of the next transfers fail
        self._chips = dict(chips)
        self._away: dict[int, I2cChip] = {}

    def unplug(self, address: int) -> None:
        """The chip does not answer until :meth:`plug`."""
        self._away[address] = self._chips.pop(address)

    def plug(self, address: int) -> None:
        self._chips[address] = self._away.pop(address)

    def open(self, _bus: int) -> "SimulatedI2c":
        """Stands in for :func:`hardware.buses.open_i2c`."""
        return self

    def write_byte(self, i2c_addr: int, value: int) -> None:
        self.chip(i2c_addr).write(bytes((value,)))

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        self.chip(i2c_addr).write(bytes((register, *data)))

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        chip = self.chip(i2c_addr)
        chip.write(bytes((register,)))
        return list(chip.read(length))

    def close(self) -> None:
        """The chips keep what they were told."""

    def chip(self, address: int) -> I2cChip:
        """Raises OSError where nobody acknowledges, as Linux does."""
        if self.sparks:
            self.sparks -= 1
            raise OSError(errno.EIO, "Input/output error")
        if address not in self._chips:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return self._chips[address]
