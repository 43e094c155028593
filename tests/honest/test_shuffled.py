"""Honest play of chess960, and the same hands once dishonest."""

import os

import chess
import pytest
from bench_honest import BOUNCE_MS, CLOCK, EDITIONS, SCAN_MS, SORTS, Sort, accusations
from common import record, run
from msgspec.structs import replace

from controller.contract import AnyEvent, Senses, Session, Violation
from hardware.simulator.games import random_game
from hardware.simulator.habits import HONEST, Gesture, Habits
from hardware.simulator.hands import play
from hardware.simulator.sight import scans, touches

GAMES = int(os.environ.get("JADOUBE_HONEST_GAMES", "12"))  #: of each sort
PLIES = 50


def played(
    seed: int, sort: Sort, habits: Habits, breach: int | None = None
) -> tuple[list[str], list[Gesture], list[AnyEvent]]:
    """What was played from a start position of its own, by which gestures, and what was told of it."""
    start = chess.Board.from_chess960_pos(seed * 397 % 960)
    moves = random_game(seed, PLIES, start)
    gestures = play(start, moves, replace(habits, press=sort.clock is not None), seed, breach)
    laws = EDITIONS[1 + seed % (len(EDITIONS) - 1)]  # none in 2005
    told = Session(version=1, laws=laws, variant="chess960", fen=start.fen(), senses=sort.senses, clock=sort.clock)
    if sort.raw:
        seen = scans(gestures, start, SCAN_MS, bounce_ms=BOUNCE_MS, seed=seed, idle=False)
    else:
        seen = touches(gestures, sort.senses)
    return [move.uci() for move in moves], gestures, run(told, seen)


@pytest.mark.parametrize("sort", SORTS, ids=str)
def test_random_games_of_chess960(sort: Sort) -> None:
    for seed in range(GAMES):
        truth, _, events = played(seed, sort, HONEST)
        assert not accusations(events), f"game {seed}"
        assert record(events) == truth, f"game {seed}"


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_breach_of_touch_move_is_not_overlooked(senses: Senses) -> None:
    for seed in range(10):
        truth, gestures, events = played(seed, Sort(senses, CLOCK), HONEST, breach=9)
        breaches = [event for event in events if isinstance(event, Violation)]
        assert [event.kind for event in breaches] == ["touch-move"], f"game {seed}"
        # Where castling looks like another move it is told once play shows which of the two it was.
        ninth = next(gesture.ms for gesture in gestures if gesture.ply == 9)
        assert (breaches[0].uci, breaches[0].touched_ms[0] >= ninth) == (truth[8], True)
        assert record(events) == truth
