"""Honest games of chess960 from start positions drawn by lot, castling in every order that the Guidelines allow."""

import pytest

from guests import judge
from guests.chess960 import OWN, Hands


@pytest.mark.parametrize("clock", [False, True])
@pytest.mark.parametrize("senses", OWN)
def test_an_honest_game_of_chess960_is_recorded_and_nobody_is_accused(senses: str, clock: bool) -> None:
    castled = 0
    for seed in range(15):
        hands = Hands(seed, senses, int(clock)).play()
        verdict = judge.replayed(hands.log)
        assert verdict.record == hands.moves, f"seed {seed}"
        assert not verdict.accused, f"seed {seed}"
        castled += len(hands.castlings)
    assert castled > 15
