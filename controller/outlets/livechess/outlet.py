"""DGT LiveChess 2.2 at port 1982, so that programs made for it run with any board of ours: WebSocket and REST.

The two boards of a match are two boards there, each with a feed of its own. As a tournament it is not told by REST:
that JSON has no drops.
What is served is live, without the delay of the event: it is meant for programs on the same machine, and listens for
these alone unless told otherwise. A web page may only ask if its origin is named in ``origins``. Who comes when there
are as many connections as we keep is told to come later; those that there are stay.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from controller.addresses import LOOPBACK
from controller.outlets.broadcast import cloud
from controller.outlets.entrance import origin as origin_of
from controller.outlets.livechess import rest
from controller.outlets.livechess.boards import LiveChessBoards
from controller.outlets.livechess.connection import Connection
from controller.outlets.notices import Notices
from controller.outlets.pgn import tags_of
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.serving import Served
from controller.outlets.settings import LiveChessConfig
from controller.outlets.tables import InHall, Running

NAME = "livechess"
API = "/api/v1.0"
CONNECTIONS = 64  #: so many are kept at a time
FROM_ONE = 16  #: of these from one address


class LiveChess:
    """``boards`` as LiveChess would serve them."""

    def __init__(self, config: LiveChessConfig, boards: LiveChessBoards, notices: Notices) -> None:
        self.boards = boards
        self._origins = config.origins
        self._connections: dict[Connection, str] = {}  # and from which address
        hosts = [*LOOPBACK] if config.host in LOOPBACK else ["*"]
        app = Starlette(
            routes=[
                WebSocketRoute(API, self._connect),
                Route(f"{API}/eboards", self._rest(lambda _: boards.eboards())),
                Route(f"{API}/tournaments", self._rest(lambda _: [*map(rest.summary, self._events.values())])),
                Route(f"{API}/tournament/{{uuid}}", self._rest(self._tournament)),
                Route(f"{API}/round/{{uuid}}/{{round:int}}", self._rest(self._round)),
                Route(f"{API}/game/{{uuid}}", self._rest(self._game)),
            ],
            middleware=[
                Middleware(TrustedHostMiddleware, allowed_hosts=hosts),  # a name of elsewhere that leads here
                Middleware(CORSMiddleware, allow_origins=config.origins, allow_methods=["GET"]),
            ],
        )
        self.served = Served(NAME, app, config.host, config.port, notices, sockets=True)

    async def run(self) -> None:
        """Follows the journal and serves, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow(), name="livechess journal")
            tasks.create_task(self.served.run(), name="livechess served")

    async def _follow(self) -> None:
        def tell() -> None:
            for connection in self._connections:
                connection.wake()

        await self.boards.follow(tell)

    # -- by REST -------------------------------------------------------------------------------------------------

    @property
    def _events(self) -> dict[str, list[Scoresheet]]:
        """The games of each event, by its id."""
        events = defaultdict[str, list[Scoresheet]](list)
        for sheet in self.boards.games:
            events[cloud.tournament_id(tags_of(sheet))].append(sheet)
        return events

    def _tournament(self, request: Request) -> Any:
        games = self._events.get(request.path_params["uuid"])
        return rest.tournament(games) if games else None

    def _round(self, request: Request) -> Any:
        games = self._events.get(request.path_params["uuid"])
        return rest.round_(games, request.path_params["round"]) if games else None

    def _game(self, request: Request) -> Any:
        for sheet in self.boards.games:
            if request.path_params["uuid"] == cloud.game_id(sheet):
                return rest.game(sheet, self.boards.clock(sheet.number))
        return None

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
        address = origin_of(socket.client.host) if socket.client is not None else ""
        if (refusal := self._full(address)) is not None:
            await socket.send_denial_response(refusal)
            return
        connection = Connection(self.boards, socket)
        self._connections[connection] = address
        try:
            await socket.accept()
            await connection.run()
        finally:
            del self._connections[connection]

    def _full(self, address: str) -> Response | None:
        """What to say to one more from there, if it is one too many."""
        if len(self._connections) >= CONNECTIONS:
            said, status = f"there are {CONNECTIONS} connections already, and no more are kept; close one", 503
        elif list(self._connections.values()).count(address) >= FROM_ONE:
            said, status = f"there are {FROM_ONE} connections from {address} already; close one", 429
        else:
            return None
        return Response(said, status, {"Retry-After": "60"}, "text/plain")


def of_hall(config: LiveChessConfig, hall: InHall) -> Iterator[Running]:
    """All boards together, as one computer with LiveChess has them."""
    boards = LiveChessBoards(hall.tables, hall.journal, hall.notices, hall.standing, config.hold_below, hall.now)
    yield Running(NAME, LiveChess(config, boards, hall.notices).run, made_of=config)
