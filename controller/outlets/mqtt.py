"""MQTT: the games as topics under ``jadoube/v1/<venue>/board/<id>/``, and commands from there.

========  ========  ===================================================================================================
status    retained  ``online`` or ``offline`` (also the last will), whether a game is on or what begins the next one,
                    and what is wrong at present
health    retained  the same with what is measured of the machine
state     retained  position, last move, players, result
clock     retained  both clocks at ``ms``, and which one has been running since
head      retained  the last record's number and hash, and the last event
move                each move made or taken back
event               each event, and the answers to commands that name no topic for them
alert               the events that want an arbiter
last-…    retained  ``last-alert``: the last of these in the game
answer/…            the answers to those that do
cmd/…     (to us)   an input of the contract without ``ms``, ``{"type":"new-game"}``, ``{"type":"replay","after":7}``
replay    (to us)   the last of these alone
public/…            status, state, clock and move for everybody, as late as the event has it: see :mod:`.public`
========  ========  ===================================================================================================

A match à quatre has the same under ``match/<id>/`` for both boards together, and under ``board/<id>/`` for each.

Every payload is JSON with ``seq``, ``game`` and ``ply``, but for a last will, which cannot know them. What is new is
sent the moment it is on the disk, moves and alerts first; what is retained follows, in a burst only as it stands at the
end. A broker's acknowledgement is not durability, so the journal is the outbox: after a break everything beyond the
cursor is sent again, and receivers tell repeats by ``seq``, gaps by ``after``. What they may rely on stands in
docs/mqtt.md.
"""

import asyncio
import contextlib
import logging
import math
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, Literal

import aiomqtt
from msgspec import Struct

from controller.errors import DeviceError, JadoubeError
from controller.journal import Journal, Opening
from controller.outlets import inbox, remembered, topics
from controller.outlets.connection import MqttConfig, client_of, explain, other, unreachable
from controller.outlets.door import Door
from controller.outlets.follow import Follower, Readable, S
from controller.outlets.inbox import Command, Inbox
from controller.outlets.line import Line, publish
from controller.outlets.memory import Memory
from controller.outlets.notices import Notice, Notices
from controller.outlets.topics import HALL, Message, Phase, Status, Voice

log = logging.getLogger(__name__)

RETRY_S = (0.5, 30.0)  #: the first and the longest wait before the next attempt to connect
SETTLE_S = 0.005  #: what is retained waits so long: it must not stand in the way of what is new
BATCH = 16  #: records; what a break leaves unconfirmed is sent again whole, so that even on a bad network it gets on
FAREWELL_S = 2.0  #: how long an orderly stop may take to say so
HEAD_S = 2.0  #: so long at most it is waited for the head that the broker remembers, once
ECHO_S = 10.0  #: within which time what we publish comes back to us
HEALTH_S = 60.0  #: how often the figures are told where nothing else changes, and whether all comes back is tried anew


class Feed(Struct, Generic[S], frozen=True):
    """What is published, and where."""

    topic: str  #: ``board/7``; what comes before it is the same for all of a venue
    board: str  #: as the journal names it
    begin: Callable[[Opening], S]  #: what is kept of a game
    name: str = "mqtt"  #: of the cursor and of the notices
    voice: Voice = HALL


