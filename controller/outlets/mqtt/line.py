"""A connection to the broker while it lasts: what is on its way, in order, each acknowledged in its own time.

Nothing waits for the acknowledgement of what went before: the broker's kernel may hold these back for 40 ms, and the
next move would wait with them. But the first of several is given a moment's start: sent in one go, it would leave only
once all were made ready, and arrive while the broker is busy with the others.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

import aiomqtt
from msgspec import Struct
from paho.mqtt.properties import Properties

from controller.outlets.mqtt.topics import Publication

#: so many messages may wait to be acknowledged: as many as the client puts on the way at once, so that none of them is
#: given up as unanswered before it has even left
WINDOW = 20
START_S = 0.001  #: of the first message of a bundle; on the way to a broker nearby it needs no longer


class Bundle(Struct, frozen=True):
    """Messages sent together. One that is ``closing`` holds what is retained after all that was new up to ``seq``."""

    seq: int
    closing: bool
    publications: list[asyncio.Task[None]]


class Outgoing:
    """Publishes under the topic ``base`` at QoS 1; the client keeps the order. ``tasks`` ends with the connection.
    ``room``: as of :data:`WINDOW`, for all lines of the connection."""

    def __init__(self, client: aiomqtt.Client, base: str, tasks: asyncio.TaskGroup, room: asyncio.Semaphore) -> None:
        self._client = client
        self._base = base
        self._tasks = tasks
        self._room = room
        self._on_the_way: asyncio.Queue[Bundle] = asyncio.Queue()

    async def hand_over(self, seq: int, messages: Sequence[Publication], *, closing: bool = False) -> None:
        """Sends them, the first ahead, as soon as there is room to wait for their acknowledgement."""
        sent = [await self._send(message) for message in messages[:1]]
        if len(messages) > 1:
            await asyncio.sleep(START_S)
            sent += [await self._send(message) for message in messages[1:]]
        self._on_the_way.put_nowait(Bundle(seq, closing, sent))

    async def confirmed(self) -> AsyncIterator[Bundle]:
        """Each bundle handed over, once the broker has acknowledged all of it."""
        while True:
            bundle = await self._on_the_way.get()
            await asyncio.gather(*bundle.publications)
            yield bundle

    async def _send(self, message: Publication) -> asyncio.Task[None]:
        await self._room.acquire()
        sending = self._tasks.create_task(publish(self._client, self._base, message))
        sending.add_done_callback(lambda _: self._room.release())
        return sending


async def publish(client: aiomqtt.Client, base: str, message: Publication) -> None:
    """Sends it; returns when it is acknowledged. Raises :exc:`aiomqtt.MqttError`."""
    await send(client, f"{base}/{message.topic}", message.payload, retain=message.retain)


async def send(
    client: aiomqtt.Client, topic: str, payload: bytes, *, retain: bool = False, properties: Properties | None = None
) -> None:
    """As :func:`publish`, to any topic.

    Up to Python 3.11 the client's wait passes over a cancellation that comes together with the acknowledgement. A group
    of tasks cancels each of its own but once, and would wait for this one without end: it is made good here.
    """
    await client.publish(topic, payload, qos=1, retain=retain, properties=properties)
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
