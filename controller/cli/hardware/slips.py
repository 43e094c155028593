"""Slips of the soldering iron, to try ``jadoube test`` without hardware: ``--simulate dead-row:3``."""

import re
from collections.abc import Sequence

import chess
from msgspec import structs

from controller.errors import ConfigError
from hardware.simulator.miswired import Slips

KINDS = {
    "dead-row": "1 to 8",
    "dead-column": "a to h",
    "exchanged-rows": "1,2",
    "exchanged-columns": "a,b",
    "joined-rows": "1,2",
    "joined-columns": "a,b",
    "crossed": "e4,d5",
    "no-diode": "e4",
    "dead": "e4",
    "stuck": "e4",
}


def parse(texts: Sequence[str]) -> Slips:
    """The slips that ``texts`` name, all made on one board. Raises :exc:`ConfigError` for a text that names none."""
    slips = Slips()
    for text in texts:
        kind, _, where = text.partition(":")
        try:
            slips = _with(slips, kind, where.split(","))
        except (ValueError, KeyError) as error:
            known = ", ".join(f"{name}:{where}" for name, where in KINDS.items())
            raise ConfigError(f"no such slip: {text!r}", "a slip of another kind", f"known are {known}") from error
    return slips


def _with(slips: Slips, kind: str, where: Sequence[str]) -> Slips:
    match kind, where:
        case ("dead-row", [row]):
            return structs.replace(slips, dead_rows=slips.dead_rows | {_line(row)})
        case ("dead-column", [column]):
            return structs.replace(slips, dead_columns=slips.dead_columns | {_line(column)})
        case ("exchanged-rows", [one, other]):
            return structs.replace(slips, rows=_exchanged(slips.rows, _line(one), _line(other)))
        case ("exchanged-columns", [one, other]):
            return structs.replace(slips, columns=_exchanged(slips.columns, _line(one), _line(other)))
        case ("joined-rows", _) if len(where) > 1:
            return structs.replace(slips, joined_rows=(*slips.joined_rows, frozenset(map(_line, where))))
        case ("joined-columns", _) if len(where) > 1:
            return structs.replace(slips, joined_columns=(*slips.joined_columns, frozenset(map(_line, where))))
        case ("crossed", [one, other]):
            a, b = chess.parse_square(one), chess.parse_square(other)
            return structs.replace(slips, crossed={**slips.crossed, a: b, b: a})
        case ("no-diode" | "dead" | "stuck", [square]):
            field, bit = kind.replace("-", "_"), chess.BB_SQUARES[chess.parse_square(square)]
            return structs.replace(slips, **{field: getattr(slips, field) | bit})
    raise KeyError(kind)


def _line(text: str) -> int:
    if not re.fullmatch("[a-h1-8]", text):
        raise ValueError(f"no such line: {text}")
    return "abcdefgh".index(text) if text.isalpha() else int(text) - 1


def _exchanged(order: Sequence[int], one: int, other: int) -> tuple[int, ...]:
    swap = {one: other, other: one}
    return tuple(order[swap.get(i, i)] for i in range(8))
