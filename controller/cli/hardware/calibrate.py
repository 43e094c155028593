"""``jadoube calibrate``: teaches a board what it cannot know by itself, its Hall sensors, or whose chip is whose; and
measures of any other how many edges it loses."""

import asyncio
import queue
import sys
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from threading import Event, Thread

import chess
import msgspec

from controller.cli.hardware.losses import MeasuredLosses, Visits
from controller.cli.hardware.picture import draw
from controller.cli.hardware.which import place_of
from controller.cli.hardware.wiring import Grid, named, wiring
from controller.config import Config, load
from controller.daemon.measured import Measured, kept_at
from controller.errors import ConfigError, DeviceError
from controller.outlets.writing import write_atomically
from controller.shown import NOTHING
from hardware.boards import BoardConfig, BoardReading, Change, Driver, Fault, FromDevice, open_board
from hardware.boards.certabo import CertaboBoard, CertaboConfig
from hardware.boards.certabo_protocol import ChipTags, Decoder
from hardware.boards.certabo_stones import Lesson
from hardware.boards.certabo_stones import save as save_stones
from hardware.boards.hall import HallBoard, HallSensorsConfig
from hardware.boards.hall_poles import Calibration, Levels, save
from hardware.boards.hall_poles import calibrate as calibration_of
from hardware.boards.registry import scan_ms
from hardware.boards.scan import ScanThread

EMPTY_S = 2.0  #: how long the empty board is measured
ANSWER_S = 8.0  #: within which a board shows itself
SETTLE_S = 0.3  #: what hands did last has been reported by then
ROUNDS = 4  #: over the board, which are 512 edges, and more than :data:`LEAST` where some sensors are dead
NOT_TRIED = 8  #: more squares than these do not fail one by one
STONES_S = 20.0  #: within which the pieces are learnt, or something is wrong
PAUSE_S = 0.01
SIDES = ("white", "black")


def calibrate(config: Path, name: str | None, losses: bool) -> int:
    """Calibrates the board, and writes what was found; 0 once it is written. ``losses``: measures what it loses, also
    of a board that has more to learn.

    Raises :exc:`ConfigError` for one board of a match, with which nothing would be made of that, :exc:`DeviceError`
    where what is seen is of no use.
    """
    board = place_of(config, name).board
    if isinstance(board, HallSensorsConfig) and not losses:
        return _hall(board)
    if isinstance(board, CertaboConfig) and not losses:
        return _certabo(board)
    setup = load(config)
    if not isinstance(setup, Config):
        cause = "in a match à quatre nothing is made of what a board loses, and in a hall only of what its games show"
        raise ConfigError(f"{config}: this board needs no calibration", cause, f"jadoube test --config {config}")
    return _losses(board, setup)


# -- Hall sensors --------------------------------------------------------------------------------------------------


def _hall(config: HallSensorsConfig) -> int:
    driver = open_board(config, lambda _: None)
    assert isinstance(driver, ScanThread)
    assert isinstance(driver.board, HallBoard)
    sensors, path = driver.board, Path(config.calibration).expanduser()
    try:
        sensors.open_chips()
        _enter("Take all pieces off the board.")
        empty = _measured(sensors, EMPTY_S)
        carried = []
        for side in SIDES:
            _say(f"Set one {side} piece, of the weakest magnet, down in the middle of each of the 64 squares in turn.")
            carried.append(_until_enter(sensors, empty))
        found = calibration_of(empty, *carried)
    finally:
        sensors.close()
    save(found, path)
    print("\n".join(margins(found, wiring(config))))
    print(f"\n{path} is written. Next: jadoube board, with the pieces on it")
    return 0


def margins(found: Calibration, grid: Grid) -> list[str]:
    """How safely each square is told, as a picture: the weaker pole's distance, in times of the noise."""
    shares = [_margin(found, square) for square in chess.SQUARES]
    pictured = draw(grid, NOTHING, [f"{min(share, 999):.0f}" for share in shares])
    weakest = min(chess.SQUARES, key=lambda square: shares[square])
    lines = ["", "How many times the noise a piece stands out from an empty square:", "", *pictured, ""]
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
    """The scans until Enter is pressed; how many squares have been seen is said meanwhile."""
    idle = [sum(column) / len(empty) for column in zip(*empty, strict=True)]
    away = [
        max(abs(level - rest) for level in column) for column, rest in zip(zip(*empty, strict=True), idle, strict=True)
    ]
    pressed, seen, scans = _until_pressed(), set[chess.Square](), list[Levels]()
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


def _until_pressed() -> Event:
    """Is set once Enter is pressed."""
    pressed = Event()

    def wait() -> None:
        sys.stdin.readline()
        pressed.set()

    Thread(target=wait, name="stdin", daemon=True).start()
    return pressed


def _say(text: str) -> None:
    print(f"{text} Then press Enter.", flush=True)


def _enter(text: str) -> None:
    _say(text)
    sys.stdin.readline()


# -- Certabo -------------------------------------------------------------------------------------------------------


