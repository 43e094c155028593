"""Sixty-four linear Hall sensors behind four 74HC4067 multiplexers and one MCP3008 converter: it sees colours.

Facts from the data sheet (Microchip DS21295): a conversion is three bytes, `01 8c 00` for channel c (4 bits: single
ended, then the number); the answer has undefined bits, a zero, then ten bits of level. At 3.3 V the clock may be
1.35 MHz and more. Channel k reads the common pin of multiplexer k; the channels of these are walked as in
:mod:`hardware.boards.multiplexer`. What the levels mean is in :mod:`hardware.boards.hall_poles`.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar

from msgspec import Meta

from controller.contract import Senses
from controller.errors import DeviceError
from hardware import wires
from hardware.boards.about import PINS, About
from hardware.boards.hall_poles import Poles, load
from hardware.boards.multiplexer import CHANNELS, SELECTS, Channels, FourPins, Wait
from hardware.boards.readings import Driver, Emit
from hardware.boards.scan import WHITE_PIECES, ScanThread
from hardware.buses import OpenSpi, Spi, open_spi
from hardware.header import open_header
from hardware.order import Ordered
from hardware.pins import Library, Pins
from hardware.wires import Wire

ASK = tuple(bytes((0x01, 0x80 | chip << 4, 0x00)) for chip in range(4))


class HallSensorsConfig(Ordered, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="hall"):
    """How the chips are wired: channel 0 of the first multiplexer is the first square, of the second the 17th."""

    about: ClassVar[About] = About(
        "64 Hall sensors on four 74HC4067 and an MCP3008",
        ("gpio", "spi"),
        (*PINS, "spidev"),
        "docs/boards/hall.md",
        once=("sudo raspi-config nonint do_spi 0",),
    )
    senses: ClassVar[Senses] = "colour"
    select: FourPins = (5, 6, 13, 19)  #: pins of S0 to S3, by BCM number
    bus: Annotated[int, Meta(ge=0)] = 0  #: the MCP3008 is on /dev/spidev0.0
    chip_select: Annotated[int, Meta(ge=0)] = 0
    hz: Annotated[int, Meta(ge=10_000, le=3_600_000)] = 1_000_000  #: of the SPI clock
    settle_us: Annotated[int, Meta(ge=0, le=2000)] = 20  #: µs from selecting a channel to converting it
    scan_hz: Annotated[float, Meta(gt=0, le=1000)] = 50.0
    calibration: str = "hall-calibration.json"  #: what jadoube calibrate wrote
    library: Library = "RPi.GPIO"  #: or "gpiod"

    @property
    def wires(self) -> list[Wire]:
        return [*wires.pins("select", self.select, SELECTS), *wires.spi(self.bus, self.chip_select)]

    def open(self, emit: Emit) -> Driver:
        return ScanThread(HallBoard(self, partial(open_header, self.library), open_spi), emit, self.scan_hz)


def level(answer: bytes) -> int:
    """The level in the three bytes of an answer, 0 to 1023.

    Raises :exc:`DeviceError` where the zero before it is missing: no converter has sent that.
    """
    if answer[1] & 0x04:
        raise DeviceError(
            "the converter does not answer: MISO stays high",
            "the cable of the board is off, the MCP3008 has no power, or hangs on the other chip select",
            "check the wires to SCLK, MISO, MOSI and CE, 3.3 V and ground; see chip_select in [board]",
        )
    return (answer[1] & 0x03) << 8 | answer[2]


class HallBoard:
    """The driver above pins and SPI."""

    name = "Hall sensors"
    latest: Sequence[int] = ()  #: what :meth:`levels` found last, for people who watch

    def __init__(
        self, config: HallSensorsConfig, open_pins: Callable[[], Pins], open_bus: OpenSpi, wait: Wait = time.sleep
    ) -> None:
        self._config = config
        self._open_pins = open_pins
        self._open_bus = open_bus
        self._wait = wait
        self._squares = config.squares()
        self._pins: Pins | None = None
        self._channels: Channels | None = None
        self._spi: Spi | None = None
        self._poles: Poles | None = None

    def open(self) -> None:
        """Raises :exc:`DeviceError` where pins, SPI or calibration cannot be had."""
        self._poles = Poles(load(Path(self._config.calibration).expanduser()))
        self.open_chips()

    def open_chips(self) -> None:
        """As :meth:`open`, for :meth:`levels` alone: to calibrate."""
        self._pins = self._open_pins()
        self._channels = Channels(self._pins, self._config.select, self._config.settle_us, self._wait)
        self._spi = self._open_bus(self._config.bus, self._config.chip_select, self._config.hz)

    def levels(self) -> list[int]:
        """The level of each square, a1 first, 0 to 1023. Raises :exc:`DeviceError` where nobody answers."""
        assert self._channels is not None
        assert self._spi is not None
        found, squares, exchange = [0] * 64, self._squares, self._spi.xfer2
        for channel in self._channels.walk():
            for chip, ask in enumerate(ASK):
                found[squares[CHANNELS * chip + channel]] = level(bytes(exchange(ask)))
        if not any(found):
            raise DeviceError(
                "the converter says 0 of every square",
                "MISO is shorted to ground, or VREF and the sensors have no power",
                "check 3.3 V at VDD, VREF and the sensors",
            )
        self.latest = found
        return found

    def scan(self) -> int:
        """The occupied squares, and from bit 64 on those with a white piece. :meth:`open` comes first."""
        assert self._poles is not None
        occupied, white = self._poles.feed(self.levels())
        return occupied | white << WHITE_PIECES

    def close(self) -> None:
        if self._spi is not None:
            self._spi.close()
        if self._pins is not None:
            self._pins.cleanup()
        self._spi = self._pins = self._channels = self._poles = None
