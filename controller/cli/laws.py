"""``jadoube laws``: what an edition of the Laws says of one kind of play, and what two editions have differently."""

import sys
from collections.abc import Iterable
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from controller.contract import Edition, Play
from controller.laws.editions import a_quatre
from controller.words import LanguageCode
from controller.words.language import Language, language
from controller.words.laws import Row, differences, heading, profile_of, rules, rules_of_the_match, values

WIDTH = 110  #: columns where the output is no terminal


def as_asked(
    diff: tuple[Edition, Edition] | None, edition: Edition, *, unsupervised: bool, match: bool, **how: Any
) -> int:
    """Prints what was asked for: what differs, or one profile."""
    if diff is not None:
        return compare(*diff, supervised=not unsupervised, **how)
    return show(edition, supervised=not unsupervised, match=match, **how)


def show(edition: Edition, play: Play, *, supervised: bool, match: bool, code: LanguageCode) -> int:
    """Print the profile: each rule with its clause, then how they bind this kind of play; of a match its own articles
    first."""
    to, console = language(code), _console()
    profile = profile_of(edition, play, supervised=supervised)
    if match:
        profile = a_quatre(profile)
        own = ((row.clause, row.topic) for row in rules_of_the_match(to))
        console.print(_table(to.text("heading", "a quatre"), own))
    named = _kind(play, supervised, to)
    console.print(Text(to.text("heading", "profile", edition=heading(edition, to), **named), style="bold"))
    console.print(_table(to.text("heading", "clauses"), ((row.clause, row.topic) for row in rules(profile, to))))
    bound = ((row.clause, to.text("heading", "row", topic=row.topic, says=row.says)) for row in values(profile, to))
    console.print(_table(to.text("heading", "values"), bound))
    return 0


def compare(before: Edition, after: Edition, play: Play, *, supervised: bool, code: LanguageCode) -> int:
    """Print what differs, row by row: the topic, and what each of the two editions has."""
    to, console = language(code), _console()
    first, second = (profile_of(edition, play, supervised=supervised) for edition in (before, after))
    names = {"first": heading(before, to), "second": heading(after, to)}
    title = to.text("heading", "difference", **names, **_kind(play, supervised, to))
    console.print(Text(title, style="bold"))
    rows = [(d.topic, _cell(d.before, to), _cell(d.after, to)) for d in differences(first, second, to)]
    if rows:
        console.print(_table("", rows, before, after))
    else:
        console.print(to.text("heading", "same"))
    return 0


def _cell(row: Row, to: Language) -> str:
    """What an edition has there: its clause, and what it says."""
    return "  ".join(filter(None, (row.clause, row.says))) or to.text("heading", "nothing")


def _kind(play: Play, supervised: bool, to: Language) -> dict[str, str]:
    watched = "supervised" if supervised else "unsupervised"
    return {"play": to.text("heading", play), "supervision": to.text("heading", watched)}


def _table(first: str, rows: Iterable[tuple[str, ...]], *columns: str) -> Table:
    """A table; with the one heading ``first``, it stands over the text, and the clause before it has none."""
    table = Table(box=SIMPLE_HEAD)
    for column in (first, *columns) if columns else ("", first):
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False)
