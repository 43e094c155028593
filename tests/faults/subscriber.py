"""A receiver to copy from: applies each event of a board once and in order, whatever the broker loses or says twice.

:class:`Receiver` is the whole of it, without a network: hand it what arrives, apply what it gives back, ask for what it
wants. :class:`Subscriber` is that over MQTT. docs/mqtt.md says what it relies on.
"""

import asyncio
import contextlib
import json
from typing import Any

import aiomqtt

Event = dict[str, Any]

ANSWERS = ("done", "refused")  #: these come on the topic ``event`` too


class Receiver:
    """Keep :attr:`last` and :attr:`origin` with what you have applied, to go on after a restart."""

    def __init__(self) -> None:
        self.last: int | None = None  #: the number of the event applied last
        self.origin: str | None = None  #: the journal that it is from
        self._known = 0  # there is an event of this number

    @property
    def wants(self) -> int | None:
        """Ask for a replay after this one; None if nothing is known to be missing."""
        have = self.last or 0
        return have if self._known > have else None

    def event(self, event: Event) -> bool:
        """Whether to apply it: the next one. A repeat is not, nor is what comes after a gap: it will come again."""
        if event["type"] in ANSWERS:
            return False
        self._known = max(self._known, event["seq"])
        begins = self.last is None and event["type"] == "game"
        following = begins or (self.last is not None and event["after"] <= self.last < event["seq"])
        if following:
            self.last = event["seq"]
        return following

    def head(self, head: Event) -> bool:
        """How far the board has come. Another journal has numbers of its own: whether to begin anew, and to forget what
        was applied of the game in progress.
        """
        other = self.origin not in (None, head["origin"])
        if other:
            self.last, self._known = None, 0
        self.origin = head["origin"]
        self._known = max(self._known, head["last"])
        return other


class Subscriber:
    """Receives what is published under ``base``, ``jadoube/v1/hall/board/7``; ``options`` are those of the client."""

    def __init__(self, host: str, port: int, base: str, patience_s: float = 2.0, **options: Any) -> None:
        self.receiver = Receiver()
        self.applied: list[Event] = []
        self.asked = 0  #: for a replay, so often
        self._host, self._port, self._base = host, port, base
        self._patience_s = patience_s  # between two requests for the same
        self._options = options

    async def run(self) -> None:
        """Receives until cancelled, and comes back after every break."""
        while True:
            with contextlib.suppress(aiomqtt.MqttError, ExceptionGroup):
                async with aiomqtt.Client(self._host, self._port, **self._options) as client:
                    await client.subscribe([(f"{self._base}/event", 1), (f"{self._base}/head", 1)])
                    async with asyncio.TaskGroup() as tasks:
                        tasks.create_task(self._ask(client))
                        tasks.create_task(self._hear(client))
            await asyncio.sleep(self._patience_s / 10)

    async def _hear(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            payload = json.loads(message.payload)
            if message.topic.value.endswith("/head"):
                if self.receiver.head(payload):
                    self.applied.clear()
            elif self.receiver.event(payload):
                self.applied.append(payload)

    async def _ask(self, client: aiomqtt.Client) -> None:
        """Asks at once for what is missing, and again where nothing has come for long."""
        pause_s = self._patience_s / 10  # what is on its way already is given that time to arrive
        while True:
            before = self.receiver.last
            await asyncio.sleep(pause_s)
            wanted = self.receiver.wants
            if wanted is None:
                pause_s = self._patience_s / 10
            elif self.receiver.last == before:
                self.asked += 1
                pause_s = self._patience_s
                request = json.dumps({"type": "replay", "after": wanted})
                await client.publish(f"{self._base}/replay", request, qos=1)
