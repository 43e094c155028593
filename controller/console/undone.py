"""What *Take back* would take back, and has taken back, in words: an arbiter is asked about that, and not about
whatever comes last.
"""

from collections.abc import Iterable

from controller.console import acts
from controller.console.cases import OUTCOMES, Case
from controller.console.words import label
from controller.contract import Arbiter
from controller.outlets.docket import Undoable
from controller.outlets.scoresheet import Scoresheet, board_of
from controller.words import LanguageCode
from controller.words.language import language


def asked(last: Undoable, cases: list[Case], code: LanguageCode) -> str:
    """A ruling, with the case of these that it answered or opened; or a move."""
    what = named(last, cases, code)
    if last.ruling is not None:
        return language(code).text("page", "undo-ruling", what=what)
    return what[0].upper() + what[1:]


def named(last: Undoable, cases: list[Case], code: LanguageCode) -> str:
    """The same amid a sentence."""
    if last.ruling is not None:
        return _ruled(last.ruling, cases, code)
    how = "undo-no-move" if not last.uci else "undo-illegal" if last.illegal else "undo-move"
    to = language(code)
    return to.text("page", how, move=to.move(last.uci, last.before), **to.sides(last.side))


def told(ruling: Arbiter, rulings: Iterable[Arbiter], sheet: Scoresheet) -> Undoable | None:
    """What a ruling says that it takes back, of the ``rulings`` given before it and the moves of the score; None where
    it does not say, or that is not known here."""
    given = next((each for each in rulings if each.ms == ruling.of), None)
    if given is not None:
        return Undoable(given.ms, given)
    made = next((each for each in reversed(sheet.entries) if each.made_ms == ruling.of), None)
    if made is None:
        return None
    move, before = made.move, board_of(made.before, sheet.variant)
    return Undoable(made.made_ms, None, move.side, move.uci, not move.legal, before)


def _ruled(ruling: Arbiter, cases: list[Case], code: LanguageCode) -> str:
    outcome = OUTCOMES.get(ruling.do)
    reports = ruling.do == "report"
    case = next((each for each in cases if (each.ms if reports else each.ruled_ms) == ruling.ms), None)
    if case is not None:
        what = case.said[0][code].what
        return what if outcome is None else f"{what} – {label(code, f'outcome-{outcome}')}"
    if outcome is None or ruling.do == "warn":
        return acts.named(ruling, code)
    return label(code, f"outcome-{outcome}")
