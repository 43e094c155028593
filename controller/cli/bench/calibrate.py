"""``jadoube calibrate``: teaches a board what it cannot know by itself: its Hall sensors, or whose chip is whose."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread

import chess

from controller.cli.bench.picture import draw
from controller.cli.bench.seat import board_of
from controller.cli.bench.wiring import Grid, named, wiring
from controller.errors import ConfigError, DeviceError
from controller.shown import NOTHING
from hardware.boards import open_board
from hardware.boards.certabo import CertaboBoard, CertaboConfig
from hardware.boards.certabo_protocol import Decoder, Tags
from hardware.boards.certabo_stones import Lesson
from hardware.boards.certabo_stones import save as save_stones
from hardware.boards.hall import HallBoard, HallConfig
from hardware.boards.hall_poles import Calibration, Levels, save
from hardware.boards.hall_poles import calibrate as calibration_of
from hardware.boards.scan import ScanThread

EMPTY_S = 2.0  #: how long the empty board is measured
STONES_S = 20.0  #: within which the men are learnt, or something is wrong
PAUSE_S = 0.01
SIDES = ("white", "black")


def calibrate(config: Path, seat: str | None) -> int:
    """Calibrates the board, and writes what was found; 0 once it is written.

    Raises :exc:`ConfigError` for a board that needs none, :exc:`DeviceError` where what is seen is of no use.
    """
    board = board_of(config, seat)
    if isinstance(board, HallConfig):
        return _hall(board)
    if isinstance(board, CertaboConfig):
        return _certabo(board)
    kind = board.__struct_config__.tag
    raise ConfigError(f"a board of the kind {kind} needs no calibration", "", f"jadoube test --config {config}")


# -- Hall sensors --------------------------------------------------------------------------------------------------


def _hall(config: HallConfig) -> int:
    driver = open_board(config, lambda _: None)
    assert isinstance(driver, ScanThread)
    assert isinstance(driver.board, HallBoard)
    sensors, path = driver.board, Path(config.calibration).expanduser()
    try:
        sensors.open_chips()
        _enter("Take all men off the board.")
        empty = _measured(sensors, EMPTY_S)
        carried = []
        for side in SIDES:
            _say(f"Set one {side} man, of the weakest magnet, down in the middle of each of the 64 squares in turn.")
            carried.append(_until_enter(sensors, empty))
        found = calibration_of(empty, *carried)
    finally:
        sensors.close()
    save(found, path)
    print("\n".join(margins(found, wiring(config))))
    print(f"\n{path} is written. Next: jadoube board, with the men on it")
    return 0


def margins(found: Calibration, grid: Grid) -> list[str]:
    """How safely each square is told, as a picture: the weaker pole's distance, in times of the noise."""
    shares = [_margin(found, square) for square in chess.SQUARES]
    pictured = draw(grid, NOTHING, [f"{min(share, 999):.0f}" for share in shares])
    weakest = min(chess.SQUARES, key=lambda square: shares[square])
    lines = ["", "How many times the noise a man stands out from an empty square:", "", *pictured, ""]
    lines.append(f"The weakest is {chess.square_name(weakest)}, with {shares[weakest]:.1f}.")
    return lines


def _margin(found: Calibration, square: chess.Square) -> float:
    idle = found.idle[square]
    span = min(abs(found.white[square] - idle), abs(found.black[square] - idle))
    return span / max(found.noise[square], 0.5)  # the converter itself knows no better


def _measured(sensors: HallBoard, seconds: float) -> list[Levels]:
    end, scans = time.monotonic() + seconds, list[Levels]()
    while time.monotonic() < end:
        scans.append(sensors.levels())
        time.sleep(PAUSE_S)
    return scans


def _until_enter(sensors: HallBoard, empty: Sequence[Levels]) -> list[Levels]:
    """The scans until Enter is pressed, with a word about each rank that is done."""
    idle = [sum(column) / len(empty) for column in zip(*empty, strict=True)]
    away = [
        max(abs(level - rest) for level in column) for column, rest in zip(zip(*empty, strict=True), idle, strict=True)
    ]
    pressed, seen, scans = Event(), set[chess.Square](), list[Levels]()
    Thread(target=_wait_for_enter, args=(pressed,), name="stdin", daemon=True).start()
    while not pressed.is_set():
        levels = sensors.levels()
        scans.append(levels)
        new = {s for s in chess.SQUARES if s not in seen and abs(levels[s] - idle[s]) > max(6 * away[s], 12)}
        if new:
            seen |= new
            print(f"\r{len(seen)} of 64 squares", end="", flush=True)
        time.sleep(PAUSE_S)
    print()
    if missing := sorted(set(chess.SQUARES) - seen):
        print(f"not seen yet: {named(missing)}")
    return scans


def _wait_for_enter(pressed: Event) -> None:
    sys.stdin.readline()
    pressed.set()


def _say(text: str) -> None:
    print(f"{text} Then press Enter.", flush=True)


def _enter(text: str) -> None:
    _say(text)
    sys.stdin.readline()


# -- Certabo -------------------------------------------------------------------------------------------------------


def _certabo(config: CertaboConfig) -> int:
    driver = open_board(config, lambda _: None)
    assert isinstance(driver, CertaboBoard)
    path = Path(config.stones).expanduser()
    _enter("Set the men up at the start, White on the board's first rank, further queens on d3 and d6.")
    lesson, codec, end, readings = Lesson(), Decoder(), time.monotonic() + STONES_S, 0
    line = driver.open_line()
    try:
        while time.monotonic() < end:
            for message in codec.feed(line.read()):
                readings += isinstance(message, Tags)
                if isinstance(message, Tags) and (stones := lesson.take(message.tags)) is not None:
                    save_stones(path, stones)
                    print(f"{len(stones)} men learnt, kept in {path}. Next: jadoube board")
                    return 0
    finally:
        line.close()
    if readings:
        cause = "a man stands off its square, is missing, or has no chip"
        raise DeviceError("the men at the start cannot be told apart", cause, "straighten them, and calibrate again")
    raise DeviceError(
        f"no Certabo board answers on {config.port}", "it is switched off, or on another port", "jadoube boards --ports"
    )
