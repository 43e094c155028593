"""What the measurements of the pages share: a daemon with pages whose board is shown by hand, random games on it."""

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import chess

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / folder) for folder in ("daemon", "console")] + [str(ROOT / "tools")]

import browser  # noqa: E402
from hall import MOSQUITTO, Mosquitto, running, until  # noqa: E402
from house import console, sign_in  # noqa: E402

from controller.config import Setup, check  # noqa: E402
from controller.contract import Side  # noqa: E402
from controller.daemon.service import Daemon  # noqa: E402
from controller.shown import START  # noqa: E402
from hardware.boards import Change, LeverPress, Recovered  # noqa: E402
from hardware.simulator.games import random_game  # noqa: E402

__all__ = [
    "MOSQUITTO",
    "Mosquitto",
    "Shown",
    "another",
    "browser",
    "configuration",
    "console",
    "running",
    "side_of",
    "sign_in",
    "until",
]

BRUSH_MS = 20
PLIES = 100  #: of a game


def configuration(folder: Path, **tables: dict[str, Any]) -> Setup:
    """An identity board without a device: what it shows is handed over."""
    raw: dict[str, Any] = {
        "board": {"type": "dgt", "port": "/dev/null/none"},
        "event": {"venue": "bench", "clock": "36000", "settings": {"brush_ms": BRUSH_MS}},
        "start": {"by": "at-once", "ready_s": 0},
        "console": {"port": 0},
        "pgn": {"directory": str(folder / "games")},
        "journal": {"path": str(folder / "journal.sqlite")},
    }
    return check(raw | tables, "the benchmark")


class Shown:
    """The board of a daemon, and who sits at it."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self._shown = [""] * 64

    async def ready(self) -> None:
        """The daemon is at work, and the pieces are set up."""
        await until(lambda: console(self._daemon).port)
        self._daemon.only.emit(Recovered(time.monotonic_ns()))  # as the driver would say of a board that is there
        for square, piece in enumerate(START):
            self._change(square, piece)
        await until(lambda: self._daemon.only.session.playing)

    async def games(self, seed: int) -> AsyncIterator[tuple[chess.Board, chess.Move]]:
        """Random games without end, move by move: the position before it, and the move."""
        while True:
            board = chess.Board()
            for move in random_game(seed, PLIES):
                yield board, move
                board.push(move)
                if board.is_game_over():
                    break
            seed += 1
            self.show(chess.Board())
            await asyncio.sleep(0.05)
            await self._daemon.only.carry_out({"type": "new-game", "insist": True})

    def show(self, board: chess.Board) -> None:
        """The pieces stand so; squares left come before squares taken."""
        for empty in (True, False):
            for square in chess.SQUARES:
                piece = board.piece_at(square)
                now = piece.symbol() if piece else ""
                if (now == "") == empty and now != self._shown[square]:
                    self._change(square, now)

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """The move is made, and not pressed."""
        after = board.copy(stack=False)
        after.push(move)
        self.show(after)

    async def touch(self, square: chess.Square) -> None:
        """A piece is lifted and put back, too slowly for a brush."""
        piece = self._shown[square]
        self._change(square, "")
        await asyncio.sleep(4 * BRUSH_MS / 1000)
        self._change(square, piece)
        await asyncio.sleep(BRUSH_MS / 1000)

    def press(self, side: Side) -> int:
        """When it was sampled, in ns of the monotonic clock."""
        now = time.monotonic_ns()
        self._daemon.only.emit(LeverPress(now, side))
        return now

    def _change(self, square: chess.Square, piece: str) -> None:
        self._shown[square] = piece
        self._daemon.only.emit(Change(time.monotonic_ns(), square, piece))


def side_of(board: chess.Board) -> Side:
    return "white" if board.turn else "black"


def another(board: chess.Board, move: chess.Move, dice: random.Random) -> chess.Square | None:
    """A piece of the mover, another than he moves, that could move: to touch it is a breach."""
    pieces = sorted({other.from_square for other in board.legal_moves} - {move.from_square})
    return dice.choice(pieces) if pieces and not board.is_castling(move) else None
