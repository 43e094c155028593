"""The glossary says every word of the vocabulary, each term once and in one sentence; and a piece is called a piece."""

import ast
import re
import tokenize
import typing
from collections.abc import Iterator
from pathlib import Path
from types import UnionType

import msgspec
import pytest

from controller import contract as c

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" |")]
    for line in GLOSSARY.splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| term"))
]
CODE = re.compile(r"`([^`]+)`")


def values(kind: object) -> Iterator[str]:
    """What a field of this type may hold, where that is one of a few words."""
    if typing.get_origin(kind) is typing.Literal:
        yield from (value for value in typing.get_args(kind) if isinstance(value, str))
    elif isinstance(kind, UnionType) or typing.get_origin(kind) in (typing.Annotated, typing.Union, list, tuple):
        for part in typing.get_args(kind):
            yield from values(part)


def vocabulary() -> list[str]:
    """The tags of all inputs and events, and the words that their fields may hold."""
    structs = [*typing.get_args(c.AnyInput), *typing.get_args(c.AnyEvent), c.Session]
    words = {struct.__struct_config__.tag for struct in structs}
    for struct in structs:
        for kind in typing.get_type_hints(struct, include_extras=True).values():
            words.update(values(kind))
    return sorted(words)


@pytest.mark.parametrize("word", vocabulary())
def test_each_word_of_the_vocabulary_is_explained(word: str) -> None:
    assert word in CODE.findall(GLOSSARY)


@pytest.mark.parametrize("page", ["mqtt.md", "arbiter.md"])
def test_the_pages_for_arbiters_and_receivers_name_each_kind_of_violation(page: str) -> None:
    known = set(values(typing.get_type_hints(c.Violation, include_extras=True)["kind"]))
    assert known <= {*CODE.findall((ROOT / "docs" / page).read_text())}


def test_the_vocabulary_is_read_whole() -> None:
    assert {"lift", "obligation", "touch-move", "fide-2005", "castle", "inferred", "q", "set-clock"} <= {*vocabulary()}
    assert all(issubclass(kind, msgspec.Struct) for kind in typing.get_args(c.AnyEvent))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_term_is_one_sentence_with_its_name_in_french(row: list[str]) -> None:
    assert len(row) == 5, row
    _, sentence, _, french, _ = row
    assert re.fullmatch(r"[A-Z`].*\.", sentence)
    assert not re.search(r"[.] [A-Z]", sentence), "one sentence"
    assert french
    assert not re.search(r"(?<!\u00a0)[;:?!]", french), "a no-break space stands before it in French"


def test_no_term_is_there_twice_or_is_what_another_is_not_called() -> None:
    terms = [re.sub(r" ?`[^`]+`,?", "", row[0]).strip() for row in ROWS]
    names = [name.strip() for term in terms for name in term.split(",") if name.strip()]
    assert len(names) == len({*names})
    assert not {name.strip() for row in ROWS for name in row[4].split(",")} & {"piece", "square", "obligation", "world"}


# -- what it asks of the code -----------------------------------------------------------------------------------------

PIECES = ("belief", "laws", "sensing")
FILES = sorted(
    [
        *[path for room in PIECES for path in (ROOT / "controller" / room).glob("*.py")],
        *[ROOT / "controller" / f"{name}.py" for name in ("game", "match", "position", "bughouse")],
    ]
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_piece_is_called_a_piece_in_the_core(path: Path) -> None:
    """In names, and in what is said of them; the words of the contract are its own."""
    with path.open("rb") as file:
        found = [
            (token.start[0], token.string)
            for token in tokenize.tokenize(file.readline)
            if token.type in (tokenize.NAME, tokenize.COMMENT, tokenize.STRING)
            and re.search(r"(?i)(?<![a-z])m[ae]n(?![a-z])", token.string)
        ]
    assert not found


def test_a_piece_is_called_a_piece_on_the_pages_and_in_words() -> None:
    catalogue = (ROOT / "controller" / "locale" / "en" / "LC_MESSAGES" / "jadoube.po").read_text()
    said = re.findall(r'^(?:msgstr )?"(.*)"$', catalogue, re.MULTILINE)
    assert len(said) > 400
    assert not [text for text in said if re.search(r"(?<!\{)\bm[ae]n\b(?!\})", text)]


SAID = sorted(path for room in ("controller", "hardware") for path in (ROOT / room).rglob("*.py"))
PAPERS = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "config").glob("*.toml"), ROOT / "README.md"])
A_PIECE = re.compile(r"(?i)(?<![-./\w])m[ae]n(?![-./\w])(?! pages?| jadoube)")  # a manual page is called so


def sentences(path: Path) -> Iterator[str]:
    """What a program may say to a person: its strings of several words, but for docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    bodies = [node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list)]
    papers = {id(line.value) for body in bodies for line in body if isinstance(line, ast.Expr)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in papers else None
        if isinstance(text, str) and " " in text:
            yield text


def test_a_piece_is_called_a_piece_in_every_notice_and_complaint() -> None:
    said = [(path.name, text) for path in SAID for text in sentences(path)]
    assert len(said) > 2000
    assert not [(name, text) for name, text in said if A_PIECE.search(text)]


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_piece_is_called_a_piece_on_paper(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert not [line for line in lines if A_PIECE.search(line) and not line.startswith("| piece `piece`")]
