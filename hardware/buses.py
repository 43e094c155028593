"""The serial buses of a Raspberry Pi as their usual libraries offer them: ``spidev.SpiDev`` and ``smbus2.SMBus``.

Only what the drivers here call is in the protocols, so that chips made of numbers can stand behind the same ones. The
libraries are imported when a bus is opened: only those who have such a board need them.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, cast

from controller.errors import DeviceError


class Spi(Protocol):
    """One chip select of an SPI bus, as of ``spidev.SpiDev``. Everything raises OSError where the bus does."""

    mode: int
    max_speed_hz: int

    def xfer2(self, values: Sequence[int], /) -> Sequence[int]:
        """Sends bytes, the select held low from the first to the last; returns as many that came back."""

    def writebytes2(self, values: bytes, /) -> None:
        """Sends any number of bytes, in pieces as large as the kernel takes."""

    def close(self) -> None: ...


class I2c(Protocol):
    """An I2C bus, as of ``smbus2.SMBus``. Everything raises OSError where a chip does not answer."""

    def write_byte(self, i2c_addr: int, value: int) -> None: ...

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None: ...

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> Sequence[int]: ...

    def close(self) -> None: ...


OpenSpi = Callable[[int, int, int], Spi]
"""Bus number, chip select, clock in Hz."""
OpenI2c = Callable[[int], I2c]
"""Bus number."""


def open_spi(bus: int, select: int, hz: int) -> Spi:
    """``/dev/spidev<bus>.<select>`` in mode 0. Raises :exc:`DeviceError` where it cannot be had."""
    try:
        import spidev
    except ImportError as error:
        raise _missing("spidev") from error
    device = spidev.SpiDev()
    try:
        device.open(bus, select)
        device.max_speed_hz = hz
        device.mode = 0
    except OSError as error:
        raise DeviceError(
            f"/dev/spidev{bus}.{select} cannot be opened: {error.strerror or error}",
            "SPI is not turned on, another program or display holds it, or the user may not use it",
            "sudo raspi-config nonint do_spi 0; sudo usermod -aG spi $USER; ls -l /dev/spidev*",
        ) from error
    return cast(Spi, device)


def open_i2c(bus: int) -> I2c:
    """``/dev/i2c-<bus>``. Raises :exc:`DeviceError` where it cannot be had."""
    try:
        import smbus2
    except ImportError as error:
        raise _missing("smbus2") from error
    try:
        return cast(I2c, smbus2.SMBus(bus))
    except OSError as error:
        raise DeviceError(
            f"/dev/i2c-{bus} cannot be opened: {error.strerror or error}",
            "I2C is not turned on, or the user may not use it",
            "sudo raspi-config nonint do_i2c 0; sudo usermod -aG i2c $USER; ls -l /dev/i2c-*",
        ) from error


def _missing(module: str) -> DeviceError:
    return DeviceError(
        f"the module {module} is not installed", "the optional packages for the Pi's buses were left out", "make gpio"
    )
