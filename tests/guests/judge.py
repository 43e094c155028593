"""Replays a log as the command does, and compares: the record, and that nobody is accused."""

import json
import time
from collections.abc import Iterable
from typing import NamedTuple

import chess

from controller.cli.replay import judge
from guests.sensors import Line

ACCUSES = ("violation", "illegal", "penalty")


class Verdict(NamedTuple):
    """What came of one log."""

    record: list[str]  #: moves as UCI, less those taken back
    accused: list[Line]
    worst_ms: float  #: CPU of the slowest input
    cpu_s: float
    events: list[Line]

    @property
    def said(self) -> list[tuple[str, str]]:
        """Who is accused of what, once each: an illegal move is told when it stands, and again at the press."""
        return list(dict.fromkeys((str(a["side"]), str(a["kind"])) for a in self.accused if a["type"] != "penalty"))


def replayed(lines: Iterable[Line]) -> Verdict:
    """Everything that is said of a log. The CPU is this thread's."""
    events: list[Line] = []
    worst = 0.0
    began = last = time.thread_time()

    def timed() -> Iterable[bytes]:
        nonlocal worst, last
        for line in lines:
            now = time.thread_time()
            worst, last = max(worst, now - last), now
            yield json.dumps(line).encode()

    for chunk in judge(timed(), "guests"):
        events += [json.loads(event) for event in chunk.splitlines()]
    record: list[str] = []
    for event in events:
        if event["type"] == "move":
            record.append(str(event["uci"]))
        elif event["type"] == "retract" and record:
            record.pop()
    accused = [event for event in events if event["type"] in ACCUSES]
    return Verdict(record, accused, worst * 1000, time.thread_time() - began, events)


def right_plies(record: list[str], truth: list[str]) -> int:
    """How many plies of the truth stand in the record at their place."""
    return sum(got == want for got, want in zip(record, truth, strict=False))


def ends_alike(record: list[str], truth: list[str], start: chess.Board | None = None) -> bool:
    """Whether both lead to the same position after as many moves; from the usual start if none is given."""
    try:
        ends = []
        for moves in (record, truth):
            board = start.copy() if start else chess.Board()
            for move in moves:
                board.push_uci(move)
            ends.append(board.board_fen())
    except ValueError:
        return False
    return ends[0] == ends[1] and len(record) == len(truth)
