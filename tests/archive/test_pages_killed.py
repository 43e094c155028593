"""One of two workers is killed: nobody signs in again, and an open page goes on by itself; in a real Chromium."""

import asyncio
import contextlib
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from browser import connected
from engines import RabbitMQ
from hall import free_port, make, running, until
from house import ARBITER, enter, rulings
from pages_kit import archive_of, board_seven, code, touch_move
from test_archiver import archiving

from controller.archive.settings import ArchiveConfig

pytestmark = [pytest.mark.engines, pytest.mark.slow]


class Proxy:
    """What stands before the workers: passes each connection on to the first of them that answers."""

    def __init__(self, ports: list[int]) -> None:
        self._ports = ports
        self._passing: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._passing:
            task.cancel()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for port in self._ports:
            with contextlib.suppress(OSError):
                there, back = await asyncio.open_connection("127.0.0.1", port)
                self._passing |= {
                    asyncio.create_task(_pass(reader, back)),
                    asyncio.create_task(_pass(there, writer)),
                }
                return
        writer.close()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@pytest.fixture
def archive(rabbitmq: RabbitMQ, database: str) -> ArchiveConfig:
    return archive_of(rabbitmq, database)


@pytest.fixture
def written(tmp_path: Path, archive: ArchiveConfig) -> Path:
    """The configuration as a file."""
    path = tmp_path / "archive.toml"
    path.write_text(
        f'[broker]\nhosts = ["{archive.broker.hosts[0]}"]\nuser = "guest"\n'
        f'password_file = "{archive.broker.password_file}"\n'
        f'[database]\nurl = "{archive.database.url}"\n[console]\nvenue = "hall"\n'
    )
    return path


@contextlib.contextmanager
def worker(config: Path, port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of its own, as its unit starts it."""
    command = [sys.executable, "-m", "controller.cli.main", "archive", "console"]
    with subprocess.Popen([*command, "--config", str(config), "--port", str(port)]) as process:
        try:
            yield process
        finally:
            process.kill()


@contextlib.asynccontextmanager
async def listening(*ports: int) -> AsyncIterator[None]:
    """Once all workers do."""
    for port in ports:
        await until(lambda port=port: _answers(port), 60)
    yield


def _answers(port: int) -> bool:
    found = subprocess.run(["curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{port}/"], check=False)
    return found.returncode == 0


def test_nobody_signs_in_again(
    archive: ArchiveConfig, written: Path, tmp_path: Path, rabbitmq: RabbitMQ, chromium: str
) -> None:
    async def scene() -> None:
        ports = [free_port(), free_port()]
        async with archiving(archive), running(board_seven(tmp_path, rabbitmq)) as daemon:
            await until(lambda: daemon.only.session.playing, 30)
            with worker(written, ports[0]) as first, worker(written, ports[1]):
                async with listening(*ports), Proxy(ports) as url, connected(chromium) as browser:
                    page = await browser.open(f"{url}/arbiter")
                    await enter(page, await code(archive))
                    await page.until("!!document.querySelector('.board .piece')", 30)
                    first.send_signal(signal.SIGKILL)
                    first.wait()
                    await make(daemon, "e2e4")
                    await page.until("document.querySelector('.score')?.textContent.includes('e4')", 30)
                    assert await page.js("location.pathname") == "/arbiter"
                    await touch_move(daemon)
                    await page.sees("Awaits your ruling", 30)
                    await page.click("article.case button[data-key$='dismiss the breach']")
                    await until(lambda: any(each.do in ("uphold", "dismiss") for each in rulings(daemon)), 30)
                    assert rulings(daemon)[-1].by == ARBITER
                    await page.js("location.reload()")
                    await page.until("!!document.querySelector('.board .piece')", 30)
                    assert await page.js("location.pathname") == "/arbiter"

    asyncio.run(scene())
