"""A home-made board on a pseudo-terminal: a device that speaks the line protocol, with a clock of its own."""

import time
from collections.abc import Collection
from pathlib import Path

import chess

from controller.contract import Side
from hardware.boards.line_protocol import WRAP_MS, seal
from hardware.simulator.pieces import BoardOfPieces


class LineEmulator(BoardOfPieces):
    """A device whose ms begin at ``boot_ms``. ``features`` as in its hello."""

    baud = 115200

    def __init__(
        self,
        port: Path,
        rotated: bool = False,
        piecewise: bool = False,
        features: Collection[str] = ("lamps",),
        boot_ms: int = 0,
    ) -> None:
        super().__init__(port, rotated, piecewise)
        self.lamps = 0  #: the mask, as the board numbers its squares
        self.version = 1
        self._features = features
        self._boot_ms = boot_ms
        self._booted = 0.0
        self._line = bytearray()

    def wake_up(self) -> None:
        self._booted, self.lamps = time.monotonic(), 0
        self._line.clear()
        self._hello()

    @property
    def ms(self) -> int:
        """The device's clock."""
        return (round((time.monotonic() - self._booted) * 1000) + self._boot_ms) % WRAP_MS

    def press(self, side: Side) -> None:
        self.say(f"press {self.ms} {side}")

    def battery(self, percent: int) -> None:
        self.say(f"battery {percent}")

    def say(self, line: str) -> None:
        """This line, with a checksum if the device is one that sends them."""
        self.send((seal(line) if "checksum" in self._features else line).encode("ascii") + b"\r\n")

    def changed(self, square: chess.Square) -> None:
        name, piece = chess.square_name(square), self.pieces[square]
        letter = f" {piece}" if "identity" in self._features else ""
        self.say(f"place {self.ms} {name}{letter}" if piece else f"lift {self.ms} {name}")

    def obey(self, data: bytes) -> None:
        for byte in data:
            if byte != ord("\n"):
                self._line.append(byte)
                continue
            words = self._line.decode("ascii", "replace").partition("*")[0].split()
            self._line.clear()
            match words:
                case ["hello"]:
                    self._hello()
                case ["state"]:
                    self._state()
                case ["lamps", mask]:
                    self.lamps = int(mask, 16)

    def _hello(self) -> None:
        self.say(" ".join(("hello", str(self.version), *self._features)))
        self._state()

    def _state(self) -> None:
        pieces = "".join(piece or "." for piece in self.pieces)
        self.say(f"state {self.ms} {pieces if 'identity' in self._features else f'{self.occupied:016x}'}")
