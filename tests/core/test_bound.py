"""Whatever comes, no input looks at more than so many positions, tries more than so many moves, and lives through more
than so many steps again, in all the searches for it together. Counted, not timed.

What falls due after an input is dealt with when the next one comes, if nobody woke the game before: so one call may
spend what was left for the one and all that there is for the other.
"""

from unittest.mock import patch

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from noises import KINDS, Noise, match_noise, noise

from controller import contract as c
from controller.belief.world import World
from controller.match import game_of
from controller.position import Position
from controller.sensing.budget import NODE, STEP, WORK
from controller.wire import encode

pytestmark = pytest.mark.slow

POSITIONS = WORK // NODE + WORK // STEP  #: a step that is lived through again may make a move
CHANGES = 3 * WORK  #: a move that is tried is asked some times what it changes
LIVED = WORK // STEP


class Counted:
    """What was done for the input in hand."""

    def __init__(self) -> None:
        self.positions = self.changes = self.steps = 0


def worst(log: Noise) -> Counted:
    """The most of each that any input of a log took."""
    now, most = Counted(), Counted()
    after, changes, living = Position.after, Position.changes, World.living

    def counting_after(position: Position, move: chess.Move, exchanged: bool = False) -> Position:
        now.positions += 1
        return after(position, move, exchanged)

    def counting_changes(position: Position, move: chess.Move) -> object:
        now.changes += 1
        return changes(position, move)

    def counting_living(world: World, lived: object) -> World:
        now.steps += 1
        return living(world, lived)  # type: ignore[arg-type]

    game = game_of(log.session)
    with (
        patch.object(Position, "after", counting_after),
        patch.object(Position, "changes", counting_changes),
        patch.object(World, "living", counting_living),
    ):
        for item in log.inputs:
            now.__init__()  # type: ignore[misc]
            game.handle(item)
            most.positions = max(most.positions, now.positions)
            most.changes = max(most.changes, now.changes)
            most.steps = max(most.steps, now.steps)
    return most


def is_bounded(log: Noise) -> None:
    most = worst(log)
    assert (most.positions <= POSITIONS, most.changes <= CHANGES, most.steps <= LIVED) == (True,) * 3, vars(most)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=1)
def test_no_input_is_searched_for_without_end(kind: str, seed: int) -> None:
    is_bounded(noise(kind, seed, 80))


def test_nor_is_a_scan_that_shows_half_of_all_pieces_elsewhere() -> None:
    is_bounded(noise("random scans", 523, 80))


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=1)
def test_nor_in_a_match(kind: str, seed: int) -> None:
    is_bounded(match_noise(kind, seed, 80))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [119, 227])
def test_nor_where_a_king_seems_to_be_dropped_or_what_was_dropped_leaves_again(kind: str, seed: int) -> None:
    is_bounded(match_noise(kind, seed, 80))


@pytest.mark.parametrize("kind", ["nearly moves", "a few random edges to each press", "random scans"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_searched_does_not_hang_on_when_somebody_asks(kind: str, seed: int) -> None:
    """Time that is told in between is nothing new, and lets nobody search for more."""
    log = noise(kind, seed, 80)
    game, woken = game_of(log.session), game_of(log.session)
    said = [event for item in log.inputs for event in game.handle(item)]
    told = []
    for item in log.inputs:
        while (due := woken.deadline) is not None and due < item.ms:
            told += woken.handle(c.Time(ms=due))
        told += woken.handle(item)
    assert [encode(event) for event in told] == [encode(event) for event in said]