def _certabo(config: CertaboConfig) -> int:
    driver = open_board(config, lambda _: None)
    assert isinstance(driver, CertaboBoard)
    _enter("Set the pieces up at the start, White on the board's first rank, further queens on d3 and d6.")
    return asyncio.run(_learn(driver, config))


async def _learn(driver: CertaboBoard, config: CertaboConfig) -> int:
    path = Path(config.stones).expanduser()
    lesson, codec, end, readings = Lesson(), Decoder(), time.monotonic() + STONES_S, 0
    async with driver.opened() as line:
        while time.monotonic() < end:
            for message in codec.feed(await line.read(end)):
                readings += isinstance(message, ChipTags)
                if isinstance(message, ChipTags) and (stones := lesson.take(message.tags)) is not None:
                    save_stones(path, stones)
                    print(f"{len(stones)} pieces learnt, kept in {path}. Next: jadoube board")
                    return 0
    if readings:
        cause = "a piece stands off its square, is missing, or has no chip"
        raise DeviceError("the pieces at the start cannot be told apart", cause, "straighten them, and calibrate again")
    raise DeviceError(
        f"no Certabo board answers on {config.port}", "it is switched off, or on another port", "jadoube boards --ports"
    )


# -- what is lost --------------------------------------------------------------------------------------------------


def _losses(board: BoardConfig, setup: Config) -> int:
    items: queue.SimpleQueue[FromDevice] = queue.SimpleQueue()
    driver, visits = open_board(board, items.put), Visits(board.senses, setup.event.settings.debounce_ms)
    driver.start()
    try:
        _wait_whole(items, visits)
        _watched("Take all pieces off the board.", items, visits)
        visits.begin()
        began, scans = time.monotonic(), _scans(driver)
        for number in range(1, ROUNDS + 1):
            text = "Set one piece down on each of the 64 squares in turn, as quickly as in play, and take it off."
            _watched(f"{number} of {ROUNDS}: {text}", items, visits)
        looked = _scans(driver) - scans
        every = 1000 * (time.monotonic() - began) / looked if looked else scan_ms(board)
    finally:
        driver.stop()
    found = visits.found(ROUNDS)
    if len(found.dead) > NOT_TRIED:
        raise DeviceError(
            f"nobody was seen on {len(found.dead)} squares",
            "they were left out, or a whole line of sensors fails",
            "jadoube test",
        )
    path = kept_at(Path(setup.journal.path).expanduser())
    now = datetime.now().astimezone()
    count, bounce_ms = found.count, found.bounce_ms
    measured = Measured(edges=count.edges, lost=count.lost, scan_ms=round(every, 1), bounce_ms=bounce_ms, at=now)
    write_atomically(path, msgspec.json.format(msgspec.json.encode(measured)).decode())
    print("\n".join(losses_in_words(found, measured, setup.event.settings.debounce_ms)))
    print(f"{path} is written; the daemon reads it when it starts, and between games.")
    return 0


def losses_in_words(found: MeasuredLosses, measured: Measured, debounce_ms: int) -> list[str]:
    """What was found, for people."""
    lines = [
        f"{measured.lost} of {measured.edges} edges were lost; each square is looked at every {measured.scan_ms:g} ms"
    ]
    if found.missed:
        named_so = ", ".join(f"{chess.square_name(square)} {times} times" for square, times in found.missed.items())
        lines.append(f"  not seen: {named_so}")
    if found.bounce_ms:
        lines.append(f"  contacts bounce for up to {found.bounce_ms} ms; debounce_ms is {debounce_ms}")
    if found.bounced:
        lines.append(f"  seen more often than he came: {named(list(found.bounced))}")
        lines.append("  Likely cause: contacts that bounce for longer than [event.settings] debounce_ms, or he slipped")
    if found.dead:
        lines.append(f"  never seen, and not counted: {named(found.dead)}. Next: jadoube test")
    return lines


def _scans(driver: Driver) -> int:
    """How often the board has been looked at; 0 of one that reports by itself."""
    return driver.scans if isinstance(driver, ScanThread) else 0


def _wait_whole(items: "queue.SimpleQueue[FromDevice]", visits: Visits) -> None:
    end = time.monotonic() + ANSWER_S
    while not visits.whole:
        _take(items, visits)
        if time.monotonic() > end:
            raise DeviceError("the board does not answer", "it is switched off, or not connected", "jadoube doctor")


def _watched(text: str, items: "queue.SimpleQueue[FromDevice]", visits: Visits) -> None:
    """Takes what the board reports until Enter is pressed, and what had been reported by then."""
    _say(text)
    pressed = _until_pressed()
    while not pressed.is_set():
        _take(items, visits)
    end = time.monotonic() + SETTLE_S
    while time.monotonic() < end:
        _take(items, visits)


def _take(items: "queue.SimpleQueue[FromDevice]", visits: Visits) -> None:
    try:
        item = items.get(timeout=PAUSE_S)
    except queue.Empty:
        visits.settle(time.monotonic_ns() // 1_000_000)
        return
    if isinstance(item, Fault):
        raise DeviceError(item.what, item.cause, item.next_step)
    if isinstance(item, BoardReading | Change):
        visits.take(item.ns // 1_000_000, item)
