"""MQTT: the games as topics under ``jadoube/v1/<venue>/board/<id>/``, and commands from there.

========  ========  ===================================================================================================
status    retained  ``online`` or ``offline`` (also the last will), whether a game is on or what begins the next one,
                    and what is wrong at present
health    retained  the same with what is measured of the machine
state     retained  position, last move, players, result
clock     retained  both clocks at ``ms``, and which one has been running since
head      retained  the last record's number and hash, and the last event
docket    retained  what awaits a ruling, and what was ruled: see :mod:`.docket`
move                each move made or taken back
event               each event, and the answers to commands that name no topic for them
alert               the events that want an arbiter
last-…    retained  ``last-alert``: the last of these in the game
answer/…            the answers to those that do
cmd/…     (to us)   an input of the contract without ``ms``, ``{"type":"new-game"}``, ``{"type":"replay","after":7}``
replay    (to us)   the last of these alone
time                the time of day at the computer: see :mod:`.times`
public/…            status, state, clock and move for everybody, as late as the event has it: see :mod:`.public`
========  ========  ===================================================================================================

Here is the connection; what it carries of each board is a :class:`.Channel`; what is of the whole venue is
:class:`.Carried` as well: the round in force (:mod:`.round`), the times of day (:mod:`.times`). The boards of a hall
share one connection, and a broker has but one last will for it: that is said on a status of their own,
``hall/<name>/status``, which the status of each board names as ``via``.

A match à quatre has the same under ``match/<id>/`` for both boards together, and under ``board/<id>/`` for each.

Every payload of a board is JSON with ``seq``, ``game`` and ``ply``, but for a last will, which cannot know them. What
is new is sent the moment it is on the disk, moves and alerts first; what is retained follows, in a burst only as it
stands at the end. A broker's acknowledgement is not durability, so the journal is the outbox: after a break everything
beyond the cursor is sent again, and receivers tell repeats by ``seq``, gaps by ``after``. What they may rely on stands
in docs/mqtt.md.
"""

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import Any, Protocol

import aiomqtt

from controller.errors import DeviceError, JadoubeError, first_of
from controller.outlets.mqtt import topics
from controller.outlets.mqtt.channel import Channel, Link
from controller.outlets.mqtt.connection import Client, MqttConfig, client_of, explain, hopeless, other
from controller.outlets.mqtt.levels import of_venue
from controller.outlets.mqtt.line import WINDOW, send
from controller.outlets.mqtt.memory import Memory
from controller.outlets.mqtt.topics import Status
from controller.outlets.notices import Notices
from controller.wire import encode

log = logging.getLogger(__name__)

RETRY_S = (0.5, 30.0)  #: the first and the longest wait before the next attempt to connect
FAREWELL_S = 2.0  #: how long an orderly stop may take to say so
MENDS_S = 5.0  #: before a channel that met a defect begins again
AT_ONCE = 100  #: topics that are asked for in one go

AnyChannel = Channel[Any]


class Carried(Protocol):
    """What a connection carries: something of one board, or of the venue as a whole. ``base``: the topic under which it
    tells that. What fails in it is a notice of that ``name``."""

    base: str
    notices: Notices

    @property
    def name(self) -> str: ...
    @property
    def topics(self) -> Iterable[str]: ...
    async def serve(self, client: aiomqtt.Client) -> None: ...
    def hear(self, message: aiomqtt.Message) -> None: ...


