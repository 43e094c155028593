"""A hall for the tests: boards of one daemon, each with pieces that are moved by its number."""

import asyncio
from pathlib import Path
from typing import Any

import chess
from hall import Mosquitto, until

from controller.config import Setup, check
from controller.daemon.service import Daemon
from controller.journal import Journal
from controller.outlets.follow import Follower
from controller.outlets.scoresheet import Scoresheet
from hardware.boards.simulated import SimulatedBoard

QUICK = {"release_ms": 60, "brush_ms": 20}
SIMULATED = {"type": "simulated"}


def many(folder: Path, *numbers: str, boards: dict[str, dict[str, Any]] | None = None, **tables: Any) -> Setup:
    """The configuration of a hall of quick simulated boards, or of those in ``boards``; ``tables`` add to its own."""
    kinds = dict.fromkeys(numbers, SIMULATED) | (boards or {})
    raw: dict[str, Any] = {
        "boards": [{"number": number, "board": board} for number, board in kinds.items()],
        "event": {"venue": "hall", "settings": QUICK},
        "start": {"by": "at-once", "ready_s": 0.1},
        "pgn": {"directory": str(folder / "games")},
        "journal": {"path": str(folder / "journal.sqlite")},
    }
    for name, table in tables.items():
        raw[name] = raw.get(name, {}) | table
    return check(raw, "the test")


async def all_playing(daemon: Daemon) -> None:
    """Returns once there is a game on each board."""
    await until(lambda: daemon.stations and all(each.session.playing for each in daemon.stations.values()))


async def make(daemon: Daemon, number: str, *moves: str) -> None:
    """Hands make quiet moves on that board, each left standing until it is made; none before there is a game."""
    await until(lambda: daemon.stations[number].session.playing)
    driver = daemon.stations[number].boards[None]
    assert isinstance(driver, SimulatedBoard)
    for uci in moves:
        move = chess.Move.from_uci(uci)
        made = len(moves_on(daemon.journal, number))
        driver.electrical.lift(move.from_square)
        await asyncio.sleep(0.06)
        driver.electrical.place(move.to_square)
        await until(lambda made=made: len(moves_on(daemon.journal, number)) > made)


def moves_on(journal: Journal, number: str) -> list[str]:
    """The moves of the game in progress there, as the journal has it."""
    follower = Follower(journal, number, 0, Scoresheet)
    while follower.read():
        pass
    return [entry.move.uci for entry in follower.sheet.entries] if follower.sheet else []


def hall_mqtt(mosquitto: Mosquitto) -> dict[str, Any]:
    return {"host": "127.0.0.1", "port": mosquitto.port}


def said(daemon: Daemon) -> set[str]:
    """The sources of the notices in force."""
    return {notice.source for notice in daemon.notices.current}
