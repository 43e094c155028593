"""Score sheets to print: a file of HTML, a page or more for each game, the moves in columns as on paper sheets, with
clocks where they are known, and lines for the signatures below. Nothing else is loaded by it.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from msgspec import Struct

from controller.contract import BLACK, WHITE, Side
from controller.errors import LogError
from controller.outlets.pgn import tags_of
from controller.outlets.scoresheet import Entry, Scoresheet
from controller.pairing import COLOURS
from controller.words import LanguageCode
from controller.words.clocks import time_control_of
from controller.words.language import Language, language

COLUMN = 30  #: moves of both players, one under the other
PAGE = 2 * COLUMN
HEAD = ("Event", "Site", "Date", "Round", "Board", "TimeControl")
OF_A_PLAYER = ("Title", "Elo", "Federation", "Team", "FideId")

_STYLE = """
@page { size: A4; margin: 12mm }
body { font: 10pt/1.25 serif; margin: 0 auto; max-width: 186mm; color: #000; background: #fff }
section { break-after: page; padding-bottom: 8mm }
section:last-child { break-after: auto }
header p { margin: 0 0 1mm } .players { display: flex; gap: 8mm; margin: 2mm 0 }
.players p { flex: 1; margin: 0; border-bottom: 1px solid #000 }
.moves { display: flex; gap: 6mm } table { flex: 1; border-collapse: collapse; table-layout: fixed; width: 50% }
th, td { border: 1px solid #888; height: 5.6mm; padding: 0 1mm; text-align: left; font-weight: normal }
td:first-child, th:first-child { width: 7mm; text-align: right } td small { float: right }
footer { display: flex; gap: 8mm; margin-top: 10mm } footer p { flex: 1; border-top: 1px solid #000; margin: 0 }
"""


class SheetLine(Struct):
    """A line of a sheet: a move of each player, where they made one."""

    number: str
    made: dict[Side, Entry]


def paper(sheets: Iterable[Scoresheet], code: LanguageCode) -> str:
    """The sheets of these games, one after the other; where there are none, that it is so."""
    to = language(code)
    pages = (
        "".join(page for sheet in sheets for page in _pages(sheet, to))
        or f"<p>{escape(to.text('paper', 'none'))}</p>\n"
    )
    title = escape(to.text("paper", "title"))
    return (
        f'<!DOCTYPE html>\n<html lang="{code}"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>\n{pages}</body></html>\n"
    )


def rows(entries: Iterable[Entry]) -> list[SheetLine]:
    """The moves, numbered as in the score; a line begins with White's move, or with Black's where that is the first."""
    found: list[SheetLine] = []
    for entry in entries:
        side = entry.move.side
        if side == WHITE or not found or BLACK in found[-1].made:
            found.append(SheetLine(entry.before.split()[5], {}))
        found[-1].made[side] = entry
    return found


def _pages(sheet: Scoresheet, to: Language) -> Iterator[str]:
    tags, all_ = tags_of(sheet), rows(sheet.entries)
    for begin in range(0, max(len(all_), 1), PAGE):
        columns = (all_[begin : begin + COLUMN], all_[begin + COLUMN : begin + PAGE])
        moves = "".join(_column(column, to) for column in columns)
        yield f'<section>{_head(tags, to)}<div class="moves">{moves}</div>{_foot(tags, to)}</section>\n'


def _head(tags: Mapping[str, str], to: Language) -> str:
    known = [(tag, _said(tag, tags[tag], to)) for tag in HEAD if tags.get(tag, "?") != "?"]
    said = " · ".join(f"{escape(to.text('paper', tag))} {escape(value)}" for tag, value in known)
    players = "".join(f"<p>{escape(to.text('paper', colour))} {_player(tags, colour)}</p>" for colour in COLOURS)
    return f'<header><p>{said}</p><div class="players">{players}</div></header>'


def _said(tag: str, value: str, to: Language) -> str:
    """A tag as people read it who sign: a time control is in seconds in PGN, and nobody reads these."""
    if tag != "TimeControl":
        return value
    try:
        return time_control_of(value, to)
    except LogError:  # of the pairings or by hand: it may be written in any way
        return value


def _player(tags: Mapping[str, str], colour: str) -> str:
    more = [tags[colour + what] for what in OF_A_PLAYER[1:] if tags.get(colour + what)]
    name = f"{tags.get(f'{colour}Title', '')} {tags[colour]}".strip()
    return f"<b>{escape(name)}</b> {escape(', '.join(more))}".strip()


def _column(column: list[SheetLine], to: Language) -> str:
    """So many lines, empty where the game has no more: a sheet can be written on."""
    head = "".join(f"<th>{escape(text)}</th>" for text in ("", *(to.text("paper", colour) for colour in COLOURS)))
    empty = [SheetLine("", {})] * (COLUMN - len(column))
    lines = "".join(
        f"<tr><td>{row.number}</td>{_move(row.made.get(WHITE), to)}{_move(row.made.get(BLACK), to)}</tr>"
        for row in (*column, *empty)
    )
    return f"<table><tr>{head}</tr>{lines}</table>"


def _move(entry: Entry | None, to: Language) -> str:
    if entry is None:
        return "<td></td>"
    left = "" if entry.left_ms is None else f"<small>{to.clock(entry.left_ms)}</small>"
    return f"<td>{escape(to.san(entry.move.san))}{left}</td>"


def _foot(tags: Mapping[str, str], to: Language) -> str:
    result = tags.get("Points", tags["Result"]).replace("*", "")
    signs = "".join(f"<p>{escape(to.text('paper', f'signature {who}'))}</p>" for who in ("White", "Black", "arbiter"))
    return f"<p>{escape(to.text('paper', 'Result'))} <b>{escape(result)}</b></p><footer>{signs}</footer>"
