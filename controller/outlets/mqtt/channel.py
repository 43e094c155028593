"""One board, or match, as the broker is told of it, and what is told back: what a connection carries for each of them.

Told in the order of the journal, each at its own pace: one that has much to tell, or meets a defect, keeps no other
waiting. What is on which topic stands in :mod:`.outlet`.
"""

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Generic, Literal

import aiomqtt
from msgspec import Struct, field

from controller.errors import DeviceError
from controller.journal import Journal, Opening
from controller.outlets.follow import Follower, Readable, S
from controller.outlets.mqtt import inbox, questions, remembered, topics
from controller.outlets.mqtt.connection import MqttConfig
from controller.outlets.mqtt.docket import Docket
from controller.outlets.mqtt.door import Door
from controller.outlets.mqtt.inbox import CommandRunner, Inbox
from controller.outlets.mqtt.levels import Last, of_place, told_on
from controller.outlets.mqtt.line import Outgoing, publish
from controller.outlets.mqtt.memory import Memory
from controller.outlets.mqtt.topics import HALL, Phase, Publication, Status, Voice
from controller.outlets.notices import Notices, TechnicalNotice, at
from controller.outlets.scoresheet import Scoresheet
from controller.wire import heard_as

SETTLE_S = 0.005  #: what is retained waits so long: it must not stand in the way of what is new
BATCH = 16  #: records; what a break leaves unconfirmed is sent again whole, so that even on a bad network it gets on
HEAD_S = 2.0  #: so long at most it is waited for the head that the broker remembers, once
ECHO_S = 10.0  #: within which time what we publish comes back to us
HEAD_AGAIN_S = 5.0  #: how often a game's head is told anew: who has missed something learns of it without retained ones
HEALTH_S = 60.0  #: how often the figures are told where nothing else changes, and whether all comes back is tried anew


class Feed(Struct, Generic[S], frozen=True):
    """What is published, and where."""

    topic: str  #: ``board/7``; what comes before it is the same for all of a venue
    board: str  #: as the journal names it
    begin: Callable[[Opening], S]  #: what is kept of a game
    name: str = "mqtt"  #: of the notices
    voice: Voice = HALL
    of_many: str | None = None  #: the board's number, where the journal is that of many

    @property
    def cursor(self) -> str:
        """How far it has come is kept under that name."""
        return at(self.name, self.of_many)


class Link(Struct):
    """The connection at present, or the next one. ``room``: for so many messages on their way, of all together."""

    room: asyncio.Semaphore
    comparing: asyncio.Lock  #: the journal with what was told of one board: it gets another name but once
    via: str | None = None  #: under the venue: the status on which the broker says that all have gone
    address: str = ""  #: of the broker
    connected_at: int = 0  #: when it began, in ms since 1970
    before: deque[int] = field(default_factory=lambda: deque(maxlen=100))  #: each of this process by when it began


