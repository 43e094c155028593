"""Replaying touch logs of real games, against bare python-chess listing the legal moves of each position and pushing.

Both play the same games in the same run, by turns; the figure is the median of the ratios. The logs hold what hands do
to move the pieces, on an occupancy board. Details: the other boards; with a clock, which asks more of the game and
nothing of the floor; and with a clock and all that people do besides moving (brushes, hovering, pieces put straight).
"""

import argparse
from collections import deque
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import chess
from common import report
from msgspec.structs import replace

from controller.cli.replay import judge
from controller.collector import few_collections
from controller.contract import Senses, Session
from controller.wire import encode
from hardware.simulator.games import pgn_games
from hardware.simulator.habits import HONEST, Habits
from hardware.simulator.hands import play
from hardware.simulator.sight import touches

GAMES = Path(__file__).resolve().parents[1] / "games"

CLOCK = "5400+30"
PLAIN = Habits()

Log = list[bytes]


def logs(games: list[list[chess.Move]], senses: Senses, clock: str | None = None, habits: Habits = PLAIN) -> list[Log]:
    """Each game as the lines of a session log."""
    session = Session(version=1, senses=senses, clock=clock)
    written = []
    for seed, moves in enumerate(games):
        gestures = play(chess.Board(), moves, replace(habits, press=clock is not None), seed)
        written.append([encode(line) + b"\n" for line in [session, *touches(gestures, senses)]])
    return written


def bare(games: list[list[chess.Move]]) -> float:
    """Seconds of processor time that python-chess needs by itself."""
    started = process_time()
    for moves in games:
        board = chess.Board()
        for move in moves:
            list(board.legal_moves)
            board.push(move)
    return process_time() - started


def replayed(written: list[Log]) -> float:
    """Seconds of processor time from lines to lines."""
    started = process_time()
    for log in written:
        deque(judge(log, "log"), maxlen=0)
    return process_time() - started


def ratio(games: list[list[chess.Move]], written: list[Log], repetitions: int) -> float:
    """The median of ``repetitions`` pairs, each timed one right after the other."""
    bare(games), replayed(written)
    return round(median(replayed(written) / bare(games) for _ in range(repetitions)), 2)


def main(repetitions: int = 9) -> dict[str, Any]:
    few_collections()  # as `jadoube replay` does, for both
    games = [moves for path in sorted(GAMES.glob("*.pgn")) for _, moves in pgn_games(path)]
    touches_alone = logs(games, "occupancy")
    return {
        "name": "replay",
        "figure": ratio(games, touches_alone, repetitions),
        "floor": 1.0,
        "goal": 3.0,
        "unit": "times bare python-chess",
        "colour": ratio(games, logs(games, "colour"), repetitions),
        "identity": ratio(games, logs(games, "identity"), repetitions),
        "with_clock": ratio(games, logs(games, "occupancy", CLOCK), repetitions),
        "with_clock_and_habits": ratio(games, logs(games, "occupancy", CLOCK, HONEST), repetitions),
        "games": len(games),
        "plies": sum(map(len, games)),
        "inputs": sum(map(len, touches_alone)) - len(touches_alone),
        "floor_us_a_ply": round(1e6 * median(bare(games) for _ in range(5)) / sum(map(len, games)), 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--repetitions", type=int, default=9)
    report(main(parser.parse_args().repetitions))
