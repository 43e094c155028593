"""Every label that a page asks for is there, in every language."""

import re
from string import Template

import catalogues
import pytest

from controller.console import app
from controller.console.cases import DISMISS, OUTCOMES, TOOLS, UPHOLD
from controller.console.words import ARBITER, SPECTATORS, of_arbiter, of_spectators
from controller.contract import POINTS
from controller.words import LOCALE, LanguageCode
from controller.words.reports import KINDS

PLACE = app.resources.files("controller.console")
MADE = {
    "state-${": ["state-open", "state-board", "state-times", "state-told", "state-held"],
    "score-${": [f"score-{score}" for score in POINTS],
    "outcome-${": [
        f"outcome-{how}" for how in (*OUTCOMES.values(), "restored", "settled", "seen", "undone", "set", "kept")
    ],
    "${board.turn}-to-move": ["white-to-move", "black-to-move"],
    "report-${": [f"report-{kind}" for kind in (*KINDS, "arrived", "absent", "warn")],
    "side-${": ["side-white", "side-black"],
    "of-${side}": ["of-white", "of-black"],
    "piece-${": [f"piece-{symbol}" for symbol in "QRBNPqrbnp"],
    "step-${": ["step-Home", "step-ArrowLeft", "step-ArrowRight", "step-End"],
    "clock-${": ["clock-white", "clock-black", "clock-white-running", "clock-black-running"],
}
"""The ids that scripts put together."""
MODULES = {"arbiter.js": of_arbiter, "public.js": of_spectators}


def needed(name: str, seen: set[str]) -> set[str]:
    """The ids that a script asks for, and all that it imports."""
    if name in seen:
        return set()
    seen.add(name)
    text = (PLACE / "static" / name).read_text()
    ids = set(re.findall(r'say\(\s*"([a-z-]+)"', text))
    for both in re.findall(r'say\([^()]*\? "([a-z-]+)" : "([a-z-]+)"\)', text):
        ids |= set(both)
    ids |= {each for start, made in MADE.items() if f"`{start}" in text for each in made}
    for other in re.findall(r'from "\./([a-z]+\.js)"', text):
        ids |= needed(other, seen)
    return ids


@pytest.mark.parametrize("page", MODULES)
def test_a_script_is_given_what_it_says(page: str) -> None:
    asked = needed(page, set())
    assert len(asked) > 15
    assert not asked - set(MODULES[page]("en"))
    assert all(MODULES[page]("fr").values())


@pytest.mark.parametrize("code", ["en", "fr"])
def test_every_label_is_in_the_catalogue(code: LanguageCode) -> None:
    ids = {*ARBITER, *SPECTATORS, "devices-title", "results-title", "too-many", "no-name", "wrong-code", "pieces-back"}
    given = {
        "lang",
        "languages",
        "words",
        "by",
        "delay",
        "trouble",
        "name",
        "code",
        "focus_name",
        "focus_code",
        "device_rows",
        *(
            "events",
            "here",
            "links",
            "may",
            "list_title",
            "style",
            "content",
            "occasion",
            "round",
            "rounds",
            "result_rows",
            "as_of",
            "since",
        ),
    }
    for page in (PLACE / "pages").iterdir():
        names = {match["named"] for match in Template.pattern.finditer(page.read_text()) if match["named"]}
        ids |= {name.replace("_", "-") for name in names - given}
    said = messages(code)
    assert not [key for key in ids if f"page\x04{key}" not in said]


def messages(code: LanguageCode) -> dict[str, str]:
    """By context and id, as the compiled catalogue has them."""
    return catalogues.read(LOCALE / code / "LC_MESSAGES" / "jadoube.po")


def test_every_option_that_has_a_button_is_in_the_catalogue() -> None:
    keys = UPHOLD | DISMISS | TOOLS.keys()
    assert not [key for key in keys if f"option\x04{key}" not in messages("fr")]
