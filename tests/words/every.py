"""Every event that the contract allows, as far as its kinds go: any three of its literals and flags meet in one."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import chess

from controller import contract as c

EVENTS: tuple[type[c.Event], ...] = get_args(c.AnyEvent)

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"

#: What stands in the fields that are free; a new field without an entry fails every test here.
FREE: dict[str, tuple[Any, ...]] = {
    "id": ("3",),
    "ms": (61_500,),
    "board": (None,),
    "square": ("e2",),
    "piece": tuple("PNBRQKpnbrqk"),
    "squares": (["e2"], ["e2", "e4"]),
    "moves": (["e2e4"], ["e2e4", "g1f3", "e1g1", "e7e8n", "N@e6"], [m.uci() for m in chess.Board().legal_moves]),
    "article": ("4.3a", "7.5.5", "A.4.2", "III.5"),
    "uci": ("e2e4",),
    "san": ("Nf3", "O-O", "exd8=Q+"),
    "fen": (AFTER_E4,),
    "ply": (1,),
    "after_ply": (0, 8),
    "white": ("PPN", ""),
    "black": ("Q",),
    "white_ms": (5_400_000, 9_800),
    "black_ms": (5_400_000,),
    "default_time_ms": (3_600_000, 0),
    "white_moves": (12,),
    "white_reckoned_ms": (72_000,),
    "black_reckoned_ms": (50_000,),
    "black_moves": (11,),
    "time_ms": (120_000, 90_000),
    "away_ms": (95_400,),
    "count": (1, 2, 4),
    "since_ms": (15_000,),
    "touched_ms": ([12_300],),
    "owed": (["g1f3", "g1h3"],),
    "line": ([], ["e2e4", "e7e5", "d1h5"]),
    "plies": ([], [0, 4, 7]),
    "quiet_plies": (99,),
    "confidence": (0.98, 0.4),
    "others": (
        [],
        [c.Other(uci="e2e3", less_likely=12.0), c.Other(less_likely=0.5), c.Other(uci="d2d4", less_likely=1.0)],
    ),
    "text": ("both players said so",),
    "witnesses": (["Ana", "Bo"],),
    "of": get_args(get_type_hints(c.Claim)["of"]),
}

#: What a person may have written in his own words, where the field of another event is a literal.
FREE_WORDS: dict[str, tuple[str, ...]] = {"reason": ("two minutes for a false claim",)}


SEED = 1851


@cache
def every(kind: type[c.Event]) -> tuple[Any, ...]:
    """Events of this kind, so many that any values of three fields are found together in one of them.

    All combinations would be 90,000, of which a sentence that is wrong has seldom more than two to thank.
    """
    hints = get_type_hints(kind)
    names = kind.__struct_fields__
    values = [_values(name, hints[name]) for name in names]
    return tuple(_event(kind, dict(zip(names, chosen, strict=True))) for chosen in _threes(values))


def _threes(values: list[tuple[Any, ...]]) -> Iterator[list[Any]]:
    """Combinations of which each shows three values together that no earlier one has shown."""
    rest = list(product(*(range(len(of)) for of in values)))
    random.Random(SEED).shuffle(rest)
    open_fields = [place for place, of in enumerate(values) if len(of) > 1]
    groups = list(combinations(open_fields, min(3, len(open_fields))))
    shown: set[tuple[int, ...]] = set()
    for chosen in rest:
        new = {group + tuple(chosen[place] for place in group) for group in groups} - shown
        if new:
            shown |= new
            yield [of[number] for of, number in zip(values, chosen, strict=True)]


def _event(kind: type[c.Event], fields: dict[str, Any]) -> c.Event:
    if isinstance(fields.get("moves"), list) and fields.get("must") == "none":
        fields["moves"] = []
    return kind(**fields)


def _values(name: str, hint: Any) -> tuple[Any, ...]:
    if name in FREE:
        return FREE[name] + ((None,) if NoneType in get_args(hint) and name != "board" else ())
    if hint is bool:
        return (True, False)
    if hint is str:
        return FREE_WORDS[name]
    if get_origin(hint) is Literal:
        return get_args(hint)
    assert get_args(hint), f"what stands in the field {name}?"
    return tuple(value for part in get_args(hint) for value in ((None,) if part is NoneType else _values(name, part)))
