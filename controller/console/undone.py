"""What *Take back* would take back, in words: an arbiter is asked about that, and not about whatever comes last."""

from controller.console.acts import named
from controller.console.cases import OUTCOMES, Case
from controller.console.words import label
from controller.contract import Arbiter
from controller.outlets.docket import Undoable
from controller.words import LanguageCode
from controller.words.language import language


def said(last: Undoable, cases: list[Case], code: LanguageCode) -> str:
    """A ruling, with the case of these that it answered or opened; or a move."""
    if last.ruling is not None:
        return language(code).text("page", "undo-ruling", what=_ruled(last.ruling, cases, code))
    how = "undo-no-move" if not last.uci else "undo-illegal" if last.illegal else "undo-move"
    to = language(code)
    return to.text("page", how, move=to.move(last.uci, last.before), **to.sides(last.side))


def _ruled(ruling: Arbiter, cases: list[Case], code: LanguageCode) -> str:
    outcome = OUTCOMES.get(ruling.do)
    reports = ruling.do == "report"
    case = next((each for each in cases if (each.ms if reports else each.ruled_ms) == ruling.ms), None)
    if case is not None:
        what = case.said[0][code].what
        return what if outcome is None else f"{what} – {label(code, f'outcome-{outcome}')}"
    return label(code, f"outcome-{outcome}") if outcome is not None and ruling.do != "warn" else named(ruling, code)
