"""Honest play by human hands: every game should come out exact, and nobody be accused of anything.

Random games on each kind of board, with and without a clock, in all editions: as touches, and as raw scans each 5 ms
whose contacts bounce for up to 6 ms.
"""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import chess
from common import Look, Played, RecordError, options, play_one, record, report, show
from msgspec.structs import replace

from controller.contract import (
    AnyEvent,
    Completed,
    Displaced,
    Edition,
    Flag,
    Illegal,
    Penalty,
    Senses,
    Session,
    Stalled,
    Violation,
)
from controller.wire import encode
from hardware.simulator.habits import HONEST
from hardware.simulator.sight import scans, touches

SCAN_MS, BOUNCE_MS = 5, 6
CLOCK = "5400+30"
EDITIONS: tuple[Edition, ...] = ("fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023")
ACCUSATIONS = (Violation, Illegal, Penalty, Displaced, Stalled, Flag)


class Sort(NamedTuple):
    """What sees the hands."""

    senses: Senses
    clock: str | None
    raw: bool = False  #: scans instead of touches

    def __str__(self) -> str:
        return f"{self.senses}, {'clock' if self.clock else 'no clock'}{', raw scans' if self.raw else ''}"


SORTS = [Sort(senses, clock) for senses in ("occupancy", "colour", "identity") for clock in (None, CLOCK)]
SORTS += [Sort("occupancy", clock, raw=True) for clock in (None, CLOCK)]


def honest(seed: int, sort: Sort, moves: list[chess.Move] | None = None) -> Played:
    """One honest game. Swapped captures where the board can see them; some press the button for queens too."""
    swap = 0.0 if sort.senses == "occupancy" else 0.5
    habits = replace(HONEST, swap=swap, press=sort.clock is not None, choose_queen=seed % 2 == 1)
    session = Session(version=1, laws=EDITIONS[seed % len(EDITIONS)], senses=sort.senses, clock=sort.clock)
    return play_one(seed, habits, look(sort), session, moves)


def look(sort: Sort) -> Look:
    """How the board reports the hands."""
    if sort.raw:
        return lambda gestures, seed: scans(
            gestures, chess.Board(), SCAN_MS, bounce_ms=BOUNCE_MS, seed=seed, idle=False
        )
    return lambda gestures, _: touches(gestures, sort.senses)


def accusations(events: list[AnyEvent]) -> list[AnyEvent]:
    """What nobody should be told of an honest game."""
    return [event for event in events if isinstance(event, ACCUSATIONS)]


def complaints(played: Played) -> list[tuple[int, str]]:
    """What is wrong with what the core made of an honest game, with its ply; nothing if all is well."""
    found = [(played.ply_at(event.ms), encode(event).decode()) for event in accusations(played.events)]
    try:
        found += [
            (ply, f"recorded {record(played.events)[ply - 1 : ply]}, played {played.truth[ply - 1 : ply]}")
            for ply in played.wrong[:1]
        ]
    except RecordError as error:
        found.append((played.ply_at(error.ms), f"the record does not add up: {error}"))
    completed = [event.uci for event in played.events if isinstance(event, Completed)]
    if completed != played.truth:
        same = next(
            (i for i, (a, b) in enumerate(zip(completed, played.truth, strict=False)) if a != b), len(completed)
        )
        found.append((same + 1, "the moves completed are not those played"))
    return sorted(found)


def every(games: int, first: int = 0) -> Iterator[tuple[Sort, Played]]:
    """So many games of each sort."""
    for sort in SORTS:
        for seed in range(first, first + games):
            yield sort, honest(seed, sort)


def main() -> dict[str, Any]:
    parser = options(games=40)
    parser.add_argument("--sort", type=int, default=0, help="with --show: which of 0 to 7, as --verbose numbers them")
    chosen = parser.parse_args()
    if chosen.show is not None:
        played = honest(chosen.show, SORTS[chosen.sort])
        found = complaints(played)
        print(*[f"ply {ply}: {text}" for ply, text in found[:3]], sep="\n")
        show(played, found[0][0] if found else None)
        raise SystemExit
    exact = plies = accused = 0
    for sort, played in every(chosen.games, chosen.seed):
        found = complaints(played)
        exact += not found
        plies += len(played.truth)
        accused += len(accusations(played.events))
        if found and chosen.verbose:
            where = f"sort {SORTS.index(sort)} ({sort}), game {played.seed}"
            print(f"{where}: ply {found[0][0]}: {found[0][1]}", file=sys.stderr)
    games = chosen.games * len(SORTS)
    return {
        "name": "honest",
        "figure": int(100_000 * exact / games) / 1000,
        "floor": "none: the goal is every game",
        "goal": 100.0,
        "unit": "% of games exact, nobody accused",
        "games": games,
        "plies": plies,
        "accusations": accused,
    }


if __name__ == "__main__":
    report(main())
