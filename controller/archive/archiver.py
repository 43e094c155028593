"""From the broker to the database: events are acknowledged once they are committed, and not before.

What comes twice is written once, so nothing is lost or doubled whichever of the two goes, or this process. What is
known to be missing the board is asked for. The tables notice nothing of all this.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from typing import TypeVar

import psycopg
from aio_pika.abc import AbstractChannel, AbstractConnection, AbstractExchange, AbstractIncomingMessage, AbstractQueue
from msgspec import Struct

from controller.archive import database, queues
from controller.archive.clocks import Clocks
from controller.archive.database import Behind, Database
from controller.archive.heard import Foreign, GoneAnswer, QueuedDocket, QueuedEvent, QueuedHead, VenueBoard, read
from controller.archive.settings import ArchiveConfig
from controller.errors import DeviceError, JadoubeError
from controller.wire import encode

log = logging.getLogger(__name__)

BATCH = 1000  #: messages
AHEAD = 4 * BATCH  #: so many may be on their way to us, not acknowledged
GATHER_S = 0.02  #: so long it is waited for more of a batch
REST_S = 0.1  #: so long it is waited between two batches of heads, for which nobody waits
LOOK_S = 1.0  #: how often it is looked who is behind
TRY_S = 5.0  #: how often it is tried whether the broker takes anything
AGAIN_S = (2.0, 60.0)  #: how long at first, and at most, it is waited for what a board was asked for
RETRY_S = (0.5, 15.0)  #: the first and the longest wait before the next attempt to connect

T = TypeVar("T")


class Tally(Struct):
    """What an archiver has done."""

    events: int = 0  #: written
    again: int = 0  #: events that were there already
    foreign: int = 0  #: that made no sense, or contradicted what is archived
    asked: int = 0  #: for a replay
    commits: int = 0


class Lag(Struct, frozen=True):
    """How far the archive is behind its boards."""

    boards: int
    seconds: float  #: for which the board that is longest behind has been so
    twins: int  #: boards that are named twice


class Archiver:
    """One of as many as are wanted. :meth:`run` until cancelled."""

    def __init__(self, config: ArchiveConfig) -> None:
        self.config = config
        self.tally = Tally()
        self.trouble: JadoubeError | None = None  #: why nothing is archived at present
        self.refused: DeviceError | None = None  #: why the broker takes nothing at present
        self.lag: Lag | None = None  #: where it is this archiver that hears how far boards are
        self.clocks = Clocks()
        self._since: dict[VenueBoard, float] = {}  # when each board that is behind was found so
        #: of each board and up to where it is archived: when it was asked, and how long to wait before it is again
        self._asked: dict[tuple[VenueBoard, int], tuple[float, float]] = {}

    @property
    def blocked(self) -> bool:
        """Whether the broker takes nothing at present, for want of disk or memory."""
        return self.refused is not None

    async def run(self) -> None:
        """Archives, and comes back after every break."""
        delay, longest = RETRY_S
        while True:
            try:
                async with (
                    queues.connected(self.config.broker) as connection,
                    queues.connected(self.config.broker) as asking,  # a broker that is full reads no more of that one
                ):
                    await self._serve(connection, asking)
            except* (JadoubeError, psycopg.Error, *queues.BROKEN_OFF) as group:
                was_archiving = self.trouble is None
                delay = RETRY_S[0] if was_archiving else min(2 * delay, longest)
                self._tell(database.explained(group, self.config.database))
            finally:
                self.lag = None
            await asyncio.sleep(delay)

    async def _serve(self, connection: AbstractConnection, asking: AbstractConnection) -> None:
        events, heads = await queues.opened(connection, AHEAD), await queues.opened(connection, AHEAD)
        names = await queues.declare(events, self.config.parts)
        questions = await queues.opened(asking, AHEAD)
        published = await questions.get_exchange(queues.PUBLISHED)
        probe = await queues.probe(asking)
        await (await queues.times(heads)).consume(self._hear_time, no_ack=True)
        async with _open(self.config) as events_to, _open(self.config) as heads_to, asyncio.TaskGroup() as tasks:
            if self.trouble is not None:
                log.info("archiving again")
            self.trouble = None
            for work in (
                self._archive(await _messages([await events.get_queue(name) for name in names]), events_to),
                self._keep_heads(heads, heads_to, published),
                queues.until_closed(events),
                queues.until_closed(heads),
                queues.until_closed(questions),
                self._try_for_ever(probe),
            ):
                tasks.create_task(work)

    async def _archive(self, coming: asyncio.Queue[AbstractIncomingMessage], base: Database) -> None:
        while True:
            batch = await _some(coming)
            heard = [read(message.routing_key or "", message.body) for message in batch]
            written = await base.write(
                [each for each in heard if isinstance(each, QueuedEvent)],
                [each for each in heard if isinstance(each, GoneAnswer)],
                [each for each in heard if isinstance(each, Foreign)],
            )
            await base.keep([each for each in heard if isinstance(each, QueuedDocket)])
            await batch[-1].ack(multiple=True)
            self.tally.events += written.new
            self.tally.again += written.again
            self.tally.foreign += written.troubles
            self.tally.commits += 1
            if written.troubles:
                log.warning("%d messages are noted in the table trouble, with why", written.troubles)

    async def _keep_heads(self, channel: AbstractChannel, base: Database, published: AbstractExchange) -> None:
        """One archiver alone hears how far boards are, until it goes; and that one asks for what is missing."""
        while not await base.is_chief():
            await asyncio.sleep(LOOK_S)
        told, turn = await _messages([await queues.heads(channel)], no_ack=True), asyncio.Lock()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._ask_for_ever(base, published, turn))
            while True:
                heard = [read(message.routing_key or "", message.body) for message in await _some(told)]
                kept = [each for each in heard if isinstance(each, QueuedHead)]
                async with turn:
                    self.tally.foreign += await base.keep_heads(kept)
                await asyncio.sleep(REST_S)  # most boards have told more than once by then

    async def _ask_for_ever(self, base: Database, published: AbstractExchange, turn: asyncio.Lock) -> None:
        """``turn``: whose turn at the database it is; what is asked in the midst of another's transaction would fail
        with it, and hide why."""
        while True:
            async with turn:
                behind = await base.behind()
            self.lag = self._lag(behind, len(base.twins.found))
            if not self.blocked:
                await self._ask(behind, published)
            await asyncio.sleep(LOOK_S)

    def _lag(self, behind: list[Behind], twins: int) -> Lag:
        now = time.monotonic()
        self._since = {each.place: self._since.get(each.place, now) for each in behind}
        longest = now - min(self._since.values(), default=now)
        return Lag(len(behind), longest, twins)

    async def _ask(self, behind: list[Behind], published: AbstractExchange) -> None:
        """What is on its way already is given some time to arrive."""
        now, first = time.monotonic(), AGAIN_S[0]
        waiting = [(each.place, each.after) for each in behind]
        self._asked = {each: self._asked.get(each, (now, first)) for each in waiting}
        for (place, after), (at, patience) in self._asked.items():
            if now - at >= patience:
                self._asked[place, after] = now, min(2 * patience, AGAIN_S[1])
                self.tally.asked += 1
                await queues.ask(published, place.topic("replay"), encode({"type": "replay", "after": after}))

    async def _try_for_ever(self, probe: queues.Probe) -> None:
        while True:
            refused = await probe.refused()
            if refused is not None and self.refused is None:
                log.error("%s", refused)
            elif refused is None and self.refused is not None:
                log.info("the broker takes what is published again")
            self.refused = refused
            await asyncio.sleep(TRY_S)

    async def _hear_time(self, message: AbstractIncomingMessage) -> None:
        self.clocks.hear(message.routing_key or "", message.body)

    def _tell(self, error: JadoubeError) -> None:
        if str(error) != str(self.trouble):
            log.error("nothing is archived: %s", error)
        self.trouble = error


@contextlib.asynccontextmanager
async def _open(config: ArchiveConfig) -> AsyncIterator[Database]:
    base = await database.connect(config.database)
    try:
        yield base
    finally:
        await base.close()


async def _messages(of: list[AbstractQueue], *, no_ack: bool = False) -> "asyncio.Queue[AbstractIncomingMessage]":
    """What comes from these queues, as it comes."""
    coming: asyncio.Queue[AbstractIncomingMessage] = asyncio.Queue()
    for queue in of:
        await queue.consume(coming.put, no_ack=no_ack)
    return coming


async def _some(queue: "asyncio.Queue[T]") -> list[T]:
    """At least one, and what else comes within a moment."""
    found = [await queue.get()]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GATHER_S):
            while len(found) < BATCH:
                found.append(queue.get_nowait() if not queue.empty() else await queue.get())
    return found
