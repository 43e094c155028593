"""The files of a broadcast by URL, for those who poll: Lichess every six seconds, viewers of LiveChess Cloud.

The ETag is a strong one, of the text itself, so who asks with it is told in a few bytes that nothing has changed. PGN
says that it is UTF-8: ``text/*`` without a word would be read as Latin-1. While there is no game there is no file, for
an empty one would fail a whole round.
"""

import asyncio
import hashlib
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.outlets.broadcast import rounds_in

TYPES = {
    ".pgn": "application/x-chess-pgn; charset=utf-8",
    ".bpgn": "application/x-chess-bpgn; charset=utf-8",
    ".json": "application/json",
}


def broadcast_app(directory: Path) -> Starlette:
    """Serves what is written in ``directory``: the files of each round, and as ``/games.pgn`` and ``/matches.bpgn``
    those of the last round that has some.
    """

    def latest(name: str) -> Path | None:
        paths = (directory / f"round-{number}" / name for number in reversed(rounds_in(directory)))
        return next((path for path in paths if path.exists()), None)

    async def last_round(request: Request) -> Response:
        path = await asyncio.to_thread(latest, request.url.path.lstrip("/"))
        return await _file(request, path) if path is not None else _nothing()

    async def file(request: Request) -> Response:
        return await _file(request, directory / request.url.path.lstrip("/"))

    routes = [
        Route("/games.pgn", last_round),
        Route("/matches.bpgn", last_round),
        Route("/tournament.json", file),
        Route("/round-{round:int}/games.pgn", file),
        Route("/round-{round:int}/matches.bpgn", file),
        Route("/round-{round:int}/match-{number:int}.bpgn", file),
        Route("/round-{round:int}/index.json", file),
        Route("/round-{round:int}/game-{board:int}.pgn", file),
        Route("/round-{round:int}/game-{board:int}.json", file),
    ]
    return Starlette(routes=routes, middleware=[Middleware(CORSMiddleware, allow_origins=["*"])])


async def _file(request: Request, path: Path) -> Response:
    try:
        text = await asyncio.to_thread(path.read_bytes)
    except OSError:
        return _nothing()
    etag = f'"{hashlib.sha256(text).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Content-Type": TYPES[path.suffix]}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if etag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(text, headers=headers)


def _nothing() -> Response:
    return Response("there is no game yet", 404, media_type="text/plain")
