"""The language of DGT boards: bytes to messages, and back. No I/O.

A message is ``[0x80 | id] [length >> 7] [length & 7F] data``; the length counts the header, and only a first byte has
bit 7, so whatever was lost the next message is found again. Sources: the project's notes on serial boards, and real
recordings. The recordings settle what the descriptions leave open: status bit 3 means that the clock's left
side is to move, bit 4 its right side.

The bootloader command (0x4E) is not in this file: it would leave a board without its program.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Generic, Literal

from msgspec import Struct

from controller.errors import one_line
from hardware.boards.codec import M, ProtocolError

Flank = Literal["left", "right"]  #: of the clock, as seen from its front


class Command(IntEnum):
    """Single bytes that a PC sends."""

    RESET = 0x40  #: to idle; no reply
    SEND_CLOCK = 0x41
    SEND_BOARD = 0x42
    UPDATE = 0x43
    UPDATE_BOARD = 0x44
    SERIAL = 0x45
    BUS_ADDRESS = 0x46
    TRADEMARK = 0x47
    EEPROM = 0x49  #: send the log of all that happened
    BUS_MODE = 0x4A  #: share the line with others, see dgt_bus_protocol; no reply
    UPDATE_NICE = 0x4B  #: report changes of the board, and of the clock when it changes
    BATTERY = 0x4C
    VERSION = 0x4D
    SERIAL_LONG = 0x55
    CLOCK_COMMAND = 0x2B  #: the length of the rest, and then the command: see dgt_clock


class Id(IntEnum):
    """First bytes of what a board sends."""

    BOARD = 0x86
    CLOCK = 0x8D
    FIELD = 0x8E
    EEPROM = 0x8F
    BUS_ADDRESS = 0x90
    SERIAL = 0x91
    TRADEMARK = 0x92
    VERSION = 0x93
    BATTERY = 0xA0
    SERIAL_LONG = 0xA2


PIECES = ("", *"PRNBKQprnbkq", "", "", "")  #: by code; the last three are the result pieces, which are no chessmen

_LENGTHS: dict[int, int] = {Id.BOARD: 67, Id.CLOCK: 10, Id.FIELD: 5, Id.BUS_ADDRESS: 5, Id.SERIAL: 8, Id.VERSION: 5}
_HEADER = 3


class Dump(Struct, frozen=True):
    """The whole board."""

    codes: bytes  #: 64 piece codes, the board's own square 0 (a8 unless it is rotated) first


class Field(Struct, frozen=True):
    """One square that changed."""

    square: int  #: the board's own number, 0 to 63
    code: int


NO_CLOCK = 0x20  #: in the status of a clock message


class ClockState(Struct, frozen=True):
    """What the clock shows. Times are whole seconds."""

    left: int
    right: int
    running: bool
    to_move: Flank | None
    right_lever_up: bool
    left_flag: bool
    right_flag: bool
    battery_low: bool


class NoTime(Struct, frozen=True):
    """A clock message without a time: no clock on the cable, or nothing but zeros."""

    data: bytes

    @property
    def unplugged(self) -> bool:
        """Whether the board says that it has no clock."""
        return bool(self.data[6] & NO_CLOCK)


class ClockAck(Struct, frozen=True):
    """A clock message that answers a command, or tells of a button."""

    command: int  #: which was obeyed
    ok: bool
    automatic: bool  #: nobody asked: a button was pressed, or the mode was changed
    data: bytes  #: two bytes; the version as two half bytes, where that was asked for


class DgtBattery(Struct, frozen=True):
    """How full the battery of a Bluetooth board is."""

    percent: int


class Log(Struct, frozen=True):
    """The board's own log, oldest first: see dgt_log."""

    data: bytes


class Info(Struct, frozen=True):
    """Trademark, version, serial number and the like, for the log."""

    id: int
    data: bytes

    def __str__(self) -> str:
        if self.id == Id.VERSION:
            return f"version {self.data[0]}.{self.data[1]}"
        return one_line(" ".join(self.data.decode("ascii", "replace").split()))


Message = Dump | Field | ClockState | ClockAck | NoTime | DgtBattery | Log | Info


