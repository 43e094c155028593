"""Somebody who commands boards by MQTT all the time, and notes how long each takes to answer, until it is ended.

    python -m load.commander OUT --boards 1 2 3 --hosts 127.0.0.1:1883 …

Every half a second a warning goes to the next board that has answered the last one; where no answer comes within a
second it is given again, as a person would. He goes to the next node where one breaks off. A JSON object a line to
``OUT``: when the command was first ``given`` (seconds since 1970), to which ``board``, how long it ``took_s``, how
often it was ``given_times``.
"""

import argparse
import asyncio
import contextlib
import json
import random
import time
from itertools import cycle
from pathlib import Path
from typing import Any, TextIO

import aiomqtt

EVERY_S, AGAIN_S = 0.5, 1.0
BASE = "jadoube/v1/load/board"


class Given:
    """A command on its way."""

    def __init__(self) -> None:
        self.at_s = time.time()
        self.last_s = 0.0
        self.times = 0


class Commander:
    """Of these boards."""

    def __init__(self, boards: list[int], out: TextIO) -> None:
        self._boards = boards
        self._out = out
        self._waiting: dict[int, Given] = {}

    async def run(self, hosts: list[str]) -> None:
        """Until cancelled."""
        for host in cycle(hosts):
            name, _, port = host.partition(":")
            with contextlib.suppress(aiomqtt.MqttError, ExceptionGroup, TimeoutError):
                version = aiomqtt.ProtocolVersion.V311
                async with aiomqtt.Client(name, int(port), protocol=version, timeout=5) as client:
                    await client.subscribe([(f"{BASE}/{number}/event", 1) for number in self._boards])
                    async with asyncio.TaskGroup() as tasks:
                        tasks.create_task(self._hear(client))
                        tasks.create_task(self._give(client))
                        tasks.create_task(self._command())
            await asyncio.sleep(0.05)

    async def _command(self) -> None:
        while True:
            free = [number for number in self._boards if number not in self._waiting]
            if free:
                self._waiting[random.choice(free)] = Given()
            await asyncio.sleep(EVERY_S)

    async def _give(self, client: aiomqtt.Client) -> None:
        order = json.dumps({"type": "arbiter", "do": "warn", "side": "white"})
        while True:
            for number, given in [*self._waiting.items()]:
                if time.time() - given.last_s > AGAIN_S:
                    given.last_s = time.time()
                    given.times += 1
                    await client.publish(f"{BASE}/{number}/cmd", order, qos=1)
            await asyncio.sleep(0.02)

    async def _hear(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            said: dict[str, Any] = json.loads(message.payload)  # type: ignore[arg-type]
            number = int(message.topic.value.split("/")[4])
            if said["type"] == "done" and "at" not in said and (given := self._waiting.pop(number, None)) is not None:
                took = {"given": given.at_s, "board": number, "took_s": time.time() - given.at_s}
                print(json.dumps(took | {"given_times": given.times}), file=self._out, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--boards", type=int, nargs="+", required=True)
    parser.add_argument("--hosts", nargs="+", required=True)
    given = parser.parse_args()
    with given.out.open("w") as out:
        asyncio.run(Commander(given.boards, out).run(given.hosts))


if __name__ == "__main__":
    main()
