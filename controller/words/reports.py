"""What an arbiter may report that no sensor sees, in words: the sentences that would stand in the record."""

from controller.contract import Session
from controller.laws.editions import profile
from controller.laws.reports import of_beginning, reportable
from controller.words.language import Language

_ANY = profile(Session(version=1))

KINDS = tuple(reportable(_ANY, match=True))
"""Whatever may be reported somewhere."""

BEGINNING = tuple(of_beginning(_ANY.clause))
"""What is told of the beginning, and of no player."""


def clauses(session: Session, to: Language) -> dict[str, str]:
    """By what the input calls each kind, its clause under the edition in force; no other kind can be reported."""
    known = reportable(profile(session), match=session.match is not None)
    return {kind: to.clause(number) for kind, number in known.items()}


def sentence(kind: str, to: Language) -> str:
    """The sentence of a kind, with its placeholders: ``{Side}``, ``{move}``, ``{squares}`` and ``{clause}``."""
    return to.text("event" if kind in BEGINNING else "violation", kind)