class MqttOutlet(Generic[S]):
    """Publishes one ``feed`` of what it reads in ``source``; its cursor stands in the journal.

    ``carry_out`` is handed what arrives on its ``cmd``; without it, nothing is listened to. ``phase``: whether
    a game is on or may begin, for ``status``. ``health``: the figures that go with the notices on ``health``; without
    it, neither are told.
    """

    def __init__(
        self,
        config: MqttConfig,
        venue: str,
        feed: Feed[S],
        journal: Journal,
        notices: Notices,
        memory: Memory,
        carry_out: Command | None = None,
        *,
        phase: Callable[[], Phase] | None = None,
        source: Readable | None = None,
        health: Callable[[], dict[str, Any]] | None = None,
    ) -> None:
        self.base = f"jadoube/v1/{venue}/{feed.topic}"
        self.version = aiomqtt.ProtocolVersion.V5  #: the one in use, or tried next
        self._config = config
        self.port = config.number
        self.name = feed.name
        self._feed = feed
        self._journal = journal
        self._source = journal if source is None else source
        self._notices = notices
        self._carry_out = carry_out
        self._door = Door(self.base, config.commands, config.keys_file, memory)
        self._health = health
        self._phase = phase
        # The same for ever, so that a broker which still holds the last connection ends it, last will and all, before
        # this one begins, and then hands over what came in between; and one that no other client can guess, for it
        # could end ours with it.
        self._identifier = f"jadoube-{feed.topic.replace('/', '-')}-{memory.name}"
        self._connected_at = 0  # of the present connection or the next attempt, in ms since 1970
        self._now = self._follow(journal.cursor(feed.name))
        self._unconfirmed: deque[tuple[int, list[Message]]] = deque()  # batches sent, each with its last record
        self._confirmed = self._now.seq  # the last record of the last batch that was
        self._handed = self._now.seq  # up to here all has been handed to the present connection
        self._stale: set[str] = set()  # retained topics that are to be told anew
        self._news = asyncio.Event()  # there are such, or the cursor is to move
        self._echo = asyncio.Event()  # what we said of ourselves came back
        self._again = asyncio.Event()  # so it did since that was tried last
        self._heard = False  # so it did, on any connection
        self._belied = asyncio.Event()  # something else was said of us
        self._connections: deque[int] = deque(maxlen=100)  # each of this process by when it began
        self._doubled_s = -math.inf  # when somebody else said last that he is this board, by the monotonic clock
        self._remembered: bytes | None = None  # by the broker, of the head that was published last
        self._compared = "head" not in feed.voice.topics  # with the journal, before anything is told
        self._here = asyncio.Event()  # so what comes now was sent to a board that was said to be there

    async def run(self) -> None:
        """Connects, publishes, and comes back after every break, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            commands = None
            if self._carry_out is not None:
                commands = Inbox(self.base, self._door, self._carry_out, self._now, self._follow, tasks)
            await self._come_back(commands)

    async def _come_back(self, commands: Inbox[S] | None) -> None:
        shortest, longest = RETRY_S
        delay = shortest
        while True:
            connected = False
            self._echo.clear()
            self._here.clear()
            self._connected_at = max(time.time_ns() // 1_000_000, self._connected_at + 1)
            self._connections.append(self._connected_at)
            try:
                async with self._client() as client:
                    connected = True
                    log.info("connected to the broker %s, MQTT %s", self._config.address, self.version.name)
                    self._notices.clear(self.name)
                    await self._serve(client, commands)
            except* (aiomqtt.MqttError, JadoubeError, OSError) as group:
                error = _first(group)
                if connected and not self._echo.is_set():
                    self._notices.set(self.name, self._unheard(f"breaks off when we publish under {self.base}"))
                else:
                    self._notices.set(self.name, await explain(self._config, self.version, error, connected))
                if not connected and not unreachable(error):
                    self.version = other(self.version)
            if self._is_doubled:
                delay = longest  # with a copy of our files he has our name there: we throw each other out
            elif self._echo.is_set():
                delay = shortest
            await asyncio.sleep(delay)
            delay = min(2 * delay, longest)

    # -- one connection ------------------------------------------------------------------------------------------

    def _client(self) -> aiomqtt.Client:
        said = topics.will(self._connected_at)
        will = aiomqtt.Will(f"{self.base}/{said.topic}", said.payload, qos=1, retain=said.retain)
        return client_of(self._config, self.version, will, self._identifier, stays=self._carry_out is not None)

    async def _serve(self, client: aiomqtt.Client, commands: Inbox[S] | None) -> None:
        heard = [*inbox.TOPICS, "status"] if commands is not None else ["status"]
        heard += [] if self._compared else ["head"]
        await asyncio.gather(*(client.subscribe(f"{self.base}/{topic}", qos=1) for topic in heard))
        self._stale = set(self._feed.voice.topics)  # a broker that was restarted may have forgotten them
        try:
            async with asyncio.TaskGroup() as tasks:
                line = Line(client, self.base, tasks)
                tasks.create_task(self._report(client), name="mqtt status")
                tasks.create_task(self._begin(client, line), name="mqtt tell")
                tasks.create_task(self._retain(line), name="mqtt retain")
                tasks.create_task(self._confirm(line), name="mqtt confirm")
                tasks.create_task(self._listen(client, commands), name="mqtt listen")
                if commands is not None:
                    tasks.create_task(commands.serve(client, self._here), name="mqtt commands")
                tasks.create_task(self._check_echo(client), name="mqtt echo")
                tasks.create_task(self._put_right(client), name="mqtt put right")
        except asyncio.CancelledError:
            with contextlib.suppress(aiomqtt.MqttError, TimeoutError):
                async with asyncio.timeout(FAREWELL_S):
                    await publish(client, self.base, self._status("offline"))
            raise

    async def _begin(self, client: aiomqtt.Client, line: Line) -> None:
        if not self._compared:
            await self._compare(client)
        await self._tell(line)

    async def _tell(self, line: Line) -> None:
        """Sends what a break left unconfirmed, then what is new."""
        self._handed = self._confirmed
        for seq, messages in list(self._unconfirmed):
            await line.hand_over(seq, messages)
            self._handed = seq
        self._news.set()
        while True:
            await self._now.more()
            batch = self._now.read(BATCH)
            messages = list(self._feed.voice.tell(batch))
            self._unconfirmed.append((self._now.seq, messages))
            self._stale |= self._feed.voice.stale(batch)
            await line.hand_over(self._now.seq, messages)
            self._handed = self._now.seq
            self._news.set()

    async def _retain(self, line: Line) -> None:
        """Brings the retained topics up to date, once things have settled; what is long past is not told as present."""
        while True:
            await self._news.wait()
            await asyncio.sleep(SETTLE_S)
            self._news.clear()
            seq, messages = self._handed, list[Message]()
            if seq == self._now.seq and not self._source.after(seq + BATCH, limit=1):
                stale, self._stale = self._stale, set()
                messages = list(self._feed.voice.retained(self._now, stale))
            await line.hand_over(seq, messages, closing=True)

    async def _confirm(self, line: Line) -> None:
        """Moves the cursor as far as everything is acknowledged; to the end only with what is retained. A batch cut
        short is sent again, whole.
        """
        async for bundle in line.confirmed():
            if not bundle.closing:
                self._confirmed, _ = self._unconfirmed.popleft()
            if (bundle.closing or self._unconfirmed) and bundle.seq > self._journal.cursor(self.name):
                self._journal.move_cursor(self.name, bundle.seq)

    async def _report(self, client: aiomqtt.Client) -> None:
        """Says that we are here and how we are, and again whenever the notices are others than those told last."""
        told = None
        while True:
            if (current := self._at_present) != told:
                told = current
                await publish(client, self.base, self._status("online"))
            if self._health is not None:
                await publish(client, self.base, topics.health(self._now, self._notices.current, self._health()))
            if self._at_present == told:
                # Not wait_for: it may lose a cancellation, and so keep us from stopping.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(HEALTH_S):
                        await self._notices.changed()

    async def _listen(self, client: aiomqtt.Client, commands: Inbox[S] | None) -> None:
        async for message in client.messages:
            if message.topic.value == f"{self.base}/head":
                if message.retain and isinstance(message.payload, bytes):
                    self._remembered = message.payload
            elif message.topic.value == f"{self.base}/status":
                self._hear_of_us(message)
            elif commands is not None:
                commands.take(message, here=self._here.is_set())

    async def _compare(self, client: aiomqtt.Client) -> None:
        """What was told before this start must be in the journal: an older copy may have been put in its place. What a
        broker remembers it sends before the echo of what is said later.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HEAD_S):
                await self._echo.wait()
        await client.unsubscribe(f"{self.base}/head")  # else each move would come back as a head
        told = remembered.read(self._remembered)
        if why := remembered.contradicts(told, self._journal):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HEAD_S):
                    await asyncio.wrap_future(self._journal.disown(why, told.seq))
        elif (notice := remembered.another(told, self._journal, self.name)) is not None:
            self._notices.set("journal restored", notice)
        self._compared = True

    # -- what is said of us --------------------------------------------------------------------------------------

    def _hear_of_us(self, message: aiomqtt.Message) -> None:
        """Our own words come back. Those of a connection that died long ago, its last will, are put right; so are those
        of another who says that he is this board.
        """
        said = topics.read_status(message.payload)
        if said is not None and said.state == "online" and said.connected_at not in self._connections:
            # What is retained may be of a process before this one, as long as none of this one was there.
            if self._here.is_set() or (message.retain and self._heard):
                self._doubled_s = time.monotonic()
                self._notices.set(self._twin, self._doubled())  # which tells of us anew, once
        elif message.retain:
            pass
        elif said is not None and said.state == "online" and said.connected_at == self._connected_at:
            self._heard = True
            self._echo.set()
            self._again.set()
            self._here.set()
        elif self._here.is_set():
            self._belied.set()
            if said is not None:
                self._doubled_s = -math.inf
                self._notices.clear(self._twin)

    async def _put_right(self, client: aiomqtt.Client) -> None:
        """However much is said, once for each answer of the broker."""
        while True:
            await self._belied.wait()
            await asyncio.sleep(SETTLE_S)
            self._belied.clear()
            await publish(client, self.base, self._status("online"))

    async def _check_echo(self, client: aiomqtt.Client) -> None:
        """A broker acknowledges what its access list lets nobody hear; and one that has told us for hours may stop."""
        try:
            async with asyncio.timeout(ECHO_S):
                await self._echo.wait()
        except TimeoutError:
            self._notices.set(self.name, self._unheard(f"passes on to nobody what we publish under {self.base}"))
            self._here.set()
            await self._echo.wait()
            self._notices.clear(self.name)
        while True:
            await asyncio.sleep(HEALTH_S)
            self._again.clear()
            await publish(client, self.base, self._status("online"))
            try:
                async with asyncio.timeout(ECHO_S):
                    await self._again.wait()
            except TimeoutError:
                what = f"the broker {self._config.address} passes on nothing to us any more"
                cause = "it is overloaded, or waits for us to take what it could not send"
                raise DeviceError(what, cause, "we connect anew by ourselves") from None
            if not self._is_doubled:
                self._notices.clear(self._twin)

    @property
    def _is_doubled(self) -> bool:
        """Whether somebody else says that he is this board; he would do so again each minute."""
        return time.monotonic() - self._doubled_s < 2 * HEALTH_S + ECHO_S

    @property
    def _twin(self) -> str:
        return f"{self.name} twin"

    def _doubled(self) -> DeviceError:
        return DeviceError(
            f"somebody else says at the broker {self._config.address} that he is {self._feed.topic}",
            "two daemons have one [event] venue and board, as on a copied card; or it is a forgery",
            "give each board a number of its own",
        )

    def _unheard(self, what: str) -> DeviceError:
        cause = f"its access list does not let {self._config.user or 'us'} write and read there, or it is overloaded"
        remedy = "jadoube broker-config --out DIR: one that does"
        return DeviceError(f"the broker {self._config.address} {what}", cause, remedy)

    def _follow(self, since: int) -> Follower[S]:
        return Follower(self._source, self._feed.board, since, self._feed.begin)

    @property
    def _at_present(self) -> tuple[tuple[Notice, ...], Phase | None]:
        notices = self._notices.current if self._feed.voice is HALL else ()
        return notices, None if self._phase is None else self._phase()

    def _status(self, word: Literal["online", "offline"]) -> Message:
        notices, phase = self._at_present
        return topics.status(self._now, Status(word, self._connected_at, list(notices)), phase)


def _first(group: BaseException) -> BaseException:
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group
