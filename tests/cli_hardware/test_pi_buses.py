"""What is soldered to I2C and SPI is found by asking, and set up as the board that it is."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from shell import Jadoube

from controller.cli.hardware import buses
from controller.cli.hardware.boards import describe
from controller.config import Config, load
from controller.errors import DeviceError
from hardware.boards import expander, hall, shift
from hardware.boards.expander import ExpanderConfig
from hardware.boards.hall import HallSensorsConfig
from hardware.boards.shift import ShiftConfig
from hardware.simulator.contacts import START, Contacts
from hardware.simulator.expanders import Expander
from hardware.simulator.hall_sensors import HallSensors, Magnets
from hardware.simulator.i2c import I2cChip, SimulatedI2c
from hardware.simulator.segments import Ht16k33Module
from hardware.simulator.shift_registers import ShiftRegisters
from hardware.simulator.spi import SimulatedSpi

SEEN = ShiftConfig().squares()
Solder = Callable[..., Path]


class OnePort:
    """A PCF8574, as on the back of small screens: it has no registers, and says the same of each."""

    def write(self, sent: bytes) -> None: ...

    def read(self, length: int) -> bytes:
        return b"\x27" * length


@pytest.fixture
def solder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Solder:
    """A Pi in a folder, with chips on I2C 1 and on SPI 0."""

    def build(i2c: Mapping[int, I2cChip] | None = None, spi: SimulatedSpi | None = None) -> Path:
        (tmp_path / "dev").mkdir()
        if i2c is not None:
            for number in (1, 20):  # the second is that of a screen
                (tmp_path / f"dev/i2c-{number}").touch()
            for room in (buses, expander):
                monkeypatch.setattr(room, "open_i2c", {1: SimulatedI2c(i2c)}.__getitem__)
        if spi is not None:
            for select in spi._chips:
                (tmp_path / f"dev/spidev0.{select}").touch()
            for room in (buses, shift, hall):
                monkeypatch.setattr(room, "open_spi", spi.open)
        looked = buses.look
        monkeypatch.setattr(buses, "look", lambda: looked(tmp_path))
        return tmp_path

    return build


def expanders(*addresses: int) -> dict[int, I2cChip]:
    pieces = Contacts(occupied=START)
    return {address: Expander(pieces, SEEN[16 * i : 16 * i + 16]) for i, address in enumerate(addresses)}


def told() -> list[str]:
    return [describe(found) for found in buses.look()]


def test_without_buses_nothing_is_found(solder: Solder) -> None:
    solder()
    assert buses.look() == []


def test_expanders_and_displays_are_told_apart_by_their_addresses(solder: Solder) -> None:
    solder(expanders(0x20, 0x21, 0x22, 0x24) | {0x70: Ht16k33Module(), 0x71: Ht16k33Module()})
    assert told() == [
        "/dev/i2c-1: displays of the clock at 0x70 0x71, see [clock.display]; "
        "expander (MCP23017 at 0x20 0x21 0x22 0x24)"
    ]


def test_a_chip_that_does_not_answer_is_missed(solder: Solder) -> None:
    solder(expanders(0x20, 0x21, 0x23) | {0x27: OnePort()})
    (only,) = told()
    assert "port expanders at 0x20 0x21 0x23 only" in only
    assert "i2cdetect -y 1" in only


def test_displays_alone_are_no_board(solder: Solder) -> None:
    solder({0x70: Ht16k33Module()})
    assert told() == ["/dev/i2c-1: displays of the clock at 0x70, see [clock.display]"]
    assert buses.look()[0].answer is None


@pytest.mark.parametrize("occupied", [START, 0])
def test_shift_registers_are_known_with_and_without_pieces(solder: Solder, occupied: int) -> None:
    solder(spi=ShiftRegisters(Contacts(occupied=occupied)).spi)
    assert told() == ["/dev/spidev0.0: shift (eight 74HC165)"]


def test_a_cable_that_is_off_is_no_board(solder: Solder) -> None:
    chips = ShiftRegisters(Contacts())
    chips.contacts.unplug()
    solder(spi=chips.spi)
    assert told() == ["/dev/spidev0.0: nobody that is understood"]


def test_a_converter_is_known_by_its_levels(solder: Solder) -> None:
    chips = HallSensors(Magnets(), HallSensorsConfig().select)
    for pin in HallSensorsConfig().select:
        chips.setup_output(pin, level=False)
    solder(spi=chips.spi)
    assert told() == ["/dev/spidev0.0: hall (MCP3008 on CE0)"]
    chips.contacts.unplug()
    assert told() == ["/dev/spidev0.0: nobody that is understood"]


def test_a_bus_that_cannot_be_opened_says_why(solder: Solder, monkeypatch: pytest.MonkeyPatch) -> None:
    solder({})

    def refused(_: int) -> None:
        raise DeviceError("/dev/i2c-1 cannot be opened", "you may not", "sudo usermod -aG i2c $USER")

    monkeypatch.setattr(buses, "open_i2c", refused)
    assert "usermod -aG i2c" in told()[0]


def test_what_is_found_is_set_up_and_tested(solder: Solder, jadoube: Jadoube, tmp_path: Path) -> None:
    solder(expanders(0x20, 0x21, 0x22, 0x24))
    setup = jadoube("setup", "--yes")
    assert setup.status == 0, setup
    assert "It answers: 32 pieces, they stand as at the start." in setup.out
    config = load(tmp_path / "jadoube.toml")
    assert isinstance(config, Config)
    assert config.board == ExpanderConfig(chips=(0x20, 0x21, 0x22, 0x24))


def test_a_kind_that_is_named_is_looked_for_on_the_buses(solder: Solder, jadoube: Jadoube, tmp_path: Path) -> None:
    solder(spi=ShiftRegisters(Contacts(occupied=START)).spi)
    setup = jadoube("setup", "--board", "shift", "--yes")
    assert setup.status == 0, setup
    assert "shift (eight 74HC165)" in setup.out
    config = load(tmp_path / "jadoube.toml")
    assert isinstance(config, Config)
    assert config.board == ShiftConfig()
