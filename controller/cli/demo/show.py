"""What there is to show in a demonstration: the words that :mod:`.commands` shares with those who say what to play."""

import socket
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Generic

import chess
from msgspec import Struct

from controller.cli.matchview import MatchView
from controller.cli.view import View
from controller.config import TableSetup
from controller.console.settings import PORT
from controller.contract import AnyInput, BoardId
from controller.journal import Opening
from controller.outlets.follow import S
from hardware.simulator.habits import Gesture

FOLDER = Path("build/demo")
FAST = 4.0  #: speeds above this are fast forward: what lasts a tenth of a second is less than the scans can tell
READY_S = 0.5
SCAN_HZ = 200.0
BOUNCE_MS = 1.0


class Act(Struct, frozen=True):
    """What a hand does or a player says on the board ``board_id``, so many ms after the beginning."""

    ms: int
    board_id: BoardId | None
    what: Gesture | AnyInput


class Show(Struct, Generic[S]):
    """What is to be seen."""

    config: TableSetup
    acts: Sequence[Act]  #: in order of time
    last_words: Sequence[dict[str, str]]  #: what the players say where the pieces alone do not end it
    begin: Callable[[Opening], S]
    view: Callable[[Sequence[str], float], View | MatchView]
    topics: str
    notation: str = "PGN"
    #: what is played on from a position to which a ruling has returned, by the moves that are owed there, as UCI; None
    #: where hands play on whatever an arbiter rules
    goes_on: Callable[[chess.Board, Sequence[str]], Sequence[Act]] | None = None
    after_a_ruling: Sequence[dict[str, str]] = ()  #: the last words then


def simulated(seed: int, speed: float) -> dict[str, Any]:
    """The table of a simulated board, scanned as fast as the game goes."""
    hz = min(1000.0, SCAN_HZ * max(1.0, speed))
    return {"type": "simulated", "seed": seed, "scan_hz": hz, "bounce_ms": BOUNCE_MS / speed, "hurry": speed}


def outside() -> dict[str, Any]:
    """The tables that a game and a match have alike."""
    return {
        "start": {"by": "at-once", "ready_s": READY_S},
        "pgn": {"directory": str(FOLDER / "games")},
        "journal": {"path": str(FOLDER / f"{datetime.now():%Y%m%d-%H%M%S-%f}.sqlite")},
        "console": {"port": _port()},
    }


def _port() -> int:
    """Where browsers look for the pages; any other if another daemon is there already."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return 0 if probe.connect_ex(("127.0.0.1", PORT)) == 0 else PORT
