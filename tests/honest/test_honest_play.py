"""Honest play by human hands: every game comes out exact, and nobody is accused of anything.

Some hundred random games on each kind of board, with and without a clock, as touches and as raw scans with bounce.
``JADOUBE_HONEST_GAMES=1000 pytest tests/honest`` plays more of them.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import chess
import pytest
from common import record, run
from msgspec.structs import replace

from controller.contract import (
    AnyEvent,
    AnyInput,
    Completed,
    Displaced,
    Edition,
    Flag,
    Illegal,
    Penalty,
    Senses,
    Session,
    Violation,
    encode,
)
from hardware.simulator.games import pgn_games, random_game
from hardware.simulator.habits import HONEST, Gesture, Habits
from hardware.simulator.hands import play
from hardware.simulator.sight import scans, touches

GAMES = int(os.environ.get("JADOUBE_HONEST_GAMES", "40"))  #: of each sort
PLIES = 120
BOUNCE_MS = 6
EDITIONS: tuple[Edition, ...] = ("fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023")
REAL = [
    (path.stem, moves)
    for path in sorted((Path(__file__).resolve().parents[1] / "games").glob("*.pgn"))
    for _, moves in pgn_games(path)
]


def hands(seed: int, senses: Senses, clock: str | None) -> Habits:
    """Honest habits; swapped captures where the board can see them, the promotion button pressed by some for queens."""
    swap = 0.0 if senses == "occupancy" else 0.5
    return replace(HONEST, swap=swap, press=clock is not None, choose_queen=seed % 2 == 1)


def session(seed: int, senses: Senses, clock: str | None) -> Session:
    return Session(version=1, laws=EDITIONS[seed % len(EDITIONS)], senses=senses, clock=clock)


def complaints(name: str, rules: Session, moves: list[chess.Move], inputs: Iterable[AnyInput]) -> list[str]:
    """What is wrong with what the core made of an honest game; nothing if all is well."""
    events: list[AnyEvent] = run(rules, inputs)
    accused = [event for event in events if isinstance(event, Violation | Illegal | Penalty | Displaced | Flag)]
    wrong = [f"{name}: {encode(event).decode()}" for event in accused]
    played, recorded = [move.uci() for move in moves], record(events)
    if recorded != played:
        ply = next((i for i, pair in enumerate(zip(played, recorded, strict=False)) if pair[0] != pair[1]), None)
        ply = min(len(played), len(recorded)) if ply is None else ply
        wrong.append(f"{name}: ply {ply + 1} is {recorded[ply : ply + 1]}, played {played[ply : ply + 1]}")
    if [event.uci for event in events if isinstance(event, Completed)] != played:
        wrong.append(f"{name}: the completed moves are not those played")
    return wrong


def show(wrong: list[str]) -> str:
    return "\n".join([f"{len(wrong)} complaints", *wrong[:12]])


@pytest.mark.parametrize("clock", [None, "5400+30"], ids=["no clock", "clock"])
@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_touches(senses: Senses, clock: str | None) -> None:
    wrong: list[str] = []
    for seed in range(GAMES):
        moves = random_game(seed, PLIES)
        gestures: list[Gesture] = play(chess.Board(), moves, hands(seed, senses, clock), seed)
        wrong += complaints(f"game {seed}", session(seed, senses, clock), moves, touches(gestures, senses))
    assert not wrong, show(wrong)


@pytest.mark.parametrize("clock", [None, "5400+30"], ids=["no clock", "clock"])
def test_raw_scans_with_bounce(clock: str | None) -> None:
    wrong: list[str] = []
    for seed in range(GAMES):
        moves = random_game(seed, PLIES)
        gestures = play(chess.Board(), moves, hands(seed, "occupancy", clock), seed)
        frames = scans(gestures, chess.Board(), 5, bounce_ms=BOUNCE_MS, seed=seed, idle=False)
        wrong += complaints(f"game {seed}", session(seed, "occupancy", clock), moves, frames)
    assert not wrong, show(wrong)


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize(("name", "moves"), REAL, ids=[name for name, _ in REAL])
def test_real_games(name: str, moves: list[chess.Move], senses: Senses) -> None:
    gestures = play(chess.Board(), moves, hands(1, senses, "5400+30"), seed=1)
    wrong = complaints(name, session(4, senses, "5400+30"), moves, touches(gestures, senses))
    assert not wrong, show(wrong)


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_breach_of_touch_move_is_not_overlooked(senses: Senses) -> None:
    """The counterpart: the same hands, once dishonest, are found out at that ply, and only there."""
    for seed in range(10):
        moves = random_game(seed, 40)
        gestures = play(chess.Board(), moves, hands(seed, senses, None), seed, breach_at_ply=9)
        events = run(session(4, senses, None), touches(gestures, senses))
        breaches = [event for event in events if isinstance(event, Violation)]
        assert [event.kind for event in breaches] == ["touch-move"], f"game {seed}"
        ninth = [gesture.ms for gesture in gestures if gesture.ply == 9]
        assert ninth[0] <= breaches[0].ms <= ninth[-1] + 400
        assert record(events) == [move.uci() for move in moves]
