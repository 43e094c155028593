"""Seven-segment displays that show both times: two HT16K33 modules on I2C, or eight digits of a MAX7219 on SPI.

Facts from the data sheets (Holtek HT16K33 1.20, Maxim 19-4452): the HT16K33 has a row of memory for each digit, two
bytes apart, and the modules sold with four digits have their colon in between; the MAX7219 decodes numbers by itself,
digit 0 stands on the right, and each register is written by two bytes that its select ends. Its settings are sent again
once a second, for a spark on the supply can turn it off or into a test pattern. luma.led_matrix drives it too, but
brings an imaging library along for eight digits.
"""

import time
from abc import ABC, abstractmethod
from typing import Annotated

from msgspec import Meta, Struct

from controller.contract import BLACK, WHITE
from controller.errors import DeviceError
from hardware import wires
from hardware.boards.readings import Emit
from hardware.boards.worker import Shower
from hardware.buses import I2c, OpenI2c, OpenSpi, Spi, open_i2c, open_spi
from hardware.clocks.digits import DARK, Digits, digits
from hardware.clocks.face import MS_NS, Face
from hardware.wires import Wire

LOOK_S = 0.05
RENEW_S = 1.0

Brightness = Annotated[int, Meta(ge=0, le=15)]
DisplayAddress = Annotated[int, Meta(ge=0x70, le=0x77)]


class Ht16k33Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="ht16k33"):
    """A module of four digits for each player."""

    bus: Annotated[int, Meta(ge=0)] = 1  #: of /dev/i2c-<bus>
    white: DisplayAddress = 0x70  #: as ``0x70``: its address
    black: DisplayAddress = 0x71  #: as ``0x71``
    brightness: Brightness = 8  #: 0 to 15

    @property
    def wires(self) -> list[Wire]:
        return [*wires.i2c(self.bus, (self.white, self.black))]

    def open(self, emit: Emit) -> "Display":
        return Ht16k33(self, open_i2c, emit)


class Max7219Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="max7219"):
    """A module of eight digits: four for each player."""

    bus: Annotated[int, Meta(ge=0)] = 0  #: of /dev/spidev<bus>.<chip_select>
    chip_select: Annotated[int, Meta(ge=0)] = 0
    white_left: bool = True  #: White's time stands on the left
    brightness: Brightness = 8  #: 0 to 15

    @property
    def wires(self) -> list[Wire]:
        return [*wires.spi(self.bus, self.chip_select, reads=False)]

    def open(self, emit: Emit) -> "Display":
        return Max7219(self, open_spi, emit)


DisplayConfig = Ht16k33Config | Max7219Config


class Display(Shower[Face], ABC):
    """A driver; dark before the first face, and after the stop."""

    def __init__(self, name: str, emit: Emit) -> None:
        super().__init__(name, emit, Face())

    def work(self) -> None:
        self._open()
        try:
            shown, renewed = None, time.monotonic()
            while not self.stopping:
                face, now = self.wanted(), time.monotonic_ns()
                ms = (now - face.ns) // MS_NS
                white, black = (digits(face.left_ms(s, now), face.running == s, ms) for s in (WHITE, BLACK))
                if time.monotonic() - renewed >= RENEW_S:
                    self._set_up()
                    shown, renewed = None, time.monotonic()
                if (white, black) != shown:
                    self._write(white, black)
                    shown = (white, black)
                self.ready()
                self.alive_ns = time.monotonic_ns()
                self.rest(LOOK_S)
            self._write(DARK, DARK)
        finally:
            self._close()

    @abstractmethod
    def _open(self) -> None:
        """Opens the bus and sets the chips up. Raises :exc:`DeviceError` or OSError."""

    @abstractmethod
    def _set_up(self) -> None: ...

    @abstractmethod
    def _write(self, white: Digits, black: Digits) -> None: ...

    @abstractmethod
    def _close(self) -> None: ...


class Ht16k33(Display):
    """Two modules."""

    SEGMENTS = (0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F, 0x00)  #: 0 to 9, and -1: dark
    COLON = 0x02
    OSCILLATE, LIT, DIMMING = 0x21, 0x81, 0xE0

    def __init__(self, config: Ht16k33Config, open_bus: OpenI2c, emit: Emit) -> None:
        super().__init__("clock display", emit)
        self._config = config
        self._open_bus = open_bus
        self._bus: I2c | None = None

    def _open(self) -> None:
        self._bus = self._open_bus(self._config.bus)
        try:
            self._set_up()
        except OSError:
            self._close()
            raise

    def _set_up(self) -> None:
        for address in (self._config.white, self._config.black):
            for command in (self.OSCILLATE, self.LIT, self.DIMMING | self._config.brightness):
                self._send(address, command, b"")

    def _write(self, white: Digits, black: Digits) -> None:
        for address, shown in ((self._config.white, white), (self._config.black, black)):
            one, two, three, four = (self.SEGMENTS[digit] for digit in shown.digits)
            colon = self.COLON if shown.separator else 0
            self._send(address, 0, bytes((one, 0, two, 0, colon, 0, three, 0, four, 0)))

    def _send(self, address: int, command: int, data: bytes) -> None:
        assert self._bus is not None
        try:
            if data:
                self._bus.write_i2c_block_data(address, command, data)
            else:
                self._bus.write_byte(address, command)
        except OSError as error:
            raise DeviceError(
                f"the clock display {address:#x} does not answer: {error.strerror or error}",
                "a wire of the bus is off, or its jumpers give it another address",
                f"i2cdetect -y {self._config.bus} shows who answers; compare with [clock.display]",
            ) from error

    def _close(self) -> None:
        if self._bus is not None:
            self._bus.close()
            self._bus = None


class Max7219(Display):
    """One chip, eight digits. It cannot be asked anything: a display that is not there is not noticed."""

    HZ = 1_000_000
    DECODE, INTENSITY, SCAN_LIMIT, NORMAL, TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F
    DARK_DIGIT, POINT = 0x0F, 0x80

    def __init__(self, config: Max7219Config, open_bus: OpenSpi, emit: Emit) -> None:
        super().__init__("clock display", emit)
        self._config = config
        self._open_bus = open_bus
        self._spi: Spi | None = None

    def _open(self) -> None:
        self._spi = self._open_bus(self._config.bus, self._config.chip_select, self.HZ)
        self._set_up()

    def _set_up(self) -> None:
        self._set(self.TEST, 0)
        self._set(self.DECODE, 0xFF)
        self._set(self.SCAN_LIMIT, 7)
        self._set(self.INTENSITY, self._config.brightness)
        self._set(self.NORMAL, 1)

    def _write(self, white: Digits, black: Digits) -> None:
        left, right = (white, black) if self._config.white_left else (black, white)
        for position, digit in enumerate((*left.digits, *right.digits)):
            lit = self.DARK_DIGIT if digit < 0 else digit
            point = position % 4 == 1 and (left, right)[position // 4].separator
            self._set(8 - position, lit | (self.POINT if point else 0))

    def _set(self, register: int, value: int) -> None:
        assert self._spi is not None
        self._spi.writebytes2(bytes((register, value)))

    def _close(self) -> None:
        if self._spi is not None:
            self._spi.close()
            self._spi = None
