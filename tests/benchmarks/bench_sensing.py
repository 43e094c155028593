"""Occupancy scans a second through debouncer, tracker and game, one core, on the games of the habits.

The figure is for the slow scans of those games (one each 200 ms), of which one in six shows a change; the 200
scans a second of a real board, nearly all alike, are in the details.
"""

import argparse
from itertools import pairwise
from time import process_time
from typing import Any

import chess
from common import HABITS, PLIES, SCAN_MS, report

from controller.contract import AnyInput, Frame, Session
from controller.game import Game
from hardware.simulator.games import random_game
from hardware.simulator.hands import play
from hardware.simulator.sight import scans

FAST_MS = 5


def scan_logs(games: int, period_ms: int, bounce_ms: int = 0) -> list[list[AnyInput]]:
    """The first random games as scans, with the few buttons that the hands pressed."""
    logs = []
    for seed in range(games):
        gestures = play(chess.Board(), random_game(seed, PLIES), HABITS, seed)
        logs.append(list(scans(gestures, chess.Board(), period_ms, bounce_ms=bounce_ms, seed=seed)))
    return logs


def frames(log: list[AnyInput]) -> list[Frame]:
    return [item for item in log if isinstance(item, Frame)]


def speed(logs: list[list[AnyInput]]) -> int:
    """Scans a second of processor time."""
    started = process_time()
    for log in logs:
        handle = Game(Session(version=1)).handle
        for item in log:
            handle(item)
    return int(sum(len(frames(log)) for log in logs) / (process_time() - started))


def main(games: int = 20) -> dict[str, Any]:
    slow, fast = scan_logs(games, SCAN_MS), scan_logs(max(1, games // 10), FAST_MS, bounce_ms=6)
    changes = sum(a.occupied != b.occupied for log in slow for a, b in pairwise(frames(log)))
    total = sum(len(frames(log)) for log in slow)
    return {
        "name": "sensing",
        "figure": max(speed(slow) for _ in range(3)),
        "floor": "none: the goal is what 500 boards at 200 scans a second send",
        "goal": 100_000,
        "unit": "scans a second",
        "at_5_ms_with_bounce": max(speed(fast) for _ in range(3)),
        "scans": total,
        "changed": round(changes / total, 3),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=20)
    report(main(parser.parse_args().games))
