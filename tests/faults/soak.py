"""Plays games at sixty times speed through the whole daemon, and watches what it holds.

    python tests/faults/soak.py [--games N] [--seed N]

Hands move pieces on a simulated electrical board; the matrix driver scans it, the daemon judges, journals, publishes to
a real mosquitto and writes PGN. After a warm-up the memory may grow by :data:`MOST_MB`, and no descriptor and no thread
may be left over. Ends with one JSON line; with status 1 where something was, or a game came out otherwise than it was
played: then its session log is kept, and named.
"""

import argparse
import asyncio
import gc
import json
import logging
import sys
import tempfile
import threading
import time
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from hall import MOSQUITTO, Mosquitto, until

from controller.config import check
from controller.daemon.service import Daemon
from controller.daemon.vitals import memory_mb
from controller.outlets.scoresheet import Scoresheet
from controller.wire import decode_event, encode
from hardware.boards import LeverPress
from hardware.boards.simulated import SimulatedBoard
from hardware.simulator.contacts import START
from hardware.simulator.games import random_game

SPEED = 60.0
PLIES = 60
MOST_MB = 1.0
WARM = 0.2  #: of the games, at least :data:`LEAST`, before anything is measured
LEAST = 5
LOOKS = 10  #: so often, evenly, while the rest is played


class PlayedOtherwiseError(AssertionError):
    """The journal has another game than the one that was played."""


class Hands:
    """They play one game after the other on the daemon's board."""

    def __init__(self, daemon: Daemon, seed: int) -> None:
        assert isinstance(daemon.only.boards[None], SimulatedBoard)
        self._daemon = daemon
        self._board = daemon.only.boards[None]
        self._seed = seed
        self._standing: int = START

    async def play(self, number: int) -> int:
        """One game, resigned where it is not over. Returns how many moves were made."""
        await until(lambda: self._daemon.only.session.playing)
        board = chess.Board()
        for move in random_game(self._seed * 1_000_000 + number, PLIES):
            await self._move(board, move)
        moves = [move.uci() for move in board.move_stack]
        if self._daemon.only.session.playing:
            await self._daemon.only.carry_out({"type": "resign", "side": "white"})
        await until(lambda: not self._daemon.only.session.playing)
        await self._daemon.only.carry_out(
            {"type": "adjust", "side": "white"}
        )  # once it is on the disk, so is all before it
        self._compare(moves)
        self._stand(START)
        return len(moves)

    async def _move(self, board: chess.Board, move: chess.Move) -> None:
        """Makes it on both boards, and presses."""
        side, before, target = ("white" if board.turn else "black"), board.occupied, chess.BB_SQUARES[move.to_square]
        if move.promotion:
            said = {"type": "choose", "side": side, "piece": chess.piece_symbol(move.promotion)}
            await self._daemon.only.carry_out(said)
        board.push(move)
        self._stand(before & board.occupied & ~target)
        await self._seen()
        self._stand(board.occupied)
        await self._seen()
        self._daemon.only.emit(LeverPress(time.monotonic_ns(), side), "clock")  # type: ignore[arg-type]
        await self._seen()

    def _stand(self, occupied: int) -> None:
        """Pieces are lifted and set down until they stand so."""
        for square in chess.scan_forward(self._standing & ~occupied):
            self._board.electrical.lift(square)
        for square in chess.scan_forward(occupied & ~self._standing):
            self._board.electrical.place(square)
        self._standing = occupied

    async def _seen(self) -> None:
        """Until the board has been scanned often enough for what stands there to hold."""
        after = self._board.scans + 4
        while self._board.scans < after:
            await asyncio.sleep(0.001)

    def _compare(self, moves: list[str]) -> None:
        opening = self._daemon.journal.last_game("7")
        assert opening is not None
        sheet, records = Scoresheet(opening), list(self._daemon.journal.game(opening.game))
        for record in records:
            if record.kind == "event":
                event = decode_event(record.body)
                if sheet.concerns(event):
                    sheet.apply(event)
        made = [entry.move.uci for entry in sheet.entries]
        if made != moves:
            log = Path(tempfile.gettempdir()) / f"soak-{opening.game}.jsonl"
            inputs = (record.body for record in records if record.kind == "input")
            log.write_bytes(b"\n".join((encode(opening.session), *inputs, b"")))
            raise PlayedOtherwiseError(f"{log}: played {' '.join(moves)}, recorded {' '.join(made)}")


def held() -> tuple[float, int, int]:
    """Memory in MB, descriptors, threads."""
    gc.collect()
    return memory_mb(), sum(1 for _ in Path("/proc/self/fd").iterdir()), threading.active_count()


async def soak(games: int, seed: int, folder: Path, port: int) -> dict[str, object]:
    """Raises :exc:`PlayedOtherwiseError`."""
    began = time.monotonic()
    raw = {
        "board": {"type": "simulated", "scan_hz": 1000.0, "bounce_ms": 1 / SPEED},
        "event": {"venue": "hall", "board": "7", "clock": "36000"},
        "start": {"by": "at-once", "ready_s": 0.5},
        "mqtt": {"host": "127.0.0.1", "port": port},
        "pgn": {"directory": str(folder / "games")},
        "journal": {"path": str(folder / "journal.sqlite")},
    }
    daemon = Daemon(check(raw, "the soak"), SPEED)
    serving = asyncio.create_task(daemon.run())
    hands, looks, plies = Hands(daemon, seed), list[tuple[float, int, int]](), 0
    warm = max(LEAST, round(WARM * games))
    every = max(1, (games - warm) // LOOKS)
    for number in range(games):
        plies += await hands.play(number)
        if number >= warm and (number - warm) % every == 0:
            looks.append(held())
    looks.append(held())
    daemon.stop()
    await serving
    memory, descriptors, threads = zip(*looks, strict=True)
    return {
        "name": "soak",
        "games": games,
        "plies": plies,
        "memory_mb": [round(mb, 1) for mb in memory],
        "grown_mb": round(memory[-1] - memory[0], 2),
        "grown_percent": round(100 * (memory[-1] / memory[0] - 1), 2),
        "goal_mb": MOST_MB,
        "descriptors": [descriptors[0], descriptors[-1]],
        "threads": [threads[0], threads[-1]],
        "seconds": round(time.monotonic() - began, 1),
    }


def held_on(found: dict[str, object]) -> str | None:
    """What was left over, in words; None where nothing was."""
    if found["grown_mb"] > MOST_MB:  # type: ignore[operator]
        return f"{found['grown_mb']} MB of memory"
    for kind in ("descriptors", "threads"):
        before, after = found[kind]  # type: ignore[misc]
        if after > before:
            return f"{after - before} {kind}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if MOSQUITTO is None:
        print(json.dumps({"name": "soak", "skipped": "apt-get install mosquitto"}))
        return 0
    logging.basicConfig(level=logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder))
        try:
            found = asyncio.run(soak(given.games, given.seed, Path(folder), broker.port))
        finally:
            broker.kill()
    print(json.dumps(found), flush=True)
    if (left := held_on(found)) is not None:
        print(f"left over: {left}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
