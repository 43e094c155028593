"""A language: its catalogue, and how it writes moves, times, clauses and lists.

French terms are those of the French translation of the Laws: trait, adouber, prise, roque, achever un
coup. Sides are plural there (« les Blancs »), so that no verb has to know who plays.
"""

import gettext
from collections.abc import Iterable, Sequence
from functools import cache

import chess

from controller.contract import Move, Side, other
from controller.words import LANGUAGES, LOCALE, LanguageCode

MOVES_SAID = 6  #: of a longer list only so many moves are named


class Language:
    """One language. What its catalogue lacks is said in English. Raises :exc:`FileNotFoundError` where it has none."""

    def __init__(self, code: LanguageCode) -> None:
        self.code = code
        self.catalogue = gettext.translation("jadoube", LOCALE, [code])
        self.catalogue.add_fallback(gettext.translation("jadoube", LOCALE, ["en"]))
        self._letters = str.maketrans({letter: self.text("letter", letter) for letter in "KQRBN"})

    def text(self, context: str, key: str, **fields: str) -> str:
        """The message of that context and id, its placeholders filled; the id itself where there is no such message."""
        message = self.catalogue.pgettext(context, key)
        return message.format_map(fields) if fields else message

    def ids(self, context: str) -> list[str]:
        """The ids of all messages of that context."""
        begins = f"{context}\x04"  # so gettext keeps them, and has no function that lists them
        known: dict[str, str] = self.catalogue._catalog  # type: ignore[attr-defined]
        return [key.removeprefix(begins) for key in known if key.startswith(begins)]

    def sides(self, side: Side) -> dict[str, str]:
        """A player and his opponent in the forms that sentences need: ``{of_side}`` owns, ``{Side}`` and ``{Of_side}``
        begin one."""
        forms = {}
        for name, who in (("side", side), ("opponent", other(side))):
            forms[name] = self.text("side", who)
            forms[f"of_{name}"] = self.text("side of", who)
            forms[f"to_{name}"] = self.text("side to", who)
        return forms | {form.capitalize(): word[0].upper() + word[1:] for form, word in forms.items()}

    def piece(self, symbol: str) -> str:
        """A piece with its article, and its colour: ``n`` is the black knight."""
        return self.text("piece", symbol)

    def piece_on(self, symbol: str | None, square: str) -> str:
        """What stands on that square; None: nothing does."""
        return self.text("piece", "on a square", piece=self.text("piece", symbol or "nothing"), square=square)

    # -- moves -----------------------------------------------------------------------------------------------

    def san(self, san: str) -> str:
        """A move in the letters of the language: ``Nf3``, « Cf3 »."""
        return san.translate(self._letters)

    def move(self, uci: str, board: chess.Board | None) -> str:
        """A move given as UCI, played on ``board``; by its squares where it is not legal there, or that is unknown."""
        if board is not None:
            try:
                return self.san(board.san(board.parse_uci(uci)))
            except ValueError:
                pass  # an illegal move, or a drop: the board knows no stock
        if "@" in uci:
            return self.san(uci)
        promotion = f"={self.san(uci[4:].upper())}" if uci[4:] else ""
        return f"{uci[:2]}-{uci[2:4]}{promotion}"

    def known(self, move: Move | None, uci: str) -> str:
        """A move as it was reported; by its squares where it was not."""
        return self.move(uci, None) if move is None else self.san(move.san)

    def moves(self, ucis: Sequence[str], board: chess.Board | None) -> str:
        """Moves to choose from; of more than :data:`MOVES_SAID` the first of them and the number of the others."""
        if len(ucis) <= MOVES_SAID + 1:
            return self.either([self.move(uci, board) for uci in ucis])
        said = ", ".join(self.move(uci, board) for uci in ucis[:MOVES_SAID])
        return self.text("list", "or others", items=said, number=str(len(ucis) - MOVES_SAID))

    # -- lists -----------------------------------------------------------------------------------------------

    def either(self, items: Iterable[str]) -> str:
        """``a, b or c``."""
        return self._join(list(items), "or")

    def both(self, items: Iterable[str]) -> str:
        """``a, b and c``."""
        return self._join(list(items), "and")

    def _join(self, items: list[str], word: str) -> str:
        if len(items) < 2:
            return "".join(items)
        return self.text("list", word, items=", ".join(items[:-1]), last=items[-1])

    # -- times and clauses -----------------------------------------------------------------------------------

    def at(self, ms: int) -> str:
        """When, since the session began: ``12.3 s``, ``4:05.0``, ``1:02:03.0``."""
        tenths = ms // 100
        minutes, point = tenths // 600, self.text("number", "point")
        if not minutes:
            return f"{tenths // 10}{point}{tenths % 10} s"
        hours = f"{minutes // 60}:{minutes % 60:02}" if minutes >= 60 else str(minutes)
        return f"{hours}:{tenths // 10 % 60:02}{point}{tenths % 10}"

    def clock(self, ms: int) -> str:
        """What a clock shows: ``1:29:58``, and ``0:00:09.8`` in the last ten seconds."""
        left = max(ms, 0)
        shown = f"{left // 3_600_000}:{left // 60_000 % 60:02}:{left // 1000 % 60:02}"
        return shown if left >= 10_000 else f"{shown}{self.text('number', 'point')}{left // 100 % 10}"

    def span(self, ms: int) -> str:
        """A length of time: ``2 min``, ``1 min 30 s``, ``0.12 s``."""
        minutes, rest = divmod(ms, 60_000)
        seconds = f"{rest / 1000:g} s".replace(".", self.text("number", "point"))
        if not minutes:
            return seconds
        return f"{minutes} min {seconds}" if rest else f"{minutes} min"

    def times(self, number: float) -> str:
        """How many times: ``2.5``, ``12``."""
        said = f"{number:.0f}" if number >= 9.95 else f"{number:.1f}".removesuffix(".0")
        return said.replace(".", self.text("number", "point"))

    def clause(self, number: str) -> str:
        """A clause with what it is part of: ``Article 4.3.1``, ``Appendix A.4.2``, ``Guideline III.5``."""
        part = "article" if number[:1].isdigit() else "guideline" if number.startswith("III") else "appendix"
        return self.text("clause", part, number=number)


@cache
def language(code: LanguageCode) -> Language:
    """The language of that code, read once."""
    return Language(code)


def preferred(accepted: str) -> LanguageCode:
    """The first of our languages in the header ``Accept-Language``; else English."""
    named = [part.partition(";")[0].partition("-")[0].strip().lower() for part in accepted.split(",")]
    return next((code for name in named for code in LANGUAGES if code == name), "en")
