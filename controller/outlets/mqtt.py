"""MQTT: the games as topics under ``jadoube/v1/<venue>/board/<id>/``, and commands from there.

=======  ========  ===================================================================================================
status   retained  ``online`` or ``offline`` (also the last will), and what is wrong at present
state    retained  position, last move, players, result
clock    retained  both clocks at ``ms``, and which one has been running since
head     retained  the last record's number and hash
move               each move made or taken back
event              each event, and the answers to commands that name no topic for them
alert              the events that want an arbiter
cmd      (to us)   an input of the contract without ``ms``, ``{"type": "new-game"}``, ``{"type": "replay", "after": 7}``
=======  ========  ===================================================================================================

A match à quatre has the same under ``match/<id>/`` for both boards together, and under ``board/<id>/`` for each.

Every payload is JSON with ``seq``, ``game`` and ``ply``. What is new is sent the moment it is on the disk, moves and
alerts first; what is retained follows, and in a burst only as it stands at the end. A broker's acknowledgement is not
durability, so the journal is the outbox: after a break everything beyond the cursor is sent again, and receivers tell
repeats by ``seq``.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated, Generic, Literal

import aiomqtt
import msgspec
from msgspec import Meta, Struct

from controller.errors import JadoubeError, LogError
from controller.journal import Journal, Opening
from controller.outlets import topics
from controller.outlets.connection import MqttConfig, client_of, explain, other, unreachable
from controller.outlets.follow import Follower, S
from controller.outlets.line import Line, publish
from controller.outlets.notices import Notices
from controller.outlets.topics import Message

log = logging.getLogger(__name__)

RETRY_S = (0.5, 30.0)  #: the first and the longest wait before the next attempt to connect
SETTLE_S = 0.005  #: what is retained waits so long: it must not stand in the way of what is new
FAREWELL_S = 2.0  #: how long an orderly stop may take to say so

Command = Callable[[bytes], Awaitable[int]]
"""Carries out a command; returns the number of its record. Raises :exc:`JadoubeError` where it is refused."""


class Feed(Struct, Generic[S], frozen=True):
    """What is published, and where."""

    topic: str  #: ``board/7``; what comes before it is the same for all of a venue
    board: str  #: as the journal names it
    begin: Callable[[Opening], S]  #: what is kept of a game
    name: str = "mqtt"  #: of the cursor and of the notices


class Replay(Struct, frozen=True, forbid_unknown_fields=True, tag="replay"):
    """A receiver asks for the events after a record once more."""

    after: Annotated[int, Meta(ge=0)]


class _Typed(Struct):
    type: str = ""


class MqttOutlet(Generic[S]):
    """Publishes one ``feed``; ``carry_out`` is handed what arrives on its ``cmd``."""

    def __init__(
        self, config: MqttConfig, venue: str, feed: Feed[S], journal: Journal, notices: Notices, carry_out: Command
    ) -> None:
        self.base = f"jadoube/v1/{venue}/{feed.topic}"
        self.version = aiomqtt.ProtocolVersion.V5  #: the one in use, or tried next
        self._config = config
        self.port = config.number
        self.name = feed.name
        self._feed = feed
        self._journal = journal
        self._notices = notices
        self._carry_out = carry_out
        self._now = self._follow(journal.cursor(feed.name))
        self._unconfirmed: deque[tuple[int, list[Message]]] = deque()  # batches sent, each with its last record
        self._told = self._now.seq  # up to here all that was new has been sent, though perhaps not confirmed
        self._stale: set[str] = set()  # retained topics that are to be told anew
        self._news = asyncio.Event()  # there are such, or the cursor is to move

    async def run(self) -> None:
        """Connects, publishes, and comes back after every break, until cancelled."""
        shortest, longest = RETRY_S
        delay = shortest
        while True:
            connected = False
            try:
                async with self._client() as client:
                    connected, delay = True, shortest
                    log.info("connected to the broker %s, MQTT %s", self._config.address, self.version.name)
                    self._notices.clear(self.name)
                    await self._serve(client)
            except* (aiomqtt.MqttError, JadoubeError, OSError) as group:
                error = _first(group)
                self._notices.set(self.name, explain(self._config, self.version, error, connected))
                if not connected and not unreachable(error):
                    self.version = other(self.version)
            await asyncio.sleep(delay)
            delay = min(2 * delay, longest)

    # -- one connection ------------------------------------------------------------------------------------------

    def _client(self) -> aiomqtt.Client:
        said = topics.status(self._now, "offline")
        will = aiomqtt.Will(f"{self.base}/{said.topic}", said.payload, qos=1, retain=said.retain)
        return client_of(self._config, self.version, will)

    async def _serve(self, client: aiomqtt.Client) -> None:
        await client.subscribe(f"{self.base}/cmd", qos=1)
        self._stale = {"state", "clock", "head"}  # a broker that was restarted may have forgotten them
        try:
            async with asyncio.TaskGroup() as tasks:
                line = Line(client, self.base, tasks)
                tasks.create_task(self._report(client), name="mqtt status")
                tasks.create_task(self._tell(line), name="mqtt tell")
                tasks.create_task(self._retain(line), name="mqtt retain")
                tasks.create_task(self._confirm(line), name="mqtt confirm")
                tasks.create_task(self._listen(client), name="mqtt commands")
        except asyncio.CancelledError:
            with contextlib.suppress(aiomqtt.MqttError, TimeoutError):
                async with asyncio.timeout(FAREWELL_S):
                    await publish(client, self.base, self._status("offline"))
            raise

    async def _tell(self, line: Line) -> None:
        """Sends what a break left unconfirmed, then what is new."""
        for seq, messages in list(self._unconfirmed):
            await line.hand_over(seq, messages)
        self._news.set()
        async for batch in self._now.batches():
            messages = list(topics.tell(batch))
            self._unconfirmed.append((self._now.seq, messages))
            self._stale |= topics.stale(batch)
            await line.hand_over(self._now.seq, messages)
            self._told = self._now.seq
            self._news.set()

    async def _retain(self, line: Line) -> None:
        """Brings the retained topics up to date, once things have settled."""
        while True:
            await self._news.wait()
            await asyncio.sleep(SETTLE_S)
            self._news.clear()
            stale, self._stale = self._stale, set()
            messages = list(topics.retained(self._now, self._journal.head, stale))
            await line.hand_over(self._told, messages, closing=True)

    async def _confirm(self, line: Line) -> None:
        """Moves the cursor as far as everything is acknowledged; a batch cut short is sent again, whole."""
        async for bundle in line.confirmed():
            if bundle.closing:
                self._journal.move_cursor(self.name, bundle.seq)
            else:
                self._unconfirmed.popleft()

    async def _report(self, client: aiomqtt.Client) -> None:
        """Says that we are here, and again whenever the notices are others than those told last."""
        told = None
        while True:
            if (current := self._notices.current) != told:
                told = current
                await publish(client, self.base, self._status("online"))
            else:
                await self._notices.changed()

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            topic = getattr(message.properties, "ResponseTopic", None) or f"{self.base}/event"
            payload = message.payload if isinstance(message.payload, bytes) else b""
            async for answer in self._answers(payload):
                await client.publish(topic, answer, qos=1)

    def _follow(self, since: int) -> Follower[S]:
        return Follower(self._journal, self._feed.board, since, self._feed.begin)

    def _status(self, word: Literal["online", "offline"]) -> Message:
        return topics.status(self._now, word, self._notices.current)

    # -- commands ------------------------------------------------------------------------------------------------

    async def _answers(self, payload: bytes) -> AsyncIterator[bytes]:
        try:
            if msgspec.json.decode(payload, type=_Typed).type == "replay":
                again = self._follow(msgspec.json.decode(payload, type=Replay).after)
                while again.seq < self._now.seq and (batch := again.read()):
                    for news in batch:
                        if news.event is not None:
                            yield topics.event(news, replayed=True)
                yield topics.done(self._now, again.seq)
            else:
                yield topics.done(self._now, await self._carry_out(payload))
        except JadoubeError as error:
            yield topics.refused(self._now, error)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield topics.refused(self._now, LogError(f"malformed command: {error}", "a slip in the JSON"))


def _first(group: BaseException) -> BaseException:
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group
