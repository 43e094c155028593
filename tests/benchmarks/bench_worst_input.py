"""The worst that a single input can do: the CPU of its thread until all is said that comes of it, over every kind of
noise and over games that people play.

Each kind is heard from the start position, in the middle of a game and after a gap, by boards of every sort, with and
without a clock; as a replay hears it and as the daemon does, which is woken where something falls due and asks for
sensors that fail. The slowest three inputs of a kind are done again, twice, and the least time taken: what remains is
the input's own. One JSON line a kind: the worst, which log and which input it was, and the middle of all.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from common import report
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "core"))
from guests import evening
from guests.evening import EDITIONS, SENSES
from matches import drop_taste
from matches import session as match_session
from noises import KINDS, Noise, chattering, match_noise, noise

from controller import contract as c
from controller.collector import few_collections
from controller.game import Game
from controller.match import MatchAQuatre, game_of
from controller.wire import decode_input, decode_session
from hardware.simulator.habits import Habits
from hardware.simulator.matches import PLAYERS, play_match
from hardware.simulator.matches import inputs as match_inputs

GOAL_MS = 25.0
AGAIN = 3  #: of the slowest inputs of a kind, so many are done again
LOGS = 24  #: of each kind: as many as there are sorts of boards, clocks and beginnings

Make = Callable[[int], Noise]


class Took(NamedTuple):
    """One input."""

    ns: int
    seed: int
    number: int  #: which input of its log, from 0; those that the daemon adds count, too


def driven(log: Noise, live: bool) -> Iterator[int]:
    """What each input of a log takes, in ns."""
    game = game_of(log.session)
    clock, last = time.thread_time_ns, 0
    for item in log.inputs:
        while live and (due := game.deadline) is not None and last < due < item.ms:
            last = due
            yield _took(game, c.Time(ms=due), clock)
        last = max(last, item.ms)
        yield _took(game, item, clock)
    began = clock()
    game.finish()
    yield clock() - began


def _took(game: Game | MatchAQuatre, item: c.AnyInput, clock: Callable[[], int]) -> int:
    began = clock()
    game.handle(item)
    return clock() - began


def measure(name: str, make: Make, seeds: Iterable[int]) -> float:
    """Print the line of one kind, and return its figure."""
    took: list[Took] = []
    for seed in seeds:
        log = make(seed)
        took += [Took(ns, seed, number) for number, ns in enumerate(driven(log, is_live(seed)))]
    worst = sorted(took, reverse=True)[:AGAIN]
    least = {(one.seed, one.number): one.ns for one in worst}
    for seed in sorted({one.seed for one in worst}) * 2:
        for number, ns in enumerate(driven(make(seed), is_live(seed))):
            if (seed, number) in least:
                least[seed, number] = min(least[seed, number], ns)
    (seed, number), ns = max(least.items(), key=lambda each: each[1])
    report(
        {
            "name": f"worst input: {name}", "figure": round(ns / 1e6, 1), "goal": GOAL_MS, "unit": "ms of CPU",
            "median_ms": round(median(one.ns for one in took) / 1e6, 3), "inputs": len(took),
            "seed": seed, "input": number,
        }
    )  # fmt: skip
    return ns / 1e6


def is_live(seed: int) -> bool:
    """Half of the logs of each sort, of each beginning, with and without a clock."""
    return bool((seed + seed // 4 + seed // 8) % 2)


# -- games that people play ------------------------------------------------------------------------------------------


def guests(log: Callable[[int], tuple[Any, ...]]) -> Make:
    """Of hands that know nothing of the code."""

    def make(seed: int) -> Noise:
        first, *rest = [json.dumps(line) for line in log(seed)[1]]
        return Noise(decode_session(first), [decode_input(line) for line in rest])

    return make


def match(habits: Habits) -> Make:
    """A match, as two boards that see occupancy report it."""

    def make(seed: int) -> Noise:
        session = match_session(seed)
        played = play_match(seed, int(session.clock or 0), habits, drop=drop_taste(seed))
        return Noise(session, list(match_inputs(played)))

    return make


GAMES: dict[str, Make] = {
    **{
        f"games, {senses}": guests(
            lambda s, senses=senses: evening.by_touches(s, senses, EDITIONS[s % len(EDITIONS)], clock=bool(s % 2))
        )
        for senses in SENSES
    },
    "games, bouncing scans": guests(lambda s: evening.by_scans(s, clock=bool(s % 2))),
    "games, slow scans": guests(evening.by_slow_scans),
    "games, 5 % of the scans missing": guests(evening.with_missing),
    **{
        f"games, cable out for {n} plies": guests(lambda s, n=n: evening.with_gap(s, n, clock=bool(s % 2)))
        for n in (1, 2, 3)
    },
    "games, a sensor stuck open": guests(lambda s: evening.with_stuck(s, closed=False, clock=bool(s % 2))),
    "games, a sensor stuck closed": guests(lambda s: evening.with_stuck(s, closed=True, clock=bool(s % 2))),
    "games, the guests' own noise": guests(lambda s: (None, evening.noise(s))),
    "games, a sensor chatters": chattering,
    "matches": match(PLAYERS),
    "matches without the button": match(replace(PLAYERS, choose_drops=False)),
}


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--logs", type=int, default=LOGS, help="of each kind of noise; a quarter as many games")
    ask.add_argument("--seed", type=int, default=0, help="the first; the others follow")
    ask.add_argument("--only", default="", help="kinds whose name contains this")
    chosen = ask.parse_args()
    few_collections()
    makes: dict[str, tuple[Make, int]] = {
        **{kind: (partial(noise, kind), chosen.logs) for kind in KINDS},
        **{f"match, {kind}": (partial(match_noise, kind), chosen.logs // 2) for kind in KINDS},
        **{name: (make, max(1, chosen.logs // 4)) for name, make in GAMES.items()},
    }
    worst = [
        measure(name, make, range(chosen.seed, chosen.seed + logs))
        for name, (make, logs) in makes.items()
        if chosen.only in name
    ]
    report({"name": "worst input", "figure": round(max(worst), 1), "goal": GOAL_MS, "unit": "ms of CPU"})


if __name__ == "__main__":
    main()
