"""What the boards of a hall say of themselves by MQTT, wherever they are played, and whether they answer."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import aiomqtt
import msgspec
from aiomqtt import ProtocolVersion
from msgspec import Struct, field

from controller.cli.hall.broker import asking
from controller.contract import POINTS, Score
from controller.outlets.mqtt.connection import MqttConfig, talk
from controller.outlets.mqtt.levels import Last, of_venue
from controller.outlets.mqtt.round import TOPIC
from controller.outlets.notices import TechnicalNotice
from controller.wire import heard_as

ANSWER_S = 5.0  #: so long a board may take to answer
LATER = 2**53 - 1  #: a replay of what comes after that is empty: it is a question whether somebody is there


class HeardStatus(Struct, frozen=True):
    """What a board says of itself."""

    state: str = "offline"
    connected_at: int = 0
    via: str | None = None
    notices: tuple[TechnicalNotice, ...] = ()
    phase: str = ""
    missing: tuple[str, ...] = ()
    tags: Mapping[str, str] = {}
    clock_s: tuple[int, int] | None = None


class HeardHealth(Struct, frozen=True):
    """The figures of its computer that a round depends on."""

    measured: Mapping[str, Any] = {}


class HeardResult(Struct, frozen=True):
    result: str = ""
    status: str = ""


class HeardGame(Struct, frozen=True):
    """The game on a board, or the last one."""

    tags: Mapping[str, str] = {}
    ply: int = 0
    result: HeardResult | None = None

    @property
    def final(self) -> Score | None:
        """The result, once it is final."""
        said = self.result
        return None if said is None or said.status != "final" else next((s for s in POINTS if s == said.result), None)


class HeardBoard(Struct):
    """What was heard of one board; None: nothing."""

    status: HeardStatus | None = None
    health: HeardHealth = HeardHealth()
    game: HeardGame = HeardGame()
    answered: bool = False
    ahead_ms: int | None = None  #: by so much its computer's time of day is ahead of ours


class Heard(Struct):
    """What was heard of a hall."""

    boards: dict[str, HeardBoard] = field(default_factory=dict)  #: by number
    #: of boards that share one, by topic under the venue
    connections: dict[str, HeardStatus] = field(default_factory=dict)
    round: bytes = b""  #: that the broker has for boards at other computers

    def online(self, number: str) -> bool:
        """Whether the board is there, by its own status and that of the connection that it shares."""
        status = self.boards[number].status
        if status is None or status.state != "online":
            return False
        shared = self.connections.get(status.via or "")
        return status.via is None or (
            shared is not None and (shared.state, shared.connected_at) == ("online", status.connected_at)
        )

    def ahead_ms(self, here: Collection[str]) -> list[int]:
        """By how much the time of day of each other computer that answered is ahead of ours, which plays ``here``."""
        computers = {
            (told.status and told.status.via) or number: told.ahead_ms
            for number, told in self.boards.items()
            if told.ahead_ms is not None and number not in here
        }
        return list(computers.values())


def hear(mqtt: MqttConfig, version: ProtocolVersion, venue: str, numbers: Sequence[str]) -> Heard:
    """Asks each board, and returns once all have answered, or after :data:`ANSWER_S`. ``version``: what is spoken with
    the broker, where it understands that.

    Raises :exc:`JadoubeError` where the broker cannot be used.
    """
    return talk(mqtt, version, partial(_hear, of_venue(venue), numbers))


async def _hear(base: str, numbers: Sequence[str], client: aiomqtt.Client, version: ProtocolVersion) -> Heard:
    heard = Heard({number: HeardBoard() for number in numbers})
    name = f"answer/check-{secrets.token_hex(4)}"
    event: Last = "event"
    told: tuple[Last, ...] = ("status", "health", "state")
    answers = name if version == ProtocolVersion.V5 else event
    shared = [(f"{base}/{TOPIC}", 1), (f"{base}/hall/+/status", 1)]
    await client.subscribe([*shared, *((f"{base}/board/+/{topic}", 1) for topic in (*told, answers))])
    began = time.time_ns() // 1_000_000
    question = msgspec.json.encode({"type": "replay", "after": LATER})
    for number in numbers:
        properties = asking(f"{base}/board/{number}/{name}") if version == ProtocolVersion.V5 else None
        await client.publish(f"{base}/board/{number}/replay", question, qos=1, properties=properties)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ANSWER_S):
            while not all(said.answered and said.status for said in heard.boards.values()):
                message = await anext(client.messages)
                if isinstance(message.payload, bytes):
                    topic = message.topic.value.removeprefix(f"{base}/")
                    take(heard, topic, message.payload, began, time.time_ns() // 1_000_000)
    return heard


def take(heard: Heard, topic: str, payload: bytes, began: int, now: int) -> None:
    """Takes what was said on a topic under the venue, between ``began`` and ``now``, in ms since 1970. Pure."""
    place, _, rest = topic.partition("/")
    number, _, what = rest.partition("/")
    if topic == TOPIC:
        heard.round = payload
    if place == "hall":
        heard.connections[topic] = heard_as(payload, HeardStatus) or HeardStatus()
        return
    if (said := heard.boards.get(number)) is None:
        return
    match what:
        case "status":
            said.status = heard_as(payload, HeardStatus)
        case "health":
            said.health = heard_as(payload, HeardHealth) or said.health
        case "state":
            said.game = heard_as(payload, HeardGame) or said.game
        case _ if (
            (answer := heard_as(payload, _TimeAnswer)) is not None and answer.type == "done" and answer.at is not None
        ):
            said.answered = True
            said.ahead_ms = min(answer.at - began, 0) + max(answer.at - now, 0)


class _TimeAnswer(Struct, frozen=True):
    type: str = ""
    at: int | None = None
