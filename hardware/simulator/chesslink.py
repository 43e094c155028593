"""A Millennium ChessLink board on a pseudo-terminal: with parity and checksums, registers that it keeps, and lamps."""

from pathlib import Path

import chess

from hardware.boards.chesslink_protocol import ON_CHANGE, REPORTS, SCAN_TIME, decode, encode, encode_state
from hardware.boards.codec import ProtocolError
from hardware.simulator.pieces import BoardOfPieces

LENGTHS = {"S": 3, "V": 3, "X": 3, "T": 3, "L": 167, "W": 7, "R": 5}  #: of each command, checksum included
EVERY_SCAN, ON_REQUEST = 0, 1  #: values of the register REPORTS; from ON_CHANGE on, each change is reported
SCAN_UNIT_S = 0.002048


class ChessLinkEmulator(BoardOfPieces):
    """A board whose registers stand as the factory set them: it reports every scan."""

    baud = 38400

    def __init__(self, port: Path, rotated: bool = False, piecewise: bool = False) -> None:
        super().__init__(port, rotated, piecewise)
        self.registers = {0: 0, SCAN_TIME: 20, REPORTS: EVERY_SCAN, 3: 0, 4: 14}  #: outlive a loss of power
        self.lamps = [0] * 81  #: the pattern of each
        self._command = bytearray()
        self._scanned = 0.0

    def wake_up(self) -> None:
        self.lamps = [0] * 81
        self._command.clear()

    def tick(self, now: float) -> None:
        if now - self._scanned >= self.registers[SCAN_TIME] * SCAN_UNIT_S:
            self._scanned = now
            if self.registers[REPORTS] == EVERY_SCAN:
                self.send(encode_state(self.pieces))

    def changed(self, square: chess.Square) -> None:  # noqa: ARG002 - it tells the whole board
        if self.registers[REPORTS] >= ON_CHANGE:
            self.send(encode_state(self.pieces))

    def obey(self, data: bytes) -> None:
        for byte in data:
            self._command.append(byte)
            command = bytes(self._command)
            try:
                text = decode(command)
            except ProtocolError:
                text = "?"
            length = LENGTHS.get(text[0], 0)
            if len(text) >= length:
                self._command.clear()
                if length and encode(text[:-2]) == command:
                    self._do(text[0], text[1:-2])

    def _do(self, command: str, body: str) -> None:
        match command:
            case "S":
                self.send(encode_state(self.pieces))
            case "V":
                self.send(encode("v0103"))
            case "T":
                self.wake_up()
            case "X":
                self.lamps = [0] * 81
                self.send(encode("x"))
            case "L":
                self.lamps = list(bytes.fromhex(body[2:]))
                self.send(encode("l"))
            case "W":
                self.registers[int(body[:2], 16)] = int(body[2:], 16)
                self.send(encode(f"w{body}"))
            case "R":
                self.send(encode(f"r{body}{self.registers.get(int(body, 16), 0):02X}"))
