"""What an arbiter did of himself, in words: it stands beside the cases on which he ruled, and on paper. And what *Take
back* would take back, and has taken back: he is asked about that, and not about whatever comes last.
"""

from collections.abc import Iterable, Mapping

from controller.console.cases import OUTCOMES, Case
from controller.console.words import label
from controller.contract import AnyEvent, Arbiter, Clock, Match, Move, Result, Retract, Warned
from controller.outlets.mqtt.docket import Undoable
from controller.outlets.scoresheet import Scoresheet, board_of
from controller.words import LANGUAGES, LanguageCode
from controller.words.language import language
from controller.words.say import Said

NOTED: dict[str, tuple[type, ...]] = {
    "pause": (Clock,),
    "resume": (Clock,),
    "set-clock": (Clock,),
    "correct": (Move, Retract),
    "undo": (Clock, Result, Retract),
    "result": (Result,),
    "warn": (Warned,),
    "neutralise": (Match,),
}
"""What is noted so, and what has to come of it; the others answer a case, or are reported of somebody."""


def named(ruling: Arbiter, code: LanguageCode) -> str:
    if ruling.do == "result":
        return label(code, f"score-{ruling.result}")
    if ruling.do == "warn" and ruling.side is not None:
        return language(code).text("page", "report-warn", **language(code).sides(ruling.side))
    return label(code, ruling.do)


def ruling_in_words(ruling: Arbiter, led_to: AnyEvent, undone: Mapping[LanguageCode, str]) -> dict[LanguageCode, Said]:
    """The same with what it ``led_to``, where that tells more: what the clocks show then, which move was another; and
    with what was ``undone`` by it."""
    sentences = {code: _sentence(ruling, led_to, undone.get(code), code) for code in LANGUAGES}
    return {code: Said(text, (), (), (), {}, text) for code, text in sentences.items()}


def _sentence(ruling: Arbiter, led_to: AnyEvent, undone: str | None, code: LanguageCode) -> str:
    what, how = named(ruling, code), undone
    if ruling.do == "set-clock" and isinstance(led_to, Clock):
        left = {"white": led_to.white_ms, "black": led_to.black_ms}
        how = ", ".join(f"{label(code, side)} {language(code).clock(ms)}" for side, ms in left.items())
    if ruling.do == "correct" and ruling.ply is not None:
        how = f"{(ruling.ply + 1) // 2}{'.' if ruling.ply % 2 else '…'}"
    return what if how is None else language(code).text("page", "act-with", what=what, how=how)


def asked_to_undo(last: Undoable, cases: list[Case], code: LanguageCode) -> str:
    """A ruling, with the case of these that it answered or opened; or a move."""
    what = what_is_undone(last, cases, code)
    if last.ruling is not None:
        return language(code).text("page", "undo-ruling", what=what)
    return what[0].upper() + what[1:]


def what_is_undone(last: Undoable, cases: list[Case], code: LanguageCode) -> str:
    """The same amid a sentence."""
    if last.ruling is not None:
        return _ruled(last.ruling, cases, code)
    how = "undo-no-move" if not last.uci else "undo-illegal" if last.illegal else "undo-move"
    to = language(code)
    return to.text("page", how, move=to.move(last.uci, last.before), **to.sides(last.side))


def told_undone(ruling: Arbiter, rulings: Iterable[Arbiter], sheet: Scoresheet) -> Undoable | None:
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
        return named(ruling, code)
    return label(code, f"outcome-{outcome}")