class MqttOutlet:
    """A connection that carries ``channels``: of one board, or of all boards of a hall, which may come and go.

    ``hall``: what comes before the status that they share, ``mqtt`` or ``mqtt public``; None: there is one channel.
    ``besides``: what else it carries, as long as it lasts.
    """

    def __init__(
        self,
        config: MqttConfig,
        venue: str,
        notices: Notices,
        memory: Memory,
        *channels: AnyChannel,
        hall: str | None = None,
        besides: Sequence[Carried] = (),
    ) -> None:
        self.version = aiomqtt.ProtocolVersion.V5  #: the one in use, or tried next
        self._speak_5: set[str] = set()  #: the nodes that were heard to speak it, by their addresses
        self.name = channels[0].feed.name if hall is None else hall  #: of its notices
        self._brokers = config.brokers
        self._config = self._brokers[0]  # the node in use, or tried next
        self._notices = notices
        self._venue = of_venue(venue)
        topic = channels[0].feed.topic if hall is None else hall
        # The same for ever, so that a broker which still holds the last connection ends it, last will and all, before
        # this one begins, and then hands over what came in between; and one that no other client can guess, for it
        # could end ours with it.
        self._identifier = f"jadoube-{topic.replace('/', '-').replace(' ', '-')}-{memory.name}"
        via = None if hall is None else self.shared(memory, hall)
        self._link = Link(asyncio.Semaphore(WINDOW), asyncio.Lock(), via)
        self._channels = {channel.base: channel for channel in channels}
        self._besides = besides
        self._client: aiomqtt.Client | None = None  # while connected
        self._lasting: asyncio.TaskGroup | None = None  # as long as this runs
        self._serving: asyncio.TaskGroup | None = None  # as long as it is connected
        self._served: dict[AnyChannel, asyncio.Task[None]] = {}

    @property
    def port(self) -> int:
        """Of the broker in use, or tried next."""
        return self._config.port_number

    @staticmethod
    def shared(memory: Memory, hall: str = "mqtt") -> str:
        """On which topic, under the venue, the connection of the boards of a hall is said to be there or gone. It does
        not betray by what name we are known to the broker."""
        name = hashlib.sha256(memory.name.encode()).hexdigest()[:12]
        return f"hall/{name}/{'status' if hall == 'mqtt' else 'public/status'}"

    async def run(self) -> None:
        """Connects, publishes, and comes back after every break, until cancelled."""
        async with asyncio.TaskGroup() as self._lasting:
            for channel in self._channels.values():
                channel.open(self._lasting)
            await self._come_back()

    async def add(self, channel: AnyChannel) -> None:
        """One more board, also while connected. Raises :exc:`aiomqtt.MqttError` where that breaks off just now: then it
        comes with the next connection."""
        self._channels[channel.base] = channel
        if self._lasting is not None:
            channel.open(self._lasting)
        channel.begin(self._link)
        if self._client is not None and self._serving is not None:
            await self._hear(self._client, channel)
            self._serve_one(self._client, self._serving, channel)

    async def remove(self, channel: AnyChannel) -> None:
        """That board goes, and says so if that can be said. Raises as :meth:`add`."""
        del self._channels[channel.base]
        served = self._served.pop(channel, None)
        if served is not None and self._client is not None:
            served.cancel()
            await asyncio.wait([served])
            await self._client.unsubscribe([*channel.topics])
            await channel.leave(self._client)

    async def _come_back(self) -> None:
        shortest, longest = RETRY_S
        delay = shortest
        for tried, config in enumerate(cycle(self._brokers), start=1):
            self._config, connected = config, False
            self._link.address = self._config.address
            self._link.connected_at = max(time.time_ns() // 1_000_000, self._link.connected_at + 1)
            self._link.before.append(self._link.connected_at)
            for channel in self._channels.values():
                channel.begin(self._link)
            try:
                async with self._new_client() as client:
                    connected = True
                    if self.version == aiomqtt.ProtocolVersion.V5:
                        self._speak_5.add(self._config.address)
                    log.info("connected to the broker %s, MQTT %s", self._config.address, self.version.name)
                    self._notices.clear(self.name)
                    await self._serve(client)
            except* (aiomqtt.MqttError, JadoubeError, OSError) as group:
                error = first_of(group)
                if connected and not self._heard:
                    self._notices.set(self.name, self._first_channel.unheard("breaks off when we publish"))
                else:
                    self._notices.set(self.name, await explain(self._config, self.version, error, connected))
                if not connected and not hopeless(error):
                    known = self._config.address in self._speak_5  # so it hung up for another reason
                    self.version = aiomqtt.ProtocolVersion.V5 if known else other(self.version)
            if all(channel.is_doubled for channel in self._channels.values()):
                delay = longest  # with a copy of our files he has our name there: we throw each other out
            elif self._heard:
                delay = shortest
            if tried % len(self._brokers) == 0:
                await asyncio.sleep(delay)
                delay = min(2 * delay, longest)

    @property
    def _heard(self) -> bool:
        """Whether the broker has passed on what was said on this connection."""
        return any(channel.heard for channel in self._channels.values())

    @property
    def _first_channel(self) -> AnyChannel:
        return next(iter(self._channels.values()))

    # -- one connection ------------------------------------------------------------------------------------------

    def _new_client(self) -> Client:
        said = topics.will(self._link.connected_at)
        topic = self._link.via or f"{self._first_channel.feed.topic}/{said.topic}"
        will = aiomqtt.Will(f"{self._venue}/{topic}", said.payload, qos=1, retain=said.retain)
        listens = any(channel.listens for channel in self._channels.values())
        name = identifier(self._identifier, self.version, self._brokers, self._config)
        client = client_of(self._config, self.version, will, name, stays=listens)
        client.hear = self._pass_on
        return client

    async def _serve(self, client: Client) -> None:
        try:
            await self._hear(client, *self._channels.values(), *self._besides)
            async with asyncio.TaskGroup() as self._serving:
                self._client = client
                self._serving.create_task(self._tell(client, "online"), name="mqtt hall")
                for channel in self._channels.values():
                    self._serve_one(client, self._serving, channel)
                for each in self._besides:
                    self._serving.create_task(self._keep(client, each), name=f"mqtt {each.name}")
                async for _ in client.messages:
                    pass  # none waits there, but this raises where the connection breaks
        except asyncio.CancelledError:
            client.hear = None
            with contextlib.suppress(aiomqtt.MqttError, TimeoutError):
                async with asyncio.timeout(FAREWELL_S):
                    leaving = [channel.leave(client) for channel in self._channels.values()]
                    await asyncio.gather(*leaving, self._tell(client, "offline"))
            raise
        finally:
            self._client = self._serving = None
            self._served.clear()

    async def _hear(self, client: aiomqtt.Client, *carried: Carried) -> None:
        heard = [(topic, 1) for each in carried for topic in each.topics]
        some = (heard[first : first + AT_ONCE] for first in range(0, len(heard), AT_ONCE))
        await asyncio.gather(*(client.subscribe(topics) for topics in some))

    async def _tell(self, client: aiomqtt.Client, word: topics.Presence) -> None:
        """Says how the connection is where several share it."""
        if self._link.via is not None:
            said = encode(Status(word, self._link.connected_at))
            await send(client, f"{self._venue}/{self._link.via}", said, retain=True)

    def _serve_one(self, client: aiomqtt.Client, tasks: asyncio.TaskGroup, channel: AnyChannel) -> None:
        self._served[channel] = tasks.create_task(self._keep(client, channel), name=f"mqtt {channel.feed.topic}")

    async def _keep(self, client: aiomqtt.Client, carried: Carried) -> None:
        """What meets a defect begins again; the others go on. Raises what ends a connection."""
        while True:
            try:
                await carried.serve(client)
            except* (aiomqtt.MqttError, DeviceError, OSError):
                raise
            except* Exception as group:
                _report(carried, first_of(group))
            await asyncio.sleep(MENDS_S)

    def _pass_on(self, message: aiomqtt.Message) -> None:
        """To whom it is for."""
        beside = next((each for each in self._besides if any(map(message.topic.matches, each.topics))), None)
        base = message.topic.value
        while base and base not in self._channels:
            base = base.rpartition("/")[0]
        heard = beside if beside is not None else self._channels.get(base)
        if heard is not None:
            try:
                heard.hear(message)
            except Exception as error:  # a defect, which the other boards of the connection do not share
                _report(heard, error)


def identifier(name: str, version: aiomqtt.ProtocolVersion, nodes: Sequence[MqttConfig], node: MqttConfig) -> str:
    """By what a node knows who is called ``name``.

    By MQTT 3.1.1 another one at each: RabbitMQ 3.10 binds what comes for a client to the node where he was, and while
    that is down it lets nobody of his name hear anything at any other. It keeps nothing there that we would miss.
    """
    if version == aiomqtt.ProtocolVersion.V5 or len(nodes) == 1:
        return name
    return f"{name}-{nodes.index(node) + 1}"


def _report(carried: Carried, error: BaseException) -> None:
    log.error("%s: a defect", carried.base, exc_info=error)
    failed = JadoubeError(f"{carried.name} failed: {error!r}", "a defect", "report it with the log")
    carried.notices.set(carried.name, error if isinstance(error, JadoubeError) else failed)
