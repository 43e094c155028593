"""The papers: every link leads somewhere, every page is found from the README, which is one screen."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from controller.cli.demo.commands import HEED, STAYS
from controller.cli.main import parser
from controller.config import Config, DoubleConfig, check, load
from controller.words.language import language
from hardware.boards.simulated import SimulatedConfig

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


FOLDERS = ("controller", "hardware", "tests", "tools", "config", "docs")
CITED = re.compile(r"(?<![\w./-])((?:\w[\w-]*/)+[\w-]+\.(?:md|py|toml|sh))\b")


def _cited(text: str) -> set[str]:
    """The files of this repository that a text names by their path."""
    return {path for path in CITED.findall(text) if path.split("/")[0] in FOLDERS}


@pytest.mark.parametrize("folder", ["controller", "hardware", "tools", "config"])
def test_what_the_code_cites_is_in_the_repository(folder: str) -> None:
    texts = {
        path: path.read_text("utf-8") for ending in ("py", "toml") for path in (ROOT / folder).rglob(f"*.{ending}")
    }
    cited = {(str(path.relative_to(ROOT)), name) for path, text in texts.items() for name in _cited(text)}
    assert cited
    assert {(path, name) for path, name in cited if not (ROOT / name).exists()} == set()


@pytest.mark.parametrize(
    "page", [ROOT / "CONTRIBUTING.md", DOCS / "press.md", DOCS / "decisions.md"], ids=lambda page: page.stem
)
def test_the_files_that_a_guide_through_the_code_names_exist(page: Path) -> None:
    named = set(re.findall(r"`([\w/-]+\.py)`", page.read_text("utf-8")))
    ours = [
        str(path.relative_to(ROOT))
        for top in ("controller", "hardware", "tests", "tools")
        for path in (ROOT / top).rglob("*.py")
    ]
    assert named
    assert {name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in ours)} == set()


def test_the_readme_is_one_screen_and_says_the_two_commands_first() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= SCREEN
    assert lines[0].split()[:2] == ["make", "run"]
    assert lines[1].split()[:2] == ["make", "test"]


def _shown(page: str, after: str) -> str:
    """What a page shows below the words ``after``, without its indent."""
    below = (DOCS / page).read_text("utf-8").partition(f"{after}\n\n")[2].splitlines()
    lines = below[: next(at for at, line in enumerate(below) if line and not line.startswith("    "))]
    return "\n".join(line[4:] for line in lines).rstrip() + "\n"


@pytest.mark.parametrize(
    ("page", "after", "command"),
    [
        ("developer.md", "`.venv/bin/jadoube replay touch.jsonl` says:", "replay touch.jsonl"),
        ("developer.md", "With `g9` in the second line:", "replay slip/touch.jsonl"),
        (
            "developer.md",
            "`.venv/bin/jadoube explain touch.jsonl --language fr`:",
            "explain touch.jsonl --language fr",
        ),
        (
            "club.md",
            "An option that nobody reads is an error that names the nearest one:",
            "run --config my-board.toml",
        ),
    ],
)
def test_what_a_page_shows_is_what_is_printed(tmp_path: Path, page: str, after: str, command: str) -> None:
    log = _shown("developer.md", "the session, then what happened. `touch.jsonl`:")
    board = (ROOT / "config/matrix.toml").read_text("utf-8")
    (tmp_path / "slip").mkdir()
    (tmp_path / "touch.jsonl").write_text(log)
    (tmp_path / "slip/touch.jsonl").write_text(log.replace("g1", "g9", 1))
    (tmp_path / "my-board.toml").write_text(board.replace("[board]", "[board]\nscan_hertz = 100", 1))
    run = subprocess.run(
        [sys.executable, "-m", "controller.cli.main", *command.split()],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (run.stdout + run.stderr).replace("slip/", "") == _shown(page, after)


def test_the_demonstration_is_shown_with_the_last_line_that_it_has() -> None:
    shown = _shown("developer.md", "takes with the bishop\nall the same.")
    said = " ".join(line.strip("│ ") for line in shown.splitlines())
    assert f" {HEED}{STAYS} " in said


CLUB_FR = (DOCS / "club.fr.md").read_text("utf-8")


def test_the_match_of_the_french_page_is_read() -> None:
    setup = check(tomllib.loads(_shown("club.fr.md", "avec vos ports et vos joueurs\u00a0:")), "docs/club.fr.md")
    assert isinstance(setup, DoubleConfig)
    assert setup.console is not None


@pytest.mark.parametrize("command", re.findall(r"^    \.venv/bin/jadoube (.*?)(?: +#.*)?$", CLUB_FR, re.MULTILINE))
def test_a_command_of_the_french_page_is_one(command: str) -> None:
    assert parser().parse_args(command.split())


def test_the_buttons_of_the_french_page_are_on_the_pages() -> None:
    words = {language("fr").text("page", key) for key in language("fr").ids("page")}
    named = re.findall(r"(?<![*\w])\*([A-ZÀ-Ý][^*]+)\*(?!\*)", CLUB_FR)
    assert {*named} - words == {"Likely cause", "Next"}, "and what a message begins with"


def test_the_board_to_practise_on_begins_a_game_by_itself_and_has_pages(tmp_path: Path) -> None:
    file = tmp_path / "practice.toml"
    file.write_text(
        _shown("arbiter.md", "In an empty folder, in a terminal:").partition("<<END\n")[2].partition("END")[0]
    )
    setup = load(file)
    assert isinstance(setup, Config)
    assert isinstance(setup.board, SimulatedConfig)
    assert (setup.start.by, setup.event.clock) == ("at-once", "5400+30")
    assert setup.console is not None


def test_what_make_helps_with_stands_in_columns() -> None:
    helps = ["make", "--no-print-directory", "help"]  # as another make may run this
    told = subprocess.run(helps, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [re.fullmatch(r"(  make [a-z]+ {2,})\S.*", line) for line in told]
    assert len(rows) > 9
    assert len({len(row[1]) if row else 0 for row in rows}) == 1
