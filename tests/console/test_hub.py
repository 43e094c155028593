"""The state behind a page: whoever reads it, however late, slow or often cut off, ends up with all of it."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.console import hub as module
from controller.console.hub import Hub, PageReader

BOARDS, PARTS = ("1", "2", "10"), ("board", "clock", "moves")
step = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(BOARDS), st.sampled_from(PARTS), st.integers(0, 3)),
    st.tuples(st.just("read"), st.integers(0, 2)),
    st.tuples(st.just("cut"), st.integers(0, 2)),
)


class Reader:
    """A page: what it shows, and the id of the last event it had."""

    def __init__(self, hub: Hub) -> None:
        self.boards: dict[str, dict[str, Any]] = {}
        self.last: str | None = None
        self.heard: list[dict[str, Any]] = []
        self._hub = hub
        self._events: AsyncIterator[bytes] | None = None

    async def read(self) -> None:
        """The next event, which has to be there."""
        if self._events is None:
            self._events = self._hub.events(self.last)
        name, _, data = (await asyncio.wait_for(anext(self._events), 1)).strip().partition(b"\ndata: ")
        self.last = name.removeprefix(b"id: ").decode()
        said = json.loads(data)
        self.heard.append(said)
        if said.get("all"):
            self.boards = {}
        for number, parts in said["boards"].items():
            self.boards.setdefault(number, {}).update(parts)

    async def cut(self) -> None:
        if self._events is not None:
            await self._events.aclose()  # type: ignore[attr-defined]
            self._events = None


@given(st.lists(step, max_size=60))
@settings(deadline=None)
def test_every_reader_ends_with_the_state(steps: list[tuple[Any, ...]]) -> None:
    async def scene() -> None:
        hub, state = Hub(), dict[str, dict[str, int]]()
        readers = [Reader(hub) for _ in range(3)]
        behind = [True] * 3  # there is something that the reader has not been told
        for kind, *what in steps:
            if kind == "put":
                board, part, value = what
                behind = [True] * 3 if state.get(board, {}).get(part) != value else behind
                state.setdefault(board, {})[part] = value
                hub.put(board, part, value)
            elif kind == "cut":
                await readers[what[0]].cut()
                behind[what[0]] = True  # who comes again is told where he stands
            elif behind[what[0]]:
                await readers[what[0]].read()
                behind[what[0]] = False
        for reader, late in zip(readers, behind, strict=True):
            if late:
                await reader.read()
            assert reader.boards == state
            await reader.cut()

    asyncio.run(scene())


def test_who_comes_back_is_told_only_what_he_missed() -> None:
    async def scene() -> None:
        hub = Hub()
        hub.put("1", "board", "start")
        hub.put("2", "board", "start")
        reader = Reader(hub)
        await reader.read()
        await reader.cut()
        hub.put("2", "board", "e4")
        await reader.read()
        assert reader.heard[-1]["boards"] == {"2": {"board": "e4"}}
        assert "all" not in reader.heard[-1]
        await reader.cut()
        await reader.read()
        assert reader.heard[-1]["boards"] == {}, "nothing is missing, and that is said at once"

    asyncio.run(scene())


@pytest.mark.parametrize("last", ["", "-", "0-5", "zz-zz", "other-1", "%s-99999", "%s-²", "%s-"])
def test_an_id_that_means_nothing_any_more_gets_everything(last: str) -> None:
    async def scene() -> None:
        hub, reader = Hub(), None
        hub.put("1", "board", "start")
        first = Reader(hub)
        await first.read()
        assert first.last is not None
        reader = Reader(hub)
        reader.last = last.replace("%s", first.last.partition("-")[0])
        await reader.read()
        assert reader.heard[0]["all"]
        assert reader.boards == {"1": {"board": "start"}}

    asyncio.run(scene())


def test_what_has_not_changed_is_not_said_again() -> None:
    async def scene() -> None:
        hub = Hub()
        hub.put("1", "clock", {"white": 1})
        number = hub.number
        hub.put("1", "clock", {"white": 1})
        assert hub.number == number

    asyncio.run(scene())


def test_silence_is_broken_so_that_a_dead_line_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HEARTBEAT_S", 0.02)

    async def scene() -> None:
        reader = Reader(Hub())
        for _ in range(3):
            await reader.read()
        assert [said["boards"] for said in reader.heard] == [{}, {}, {}]

    asyncio.run(scene())


def test_a_crowd_is_woken_a_group_at_a_time_and_nobody_is_forgotten() -> None:
    """Between two groups other work has its turn; changes while they are being woken reach all."""

    async def scene() -> None:
        hub, turns = Hub(), 0
        crowd = [Reader(hub) for _ in range(100)]
        for reader in crowd:
            await reader.read()

        async def other_work() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async def last_move(reader: Reader) -> None:
            while reader.boards.get("1", {}).get("moves") != 20:
                await reader.read()

        working = asyncio.create_task(other_work())
        reading = [asyncio.create_task(last_move(reader)) for reader in crowd]
        await asyncio.sleep(0)
        for move in range(1, 21):
            hub.put("1", "moves", move)
            await asyncio.sleep(0)
        await asyncio.wait_for(asyncio.gather(*reading), 5)
        working.cancel()
        assert turns >= len(crowd) // module.GROUP

    asyncio.run(scene())


def test_a_closed_hub_lets_everybody_go() -> None:
    async def scene() -> None:
        hub = Hub()
        events = hub.events(None)
        await anext(events)
        waiting = asyncio.create_task(anext(events, None))
        await asyncio.sleep(0)
        hub.close()
        assert await asyncio.wait_for(waiting, 1) is None
        assert hub.readers == 0

    asyncio.run(scene())


def test_a_reader_who_is_ended_hears_no_more_and_the_others_do() -> None:
    async def scene() -> None:
        hub, ended, other = Hub(), PageReader(), PageReader()
        events = [hub.events(None, ended), hub.events(None, other)]
        for each in events:
            await anext(each)
        waiting = [asyncio.create_task(anext(each, b"")) for each in events]
        await asyncio.sleep(0)
        ended.end()
        assert await asyncio.wait_for(waiting[0], 1) == b""
        assert hub.readers == 1
        hub.put("1", "board", 1)
        assert b'"board":1' in await asyncio.wait_for(waiting[1], 1)
        other.good = lambda: False  # by somebody else, who does not say so: noticed at the next event
        hub.put("1", "board", 2)
        assert await asyncio.wait_for(anext(events[1], b""), 1) == b""

    asyncio.run(scene())


def test_parts_come_in_the_order_in_which_they_were_first_shown() -> None:
    """A page draws a board with its head before the moves, whichever of them changed last."""
    hub = Hub()
    for part in ("head", "board", "moves"):
        hub.put("7", part, 1)
    hub.put("8", "head", 1)
    hub.put("7", "head", 2)
    assert hub.since(0) == b'"boards":{"7":{"head":2,"board":1,"moves":1},"8":{"head":1}}'
    assert hub.since(4) == b'"boards":{"7":{"head":2}}'


def test_a_board_that_is_dropped_takes_no_part_of_another_with_it() -> None:
    hub = Hub()
    for board in ("7", "8"):
        hub.put(board, "line 0", board)
        hub.put(board, "line 20", board)
    hub.keep("7", "line ", ("line 0",))
    hub.drop(["8"])
    assert hub.since(0) == b'"boards":{"7":{"line 0":"7"}}'
