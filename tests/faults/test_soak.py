"""Game after game through the whole daemon, and nothing is left over: a little of what ``soak.py`` does for long."""

import asyncio
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
import soak
from hall import MOSQUITTO, Mosquitto

from controller.contract import Session
from controller.journal import Journal, Opening
from hardware.boards.simulated import SimulatedConfig


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


def test_a_game_that_came_out_otherwise_is_found_out_and_its_log_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    journal = Journal(tmp_path / "journal.sqlite")
    opening = Opening(game="g", venue="hall", board="7", started="2026", session=Session(version=1))
    journal.begin(opening).result(5)
    board = SimulatedConfig().open(lambda _: None)
    hands = soak.Hands(SimpleNamespace(only=SimpleNamespace(boards={None: board}), journal=journal), 1)  # type: ignore[arg-type]
    hands._compare([])
    with pytest.raises(soak.PlayedOtherwiseError, match=r"played e2e4, recorded $"):
        hands._compare(["e2e4"])
    assert (tmp_path / "soak-g.jsonl").read_text().startswith('{"type":"session"')
    journal.close()
