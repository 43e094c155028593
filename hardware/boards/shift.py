"""Eight 74HC165 shift registers in a chain on SPI: 64 reed switches, read by one transfer of 72 clocks.

Facts from the data sheet (TI SCLS116): while SH/LD is low the 64 inputs are taken over and the clock is ignored; once
it is high, each rising edge moves the chain on by one, input H of the chip nearest to the Pi first. SPI mode 0 samples
on that same edge, before the chain has moved.

SH/LD hangs on CE0. A transfer of one byte there is the pulse that takes the inputs over; the transfer with CE1, which
is left open, reads them. A chip select that is high while it is active would do with one transfer, but kernels since
5.4 do not honour it on a Pi.

The switches close to ground and the inputs are pulled up: a piece is a 0. SER of the last chip is grounded, so the byte
after the 64 inputs is 0: a cable that is off reads as ones there, or as 64 pieces.
"""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from msgspec import Meta

from controller.contract import Senses
from controller.errors import DeviceError
from hardware import wires
from hardware.boards.about import About
from hardware.boards.readings import Driver, Emit
from hardware.boards.scan import ScanThread
from hardware.buses import OpenSpi, Spi, open_spi
from hardware.order import ALL, Ordered, Sorter
from hardware.wires import Wire

LATCH, READ = 0, 1  #: the chip selects
PULSE, CLOCKS = bytes(1), bytes(9)  #: what is sent through them; the answers are all that matters


class ShiftConfig(Ordered, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="shift"):
    """How the chain is wired: input A of the chip nearest to the Pi is the first square, its H the eighth."""

    about: ClassVar[About] = About(
        "64 reed switches on eight 74HC165, by SPI",
        ("spi",),
        ("spidev",),
        "docs/boards/shift.md",
        once=("sudo raspi-config nonint do_spi 0",),
    )
    senses: ClassVar[Senses] = "occupancy"  #: a switch does not know what closed it
    bus: Annotated[int, Meta(ge=0)] = 0  #: /dev/spidev0.0 latches, /dev/spidev0.1 reads
    hz: Annotated[int, Meta(ge=1000, le=10_000_000)] = 1_000_000  #: of the SPI clock; less for long wires
    scan_hz: Annotated[float, Meta(gt=0, le=1000)] = 150.0  #: waking up costs more than the scan

    @property
    def wires(self) -> list[Wire]:
        return [*wires.spi(self.bus, 0, 1)]

    def open(self, emit: Emit) -> Driver:
        return ScanThread(ShiftBoard(self, open_spi), emit, self.scan_hz)


def wired(answer: bytes) -> int:
    """The pieces in the order of the inputs, bit 0 the first. ``answer``: 9 bytes of the chain, and of its end.

    Raises :exc:`DeviceError` for bytes that the chain cannot have sent.
    """
    if answer[8] or not any(answer):
        raise DeviceError(
            f"the shift registers do not answer: MISO stays {'high' if answer[8] else 'low'}",
            "the cable of the board is off, the chips have no power, or SER (pin 10) of the last one is not grounded",
            "check the wires to CE0, SCLK, MISO, 3.3 V and ground; it goes on by itself when the board answers",
        )
    return int.from_bytes(answer[:8], "little") ^ ALL


class ShiftBoard:
    """The driver above SPI."""

    name = "shift registers"

    def __init__(self, config: ShiftConfig, open_bus: OpenSpi) -> None:
        self._config = config
        self._open_bus = open_bus
        self._sort = Sorter(config.squares())
        self._lines: list[Spi] = []
        self._last: tuple[Sequence[int], int] = ((), 0)  # an answer, and the pieces in it: mostly the next is the same

    def open(self) -> None:
        """Raises :exc:`DeviceError` where SPI cannot be had."""
        for select in (LATCH, READ):
            self._lines.append(self._open_bus(self._config.bus, select, self._config.hz))

    def scan(self) -> int:
        """The 64-bit mask of the occupied squares. :meth:`open` comes first. Raises as :func:`wired` does."""
        latch, read = self._lines
        latch.xfer2(PULSE)
        answer = read.xfer2(CLOCKS)
        if answer != self._last[0]:
            self._last = answer, self._sort(wired(bytes(answer)))
        return self._last[1]

    def close(self) -> None:
        while self._lines:
            self._lines.pop().close()
