"""LiveChess: how long the event loop, in which the game is played, is busy with one client that has sixteen feeds.

At ply 93 of a random game, each feed set up at the beginning: what a move costs until it is told to all of them, each
with all moves so far, and what a call costs that is nothing to any feed. Prints one JSON line; the figure is the move.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import chess
from common import report
from msgspec import Raw

from controller import contract as c
from controller.journal import Opening
from controller.outlets.livechess import protocol
from controller.outlets.livechess.connection import FEEDS
from controller.outlets.livechess.feed import LiveChessFeed, placement
from controller.outlets.livechess.line import LiveChessLine
from controller.outlets.scoresheet import Scoresheet
from hardware.simulator.games import random_game

PLIES = 93
GOAL_MS = 1.0


def events(seed: int) -> list[c.Move]:
    """The moves of a random game."""
    board, made = chess.Board(), list[c.Move]()
    for move in random_game(seed, PLIES):
        side, san = c.WHITE if board.turn else c.BLACK, board.san(move)
        board.push(move)
        made.append(c.Move(ms=0, side=side, uci=move.uci(), san=san, fen=board.fen(), ply=len(made) + 1))
    return made


def lasting_ms(do: Callable[[], object]) -> float:
    begin = time.perf_counter_ns()
    do()
    return (time.perf_counter_ns() - begin) / 1e6


def measure(seed: int, size: int) -> tuple[float, float]:
    """The ms of the last move told, and of looking at all feeds again without news."""
    opening = Opening(game="g", venue="v", board="1", started="", tags={}, session=c.Session(version=1))
    line = LiveChessLine(Scoresheet(opening))
    feeds = [LiveChessFeed(Raw(b"%d" % number), "1") for number in range(size)]
    *before, last = events(seed)

    def tell() -> None:
        for feed in feeds:
            for shown in feed.news(line, placement(line.sheet), None):
                protocol.feed(feed.id, shown, 0)

    def move(made: c.Move) -> None:
        line.sheet.apply(made)
        line.follow()
        tell()

    for feed in feeds:
        feed.setup(chess.STARTING_FEN)
    for made in before:
        move(made)
    return lasting_ms(lambda: move(last)), lasting_ms(tell)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    told, again = zip(*(measure(seed, FEEDS) for seed in range(given.games)), strict=True)
    alone, _ = zip(*(measure(seed, 1) for seed in range(given.games)), strict=True)
    report(
        {
            "name": "livechess",
            "figure": round(statistics.median(told), 3),
            "unit": f"ms of the event loop for a move told to {FEEDS} feeds at ply {PLIES}",
            "goal": GOAL_MS,
            "worst_ms": round(max(told), 3),
            "one_feed_ms": round(statistics.median(alone), 3),
            "nothing_new_ms": round(statistics.median(again), 3),
        }
    )


if __name__ == "__main__":
    main()
