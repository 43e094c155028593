"""The times of day of the computers of a venue, each told to all by the broker, and compared by each.

A message is never earlier than it was sent, but may have been held up on the way: so of what one computer has said
lately that counts which puts it furthest ahead, and nobody is thought to be behind by what was said but once.

Who of them is right, no computer knows. Where more than half agree, who differs from them says so of itself. Where no
such majority is, as with two that differ, all say that they differ, and of nobody that he is wrong.
"""

import asyncio
import time
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import aiomqtt
from msgspec import Struct, field

from controller.errors import DeviceError
from controller.numbering import ranges
from controller.outlets.mqtt.levels import of_place, of_venue
from controller.outlets.mqtt.line import send
from controller.outlets.notices import Notices
from controller.wire import encode, heard_as

TOPIC = "time"  #: of a board, a match, or a hall, as it has a topic ``status``; not retained
TELL_S = 60.0
LATELY = 3  #: so many of the last that one has said are looked at
APART_MS = 1000  #: what is less is no difference


class TimeOfDay(Struct, frozen=True):
    """What a daemon says: the time of day in ms since 1970, the boards that it plays, and by which its computer is
    known: several daemons there have one clock, and one voice.
    """

    at: int
    boards: tuple[str, ...] = ()
    boot: str = ""


class Known(Struct):
    """What was heard of one: when it said that it was, and when that came, by our monotonic clock; both in ms."""

    boards: tuple[str, ...] = ()
    boot: str = ""
    heard: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=LATELY))

    def ahead_ms(self, wall_ms: int) -> int | None:
        """By so much it is ahead of us, whose time of day is ``wall_ms`` ahead of the monotonic clock; None: unknown
        yet."""
        ahead = max(at - (came + wall_ms) for at, came in self.heard)
        return None if ahead < -APART_MS and len(self.heard) < 2 else ahead


def majority(ahead: Collection[int]) -> int | None:
    """By how much those of them are ahead of us who agree, and are more than half of all, ourselves included; None
    where there is no such majority."""
    everybody = [0, *ahead]
    with_each = {one: sum(abs(one - other) <= APART_MS for other in everybody) for one in everybody}
    best = max(with_each, key=lambda one: (with_each[one], -abs(one)))
    return best if 2 * with_each[best] > len(everybody) else None


def judge(ahead: Mapping[str, int]) -> DeviceError | None:
    """What we have to say of our time of day, where others, by what they are called, are ahead of us by so many ms."""
    most = majority(ahead.values())
    if most is not None:
        if abs(most) <= APART_MS:
            return None
        way = "behind" if most > 0 else "ahead of"
        what = f"the time of day here is {abs(most) / 1000:.1f} s {way} that of most computers of the hall"
        cause = "this computer does not get the network's time (NTP), or somebody has set its clock"
        return DeviceError(what, cause, "timedatectl")
    apart = {name: ms for name, ms in ahead.items() if abs(ms) > APART_MS}
    name = max(apart, key=lambda each: abs(apart[each]))
    what = f"the times of day here and at {name} are {abs(apart[name]) / 1000:.1f} s apart"
    cause = "one of the two does not get the network's time (NTP); which of them cannot be known from here"
    return DeviceError(what, cause, "look at both: timedatectl")


class Times:
    """Tells the time of day at the ``boards`` of this computer of the ``venue`` under ``topic``, ``board/7``, where it
    may write, and compares it. Implements :class:`.Carried`.
    """

    name = "times of day"  #: of its notice

    def __init__(self, venue: str, topic: str, boards: Iterable[str], notices: Notices) -> None:
        self.base = f"{of_place(venue, topic)}/{TOPIC}"
        self.topics = (f"{of_venue(venue)}/+/+/{TOPIC}",)
        self.notices = notices
        self._boards = tuple(boards)
        self._boot = boot()
        self._known: dict[str, Known] = {}

    async def serve(self, client: aiomqtt.Client) -> None:
        while True:
            self._judge()
            await send(client, self.base, encode(TimeOfDay(time.time_ns() // 1_000_000, self._boards, self._boot)))
            await asyncio.sleep(TELL_S)

    def hear(self, message: aiomqtt.Message) -> None:
        topic = message.topic.value
        said = heard_as(message.payload, TimeOfDay)
        if topic == self.base or message.retain or said is None:
            return
        known = self._known.setdefault(topic, Known())
        known.boards, known.boot = said.boards, said.boot
        known.heard.append((said.at, _monotonic_ms()))
        self._judge()

    def _judge(self) -> None:
        now = _monotonic_ms()
        wall_ms = time.time_ns() // 1_000_000 - now
        late = now - (LATELY + 1) * round(1000 * TELL_S)
        self._known = {topic: known for topic, known in self._known.items() if known.heard[-1][1] > late}
        others = {
            known.boot or topic: known
            for topic, known in self._known.items()
            if not known.boot or known.boot != self._boot
        }
        ahead = {}
        for topic, known in others.items():
            if (ms := known.ahead_ms(wall_ms)) is not None:
                ahead[_called(known.boards) or topic] = ms
        if (error := judge(ahead)) is None:
            self.notices.clear(self.name)
        else:
            self.notices.set(self.name, error)


def boot() -> str:
    """Chosen by chance when the computer was started; where that is not told, empty."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _called(boards: Sequence[str]) -> str:
    return f"{'board' if len(boards) == 1 else 'boards'} {ranges(boards)}" if boards else ""


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000
