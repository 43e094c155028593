"""A board: it plays a recorded game at its own pace, and tells of it as ``controller/outlets/mqtt/channel.py`` does.

What it has played is its journal, and the journal is the outbox: the cursor moves on what the broker acknowledged; what
a break left is sent again with the same numbers; what is retained follows what is new, and ``head`` comes anew every
five seconds. Requests for a replay are answered, and an arbiter's ``warn``, which comes back as an event; every other
command is refused. Nodes are tried in turn, and waited for, as ours does.
"""

import asyncio
import contextlib
import hashlib
import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from load import session
from load.session import Session

WINDOW = 20  #: messages on their way, not acknowledged
PATIENCE_S = 10.0  #: for an answer of the broker
RETRY_S = (0.5, 30.0)  #: after all nodes were tried: the first and the longest wait
SETTLE_S = 0.005  #: before what is retained
ECHO_S = 2.0  #: at first it is waited so long for what the broker remembers
HEAD_S, HEALTH_S, KEEPALIVE_S = 5.0, 60.0, 15

Message = tuple[tuple[bytes, ...], bytes, tuple[int, ...]]
"""Topics, form, and holes: a number of a record, or below 0 an index of :attr:`Segment.names`."""


class Step(NamedTuple):
    """What came of one input."""

    ms: int
    last: int  #: its last record
    events: tuple[tuple[Message, int], ...]  #: each with its number
    retained: tuple[Message, ...]


class Stream(NamedTuple):
    """A recorded game."""

    origin: str
    game: str
    board: str
    steps: Sequence[Step]

    @property
    def events_per_ms(self) -> float:
        return sum(len(step.events) for step in self.steps) / self.steps[-1].ms


class Segment:
    """A run of records of a board: steps of a stream, from ``first`` to before ``until``, all numbers moved on."""

    __slots__ = ("first", "names", "shift", "stream", "until")

    def __init__(self, stream: Stream, shift: int, names: tuple[bytes, bytes, bytes], first: int = 0) -> None:
        self.stream = stream
        self.shift = shift
        self.names = names  #: of the board, the game, the journal, as JSON
        self.first = self.until = first

    def text(self, message: Message) -> bytes:
        """The payload."""
        shift, names = self.shift, self.names
        return message[1] % tuple([hole + shift if hole >= 0 else names[hole] for hole in message[2]])


class Hall(Protocol):
    """What all boards have in common."""

    hosts: Sequence[tuple[str, int]]
    level: int  #: of MQTT
    streams: Sequence[Stream]
    events_s: float  #: of one board
    over: bool
    published: int
    again: int  #: messages sent anew after a break
    breaks: int

    def log(self, number: int, payload: bytes) -> None: ...


class Bundle:
    """Messages that count together: the board is told up to ``until`` once all are acknowledged."""

    __slots__ = ("open", "until")

    def __init__(self, until: tuple[int, int]) -> None:
        self.open = 1
        self.until = until


