"""The program that compares finds what is lost, doubled, altered, invented, and nothing else."""

import json
from typing import Any

from load.compared import Key, digest, held

Row = tuple[Key, bytes, int | None]


def line(seq: int, **more: Any) -> tuple[int, int, bytes]:
    event = {"seq": seq, "game": "g", "after": seq - 1, "origin": "o", "type": "touch", "ply": 3, "square": "e2"}
    return 1_000_000, 7, json.dumps(event | more).encode()


def row(seq: int, square: str = "e2", origin: str = "o", game: str = "g") -> Row:
    return (origin, "board/7", seq), digest(game, {"square": square, "ply": 3, "type": "touch"}), 1_030_000


def counts(lines: list[tuple[int, int, bytes]], rows: list[Row]) -> list[int]:
    found = held(lines, rows)
    assert found.is_whole == (not any([*found.counts.values()][1:]))
    return [*found.counts.values()]


def test_in_whatever_order_it_is_archived_all_is_there() -> None:
    found = held([line(1), line(2)], [row(2), row(1)])
    assert found.is_whole and found.told == 2
    assert [*found.delay_us] == [30_000, 30_000] and [*found.board] == [7, 7]


def test_what_is_not_so_is_counted() -> None:
    assert counts([line(1), line(2)], [row(1)]) == [2, 1, 0, 0, 0]
    assert counts([line(1)], [row(1), row(1)]) == [1, 0, 1, 0, 0]
    assert counts([line(1)], [row(1, square="e3")]) == [1, 0, 0, 1, 0]
    assert counts([line(1)], [row(1, game="another")]) == [1, 0, 0, 1, 0]
    assert counts([line(1)], [row(1), row(2)]) == [1, 0, 0, 0, 1]
    assert counts([line(1)], [row(1, origin="another")]) == [1, 1, 0, 0, 1]


def test_that_it_was_told_twice_changes_nothing() -> None:
    assert counts([line(1, replayed=True), line(1)], [row(1)]) == [1, 0, 0, 0, 0]
