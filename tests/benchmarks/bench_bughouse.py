"""Random matches à quatre by human hands on occupancy boards, each drop named by button: every match should come out
exact, moves, stocks and result, and nobody be accused of anything.

In the details raw scans of a tenth of the matches, on a fast board and on a slow one; and the same players without the
button: how many of their drops could have been of several kinds, how many are named right in the end, and in how many
matches somebody is accused because a piece had another name. Who drops pieces as soon as they come seldom has a choice;
who keeps them has one more often, and random players move what they have dropped too seldom to tell. In some of these
matches the drops are named, too, by who knows how these players choose (:mod:`reckoning`).
"""

import sys
from functools import reduce
from typing import Any, NamedTuple

import reckoning
from common import HABITS, options, percent, record, report, wrong_plies
from common import SCAN_MS as SLOW_SCAN_MS
from matches import ACCUSATIONS, Judged, complaints, drop_taste, judge, show
from msgspec.structs import replace

from hardware.simulator.games import EAGER, PATIENT, READY
from hardware.simulator.matches import PARTNER, PLAYERS, SimulatedGame, scanned

TASTES = {EAGER: "eager", READY: "ready", PATIENT: "patient"}
SILENT = replace(PLAYERS, choose_drops=False)
SCAN_MS, BOUNCE_MS = 5, 6
RECKONED = 7  #: of so many matches one is reckoned by who knows the odds
#: The habits of :mod:`bench_habits`, in hands that press no sooner than a slow board shows the move.
SLOW = replace(HABITS, press=True, press_ms=(450, 900), choose_queen=True, choose_late=0.3)


class Named(NamedTuple):
    """The drops of some matches in which no button was pressed."""

    drops: int = 0
    doubtful: int = 0  #: of several kinds that lay in stock, by the squares alone
    right: int = 0

    def told(self) -> dict[str, float]:
        """For the line that is printed, shares in percent."""
        several, right = percent(self.doubtful, self.drops), percent(self.right, self.drops)
        return {"drops": self.drops, "of_several_kinds": several, "named_right": right}

    def plus(self, other: "Named") -> "Named":
        return Named(*map(sum, zip(self, other, strict=True)))


def named(judged: Judged) -> Named:
    """How the drops of one match were named in the end."""
    total = Named()
    for board in PARTNER:
        game, moves = judged.played.games[board], record(judged.on(board))
        for ply, (move, kinds) in enumerate(zip(game.moves, kinds_in_stock(game), strict=True)):
            if move.drop:
                total = total.plus(Named(1, kinds > 1, moves[ply : ply + 1] == [move.uci()]))
    return total


def kinds_in_stock(game: SimulatedGame) -> list[int]:
    """Of how many kinds each move of a board could have been, had it been a drop on that square."""
    board, kinds = game.board.copy(), []
    while board.move_stack:
        square = board.pop().to_square
        kinds.append(len(board.drops(square)))
    return kinds[::-1]


def scanned_fast(seed: int) -> Judged:
    """A match as raw scans each 5 ms, whose contacts bounce."""
    return judge(seed, look=lambda match: scanned(match, SCAN_MS, BOUNCE_MS, seed))


def scanned_slowly(seed: int) -> Judged:
    """A match on boards that are scanned five times a second."""
    return judge(seed, SLOW, lambda match: scanned(match, SLOW_SCAN_MS))


def wrong(judged: Judged) -> int:
    """How many plies of a match are wrong in the record."""
    both = judged.played.games.items()
    return sum(len(wrong_plies(record(judged.on(b)), [move.uci() for move in game.moves])) for b, game in both)


def main() -> dict[str, Any]:
    chosen = options(games=1000).parse_args()
    if chosen.show is not None:
        judged = judge(chosen.show)
        print(*complaints(judged)[:3], sep="\n")
        show(judged)
        raise SystemExit
    exact = accused = plies = silent_accused = 0
    silent, ours, reckoned = {taste: Named() for taste in TASTES}, Named(), 0
    for seed in range(chosen.seed, chosen.seed + chosen.games):
        judged = judge(seed)
        found = complaints(judged)
        exact += not found
        accused += sum(isinstance(event, ACCUSATIONS) for event in judged.events)
        plies += sum(len(game.moves) for game in judged.played.games.values())
        taste, unnamed = drop_taste(seed), judge(seed, SILENT)
        found_names = named(unnamed)
        silent[taste] = silent[taste].plus(found_names)
        if seed % RECKONED == 0:
            ours, reckoned = ours.plus(found_names), reckoned + reckoning.named(unnamed.played, taste)
        silent_accused += any(isinstance(event, ACCUSATIONS) for event in unnamed.events)
        if found and chosen.verbose:
            print(f"match {seed}: {found[0]}", file=sys.stderr)
    seeds = range(chosen.seed, chosen.seed + chosen.games // 10)
    total = reduce(Named.plus, silent.values())
    slow = [scanned_slowly(seed) for seed in seeds]
    slow_plies = sum(len(game.moves) for judged in slow for game in judged.played.games.values())
    return {
        "name": "bughouse",
        "figure": percent(exact, chosen.games),
        "floor": "none: the goal is every match",
        "goal": 100.0,
        "unit": "% of matches exact, nobody accused",
        "matches": chosen.games,
        "plies": plies,
        "accusations": accused,
        "raw_scans_exact": percent(sum(not complaints(scanned_fast(seed)) for seed in seeds), len(seeds)),
        "slow_scans_plies_right": percent(slow_plies - sum(map(wrong, slow)), slow_plies),
        "without_button": {"all": total.told()} | {TASTES[taste]: named.told() for taste, named in silent.items()},
        "who_knows_the_odds": {**ours.told(), "reckoned_right": percent(reckoned, ours.drops)},
        "accused_without_button": silent_accused,
        "named_right_goal": 95.0,
    }


if __name__ == "__main__":
    report(main())
