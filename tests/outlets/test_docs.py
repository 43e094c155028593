"""What docs/feeds.md tells people to write is read as it stands there; what docs/arbiter.md calls an alert is one."""

import re
import tomllib
from pathlib import Path

import pytest

from controller.config import Config, check
from controller.outlets.alerts import KINDS
from controller.pairing import tags_of_game

DOCS = Path(__file__).resolve().parents[2] / "docs"
DOC = (DOCS / "feeds.md").read_text("utf-8")


def blocks() -> list[str]:
    """The indented blocks."""
    found, block = list[str](), list[str]()
    for line in [*DOC.splitlines(), "end"]:
        if line.startswith("    ") or (block and not line):
            block.append(line[4:])
        elif block:
            found.append("\n".join(block).strip())
            block = []
    return found


@pytest.mark.parametrize("block", [block for block in blocks() if block.startswith("[")])
def test_each_table_is_read(block: str) -> None:
    assert isinstance(check({"board": {"type": "simulated"}} | tomllib.loads(block), "docs/feeds.md"), Config)


def test_the_csv_is_read() -> None:
    (csv,) = [block for block in blocks() if block.startswith("Event;")]
    assert tags_of_game(csv, "docs/feeds.md", "7", "3")["BlackFideId"] == "8602980"


def test_the_alerts_are_those_of_the_page() -> None:
    text = (DOCS / "arbiter.md").read_text("utf-8").partition("| alert |")[2].partition("\n\n")[0]
    named = set[str]()
    for cell in (line.split("|")[1] for line in text.splitlines() if line.startswith("| `")):
        words = re.findall(r"`([a-z-]+)`", cell)
        named |= set(words[:1] if "` `" in cell else words)  # after the type stand kinds of it
    assert named == {kind.__struct_config__.tag for kind in KINDS}
