"""A client of LiveChess that takes nothing but what is documented, and one that behaves as the page of Lichess does."""

import asyncio
import json
from typing import Any, Literal

import chess
import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect


class Clock(Struct, forbid_unknown_fields=True):
    white: int
    black: int
    run: bool | None
    time: int


class EBoard(Struct, forbid_unknown_fields=True):
    serialnr: str
    source: str
    state: Literal["ACTIVE", "INACTIVE", "NOTRESPONDING", "DELAYED"] | None
    battery: str | None
    comment: str | None
    board: str
    flipped: bool
    clock: Clock | None


class Shown(Struct, forbid_unknown_fields=True):
    """A feed before ``setup``."""

    serialnr: str
    flipped: bool
    board: str
    clock: Clock | None


class Followed(Struct, forbid_unknown_fields=True):
    """A feed after ``setup``."""

    serialnr: str
    flipped: bool
    board: str
    clock: Clock | None
    start: str
    san: list[str]
    match: bool


class Envelope(Struct, forbid_unknown_fields=True):
    response: Literal["call", "feed", "error"]
    id: msgspec.Raw
    param: msgspec.Raw
    time: int | None = None


class Failure(Struct, forbid_unknown_fields=True):
    message: str
    stacktrace: str


class Strict:
    """A connection. Each message is checked as it comes; feeds are kept, answers are returned."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._answers: asyncio.Queue[Envelope] = asyncio.Queue()
        self.feeds: list[Shown | Followed] = []
        self.set_up = self._setting_up = False
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for text in self._socket:
            message = msgspec.json.decode(text, type=Envelope)
            if message.response == "feed":
                assert message.time is not None
                kind = Followed if self.set_up else Shown
                self.feeds.append(msgspec.json.decode(message.param, type=kind))
            else:
                if message.response == "call":
                    assert message.time is not None
                    self.set_up = self.set_up or self._setting_up
                else:
                    msgspec.json.decode(message.param, type=Failure)
                self._answers.put_nowait(message)

    async def ask(self, **request: Any) -> Envelope:
        self._setting_up = request["call"] == "call" and request["param"]["method"] == "setup"
        await self._socket.send(json.dumps(request))
        return await self.answer()

    async def answer(self) -> Envelope:
        answering = asyncio.create_task(self._answers.get())
        await asyncio.wait([answering, self._listening], timeout=5, return_when=asyncio.FIRST_COMPLETED)
        assert answering.done(), self._listening
        return answering.result()

    async def say(self, text: str) -> Envelope:
        await self._socket.send(text)
        return await self.answer()

    async def setup(self, fen: str) -> Envelope:
        return await self.ask(id=3, call="call", param={"id": 1, "method": "setup", "param": {"fen": fen}})

    async def subscribe(self, serialnr: str) -> Envelope:
        param = {"feed": "eboardevent", "id": 1, "param": {"serialnr": serialnr}}
        return await self.ask(id=2, call="subscribe", param=param)

    def check(self) -> None:
        """Raises what the listener met."""
        if self._listening.done():
            self._listening.result()

    @property
    def lines(self) -> list[list[str]]:
        return [feed.san for feed in self.feeds if isinstance(feed, Followed)]


class Page:
    """What the board page of Lichess makes of the feed: it looks only at how the number of moves has changed, and posts
    the last ones. What it cannot post would be a broken game.
    """

    def __init__(self, fen: str) -> None:
        self.board = chess.Board(fen)
        self._before = 0

    def hear(self, feed: Followed) -> None:
        new = len(feed.san) - self._before
        assert new in (0, 1), "one ply a message, and none taken back"
        for san in feed.san[len(feed.san) - new :]:
            self.board.push_san(san)
        self._before = len(feed.san)


def client(port: int, **options: Any) -> connect:
    return connect(f"ws://127.0.0.1:{port}/api/v1.0", **options)
