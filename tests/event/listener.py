"""One who follows all boards of the hall by MQTT, as docs/mqtt.md has it, and remembers every word."""

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import aiomqtt
from subscriber import Event, Receiver

PATIENCE_S = 0.5


class Listener:
    """``client`` makes a connection to the broker of the hall ``venue``. Use it with ``async with``."""

    def __init__(self, venue: str, client: Callable[[], aiomqtt.Client]) -> None:
        self.events: defaultdict[str, list[Event]] = defaultdict(list)  #: by board, each once and in order
        self.status: dict[str, dict[str, Any]] = {}
        self._base, self._client = f"jadoube/v1/{venue}", client
        self._receivers: defaultdict[str, Receiver] = defaultdict(Receiver)
        self._said: dict[tuple[str, int], Event] = {}
        self._news: defaultdict[str, asyncio.Condition] = defaultdict(asyncio.Condition)

    async def __aenter__(self) -> "Listener":
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def until(self, number: str, true: Callable[[], object], what: str, within: float = 60.0) -> None:
        """Returns once ``true`` holds, which is looked at whenever something is heard of that board."""
        try:
            async with asyncio.timeout(within), self._news[number]:
                await self._news[number].wait_for(true)
        except TimeoutError:
            last = "\n".join(map(str, self.events[number][-8:]))
            raise AssertionError(f"board {number}: never heard: {what}\n{last}\n{self.status.get(number)}") from None

    def moves(self, table: str, round_: int) -> list[str]:
        """What was told of the moves of the game of that round: UCI, and ``-`` and UCI where one was taken back."""
        found: list[str] = []
        now = ""
        for event in self.events[table]:
            if event["type"] == "game":
                now = event["opening"]["tags"]["Round"]
            elif now == str(round_) and event["type"] in ("move", "retract"):
                found.append(("-" if event["type"] == "retract" else "") + event["uci"])
        return found

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(aiomqtt.MqttError):
                async with self._client() as client:
                    await client.subscribe(
                        [(f"{self._base}/board/+/{each}", 1) for each in ("event", "head", "status")]
                    )
                    await asyncio.gather(self._hear(client), self._ask(client))
            await asyncio.sleep(PATIENCE_S / 5)

    async def _hear(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            _, _, _, _, number, kind = message.topic.value.split("/")
            said = json.loads(message.payload)
            async with self._news[number]:
                if kind == "status":
                    self.status[number] = said
                elif kind == "head":
                    assert not self._receivers[number].head(said), f"board {number} has another journal"
                else:
                    self._take(number, said)
                self._news[number].notify_all()

    def _take(self, number: str, event: Event) -> None:
        if event["type"] in ("done", "refused"):
            return
        bare = {name: value for name, value in event.items() if name != "replayed"}
        first = self._said.setdefault((number, event["seq"]), bare)  # after a break it may come again
        assert first == bare, f"board {number} tells another story of {event['seq']}: {first}, {bare}"
        if self._receivers[number].event(event):
            self.events[number].append(event)

    async def _ask(self, client: aiomqtt.Client) -> None:
        while True:
            before = {number: receiver.last for number, receiver in self._receivers.items()}
            await asyncio.sleep(PATIENCE_S)
            for number, receiver in self._receivers.items():
                if (after := receiver.wants) is not None and receiver.last == before.get(number):
                    request = json.dumps({"type": "replay", "after": after})
                    await client.publish(f"{self._base}/board/{number}/replay", request, qos=1)
