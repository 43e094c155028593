"""What the daemon weighs, and how soon it is at work: the process as systemd starts it, with a broker of the hall.

Resident memory after a game of 200 plies on a simulated board, and the time from the start of the process to the first
complete scan. A script in the process moves the pieces. Prints one JSON line for both.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess.pgn
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from hall import MOSQUITTO, Mosquitto

ROOT = Path(__file__).resolve().parents[2]
RSS_GOAL_MB = 60.0
FIRST_SCAN_GOAL_S = 1.0

HANDS = """
import asyncio, sys, time
from pathlib import Path
import chess
from controller.config import load
from controller.daemon.service import Daemon
from hardware.simulator.games import random_game

async def hands(daemon):
    while not daemon.only.boards[None].scans:
        await asyncio.sleep(0.001)
    print("scanned", time.monotonic_ns(), flush=True)
    while not daemon.only.session.playing:
        await asyncio.sleep(0.01)
    board = chess.Board()
    for move in game(int(sys.argv[2])):
        after = board.copy(stack=False)
        after.push(move)
        for square in chess.scan_forward(board.occupied & ~after.occupied):
            daemon.only.boards[None].electrical.lift(square)
        if board.is_capture(move) and not board.is_en_passant(move):
            daemon.only.boards[None].electrical.lift(move.to_square)
            await asyncio.sleep(0.05)
            daemon.only.boards[None].electrical.place(move.to_square)
        await asyncio.sleep(0.05)
        for square in chess.scan_forward(after.occupied & ~board.occupied):
            daemon.only.boards[None].electrical.place(square)
        if move.promotion:
            side, piece = "white" if board.turn else "black", chess.piece_symbol(move.promotion)
            await daemon.only.carry_out({"type": "choose", "side": side, "piece": piece})
        await asyncio.sleep(0.15)
        board = after
    print("played", flush=True)
    await asyncio.sleep(3600)

def game(plies):
    for seed in range(10_000):
        moves = random_game(seed, plies)
        if len(moves) == plies:
            return moves
    raise SystemExit("no random game is that long")

async def serve():
    await Daemon(load(Path(sys.argv[1]))).run(hands)

asyncio.run(serve())
"""


def measure(folder: Path, port: int, plies: int) -> dict[str, object]:
    """Runs the daemon with a companion that moves the pieces."""
    config = folder / "board.toml"
    config.write_text(
        '[board]\ntype = "simulated"\n[start]\nready_s = 0.2\n[event.settings]\nrelease_ms = 60\nbrush_ms = 20\n'
        f'[mqtt]\nhost = "127.0.0.1"\nport = {port}\n'
        f'[pgn]\ndirectory = "{folder}/games"\n[journal]\npath = "{folder}/journal.sqlite"\n'
    )
    command = [sys.executable, "-c", HANDS, str(config), str(plies)]
    began_ns = time.monotonic_ns()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        scanned_ns = int(process.stdout.readline().split()[1])
        fresh = psutil.Process(process.pid).memory_info().rss
        assert process.stdout.readline().strip() == "played"
        time.sleep(1)
        rss = psutil.Process(process.pid).memory_info().rss
        made = _plies(folder)
    finally:
        process.kill()
        process.wait()
    return {
        "name": "daemon",
        "figure": round(rss / 1e6, 1),
        "unit": "MB resident after the game",
        "goal": RSS_GOAL_MB,
        "at_first_scan_mb": round(fresh / 1e6, 1),
        "plies": made,
        "first_scan_s": round((scanned_ns - began_ns) / 1e9, 3),
        "first_scan_goal_s": FIRST_SCAN_GOAL_S,
    }


def _plies(folder: Path) -> int:
    with max(folder.glob("games/*.pgn")).open() as file:
        game = chess.pgn.read_game(file)
    return 0 if game is None else game.end().ply()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=200)
    arguments = parser.parse_args()
    if MOSQUITTO is None:
        print(json.dumps({"name": "daemon", "skipped": "mosquitto is not installed: make broker"}))
        return
    with tempfile.TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder))
        try:
            print(json.dumps(measure(Path(folder), broker.port, arguments.plies)))
        finally:
            broker.kill()


if __name__ == "__main__":
    main()
