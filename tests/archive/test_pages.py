"""The hall's pages from the database: what a real daemon tells is shown, and what is ruled there comes back."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from engines import RabbitMQ
from hall import make, running, until
from house import ARBITER, Answer, Listener, ask, rulings
from test_archiver import archiving

from controller.archive.answers import Answers
from controller.archive.pages import HallPages
from controller.archive.register import InDatabase
from controller.archive.settings import ArchiveConfig, BrokerConfig, DatabaseConfig, PagesConfig
from controller.config import Config, check
from controller.console.grants import ALL, Grant
from controller.daemon.service import Daemon

pytestmark = pytest.mark.engines
PAGES = PagesConfig(venue="hall", port=0)
DEAR = {"release_ms": 60, "brush_ms": 20}


@pytest.fixture
def archive(rabbitmq: RabbitMQ, database: str) -> ArchiveConfig:
    broker = BrokerConfig(hosts=(f"127.0.0.1:{rabbitmq.amqp}",), user="guest", password_file=rabbitmq.password_file)
    return ArchiveConfig(broker=broker, database=DatabaseConfig(url=database), parts=3, console=PAGES)


@pytest.fixture
def table(tmp_path: Path, rabbitmq: RabbitMQ) -> Config:
    raw: dict[str, Any] = {
        "board": {"type": "simulated"},
        "event": {"venue": "hall", "board": "7", "clock": "5400+30", "settings": DEAR},
        "game": {"white": "Ada", "black": "Bo"},
        "mqtt": {"host": "127.0.0.1", "port": rabbitmq.mqtt},
        "start": {"by": "at-once", "ready_s": 0.1},
        "pgn": {"directory": str(tmp_path / "games")},
        "journal": {"path": str(tmp_path / "journal.sqlite")},
    }
    config = check(raw, "the test")
    assert isinstance(config, Config)
    return config


@contextlib.asynccontextmanager
async def serving(config: ArchiveConfig, pages: PagesConfig = PAGES) -> AsyncIterator[HallPages]:
    hall = HallPages(config, pages)
    task = asyncio.create_task(hall.run())
    try:
        await until(lambda: hall.console.port or task.done(), 30)
        yield hall
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def code(config: ArchiveConfig, may: Grant = ALL) -> str:
    """As ``jadoube archive pair`` makes it."""
    answers = Answers(config.database)
    try:
        return await InDatabase("hall", 1.0, answers).new(may)
    finally:
        await answers.close()


async def sign_in(hall: HallPages, config: ArchiveConfig, may: Grant = ALL) -> str:
    """The cookie of who has signed in."""
    form = {"name": ARBITER, "code": await code(config, may)}
    answer = await ask(f"{hall.console.url}/arbiter/sign-in", form)
    assert answer.status == 303, answer.body
    return str(answer.headers["Set-Cookie"].split(";")[0])


async def rule(hall: HallPages, held: str, **said: Any) -> Answer:
    return await ask(f"{hall.console.url}/arbiter/boards/7", json.dumps(said).encode(), Cookie=held)


async def touch_move(daemon: Daemon) -> None:
    """White is reported to have touched another piece: a notice."""
    report = {"type": "arbiter", "do": "report", "side": "white", "kind": "touch-move", "by": "Eva"}
    await daemon.only.carry_out(json.dumps(report).encode())


def case(boards: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The last one on board 7."""
    board = boards["7"]
    return board[board["cases"][-1]] if board.get("cases") else {}


def test_what_is_played_is_shown_and_what_is_ruled_comes_back(archive: ArchiveConfig, table: Config) -> None:
    async def scene() -> None:
        async with archiving(archive), running(table) as daemon, serving(archive) as hall:
            await until(lambda: daemon.only.table.playing, 30)
            await make(daemon, "e2e4")
            held = await sign_in(hall, archive)
            url = hall.console.url
            async with Listener(f"{url}/arbiter/events", Cookie=held) as arbiter, Listener(f"{url}/events") as crowd:
                await until(lambda: crowd.boards.get("7", {}).get("moves") == ["e4"], 30)
                await until(lambda: arbiter.boards.get("7", {}).get("moves") == ["e4"], 30)
                assert arbiter.boards["7"]["head"]["white"] == "Ada"
                await touch_move(daemon)
                await until(lambda: case(arbiter.boards).get("answers"), 30)
                open_case = case(arbiter.boards)
                assert open_case["state"] == "open"
                answer = await rule(hall, held, do="dismiss", case=open_case["seq"], answers=open_case["answers"])
                assert answer.status == 200, answer.body
                assert (rulings(daemon)[-1].do, rulings(daemon)[-1].by) == ("dismiss", ARBITER)
                await until(lambda: case(arbiter.boards)["state"] == "closed", 30)
                assert (case(arbiter.boards)["outcome"], case(arbiter.boards)["by"]) == ("dismissed", ARBITER)
                again = await rule(hall, held, do="dismiss", case=open_case["seq"], answers=open_case["answers"])
                assert (again.status, json.loads(again.body)["settled"]) == (409, True)
                assert "cases" not in crowd.boards["7"]

    asyncio.run(scene())
