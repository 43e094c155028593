"""Who can still mate, in the positions of the Chess Unwinnability Analyzer: what is known, and what it costs.

The figure is the mean for both players, in ms of processor time. Details: verdicts right, wrong and unknown, the middle
and the slowest of them. The positions are beside the project; without them there is nothing to measure.
"""

from collections import Counter
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any

import chess
from common import report

from controller.mating import who_can_mate_both

LIST = Path(__file__).resolve().parents[2] / ".." / "shared" / "positions" / "who-can-mate.txt"
LETTERS = {chess.WHITE: "W", chess.BLACK: "B"}


def main() -> dict[str, Any]:
    if not LIST.is_file():
        return {"name": "who_can_mate", "figure": None, "skipped": "no positions beside the project in shared/"}
    spent, told = [], Counter[str]()
    for line in LIST.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        truth, fen = line.split(" ", 1)
        started = process_time()
        verdicts = who_can_mate_both(chess.Board(fen))
        spent.append((process_time() - started) * 1000)
        for colour, verdict in zip((chess.WHITE, chess.BLACK), verdicts, strict=True):
            right = verdict.can == (LETTERS[colour] in truth)
            told["unknown" if verdict.can is None else "right" if right else "wrong"] += 1
    return {
        "name": "who_can_mate",
        "figure": round(mean(spent), 1),
        "goal": 20,
        "unit": "ms a position, both players",
        "median": round(median(spent), 1),
        "worst": round(max(spent)),
        **{what: told[what] for what in ("right", "wrong", "unknown")},
    }


if __name__ == "__main__":
    report(main())
