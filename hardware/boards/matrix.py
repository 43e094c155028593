"""A matrix of reed switches: eight row outputs, eight column inputs, a switch (and better a diode) at each crossing.

A row is driven, left to settle (20 to 50 µs), and the columns are read. Row pins are given from rank 1 to rank 8,
column pins from file a to file h, of a board that stands as White sees it.

With a diode at each switch the resting rows are driven to the passive level. Without diodes two occupied squares of
one file would join a driven row to a resting one, so the resting rows are let go instead: that saves the outputs, but
three occupied corners of a rectangle still show the fourth as occupied. Nothing in one scan can tell that ghost from a
piece: fit the diodes.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from controller.contract import Senses
from hardware import wires
from hardware.boards.about import PINS, About
from hardware.boards.readings import Driver, Emit
from hardware.boards.scan import ScanThread
from hardware.header import open_header
from hardware.pins import Library, Pin, Pins
from hardware.wires import Wire

EightPins = Annotated[tuple[Pin, ...], Meta(min_length=8, max_length=8, description="pins")]


class MatrixConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="matrix"):
    """How the matrix is wired. Pins are BCM numbers."""

    about: ClassVar[About] = About(
        "64 reed switches in rows and columns, on 16 pins", ("gpio",), PINS, "docs/boards/matrix.md"
    )
    senses: ClassVar[Senses] = "occupancy"  #: a switch does not know what closed it
    #: pins of ranks 1 to 8, by BCM number (not as they stand on the header)
    rows: EightPins = (4, 17, 27, 22, 5, 6, 13, 19)
    columns: EightPins = (18, 23, 24, 25, 12, 16, 20, 21)  #: pins of files a to h
    settle_us: Annotated[int, Meta(ge=0, le=2000)] = 30  #: µs from driving a row to reading it; more for long wires
    diodes: bool = True  #: one at each switch; without them three pieces at the corners of a rectangle fake a fourth
    rotated: bool = False  #: true: Black sits where rank 1 is wired
    active: Literal["high", "low"] = "high"  #: the level of a driven row; "low" if the columns are pulled up
    scan_hz: Annotated[float, Meta(gt=0, le=1000)] = 200.0
    library: Library = "RPi.GPIO"  #: or "gpiod": a row in one call

    @property
    def wires(self) -> list[Wire]:
        ranks, files = (f"rank {rank}" for rank in range(1, 9)), (f"file {file}" for file in "abcdefgh")
        return [*wires.pins("rows", self.rows, ranks), *wires.pins("columns", self.columns, files)]

    def open(self, emit: Emit) -> Driver:
        return ScanThread(Matrix(self, partial(open_header, self.library)), emit, self.scan_hz)


def occupancy(rows: Sequence[int], active: Literal["high", "low"] = "high", rotated: bool = False) -> int:
    """The 64-bit mask of a scan, a1 = bit 0. ``rows``: the column levels of each driven row, bit 0 the first column."""
    mask = int.from_bytes(rows, "little")
    if active == "low":
        mask ^= 0xFFFF_FFFF_FFFF_FFFF
    return int(f"{mask:064b}"[::-1], 2) if rotated else mask


class Matrix:
    """The driver above pins. ``wait`` sleeps for so many seconds; a simulation brings its own."""

    name = "matrix"

    def __init__(
        self, config: MatrixConfig, open_pins: Callable[[], Pins], wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._config = config
        self._open_pins = open_pins
        self._pins: Pins | None = None
        self._wait = wait

    def open(self) -> None:
        """Takes the pins. Raises :exc:`controller.errors.DeviceError` where there are none."""
        config, self._pins = self._config, self._open_pins()
        high = config.active == "high"
        for pin in config.columns:
            self._pins.setup_input(pin, "down" if high else "up")
        for pin in config.rows:
            if config.diodes:
                self._pins.setup_output(pin, not high)
            else:
                self._pins.setup_input(pin, "off")

    def scan(self) -> int:
        """Drives each row in turn; the 64-bit mask of the occupied squares. :meth:`open` comes first."""
        assert self._pins is not None
        config, pins, wait = self._config, self._pins, self._wait
        high, settle_s = config.active == "high", config.settle_us / 1e6
        levels = []
        for pin in config.rows:
            if config.diodes:
                pins.output(pin, high)
            else:
                pins.setup_output(pin, high)
            wait(settle_s)
            levels.append(pins.inputs(config.columns))
            if config.diodes:
                pins.output(pin, not high)
            else:
                pins.setup_input(pin, "off")
        return occupancy(levels, config.active, config.rotated)

    def close(self) -> None:
        if self._pins is not None:
            self._pins.cleanup()
            self._pins = None
