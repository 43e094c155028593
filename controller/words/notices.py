"""Notices of the equipment, and what a ruling is refused for, in the language of who reads them.

They come in English from wherever something failed: a driver, an outlet, the daemon, the Laws. The catalogues of other
languages have these sentences for ids, with a placeholder for each thing that is named. What is found there is
translated, the rest stays English. What is named may be such a sentence itself: a kind of board, another game.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, reduce

from controller.words import LanguageCode
from controller.words.language import language

DEEPEST = 2  #: sentences that are named in one another
JOINED = "{first}; {rest}"  #: two of the sentences


@cache
def _patterns(code: LanguageCode) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What each form matches; those that say most themselves come first, for a placeholder stands for anything."""
    parts = {form: re.split(r"{(\w+)}", form) for form in language(code).ids("notice") if form != JOINED}
    order = sorted(parts, key=lambda form: -sum(map(len, parts[form][::2])))
    return tuple((form, re.compile("".join(_pieces(parts[form])))) for form in order)


def _pieces(parts: list[str]) -> Iterator[str]:
    for number, part in enumerate(parts):
        yield f"(?P<{part}>.+)" if number % 2 else re.escape(part)


def translated(sentence: str, code: LanguageCode) -> str:
    """A sentence of these in that language, or several that semicolons part; English where one is not known."""
    if code == "en" or not sentence:
        return sentence
    return _said(sentence.split("; "), code) or sentence


def in_one(sentences: Iterable[str], code: LanguageCode) -> str:
    """These sentences in that language, in one line, parted by semicolons: they begin with a small letter, and some are
    commands. Empty ones are left out."""
    said = [translated(sentence, code) for sentence in sentences if sentence]
    to = language(code)
    return reduce(lambda first, rest: to.text("notice", JOINED, first=first, rest=rest), said) if said else ""


def _said(parts: list[str], code: LanguageCode) -> str | None:
    """These parts, of which one or more make a sentence; None where one of them is not known."""
    for length in range(1, len(parts)):
        first, rest = _whole("; ".join(parts[:length]), code), _said(parts[length:], code)
        if first is not None and rest is not None:
            return language(code).text("notice", JOINED, first=first, rest=rest)
    return _whole("; ".join(parts), code)


def _whole(sentence: str, code: LanguageCode, within: int = 0) -> str | None:
    """``within``: in so many others, for what is named comes from elsewhere, and may go on so without an end."""
    if within > DEEPEST:
        return None
    for form, pattern in _patterns(code):
        if (found := pattern.fullmatch(sentence)) is not None:
            to, named = language(code), found.groupdict()
            named = {name: _whole(value, code, within + 1) or value for name, value in named.items()}
            if "san" in named:
                named["san"] = to.san(named["san"])
            return to.text("notice", form, **named)
    return None
