"""Hands and habits that were written from the contract and the Laws alone (``tests/guests``): one line a kind of board.

For each kind: games recorded exactly, plies that stand right in the record, games with somebody accused, and the CPU of
the slowest single input. Of planted offences: found, told of nothing else, and how long after the act.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import chess
from common import percent, report

sys.path.insert(0, str(Path(__file__).parents[1]))
from guests import evening, games, judge, offences, quatre, sensors
from guests.evening import CLOCK, EDITIONS, SENSES, Evening
from guests.sensors import Line
from guests.wood import set_up

Log = tuple[Evening, list[Line]]
Right = Callable[[Any, list[str]], bool]
MATCHES = {"touches": quatre.by_touches, "bouncing scans": quatre.by_scans, "slow scans": quatre.by_slow_scans}


def each_move(game: Evening, record: list[str]) -> bool:
    """The moves themselves count."""
    return record == game.truth


def the_end(game: Evening, record: list[str]) -> bool:
    """The position at the end counts."""
    return judge.ends_alike(record, game.truth)


def honest(name: str, logs: Iterable[tuple[Any, list[Line]]], right_at: Right = each_move) -> dict[str, Any]:
    """Of games with a ``truth``, and their logs. ``right_at`` says whether a record of one is right.

    Of those that are not, and in which nobody is accused: ``lack_the_end``, where all that is recorded is right and the
    last moves are not; ``said_open``, where another move was said to be as likely, or nearly, and it was that.
    """
    plies = right = exact = accused = total = short = doubtful = 0
    worst = 0.0
    wrong: list[int] = []
    for number, (game, lines) in enumerate(logs):
        verdict = judge.replayed(lines)
        total += 1
        plies += len(game.truth)
        right += judge.right_plies(verdict.record, game.truth)
        good = right_at(game, verdict.record)
        exact += good
        accused += bool(verdict.accused)
        if not (good or verdict.accused):
            short += (lacks := verdict.record == game.truth[: len(verdict.record)])
            doubtful += not lacks and _was_open(verdict, game.truth)
        worst = max(worst, verdict.worst_ms)
        if not good or verdict.accused:
            wrong.append(number)
    return {
        "name": name, "figure": percent(exact, total), "unit": "% of games right", "games": total,
        "accused": accused, "lack_the_end": short, "said_open": doubtful,
        "plies": plies, "plies_right": percent(right, plies),
        "worst_input_ms": round(worst, 1), "look_at": wrong[:8],
    }  # fmt: skip


def _was_open(verdict: judge.Verdict, truth: list[str]) -> bool:
    """Whether the first move that is recorded wrongly was said to be one of several, of which one was played."""
    at = next(ply for ply, (said, uci) in enumerate(zip(verdict.record, truth, strict=False)) if said != uci)
    told: list[str] = []
    for event in verdict.events:
        if event["type"] == "ambiguous":
            told += event["moves"]  # type: ignore[arg-type]
        elif event["type"] == "move" and event["uci"] == verdict.record[at]:
            told += [other.get("uci", "") for other in event.get("others", [])]  # type: ignore[attr-defined]
    return truth[at] in told


def matches(seeds: Iterable[int], by: str, *, named: bool) -> dict[str, Any]:
    """Matches on two boards. A move counts as right where the squares are, unless drops are named by button."""
    total: Counter[str] = Counter()
    worst = 0.0
    wrong: list[int] = []
    for seed in seeds:
        match, lines = MATCHES[by](seed, named)
        verdict = judge.replayed(lines)
        count, _ = quatre.compare(match, verdict)
        total += count
        total["matches"] += 1
        worst = max(worst, verdict.worst_ms)
        if count["bad"]:
            wrong.append(seed)
    return {
        "name": f"guests à quatre, {by}, {'drops named' if named else 'silent'}",
        "figure": percent(total["matches"] - total["bad"], total["matches"]),
        "unit": "% of matches right, or said to be open", "matches": total["matches"], "accused": total["accused"],
        "squares_right": percent(total["squares_right"], total["plies"]),
        "drops_named_right": percent(total["drops_named_right"], total["drops"]),
        "worst_input_ms": round(worst, 1), "look_at": wrong[:8],
    }  # fmt: skip


class Committed(NamedTuple):
    """An offence in a log: by whom, by which names, and the millisecond that its delay is counted from."""

    seed: int
    side: str
    kinds: Collection[str]
    ms: int
    lines: list[Line]


def told(name: str, acts: Iterable[Committed]) -> dict[str, Any] | None:
    """Of how many offences it is told, and of nothing else; None where there are none."""
    late: list[int] = []
    wrong: list[int] = []
    for seed, side, kinds, ms, lines in acts:
        verdict = judge.replayed(lines)
        if [by for by, _ in verdict.said] == [side] and verdict.said[0][1] in kinds:
            late.append(int(str(verdict.accused[0]["ms"])) - ms)
        else:
            wrong.append(seed)
    committed = len(late) + len(wrong)
    if not committed:
        return None
    return {
        "name": name, "figure": percent(len(late), committed), "unit": "% told, and nothing else",
        "committed": committed, "latest_ms": max(late, default=None), "look_at": wrong[:8],
    }  # fmt: skip


def planted(seeds: Iterable[int], name: str, senses: str, laws: str, *, clock: bool) -> Iterator[Committed]:
    """One kind of offence on one kind of board."""
    for seed in seeds:
        start = chess.Board()
        wood = set_up(start, seed)
        act = offences.plant(wood, start, games.game(seed), name, clock=clock)
        if act is not None:
            session: Line = {"laws": laws, "senses": senses, "clock": CLOCK if clock else None}
            lines = sensors.log(session, sensors.edges(wood, start, senses))
            yield Committed(seed, act.side, act.kinds, act.ms, lines)


def asked(about: str | None) -> argparse.Namespace:
    """Which games the command line asks for."""
    ask = argparse.ArgumentParser(description=about)
    ask.add_argument("--games", type=int, default=20, help="of each kind")
    ask.add_argument("--seed", type=int, default=0, help="the first; the others follow")
    return ask.parse_args()


def main() -> None:
    chosen = asked(__doc__)
    seeds = range(chosen.seed, chosen.seed + chosen.games)
    for senses in SENSES:
        for clock in (False, True):
            said = f"guests {senses}, {'clock' if clock else 'no clock'}"
            of = [(seed, EDITIONS[seed % len(EDITIONS)]) for seed in seeds]
            report(honest(said, (evening.by_touches(s, senses, laws, clock=clock) for s, laws in of)))
    pushed = (evening.by_touches(s, "occupancy", "fide-2023", clock=False, pushes=True) for s in seeds)
    report(honest("guests victims pushed aside", pushed))
    kinds: dict[str, tuple[Callable[[int], Log], Right]] = {
        "bouncing scans": (lambda s: evening.by_scans(s, clock=bool(s % 2)), each_move),
        "slow scans": (evening.by_slow_scans, each_move),
        "5 % of the scans that show a change missing": (evening.with_missing, each_move),
        **{
            f"cable out for {n} plies": (lambda s, n=n: evening.with_gap(s, n, clock=bool(s % 2)), the_end)
            for n in (1, 2, 3)
        },
        "a sensor stuck open": (lambda s: evening.with_stuck(s, closed=False, clock=bool(s % 2))[:2], each_move),
        "a sensor stuck closed": (lambda s: evening.with_stuck(s, closed=True, clock=bool(s % 2))[:2], each_move),
        "a sensor that fails open": (lambda s: evening.with_failing(s, closed=False, clock=bool(s % 2))[:2], each_move),
        "a sensor that fails closed": (
            lambda s: evening.with_failing(s, closed=True, clock=bool(s % 2))[:2],
            each_move,
        ),
    }
    for name, (log, right_at) in kinds.items():
        report(honest(f"guests {name}", (log(seed) for seed in seeds), right_at))
    for by in MATCHES:
        for named in (True, False):
            report(matches(seeds, by, named=named))
    worst = max(judge.replayed(evening.noise(seed)).worst_ms for seed in seeds)
    report({"name": "guests noise", "figure": round(worst, 1), "unit": "ms of CPU for the slowest input"})
    for name in offences.OFFENCES:
        for senses in SENSES:
            for clock in (False, True):
                if offences.possible(name, senses, clock=clock):
                    laws = EDITIONS[chosen.seed % 5 - 1]
                    said = f"guests planted {name}, {senses}, {'clock' if clock else 'no clock'}, {laws}"
                    line = told(said, planted(seeds, name, senses, laws, clock=clock))
                    if line is not None:
                        report(line)


if __name__ == "__main__":
    main()
