"""What the tests of the daemon share: a real mosquitto, and pieces that move on a simulated board."""

import asyncio
import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiomqtt
import chess

from controller.config import Setup
from controller.daemon.service import Daemon
from controller.outlets.follow import Follower, Readable
from controller.outlets.scoresheet import Scoresheet
from hardware.boards.simulated import SimulatedBoard

MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Mosquitto:
    """A real broker on a free loopback port, which can be killed and started again."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "allow_anonymous true", "persistence false", *options]
        self._config.write_text("\n".join(lines) + "\n")
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        assert MOSQUITTO is not None
        self.process = subprocess.Popen(
            [MOSQUITTO, "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.2):
                return
            time.sleep(0.02)
        raise AssertionError("mosquitto did not start")

    def allow(self) -> None:
        """Starts again without asking who comes."""
        self.kill()
        self._config.write_text(self._config.read_text().replace("allow_anonymous false", "allow_anonymous true"))
        self.start()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def need_mosquitto() -> None:
    """Skips the test where the program is missing; fails it where everything has to be there."""
    if MOSQUITTO is None:
        import pytest  # only now: measurements use this file too

        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("mosquitto is not installed: make broker")


@contextlib.asynccontextmanager
async def running(config: Setup, file: Path | None = None) -> AsyncIterator[Daemon]:
    """The daemon at work, stopped in order at the end. ``file``: where its configuration stands."""
    daemon = Daemon(config, file=file)
    task = asyncio.create_task(daemon.run())
    try:
        with contextlib.suppress(TimeoutError):  # a port that another has, or a daemon that could not begin
            await until(lambda: task.done() or _open(daemon), 1)
        yield daemon
    finally:
        daemon.stop()
        await asyncio.wait_for(task, 15)


def _open(daemon: Daemon) -> bool:
    """Whether all that it serves by HTTP can be asked: a busy machine plays sooner than it serves."""
    if daemon.console is not None and not daemon.console.port:
        return False
    config = daemon.config
    for table in (config.livechess, config.broadcast, config.metrics):
        if table is not None and table.port:
            with socket.socket() as guest:
                if guest.connect_ex(("127.0.0.1", table.port)):
                    return False
    return True


async def until(true: Callable[[], Any], within: float = 30.0) -> None:
    """Returns once ``true`` holds; fails when that takes too long, on a machine that does three things at once."""
    async with asyncio.timeout(3 * within):
        while not true():
            await asyncio.sleep(0.01)


async def make(daemon: Daemon, *moves: str) -> None:
    """Hands make quiet moves and captures on the simulated board, each left standing until it is made; none before
    there is a game, for without its pieces in place it would never begin."""
    await until(lambda: daemon.only.session.playing)
    assert isinstance(daemon.only.boards[None], SimulatedBoard)
    board = daemon.only.boards[None].electrical
    for uci in moves:
        move = chess.Move.from_uci(uci)
        made = len(moves_of(daemon.journal))
        board.lift(move.from_square)
        await asyncio.sleep(0.06)
        board.place(move.to_square)
        await until(lambda made=made: len(moves_of(daemon.journal)) > made)


def sheet_of(journal: Readable) -> Scoresheet | None:
    """The scoresheet of the game in progress, as the journal has it."""
    follower = Follower(journal, "7", 0, Scoresheet)
    while follower.read():
        pass
    return follower.sheet


def moves_of(journal: Readable) -> list[str]:
    """The moves of the game in progress, as the journal has it."""
    sheet = sheet_of(journal)
    return [entry.move.uci for entry in sheet.entries] if sheet else []


def strictly(payload: bytes | bytearray | str) -> Any:
    """The JSON, in which nothing may stand twice: programs do not agree which of two counts."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        assert len(names) == len(set(names)), f"something stands twice in {payload!r}"
        return dict(pairs)

    return json.loads(payload, object_pairs_hook=once)


class Subscriber:
    """Hears everything under ``jadoube/`` on a broker."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.heard: list[tuple[str, Any, bool]] = []  #: (last level of the topic, payload, whether it was retained)
        self._client = aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5)

    async def __aenter__(self) -> "Subscriber":
        await self._client.__aenter__()
        await self._client.subscribe("jadoube/#", qos=1)
        self._task = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        (heard,) = await asyncio.gather(self._task, return_exceptions=True)
        with contextlib.suppress(aiomqtt.MqttError):
            await self._client.__aexit__(None, None, None)
        if isinstance(heard, AssertionError):
            raise heard

    async def _listen(self) -> None:
        with contextlib.suppress(aiomqtt.MqttError):
            async for message in self._client.messages:
                assert isinstance(message.payload, bytes)
                topic = message.topic.value
                if message.payload:  # else what was retained is taken away
                    self.heard.append((topic.rpartition("/")[2], strictly(message.payload), bool(message.retain)))
                assert topic.startswith("jadoube/v1/hall/board/7/")

    def on(self, topic: str) -> list[Any]:
        return [payload for level, payload, _ in self.heard if level == topic]

    def retained(self) -> set[str]:
        return {level for level, _, retained in self.heard if retained}

    async def command(self, **fields: Any) -> None:
        await self._client.publish("jadoube/v1/hall/board/7/cmd", json.dumps(fields), qos=1)
