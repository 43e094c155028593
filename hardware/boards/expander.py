"""Four MCP23017 port expanders on I2C: 64 reed switches, 16 a chip, each to ground.

Facts from the data sheet (Microchip DS20001952): with IOCON.BANK 0, as after power-on, the registers of ports A and B
stand in pairs and a block read runs through them; GPPU turns on pull-up resistors of 100 kΩ, IPOL inverts what GPIO
reads, so that a piece is a 1. A chip whose supply dipped comes back with every register at its default, pull-ups off
and inputs afloat: the settings are read back once a second.

The sheet of 2022 warns that an input on bit 7 of a port which changes during the very clock of its reading can disturb
that answer; one wrong answer is outlived by the debouncer, and one that is not given is asked for once more.
"""

import time
from typing import Annotated, ClassVar

from msgspec import Meta

from controller.contract import Senses
from controller.errors import DeviceError
from hardware import wires
from hardware.boards.about import About
from hardware.boards.readings import Driver, Emit
from hardware.boards.scan import ScanThread
from hardware.buses import I2c, OpenI2c, open_i2c
from hardware.order import Ordered, Sorter
from hardware.wires import Wire

IODIR, IOCON, GPPU, GPIO = 0x00, 0x0A, 0x0C, 0x12
IOCON_BANKED = 0x05  #: where IOCON is found while its BANK bit is set; else GPINTENB, which is not used
SETTINGS = bytes(4 * (0xFF,)), bytes(2 * (0xFF,))  #: IODIR and IPOL; GPPU

ExpanderAddress = Annotated[int, Meta(ge=0x20, le=0x27)]


FourAddresses = Annotated[tuple[ExpanderAddress, ...], Meta(min_length=4, max_length=4, description="addresses")]


class ExpanderConfig(Ordered, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="expander"):
    """How the chips are wired: GPA0 of the first chip is the first square, its GPB0 the ninth, its GPB7 the 16th."""

    about: ClassVar[About] = About(
        "64 reed switches on four MCP23017, by I2C",
        ("i2c",),
        ("smbus2",),
        "docs/boards/expander.md",
        once=("sudo raspi-config nonint do_i2c 0",),
    )
    senses: ClassVar[Senses] = "occupancy"  #: a switch does not know what closed it
    bus: Annotated[int, Meta(ge=0)] = 1  #: /dev/i2c-1
    #: as ``[0x20, 0x21, 0x22, 0x23]``: their addresses, the one with the first squares first
    chips: FourAddresses = (0x20, 0x21, 0x22, 0x23)
    #: 200.0 with dtparam=i2c_arm_baudrate=400000 in /boot/firmware/config.txt
    scan_hz: Annotated[float, Meta(gt=0, le=1000)] = 100.0

    @property
    def wires(self) -> list[Wire]:
        return [*wires.i2c(self.bus, self.chips)]

    def open(self, emit: Emit) -> Driver:
        return ScanThread(ExpanderBoard(self, open_i2c), emit, self.scan_hz)


def wired(answers: bytes) -> int:
    """The pieces in the order of the inputs, bit 0 the first. ``answers``: ports A and B of each chip, 8 bytes."""
    return int.from_bytes(answers, "little")


class ExpanderBoard:
    """The driver above I2C."""

    name = "port expanders"

    def __init__(self, config: ExpanderConfig, open_bus: OpenI2c) -> None:
        self._config = config
        self._open_bus = open_bus
        self._sort = Sorter(config.squares())
        self._bus: I2c | None = None
        self._checked = 0.0

    def open(self) -> None:
        """Sets the chips up. Raises :exc:`DeviceError` where the bus cannot be had, or a chip does not answer."""
        self._bus = self._open_bus(self._config.bus)
        inputs, pulls = SETTINGS
        for chip in self._config.chips:
            try:
                for register, data in ((IOCON_BANKED, b"\0"), (IOCON, b"\0"), (IODIR, inputs), (GPPU, pulls)):
                    self._bus.write_i2c_block_data(chip, register, data)
            except OSError as error:
                raise self._silent(chip, error) from error
        self._check()

    def scan(self) -> int:
        """The 64-bit mask of the occupied squares. :meth:`open` comes first. Raises as that does."""
        if time.monotonic() - self._checked >= 1:
            self._check()
        return self._sort(wired(b"".join(self._read(chip, GPIO, 2) for chip in self._config.chips)))

    def close(self) -> None:
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def _check(self) -> None:
        for chip in self._config.chips:
            registers = self._read(chip, IODIR, GPPU + 2)
            if (registers[:4], registers[GPPU:]) != SETTINGS:
                raise DeviceError(
                    f"the port expander {chip:#x} has lost its settings",
                    "its supply dipped, or RESET (pin 18) is not tied to 3.3 V",
                    "it is set up again by itself; check its supply, and put 100 nF beside each chip",
                )
        self._checked = time.monotonic()

    def _read(self, chip: int, register: int, length: int) -> bytes:
        assert self._bus is not None
        try:
            return bytes(self._bus.read_i2c_block_data(chip, register, length))
        except OSError:
            try:  # a spark on the wires must not cost the board a second
                return bytes(self._bus.read_i2c_block_data(chip, register, length))
            except OSError as error:
                raise self._silent(chip, error) from error

    def _silent(self, chip: int, error: OSError) -> DeviceError:
        return DeviceError(
            f"the port expander {chip:#x} does not answer: {error.strerror or error}",
            "a wire of the bus is off, the chip has no power, or A0 to A2 give it another address",
            f"i2cdetect -y {self._config.bus} shows who answers; compare with chips in [board]",
        )
