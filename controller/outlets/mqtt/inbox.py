"""What comes in by MQTT: commands, and requests for what a receiver has missed.

Commands come on ``cmd``, or on ``cmd/<user>`` where the broker's access list lets each write under his own name alone.
They are handed over in the order in which they came; each is answered once its record is on the disk, on the next
connection where this one has broken. Requests for a replay come there too, or on ``replay``, which whoever reads may be
allowed to write; they are served one after the other, beside the commands.

What was given while the board was away is refused: nobody can tell how long ago, and to pause or to resign ten minutes
late is worse than to be told. So is nothing carried out again that the broker retains, or says twice.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from typing import Generic, Protocol

import aiomqtt
from msgspec import Struct
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.errors import AccessError, JadoubeError
from controller.outlets.follow import Follower, S
from controller.outlets.mqtt import command, questions, topics
from controller.outlets.mqtt.command import Fields
from controller.outlets.mqtt.door import Door
from controller.outlets.mqtt.levels import told_on
from controller.outlets.mqtt.line import send
from controller.outlets.mqtt.questions import AnyQuestion, Games, Replay

log = logging.getLogger(__name__)

TOPICS = ("cmd", "cmd/+", "replay")
WAITING = 200  #: so many commands may wait for the disk: the rulings of a long game
REPLAYS = 8  #: so many who ask for one may wait for their turn
AT_ONCE = 20  #: events of a replay, or answers, that are on the way at a time
MOST = 256  #: commands that are seen to or whose answers are on their way; what comes beyond is counted, not looked at
#: bytes of a topic for answers, at most: RabbitMQ 3.10 knows no longer ones, and mosquitto throws out who publishes to
#: one of more than 200 levels
LONGEST_TOPIC, MOST_LEVELS = 255, 20
LOG_S = 1.0  #: between two lines of the log about what is refused


class CommandRunner(Protocol):
    """Carries out a command, given ``by`` whom it was sent if that is known; returns the number of its record.

    Raises :exc:`JadoubeError` where it is refused.
    """

    def __call__(self, said: Fields, *, by: str | None) -> Awaitable[int]: ...


class Address(Struct, frozen=True):
    """Where an answer goes: a topic, and what the asker put on his question to know the answer by."""

    topic: str
    correlation: bytes | None = None


class Inbox(Generic[S]):
    """Of the board at ``base``. ``now`` has told what it took; ``follow`` makes another one for a replay, and
    ``scores`` reads games.

    ``tasks`` lasts longer than a connection.
    """

    def __init__(
        self,
        base: str,
        door: Door,
        carry_out: CommandRunner,
        now: Follower[S],
        follow: Callable[[int], Follower[S]],
        scores: Callable[[Games], Iterator[bytes]],
        tasks: asyncio.TaskGroup,
    ) -> None:
        self._base = base
        self._door = door
        self._carry_out = carry_out
        self._now = now
        self._follow = follow
        self._scores = scores
        self._tasks = tasks
        self._waiting = 0
        self._turn = asyncio.Lock()  # of the command that is looked at: none overtakes another
        self._seen_to = 0
        self._passed_over = 0
        self._taken: deque[_Mark] = deque(maxlen=MOST)  # what came last, by which it is known if it comes again
        self._answers: deque[tuple[bytes, Address]] = deque()
        self._owed = asyncio.Event()  # there are such
        self._questions: dict[Address, AnyQuestion] = {}  # of whom; of two replays the one that tells more
        self._asked = asyncio.Event()
        self._refusals = _Refusals()

    async def serve(self, client: aiomqtt.Client, here: asyncio.Event) -> None:
        """Answers on this connection, until cancelled; what is asked is told anew once we are ``here`` for all."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._answer(client), name="mqtt answers")
            await here.wait()
            tasks.create_task(self._tell(client), name="mqtt replays")

    def take(self, message: aiomqtt.Message, *, here: bool) -> None:
        """Something was published for us, before we were ``here`` or since. Returns at once; whatever is asked is
        answered.
        """
        if message.retain:
            self._refusals.log(f"a retained message on {message.topic.value!r} is not looked at: take it away")
            return
        payload = message.payload if isinstance(message.payload, bytes) else b""
        mark = _Mark(message.mid if message.qos else 0, message.topic.value, payload)
        if not here and mark.number and mark in self._taken:
            return  # the connection broke before the broker knew that we had it; its answer is given, or on its way
        if self._seen_to + len(self._answers) >= MOST:
            self._passed_over += 1
            return
        self._taken.append(mark)
        self._seen_to += 1
        self._tasks.create_task(self._see_to(mark, self._address(message), here=here))

    async def _see_to(self, mark: "_Mark", address: Address, *, here: bool) -> None:
        topic, _, user = mark.topic.removeprefix(f"{self._base}/").partition("/")
        try:
            said = command.read(mark.payload)
            if (question := questions.asked(said, always=topic == "replay")) is not None:
                self._note(question, address)
                return
            async with self._turn:
                fields, by = self._door.admit(said, user or None)
                await self._door.memory.keep()  # what is signed is used up, even if it is refused now
                if not here:
                    raise _late()
                if self._waiting >= WAITING:
                    raise AccessError(f"{WAITING} commands wait already", "a slow or full disk, or too many at once")
                done = asyncio.ensure_future(self._carry_out(fields, by=by))
                await asyncio.sleep(0)  # it is handed over, before the next one is looked at
            self._waiting += 1
            try:
                answer = topics.done(self._now, await done)
            finally:
                self._waiting -= 1
        except JadoubeError as error:
            self._refusals.log(f"a command of {user or 'somebody'!r} is refused: {error.what}")
            answer = topics.refused(self._now, error)
        finally:
            self._seen_to -= 1
            self._owed.set()
        self._owe(answer, address)

    def _owe(self, answer: bytes, address: Address) -> None:
        self._answers.append((answer, address))
        self._owed.set()

    def _note(self, question: AnyQuestion, address: Address) -> None:
        before = self._questions.get(address)
        if before is None and len(self._questions) >= REPLAYS:
            raise AccessError(f"{REPLAYS} wait for a replay already", "too many at once", "ask again later")
        if isinstance(question, Games) and address == self._everybody:
            raise AccessError("games are told to who asks for them alone", "no response topic is named", "docs/mqtt.md")
        if isinstance(before, Replay) and isinstance(question, Replay):
            question = Replay(min(before.after, question.after))
        self._questions[address] = question
        self._asked.set()

    async def _answer(self, client: aiomqtt.Client) -> None:
        self._owed.set()
        while True:
            await self._owed.wait()
            self._owed.clear()
            if self._passed_over and not self._seen_to:
                what = f"{self._passed_over} commands were not looked at"
                error = AccessError(what, "too many came at once", "give those that matter again, one after another")
                self._passed_over = 0
                self._owe(topics.refused(self._now, error), self._everybody)
            while some := list(islice(self._answers, AT_ONCE)):
                async with asyncio.TaskGroup() as sending:
                    for answer, address in some:
                        sending.create_task(_send(client, answer, address))
                for _ in some:
                    self._answers.popleft()

    async def _tell(self, client: aiomqtt.Client) -> None:
        while True:
            while not self._questions:
                self._asked.clear()
                await self._asked.wait()
            address = next(iter(self._questions))
            question = self._questions.pop(address)
            if isinstance(question, Games):
                answers, at_once = self._scores(question), 1  # to read a piece of a game takes its time
            else:
                answers, at_once = self._again(question.after), AT_ONCE
            while some := list(islice(answers, at_once)):
                async with asyncio.TaskGroup() as sending:
                    for answer in some:
                        sending.create_task(_send(client, answer, address))

    def _again(self, after: int) -> Iterator[bytes]:
        """What was told before, read bit by bit up to what is told at that time."""
        again, before = self._follow(after), -1
        while before < again.seq < self._now.seq:
            before = again.seq
            for news in again.read(AT_ONCE):
                yield topics.event(news, replayed=True)
        reached = min(after, self._now.seq) if again.seq == after else again.seq  # there is no more than was told
        yield topics.replayed(self._now, reached, time.time_ns() // 1_000_000, again.gone)

    @property
    def _everybody(self) -> Address:
        return Address(told_on(self._base, "event"))

    def _address(self, message: aiomqtt.Message) -> Address:
        """A topic of the asker's choice only among those for answers, as we may write others that he may not; and only
        one that brokers take, as an answer is sent until it is taken."""
        asked = getattr(message.properties, "ResponseTopic", None) or ""
        brief = len(asked.encode()) <= LONGEST_TOPIC and asked.count("/") < MOST_LEVELS
        ours = asked.startswith(f"{self._base}/answer/") and asked.isprintable() and not set(asked) & set("+#")
        if brief and ours:
            return Address(asked, getattr(message.properties, "CorrelationData", None))
        return self._everybody


class _Mark(Struct, frozen=True):
    number: int  #: the broker's, which says the same thing again under the same number; 0 of what it says but once
    topic: str
    payload: bytes


class _Refusals:
    """Tells the log of what is refused, but not of each where there are many."""

    def __init__(self) -> None:
        self._told_s = -LOG_S
        self._untold = 0

    def log(self, what: str) -> None:
        self._untold += 1
        if time.monotonic() - self._told_s >= LOG_S:
            log.info("%s%s", what, f" (and {self._untold - 1} more before it)" if self._untold > 1 else "")
            self._told_s, self._untold = time.monotonic(), 0


async def _send(client: aiomqtt.Client, answer: bytes, address: Address) -> None:
    properties = None
    if address.correlation is not None:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.CorrelationData = address.correlation
    await send(client, address.topic, answer, properties=properties)


def _late() -> AccessError:
    return AccessError(
        "the command was given while the board was away, and is not carried out so late",
        "its daemon was down, or its connection; what was on its way at the break may have been carried out then",
        "look how the game stands, and give it again",
    )
