"""Honest games by other hands than the guests' (``tests/strangers``): one line a kind of delivery, senses and clock.

For each: games recorded exactly (where frames were missing, right at the end), plies that stand right in the record,
games with somebody accused, and which to look at, counted from the first seed.
"""

import argparse
import sys
from pathlib import Path

from bench_guests import honest
from common import report

sys.path.insert(0, str(Path(__file__).parents[1]))
from strangers import games


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--games", type=int, default=20, help="of each kind")
    ask.add_argument("--seed", type=int, default=0, help="the first; the others follow")
    chosen = ask.parse_args()
    for kind, senses, clock in games.COMBINATIONS:
        seeds = range(chosen.seed, chosen.seed + chosen.games)
        played = (games.fair(seed, kind, senses, clock) for seed in seeds)
        name = f"strangers {kind}, {senses}, {clock or 'no clock'}"
        report(honest(name, ((game, game.lines) for game in played), games.Game.agrees))


if __name__ == "__main__":
    main()
