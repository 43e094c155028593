"""DGT LiveChess 2.2 at port 1982, so that programs made for it run with any board of ours: WebSocket and REST.

The two boards of a match are two boards there, each with a feed of its own. As a tournament it is not told by REST:
that JSON, as of LiveChess Cloud, has no drops.
What is served is live, without the delay of the event: it is meant for programs on the same machine, and listens for
these alone unless told otherwise. A web page may only ask if its origin is named in ``origins``.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from msgspec import Raw
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.outlets import cloud
from controller.outlets import livechess_protocol as protocol
from controller.outlets.livechess_boards import Boards
from controller.outlets.livechess_feed import Feed
from controller.outlets.notices import Notices
from controller.outlets.pgn import tags_of
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.serving import LOOPBACK, Served
from controller.outlets.settings import LiveChessConfig

NAME = "livechess"
API = "/api/v1.0"
FEEDS = 16  #: so many may one client have


class LiveChess:
    """``boards`` as LiveChess would serve them."""

    def __init__(self, config: LiveChessConfig, boards: Boards, notices: Notices) -> None:
        self.boards = boards
        self._origins = config.origins
        self._wakes: set[asyncio.Event] = set()  # of the connections
        hosts = [*LOOPBACK] if config.host in LOOPBACK else ["*"]
        app = Starlette(
            routes=[
                WebSocketRoute(API, self._connect),
                Route(f"{API}/eboards", self._rest(self._eboards)),
                Route(f"{API}/tournaments", self._rest(self._tournaments)),
                Route(f"{API}/tournament/{{uuid}}", self._rest(self._tournament)),
                Route(f"{API}/round/{{uuid}}/{{round:int}}", self._rest(self._round)),
                Route(f"{API}/game/{{uuid}}", self._rest(self._game)),
            ],
            middleware=[
                Middleware(TrustedHostMiddleware, allowed_hosts=hosts),  # a name of elsewhere that leads here
                Middleware(CORSMiddleware, allow_origins=config.origins, allow_methods=["GET"]),
            ],
        )
        self.served = Served(NAME, app, config.host, config.port, notices)

    async def run(self) -> None:
        """Follows the journal and serves, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow(), name="livechess journal")
            tasks.create_task(self.served.run(), name="livechess served")

    async def _follow(self) -> None:
        while True:
            await self.boards.more()
            for wake in self._wakes:
                wake.set()

    # -- by REST -------------------------------------------------------------------------------------------------

    def _eboards(self, _: Request) -> Any:
        return self.boards.eboards()

    def _tournaments(self, _: Request) -> Any:
        return [] if (sheet := self.boards.alone) is None else [self._cloud_of(sheet)]

    def _tournament(self, request: Request) -> Any:
        sheet = self.boards.alone
        return self._cloud_of(sheet) if sheet is not None and self._asked(request, sheet) else None

    def _round(self, request: Request) -> Any:
        sheet = self.boards.alone
        if sheet is None or not self._asked(request, sheet):
            return None
        tags = tags_of(sheet)
        return cloud.index({1: tags}) if request.path_params["round"] + 1 == cloud.round_of(tags) else None

    def _game(self, request: Request) -> Any:
        sheet = self.boards.alone
        return cloud.game(sheet) if sheet is not None and request.path_params["uuid"] == cloud.game_id(sheet) else None

    @staticmethod
    def _cloud_of(sheet: Scoresheet) -> cloud.Tournament:
        tags = tags_of(sheet)
        return cloud.tournament([tags], {cloud.round_of(tags): cloud.Round(1, int(tags["Result"] == "*"))})

    @staticmethod
    def _asked(request: Request, sheet: Scoresheet) -> bool:
        return bool(request.path_params["uuid"] == cloud.tournament_id(tags_of(sheet)))

    def _rest(self, tell: Callable[[Request], Any]) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            said = tell(request)
            if said is None:
                return Response("there is no such thing here", 404, media_type="text/plain")
            return Response(msgspec.json.encode(said), media_type="application/json")

        return respond

    # -- a connection --------------------------------------------------------------------------------------------

    async def _connect(self, socket: WebSocket) -> None:
        origin = socket.headers.get("origin")
        if origin is not None and origin not in self._origins and "*" not in self._origins:
            await socket.close()  # before it is accepted: 403
            return
        await socket.accept()
        await Connection(self.boards, socket, self._wakes).run()


class Connection:
    """One client, answered in the order of its calls; its feeds never wait for those of another."""

    def __init__(self, boards: Boards, socket: WebSocket, wakes: set[asyncio.Event]) -> None:
        self._boards = boards
        self._socket = socket
        self._wakes = wakes
        self._wake = asyncio.Event()
        self._feeds: dict[bytes, Feed] = {}  # by their ids
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        """Serves it until it leaves."""
        self._wakes.add(self._wake)
        telling = asyncio.create_task(self._tell(), name="livechess feed")
        try:
            with contextlib.suppress(WebSocketDisconnect):
                while True:
                    text = await self._socket.receive_text()
                    async with self._sending:
                        await self._socket.send_text(self._answer(text))
                    self._wake.set()
        finally:
            self._wakes.discard(self._wake)
            telling.cancel()

    async def _tell(self) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await self._wake.wait()
                self._wake.clear()
                async with self._sending:
                    for feed in list(self._feeds.values()):
                        seat = self._boards.seats[feed.serialnr]
                        for shown in feed.news(self._boards.line(seat), self._boards.clock(seat)):
                            await self._socket.send_text(protocol.feed(feed.id, shown, _now_ms()))

    def _answer(self, text: str) -> str:
        asked = protocol.Request(protocol.NULL, "")
        try:
            asked = protocol.request.decode(text)
            return protocol.answer(asked.id, self._call(asked), _now_ms())
        except (ValueError, msgspec.MsgspecError) as error:
            return protocol.error(asked.id, str(error))

    def _call(self, asked: protocol.Request) -> Any:
        """What it comes to. Raises :exc:`ValueError` and :exc:`msgspec.MsgspecError` where it makes no sense."""
        match asked.call:
            case "eboards":
                return self._boards.eboards()
            case "subscribe":
                wanted = protocol.subscription.decode(asked.param)
                if wanted.param.serialnr not in self._boards.seats:
                    raise ValueError(f"there is no board {wanted.param.serialnr} here")
                if len(self._feeds) >= FEEDS:
                    raise ValueError(f"no client has more than {FEEDS} feeds")
                self._feeds[bytes(wanted.id)] = Feed(Raw(bytes(wanted.id)), wanted.param.serialnr)
            case "unsubscribe":
                self._feeds.pop(bytes(protocol.cancellation.decode(asked.param).id), None)
            case "call":
                self._ask(protocol.method.decode(asked.param))
            case _:
                raise ValueError(f"there is no call {asked.call}")
        return None

    def _ask(self, method: protocol.Setup | protocol.Flip) -> None:
        feed = self._feeds.get(bytes(method.id))
        if feed is None:
            raise ValueError(f"there is no feed {bytes(method.id).decode()}")
        match method:
            case protocol.Setup():
                feed.setup(method.param.fen)
            case protocol.Flip():
                feed.flip(method.param.flip)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