class Board:
    """One of the hall, by its number."""

    def __init__(self, hall: Hall, number: int) -> None:
        self._hall, self.number = hall, number
        self._loop = asyncio.get_running_loop()
        self.base = f"jadoube/v1/load/board/{number}"
        stream = hall.streams[(number - 1) % len(hall.streams)]
        own = hashlib.sha256(f"load {number}".encode()).hexdigest()
        self.origin = stream.origin if number <= len(hall.streams) else own
        self._played = 0
        self.journal: list[Segment] = []
        self.told = 0  #: the number of its last event
        self._handed = (0, 0)  # the next segment and step to be sent on this connection
        self._confirmed = (0, 0)
        self._latest: dict[bytes, tuple[Segment, Message]] = {}  # what is retained, by topic
        self._stale: set[bytes] = set()
        self._fresh: tuple[Step, list[bytes]] | None = None  # the last step as it was told
        self._on_way: dict[int, tuple[Bundle | None, float]] = {}
        self._bundles: deque[Bundle] = deque()
        self._replay: Iterator[bytes] | None = None
        self._asked: int | None = None
        self._session: Session | None = None
        self._telling = self._here = self._compared = False
        self._tried, self._delay_s, self._cut_until = 0, RETRY_S[0], 0.0
        self._connected_at = 0

    # -- the game ------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """The next game, at once."""
        streams = self._hall.streams
        stream = streams[(self.number - 1 + self._played) % len(streams)]
        first = self._played == 0 and self.number <= len(streams)
        game = stream.game if first else f"{stream.game}-{self.number}-{self._played}"
        names = tuple(json.dumps(each).encode() for each in (str(self.number), game, self.origin))
        self.journal.append(Segment(stream, self.told, names))  # type: ignore[arg-type]
        self._played += 1
        self._began_s, self._pace = self._loop.time(), self._hall.events_s / stream.events_per_ms  # ms of it a second
        self._loop.call_soon(self._play)

    def _play(self) -> None:
        segment = self.journal[-1]
        steps = segment.stream.steps
        if self._hall.over:
            return
        while segment.until < len(steps):
            step = steps[segment.until]
            due_s = self._began_s + step.ms / self._pace
            if due_s > self._loop.time():
                self._loop.call_at(round(due_s, 2), self._play)
                return
            self._record(segment, step)
        self.begin()

    def _record(self, segment: Segment, step: Step) -> None:
        texts = []
        for message, seq in step.events:
            texts.append(text := segment.text(message))
            self._hall.log(self.number, text)
            self.told = seq + segment.shift
        self._fresh = step, texts
        segment.until += 1
        for message in step.retained:
            self._latest[message[0][0]] = segment, message
            self._stale.add(message[0][0])
        if self._telling:
            self.pump()
            self._loop.call_later(SETTLE_S, self.pump)

    def warn(self, side: str) -> int:
        """An arbiter's warning, as an event; its number."""
        before = self.journal[-1]
        seq, head = self.told + 2, hashlib.sha256(f"{self.origin} {self.told}".encode()).hexdigest()
        said = f'{{"seq":%d,"game":%b,"ply":0,"after":%d,"origin":%b,"type":"warning","side":"{side}",'
        said += '"article":"12.9","count":1,"ms":0}'
        form: Message = ((b"event",), said.encode(), (2, -2, 0, -1))
        told = f'{{"seq":%d,"game":%b,"ply":0,"hash":"{head}","last":%d,"origin":%b}}'
        step = Step(0, 2, ((form, 2),), (((b"head",), told.encode(), (2, -2, 2, -1)),))
        alone = Stream("", "", "", [step])
        self.journal.append(Segment(alone, self.told, before.names))
        self._record(self.journal[-1], step)
        self.journal.append(Segment(before.stream, before.shift + 2, before.names, before.until))
        return seq

    @property
    def is_told(self) -> bool:
        """Whether the broker has acknowledged every event."""
        return self._after(self._confirmed) is None

    # -- the outbox ----------------------------------------------------------------------------------------------

    def pump(self) -> None:
        """Sends as much as may be on its way."""
        link = self._session
        if link is None or not self._telling:
            return
        packets: list[bytes] = []
        while len(self._on_way) < WINDOW:
            found = self._next_step()
            if found is not None:
                segment, step = found
                fresh = self._fresh
                texts = (
                    fresh[1] if fresh is not None and fresh[0] is step else [segment.text(m) for m, _ in step.events]
                )
                bundle = self._bundle()
                for (message, _), text in zip(step.events, texts, strict=True):
                    packets += [self._packet(link, topic, text, bundle) for topic in message[0]]
                bundle.open -= 1
                self._confirm()
            elif self._stale:
                bundle = self._bundle()
                for topic in sorted(self._stale, reverse=True):
                    segment, message = self._latest[topic]
                    packets.append(self._packet(link, topic, segment.text(message), bundle, retain=True))
                self._stale.clear()
                bundle.open -= 1
            elif (text := self._next_answer()) is not None:
                packets.append(self._packet(link, b"event", text, None))
            else:
                break
        if packets:
            link.write(b"".join(packets))

    def _next_step(self) -> tuple[Segment, Step] | None:
        found = self._after(self._handed)
        if found is None:
            return None
        self._handed, segment, step = found
        return segment, step

    def _after(self, position: tuple[int, int]) -> tuple[tuple[int, int], Segment, Step] | None:
        """The step that stands there, with where the next one does."""
        at, index = position
        while at < len(self.journal):
            segment = self.journal[at]
            index = max(index, segment.first)
            if index < segment.until:
                return (at, index + 1), segment, segment.stream.steps[index]
            at, index = at + 1, 0
        return None

    def _bundle(self) -> Bundle:
        self._bundles.append(bundle := Bundle(self._handed))
        return bundle

    def _packet(
        self, link: Session, topic: bytes, text: bytes, bundle: Bundle | None, *, retain: bool = False
    ) -> bytes:
        number, packet = link.publish(b"%b/%b" % (self.base.encode(), topic), text, retain=retain)
        if bundle is not None:
            bundle.open += 1
        self._on_way[number] = bundle, self._loop.time()
        self._hall.published += 1
        return packet

    def acknowledged(self, number: int) -> None:
        """The broker has it."""
        bundle, _ = self._on_way.pop(number, (None, 0.0))
        if bundle is not None:
            bundle.open -= 1
            if not bundle.open:
                self._confirm()
        if len(self._on_way) < WINDOW // 2 and self._telling:
            self.pump()

    def _confirm(self) -> None:
        bundles = self._bundles
        while bundles and not bundles[0].open:
            self._confirmed = bundles.popleft().until

    # -- what is asked -------------------------------------------------------------------------------------------

    def heard(self, topic: bytes, payload: bytes, *, retained: bool) -> None:
        """Something was published for us, or by us."""
        level = topic.decode().removeprefix(self.base + "/").partition("/")[0]
        if level == "status":
            if not retained and not self._here and b"%d" % self._connected_at in payload:
                self._here = True
                self._delay_s = RETRY_S[0]
                self._tell()
        elif level in ("cmd", "replay") and not retained:
            self._see_to(payload)

    def _see_to(self, payload: bytes) -> None:
        try:
            asked = json.loads(payload)
        except ValueError:
            asked = {}
        match asked:
            case {"type": "replay", "after": int(after)}:
                self._asked = after if self._asked is None else min(after, self._asked)
                self.pump()
            case {"type": "arbiter", "do": "warn", "side": "white" | "black" as side} if self._here and self.journal:
                self._answer({"type": "done", "seq": self.warn(side)})
            case _:
                self._answer({"type": "refused", "what": "this board obeys nothing of the kind", "cause": "a test"})

    def _answer(self, said: dict[str, Any]) -> None:
        if self._session is not None:
            text = json.dumps({"seq": self.told, "game": None, "ply": 0} | said).encode()
            self._session.write(self._packet(self._session, b"event", text, None))

    def _next_answer(self) -> bytes | None:
        if self._replay is None and self._asked is not None and self._here:
            self._replay, self._asked = self._events_after(self._asked), None
        if self._replay is not None:
            for text in self._replay:
                return text
            self._replay = None
        return None

    def _events_after(self, seq: int) -> Iterator[bytes]:
        now = self.journal[-1].names
        for segment in self.journal:
            if seq == 0 and segment.names is not now:
                continue
            for step in segment.stream.steps[segment.first : segment.until]:
                for message, number in step.events:
                    if number + segment.shift > seq:
                        yield segment.text(message)[:-1] + b',"replayed":true}'
        yield json.dumps({"type": "done", "seq": self.told, "at": time.time_ns() // 1_000_000}).encode()

    # -- the connection ------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Connects, and comes back after every break, until cancelled."""
        hosts = self._hall.hosts
        while True:
            await asyncio.sleep(self._cut_until - self._loop.time())
            self._broken = asyncio.Event()
            self._connected_at = max(time.time_ns() // 1_000_000, self._connected_at + 1)
            with contextlib.suppress(OSError, TimeoutError):
                node = (self.number + self._tried) % len(hosts)
                async with asyncio.timeout(PATIENCE_S):
                    self._session = await session.connect(self, hosts[node], self._hello(node), self._hall.level)
                await self._broken.wait()
            self._forget()
            self._tried += 1
            if self._tried % len(hosts) == 0 and not self._hall.over:
                await asyncio.sleep(self._delay_s)
                self._delay_s = min(2 * self._delay_s, RETRY_S[1])

    def cut(self, seconds: float) -> None:
        """The network cable is out for so long."""
        self._cut_until = self._loop.time() + seconds
        if self._session is not None:
            self._session.cut()

    def _hello(self, node: int) -> bytes:
        will = f"{self.base}/status", json.dumps({"state": "offline", "connected_at": self._connected_at}).encode()
        name = f"load-{self.number}" + ("" if self._hall.level == session.V5 else f"-{node + 1}")
        return session.hello(name, self._hall.level, KEEPALIVE_S, will)

    def connected(self) -> None:
        """The broker lets us in."""
        assert self._session is not None
        topics = ["cmd", "cmd/+", "replay", "status", *([] if self._compared else ["head"])]
        self._session.subscribe([f"{self.base}/{topic}".encode() for topic in topics])

    def subscribed(self, _: int) -> None:
        """We hear what we want to; or the head no more."""
        if self._telling or self._session is None:
            return
        self._report()
        if self._compared:
            self._tell()
        else:
            self._loop.call_later(ECHO_S, self._tell)

    def _tell(self) -> None:
        link = self._session
        if link is None or self._telling:
            return
        if not self._compared:
            self._compared = True
            link.unsubscribe(f"{self.base}/head".encode())
        self._telling = True
        self._stale = {*self._latest}
        self.pump()

    def _report(self) -> None:
        if self._session is not None:
            said = {"seq": self.told, "state": "online", "connected_at": self._connected_at, "notices": []}
            text = json.dumps(said | {"phase": "playing"}).encode()
            self._session.write(self._packet(self._session, b"status", text, None, retain=True))

    def tell_health(self) -> None:
        """Once a minute."""
        if self._session is not None and self._telling:
            self._report()
            for topic, said, retain in (
                ("health", {"state": "well", "notices": [], "measured": {}}, True),
                ("time", {"at": time.time_ns() // 1_000_000, "boards": [self.base], "boot": "load"}, False),
            ):
                text = json.dumps(said).encode()
                self._session.write(self._packet(self._session, topic.encode(), text, None, retain=retain))

    def tell_head(self) -> None:
        """Every five seconds; and looks whether the broker still answers."""
        if any(self._loop.time() - since > PATIENCE_S for _, since in [*self._on_way.values()][:1]):
            assert self._session is not None
            self._session.cut()
        elif self._telling:
            self._stale |= {b"head"} & self._latest.keys()
            self.pump()

    def broken(self) -> None:
        """The connection is gone."""
        self._hall.breaks += 1
        self._broken.set()

    def _forget(self) -> None:
        self._hall.again += sum(bundle is not None for bundle, _ in self._on_way.values())
        self._session = self._replay = self._asked = None
        self._telling = self._here = False
        self._on_way.clear()
        self._bundles.clear()
        self._handed = self._confirmed
        self._fresh = None
