"""``jadoube record``: everything that a board sends, as it comes, with times: for a report of what goes wrong.

The file is what ``jadoube decode`` reads: a line for each read, its time in ms and its bytes in base64. Of a board on
pins or a bus, which sends nothing by itself, it has every scan that differs from the one before. What a person said or
typed is not in it, nor anything of the configuration.
"""

import asyncio
import base64
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import BinaryIO

from controller.cli.hardware.which import place_of
from controller.contract import Senses
from controller.errors import ConfigError
from hardware.boards import BoardConfig, open_board
from hardware.boards.dgt_bus import DgtBusConfig, converse, open_line
from hardware.boards.dgt_bus_polling import Polled, Polling
from hardware.boards.dgt_bus_talk import Talk
from hardware.boards.port import PortBoard
from hardware.boards.scan import Scannable, ScanThread
from hardware.boards.scan_recording import encode_scan

PERIOD_S = 0.005  #: between two scans
QUIET_S = 1.0  #: a board that has said nothing for so long is asked whether it is there

Reads = AsyncGenerator[bytes, None]
"""What was read, one after the other; an empty one means that nothing came for a moment."""


def record(config: Path, name: str | None, out: Path, seconds: float | None) -> int:
    """Writes to ``out`` until interrupted, or for so many ``seconds``; 0 if anything was read, else 2.

    Raises :exc:`ConfigError` where nothing can be written, :exc:`controller.errors.DeviceError` for a board that
    cannot be opened.
    """
    board = place_of(config, name).board
    try:
        file = out.open("xb")
    except OSError as error:
        cause = "it is there already, its folder is not, or the disk is read-only"
        raise ConfigError(f"{out}: {error.strerror}", cause, f"ls -l {out}; df -h {out.parent}") from error
    kind = _kind(board)
    end = "then press Ctrl-C" if seconds is None else f"it ends by itself after {seconds:g} s"
    print(f"Recording to {out}. Play what goes wrong; {end}.", file=sys.stderr)
    try:
        with file, suppress(KeyboardInterrupt):
            asyncio.run(_write(file, _reads(board), seconds))
    finally:
        count = out.read_bytes().count(b"\n")
        if not count:
            out.unlink()  # else the same command would be refused once the board is plugged in
    print(f"\n{count} reads. Next: jadoube decode {kind} {out} | jadoube replay -", file=sys.stderr)
    return 0 if count else 2


async def _write(file: BinaryIO, reads: Reads, seconds: float | None) -> None:
    began = time.monotonic()
    async with aclosing(reads):
        async for data in reads:
            passed = time.monotonic() - began
            if seconds is not None and passed > seconds:
                break
            if data:
                file.write(b"%d %b\n" % (round(passed * 1000), base64.b64encode(data)))
                file.flush()


def _kind(board: BoardConfig) -> str:
    """What ``jadoube decode`` calls such a recording."""
    driver = open_board(board, lambda _: None)
    if isinstance(driver, ScanThread):
        return "scans-colour" if board.senses == "colour" else "scans"
    kind = str(board.__struct_config__.tag)
    return "line-identity" if kind == "line" and board.senses == "identity" else kind


def _reads(board: BoardConfig) -> Reads:
    driver = open_board(board, lambda _: None)
    if isinstance(driver, ScanThread):
        return _scans(driver.board, board.senses)
    if isinstance(board, DgtBusConfig):
        return _answers(board)
    assert isinstance(driver, PortBoard)
    return _bytes(driver)


async def _bytes(driver: "PortBoard[object]") -> Reads:
    """Talks to the board as its driver does, and listens."""
    async with driver.opened() as line:
        line.write(driver.greeting)
        asked = time.monotonic()
        try:
            while True:
                data = await line.read(asked + QUIET_S)
                if data:
                    asked = time.monotonic()
                elif time.monotonic() > asked + QUIET_S:
                    line.write(driver.query)
                    asked = time.monotonic()
                yield data
        finally:
            line.write(driver.farewell)


async def _answers(config: DgtBusConfig) -> Reads:
    """Asks the board on its line as its driver does, and listens."""
    board = Polled(config.port, config.address, config.silence_s, lambda _: None)
    polling = Polling(board.name, [board], config.asking)
    async with open_line(config.port, config.dtr_rts) as line:
        async for data in converse(Talk(polling.script()), line):
            yield data


async def _scans(board: Scannable, senses: Senses) -> Reads:
    board.open()
    last = -1
    try:
        while True:
            seen = board.scan()
            yield b"" if seen == last else encode_scan(seen, senses)
            last = seen
            await asyncio.sleep(PERIOD_S)
    finally:
        board.close()
