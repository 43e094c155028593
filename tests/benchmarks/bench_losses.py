"""A board that loses edges: what is made of its games by what was measured of it, beside what is made of them unasked.

Tidy hands of ``tests/guests`` on a board that reports each change, of which a share is lost at random. The
same board is first calibrated as ``jadoube calibrate`` does it: one piece set down on each square, four times over. A
line for each share of edges lost, with a clock and without, and for what the session says: nothing, or what was
measured.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
from common import percent, report

sys.path.insert(0, str(Path(__file__).parents[1]))
from guests import evening, judge, sensors
from guests.evening import EDITIONS
from guests.sensors import SCAN_MS, Line

from controller.cli.hardware.calibrate import ROUNDS
from controller.cli.hardware.losses import Visits
from controller.daemon.measured import sensors as sensors_of
from hardware.boards import Change
from hardware.boards.matrix import MatrixConfig

BOARD = MatrixConfig(rows=tuple(range(8)), columns=tuple(range(8, 16)), scan_hz=1000 / SCAN_MS)


def losing(share: float, seed: int) -> Callable[[], bool]:
    """Whether the next edge is lost."""
    rng = random.Random(f"losses {seed}")
    return lambda: rng.random() < share


def calibrated(lost: Callable[[], bool]) -> Line:
    """What is measured of a board by one piece on each of its squares, as a session says it."""
    visits = Visits("occupancy", debounce_ms=0)
    for square in chess.SQUARES:
        visits.take(0, Change(0, square, ""))
    visits.begin()
    for ms in range(ROUNDS * 2 * len(chess.SQUARES)):
        square, here = ms // 2 % len(chess.SQUARES), ms % 2 == 0
        if not lost():
            visits.take(ms, Change(ms, square, "P" if here else ""))
    known = sensors_of(BOARD, None, visits.found(ROUNDS).count, debounce_ms=0)
    assert known is not None
    return {"lost": known.lost, "scan_ms": known.scan_ms}


def games(seeds: range, share: float, *, clock: bool) -> Iterator[tuple[evening.Evening, list[Line], Line]]:
    """Games on such a board, the session first, and what was measured of it."""
    for seed in seeds:
        lost = losing(share, seed)
        measured = calibrated(lost)
        game = evening.play(seed, clock=clock, neat=True)
        laws = EDITIONS[seed % len(EDITIONS)]
        session, *rest = sensors.log(game.session("occupancy", laws), sensors.edges(game.wood, game.start, "occupancy"))
        kept = [line for line in rest if line["type"] not in ("lift", "place") or not lost()]
        yield game, [session, *kept], measured


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--games", type=int, default=20, help="of each kind")
    ask.add_argument("--seed", type=int, default=0, help="the first; the others follow")
    ask.add_argument("--lost", type=float, nargs="+", default=[0.0, 0.01, 0.03], help="shares of the edges")
    chosen = ask.parse_args()
    seeds = range(chosen.seed, chosen.seed + chosen.games)
    for share in chosen.lost:
        for clock in (False, True):
            for said in (False, True):
                plies = right = exact = accused = 0
                for game, (session, *rest), measured in games(seeds, share, clock=clock):
                    first = {**session, "sensors": measured} if said else session
                    verdict = judge.replayed([first, *rest])
                    plies += len(game.truth)
                    right += judge.right_plies(verdict.record, game.truth)
                    exact += verdict.record == game.truth
                    accused += bool(verdict.accused)
                at, by = "clock" if clock else "no clock", "measured" if said else "unasked"
                report({
                    "name": f"losses {100 * share:g} %, {at}, {by}",
                    "figure": percent(right, plies), "unit": "% of plies right", "games": len(seeds),
                    "exact_games": exact, "accused": accused,
                })  # fmt: skip


if __name__ == "__main__":
    main()
