"""Fixtures of the tournament's tests: a hall of twelve boards with a journal."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "outlets"))

from hall_kit import Scene


@pytest.fixture
def hall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Scene:
    return Scene(tmp_path, capsys)
