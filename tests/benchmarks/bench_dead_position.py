"""What asking whether the position is dead costs after each move: real games, and the costly cases by themselves.

The figure is the 99th of a hundred over the real games, in ms. Details: the worst of them, and the same over positions
shut by pawns, where the proof is tried each time.
"""

from pathlib import Path
from random import Random
from statistics import quantiles
from time import process_time
from typing import Any

import chess
from common import report

from controller.mating import certainly_dead
from hardware.simulator.games import pgn_games

GAMES = Path(__file__).resolve().parents[1] / "games"
SHUT = ("4kb2/8/8/p1p1p1p1/P1P1P1P1/8/8/3BK3 w - - 0 1", "2b1k3/p1p1p1p1/8/8/8/8/P1P1P1P1/2B1K3 w - - 0 1")


def real_positions() -> list[chess.Board]:
    positions = []
    for path in sorted(GAMES.glob("*.pgn")):
        for board, moves in pgn_games(path):
            for move in moves:
                board.push(move)
                positions.append(board.copy(stack=False))
    return positions


def shut_positions(wanted: int = 300) -> list[chess.Board]:
    """Chance moves from positions with pawns face to face."""
    rng = Random(1)
    positions: list[chess.Board] = []
    while len(positions) < wanted:
        board = chess.Board(rng.choice(SHUT))
        for _ in range(12):
            moves = list(board.legal_moves)
            if moves:
                board.push(rng.choice(moves))
                positions.append(board.copy(stack=False))
    return positions


def costs(positions: list[chess.Board]) -> list[float]:
    """ms of processor time for each position."""
    spent = []
    for board in positions:
        started = process_time()
        certainly_dead(board)
        spent.append((process_time() - started) * 1000)
    return spent


def main() -> dict[str, Any]:
    real, shut = costs(real_positions()), costs(shut_positions())
    return {
        "name": "dead_position",
        "figure": round(quantiles(real, n=100)[98], 4),
        "floor": "none: most positions are told alive by a few comparisons",
        "goal": 5,
        "unit": "ms a move at p99",
        "worst": round(max(real), 4),
        "moves": len(real),
        "shut_p99": round(quantiles(shut, n=100)[98], 4),
        "shut_worst": round(max(shut), 4),
    }


if __name__ == "__main__":
    report(main())
