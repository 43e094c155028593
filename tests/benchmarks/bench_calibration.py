"""How often what is told is right: each kind of statement, and moves that were inferred by how sure they were told.

The hands and habits of ``tests/guests``: touches, scans, slow scans, scans missing, cables out, sensors that fail, and
planted offences. A move is right if it was played at that ply; one taken back, if it was not; what is taken back and
told instead at once, a correction, if the record was wrong and no right ply before its first wrong one went with it;
one of several, if the one played is among them; an accusation, if that offence was planted. Prints a line a statement:
``expected`` is the mean of what was told of it, ``after_right`` the share of right ones among those of a game that had
been recorded rightly so far, for a move that is told of another position than the one on the board can hardly be right.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import chess
from common import percent, report

sys.path.insert(0, str(Path(__file__).parents[1]))
from guests import evening, games, judge, offences, sensors
from guests.evening import CLOCK, EDITIONS, SENSES
from guests.sensors import Line
from guests.wood import set_up

BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
APART = 1000
"""So far apart are the seeds of two kinds of boards, so that no game is measured twice."""
BACK = 6
"""So many plies a choice between moves may be about earlier ones than the next."""


class Said(NamedTuple):
    """One statement."""

    right: bool
    so_far: bool  #: the game had been recorded rightly until then
    sure: float | None  #: how sure it was told


Tally = dict[str, list[Said]]
"""By kind of statement."""


def told_out(lines: list[Line]) -> list[Line]:
    """The same log, of a cable of which it is known when it was out: the longest pause between two scans."""
    frames = [(number, line) for number, line in enumerate(lines) if line["type"] == "frame"]
    (begin, last), (end, first) = max(pairwise(frames), key=lambda two: _ms(two[1][1]) - _ms(two[0][1]))
    taken = int(str(first["occupied"]), 16)
    shown = "".join("x" if taken >> square & 1 else "." for square in chess.SQUARES)
    unseen: Line = {"ms": _ms(last) + 1, "type": "unseen"}
    seen: Line = {"ms": first["ms"], "type": "seen", "shown": shown}
    return [*lines[: begin + 1], unseen, *lines[begin + 1 : end], seen, *lines[end + 1 :]]


def told_dead(log: tuple[evening.Evening, list[Line], str]) -> tuple[evening.Evening, list[Line]]:
    """The same log, of a sensor of which it is known from the start that it does not work."""
    game, lines, square = log
    return game, [*lines[:2], {"ms": 0, "type": "sensor", "square": square, "works": False}, *lines[2:]]


def _ms(line: Line) -> int:
    return int(str(line["ms"]))


def weigh(truth: list[str], events: list[Line], offence: tuple[str, tuple[str, ...]] | None = None) -> Tally:
    """Every statement of a log. ``offence``: who committed which, as it may be called."""
    tally: Tally = defaultdict(list)
    record: list[str] = []
    for before, after in corrections(events):
        right = right_so_far(before, truth) < len(before) and right_so_far(after, truth) >= right_so_far(before, truth)
        tally["correction"].append(Said(right, right_so_far(before, truth) == len(before), None))
    for event in events:
        so_far = record == truth[: len(record)]
        confidence = event.get("confidence")
        sure = None if confidence is None else float(str(confidence))
        match event["type"]:
            case "move":
                right = truth[int(str(event["ply"])) - 1 :][:1] == [event["uci"]]
                said = Said(right, so_far, sure)
                tally["move measured" if sure is None else "move inferred"].append(said)
                if sure is not None:
                    tally[f"move inferred, {band(sure)}"].append(said)
                record.append(str(event["uci"]))
            case "retract":
                gone = record.pop()
                right = truth[len(record) :][:1] != [gone]
                tally["retract"].append(Said(right, record == truth[: len(record)], None))
            case "ambiguous":
                tally["ambiguous"].append(Said(among(truth, len(record), event["moves"]), so_far, None))
            case "violation" | "illegal" as kind:
                right = offence is not None and event["side"] == offence[0] and event["kind"] in offence[1]
                whole = kind if event.get("completed", True) else f"{kind}, not completed"
                tally[f"{whole}{', inferred' if sure is not None else ''}"].append(Said(right, so_far, sure))
    return tally


def corrections(events: list[Line]) -> Iterator[tuple[list[str], list[str]]]:
    """The record before and after each instant in which a move is taken back."""
    record: list[str] = []
    for _, together in groupby(events, key=_ms):
        before, taken_back = record[:], False
        for event in together:
            if event["type"] == "move":
                record.append(str(event["uci"]))
            elif event["type"] == "retract":
                record.pop()
                taken_back = True
        if taken_back:
            yield before, record[:]


def right_so_far(record: list[str], truth: list[str]) -> int:
    """How many plies of the record come before the first wrong one."""
    return next((ply for ply, (told, played) in enumerate(zip(record, truth, strict=False)) if told != played),
                min(len(record), len(truth)))  # fmt: skip


def band(sure: float) -> str:
    """Between which bounds it is."""
    return next(f"{low:.2f} to {high:.2f}" for low, high in pairwise(BANDS) if sure < high or high == BANDS[-1])


def among(truth: list[str], plies: int, moves: object) -> bool:
    """Whether the move played is among these, at the latest ply up to the next at which all of them were possible."""
    assert isinstance(moves, list)
    for ply in range(min(plies, len(truth) - 1), max(-1, plies - BACK), -1):
        board = chess.Board()
        for move in truth[:ply]:
            board.push_uci(move)
        if all(chess.Move.from_uci(move) in board.legal_moves for move in moves):
            return truth[ply] in moves
    return False


def honest() -> dict[str, Callable[[int], tuple[evening.Evening, list[Line]]]]:
    """Each kind of board, and what it is to miss."""
    return {
        **{
            f"touches, {senses}": lambda s, senses=senses: evening.by_touches(
                s, senses, EDITIONS[s % len(EDITIONS)], clock=bool(s % 2)
            )
            for senses in SENSES
        },
        "bouncing scans": lambda s: evening.by_scans(s, clock=bool(s % 2)),
        "slow scans": evening.by_slow_scans,
        "5 % of the scans that show a change missing": evening.with_missing,
        "15 % of them": lambda s: evening.with_missing(s, 0.15),
        "scans of one to three plies lost": lambda s: evening.with_gap(s, 1 + s % 3, clock=bool(s // 3 % 2)),
        "cable out for one to three plies": lambda s: out(s, 1 + s % 3),
        "a sensor stuck open": lambda s: evening.with_stuck(s, closed=False, clock=bool(s % 2))[:2],
        "a sensor known to be dead": lambda s: told_dead(evening.with_stuck(s, closed=False, clock=bool(s % 2))),
    }


def out(seed: int, plies: int) -> tuple[evening.Evening, list[Line]]:
    """Of a cable of which it is known that it is out."""
    game, lines = evening.with_gap(seed, plies, clock=bool(seed // 3 % 2))
    return game, told_out(lines)


def planted(seeds: range) -> Iterator[Tally]:
    """Games with an offence in them, on boards that report touches."""
    for name in offences.OFFENCES:
        for senses in SENSES:
            for seed in seeds:
                clock = offences.possible(name, senses, clock=True)
                if not offences.possible(name, senses, clock=clock):
                    continue
                start, moves = chess.Board(), games.game(seed)
                wood = set_up(start, seed)
                act = offences.plant(wood, start, moves, name, clock=clock)
                if act is None:
                    continue
                session: Line = {"laws": EDITIONS[-1], "senses": senses, "clock": CLOCK if clock else None}
                events = judge.replayed(sensors.log(session, sensors.edges(wood, start, senses))).events
                accused = [event for event in events if event["type"] in ("violation", "illegal")]
                yield weigh([], accused, (act.side, tuple(act.kinds)))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--games", type=int, default=6, help="of each kind")
    ask.add_argument("--seed", type=int, default=0, help="the first; the others follow")
    ask.add_argument("--apart", action="store_true", help="each kind of board by itself, too")
    chosen = ask.parse_args()
    seeds = range(chosen.seed, chosen.seed + chosen.games)
    everything: Tally = defaultdict(list)
    for number, (name, log) in enumerate(honest().items()):
        tally: Tally = defaultdict(list)
        for seed in range(seeds.start + number * APART, seeds.stop + number * APART):
            game, lines = log(seed)
            for kind, said in weigh(game.truth, judge.replayed(lines).events).items():
                tally[kind] += said
                everything[kind] += said
        if chosen.apart:
            show(f", {name}", tally)
    for each in planted(range(chosen.seed, chosen.seed + max(1, chosen.games // 4))):
        for kind, said in each.items():
            everything[kind] += said
    show("", everything)


def show(where: str, tally: Tally) -> None:
    """A line a statement."""
    for kind, said in sorted(tally.items()):
        known = [each for each in said if each.so_far]
        line: Line = {"name": f"calibration {kind}{where}", "figure": right(said), "unit": "% right", "told": len(said)}
        if kind.startswith(("move", "retract", "ambiguous")):
            line |= {"after_right": right(known), "of": len(known)}
        sure = [each.sure for each in said if each.sure is not None]
        report(line | ({"expected": round(100 * fmean(sure), 1)} if sure else {}))


def right(said: list[Said]) -> float | None:
    """Of so many, in percent."""
    return percent(sum(each.right for each in said), len(said)) if said else None


if __name__ == "__main__":
    main()
