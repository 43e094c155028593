"""A board of the generator is received as one of ours is: by the rule of docs/mqtt.md, on a broker that goes away."""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hall import Mosquitto, free_port, need_mosquitto, until
from subscriber import Subscriber

from load.house import PYTHONPATH, ROOT

pytestmark = pytest.mark.broker
BOARDS = 4


@pytest.fixture
def mosquitto(tmp_path: Path) -> Mosquitto:
    need_mosquitto()
    return Mosquitto(tmp_path)


@contextlib.asynccontextmanager
async def generating(
    games: Path, log: Path, *hosts: str, level: int = 4, events: float = 200
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The process of the boards, all of which are connected and play."""
    command = ["-m", "load.generator", str(games), str(log), "--boards", str(BOARDS), "--events", str(events)]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *command, "--mqtt", str(level), "--hosts", *hosts),
        **{"stdin": pipe, "stdout": pipe, "cwd": ROOT, "env": {"PYTHONPATH": PYTHONPATH}},
    )
    try:
        assert await said(process) == {"connected": BOARDS}
        await tell(process, "play")
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def said(process: asyncio.subprocess.Process) -> dict[str, Any]:
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(await process.stdout.readline())
    return found


async def tell(process: asyncio.subprocess.Process, words: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{words}\n".encode())
    await process.stdin.drain()


def logged(log: Path) -> dict[int, list[dict[str, Any]]]:
    """By board what it had in its journal."""
    found: dict[int, list[dict[str, Any]]] = {number: [] for number in range(1, BOARDS + 1)}
    for line in log.read_bytes().splitlines():
        _, number, payload = line.split(b" ", 2)
        found[int(number)].append(json.loads(payload))
    return found


@contextlib.asynccontextmanager
async def receiving(port: int) -> AsyncIterator[dict[int, Subscriber]]:
    receivers = {n: Subscriber("127.0.0.1", port, f"jadoube/v1/load/board/{n}") for n in range(1, BOARDS + 1)}
    tasks = [asyncio.create_task(each.run()) for each in receivers.values()]
    try:
        yield receivers
    finally:
        for task in tasks:
            task.cancel()


async def complete(receivers: dict[int, Subscriber], log: Path) -> None:
    """Returns once each has applied what its board told, once and in order."""
    for number, told in logged(log).items():
        await until(lambda number=number, told=told: len(receivers[number].applied) >= len(told), 30)
        applied = [{**event, "replayed": None} for event in receivers[number].applied]
        assert applied == [{**event, "replayed": None} for event in told]


@pytest.mark.parametrize("level", [4, 5])
def test_every_event_comes_once_and_in_order(games: Path, mosquitto: Mosquitto, tmp_path: Path, level: int) -> None:
    log = tmp_path / "told"

    async def scene() -> None:
        async with (
            receiving(mosquitto.port) as receivers,
            generating(games, log, f"127.0.0.1:{mosquitto.port}", level=level) as process,
        ):
            await until(lambda: all(len(each.applied) > 100 for each in receivers.values()), 30)
            await tell(process, "stop")
            did = await said(process)
            assert did["events"] == sum(map(len, logged(log).values()))
            await complete(receivers, log)

    try:
        asyncio.run(scene())
    finally:
        mosquitto.kill()


def test_what_a_break_held_up_is_told_afterwards(games: Path, mosquitto: Mosquitto, tmp_path: Path) -> None:
    """The broker is killed, and one cable is out for a while; the first node is never there."""
    log = tmp_path / "told"

    async def scene() -> None:
        hosts = f"127.0.0.1:{free_port()}", f"127.0.0.1:{mosquitto.port}"
        async with receiving(mosquitto.port) as receivers, generating(games, log, *hosts) as process:
            await until(lambda: all(each.applied for each in receivers.values()), 30)
            await tell(process, "cut 2 2")
            mosquitto.kill()
            await asyncio.sleep(1)
            by_then = {number: len(each.applied) for number, each in receivers.items()}
            mosquitto.start()
            await until(lambda: all(len(each.applied) > by_then[n] + 50 for n, each in receivers.items()), 30)
            await tell(process, "stop")
            did = await said(process)
            assert did["breaks"] >= BOARDS
            await complete(receivers, log)

    try:
        asyncio.run(scene())
    finally:
        mosquitto.kill()


def test_a_warning_comes_back_as_an_event_and_all_goes_on(games: Path, mosquitto: Mosquitto, tmp_path: Path) -> None:
    import aiomqtt

    log = tmp_path / "told"

    async def scene() -> None:
        async with (
            receiving(mosquitto.port) as receivers,
            generating(games, log, f"127.0.0.1:{mosquitto.port}") as process,
            aiomqtt.Client("127.0.0.1", mosquitto.port) as arbiter,
        ):
            await until(lambda: all(each.applied for each in receivers.values()), 30)
            await arbiter.subscribe("jadoube/v1/load/board/1/event", qos=1)
            order = {"type": "arbiter", "do": "warn", "side": "black"}
            await arbiter.publish("jadoube/v1/load/board/1/cmd", json.dumps(order), qos=1)
            async for message in arbiter.messages:
                answer = json.loads(message.payload)  # type: ignore[arg-type]
                if answer["type"] == "done":
                    break
            await asyncio.sleep(1)
            await tell(process, "stop")
            await said(process)
            await complete(receivers, log)
            (warning,) = (event for event in logged(log)[1] if event["type"] == "warning")
            assert warning["side"] == "black" and warning["seq"] == answer["seq"]

    try:
        asyncio.run(scene())
    finally:
        mosquitto.kill()
