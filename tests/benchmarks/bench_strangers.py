"""Games by other hands than the guests' (``tests/strangers``): one line a kind of delivery, senses and clock.

For each: games recorded exactly (where the cable was out, right at the end), plies that stand right in the record,
games with somebody accused, and which to look at, counted from the first seed. Then one line a kind of offence: found
and told of nothing else, and by how much the latest was told too late.
"""

import sys
from pathlib import Path

from bench_guests import Committed, asked, honest, told
from common import report

sys.path.insert(0, str(Path(__file__).parents[1]))
from strangers import games, offences


def planted(seed: int, kind: str) -> Committed:
    """One offence of a kind, on a board of any kind; its delay is counted from when it should be told at the latest."""
    game = offences.planted(seed, kind)
    return Committed(seed, game.side, game.kinds, game.told, game.lines)


def main() -> None:
    chosen = asked(__doc__)
    seeds = range(chosen.seed, chosen.seed + chosen.games)
    for kind, senses, clock in games.COMBINATIONS:
        played = (games.fair(seed, kind, senses, clock) for seed in seeds)
        name = f"strangers {kind}, {senses}, {clock or 'no clock'}"
        report(honest(name, ((game, game.lines) for game in played), games.Game.agrees))
    for kind in offences.OFFENCES:
        line = told(f"strangers planted {kind}", (planted(seed, kind) for seed in seeds))
        if line is not None:
            report(line)


if __name__ == "__main__":
    main()
