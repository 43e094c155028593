"""Honest games in bulk, by the hands of two authors who had not read the code (``tests/guests``, ``tests/strangers``):
as touches, and as scans that bounce, under each edition. One line a class of boards.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench_guests import asked, honest
from common import report

sys.path.insert(0, str(Path(__file__).parents[1]))
from guests import evening
from guests.evening import EDITIONS
from guests.sensors import Line
from strangers import games
from strangers.games import Game

Log = tuple[evening.Evening | Game, list[Line]]
SEES = ("colour", "identity")


def _guests(seed: int, senses: str, *, clock: bool) -> Iterator[Log]:
    """As touches; on plain boards as scans that bounce, too."""
    yield evening.by_touches(seed, senses, EDITIONS[seed % len(EDITIONS)], clock=clock)
    if senses == "occupancy":
        yield evening.by_scans(seed, clock=clock)


def _strangers(seed: int, senses: Iterable[str], *, clock: bool) -> Iterator[Log]:
    """One game of each way that such boards deliver it."""
    for delivery, board, times in games.COMBINATIONS:
        if delivery in ("touch", "bounce") and board in senses and (times is not None) == clock:
            game = games.fair(seed, delivery, board, times)
            yield game, game.lines


def of_boards(seeds: Iterable[int], senses: Iterable[str], clocks: Iterable[bool]) -> Iterator[Log]:
    """All games of a class of boards, by seeds."""
    for seed in seeds:
        for clock in clocks:
            for board in senses:
                yield from _guests(seed, board, clock=clock)
            yield from _strangers(seed, senses, clock=clock)


def main() -> None:
    chosen = asked(__doc__)
    seeds = range(chosen.seed, chosen.seed + chosen.games)
    for name, senses, clocks in (
        ("that see colours or pieces", SEES, (False, True)),
        ("that see only whether a piece is there, with a clock", ("occupancy",), (True,)),
        ("that see only whether a piece is there, without one", ("occupancy",), (False,)),
    ):
        report(honest(f"both authors' hands, boards {name}", of_boards(seeds, senses, clocks)))


if __name__ == "__main__":
    main()
