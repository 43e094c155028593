"""Fixtures of the pages' tests; what they share is in ``house.py``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from house import configuration

from controller.config import Config
from controller.outlets import pgn
from hardware.boards import simulated


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The PGN follows at once, so that stopping waits for nothing."""
    monkeypatch.setattr(pgn, "PAUSE_S", 0.01)


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may stand still for half a second: nobody has moved meanwhile, and what was seen is certain."""
    monkeypatch.setattr(simulated, "BLIND_S", 30.0)


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Config]:
    """A configuration of a quick simulated board with pages; ``tables`` add to the tables of the file."""

    def build(**tables: dict[str, Any]) -> Config:
        return configuration(tmp_path, **tables)

    return build
