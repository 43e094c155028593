"""Fixtures of the daemon's tests; what they are made of is in ``hall.py`` and ``stage.py``."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hall import Mosquitto, need_mosquitto
from stage import Scene, Stage
from wired import Wired

from controller.config import Config, check
from controller.daemon import health
from controller.outlets import pgn


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    need_mosquitto()
    broker = Mosquitto(tmp_path)
    yield broker
    broker.kill()


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The PGN follows at once: nothing else here needs the disk. A busy machine is not what is tested."""
    monkeypatch.setattr(pgn, "PAUSE_S", 0.01)
    monkeypatch.setattr(health, "SLOW_S", 60.0)
    monkeypatch.setattr(health, "LATE_S", 60.0)


@pytest.fixture
def configure(tmp_path: Path) -> Callable[..., Config]:
    """A configuration of a quick simulated board; ``tables`` replace or add to the tables of the file."""

    def build(**tables: dict[str, Any]) -> Config:
        raw: dict[str, Any] = {
            "board": {"type": "simulated"},
            "event": {"venue": "hall", "board": "7"},
            "start": {"ready_s": 0.1},
            "pgn": {"directory": str(tmp_path / "games")},
            "journal": {"path": str(tmp_path / "journal.sqlite")},
        }
        for name, table in tables.items():
            raw[name] = raw.get(name, {}) | table
        raw["event"].setdefault("settings", {"release_ms": 60, "brush_ms": 20})
        return check(raw, "the test")

    return build


@pytest.fixture
def stage(configure: Callable[..., Config], tmp_path: Path) -> Iterator[Stage]:
    scenes = []

    def build(**tables: dict[str, object]) -> Scene:
        scenes.append(Scene(configure(**tables), tmp_path / "journal.sqlite"))
        return scenes[-1]

    yield build
    for scene in scenes:
        scene.journal.close()


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Callable[..., Wired]]:
    """Builds boards of wire on simulated time."""
    built: list[Wired] = []

    def build(**how: Any) -> Wired:
        built.append(Wired(tmp_path, **how))
        return built[-1]

    yield build
    for wired in built:
        wired.close()
