"""The names of the topics, and where else they stand: whoever adds or renames one is told here what is missing."""

import re
from pathlib import Path

from controller.outlets.mqtt.levels import TOLD

ROOT = Path(__file__).resolve().parents[2]


def test_each_topic_of_a_board_has_a_row_in_the_documents_and_no_other_has_one() -> None:
    told = (ROOT / "docs/mqtt.md").read_text("utf-8").partition("\n\n#")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \|", told, re.MULTILINE)
    assert sorted(set(rows) - {"replay", "time"}) == sorted(TOLD), "docs/mqtt.md"
