"""What people said in words: every ruling and every claim has a sentence, in every language."""

import re
from typing import get_args, get_type_hints

import pytest
from sentences import session

from controller import contract as c
from controller.words import LANGUAGES, inputs
from controller.words.context import Context
from controller.words.inputs import say_input
from controller.words.reports import KINDS

MATCH = session(match="bughouse")
UNSAID = (c.Lift, c.Place, c.Contact, c.Frame, c.Press, c.Reading, c.Sensor, c.Time, c.Outage, c.Unseen, c.Seen)
"""What hands, clocks and sensors did: the events tell it."""


def spoken() -> list[c.AnyInput]:
    """Every act of a player, and every ruling with each field that makes it another."""
    claims = get_args(get_type_hints(c.Claim)["of"])
    players: list[c.AnyInput] = [
        *(c.Draw(ms=0, side="white", act=act) for act in ("offer", "accept", "decline")),
        *(c.Claim(ms=0, side="black", of=of, move=move) for of in claims for move in (None, "g1f3", "no move")),
        c.Claim(ms=0, side="black", of="quickplay", increment=True),
        c.Resign(ms=0, side="white", by="Eva"),
        c.Pause(ms=0, side="white"),
        c.Adjust(ms=0, side="white"),
        *(c.Choose(ms=0, side="black", piece=piece) for piece in ("q", "r", "b", "n", "p")),
    ]
    rulings: list[c.AnyInput] = [
        c.Arbiter(ms=0, do=do, answers=answers, side=side, by=by, of=of, result="1-0", ply=3, moves=moves, kind="phone")
        for do, row in c.RULINGS.items()
        for answers, side, by, of, moves in (
            (None, "white", None, None, ()),
            ("7", "black", "Eva", 500, ("g1f3", "b8c6")),
            ("8", None, "Eva", None, ()),
        )
        if side is not None or "side" not in row.needs
    ]
    reports: list[c.AnyInput] = [c.Arbiter(ms=0, do="report", kind=kind, side="black") for kind in (*KINDS, "sneeze")]
    return [*players, *rulings, *reports]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    "item", spoken(), ids=lambda item: item.do if isinstance(item, c.Arbiter) else type(item).__name__
)
def test_whatever_people_say_is_one_whole_sentence(item: c.AnyInput, code: str) -> None:
    said = say_input(item, code, Context(MATCH, "A"), {"7": "what was told"})
    assert said is not None
    assert said.endswith(".")
    assert said[0].isupper()
    assert not re.search(r"[{}]|\b(set-clock|neutralise|undo)\b", said)


def test_no_input_is_forgotten() -> None:
    told = {type(item) for item in spoken()}
    assert told | {*UNSAID} == {*get_args(c.AnyInput)}
    assert all(say_input(item, "en", Context(MATCH, "A"), {}) for item in spoken())
    assert say_input(c.Press(ms=0, side="white"), "en", Context(MATCH, "A"), {}) is None
    assert say_input(c.Arbiter(ms=0, do="arrived"), "en", Context(MATCH, "A"), {}) is None, "nobody knows who"


def test_a_ruling_names_what_it_answers() -> None:
    dismissed = c.Arbiter(ms=0, do="dismiss", answers="7", by="Eva")
    assert say_input(dismissed, "en", Context(MATCH, "A"), {"7": "this"}) == "Arbiter Eva dismisses this."
    assert say_input(dismissed, "en", Context(MATCH, "A"), {}) == "Arbiter Eva dismisses notice 7."
    assert inputs.name_notice(
        c.Result(ms=1500, result="1-0", reason="time", article="6.9", status="proposed"), "it", "en"
    )


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_reported_has_its_clause_apart(kind: str, code: str) -> None:
    reported = c.Arbiter(ms=0, do="report", kind=kind, side="white")
    for context in (Context(MATCH, "A"), Context(c.Session(version=1), None)):
        said = say_input(reported, code, context, {})
        assert said is not None
        assert not re.search(r"\w[Aa]rticle|\.\.", said)


def test_a_sentence_has_one_full_stop() -> None:
    of_2005 = Context(c.Session(version=1, laws="fide-2005"), None)
    said = say_input(c.Claim(ms=0, side="black", of="quickplay"), "fr", of_2005, {})
    assert said is not None
    assert not said.endswith("..")
