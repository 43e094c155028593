"""The drawings in docs/boards are those of the configurations beside them, and every page has its file and drawing."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import wiring

from controller.config import Config, load

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "boards").glob("*.md"))
BOARDS = [page.stem for page in PAGES if page.stem not in ("bought", "clock", "dgt-bus")]  # those on pins


@pytest.mark.parametrize("path", wiring.drawings(), ids=lambda path: path.name)
def test_a_drawing_is_what_its_configuration_says(path: Path) -> None:
    assert path.read_text("utf-8") == wiring.drawings()[path], "draw it anew: .venv/bin/python tools/wiring.py"


@pytest.mark.parametrize("name", BOARDS)
def test_every_pin_of_a_board_is_wired(name: str) -> None:
    """SPI's free chip select is named in the text, which is as good."""
    config = load(ROOT / "config" / f"{name}.toml")
    assert isinstance(config, Config)
    drawn = wiring.drawings()[ROOT / "docs" / "boards" / f"{name}.svg"]
    dark = set(re.findall(r'fill="#b0bec5" [^>]*>GPIO (\d+)<', drawn))
    spare = {"7", "10"} if name == "shift" else set()
    assert {str(wire.to) for wire in config.board.wires} & dark <= spare
