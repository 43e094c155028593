"""Servers of others, as far as we speak with them: Lichess as its documentation has it, and one who takes alerts."""

import asyncio
import contextlib
import io
import time
from collections.abc import AsyncIterator
from typing import Any

import chess.pgn
from hall import free_port
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from controller.outlets.notices import Notices
from controller.outlets.serving import Served

ROUND = "abcd1234"
TOKEN = "lip_secret"


class LichessRound:
    """A round that is pushed to. It keeps a game as a tree: moves are added and never deleted, and what was pushed last
    is the main line. Games are told apart by what Lichess tells them apart by.
    """

    def __init__(self) -> None:
        self.games: dict[tuple[str, ...], chess.pgn.Game] = {}
        self.pushes: list[str] = []  #: all that came, also what was refused
        self.came: list[float] = []  #: when, in s
        self.refusals: list[Response] = []  #: what to answer first, one a push
        self.app = Starlette(routes=[Route(f"/api/broadcast/round/{ROUND}/push", self._push, methods=["POST"])])

    async def _push(self, request: Request) -> Response:
        body = (await request.body()).decode()
        self.pushes.append(body)
        self.came.append(time.monotonic())
        if self.refusals:
            return self.refusals.pop(0)
        if request.headers["authorization"] != f"Bearer {TOKEN}":
            return JSONResponse({"error": "No such token"}, 401)
        if not request.headers["content-type"].startswith("text/plain"):
            return JSONResponse({"error": "Expected text"}, 400)
        stream, said = io.StringIO(body), list[dict[str, Any]]()
        while (game := chess.pgn.read_game(stream)) is not None:
            if game.errors:
                said.append({"tags": dict(game.headers), "error": str(game.errors[0])})
            else:
                self._take(game)
                said.append({"tags": dict(game.headers), "moves": game.end().ply()})
        return JSONResponse({"games": said})

    def _take(self, game: chess.pgn.Game) -> None:
        tags = game.headers
        players = (
            ("WhiteFideId", "BlackFideId") if "WhiteFideId" in tags and "BlackFideId" in tags else ("White", "Black")
        )
        key = tuple(tags.get(name, "") for name in ("Event", "Site", "Round", "Board", *players))
        kept: chess.pgn.GameNode = self.games.setdefault(key, chess.pgn.Game())
        self.games[key].headers["Result"] = tags["Result"]
        for node in game.mainline():
            if not kept.has_variation(node.move):
                kept.add_variation(node.move)
            kept.promote_to_main(node.move)
            kept = kept.variation(node.move)

    def mainline(self) -> list[str]:
        (game,) = self.games.values()
        return [node.san() for node in game.mainline()]


class Alarm:
    """Takes alerts, and keeps what came with each; ``refusals`` are answered first."""

    def __init__(self) -> None:
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.refusals: list[int] = []
        self.app = Starlette(routes=[Route("/alerts", self._take, methods=["POST"])])

    async def _take(self, request: Request) -> Response:
        body = await request.body()
        if self.refusals:
            return PlainTextResponse("not now", self.refusals.pop(0))
        self.heard.append((dict(request.headers), body))
        return Response(status_code=204)


@contextlib.asynccontextmanager
async def elsewhere(app: Starlette, port: int | None = None) -> AsyncIterator[str]:
    """Serves it; gives its URL."""
    served = Served("elsewhere", app, "127.0.0.1", port or free_port(), Notices())
    task = asyncio.create_task(served.run())
    await asyncio.wait_for(served.up.wait(), 5)
    try:
        yield f"http://127.0.0.1:{served.port}"
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@contextlib.asynccontextmanager
async def at_work(outlet: Any) -> AsyncIterator[None]:
    """Runs an outlet; a defect in it fails the test."""
    task = asyncio.create_task(outlet.run())
    try:
        yield
    finally:
        if task.done():
            task.result()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