class Framed(ABC, Generic[M]):
    """Bytes in, messages out, where a first byte alone has bit 7 and the two after it tell the length.

    What no board can have sent comes out as a :exc:`ProtocolError` in its place, as a value: nothing after it is lost.
    """

    def __init__(self) -> None:
        self._message = bytearray()  # so far; empty or beginning with a first byte
        self._stray = 0  # bytes since the last message that belong to none

    def feed(self, data: bytes) -> Iterator[M | ProtocolError]:
        for byte in data:
            if byte & 0x80:
                if self._message:
                    yield ProtocolError(f"message {self._message.hex(' ')} was cut short")
                elif self._stray:
                    yield ProtocolError(f"{self._stray} bytes outside any message: is this a DGT board?")
                self._stray = 0
                self._message[:] = (byte,)
            elif self._message:
                self._message.append(byte)
                if (finished := self._finished()) is not None:
                    self._message.clear()
                    yield finished
            else:
                self._stray += 1

    @property
    def begun(self) -> bool:
        """Whether a message has begun that is not whole yet."""
        return bool(self._message)

    def _finished(self) -> M | ProtocolError | None:
        """The message, once all of it is there; an error as soon as it can be none."""
        message = self._message
        if len(message) < _HEADER:
            return None
        length = message[1] << 7 | message[2]
        if not self.fits(message[0], length):
            return ProtocolError(f"message 0x{message[0]:02x} with length {length}")
        return self.read(bytes(message)) if len(message) == length else None

    @abstractmethod
    def fits(self, kind: int, length: int) -> bool:
        """Whether a message of that kind may be so long, all of it counted."""

    @abstractmethod
    def read(self, message: bytes) -> M | ProtocolError:
        """What a message of such a length says."""


class Decoder(Framed[Message]):
    """What a board sends that stands alone; any chunking gives the same messages."""

    def fits(self, kind: int, length: int) -> bool:
        return length >= _HEADER and length == _LENGTHS.get(kind, length)

    def read(self, message: bytes) -> Message | ProtocolError:
        try:
            return parse(message[0], message[_HEADER:])
        except ValueError as error:
            return ProtocolError(f"message {message.hex(' ')}: {error}")


def encode(kind: int, data: bytes) -> bytes:
    """A message as a board sends it: for emulators, and to write a recording."""
    length = len(data) + _HEADER
    return bytes((kind, length >> 7, length & 0x7F)) + data


def parse(kind: int, data: bytes) -> Message:
    """The data of a message of the right length. Raises ValueError for values that cannot be."""
    if kind == Id.BOARD:
        if max(data) >= len(PIECES):
            raise ValueError("no such piece")
        return Dump(data)
    if kind == Id.FIELD:
        square, code = data
        if square > 63 or code >= len(PIECES):
            raise ValueError("no such square or piece")
        return Field(square, code)
    if kind == Id.CLOCK:
        return _clock(data)
    if kind == Id.BATTERY:
        if not data or data[0] > 100:
            raise ValueError("no such percentage")
        return DgtBattery(data[0])
    if kind == Id.EEPROM:
        return Log(data)
    return Info(kind, data)


def _clock(data: bytes) -> ClockState | ClockAck | NoTime:
    """BWTIME: right h m s, left h m s, status; hours in the low nibble, minutes and seconds in BCD."""
    status = data[6]
    if 0x0A in (data[0] & 0x0F, data[3] & 0x0F):
        return _acknowledgement(data)
    if status & NO_CLOCK or not any(data[:6]):
        return NoTime(data)
    left, right = bool(status & 0x08), bool(status & 0x10)
    return ClockState(
        left=_seconds(data[3:6]),
        right=_seconds(data[0:3]),
        running=bool(status & 0x01),
        to_move=None if left == right else "left" if left else "right",
        right_lever_up=bool(status & 0x02),
        left_flag=bool(data[3] & 0x50),
        right_flag=bool(data[0] & 0x50),
        battery_low=bool(status & 0x04),
    )


def _acknowledgement(data: bytes) -> ClockAck:
    """Four bytes, whose highest bits stand apart: of the first two beside the left hours, of the others the right."""
    high, low = data[3], data[0]
    verdict, command = data[1] | high << 3 & 0x80, data[2] | high << 2 & 0x80
    rest = bytes((data[4] | low << 3 & 0x80, data[5] | low << 2 & 0x80))
    return ClockAck(command & 0x7F, verdict & 0x40 == 0, bool(command & 0x80), rest)


def encode_acknowledgement(ack: ClockAck) -> bytes:
    """As a board sends it: for emulators."""
    verdict, command = 0x10 if ack.ok else 0x40, ack.command | ack.automatic << 7
    first, second = ack.data
    high, low = 0x0A | verdict >> 3 & 0x10 | command >> 2 & 0x20, 0x0A | first >> 3 & 0x10 | second >> 2 & 0x20
    halves = (low, verdict & 0x7F, command & 0x7F, high, first & 0x7F, second & 0x7F)
    return encode(Id.CLOCK, bytes((*halves, 0)))


def _seconds(hms: Sequence[int]) -> int:
    hours, minutes, seconds = hms[0] & 0x0F, *(int(f"{byte:02x}") for byte in hms[1:])
    return hours * 3600 + minutes * 60 + seconds
