"""Replaying touch logs of random matches, against bare `chess.variant.CrazyhouseBoard` listing the legal moves of each
position and pushing, on both boards.

Both play the same matches in the same run, by turns; the figure is the median of the ratios. The logs hold what hands
do, the buttons for drops and all presses, on two occupancy boards. In the details all that people do besides moving.
"""

import argparse
from statistics import median
from time import process_time
from typing import Any

from bench_replay import PLAIN, Log, replayed
from chess.variant import CrazyhouseBoard, CrazyhousePocket
from common import report
from matches import drop_taste, session
from msgspec.structs import replace

from controller.collector import few_collections
from controller.wire import encode
from hardware.simulator.habits import Habits
from hardware.simulator.matches import PLAYERS, PlayedMatch, SimulatedGame, inputs, play_match

QUIET = replace(PLAIN, choose_queen=True, think_ms=PLAYERS.think_ms, press_ms=PLAYERS.press_ms)


def matches(count: int, habits: Habits) -> list[PlayedMatch]:
    """The first random matches."""
    return [play_match(seed, int(session(seed).clock or 0), habits, drop=drop_taste(seed)) for seed in range(count)]


def logs(played: list[PlayedMatch]) -> list[Log]:
    """Each match as the lines of a session log."""
    return [[encode(line) + b"\n" for line in [session(seed), *inputs(match)]] for seed, match in enumerate(played)]


def stocks(game: SimulatedGame) -> list[list[CrazyhousePocket]]:
    """What lay in stock on a board before each of its moves."""
    board, found = game.board.copy(), []
    while board.move_stack:
        board.pop()
        found.append([pocket.copy() for pocket in board.pockets])
    return found[::-1]


def bare(played: list[PlayedMatch]) -> float:
    """Seconds of processor time that python-chess needs by itself, the pieces in stock that were there."""
    games = [list(zip(game.moves, stocks(game), strict=True)) for match in played for game in match.games.values()]
    started = process_time()
    for moves in games:
        board = CrazyhouseBoard()
        for move, in_stock in moves:
            board.pockets = in_stock
            list(board.legal_moves)
            board.push(move)
    return process_time() - started


def ratio(played: list[PlayedMatch], written: list[Log], repetitions: int) -> float:
    """The median of ``repetitions`` pairs, each timed one right after the other."""
    bare(played), replayed(written)
    return round(median(replayed(written) / bare(played) for _ in range(repetitions)), 2)


def main(count: int = 30, repetitions: int = 9) -> dict[str, Any]:
    few_collections()  # as `jadoube replay` does, for both
    played, lively = matches(count, QUIET), matches(count, PLAYERS)
    written = logs(played)
    plies = sum(len(game.moves) for match in played for game in match.games.values())
    return {
        "name": "bughouse_replay",
        "figure": ratio(played, written, repetitions),
        "floor": 1.0,
        "goal": 4.0,
        "unit": "times bare CrazyhouseBoard",
        "with_habits": ratio(lively, logs(lively), repetitions),
        "matches": count,
        "plies": plies,
        "inputs": sum(map(len, written)) - len(written),
        "floor_us_a_ply": round(1e6 * median(bare(played) for _ in range(5)) / plies, 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--repetitions", type=int, default=9)
    report(main(repetitions=parser.parse_args().repetitions))
