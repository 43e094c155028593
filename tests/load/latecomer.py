"""A receiver that comes late, to games that are on, and looks at nothing that is retained: until it has all of them.

    python -m load.latecomer BOARDS HOST

Follows that many boards, from 1 on, by the rule of ``docs/mqtt.md`` (``tests/faults/subscriber.py``) on one connection.
Says in a JSON object how many seconds it took, and of each board how many events it has and the number of the last.
"""

import asyncio
import json
import sys
import time

import aiomqtt
from subscriber import Receiver

BASE = "jadoube/v1/load/board"
PATIENCE_S = 120.0
FIRST_S, AGAIN_S = 0.2, 2.0  #: what is on its way is given that time; an answer this


class Latecomer:
    """Of boards 1 to ``count``."""

    def __init__(self, count: int) -> None:
        self._boards = {number: Receiver() for number in range(1, count + 1)}
        self._applied = dict.fromkeys(self._boards, 0)
        self._asked_s = dict.fromkeys(self._boards, 0.0)
        self._told: set[int] = set()

    @property
    def is_complete(self) -> bool:
        """Whether each board has said how far it is, and nothing is missing."""
        return len(self._told) == len(self._boards) and all(each.wants is None for each in self._boards.values())

    async def run(self, host: str) -> None:
        """Prints what it came to."""
        name, _, port = host.partition(":")
        began_s = time.monotonic()
        async with aiomqtt.Client(name, int(port), protocol=aiomqtt.ProtocolVersion.V311) as client:
            topics = [(f"{BASE}/{number}/{topic}", 1) for number in self._boards for topic in ("event", "head")]
            await client.subscribe(topics)
            hearing = asyncio.create_task(self._hear(client))
            while not self.is_complete and time.monotonic() - began_s < PATIENCE_S:
                await self._ask(client)
                await asyncio.sleep(0.05)
            took_s = time.monotonic() - began_s
            hearing.cancel()
        boards = {number: [self._applied[number], each.last] for number, each in self._boards.items()}
        print(json.dumps({"complete": self.is_complete, "took_s": round(took_s, 2), "boards": boards}))

    async def _hear(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            number, topic = message.topic.value.split("/")[4:6]
            said = json.loads(message.payload)  # type: ignore[arg-type]
            receiver = self._boards[int(number)]
            if message.retain:
                continue
            if topic == "head":
                receiver.head(said)
                self._told.add(int(number))
            elif receiver.event(said):
                self._applied[int(number)] += 1

    async def _ask(self, client: aiomqtt.Client) -> None:
        now = time.monotonic()
        for number, receiver in self._boards.items():
            if receiver.wants is not None and now - self._asked_s[number] > AGAIN_S:
                self._asked_s[number] = now
                request = json.dumps({"type": "replay", "after": receiver.wants})
                await client.publish(f"{BASE}/{number}/replay", request, qos=1)


if __name__ == "__main__":
    asyncio.run(Latecomer(int(sys.argv[1])).run(sys.argv[2]))
