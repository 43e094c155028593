"""The catalogues: compiled as they are written, complete in every language, and French where they are French."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from controller.words import LANGUAGES, LOCALE, language

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import catalogues  # noqa: E402

ENGLISH = re.compile(r"\b(the|of|and|is|has|by|with|not|white|black|move|clock|game|draw|if|it|until)\b", re.IGNORECASE)


def messages(code: str) -> dict[str, str]:
    """By context and id; the header aside."""
    read = catalogues.read(LOCALE / code / "LC_MESSAGES" / "jadoube.po")
    assert read.pop("").startswith(f"Language: {code}\n")
    return read


def english() -> dict[str, str]:
    """The same of English. A notice is English already: its id is the sentence, which other languages have."""
    notices = {key: key.partition("\x04")[2] for key in messages("fr") if key.startswith("notice\x04")}
    return messages("en") | notices


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_compiled_catalogue_is_that_of_the_source(code: str) -> None:
    source = LOCALE / code / "LC_MESSAGES" / "jadoube.po"
    compiled = catalogues.compiled(catalogues.read(source))
    assert source.with_suffix(".mo").read_bytes() == compiled, "make test compiles what has changed"


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_no_language_says_what_english_does_not(code: str) -> None:
    """What it lacks is said in English, until somebody translates it."""
    assert not messages(code).keys() - english().keys()
    assert all(messages(code).values())


def test_french_says_all_that_english_does() -> None:
    assert not messages("en").keys() - messages("fr").keys(), "a notice it lacks stays English"


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_no_language_leaves_out_what_was_measured(code: str) -> None:
    """A translation may name a player in another form, but it drops no move, square, time or clause."""
    players = {f"{form}{who}" for form in ("", "of_", "to_") for who in ("side", "opponent")}
    players |= {form.capitalize() for form in players}
    there = messages(code)
    for key, text in english().items():
        assert placeholders(there.get(key, text)) - players == placeholders(text) - players, key


def test_what_a_language_lacks_is_said_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue that somebody has begun is of use from the first message on."""
    written = {"side\x04white": "Wit"}
    for code, said in (
        ("nl", {"": "Language: nl\nContent-Type: text/plain; charset=UTF-8\n", **written}),
        ("en", None),
    ):
        folder = tmp_path / code / "LC_MESSAGES"
        folder.mkdir(parents=True)
        source = catalogues.read(LOCALE / "en" / "LC_MESSAGES" / "jadoube.po") if said is None else said
        (folder / "jadoube.mo").write_bytes(catalogues.compiled(source))
    monkeypatch.setattr(language, "LOCALE", tmp_path)
    dutch = language.Language("nl")
    assert dutch.text("side", "white") == "Wit"
    assert dutch.text("side", "black") == "Black"


def test_no_english_is_left_in_the_french_catalogue() -> None:
    left = [text for text in messages("fr").values() if ENGLISH.search(re.sub(r"{\w+}", "", text))]
    assert not left


def test_french_signs_keep_to_the_word_before_them() -> None:
    assert not [text for text in messages("fr").values() if re.search("(?<!\N{NO-BREAK SPACE})[;:](?!\\w)", text)]
    assert not [text for text in messages("fr").values() if re.search(r"[^\W\d]'\w", text)], "its apostrophe is curved"


@pytest.mark.parametrize(
    ("catalogue", "complaint"),
    [
        ('msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n', "line 5: a second message for 'a'"),
        ('msgid "a"\nmsgstr[0] "b"\n', "line 2: expected msgctxt, msgid or msgstr, found msgstr[0]"),
    ],
)
def test_a_catalogue_that_cannot_be_read_is_refused_by_line(tmp_path: Path, catalogue: str, complaint: str) -> None:
    (tmp_path / "jadoube.po").write_text(catalogue)
    with pytest.raises(SystemExit, match=re.escape(complaint)):
        catalogues.read(tmp_path / "jadoube.po")


def test_gnu_msgfmt_reads_the_sources_too(tmp_path: Path) -> None:
    for code in LANGUAGES:
        source = LOCALE / code / "LC_MESSAGES" / "jadoube.po"
        try:
            subprocess.run(["msgfmt", "--check", "-o", tmp_path / "out.mo", source], check=True, capture_output=True)
        except FileNotFoundError:
            pytest.skip("needs the msgfmt program of GNU gettext")
