"""Whole games on a board that is scanned five times a second, in which each capture is made between two scans: the one
who is taken never leaves his square, as far as it shows, and later play has to tell who was."""

import pytest
from common import HABITS, play_one, scanned
from msgspec.structs import replace


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(0, id="a king who castles within one look is no other's hand"),
        pytest.param(66, id="it tells only four turns later what the first was"),
        pytest.param(131, id="three captures, of three and four and one pieces"),
        pytest.param(171, id="play that goes on from an illegal move is paid for each time"),
    ],
)
def test_what_nothing_shows_comes_out_by_what_is_played_on(seed: int) -> None:
    assert play_one(seed, replace(HABITS, swap=1.0), scanned()).wrong == []
