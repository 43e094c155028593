"""``jadoube board``: what the sensors see, live, with the wires they hang on, how often they chatter, and presses."""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from controller.cli.hardware.look import ReportedBoard, looking
from controller.cli.hardware.picture import counted, draw, labels, summary
from controller.cli.hardware.which import place_of
from controller.cli.hardware.wiring import Grid, wiring
from hardware.boards import BoardConfig, Driver, FromDevice
from hardware.boards.dgt_bus_polling import Polled
from hardware.boards.hall import HallBoard
from hardware.boards.scan import ScanThread

ANSWER_S = 8.0  #: a board that starts slowly has shown all of itself by then
REFRESH_S = 0.2
HINT = "beside each piece: how often its sensor has bounced"
LEVELS = "beside each piece: the level of its sensor, 0 to 1023"


def show(config: Path, name: str | None, once: bool) -> int:
    """Shows the board until interrupted, or one picture; 2 if it does not answer. Raises :exc:`ConfigError`."""
    place = place_of(config, name)
    board, grid = place.board, wiring(place.board)
    with looking(board, place.clock) as (look, driver):
        look.wait_whole(ANSWER_S)
        paint = partial(picture, board, grid, look, driver)
        if once:
            print("\n".join(paint()))
        elif sys.stdout.isatty():
            _live(paint)
        else:
            _follow(look, paint)
        return 0 if look.whole and look.fault is None else 2


def picture(board: BoardConfig, grid: Grid, look: ReportedBoard, driver: Driver) -> list[str]:
    """The lines to show at this moment: the board, how it is read, and what its sensors measure."""
    kind = board.__struct_config__.tag
    lines = [f"{kind}: {', '.join(summary(look.shown))}" if look.whole else f"{kind}: it has not answered yet"]
    if isinstance(driver, ScanThread) and driver.scans:
        lines[0] += f"; {driver.scans} scans, {driver.late} late"
    if isinstance(driver, Polled) and driver.every_ms is not None:
        lines[0] += f"; asked every {driver.every_ms} ms"
    levels = _levels(driver)
    lines += ["", *draw(grid, look.shown, counted(levels or look.bounces)), "", LEVELS if levels else HINT]
    lines += labels(grid)
    if look.presses:
        lines += ["", f"the clock was pressed by {look.presses[-1]}, {len(look.presses)} presses so far"]
    for trouble in (look.fault, *look.remarks.values()):
        if trouble is not None:
            lines += ["", trouble.what, f"  Likely cause: {trouble.cause}", f"  Next: {trouble.next_step}"]
    return lines


def _live(paint: Callable[[], Sequence[str]]) -> None:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(highlight=False), screen=True, auto_refresh=False) as live:
        while True:
            live.update(Text("\n".join(paint())), refresh=True)
            time.sleep(REFRESH_S)


def _follow(look: ReportedBoard, paint: Callable[[], Sequence[str]]) -> None:
    """A picture after each change, where the output is no terminal."""
    told: tuple[int, int, FromDevice | None] | None = None
    while True:
        if (now := (look.changed_ns, len(look.presses), look.fault)) != told:
            told = now
            print("\n".join(paint()), end="\n\n", flush=True)
        look.wait(REFRESH_S)


def _levels(driver: Driver) -> list[int]:
    """The levels of a board with analogue sensors; of another none."""
    scanned = driver.board if isinstance(driver, ScanThread) else None
    return list(scanned.latest) if isinstance(scanned, HallBoard) else []
