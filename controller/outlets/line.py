"""A connection to the broker while it lasts: what is on its way, in order, each acknowledged in its own time.

Nothing waits for the acknowledgement of what went before: the broker's kernel may hold these back for 40 ms, and the
next move would wait with them.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable

import aiomqtt
from msgspec import Struct

from controller.outlets.topics import Message

PIPELINE = 64  #: so many bundles may wait to be acknowledged


class Bundle(Struct, frozen=True):
    """Messages sent together. One that is ``closing`` holds what is retained after all that was new up to ``seq``."""

    seq: int
    closing: bool
    publications: list[asyncio.Task[None]]


class Line:
    """Publishes under the topic ``base`` at QoS 1; the client keeps the order. ``tasks`` ends with the connection."""

    def __init__(self, client: aiomqtt.Client, base: str, tasks: asyncio.TaskGroup) -> None:
        self._client = client
        self._base = base
        self._tasks = tasks
        self._on_the_way: asyncio.Queue[Bundle] = asyncio.Queue(PIPELINE)

    async def hand_over(self, seq: int, messages: Iterable[Message], *, closing: bool = False) -> None:
        """Sends them, and returns as soon as there is room to wait for their acknowledgement."""
        sent = [self._tasks.create_task(publish(self._client, self._base, message)) for message in messages]
        await self._on_the_way.put(Bundle(seq, closing, sent))

    async def confirmed(self) -> AsyncIterator[Bundle]:
        """Each bundle handed over, once the broker has acknowledged all of it."""
        while True:
            bundle = await self._on_the_way.get()
            await asyncio.gather(*bundle.publications)
            yield bundle


async def publish(client: aiomqtt.Client, base: str, *messages: Message) -> None:
    """Sends all at once; returns when they are acknowledged. Raises :exc:`aiomqtt.MqttError`."""
    sent = [client.publish(f"{base}/{m.topic}", m.payload, qos=1, retain=m.retain) for m in messages]
    await asyncio.gather(*sent)
