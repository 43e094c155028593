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


class Summary(Struct, forbid_unknown_fields=True):
    """By REST, as the ``livechess`` of PyPI has it: ``livechess/local.py``."""

    uuid: str
    description: str
    rounds: int


class Tournament(Struct, forbid_unknown_fields=True):
    uuid: str
    name: str
    description: str
    location: str
    country: str
    rounds: int
    eboards: list[str]


class Player(Struct, forbid_unknown_fields=True):
    fname: str | None
    mname: str | None
    lname: str | None
    title: str | None
    federation: str | None
    gender: str | None
    fideid: str | None


class Pairing(Struct, forbid_unknown_fields=True):
    nr: int
    uuid: str
    white: Player
    black: Player
    live: bool
    result: Literal["WHITEWIN", "BLACKWIN", "DRAW"] | None


class Round(Struct, forbid_unknown_fields=True):
    nr: int
    date: str | None
    pairings: list[Pairing]


class Game(Struct, forbid_unknown_fields=True):
    chess960: int
    result: Literal["WHITEWIN", "BLACKWIN", "DRAW"] | None
    comment: str | None
    clock: Clock | None
    moves: list[str]


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
        await asyncio.wait([answering, self._listening], timeout=60, return_when=asyncio.FIRST_COMPLETED)
        assert answering.done(), self._listening
        return answering.result()

    async def say(self, text: str | bytes) -> Envelope:
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
    """What the board page of Lichess makes of the feed, by its own rules: ``onmessage`` of ``ui/dgt/src/play.ts`` in
    lichess-org/lila. It looks only at how the number of moves has changed, passes over a line without any, posts the
    moves of its own player, ``colour``, and takes those of the other side if they are the last ones made at Lichess.
    """

    def __init__(self, fen: str = chess.STARTING_FEN, colour: chess.Color = chess.WHITE) -> None:
        self.colour = colour
        self.lichess = chess.Board(fen)  #: the game there
        self.board = chess.Board(fen)  #: the game as the page has it
        self.posted: list[str] = []
        self.refused: list[str] = []
        self._last: list[str] = []

    def answer(self, san: str) -> None:
        """The opponent moves, at Lichess."""
        assert self.lichess.turn != self.colour
        self.lichess.push_san(san)

    def hear(self, feed: Followed) -> None:
        if not feed.san or feed.san == self._last:
            return
        new = len(feed.san) - len(self._last)
        assert abs(new) <= 1, "one ply a message"
        self._last = feed.san
        if new == 1:
            self._take(feed.san[-1])

    def _take(self, san: str) -> None:
        try:
            move = self.board.parse_san(san)
        except ValueError:
            self.refused.append(san)
            return
        if self.board.turn == self.colour:
            self.posted.append(san)
            self.lichess.push(move)
            self.board.push(move)
        elif self.lichess.move_stack and self.lichess.peek() == move:
            self.board.push(move)
        else:
            self.refused.append(san)


def client(port: int, **options: Any) -> connect:
    return connect(f"ws://127.0.0.1:{port}/api/v1.0", **options)