class Channel(Generic[S]):
    """Publishes one ``feed`` of what it reads in ``source``; its cursor stands in the journal.

    ``carry_out`` is handed what arrives on its ``cmd``; without it, nothing is listened to. ``phase``: whether
    a game is on or may begin, for ``status``. ``health``: the figures that go with the notices on ``health``; without
    it, neither are told. ``docket``: what awaits a ruling there.
    """

    def __init__(
        self,
        config: MqttConfig,
        venue: str,
        feed: Feed[S],
        journal: Journal,
        notices: Notices,
        memory: Memory,
        carry_out: CommandRunner | None = None,
        *,
        phase: Callable[[], Phase] | None = None,
        source: Readable | None = None,
        health: Callable[[], dict[str, Any]] | None = None,
        docket: Docket | None = None,
    ) -> None:
        self.base = of_place(venue, feed.topic)
        self._config = config
        self.feed = feed
        self.notices = notices
        self._journal = journal
        self._source = journal if source is None else source
        self._carry_out = carry_out
        self._door = Door(self.base, config.commands, config.keys_file, memory)
        self._health = health
        self._phase = phase
        self._link: Link
        self._commands: Inbox[S] | None = None
        self._docket = docket
        self._docket_told: dict[str, Any] | None = {}  # as it was on this connection last; None: not of this journal
        hear = docket.take if docket is not None else lambda _: None
        self._now = Follower(self._source, feed.board, journal.cursor(feed.cursor), feed.begin, hear)
        self._unconfirmed: deque[tuple[int, list[Publication]]] = deque()  # batches sent, each with its last record
        self._confirmed = self._now.seq  # the last record of the last batch that was
        self._handed = self._now.seq  # up to here all has been handed to the present connection
        self._stale: set[Last] = set()  # retained topics that are to be told anew
        self._news = asyncio.Event()  # there are such, or the cursor is to move
        self._echo = asyncio.Event()  # what we said of ourselves came back
        self._again = asyncio.Event()  # so it did since that was tried last
        self._heard = False  # so it did, on any connection
        self._belied = asyncio.Event()  # something else was said of us
        self._doubled_s = -math.inf  # when somebody else said last that he is this board, by the monotonic clock
        self._known_by: Last = "head" if "head" in feed.voice.topics else "state"
        self._remembered: bytes | None = None  # by the broker, of what was published on that topic last
        self._compared = False  # with the journal, before anything is told
        self._game_gone = False  # the broker remembers a game, and the journal has none
        self._here = asyncio.Event()  # so what comes now was sent to a board that was said to be there

    @property
    def name(self) -> str:
        """Of its notices."""
        return self.feed.name

    @property
    def listens(self) -> bool:
        """Whether commands are carried out: then the broker is to keep what comes while we are away."""
        return self._carry_out is not None

    @property
    def heard(self) -> bool:
        """Whether what was said on the present connection came back."""
        return self._echo.is_set()

    def open(self, tasks: asyncio.TaskGroup) -> None:
        """From now on commands are carried out, on whatever connection they come; until the end of ``tasks``."""
        if self._carry_out is not None:
            scores = partial(questions.scores, self._journal, self.feed.board, now=self._now)
            self._commands = Inbox(self.base, self._door, self._carry_out, self._now, self._follow, scores, tasks)

    def begin(self, link: Link) -> None:
        """A connection is tried."""
        self._link = link
        self._echo.clear()
        self._here.clear()

    @property
    def topics(self) -> Iterator[str]:
        """Those that it wants to hear."""
        heard = [*inbox.TOPICS, "status"] if self.listens else ["status"]
        heard += [] if self._compared else [self._known_by]
        return (f"{self.base}/{topic}" for topic in heard)

    async def serve(self, client: aiomqtt.Client) -> None:
        """Publishes all that there is to tell, until cancelled. ``client`` is connected, and has subscribed to what the
        channel hears."""
        self._stale = set(self.feed.voice.topics)  # a broker that was restarted may have forgotten them
        self._docket_told = {}
        async with asyncio.TaskGroup() as tasks:
            line = Outgoing(client, self.base, tasks, self._link.room)
            tasks.create_task(self._report(client), name="mqtt status")
            tasks.create_task(self._begin(client, line), name="mqtt tell")
            tasks.create_task(self._retain(line), name="mqtt retain")
            tasks.create_task(self._confirm(line), name="mqtt confirm")
            tasks.create_task(self._tell_head_again(), name="mqtt head")
            if self._commands is not None:
                tasks.create_task(self._commands.serve(client, self._here), name="mqtt commands")
            tasks.create_task(self._check_echo(client), name="mqtt echo")
            tasks.create_task(self._put_right(client), name="mqtt put right")

    async def leave(self, client: aiomqtt.Client) -> None:
        """Says that the board goes. Raises :exc:`aiomqtt.MqttError`."""
        await publish(client, self.base, self._status("offline"))

    def hear(self, message: aiomqtt.Message) -> None:
        """Something was published on one of its topics."""
        match message.topic.value.removeprefix(f"{self.base}/"):
            case self._known_by:
                if message.retain and isinstance(message.payload, bytes):
                    self._remembered = message.payload
            case "status":
                self._hear_of_us(message)
            case _ if self._commands is not None:
                self._commands.take(message, here=self._here.is_set())

    async def _begin(self, client: aiomqtt.Client, line: Outgoing) -> None:
        if not self._compared:
            await self._compare(client)
        await self._tell(line)

    async def _tell(self, line: Outgoing) -> None:
        """Sends what a break left unconfirmed, then what is new."""
        self._handed = self._confirmed
        for seq, messages in list(self._unconfirmed):
            await line.hand_over(seq, messages)
            self._handed = seq
        self._news.set()
        while True:
            await self._now.more()
            batch = self._now.read(BATCH)
            messages = list(self.feed.voice.tell(batch))
            if any(news.event is None for news in batch):
                self.notices.wake()  # a game begins, and status names it
            self._unconfirmed.append((self._now.seq, messages))
            self._stale |= self.feed.voice.stale(batch)
            await line.hand_over(self._now.seq, messages)
            self._handed = self._now.seq
            self._news.set()

    async def _retain(self, line: Outgoing) -> None:
        """Brings the retained topics up to date, once things have settled; what is long past is not told as present."""
        while True:
            await self._news.wait()
            await asyncio.sleep(SETTLE_S)
            self._news.clear()
            seq, messages = self._handed, list[Publication]()
            if seq == self._now.seq and not self._source.after(seq, BATCH + 1, self.feed.board)[BATCH:]:
                self._settle()
                stale, self._stale = self._stale, set()
                gone = self._of_no_game() if self._game_gone else ()
                messages = [*self.feed.voice.retained(self._now, stale), *gone, *self._news_of_docket()]
            await line.hand_over(seq, messages, closing=True)

    def _settle(self) -> None:
        """A result that was proposed, and was dismissed since, does not stand on the retained state any more."""
        sheet = self._now.sheet
        if self._docket is not None and isinstance(sheet, Scoresheet) and sheet.settle(self._docket.awaited):
            self._stale.add("state")

    def _news_of_docket(self) -> Iterator[Publication]:
        """What awaits a ruling, if that is another than was told last."""
        now = self._docket.at_present() if self._docket is not None else {}
        if now != self._docket_told:
            self._docket_told = now
            yield topics.docket(self._now, now)

    def _of_no_game(self) -> Iterator[Publication]:
        """Nothing, in place of what the broker remembers of a game that the journal does not have any more."""
        self._game_gone, self._docket_told = False, {}
        yield Publication("state", b"", retain=True)
        yield Publication("clock", b"", retain=True)
        if self._docket is not None:
            yield Publication("docket", b"", retain=True)

    async def _tell_head_again(self) -> None:
        """Again and again while a game lives."""
        while True:
            await asyncio.sleep(HEAD_AGAIN_S)
            if "head" in self.feed.voice.topics and self._phase is not None and self._phase().phase == "playing":
                self._stale.add("head")
                self._docket_told = {}
                self._news.set()

    async def _confirm(self, line: Outgoing) -> None:
        """Moves the cursor as far as everything is acknowledged; to the end only with what is retained. A batch cut
        short is sent again, whole.
        """
        async for bundle in line.confirmed():
            if not bundle.closing:
                self._confirmed, _ = self._unconfirmed.popleft()
            if (bundle.closing or self._unconfirmed) and bundle.seq > self._journal.cursor(self.feed.cursor):
                self._journal.move_cursor(self.feed.cursor, bundle.seq)

    async def _report(self, client: aiomqtt.Client) -> None:
        """Says that we are here and how we are, and again whenever the notices are others than those told last."""
        told = None
        while True:
            if (current := self._at_present) != told:
                told = current
                await publish(client, self.base, self._status("online"))
            if self._health is not None:
                await publish(client, self.base, topics.health(self._now, self.notices.current, self._health()))
            if self._at_present == told:
                # Not wait_for: it may lose a cancellation, and so keep us from stopping.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(HEALTH_S):
                        await self.notices.changed()

    async def _compare(self, client: aiomqtt.Client) -> None:
        """What was told before this start must be in the journal: an older copy may have been put in its place. What a
        broker remembers it sends before the echo of what is said later.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HEAD_S):
                await self._echo.wait()
        await client.unsubscribe(told_on(self.base, self._known_by))  # else each move would come back so
        told = remembered.read(self._remembered)
        self._game_gone = told.game is not None and self._journal.last_game(self.feed.board) is None
        if self._known_by == "head":
            await self._compare_head(told)
        self._compared = True

    async def _compare_head(self, told: remembered.RememberedHead) -> None:
        async with self._link.comparing:
            if why := remembered.contradicts(told, self._journal):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(HEAD_S):
                        await asyncio.wrap_future(self._journal.disown(why, told.seq))
            elif (notice := remembered.another(told, self._journal, self.feed.cursor)) is not None:
                self.notices.set("journal restored", notice)
        if told.origin not in (None, self._journal.origin):
            self._docket_told = None

    # -- what is said of us --------------------------------------------------------------------------------------

    def _hear_of_us(self, message: aiomqtt.Message) -> None:
        """Our own words come back. Those of a connection that died long ago, its last will, are put right; so are those
        of another who says that he is this board.
        """
        said = heard_as(message.payload, Status)
        if said is not None and said.state == "online" and said.connected_at not in self._link.before:
            # What is retained may be of a process before this one, as long as none of this one was there.
            if self._here.is_set() or (message.retain and self._heard):
                self._doubled_s = time.monotonic()
                self.notices.set(self._twin, self._doubled())  # which tells of us anew, once
        elif message.retain:
            pass
        elif said is not None and said.state == "online" and said.connected_at == self._link.connected_at:
            self._heard = True
            self._echo.set()
            self._again.set()
            self._here.set()
        elif self._here.is_set():
            self._belied.set()
            if said is not None:
                self._doubled_s = -math.inf
                self.notices.clear(self._twin)

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
            self.notices.set(self.feed.name, self.unheard("passes on to nobody what we publish"))
            self._here.set()
            await self._echo.wait()
            self.notices.clear(self.feed.name)
        while True:
            await asyncio.sleep(HEALTH_S)
            self._again.clear()
            await publish(client, self.base, self._status("online"))
            try:
                async with asyncio.timeout(ECHO_S):
                    await self._again.wait()
            except TimeoutError:
                what = f"the broker {self._link.address} passes on nothing to us any more"
                cause = "it is overloaded, or waits for us to take what it could not send"
                raise DeviceError(what, cause, "we connect anew by ourselves") from None
            if not self.is_doubled:
                self.notices.clear(self._twin)

    @property
    def is_doubled(self) -> bool:
        """Whether somebody else says that he is this board; he would do so again each minute."""
        return time.monotonic() - self._doubled_s < 2 * HEALTH_S + ECHO_S

    @property
    def _twin(self) -> str:
        return f"{self.feed.name} twin"

    def _doubled(self) -> DeviceError:
        return DeviceError(
            f"somebody else says at the broker {self._link.address} that he is {self.feed.topic}",
            "two daemons have one [event] venue and board, as on a copied card; or it is a forgery",
            "give each board a number of its own",
        )

    def unheard(self, what: str) -> DeviceError:
        """The broker passes on nothing of what we say."""
        cause = f"its access list does not let {self._config.user or 'us'} write and read there, or it is overloaded"
        remedy = "jadoube broker-config --out DIR: one that does"
        return DeviceError(f"the broker {self._link.address} {what} under {self.base}", cause, remedy)

    def _follow(self, since: int) -> Follower[S]:
        return Follower(self._source, self.feed.board, since, self.feed.begin)

    @property
    def _at_present(self) -> tuple[tuple[TechnicalNotice, ...], Phase | None, str | None]:
        """What ``status`` tells: the notices, the phase, and which game is on."""
        notices = self.notices.current if self.feed.voice is HALL else ()
        game = None if self._now.sheet is None else self._now.sheet.opening.game
        return notices, None if self._phase is None else self._phase(), game

    def _status(self, word: Literal["online", "offline"]) -> Publication:
        notices, phase, _ = self._at_present
        said = Status(word, self._link.connected_at, list(notices), self._link.via)
        return topics.status(self._now, said, phase)
