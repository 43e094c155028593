"""What an outlet needs beside its code: whoever adds one is told here what is missing. CONTRIBUTING.md says more."""

from pathlib import Path

import pytest

from controller.outlets.settings import Outlets

FEEDS = (Path(__file__).resolve().parents[2] / "docs/feeds.md").read_text("utf-8")


@pytest.mark.parametrize("name", [*Outlets.__struct_fields__, "lichess"])
def test_an_outlet_has_a_row_and_a_section_in_the_documents(name: str) -> None:
    assert FEEDS.count(f"\n| `[{name}]` | ") >= 1, "no row in the table of docs/feeds.md"
    assert FEEDS.count(f"\n    [{name}]\n") >= 1, "no section with its configuration in docs/feeds.md"
