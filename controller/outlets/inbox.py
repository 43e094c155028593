"""What comes in by MQTT while a connection lasts: commands, and requests for what a receiver has missed.

Commands come on ``cmd``, or on ``cmd/<user>`` where the broker's access list lets each write under his own name alone.
They are handed over in the order in which they came; each is answered once its record is on the disk. Requests for a
replay come there too, or on ``replay``, which whoever reads may be allowed to write; they are served one after the
other, beside the commands. A retained command is not carried out: it would be again at each connection.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from typing import Annotated, Generic, Protocol

import aiomqtt
import msgspec
from msgspec import Meta, Struct
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.errors import AccessError, JadoubeError, LogError
from controller.outlets import topics
from controller.outlets.door import Door
from controller.outlets.follow import Follower, S
from controller.outlets.line import send

log = logging.getLogger(__name__)

TOPICS = ("cmd", "cmd/+", "replay")
WAITING = 32  #: so many commands may wait for the disk
REPLAYS = 8  #: so many who ask for one may wait for their turn
AT_ONCE = 20  #: events of a replay that are on the way at a time


class Command(Protocol):
    """Carries out a command, given ``by`` whom it was sent if that is known; returns the number of its record.

    Raises :exc:`JadoubeError` where it is refused.
    """

    def __call__(self, payload: bytes, *, by: str | None) -> Awaitable[int]: ...


class Replay(Struct, frozen=True, forbid_unknown_fields=True, tag="replay"):
    """A receiver asks for the events after a record once more."""

    after: Annotated[int, Meta(ge=0, lt=2**53)]


class _Typed(Struct):
    type: str = ""


class Address(Struct, frozen=True):
    """Where an answer goes: a topic, and what the asker put on his question to know the answer by."""

    topic: str
    correlation: bytes | None = None


class Inbox(Generic[S]):
    """Of the board at ``base``. ``now`` has told what it took; ``follow`` makes another one for a replay.

    ``tasks`` ends with the connection.
    """

    def __init__(
        self,
        client: aiomqtt.Client,
        base: str,
        door: Door,
        carry_out: Command,
        now: Follower[S],
        follow: Callable[[int], Follower[S]],
        tasks: asyncio.TaskGroup,
    ) -> None:
        self._client = client
        self._base = base
        self._door = door
        self._carry_out = carry_out
        self._now = now
        self._follow = follow
        self._tasks = tasks
        self._room = asyncio.Semaphore(WAITING)
        self._replays: dict[Address, int] = {}  # for whom, and after which record; of two the one that tells more
        self._asked = asyncio.Event()
        tasks.create_task(self._replay(), name="mqtt replays")

    def take(self, message: aiomqtt.Message) -> None:
        """Something was published for us. Returns at once; whatever is asked is answered."""
        topic, user = _below(message.topic.value.removeprefix(f"{self._base}/"))
        if message.retain:
            log.warning("a retained message on %s is not looked at: take it away", message.topic.value)
            return
        payload = message.payload if isinstance(message.payload, bytes) else b""
        self._tasks.create_task(self._see_to(topic, payload, user, self._address(message)))

    async def _see_to(self, topic: str, payload: bytes, user: str | None, address: Address) -> None:
        try:
            if (replay := _read_replay(payload, always=topic == "replay")) is not None:
                self._note(replay, address)
                return
            if self._room.locked():
                raise AccessError(f"{WAITING} commands wait already", "a slow or full disk, or too many at once")
            async with self._room:
                command, by = self._door.admit(payload, user)
                answer = topics.done(self._now, await self._carry_out(command, by=by))
        except JadoubeError as error:
            log.info("a command of %s is refused: %s", user or "somebody", error.what)
            answer = topics.refused(self._now, error)
        await self._send(answer, address)

    def _note(self, replay: Replay, address: Address) -> None:
        if address not in self._replays and len(self._replays) >= REPLAYS:
            raise AccessError(f"{REPLAYS} wait for a replay already", "too many at once", "ask again later")
        self._replays[address] = min(replay.after, self._replays.get(address, replay.after))
        self._asked.set()

    async def _replay(self) -> None:
        while True:
            while not self._replays:
                self._asked.clear()
                await self._asked.wait()
            address = next(iter(self._replays))
            again = self._follow(self._replays.pop(address))
            events = _events(again, self._now)
            while some := list(islice(events, AT_ONCE)):
                async with asyncio.TaskGroup() as sending:
                    for event in some:
                        sending.create_task(self._send(event, address))
            await self._send(topics.done(self._now, again.seq, again.gone), address)

    async def _send(self, answer: bytes, address: Address) -> None:
        properties = None
        if address.correlation is not None:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.CorrelationData = address.correlation
        await send(self._client, address.topic, answer, properties=properties)

    def _address(self, message: aiomqtt.Message) -> Address:
        """A topic of the asker's choice only among those for answers: we may write others that he may not."""
        asked = getattr(message.properties, "ResponseTopic", None) or ""
        if asked.startswith(f"{self._base}/answer/") and not set(asked) & set("+#\0"):
            return Address(asked, getattr(message.properties, "CorrelationData", None))
        return Address(f"{self._base}/event")


def _events(again: Follower[S], now: Follower[S]) -> Iterator[bytes]:
    """What was told before, read bit by bit up to what is told at that time."""
    before = -1
    while before < again.seq < now.seq:
        before = again.seq
        for news in again.read(AT_ONCE):
            yield topics.event(news, replayed=True)


def _below(topic: str) -> tuple[str, str | None]:
    """``cmd`` and ``anna`` of ``cmd/anna``."""
    first, _, user = topic.partition("/")
    return first, user or None


def _read_replay(payload: bytes, *, always: bool) -> Replay | None:
    """The request, if it is one. Raises :exc:`LogError` where it is malformed; ``always`` it has to be one."""
    if not always and not _asks_for_replay(payload):
        return None
    try:
        return msgspec.json.decode(payload, type=Replay)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        example = '{"type": "replay", "after": 7}'
        raise LogError(f"malformed request: {error}", "a slip in the JSON", f"an example: {example}") from error


def _asks_for_replay(payload: bytes) -> bool:
    try:
        return msgspec.json.decode(payload, type=_Typed).type == "replay"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
