"""A journal of many boards read board by board: what follows one is what is read of all, but for the others."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.contract import Session
from controller.errors import DeviceError
from controller.journal import Journal, Opening, Record
from controller.journal import latest as latest_module
from controller.outlets.notices import Notices
from controller.wire import decode_input

BOARDS = ("1", "2", "17")
steps = st.lists(
    st.tuples(st.sampled_from(BOARDS), st.sampled_from(["game", "input", "input", "open anew"])), max_size=40
)


def opening(board: str, game: str) -> Opening:
    return Opening(game=game, venue="hall", board=board, started="2026-01-01", session=Session(version=1))


def of_board(records: Sequence[Record], games: dict[str, str], board: str) -> list[int]:
    return [record.seq for record in records if games[record.game] == board]


@settings(max_examples=60, deadline=None)
@given(steps, st.integers(0, 50), st.integers(1, 8), st.sampled_from([1, 3, 128]))
def test_what_is_read_of_a_board_is_what_stands_there_of_it(
    steps: list[tuple[str, str]], since: int, limit: int, kept: int
) -> None:
    games: dict[str, str] = {}
    current: dict[str, str] = {}
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(latest_module, "RECENT_ON", kept)
        path = Path(folder) / "journal.sqlite"
        journal = Journal(path)
        for number, (board, do) in enumerate(steps):
            if do == "open anew":
                journal.close()
                journal = Journal(path)
            elif do == "game" or board not in current:
                current[board] = f"g{number}"
                games[current[board]] = board
                journal.begin(opening(board, current[board])).result(5)
            else:
                journal.append(current[board], decode_input(f'{{"type":"time","ms":{number}}}'), []).result(5)
        everything = journal.after(0, 10_000)
        for board in BOARDS:
            told = of_board(everything, games, board)
            assert [record.seq for record in journal.after(0, 10_000, board)] == told
            later = [seq for seq in told if seq > since]
            assert [record.seq for record in journal.after(since, limit, board)] == later[:limit]
            assert journal.reached(board) == max(told, default=0)
            last = journal.last_game(board)
            assert (None if last is None else last.game) == current.get(board)
        journal.close()


def test_who_waits_for_a_board_is_woken_for_it_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = Journal(tmp_path / "journal.sqlite")
        waiting = {board: asyncio.create_task(journal.wait(0, board)) for board in BOARDS}
        anything = asyncio.create_task(journal.wait(0))
        await asyncio.sleep(0)
        woken: list[str] = []
        for board, task in waiting.items():
            task.add_done_callback(lambda _, board=board: woken.append(board))
        journal.begin(opening("2", "g")).result(5)
        await asyncio.wait_for(waiting["2"], 5)
        await asyncio.wait_for(anything, 5)
        assert woken == ["2"]
        for task in waiting.values():
            task.cancel()
        await asyncio.to_thread(journal.close)

    asyncio.run(scene())


def test_an_outlet_waits_for_its_own_board_only(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    first = journal.begin(opening("1", "g")).result(5)
    journal.move_cursor("mqtt 1", first)
    journal.begin(opening("2", "h")).result(5)
    assert journal.waiting_for("mqtt 1", "1") == 0
    assert journal.waiting_for("mqtt 2", "2") == 2
    assert journal.waiting_for("mqtt 3", "3") == 0
    journal.close()


def test_a_board_of_a_hall_tells_its_own_notices_and_those_of_all() -> None:
    def sources(notices: Notices) -> list[str]:
        return [notice.source for notice in notices.current]

    hall = Notices()
    one, other = hall.of("1"), hall.of("17")
    hall.set("journal", DeviceError("full"))
    one.set("board", DeviceError("away"))
    assert (sources(hall), sources(one), sources(other)) == (["journal", "board 1"], ["journal", "board"], ["journal"])
    other.clear("board")
    assert sources(one) == ["journal", "board"]

    async def scene() -> None:
        waiting = {name: asyncio.create_task(each.changed()) for name, each in (("1", one), ("17", other), ("", hall))}
        await asyncio.sleep(0)
        one.set("press", DeviceError("waits"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert {name for name, task in waiting.items() if task.done()} == {"1", ""}
        hall.clear("journal")
        await asyncio.wait_for(waiting["17"], 1)

    asyncio.run(scene())
    one.leave()
    assert sources(hall) == []
