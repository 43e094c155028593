"""What spectators of a hall are told, from games that are archived: nothing before the event's delay has passed."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from filled import Board
from hall import free_port, until
from house import Listener, ask
from msgspec.structs import replace
from pages_kit import serving

from controller.archive import metrics, pages
from controller.archive.answers import Answers
from controller.archive.database import Database, connect
from controller.archive.pages import HallPages
from controller.archive.register import InDatabase
from controller.archive.settings import ArchiveConfig, BrokerConfig, DatabaseConfig, PagesConfig
from controller.console.grants import Grant

pytestmark = pytest.mark.engines
DELAY_S = 2.0
MOVES = 12  #: events are told at once up to there


@pytest.fixture
def emptied() -> None:
    """No broker is needed here."""


@pytest.fixture
def archive(database: str) -> ArchiveConfig:
    return ArchiveConfig(broker=BrokerConfig(hosts=("127.0.0.1:1",)), database=DatabaseConfig(url=database))


@contextlib.asynccontextmanager
async def writing(archive: ArchiveConfig) -> AsyncIterator[Database]:
    base = await connect(archive.database)
    try:
        yield base
    finally:
        await base.close()


async def tell(base: Database, board: Board, count: int) -> int:
    """Archives so many events more; how many there were."""
    events = board.next(count)
    await base.write(events, [], [])
    await base.keep_heads([board.head()])
    return len(events)


async def held_by(archive: ArchiveConfig, may: Grant) -> str:
    """The cookie of who has signed in with a code that is good for that."""
    answers = Answers(archive.database)
    try:
        return f"jadoube={await InDatabase('hall', 1.0, answers).sign_in('Ana', '127.0.0.1', '', may)}"
    finally:
        await answers.close()


def archived(database: str) -> dict[int, float]:
    """When each move was archived, by its ply."""
    with psycopg.connect(database) as base:
        rows = base.execute("SELECT ply, extract(epoch FROM archived)::float FROM event WHERE type = 'move'").fetchall()
    return dict(rows)


class Timed(Listener):
    """Notes when it heard of each move first."""

    def __init__(self, url: str, **headers: str) -> None:
        super().__init__(url, **headers)
        self.heard: dict[int, float] = {}

    def _take(self, said: dict[str, Any]) -> None:
        super()._take(said)
        for ply in range(1, len(self.boards.get("7", {}).get("moves") or []) + 1):
            self.heard.setdefault(ply, time.time())


def test_the_public_hears_of_nothing_before_its_delay(archive: ArchiveConfig, database: str) -> None:
    delayed = PagesConfig(venue="hall", port=0, delay_min=DELAY_S / 60)

    async def scene() -> None:
        board = Board("7")
        async with writing(archive) as base:
            await tell(base, board, MOVES)
            async with serving(archive, delayed) as hall, Timed(f"{hall.console.url}/events") as crowd:
                chief, screen = await held_by(archive, Grant()), await held_by(archive, Grant("screen"))
                live = await held_by(archive, Grant("screen", live=True))
                async with (
                    Timed(f"{hall.console.url}/arbiter/events", Cookie=chief) as arbiter,
                    Timed(f"{hall.console.url}/arbiter/screen", Cookie=screen) as in_the_hall,
                    Timed(f"{hall.console.url}/arbiter/screen", Cookie=live) as at_once,
                ):
                    for _ in range(5):
                        await tell(base, board, 6)
                        await asyncio.sleep(0.1)
                    at = archived(database)
                    readers = (crowd, in_the_hall, arbiter, at_once)
                    await until(lambda: all(each.heard.keys() == at.keys() for each in readers), 30)
                    for late in (crowd, in_the_hall):
                        assert all(late.heard[ply] >= at[ply] + DELAY_S - 0.05 for ply in at), (late.heard, at)
                    assert any(arbiter.heard[ply] < at[ply] + DELAY_S for ply in at)
                    assert any(at_once.heard[ply] < at[ply] + DELAY_S for ply in at)
                    assert (await ask(f"{hall.console.url}/games/7.pgn")).status == 200
                # A worker that comes later knows how old each event is.
                async with serving(archive, delayed) as other, Timed(f"{other.console.url}/events") as late_crowd:
                    await until(lambda: late_crowd.heard.keys() == at.keys(), 30)

    asyncio.run(scene())


def test_until_the_end_of_the_game_the_public_hears_of_no_move(
    archive: ArchiveConfig, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "SETTLE_S", 0.5)
    at_end = PagesConfig(venue="hall", port=0, delay_min="game-end")

    async def scene() -> None:
        board = Board("7", 0)
        async with writing(archive) as base:
            await tell(base, board, 300)
            async with serving(archive, at_end) as hall:
                chief = await held_by(archive, Grant())
                async with (
                    Timed(f"{hall.console.url}/arbiter/events", Cookie=chief) as arbiter,
                    Timed(f"{hall.console.url}/events") as crowd,
                ):
                    await until(lambda: arbiter.boards["7"]["board"].get("fen"), 30)
                    await tell(base, board, 10_000)
                    await base.write([over(board)], [], [])
                    await base.keep_heads([board.head()])
                    await until(lambda: crowd.heard, 30)
                    with psycopg.connect(database) as asked:
                        ended = asked.execute(
                            "SELECT extract(epoch FROM archived)::float FROM event WHERE type = 'result'"
                        ).fetchone()
                    assert ended is not None
                    assert min(crowd.heard.values()) >= ended[0] + 0.5 - 0.05
                    await until(lambda: crowd.boards["7"]["board"]["over"], 30)

    asyncio.run(scene())


def over(board: Board) -> Any:
    """A player has resigned."""
    board.input()
    said = {"type": "result", "ms": 9_000_000, "result": "1-0", "reason": "resignation", "article": "5.1.2"}
    return board.event(said | {"status": "final"})


def test_a_board_of_which_something_is_missing_is_shown_up_to_there(archive: ArchiveConfig) -> None:
    async def scene() -> None:
        board = Board("7")
        async with writing(archive) as base:
            await tell(base, board, MOVES)
            async with serving(archive) as hall, Timed(f"{hall.console.url}/events") as crowd:
                await until(lambda: crowd.boards["7"].get("moves"), 30)
                before, events = crowd.boards["7"]["moves"], board.next(30)
                await base.write(events[1:], [], [])
                await asyncio.sleep(0.5)
                assert crowd.boards["7"]["moves"] == before
                await base.write(events[:1], [], [])
                await until(lambda: len(crowd.boards["7"]["moves"]) > len(before), 30)

    asyncio.run(scene())


def test_a_board_that_falls_silent_in_its_game_is_away(archive: ArchiveConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "AWAY_S", 1.0)
    monkeypatch.setattr(pages, "LOOK_S", 0.1)

    async def scene() -> None:
        seven, eight = Board("7"), Board("8", 1)
        async with writing(archive) as base:
            await tell(base, seven, MOVES)
            await tell(base, eight, MOVES)
            async with serving(archive) as hall, Listener(f"{hall.console.url}/events") as crowd:

                async def eight_lives() -> None:
                    while True:
                        await base.keep_heads([eight.head()])
                        await asyncio.sleep(0.1)

                living = asyncio.create_task(eight_lives())
                await until(lambda: crowd.boards["7"].get("away") is True, 30)
                await until(lambda: crowd.boards["8"].get("away") is not True, 30)  # late on a busy machine
                living.cancel()
                await asyncio.gather(living, return_exceptions=True)  # it may be in the midst of a transaction
                await base.keep_heads([seven.head()])
                await until(lambda: crowd.boards["7"]["away"] is False, 30)
                # Where nobody is heard it is the archive, not the boards; that is said above them.
                await until(lambda: said(hall).startswith("nothing was heard of any board"), 30)

    asyncio.run(scene())


def said(hall: HallPages) -> str:
    return json.dumps([notice.what for notice in hall._notices.current])[2:]


@pytest.mark.parametrize(("wrong", "what"), [("schema", "the archive has schema 99"), ("place", "refused")])
def test_a_worker_that_cannot_read_says_why(archive: ArchiveConfig, database: str, wrong: str, what: str) -> None:
    if wrong == "schema":
        with psycopg.connect(database) as base:
            base.execute("INSERT INTO archive_schema VALUES (99)")
    else:
        archive = replace(archive, database=DatabaseConfig(url="postgresql://archive@127.0.0.1:1/none"))

    async def scene() -> None:
        async with serving(archive) as hall:
            assert what in str(hall.figures.trouble)
            answer = await ask(f"{hall.console.url}/")
            assert (answer.status, answer.headers["Refresh"]) == (503, "5")
            assert what in answer.body.decode()

    asyncio.run(scene())


def test_prometheus_is_told_who_reads_and_how_late_it_is(archive: ArchiveConfig) -> None:
    async def scene() -> None:
        board = Board("7")
        async with writing(archive) as base:
            await tell(base, board, MOVES)
            async with serving(archive) as hall, Listener(f"{hall.console.url}/events") as crowd:
                port = metrics.serve_pages(free_port(), hall)
                await tell(base, board, 20)
                await until(lambda: len(crowd.boards["7"].get("moves") or ()) > 3, 30)
                await until(lambda: hall.figures.events, 30)
                told = (await ask(f"http://127.0.0.1:{port}/metrics")).body.decode()
                assert 'jadoube_console_readers{page="public"} 1.0' in told
                assert 'jadoube_console_readers{page="arbiter"} 0.0' in told
                assert "jadoube_console_events_total 20.0" in told
                assert "jadoube_console_boards 1.0" in told
                (lag,) = (line.split()[1] for line in told.splitlines() if line.startswith("jadoube_console_lag_s"))
                assert 0.0 < float(lag) < 60.0

    asyncio.run(scene())
