"""Fixtures of the pages' tests: a real Chromium; what they share is in ``house.py``."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "daemon"), str(ROOT / "tools")]

import browser  # noqa: E402
from house import configuration  # noqa: E402

from controller.config import Config  # noqa: E402
from controller.outlets import pgn  # noqa: E402


@pytest.fixture(scope="session")
def chromium() -> Iterator[str]:
    """Where a Chromium listens, one for all tests: each page has a profile of its own."""
    if browser.CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("chromium is not installed: make browser")
    with browser.chromium() as (address, _):
        yield address


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The PGN follows at once, so that stopping waits for nothing."""
    monkeypatch.setattr(pgn, "PAUSE_S", 0.01)


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Config]:
    """A configuration of a quick simulated board with pages; ``tables`` add to the tables of the file."""

    def build(**tables: dict[str, Any]) -> Config:
        return configuration(tmp_path, **tables)

    return build
