"""What analogue Hall sensors mean: a piece and its colour, from the level of each sensor. No I/O, no clock of its own.

A linear sensor (SS49E, DRV5055) idles at half its supply and goes up or down with the pole that comes near; White's
pieces have their magnets in one way, Black's the other. No two sensors idle alike, so each square is calibrated: its
level when empty, its noise, and what either pole makes of it. A piece is taken to stand there from half of that span
on, and to have left below 35 % of it; a neighbour's magnet makes less than a fifth.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import chess
import msgspec
from msgspec import Struct

from controller.errors import DeviceError

ENTER, LEAVE = 0.5, 0.35  #: shares of the span between idle and the pole
CLEAR = 6  #: a pole must stand out from the noise so many times
LEAST = 12  #: and by so many steps of the converter

Levels = Sequence[int]
"""What the converter said of each square, a1 first: 0 to 1023."""


class Calibration(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of the 64 sensors, a1 first; all in steps of the converter."""

    idle: list[float]  #: the level without a piece
    noise: list[float]  #: how far from it a reading strayed
    white: list[float]  #: the level with a white piece in the middle of the square
    black: list[float]

    def __post_init__(self) -> None:
        if not len(self.idle) == len(self.noise) == len(self.white) == len(self.black) == 64:
            raise ValueError("not 64 values each")


class Poles:
    """Levels in, pieces out. Remembers of each square what stands there, for a level in between changes nothing."""

    def __init__(self, calibration: Calibration) -> None:
        self._idle = calibration.idle
        # Per step of level: which share of the way to White's pole, and to Black's, it is.
        self._white = [1 / (pole - idle) for pole, idle in zip(calibration.white, calibration.idle, strict=True)]
        self._black = [1 / (pole - idle) for pole, idle in zip(calibration.black, calibration.idle, strict=True)]
        self._stands = [0] * 64  # 1 a white piece, -1 a black one

    def feed(self, levels: Levels) -> tuple[int, int]:
        """The masks of the occupied squares, and of those with a white piece; a1 = bit 0."""
        occupied = white = 0
        stands, idle, per_white, per_black = self._stands, self._idle, self._white, self._black
        for square, level in enumerate(levels):
            off = level - idle[square]
            towards_white, towards_black = off * per_white[square], off * per_black[square]
            piece = stands[square]
            if towards_white >= ENTER:
                piece = 1
            elif towards_black >= ENTER:
                piece = -1
            elif (piece > 0 and towards_white < LEAVE) or (piece < 0 and towards_black < LEAVE):
                piece = 0
            stands[square] = piece
            if piece:
                occupied |= 1 << square
                if piece > 0:
                    white |= 1 << square
        return occupied, white


def calibrate(empty: Sequence[Levels], white: Sequence[Levels], black: Sequence[Levels]) -> Calibration:
    """A calibration from three series of scans: of the empty board, and while a white piece, then a black one, was
    taken over all squares and set down on each.

    Raises :exc:`DeviceError` naming the squares at which a piece made no difference, or both colours the same one.
    """
    idle = [fmean(levels[s] for levels in empty) for s in chess.SQUARES]
    noise = [max(abs(levels[s] - idle[s]) for levels in empty) for s in chess.SQUARES]

    def farthest(scans: Sequence[Levels], square: chess.Square) -> float:
        return float(max((levels[square] for levels in scans), key=lambda level: abs(level - idle[square])))

    found = Calibration(
        idle=idle,
        noise=noise,
        white=[farthest(white, s) for s in chess.SQUARES],
        black=[farthest(black, s) for s in chess.SQUARES],
    )
    if wrong := doubtful(found):
        raise DeviceError(
            f"no telling white from black from empty on {' '.join(chess.square_name(s) for s in wrong)}",
            "a piece was not set down there, a magnet is in the wrong way round, or a sensor or its wire fails",
            "set both pieces down in the middle of each square; if it stays so, check the sensors of these squares",
        )
    return found


def doubtful(calibration: Calibration) -> list[chess.Square]:
    """The squares whose poles do not stand out on opposite sides."""
    found = []
    for square in chess.SQUARES:
        idle, least = calibration.idle[square], max(CLEAR * calibration.noise[square], LEAST)
        white, black = calibration.white[square] - idle, calibration.black[square] - idle
        if min(abs(white), abs(black)) < least or white * black > 0:
            found.append(square)
    return found


def load(path: Path) -> Calibration:
    """Reads a calibration. Raises :exc:`DeviceError` where there is none, or none that can be used."""
    remedy = "jadoube calibrate"
    try:
        calibration = msgspec.json.decode(path.read_bytes(), type=Calibration)
    except FileNotFoundError as error:
        raise DeviceError(f"there is no calibration at {path}", "the board was not calibrated yet", remedy) from error
    except (OSError, msgspec.DecodeError, ValueError) as error:
        raise DeviceError(f"the calibration {path} cannot be used: {error}", "a damaged file", remedy) from error
    if wrong := doubtful(calibration):
        names = " ".join(chess.square_name(square) for square in wrong)
        raise DeviceError(f"the calibration {path} is of no use on {names}", "it was changed by hand", remedy)
    return calibration


def save(calibration: Calibration, path: Path) -> None:
    """Writes a calibration, one list a line. Raises OSError."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(calibration), indent=-1) + b"\n")
