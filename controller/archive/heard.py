"""What comes from a queue, read: an event of a board, how far it is, what awaits a ruling, or the answer to a request.

The broker makes a routing key of a topic: ``jadoube/v1/hall/board/7/event`` is ``jadoube.v1.hall.board.7.event``, and
what has a dot in it has a slash there.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from controller.outlets.mqtt.levels import Last
from controller.wire import UNREADABLE

HEAD: Last = "head"
DOCKET: Last = "docket"
TRANSPORT = ("seq", "game", "after", "origin", "replayed")  #: what is said of an event, and is no part of it
OTHERWAYS = str.maketrans("./", "/.")


class VenueBoard(Struct, frozen=True):
    """Who says it: a board or a match of a venue."""

    venue: str
    board: str  #: ``board/7``, ``match/2``

    def topic(self, last: Last | Literal["cmd", "replay"]) -> str:
        """As a routing key."""
        return f"jadoube/v1/{self.venue}/{self.board}/{last}".translate(OTHERWAYS)


class QueuedEvent(Struct, frozen=True):
    """An event as the journal of its board has it. One of the journal ``origin`` and the board has its number alone."""

    place: VenueBoard
    origin: str
    seq: int
    after: int  #: the number of the event before it
    game: str
    body: dict[str, Any]  #: with the ``ply`` that it belongs to

    @property
    def begins(self) -> bool:
        """Whether it is the beginning of a game."""
        return bool(self.body["type"] == "game")

    @property
    def started(self) -> str | None:
        """When the game began, in ISO 8601, where this says so."""
        return self.body["opening"]["started"] if self.begins else None


class QueuedHead(Struct, frozen=True):
    """How far a board is told: the ``last`` event, and what vouches for the journal up to the record ``seq``."""

    place: VenueBoard
    origin: str
    seq: int
    hash: bytes
    last: int


class GoneAnswer(Struct, frozen=True):
    """A board's answer that there was more once, up to the record ``last``."""

    place: VenueBoard
    first: int
    last: int


class QueuedDocket(Struct, frozen=True):
    """What awaits a ruling in a game, and what was said to it."""

    place: VenueBoard
    origin: str
    game: str
    last: int  #: the last event that there was then
    body: dict[str, Any]


class Foreign(Struct, frozen=True):
    """What makes no sense here, and why."""

    topic: str
    payload: bytes
    why: str


class _Event(Struct):
    seq: int
    game: str
    type: str
    after: int
    origin: str


class _Head(Struct):
    seq: int
    hash: str
    last: int
    origin: str


class _Docket(Struct):
    game: str
    origin: str
    last: int
    open: list[tuple[int, list[tuple[int, list[str]]]]]
    said: list[tuple[int, dict[str, Any]]]


class _Range(Struct):
    first: int
    last: int


class _ReplayAnswer(Struct):
    type: str
    gone: _Range | None = None


QueuedItem = QueuedEvent | QueuedHead | QueuedDocket | GoneAnswer | Foreign | None
ANSWERS = ("done", "refused")
_head = msgspec.json.Decoder(_Head).decode
_docket = msgspec.json.Decoder(_Docket).decode
_answer = msgspec.json.Decoder(_ReplayAnswer).decode
_any = msgspec.json.Decoder(dict[str, Any]).decode


def read(key: str, payload: bytes) -> QueuedItem:
    """What was published under a routing key; None for an answer that tells nothing."""
    levels = key.translate(OTHERWAYS).split("/")
    if len(levels) != 6 or levels[:2] != ["jadoube", "v1"]:
        return Foreign(key, payload, "no topic of a board")
    place = VenueBoard(levels[2], f"{levels[3]}/{levels[4]}")
    try:
        if levels[5] == HEAD:
            head = _head(payload)
            return QueuedHead(place, head.origin, head.seq, bytes.fromhex(head.hash), head.last)
        if levels[5] == DOCKET:
            docket = _docket(payload)
            return QueuedDocket(
                place, docket.origin, docket.game, docket.last, {"open": docket.open, "said": docket.said}
            )
        answer = _answer(payload)
        if answer.type in ANSWERS:
            return None if answer.gone is None else GoneAnswer(place, answer.gone.first, answer.gone.last)
        body = _any(payload)
        event = msgspec.convert(body, _Event)
        if event.type == "game" and not isinstance(body.get("opening", {}).get("started"), str):
            return Foreign(key, payload, "a game without its opening")
    except (*UNREADABLE, ValueError, AttributeError) as error:
        return Foreign(key, payload, str(error))
    for name in TRANSPORT:
        body.pop(name, None)
    return QueuedEvent(place, event.origin, event.seq, event.after, event.game, body)
