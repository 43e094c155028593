"""Four 74HC4067 multiplexers: 64 reed switches to ground on eight pins, four that select and four that read.

Facts from the data sheet (TI SCLS444, NXP 74HC4067): the four select lines join one of 16 channels to the common pin,
which is pulled up; after a change the line behind it must be charged anew through that pull-up, 20 to 50 µs with the
one inside the Pi. The channels are walked in Gray code, so that each step changes one select line.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from controller.contract import Senses
from hardware import wires
from hardware.boards.about import PINS, About
from hardware.boards.readings import Driver, Emit
from hardware.boards.scan import ScanThread
from hardware.header import open_header
from hardware.order import Ordered, Sorter
from hardware.pins import Library, Pin, Pins
from hardware.wires import Wire

CHANNELS = 16
GRAY = tuple(i ^ i >> 1 for i in range(CHANNELS))
CHIPS = [sum(1 << CHANNELS * chip for chip in range(4) if levels >> chip & 1) for levels in range(16)]

SELECTS = ("S0", "S1", "S2", "S3")
FourPins = Annotated[tuple[Pin, ...], Meta(min_length=4, max_length=4, description="pins")]
Wait = Callable[[float], None]
"""Sleeps for so many seconds; a simulation brings its own."""


class MultiplexerConfig(Ordered, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="multiplexer"):
    """How the chips are wired: channel 0 of the first chip is the first square, of the second chip the 17th."""

    about: ClassVar[About] = About(
        "64 reed switches on four 74HC4067, on eight pins", ("gpio",), PINS, "docs/boards/multiplexer.md"
    )
    senses: ClassVar[Senses] = "occupancy"  #: a switch does not know what closed it
    select: FourPins = (5, 6, 13, 19)  #: pins of S0 to S3, by BCM number
    signals: FourPins = (18, 23, 24, 25)  #: pin of the common line of each chip, the one with the first squares first
    #: µs from selecting a channel to reading it; more for long wires
    settle_us: Annotated[int, Meta(ge=0, le=2000)] = 50
    scan_hz: Annotated[float, Meta(gt=0, le=1000)] = 100.0
    library: Library = "RPi.GPIO"  #: or "gpiod": fewer calls a scan

    @property
    def wires(self) -> list[Wire]:
        chips = (f"chip {chip}" for chip in range(1, 5))
        return [*wires.pins("select", self.select, SELECTS), *wires.pins("signals", self.signals, chips)]

    def open(self, emit: Emit) -> Driver:
        return ScanThread(MultiplexerBoard(self, partial(open_header, self.library)), emit, self.scan_hz)


class Channels:
    """The select lines, S0 first."""

    def __init__(self, pins: Pins, select: Sequence[int], settle_us: int, wait: Wait) -> None:
        self._pins = pins
        self._select = select
        self._settle_s = settle_us / 1e6
        self._wait = wait
        for pin in select:
            pins.setup_output(pin, False)

    def walk(self) -> Iterator[int]:
        """Selects each channel in turn, ready to be read, and comes back to the first."""
        before = GRAY[-1]
        for channel in GRAY:
            changed = before ^ channel
            self._pins.output(self._select[changed.bit_length() - 1], bool(channel & changed))
            before = channel
            self._wait(self._settle_s)
            yield channel


class MultiplexerBoard:
    """The driver above pins."""

    name = "multiplexers"

    def __init__(self, config: MultiplexerConfig, open_pins: Callable[[], Pins], wait: Wait = time.sleep) -> None:
        self._config = config
        self._open_pins = open_pins
        self._wait = wait
        self._sort = Sorter(config.squares())
        self._pins: Pins | None = None
        self._channels: Channels | None = None

    def open(self) -> None:
        """Takes the pins. Raises :exc:`controller.errors.DeviceError` where there are none."""
        self._pins = self._open_pins()
        for pin in self._config.signals:
            self._pins.setup_input(pin, "up")
        self._channels = Channels(self._pins, self._config.select, self._config.settle_us, self._wait)

    def scan(self) -> int:
        """The 64-bit mask of the occupied squares. :meth:`open` comes first."""
        assert self._pins is not None
        assert self._channels is not None
        wired, signals = 0, self._config.signals
        for channel in self._channels.walk():
            wired |= CHIPS[~self._pins.inputs(signals) & 0xF] << channel  # a piece pulls its line down
        return self._sort(wired)

    def close(self) -> None:
        if self._pins is not None:
            self._pins.cleanup()
            self._pins = self._channels = None
