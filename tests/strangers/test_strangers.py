"""Honest games are recorded exactly and nobody is accused; of a planted offence it is told, and of nothing else."""

import pytest
from guests import judge

from strangers import games, offences

FAILS = {
    ("stuck-open", "occupancy", None, 0): "a piece stops on the dead square and goes on: taken for another square",
    ("stuck-open", "occupancy", None, 1): "a false touch-move, inferred from touches a minute and more before",
}


def _case(kind: str, senses: str, clock: str | None, seed: int) -> object:
    reason = FAILS.get((kind, senses, clock, seed))
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
    return pytest.param(kind, senses, clock, seed, marks=marks)


ONCE_ACCUSED = [
    # who is taken is set down beside, and taken off again just before the press
    ("touch", "occupancy", "5400+30", 5300111),
    ("touch", "occupancy", "5400+30", 5400015),
    ("bounce", "occupancy", "5400+30", 5400115),
    # who is taken stands beside for a moment, and the reply takes another before the press
    ("bounce", "occupancy", "180+2", 7810001),
    # who has just been set down is taken there, and pushed to where he might have gone, too
    ("touch", "identity", None, 5400041),
]
"""Games of many in which somebody was accused of what he had not done, and why."""

ONCE_LOST = [
    # the work for an input went into worlds with nobody blamed before the moves that had been made were looked at
    ("stuck-open", "occupancy", None, 7820002),
]
"""Games of many that were not followed to their end, and why."""

CASES = [_case(*way, 0) for way in games.COMBINATIONS]
CASES += [_case(*game) for game in ONCE_ACCUSED + ONCE_LOST]
CASES += [_case(*game) for game in FAILS if game[-1]]


@pytest.mark.parametrize(("kind", "senses", "clock", "seed"), CASES)
def test_an_honest_game_is_recorded_and_nobody_accused(kind: str, senses: str, clock: str | None, seed: int) -> None:
    game = games.fair(seed, kind, senses, clock)
    verdict = judge.replayed(game.lines)
    assert game.agrees(verdict.record)
    assert verdict.accused == []


UNTOLD = {("out-of-turn", 0): "he may as well have kept in hand the piece that seemed to take, and moved that one"}


def _offence(kind: str, seed: int) -> object:
    reason = UNTOLD.get((kind, seed))
    return pytest.param(kind, seed, marks=[pytest.mark.xfail(strict=True, reason=reason)] if reason else [])


@pytest.mark.parametrize(("kind", "seed"), [_offence(kind, seed) for kind in offences.OFFENCES for seed in range(2)])
def test_a_planted_offence_is_told_and_nothing_else(kind: str, seed: int) -> None:
    game = offences.planted(seed, kind)
    ((by, name),) = judge.replayed(game.lines).said
    assert by == game.side
    assert name in game.kinds
