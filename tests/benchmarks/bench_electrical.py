"""Whole games through an imperfect matrix: contacts that bounce for 1 ms, one weak magnet that opens at 2 % of all
readings, and one sensor that sticks open under a piece until a notice names it.

Electrical board, driver, scan thread at 200 a second, debouncer, tracker and game as in the daemon; only the time is
simulated. Prints one JSON line: the share of plies recorded as played, and the longest wait for the name. A second
figure, from as many games in which nobody mends the sensor: of plies right, and of games in which it was named.
"""

import logging
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import chess
from common import AT_WIRES, options, percent, report
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from wired import BEGIN_MS, MS, Wired

from hardware.simulator.games import random_game
from hardware.simulator.hands import play
from hardware.simulator.sight import switches

HANDS = replace(AT_WIRES, press=False)
PLIES = 50
STICKS_MS = (1_000, 90_000)


class Outcome(NamedTuple):
    """One game."""

    plies: int
    wrong: int
    named_ms: int | None  #: how long a piece stood on the stuck square until it was named; None: it never was


def one(seed: int, mended: bool) -> Outcome:
    """A game on a board of which one sensor is weak and another sticks, at some time, under some piece that stands."""
    moves, rng = random_game(seed, PLIES), random.Random(seed)
    gestures = play(chess.Board(), moves, HANDS, seed)
    weak, sticks_ms = rng.choice(chess.SQUARES), rng.randint(*STICKS_MS)
    with tempfile.TemporaryDirectory() as folder:
        wired = Wired(Path(folder), seed=seed)
        wired.electrical.weaken(weak, 0.02)
        stuck: list[chess.Square] = []
        named: list[int] = []

        def wear() -> None:
            if wired.ms < sticks_ms or named:
                return
            if not stuck:
                stuck.append(rng.choice(list(chess.scan_forward(wired.electrical.closed(wired.ms * MS)))))
                wired.electrical.stick(stuck[0], "open")
            told = [notice.what for notice in wired.notices.current]
            if any(chess.square_name(stuck[0]) in what.rpartition("denied")[2] for what in told):
                came = [ms + BEGIN_MS for ms, square, closed in switches(gestures) if square == stuck[0] and closed]
                named.append(wired.ms - max([sticks_ms, *(ms for ms in came if ms <= wired.ms)]))
                if mended:
                    wired.electrical.stick(stuck[0], None)

        wired.on_scan = wear
        wired.play(gestures)
        made, truth = wired.moves(), [move.uci() for move in moves]
        wired.close()
    wrong = sum(1 for ply in range(max(len(made), len(truth))) if made[ply : ply + 1] != truth[ply : ply + 1])
    return Outcome(len(truth), wrong, named[0] if named else None)


def measure(games: range) -> dict[str, Any]:
    mended = [one(seed, mended=True) for seed in games]
    left = [one(seed, mended=False) for seed in games]
    plies = sum(game.plies for game in mended)
    waits = [game.named_ms for game in mended if game.named_ms is not None]
    return {
        "name": "electrical",
        "figure": percent(plies - sum(game.wrong for game in mended), plies),
        "unit": "% of plies right",
        "goal": 100.0,
        "games": len(mended),
        "plies": plies,
        "exact_games": sum(not game.wrong for game in mended),
        "named": len(waits),
        "longest_wait_s": max(waits, default=0) / 1000,
        "waits_above_10_s": sum(wait > 10_000 for wait in waits),
        "not_mended": percent(sum(game.plies - game.wrong for game in left), sum(game.plies for game in left)),
    }


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    chosen = options(games=8).parse_args()
    report(measure(range(chosen.seed, chosen.seed + chosen.games)))
