"""A DGT board on a pseudo-terminal, with its clock and its own log: it answers, and reports what hands do to it."""

import time
from pathlib import Path

import chess

from controller.shown import START
from hardware.boards.dgt_clock import TEXT, ClockCommand
from hardware.boards.dgt_log import LoggedSquare, Stopped, Tag
from hardware.boards.dgt_log import encode as logged
from hardware.boards.dgt_picture import own_number
from hardware.boards.dgt_protocol import PIECES, ClockAck, Command, Flank, Id, encode, encode_acknowledgement
from hardware.simulator.pieces import BoardOfPieces

SOON_S = 0.25  #: the log tells changes apart that follow each other faster
IDENTITY: dict[int, bytes] = {
    Command.TRADEMARK: encode(Id.TRADEMARK, b"jadoube emulator of a DGT board"),
    Command.SERIAL: encode(Id.SERIAL, b"00042"),
    Command.VERSION: encode(Id.VERSION, bytes((1, 8))),
    Command.BUS_ADDRESS: encode(Id.BUS_ADDRESS, bytes((0, 0))),
}


class DgtEmulator(BoardOfPieces):
    """A board at ``port``, with the pieces at the start, and a clock on its cable once that was set."""

    baud = 9600

    def __init__(self, port: Path, rotated: bool = False, piecewise: bool = False) -> None:
        super().__init__(port, rotated, piecewise)
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
        for own, code in enumerate(self._codes()):
            if code:
                self.log += logged(LoggedSquare(own, code, soon=True))
        self._log_start()

    def clock(self, left_s: int, right_s: int, to_move: Flank, running: bool = True) -> None:
        """The clock shows these times; the lever is down on the other side."""
        status = running | (0x12 if to_move == "right" else 0x08) | self.battery_low << 2
        self._clock = encode(Id.CLOCK, bytes((*_shown(right_s), *_shown(left_s), status)))
        if to_move != self._to_move:
            self._to_move = to_move
            self.log += logged(Stopped("left", left_s) if to_move == "right" else Stopped("right", right_s))
        if self._updates in (Command.UPDATE, Command.UPDATE_NICE):
            self.send(self._clock)

    def changed(self, square: chess.Square) -> None:
        own, code, now = own_number(square), PIECES.index(self.pieces[square]), time.monotonic()
        self.log += logged(LoggedSquare(own, code, soon=now - self._logged < SOON_S))
        self._logged = now
        self._log_start()
        if self._updates is not None:
            self.send(encode(Id.FIELD, bytes((own, code))))

    def _codes(self) -> bytes:
        """By the board's own numbers."""
        return bytes(PIECES.index(self.pieces[own_number(own)]) for own in range(64))

    def _log_start(self) -> None:
        for tag, start in ((Tag.BEGIN, START), (Tag.BEGIN_ROTATED, START[::-1])):
            if tuple(self.pieces) == start:
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
                    self.send(encode(Id.BOARD, self._codes()))
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
