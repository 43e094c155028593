"""Pairings as Swiss-Manager lists them, and pairs of start numbers, as pairing engines write them.

Both are read after what is public of them, and were never tried with the programs themselves. A list of Swiss-Manager,
on chess-results.com and in its tables, has a line of headings, such as
``Bo.  No.  (title)  White  Rtg  Pts.  Result  Pts.  (title)  Black  Rtg  No.``; what stands before the result is
White's, what follows it Black's.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence

from controller.errors import ConfigError
from controller.pairing import checked
from controller.tournament.values import number_of

BOARD = ("bo.", "br.", "bd.", "m.")
RESULT = ("result", "res.", "ergebnis", "erg.", "resultado", "résultat", "ergebn.")
NAMES = ("name", "white", "black", "weiß", "schwarz", "nombre", "blancas", "negras", "nom", "blancs", "noirs")
OF_A_PLAYER = {  # the tag, by the heading
    "no.": "Number",
    "nr.": "Number",
    "sno": "Number",
    "sno.": "Number",
    "rtg": "Elo",
    "rtgi": "Elo",
    "elo": "Elo",
    "fed": "Federation",
    "fed.": "Federation",
    "land": "Federation",
    "fideid": "FideId",
    "fide-id": "FideId",
    "id": "FideId",
    "team": "Team",
    "club/city": "Team",
    "club": "Team",
    "verein/ort": "Team",
}
KNOWN = (*BOARD, *NAMES, *OF_A_PLAYER, *RESULT)
TITLE = re.compile(r"W?[GIFCN]M", re.IGNORECASE)
ROUND = re.compile(r"\b(?:round|runde|ronda|ronde|rd\.?)\s+(\d{1,3})\b", re.IGNORECASE)


def is_list(text: str) -> bool:
    """Whether a line has the headings of such a list."""
    return any(_is_head(row) for row in _rows(text))


def rows_of_list(text: str, source: str) -> list[dict[str, str]]:
    """Each pairing as :func:`controller.pairing.rows_of` has them, with the round if the list names it.

    Raises :exc:`ConfigError` naming the headings that were found where a needed one is missing.
    """
    rows = list(_rows(text))
    start = next(at for at, row in enumerate(rows) if _is_head(row))
    round_ = next((found[1] for row in rows[:start] if (found := ROUND.search(" ".join(row)))), "")
    columns = _columns(rows[start], source)
    pairings = []
    for row in rows[start + 1 :]:
        tags = {"Round": round_} if round_ else {}
        for tag, value in zip(columns, row, strict=False):
            if tag.endswith("Title") and not TITLE.fullmatch(value):  # the columns without heading: a flag, too
                continue
            tags |= {tag: value} if tag and value else {}
        if number_of(row[0] if row else "") is not None and "White" in tags:
            pairings.append(checked(tags, source))
    return pairings


def pairs_of(text: str, source: str) -> list[tuple[int, int]]:
    """Pairs of start numbers, as pairing engines write them: how many, then White and Black of each, 0 for a bye.

    So do JaVaFo and bbpPairings, and Vega's ``.man`` and ``.res``. Raises :exc:`ConfigError` for anything else.
    """
    rows = [row for line in text.splitlines() if (row := line.split())]
    numbers = [[number for field in row[:2] if (number := number_of(field)) is not None] for row in rows]
    pairs = [(row[0], row[1]) for row in numbers[1:] if len(row) == 2 and row != [0, 0]]
    if not rows or number_of(rows[0][0]) != len(pairs) or len(pairs) != len(rows) - 1:
        raise ConfigError(
            f"{source}: these are no pairs of start numbers",
            "another file: the first line says how many there are, each other line has White and Black, 0 for a bye",
            "give the file that the pairing engine wrote, such as Vega's .man",
        )
    return pairs


def _rows(text: str) -> Iterator[list[str]]:
    """The cells of each line, whatever stands between them."""
    delimiter = max("\t;,", key=text.count)
    try:
        for row in csv.reader(io.StringIO(text if "\n" in text else text.replace("\r", "\n")), delimiter=delimiter):
            yield [cell.strip() for cell in row]
    except csv.Error:  # no such list; who reads it as what it is says so
        return


def _is_head(row: Sequence[str]) -> bool:
    return bool(row) and row[0].lower() in BOARD


def _columns(head: Sequence[str], source: str) -> list[str]:
    """The tag of each column, empty for those that nobody needs."""
    headings = [heading.lower() for heading in head]
    result = next((at for at, heading in enumerate(headings) if heading in RESULT), None)
    names = [at for at, heading in enumerate(headings) if heading in NAMES]
    if result is None or len(names) != 2 or not names[0] < result < names[1]:
        raise ConfigError(
            f"{source}: the columns are {', '.join(head)}; there have to be a name, the result, and another name",
            "a list of another kind, such as that of teams or by name, or in another language",
            f"make the list of pairings by board; known: {', '.join(KNOWN)}",
        )
    tags = ["Board"]
    for at, heading in enumerate(headings[1:], 1):
        colour = "White" if at < result else "Black"
        if at == result:
            tags.append("Result")
        elif at in names:
            tags.append(colour)
        else:
            tag = OF_A_PLAYER.get(heading, "" if heading else "Title")
            tags.append(f"{colour}{tag}" if tag else "")
    return tags
