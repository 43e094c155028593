"""A round from whatever text the organiser has, and back as our own CSV."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

from controller.errors import ConfigError
from controller.pairing import COLOURS, OF_THE_ROUND, rows_of
from controller.tournament.lists import is_list, rows_of_list
from controller.tournament.scores import NOBODY, bye, score
from controller.tournament.trf import TITLES, Trf
from controller.tournament.values import Pairing, Player, Round, folded, in_order, number_of, order

PLAYER = {  # the tag of each field, after the colour
    "name": "",
    "number": "Number",
    "title": "Title",
    "fide_id": "FideId",
    "elo": "Elo",
    "team": "Team",
    "federation": "Federation",
}
COLUMNS = (
    *("Round", "Board", "Result"),
    *(f"{colour}{tag}" for colour in COLOURS for tag in PLAYER.values()),
    *("Event", "Site", "Date"),
)

SEE = "see docs/tournament.md"
_TRF = re.compile(r"(?:^|[\r\n])001 ")


def is_trf(text: str) -> bool:
    """Whether it has a line of a player of TRF."""
    return _TRF.search(text) is not None


def read_round(text: str, source: str, number: int, pairs: Sequence[tuple[int, int]] | None = None) -> Round:
    """The round of that number in ``text``, which came from ``source``: TRF16, a list of Swiss-Manager, CSV or PGN.

    ``pairs``: as of :meth:`.trf.Trf.round`. A text that names no round is taken to be of this one. Raises
    :exc:`ConfigError` where it makes no sense, or has no such round.
    """
    if is_trf(text):
        return Trf(text, source).round(number, pairs)
    if pairs is not None:
        raise ConfigError(f"{source}: pairs of start numbers, and no players with these", "no TRF", "give the TRF, too")
    rows = _rows(text, source)
    ours = [row for row in rows if number_of(row.get("Round", str(number))) == number]
    if not ours:
        there = sorted({row["Round"] for row in rows if "Round" in row}, key=order)
        raise ConfigError(
            f"{source}: round {number} is not paired in it; the rounds that are: {', '.join(there) or 'none'}",
            "the file of another round, an empty one, or a slip of the pen",
            f"give the number of the round, and its file: {SEE}",
        )
    return Round(
        number=number,
        pairings=in_order(_pairing(row, source) for row in ours),
        event=_of_all(ours, "Event"),
        site=_of_all(ours, "Site"),
        date=_of_all(ours, "Date"),
    )


def rounds_in(text: str, source: str) -> list[int]:
    """The numbers of the rounds that ``text`` names. Raises :exc:`ConfigError` as :func:`read_round` does."""
    if is_trf(text):
        return Trf(text, source).rounds()
    numbers = {number_of(row.get("Round", "")) for row in _rows(text, source)}
    return sorted(number for number in numbers if number is not None)


def as_csv(given: Round) -> str:
    """The round as :func:`read_round` and :mod:`controller.pairing` read it."""
    out = io.StringIO()
    rows = csv.DictWriter(out, COLUMNS, delimiter=";", lineterminator="\n")
    rows.writeheader()
    rows.writerows(_row(given, pairing) for pairing in given.pairings)
    return out.getvalue()


def tags_of_pairing(given: Round, pairing: Pairing) -> dict[str, str]:
    """The PGN tags of a game, those not known left out."""
    return {tag: value for tag, value in _row(given, pairing).items() if value and tag not in OF_THE_ROUND}


def _row(given: Round, pairing: Pairing) -> dict[str, str]:
    row = {"Round": str(given.number), "Board": pairing.table, "Result": pairing.result or pairing.bye or ""}
    for colour, player in zip(COLOURS, pairing.players.values(), strict=False):
        row |= {f"{colour}{tag}": getattr(player, field) for field, tag in PLAYER.items()}
    return row | {"Event": given.event, "Site": given.site, "Date": given.date}


def _rows(text: str, source: str) -> list[dict[str, str]]:
    return rows_of_list(text, source) if is_list(text) else rows_of(text, source)


def _pairing(row: Mapping[str, str], source: str) -> Pairing:
    white, black = (_player(row, colour) for colour in COLOURS)
    result = row.get("Result", "")
    if white is not None and black is not None:
        return Pairing(white=white, black=black, table=row["Board"], result=score(result, source))
    alone = white or black
    if alone is None:
        raise ConfigError(f"{source}: a pairing of nobody: {dict(row)}", "a row that was left half empty", SEE)
    return Pairing(white=alone, bye=bye(result, source))


def _player(row: Mapping[str, str], colour: str) -> Player | None:
    """The player of that colour; None where there is nobody."""
    said = {field: row.get(f"{colour}{tag}", "") for field, tag in PLAYER.items()}
    if not said["name"] or folded(said["name"]) in NOBODY:
        return None
    said["title"] = TITLES.get(said["title"].lower(), said["title"])
    for field in ("number", "elo", "fide_id"):
        if (number := number_of(said[field])) is not None:
            said[field] = str(number or "")  # 0 is how programs write that there is none
    return Player(**said)


def _of_all(rows: Iterable[Mapping[str, str]], tag: str) -> str:
    """What the first row that says it has."""
    return next((row[tag] for row in rows if row.get(tag)), "")
