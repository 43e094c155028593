"""The language of DGT boards that share a serial line: bytes to replies, and back. No I/O.

A command is four bytes, ``[0x80 | command] [address >> 7] [address & 7F] [checksum]``; a reply is
``[0x80 | id] [length >> 7] [length & 7F] [address >> 7] [address & 7F] … [checksum]``, with the board's own address,
and a length that counts all of it. The checksum is the sum of all before it, modulo 128. Only a first byte has bit 7.
One number means different things in either direction. Source: the project's notes on the bus mode, which say for each
line how it is known.

What boards answer differently by their version is taken either way: changes under two ids, with an end of their own or
without; a version with its number or without. The commands that these notes know by name alone are not here.
"""

from collections.abc import Iterator
from enum import IntEnum

from msgspec import Struct

from hardware.boards.codec import ProtocolError
from hardware.boards.dgt_protocol import Framed

ALL = 0  #: the address that means every board
LAST_ADDRESS = 0x3FFF
_HEADER, _CHECKSUM = 5, 1
_LEAST = _HEADER + _CHECKSUM


class Command(IntEnum):
    """What is sent to a board."""

    SEND_CLOCK = 0x81
    SEND_BOARD = 0x82
    SEND_CHANGES = 0x83  #: what was logged since it was asked last, which is then gone
    REPEAT_CHANGES = 0x84  #: the same once more
    START_GAME = 0x85
    SEND_FROM_START = 0x86
    PING = 0x87  #: to :data:`ALL`, each board answers once, at a moment of its own within :data:`PING_S`
    END_BUS_MODE = 0x88
    RESET = 0x89
    IGNORE_NEXT_PING = 0x8A  #: to :data:`ALL`; is answered like a ping
    VERSION = 0x8B


class Id(IntEnum):
    """First bytes of what a board answers."""

    BOARD = 0x83
    CLOCK = 0x84
    CHANGES = 0x85
    FROM_START = 0x86
    PING = 0x87
    GAME_STARTED = 0x88
    VERSION = 0x89
    CHANGES_EVEN = 0x8B


PING_S = 1.1
ANSWERS: dict[int, tuple[int, ...]] = {
    Command.SEND_CLOCK: (Id.CLOCK,),
    Command.SEND_BOARD: (Id.BOARD,),
    Command.SEND_CHANGES: (Id.CHANGES, Id.CHANGES_EVEN),
    Command.REPEAT_CHANGES: (Id.CHANGES, Id.CHANGES_EVEN),
    Command.START_GAME: (Id.GAME_STARTED,),
    Command.SEND_FROM_START: (Id.FROM_START,),
    Command.PING: (Id.PING,),
    Command.IGNORE_NEXT_PING: (Id.PING,),
    Command.VERSION: (Id.VERSION,),
}  #: what may answer a command; nothing does where it is not here
_LENGTHS: dict[int, tuple[int, ...]] = {
    Id.BOARD: (70,),
    Id.CLOCK: (13,),
    Id.PING: (6,),
    Id.GAME_STARTED: (6,),
    Id.VERSION: (6, 8),  # the shorter one up to version 1.2
}


class Reply(Struct, frozen=True):
    """What a board answers."""

    id: int
    address: int  #: 1 to :data:`LAST_ADDRESS`
    data: bytes


class Decoder(Framed[Reply]):
    """Bytes of the line in, replies out; any chunking gives the same."""

    def fits(self, kind: int, length: int) -> bool:
        return length >= _LEAST and length in _LENGTHS.get(kind, (length,))

    def read(self, message: bytes) -> Reply | ProtocolError:
        if checksum(message[:-1]) != message[-1]:
            return ProtocolError(f"reply {message.hex(' ')} has a wrong checksum")
        return Reply(message[0], message[3] << 7 | message[4], message[_HEADER:-1])


class Listener:
    """A board's ear: bytes of the line in, commands with their addresses out, and what is no frame. For emulators."""

    def __init__(self) -> None:
        self._frame = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[int, int] | int]:
        """``(command, address)``, or a byte that is no part of a frame: a command to a board that stands alone."""
        for byte in data:
            if byte & 0x80:
                self._frame[:] = (byte,)
            elif not self._frame:
                yield byte
            else:
                self._frame.append(byte)
                if len(self._frame) == len(encode(Command.PING, ALL)):
                    command, high, low, last = self._frame
                    self._frame.clear()
                    if last == checksum((command, high, low)):
                        yield command, high << 7 | low
                    else:  # its first byte is dropped, and the rest read anew
                        yield from self.feed(bytes((high, low, last)))


def encode(command: int, address: int) -> bytes:
    """A command as it is sent. Raises ValueError for an address that cannot be."""
    if not 0 <= address <= LAST_ADDRESS:
        raise ValueError(f"{address}: an address is 0 to {LAST_ADDRESS}")
    return _sealed(bytes((command, address >> 7, address & 0x7F)))


def encode_reply(kind: int, address: int, data: bytes = b"") -> bytes:
    """A reply as a board sends it: for emulators, and to write a recording."""
    length = len(data) + _LEAST
    return _sealed(bytes((kind, length >> 7, length & 0x7F, address >> 7, address & 0x7F)) + data)


def checksum(data: bytes | tuple[int, ...]) -> int:
    """Of all bytes before it."""
    return sum(data) & 0x7F


def _sealed(data: bytes) -> bytes:
    return data + bytes((checksum(data),))
