"""What an arbiter did of himself, in words: it stands beside the cases on which he ruled, and on paper."""

from collections.abc import Mapping

from controller.console.words import label
from controller.contract import AnyEvent, Arbiter, Clock, Match, Move, Result, Retract, Warned
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
