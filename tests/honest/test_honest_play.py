"""Honest play by human hands: every game comes out exact, and nobody is accused of anything.

``JADOUBE_HONEST_GAMES=1000 pytest tests/honest`` plays more games of each sort. A game that fails is shown by
``tests/benchmarks/bench_honest.py --show SEED --sort N``.
"""

import os
from pathlib import Path

import chess
import pytest
from bench_honest import CLOCK, SORTS, Sort, complaints, honest
from common import Played, record, run
from msgspec.structs import replace

from controller.contract import Senses, Session, Violation
from hardware.simulator.games import pgn_games, random_game
from hardware.simulator.habits import HONEST
from hardware.simulator.hands import play
from hardware.simulator.sight import touches

GAMES = int(os.environ.get("JADOUBE_HONEST_GAMES", "10"))  #: of each sort
REAL = [
    (path.stem, moves)
    for path in sorted((Path(__file__).resolve().parents[1] / "games").glob("*.pgn"))
    for _, moves in pgn_games(path)
]


def said(played: Played) -> list[str]:
    return [f"game {played.seed}, ply {ply}: {text}" for ply, text in complaints(played)]


@pytest.mark.parametrize("sort", SORTS, ids=str)
def test_random_games(sort: Sort) -> None:
    wrong = [text for seed in range(GAMES) for text in said(honest(seed, sort))[:1]]
    assert not wrong, "\n".join([f"{len(wrong)} of {GAMES} games", *wrong[:12]])


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize(("name", "moves"), REAL, ids=[name for name, _ in REAL])
def test_real_games(name: str, moves: list[chess.Move], senses: Senses) -> None:
    wrong = said(honest(len(name), Sort(senses, CLOCK), moves))
    assert not wrong, "\n".join(wrong[:12])


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_breach_of_touch_move_is_not_overlooked(senses: Senses) -> None:
    """The counterpart: the same hands, once dishonest, are found out at that ply, and only there."""
    for seed in range(10):
        moves = random_game(seed, 40)
        gestures = play(chess.Board(), moves, replace(HONEST, press=False), seed, breach_at_ply=9)
        events = run(Session(version=1, senses=senses), touches(gestures, senses))
        breaches = [event for event in events if isinstance(event, Violation)]
        assert [event.kind for event in breaches] == ["touch-move"], f"game {seed}"
        ninth = [gesture.ms for gesture in gestures if gesture.ply == 9]
        assert ninth[0] <= breaches[0].ms <= ninth[-1] + 400
        assert record(events) == [move.uci() for move in moves]
