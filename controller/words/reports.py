"""What an arbiter may report that no sensor sees, in words: the sentences that would stand in the record."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from controller.contract import Session
from controller.laws.editions import profile
from controller.laws.reports import OF_STOCK, of_beginning, of_conduct, of_the_move, reportable
from controller.laws.timecontrol import parse
from controller.words.language import Language

_ANY = profile(Session(version=1))

KINDS = tuple(reportable(_ANY, match=True))
"""Whatever may be reported somewhere."""

BEGINNING = tuple(of_beginning(_ANY.clause))
"""What is told of the beginning, and of no player."""


class Reportable(Struct, frozen=True):
    """A kind of report."""

    clause: str  #: under the edition in force, in words
    of: Literal["move", "stock", "beginning", "conduct"] | None  #: what it is about, and has to be there; None: neither


def offered(session: Session, to: Language) -> dict[str, Reportable]:
    """What can be reported in a game, by what the input calls each kind, in the order in which it is offered."""
    known = reportable(profile(session), match=session.match is not None)
    return {kind: Reportable(to.clause(number), _of(kind)) for kind, number in known.items()}


def of_quickplay(session: Session) -> Sequence[str]:
    """What a player may claim in the quickplay finish, by the ids of the catalogues, in a game that may have one: with
    a clock of which no move earns time."""
    laws = profile(session)
    if session.clock is None or session.match is not None or parse(session.clock).has_increment:
        return ()
    if laws.quickplay != "open" or not laws.clause.quickplay:
        return ()
    return ("quickplay", "increment") if laws.clause.quickplay_increment else ("quickplay",)


def _of(kind: str) -> Literal["move", "stock", "beginning", "conduct"] | None:
    if kind == "illegal-move" or kind in of_the_move(_ANY.clause):
        return "move"
    if kind in of_conduct(_ANY.clause):
        return "conduct"
    return "stock" if kind in OF_STOCK else "beginning" if kind in BEGINNING else None


def sentence(kind: str, to: Language) -> str:
    """The sentence of a kind, with its placeholders: of the player, ``{move}``, ``{squares}`` and ``{clause}``."""
    context = "event" if kind in BEGINNING else "illegal" if kind == "illegal-move" else "violation"
    return to.text(context, kind)
