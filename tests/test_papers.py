"""The papers: every link leads somewhere, every page is found from the README, which is one screen."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAPERS = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
SCREEN = 50  #: lines
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]+))?\)")


def _headings(page: Path) -> set[str]:
    """As anchors, the way that GitHub and GitLab make them."""
    found = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", PAPERS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text("utf-8")):
        to = page.parent / target if target else page
        assert to.exists(), target
        assert not anchor or anchor in _headings(to), f"{target}#{anchor}"


def test_every_page_is_in_the_list_of_pages() -> None:
    named = {target for target, _ in LINK.findall((DOCS / "index.md").read_text("utf-8"))}
    assert {page.name for page in DOCS.glob("*.md")} - named == {"index.md"}


def test_the_readme_is_one_screen_and_says_the_two_commands_first() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= SCREEN
    assert lines[0].split()[:2] == ["make", "run"]
    assert lines[1].split()[:2] == ["make", "test"]
