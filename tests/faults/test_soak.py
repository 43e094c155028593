"""Game after game through the whole daemon, and nothing is left over: a little of what ``soak.py`` does for long."""

import asyncio
from pathlib import Path

import pytest
import soak
from hall import MOSQUITTO, Mosquitto


@pytest.mark.broker
@pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed: make broker")
def test_games_are_recorded_as_they_are_played_and_leave_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak, "PLIES", 16)
    monkeypatch.setattr(soak, "LEAST", 2)
    broker = Mosquitto(tmp_path)
    try:
        found = asyncio.run(soak.soak(5, 7, tmp_path, broker.port))
    finally:
        broker.kill()
    assert found["plies"] == 5 * 16
    assert soak.held_on(found) is None, "so few games make no figure for the memory, but they open nothing for good"


def test_what_is_left_over_is_found_out() -> None:
    kept = {"grown_mb": 0.4, "descriptors": [16, 16], "threads": [5, 5]}
    assert soak.held_on(kept) is None
    assert soak.held_on(kept | {"grown_mb": 1.2}) == "1.2 MB of memory"
    assert soak.held_on(kept | {"descriptors": [16, 18]}) == "2 descriptors"
