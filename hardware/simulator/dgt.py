"""A DGT board on a pseudo-terminal: it answers what the driver asks and reports what is moved."""

from pathlib import Path

import chess

from hardware.boards.dgt_picture import own_number
from hardware.boards.dgt_protocol import PIECES, Command, Flank, Id, encode
from hardware.boards.placement import START
from hardware.simulator.terminal import Terminal

IDENTITY: dict[int, bytes] = {
    Command.TRADEMARK: encode(Id.TRADEMARK, b"jadoube emulator of a DGT board"),
    Command.SERIAL: encode(Id.SERIAL, b"00042"),
    Command.VERSION: encode(Id.VERSION, bytes((1, 8))),
    Command.BUS_ADDRESS: encode(Id.BUS_ADDRESS, bytes((0, 0))),
    Command.BATTERY: encode(Id.BATTERY, bytes(9)),
}


class DgtEmulator(Terminal):
    """A board at ``port``, with the men at the start.

    ``rotated``: Black sits where the board thinks White does. ``piecewise``: each byte is sent by itself.
    """

    baud = 9600

    def __init__(self, port: Path, rotated: bool = False, piecewise: bool = False) -> None:
        super().__init__(port, piecewise)
        self._rotated = rotated
        self._codes = bytearray(64)
        for square, piece in enumerate(START):
            self._codes[own_number(square, rotated)] = PIECES.index(piece)
        self._clock = encode(Id.CLOCK, bytes((0, 0, 0, 0, 0, 0, 0x20)))  # no clock on the cable
        self._updates: Command | None = None

    def wake_up(self) -> None:
        self._updates = None  # like a real one it reports nothing before it is asked

    def lift(self, square: chess.Square) -> None:
        self._set(square, 0)

    def place(self, square: chess.Square, piece: str) -> None:
        """``piece`` is a FEN letter. The square need not have been empty: boards scan slower than hands capture."""
        self._set(square, PIECES.index(piece))

    def clock(self, left_s: int, right_s: int, to_move: Flank, running: bool = True) -> None:
        """The clock shows these times; the lever is down on the other side."""
        status = running | (0x12 if to_move == "right" else 0x08)
        self._clock = encode(Id.CLOCK, bytes((*_shown(right_s), *_shown(left_s), status)))
        if self._updates in (Command.UPDATE, Command.UPDATE_NICE):
            self.send(self._clock)

    def _set(self, square: chess.Square, code: int) -> None:
        own = own_number(square, self._rotated)
        self._codes[own] = code
        if self._updates is not None:
            self.send(encode(Id.FIELD, bytes((own, code))))

    def obey(self, data: bytes) -> None:
        for byte in data:
            match byte:
                case Command.RESET:
                    self._updates = None
                case Command.UPDATE | Command.UPDATE_BOARD | Command.UPDATE_NICE:
                    self._updates = Command(byte)
                case Command.SEND_BOARD:
                    self.send(encode(Id.BOARD, bytes(self._codes)))
                case Command.SEND_CLOCK:
                    self.send(self._clock)
                case _ if reply := IDENTITY.get(byte):
                    self.send(reply)


def _shown(seconds: int) -> tuple[int, int, int]:
    """Hours, minutes and seconds as the clock codes them."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return hours, int(str(minutes), 16), int(str(seconds), 16)
