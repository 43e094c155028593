"""The words of DGT LiveChess 2.2: what its clients ask and are told over a WebSocket, exactly and without a key more.

Written after what the programs made for it send and read, the board page of Lichess among them. Clients reject keys
that they do not know, and compare ids as the JSON they sent, so these are passed back untouched.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

EBoardState = Literal["ACTIVE", "INACTIVE", "NOTRESPONDING", "DELAYED"]
NULL = Raw(b"null")
LONGEST = 200  #: of what a client said, so much is said back


class LiveChessClock(Struct, frozen=True):
    """Both clocks at ``time``."""

    white: int  #: seconds
    black: int
    run: bool | None  #: White's runs, Black's, or neither
    time: int  #: ms since 1970


class EBoard(Struct, frozen=True):
    """A board in the answer to ``eboards``."""

    serialnr: str
    source: str  #: how it is connected, as ``COM3``
    state: EBoardState | None
    battery: str | None
    comment: str | None
    board: str  #: where the pieces stand, as in a FEN
    flipped: bool
    clock: LiveChessClock | None


class FeedBoard(Struct, frozen=True):
    """What a feed tells of a board before a ``setup``."""

    serialnr: str
    flipped: bool
    board: str
    clock: LiveChessClock | None


class FeedMoves(FeedBoard, frozen=True):
    """What it tells after a ``setup``."""

    start: str  #: the FEN that was set up
    san: list[str]  #: the moves since then
    match: bool  #: whether the board is where these lead


class Request(Struct, frozen=True):
    """What a client asks."""

    id: Raw
    call: str
    param: Raw = NULL


class Serial(Struct, frozen=True):
    """The board that a feed is of."""

    serialnr: str


class Subscription(Struct, frozen=True):
    """``param`` of ``subscribe``; ``id`` is what the client calls the feed from then on."""

    id: Raw
    feed: Literal["eboardevent"]
    param: Serial


class Cancellation(Struct, frozen=True):
    """``param`` of ``unsubscribe``."""

    id: Raw


class FeedSetup(Struct, frozen=True, tag_field="method", tag="setup"):
    """The client's game stands so."""

    class Param(Struct, frozen=True):
        fen: Annotated[str, Meta(max_length=120)]

    id: Raw
    param: Param


class FlipBoard(Struct, frozen=True, tag_field="method", tag="flip"):
    """The board is to be shown the other way round."""

    class Param(Struct, frozen=True):
        flip: bool

    id: Raw
    param: Param


request = msgspec.json.Decoder(Request)
subscription = msgspec.json.Decoder(Subscription)
cancellation = msgspec.json.Decoder(Cancellation)
method: msgspec.json.Decoder[FeedSetup | FlipBoard] = msgspec.json.Decoder(FeedSetup | FlipBoard)


def answer(id_: Raw, param: Any, now_ms: int) -> str:
    return _json({"response": "call", "id": id_, "param": param, "time": now_ms})


def feed(id_: Raw, param: FeedBoard, now_ms: int) -> str:
    return _json({"response": "feed", "id": id_, "param": param, "time": now_ms})


def error(id_: Raw, message: str) -> str:
    """Why a call came to nothing."""
    return _json({"response": "error", "id": id_, "param": {"message": message[:LONGEST], "stacktrace": ""}})


def checked(id_: Raw) -> bytes:
    """What a client calls a feed: it comes back with each move. Raises :exc:`ValueError` where it is too long."""
    if len(bytes(id_)) > LONGEST:
        raise ValueError(f"an id has {LONGEST} bytes at most")
    return bytes(id_)


def _json(message: dict[str, Any]) -> str:
    return msgspec.json.encode(message).decode()
