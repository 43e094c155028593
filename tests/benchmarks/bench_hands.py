"""What hands do, counted in two games that were recorded on real DGT boards, not in those of our own generators.

Which edges show a move is known once the moves are; what is left over are pieces touched for nothing or set down in
passing. Each count comes with the number of occasions. The smoothed rates, (k + 1) / (n + 2), stand beside the costs in
``controller/sensing/costs.py``. Where these recordings show nothing of a kind, that is no rate: 100 plies of good
players at a quiet board.

The recordings have no timestamps, but the clock of who is to move ticks once a second: over many moves, as many
ticks as fall between two edges are as many seconds.
"""

import io
import sys
from collections import Counter
from statistics import fmean
from typing import Any

from bench_recordings import GAMES, RECORDINGS, truth
from common import percent, report

from controller.cli.decode import decode_file
from controller.contract import AnyEvent, AnyInput, Press
from controller.game import Game
from controller.position import EMPTY
from controller.sensing.costs import nats
from controller.sensing.signs import SeenGame, recorded
from controller.wire import decode_input, decode_session

TICK_MS = 1000  #: what ``decode`` makes of one; a message without is 20 ms

Counts = Counter[str]


def followed(name: str) -> tuple[SeenGame, list[Press]]:
    """A recording with the moves that it shows, which are those that were played; and its presses."""
    log = io.BytesIO()
    if decode_file("dgt", RECORDINGS / name, log):
        raise ValueError(f"{name} cannot be decoded")
    first, *rest = log.getvalue().splitlines()
    session, inputs = decode_session(first), [decode_input(line) for line in rest]
    game, lines = Game(session), list[AnyInput | AnyEvent]()
    for item in inputs:
        lines += [item, *game.handle(item)]
    record = recorded(session, [*lines, *game.finish()])
    played = [shown.move.uci() for shown in record.moves]
    if played != truth(RECORDINGS / GAMES[name]):
        raise ValueError(f"{name}: {' '.join(played)} was not played")
    return record, [item for item in inputs if isinstance(item, Press)]


def count(record: SeenGame, presses: list[Press], seconds: dict[str, list[int]]) -> tuple[Counts, Counts]:
    """How often each habit was seen, and on how many occasions it might have been; adds to ``seconds`` how long things
    took."""
    seen, of = Counts(), Counts()

    def one(habit: str, was: bool) -> None:
        seen[habit] += was
        of[habit] += 1

    edges, moves, used = record.edges, record.moves, set[int]()
    for number, shown in enumerate(moves):
        signs = [sign for sign in shown.signs(record.senses) if sign is not None]
        used |= {*signs, *([] if shown.taken is None else [shown.taken])}
        departure, landing, taken = shown.departure, shown.landing, shown.taken
        assert departure is not None
        assert landing is not None
        last = max(signs)
        one("destination before origin", landing < departure)
        if shown.captures:
            one("capture: the target never seen empty", taken is None)
            if taken is not None:
                one("capture: who is taken is lifted first", taken < departure)
        if shown.castled:
            one("castling: the king first", all(sign is not None and departure < sign for sign in shown.castled))
        if number + 1 < len(moves):
            ahead = [sign for sign in moves[number + 1].signs(record.senses) if sign is not None]
            one("the next piece is taken up before the move is finished", min(ahead) < last)
            one("an edge later than the whole next move", max(ahead) < last)
        way = range(min(departure, landing), landing)
        passed = {edges[n].square for n in way if edges[n].seen != EMPTY}
        raised = {edges[n].square for n in way if edges[n].seen == EMPTY and n not in {*signs, taken}}
        one("a second piece in hand", bool(raised - passed))
        seconds["from lift to landing"].append(max(0, edges[landing].ms - edges[departure].ms) // TICK_MS)
        press = next((item for item in presses if item.ms >= edges[last].ms), None)
        if press is not None:
            seconds["from landing to press"].append((press.ms - edges[last].ms) // TICK_MS)
    _left_over(record, used, seen)
    for habit in ("idle touch, own", "idle touch, enemy", "set down in passing"):
        of[habit] = len(moves)
    of["lost edge"], seen["lost edge"] = record.lost.edges, record.lost.lost
    return seen, of


def _left_over(record: SeenGame, used: set[int], seen: Counts) -> None:
    """Adds what no move accounts for: a square that opens and closes again, or closes and opens again."""
    edges, last = record.edges, max(used)
    for number, edge in enumerate(edges[:last]):
        if number in used:
            continue
        again = next((n for n in range(number + 1, last) if edges[n].square == edge.square), None)
        if again is None or again in used:
            continue
        used |= {number, again}
        shown = next(one for one in record.moves if (one.landing or 0) > number)
        if edge.seen != EMPTY:
            seen["set down in passing"] += 1
        else:
            own = edges[again].seen.isupper() == shown.before.turn
            seen["idle touch, own" if own else "idle touch, enemy"] += 1


def main(verbose: bool = False) -> dict[str, Any]:
    line: dict[str, Any] = {"name": "hands", "figure": None, "floor": "none: it counts", "goal": None}
    if not RECORDINGS.is_dir():
        return {**line, "skipped": f"no recordings beside the project in {RECORDINGS.name}/"}
    seen, of, seconds = Counts(), Counts(), {"from lift to landing": list[int](), "from landing to press": list[int]()}
    for name in GAMES:
        more, occasions = count(*followed(name), seconds)
        seen.update(more)
        of.update(occasions)
    means = {f"seconds {what}": round(fmean(each), 2) for what, each in seconds.items()}
    if verbose:
        for habit, occasions in sorted(of.items()):
            rate = (seen[habit] + 1) / (occasions + 2)
            print(f"{habit:60} {seen[habit]:4} of {occasions:4}   {rate:.3f}  {nats(rate):4.1f} nats", file=sys.stderr)
        print(means, file=sys.stderr)
    counts = {habit: [seen[habit], occasions] for habit, occasions in sorted(of.items())}
    unit = "edges lost, of a hundred; and each habit as often as it was seen, of how many occasions"
    figure = percent(seen["lost edge"], of["lost edge"])
    return {**line, "figure": figure, "unit": unit, "counts": counts, **means}


if __name__ == "__main__":
    report(main("--verbose" in sys.argv))
