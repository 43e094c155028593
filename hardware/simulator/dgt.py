"""A DGT board on a pseudo-terminal, with its clock and its own log: it answers, and reports what hands do to it."""

import time
from pathlib import Path

import chess

from hardware.boards.dgt_clock import TEXT, ClockCommand
from hardware.boards.dgt_log import Square, Stopped, Tag
from hardware.boards.dgt_log import encode as logged
from hardware.boards.dgt_picture import own_number
from hardware.boards.dgt_protocol import PIECES, ClockAck, Command, Flank, Id, encode, encode_acknowledgement
from hardware.boards.placement import START
from hardware.simulator.terminal import Terminal

IDENTITY: dict[int, bytes] = {
    Command.TRADEMARK: encode(Id.TRADEMARK, b"jadoube emulator of a DGT board"),
    Command.SERIAL: encode(Id.SERIAL, b"00042"),
    Command.VERSION: encode(Id.VERSION, bytes((1, 8))),
    Command.BUS_ADDRESS: encode(Id.BUS_ADDRESS, bytes((0, 0))),
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
        self._command = bytearray()  # to the clock, as far as it has come
        self._to_move: Flank | None = None
        self._logged = 0.0
        self.log = bytearray()  #: what it has written into its own memory
        self.text = ""  #: what the clock shows instead of its times
        self.obedient = True  #: the clock is in the mode in which it can be told what to do
        self.percent = 80  #: how full the battery of a Bluetooth board is
        self.battery_low = False  #: of the clock

    def wake_up(self) -> None:
        self._updates = None  # like a real one it reports nothing before it is asked
        self.log += bytes((Tag.NOTHING_2,) * 3 + (Tag.POWER_UP,))
        for own, code in enumerate(self._codes):
            if code:
                self.log += logged(Square(own, code, soon=True))
        self._log_start()

    def lift(self, square: chess.Square) -> None:
        self._set(square, 0)

    def place(self, square: chess.Square, piece: str) -> None:
        """``piece`` is a FEN letter. The square need not have been empty: boards scan slower than hands capture."""
        self._set(square, PIECES.index(piece))

    def clock(self, left_s: int, right_s: int, to_move: Flank, running: bool = True) -> None:
        """The clock shows these times; the lever is down on the other side."""
        status = running | (0x12 if to_move == "right" else 0x08) | self.battery_low << 2
        self._clock = encode(Id.CLOCK, bytes((*_shown(right_s), *_shown(left_s), status)))
        if to_move != self._to_move:
            self._to_move = to_move
            self.log += logged(Stopped("left", left_s) if to_move == "right" else Stopped("right", right_s))
        if self._updates in (Command.UPDATE, Command.UPDATE_NICE):
            self.send(self._clock)

    def _set(self, square: chess.Square, code: int) -> None:
        own = own_number(square, self._rotated)
        self._codes[own] = code
        now = time.monotonic()
        self.log += logged(Square(own, code, soon=now - self._logged < 0.25))
        self._logged = now
        self._log_start()
        if self._updates is not None:
            self.send(encode(Id.FIELD, bytes((own, code))))

    def _log_start(self) -> None:
        for tag, rotated in ((Tag.BEGIN, False), (Tag.BEGIN_ROTATED, True)):
            if all(self._codes[own_number(s, rotated)] == PIECES.index(START[s]) for s in chess.SQUARES):
                self.log.append(tag)

    def obey(self, data: bytes) -> None:
        for byte in data:
            if self._command or byte == Command.CLOCK_COMMAND:
                self._command.append(byte)
                if len(self._command) > 2 and len(self._command) == self._command[1] + 2:
                    self._tell_clock(bytes(self._command))
                    self._command.clear()
                continue
            match byte:
                case Command.RESET:
                    self._updates = None
                case Command.UPDATE | Command.UPDATE_BOARD | Command.UPDATE_NICE:
                    self._updates = Command(byte)
                case Command.SEND_BOARD:
                    self.send(encode(Id.BOARD, bytes(self._codes)))
                case Command.SEND_CLOCK:
                    self.send(self._clock)
                case Command.BATTERY:
                    self.send(encode(Id.BATTERY, bytes((self.percent, *bytes(8)))))
                case Command.EEPROM:
                    self.log.append(Tag.DOWNLOADED)
                    self.send(encode(Id.EEPROM, bytes(self.log) + bytes((Tag.END,))))
                case _ if reply := IDENTITY.get(byte):
                    self.send(reply)

    def _tell_clock(self, command: bytes) -> None:
        kind, data = ClockCommand(command[3]), command[4:-1]
        if self._updates not in (Command.UPDATE, Command.UPDATE_NICE):
            return
        ok = self.obedient or kind != ClockCommand.SET_AND_RUN
        self.send(encode_acknowledgement(ClockAck(kind, ok, False, bytes(2))))
        match kind:
            case ClockCommand.TEXT:
                self.text = data[:TEXT].decode("ascii")
            case ClockCommand.END:
                self.text = ""
            case ClockCommand.SET_AND_RUN if ok:
                left, right = (h * 3600 + m * 60 + s for h, m, s in (data[0:3], data[3:6]))
                self.clock(left, right, "right" if data[6] & 0x02 else "left", running=not data[6] & 0x04)


def _shown(seconds: int) -> tuple[int, int, int]:
    """Hours, minutes and seconds as the clock codes them."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return hours, int(str(minutes), 16), int(str(seconds), 16)
