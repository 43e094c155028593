"""A game that is archived reads like the journal it is from: inputs that nobody archived have their place in it."""

import asyncio
import time
from typing import Any

import pytest
from filled import Board
from msgspec import to_builtins

from controller.archive.tail import UNKNOWN, ArchivedDocket, ArchivedEvent, Tail
from controller.wire import encode

AT = 1_700_000_000.0


def rows(board: Board, count: int) -> list[ArchivedEvent]:
    return [
        ArchivedEvent(each.seq, each.game, each.body["type"], each.body.get("ms"), encode(each.body), AT + each.seq)
        for each in board.next(count)
    ]


def kinds(tail: Tail) -> list[tuple[int, str]]:
    return [(record.seq, record.kind) for record in tail.after(0, 100)]


@pytest.fixture
def emptied() -> None:
    """No engine is needed here."""


def test_an_input_stands_before_what_came_of_it() -> None:
    tail, given = Tail("x"), rows(Board("7"), 6)
    for row in given:
        tail.extend([row])
    told = kinds(tail)
    assert told[0] == (1, "game")
    numbers = [seq for seq, _ in told]
    assert numbers == sorted(set(numbers))
    for (seq, kind), (before, kind_before) in zip(told[1:], told, strict=False):
        if kind == "event":
            assert before == seq - 1, "an event without what it came of"
            assert kind_before in ("input", "event")


def test_read_anew_or_bit_by_bit_it_is_the_same() -> None:
    at_once, bit_by_bit, given = Tail("x"), Tail("x"), rows(Board("7"), 40)
    at_once.reload(given, {})
    for row in given:
        bit_by_bit.extend([row])
    assert at_once.after(0, 1000) == bit_by_bit.after(0, 1000)


def test_what_was_said_has_its_place_and_what_awaits_a_ruling_its_input() -> None:
    board = Board("7")
    given = rows(board, 6)
    silent = given[-1].seq + 1  # a ruling that led to nothing
    first = next(seq for seq, kind in kinds(_read(given)) if kind == "input")
    ruling: dict[str, Any] = {"type": "arbiter", "do": "dismiss", "answers": "1", "by": "Ana", "ms": 9}
    docket = ArchivedDocket(given[0].game, given[-1].seq, [(first, [(first, ["1"])]), (silent, [])], [(silent, ruling)])
    tail = Tail("x")
    tail.reload(given, {"7": docket})
    records = tail.after(0, 100)
    assert records[-1].seq == silent
    assert records[-1].body == encode(ruling)
    inputs = [record.seq for record in records if record.kind == "input"]
    assert tail.awaiting(given[0].game, None) == [(1, [(1, ["1"])]), (len(inputs), [])]
    assert all(record.body == UNKNOWN for record in records if record.kind == "input" and record.seq != silent)
    assert tail.said_in("7", silent) == ruling
    assert tail.said_in("7", first) is None


def test_a_docket_that_is_ahead_of_the_events_waits_for_them() -> None:
    board = Board("7")
    given = rows(board, 6)
    ahead = ArchivedDocket(given[0].game, given[-1].seq, [], [(given[-1].seq + 1, {"type": "pause", "ms": 1})])
    assert not _read(given[:-1]).follows([ahead])
    assert _read(given).follows([ahead])


def test_the_time_of_day_is_that_of_what_came_soonest() -> None:
    tail = Tail("x")
    opening = Board("7").opening()
    tail.extend(
        [
            ArchivedEvent(1, "g", "game", None, encode(to_builtins(opening.body)), AT),
            ArchivedEvent(3, "g", "clock", 1000, b'{"type":"clock"}', AT + 1.5),  # half a second late
            ArchivedEvent(5, "g", "clock", 2000, b'{"type":"clock"}', AT + 2.1),
            ArchivedEvent(7, "g", "clock", 3000, b'{"type":"clock"}', AT + 90),  # after a break of the network
        ]
    )
    ago_s = (time.monotonic_ns() - tail.ns_of(3000)) / 1e9
    assert abs(time.time() - ago_s - (AT + 3.1)) < 0.5


def test_what_was_before_an_outage_keeps_its_time_of_day() -> None:
    """The game's own time stood still for 45 s."""
    tail = Tail("x")
    opening = Board("7").opening()
    tail.extend(
        [
            ArchivedEvent(1, "g", "game", None, encode(to_builtins(opening.body)), AT),
            ArchivedEvent(3, "g", "clock", 1000, b'{"type":"clock"}', AT + 1),
            ArchivedEvent(5, "g", "outage", 2000, b'{"type":"outage"}', AT + 47),
            ArchivedEvent(7, "g", "clock", 3000, b'{"type":"clock"}', AT + 48),
        ]
    )
    for ms, at in ((500, AT + 0.5), (1000, AT + 1), (1999, AT + 1.999), (2000, AT + 47), (3000, AT + 48)):
        ago_s = (time.monotonic_ns() - tail.ns_of(ms)) / 1e9
        assert abs(time.time() - ago_s - at) < 0.5


def test_who_waits_is_told() -> None:
    async def scene() -> None:
        tail, given = Tail("x"), rows(Board("7"), 6)
        waiting = asyncio.create_task(tail.wait(0))
        await asyncio.sleep(0)
        tail.extend(given)
        await asyncio.wait_for(waiting, 30)

    asyncio.run(scene())


def test_what_everybody_has_taken_is_let_go() -> None:
    tail, given = _read(rows(Board("7"), 20)), 20
    tail.forget(AT + 1_000, of_last=False)
    assert len([record for record in tail.after(0, 1000) if record.kind != "input"]) == given
    tail.forget(AT + 1_000, of_last=True)
    assert len(tail.after(0, 1000)) == 1


def _read(given: list[ArchivedEvent]) -> Tail:
    tail = Tail("x")
    tail.reload(given, {})
    return tail
