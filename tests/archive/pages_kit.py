"""The hall's pages in tests: a worker, who signs in there, and a board whose games are archived."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from engines import RabbitMQ
from hall import until
from house import ARBITER, Answer, ask

from controller.archive.answers import Answers
from controller.archive.pages import HallPages
from controller.archive.register import InDatabase
from controller.archive.settings import ArchiveConfig, BrokerConfig, DatabaseConfig, PagesConfig
from controller.config import Config, check
from controller.console.grants import ALL, Grant
from controller.daemon.service import Daemon

PAGES = PagesConfig(venue="hall", port=0)
QUICK = {"release_ms": 60, "brush_ms": 20}


def archive_of(rabbitmq: RabbitMQ, database: str) -> ArchiveConfig:
    """The configuration of archivers and workers."""
    broker = BrokerConfig(hosts=(f"127.0.0.1:{rabbitmq.amqp}",), user="guest", password_file=rabbitmq.password_file)
    return ArchiveConfig(broker=broker, database=DatabaseConfig(url=database), parts=3, console=PAGES)


def board_seven(folder: Path, rabbitmq: RabbitMQ) -> Config:
    """The configuration of board 7, quick to release and to brush."""
    raw: dict[str, Any] = {
        "board": {"type": "simulated"},
        "event": {"venue": "hall", "board": "7", "clock": "5400+30", "settings": QUICK},
        "game": {"white": "Ada", "black": "Bo"},
        "mqtt": {"host": "127.0.0.1", "port": rabbitmq.mqtt},
        "start": {"by": "at-once", "ready_s": 0.1},
        "pgn": {"directory": str(folder / "games")},
        "journal": {"path": str(folder / "journal.sqlite")},
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
        assert not task.done(), "the worker has ended by itself"
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


async def sign_in(url: str, config: ArchiveConfig, may: Grant = ALL) -> str:
    """The cookie of who has signed in at the worker there."""
    form = {"name": ARBITER, "code": await code(config, may)}
    answer = await ask(f"{url}/arbiter/sign-in", form)
    assert answer.status == 303, answer.body
    return str(answer.headers["Set-Cookie"].split(";")[0])


async def rule(url: str, held: str, **said: Any) -> Answer:
    """Rules on board 7."""
    return await ask(f"{url}/arbiter/boards/7", json.dumps(said).encode(), Cookie=held)


async def touch_move(daemon: Daemon) -> None:
    """White is reported to have touched another piece: a notice."""
    report = {"type": "arbiter", "do": "report", "side": "white", "kind": "touch-move", "by": "Eva"}
    await daemon.only.carry_out(report)


def case(boards: dict[str, dict[str, Any]], number: str = "7") -> dict[str, Any]:
    """The last one on that board."""
    board = boards[number]
    return board[board["cases"][-1]] if board.get("cases") else {}
