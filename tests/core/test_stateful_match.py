"""Absurd hands on two boards: whatever comes in, a match neither raises nor stalls, and gives the same bytes again.

Each walk is a match of its own with a seed. ``JADOUBE_STEPS=200000 pytest tests/core/test_stateful_match.py`` takes the
long way; a walk that fails names its seed, and ``JADOUBE_SEED`` walks that one alone.
"""

import random
import time
from collections.abc import Iterator
from typing import Any

import chess
import pytest
from msgspec.structs import replace
from test_stateful import STALL_S, STEPS, WALK, Hands, seeds

from controller import contract as c
from controller import wire
from controller.game import Game
from controller.match import MatchAQuatre

BEGINNINGS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R[QNPPrbp] w KQkq - 4 4",
    "6k1/P4ppp/8/8/8/8/p4PPP/6K1[QRBNPqrbnp] b - - 0 20",
    "6rk/6pp/7N/8/8/8/8/K7[Pp] w - - 0 1",
    "7k/8/6K1/8/8/8/8/5Q2[] w - - 0 1",
)

pytestmark = pytest.mark.slow


class FourHands:
    """The hands of :mod:`test_stateful` on both boards of a match, and pieces dropped from the stock."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.first, self.second = Hands(self.random, plain=True), Hands(self.random, plain=True)
        pick = self.random.choice
        fens = c.BoardFens(A=pick(BEGINNINGS), B=pick(BEGINNINGS))
        played = replace(self.first.session, match="bughouse", fen=fens, play="blitz")
        self.session = self.first.session = self.second.session = played

    def next(self, match: MatchAQuatre) -> list[c.AnyInput]:
        """What comes next on one of the boards."""
        board: c.BoardId = self.random.choice(["A", "B"])
        hands = self.first if board == "A" else self.second
        hands.ms = max(self.first.ms, self.second.ms)
        game = match.games[board]
        items = self.drop(game, hands.ms) if self.random.random() < 0.25 else hands.next(game)
        return [replace(item, board=board) for item in items]

    def drop(self, game: Game, ms: c.Ms) -> list[c.AnyInput]:
        """A piece from somewhere on a square, often an empty one, and mostly a button or a press with it."""
        pick, side = self.random.choice, game.state.turn.side
        square = pick(chess.SQUARE_NAMES)
        letter = pick("pnbrq")
        piece: Any = {"identity": letter.upper() if side == c.WHITE else letter, "colour": side[0], "occupancy": None}
        items: list[c.AnyInput] = [c.Place(ms=ms, square=square, piece=piece[self.session.senses])]
        if self.random.random() < 0.5:
            items.insert(pick([0, 1]), c.Choose(ms=ms, side=side, piece=letter))  # type: ignore[arg-type]
        if self.random.random() < 0.3:
            items.append(c.Lift(ms=ms, square=square))
        if self.random.random() < 0.6:
            items.append(c.Press(ms=ms, side=side))
        return items


def walk(seed: int) -> Iterator[tuple[c.AnyInput | None, list[c.AnyEvent]]]:
    """Each input with what came of it; None for the end of the log."""
    hands = FourHands(seed)
    match = MatchAQuatre(hands.session)
    for _ in range(WALK):
        for item in hands.next(match):
            yield item, match.handle(item)
        if match.result is not None:
            break
    yield None, match.finish()


def test_the_match_never_raises_nor_stalls_and_time_never_goes_back() -> None:
    wrong = []
    for seed in seeds():
        since, ms = time.process_time(), 0
        try:
            for item, events in walk(seed):
                took, since = time.process_time() - since, time.process_time()
                assert took < STALL_S, f"{item} took {took:.1f} s"
                for event in events:
                    assert wire.decode_event(wire.encode(event)) == event
                    assert event.ms >= ms, f"time went back from {ms}: {event}"
                    ms = event.ms
        except Exception as error:
            wrong.append(f"JADOUBE_SEED={seed}: {type(error).__name__}: {error}"[:400])
    assert not wrong, "\n".join([f"{len(wrong)} of {len(seeds())} walks of {STEPS} steps", *wrong[:10]])


def test_the_same_inputs_give_the_same_bytes() -> None:
    for seed in seeds()[:1]:
        walked = list(walk(seed))
        match = MatchAQuatre(FourHands(seed).session)
        again = [event for item, _ in walked for event in (match.finish() if item is None else match.handle(item))]
        assert [wire.encode(e) for e in again] == [wire.encode(e) for _, events in walked for e in events]
