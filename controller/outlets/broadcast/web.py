"""The files of a broadcast by URL, for those who poll: Lichess every six seconds, viewers of LiveChess Cloud.

The ETag is a strong one, of the text itself, so who asks with it is told in a few bytes that nothing has changed. PGN
says that it is UTF-8: ``text/*`` without a word would be read as Latin-1. While there is no game there is no file, for
an empty one would fail a whole round. At ``/`` stands for people what is there.
"""

import asyncio
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.outlets.broadcast.folder import rounds_in
from controller.outlets.broadcast.front import front_page
from controller.outlets.serving import tagged
from controller.words.language import preferred

TYPES = {
    ".pgn": "application/x-chess-pgn; charset=utf-8",
    ".bpgn": "application/x-chess-bpgn; charset=utf-8",
    ".json": "application/json",
}

PAGE = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Vary": "Accept-Language",
}


def broadcast_app(directory: Path) -> Starlette:
    """Serves what is written in ``directory``: the files of each round, and as ``/games.pgn`` and ``/matches.bpgn``
    those of the last round that has some.
    """

    def latest(name: str) -> Path | None:
        paths = (each.path / name for each in reversed(rounds_in(directory)))
        return next((path for path in paths if path.exists()), None)

    async def last_round(request: Request) -> Response:
        path = await asyncio.to_thread(latest, _name(request))
        return await _file(request, path) if path is not None else _nothing()

    async def file(request: Request) -> Response:
        return await _file(request, directory / _name(request))

    async def front(request: Request) -> Response:
        text = await asyncio.to_thread(front_page, directory, preferred(request.headers.get("accept-language", "")))
        return tagged(request, text.encode(), PAGE)

    routes = [
        Route("/", front),
        Route("/games.pgn", last_round),
        Route("/matches.bpgn", last_round),
        Route("/tournament.json", file),
        Route("/round-{round}/games.pgn", file),
        Route("/round-{round}/matches.bpgn", file),
        Route("/round-{round}/match-{number:int}.bpgn", file),
        Route("/round-{round}/index.json", file),
        Route("/round-{round}/game-{board:int}.pgn", file),
        Route("/round-{round}/game-{board:int}.json", file),
    ]
    return Starlette(routes=routes, middleware=[Middleware(CORSMiddleware, allow_origins=["*"])])


async def _file(request: Request, path: Path) -> Response:
    try:
        text = await asyncio.to_thread(path.read_bytes)
    except (OSError, ValueError):  # a name that cannot be one
        return _nothing()
    return tagged(request, text, {"Content-Type": TYPES[path.suffix]})


def _name(request: Request) -> str:
    """The path asked for, one of the routes. ``request.url`` would not do: it holds the name the client calls us."""
    return str(request.scope["path"]).lstrip("/")


def _nothing() -> Response:
    return Response("there is no game yet, or it is shown later", 404, media_type="text/plain")
