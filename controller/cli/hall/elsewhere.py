"""The games of boards at other computers: asked for by MQTT, and kept beside the rounds, so that they are known also
once a computer is away.

Each board tells its games as the scores that its journal has: openings and events, by which they are the same here. It
is asked for what is new since the last time only. ``rounds/elsewhere/17.json`` is what board 17 has told.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Iterator
from datetime import datetime
from functools import partial

import aiomqtt
import msgspec
from aiomqtt import ProtocolVersion
from msgspec import Raw, Struct, field

from controller.cli.hall.broker import asking, broker
from controller.cli.hall.files import Hall
from controller.cli.hall.heard import ANSWER_S, Heard, HeardBoard, take
from controller.errors import DeviceError, JadoubeError
from controller.journal import Opening
from controller.outlets.mqtt.connection import talk
from controller.outlets.mqtt.levels import of_venue
from controller.outlets.mqtt.questions import Games
from controller.wire import heard_as


class GameTold(Struct):
    opening: Opening
    events: list[Raw] = []
    ruled: list[tuple[int, str]] = []  #: who gave each ruling, after its time


class ToldGames(Struct):
    """All that a board has told: its games, in the order in which they began."""

    origin: str = ""  #: the journal that it told from last
    seq: int = 0  #: and the last record of it that was looked at
    at: str = ""  #: when that was, ISO 8601
    games: dict[str, GameTold] = {}


class Unreached(Struct, frozen=True, kw_only=True):
    """A board that could not be asked just now."""

    number: str
    what: str
    known: str = ""  #: up to when its games are known, ISO 8601; empty: nothing ever was


def games_told(hall: Hall) -> Iterator[GameTold]:
    """What boards at other computers have told, as far as it is kept; also those that are here by now."""
    for number in hall.that_told():
        yield from _kept(hall, number).games.values()


def ask(hall: Hall) -> list[Unreached]:
    """Asks the boards at other computers for what is new, keeps it, and says of which it is not known."""
    if not hall.elsewhere:
        return []
    before = {number: _kept(hall, number) for number in hall.elsewhere}
    failed: str | None = None
    asked = _Asked(before)
    try:
        talk(*broker(hall), partial(_ask, of_venue(hall.venue), asked))
    except JadoubeError as error:
        failed = error.what
    with hall.alone():
        for number, now in asked.answered.items():
            if now is not before[number]:
                hall.keep_told(number, msgspec.json.encode(now).decode())
    return [
        Unreached(number=number, what=failed or asked.why(number), known=known.at)
        for number, known in before.items()
        if number not in asked.answered
    ]


def _kept(hall: Hall, number: str) -> ToldGames:
    """What a board has told up to now; what makes no sense any more is asked for anew."""
    try:
        return msgspec.json.decode(hall.told_by_board(number) or "{}", type=ToldGames)
    except msgspec.DecodeError:
        return ToldGames()


# -- asking --------------------------------------------------------------------------------------------------------


class _GamesAnswer(Struct):
    """What comes for a question."""

    type: str = ""
    game: str | None = None
    opening: Opening | None = None
    events: list[Raw] = []
    ruled: list[tuple[int, str]] = []
    seq: int = 0
    origin: str = ""
    what: str = ""


class _Asked(Struct):
    """What is known of each board, and what it answers."""

    before: dict[str, ToldGames]
    answered: dict[str, ToldGames] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    coming: dict[str, dict[str, GameTold]] = field(default_factory=dict)  #: by board, until it is done
    heard: Heard = field(default_factory=Heard)

    def __post_init__(self) -> None:
        self.heard.boards.update({number: HeardBoard() for number in self.before})

    @property
    def over(self) -> bool:
        """Whether nobody is left who may answer yet. Who never said anything is known once somebody has answered: what
        the broker remembers comes before."""
        left = self.before.keys() - self.answered.keys() - self.refused.keys()
        silent = any(self.heard.boards[number].status is None for number in left)
        return not any(self.heard.online(number) for number in left) and not (silent and not self.answered)

    def why(self, number: str) -> str:
        if number in self.refused:
            return self.refused[number]
        return "it does not answer" if self.heard.online(number) else "it is away"

    def take(self, number: str, answer: _GamesAnswer) -> None:
        coming = self.coming.setdefault(number, {})
        match answer.type:
            case "score" if answer.opening is not None:
                coming[answer.opening.game] = GameTold(answer.opening, answer.events, answer.ruled)
            case "score" if answer.game in coming:
                coming[answer.game].events += answer.events
                coming[answer.game].ruled += answer.ruled
            case "refused":
                self.refused[number] = answer.what
            case "done":
                now = datetime.now().astimezone().isoformat(timespec="seconds")
                games = {**self.before[number].games, **coming}
                self.answered[number] = ToldGames(answer.origin, answer.seq, now, games)


async def _ask(base: str, asked: _Asked, client: aiomqtt.Client, version: ProtocolVersion) -> None:
    if version != ProtocolVersion.V5:
        what = "the broker speaks no MQTT 5, by which games are asked for"
        raise DeviceError(what, "it is an old one", "mosquitto 2.0 does")
    name = f"answer/games-{secrets.token_hex(4)}"
    topics = ("hall/+/status", "board/+/status", f"board/+/{name}")
    await client.subscribe([(f"{base}/{topic}", 1) for topic in topics])
    for number, known in asked.before.items():
        question = msgspec.json.encode(Games(known.seq, known.origin))
        properties = asking(f"{base}/board/{number}/{name}")
        await client.publish(f"{base}/board/{number}/replay", question, qos=1, properties=properties)
    with contextlib.suppress(TimeoutError):
        while not asked.over:
            async with asyncio.timeout(ANSWER_S):
                message = await anext(client.messages)
            topic, payload = message.topic.value.removeprefix(f"{base}/"), message.payload
            number = topic.removeprefix("board/").partition("/")[0]
            if not isinstance(payload, bytes):
                continue
            if not topic.endswith(f"/{name}"):
                take(asked.heard, topic, payload, 0, 0)
            elif number in asked.before and (answer := heard_as(payload, _GamesAnswer)) is not None:
                asked.take(number, answer)
