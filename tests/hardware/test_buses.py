"""The buses are opened as their libraries want it, and what is missing is said with the command that gets it."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from controller.errors import DeviceError
from hardware.buses import open_i2c, open_spi
from hardware.simulator.spi import SimulatedSpi, SimulatedSpiDevice

ABSENT = 9  #: a bus that no Pi has


class SpiDev:
    """What of ``spidev.SpiDev`` is called before the first transfer: settings are refused until it is open."""

    wrong: OSError | None = None

    def __init__(self) -> None:
        object.__setattr__(self, "opened", None)

    def open(self, bus: int, device: int) -> None:
        if self.wrong:
            raise self.wrong
        object.__setattr__(self, "opened", (bus, device))

    def __setattr__(self, name: str, value: object) -> None:
        if self.opened is None:
            raise OSError(9, "Bad file descriptor")
        object.__setattr__(self, name, value)


@pytest.fixture
def spidev(monkeypatch: pytest.MonkeyPatch) -> type[SpiDev]:
    module: Any = ModuleType("spidev")
    module.SpiDev = type("SpiDev", (SpiDev,), {})
    monkeypatch.setitem(sys.modules, "spidev", module)
    return module.SpiDev  # type: ignore[no-any-return]


@pytest.mark.usefixtures("spidev")
def test_an_spi_device_is_opened_and_then_set_to_its_clock_and_mode() -> None:
    device: Any = open_spi(0, 1, 1_000_000)
    assert (device.opened, device.max_speed_hz, device.mode) == ((0, 1), 1_000_000, 0)


def test_an_spi_device_that_is_not_there_names_the_command_that_turns_it_on(spidev: type[SpiDev]) -> None:
    spidev.wrong = FileNotFoundError(2, "No such file or directory")
    with pytest.raises(DeviceError, match=r"/dev/spidev0\.1 .*No such file") as caught:
        open_spi(0, 1, 1_000_000)
    assert "do_spi 0" in caught.value.next_step


@pytest.mark.parametrize(
    ("module", "open_bus"), [("spidev", lambda: open_spi(0, 0, 1)), ("smbus2", lambda: open_i2c(1))]
)
def test_without_its_module_the_error_names_the_package(
    monkeypatch: pytest.MonkeyPatch, module: str, open_bus: Any
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DeviceError, match=module) as caught:
        open_bus()
    assert caught.value.next_step == "make gpio"


def test_an_i2c_bus_that_is_not_there_names_the_command_that_turns_it_on() -> None:
    """With the real smbus2."""
    assert not Path(f"/dev/i2c-{ABSENT}").exists()
    with pytest.raises(DeviceError, match=f"/dev/i2c-{ABSENT} .*No such file") as caught:
        open_i2c(ABSENT)
    assert "do_i2c 0" in caught.value.next_step


def test_the_simulated_device_has_the_names_of_the_real_one() -> None:
    real = pytest.importorskip("spidev", reason="spidev could not be built here: make gpio").SpiDev
    for name in ("mode", "max_speed_hz", "xfer2", "writebytes2", "close"):
        assert hasattr(real, name)
        assert hasattr(SimulatedSpiDevice(_Nothing(), 0, 1), name)
    with pytest.raises(DeviceError):
        open_spi(ABSENT, 0, 1)


class _Nothing:
    def exchange(self, _: SimulatedSpiDevice, sent: bytes) -> bytes:
        return bytes(len(sent))


def test_a_closed_device_answers_nothing_more() -> None:
    device = SimulatedSpi({0: _Nothing()}).open(0, 0, 1)
    assert device.xfer2([1, 2]) == [0, 0]
    device.close()
    with pytest.raises(OSError, match="Bad file"):
        device.xfer2([1])
