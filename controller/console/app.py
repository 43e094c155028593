"""The web application: which address shows what, to whom.

    /                       the spectators' page, for everybody
    /events                 what is on it, as server-sent events
    /games/7.pgn            the game on that board, as late as the page shows it; /games.pgn: all of them
    /arbiter                the console; who is not signed in is sent to /arbiter/sign-in (``signing``)
    /arbiter/events         what is on it; the daemons of the hall read it too, by the key they share
    /arbiter/screen         what is on a screen in the hall, for which /arbiter is the spectators' page
    /arbiter/boards/7       POST: a ruling on that board; to /played: what may have been played, to set its record
                            right; to /undo: what would be taken back
    /arbiter/devices        who is signed in; POST to /arbiter/devices/name: is so no more (``signing``)
    /arbiter/results        what the games came to, and results given by hand (``outcomes``)
    /arbiter/restored.svg   where the pieces must go
    /pieces/N.svg, /static/    pictures, scripts and styles
    /language/fr            speaks French from now on

Server-sent events are those of the HTML standard, 9.2; attributes of cookies as RFC 6265bis has them.
"""

import functools
import html
import mimetypes
import re
from collections.abc import Awaitable, Callable, Mapping
from importlib import resources
from typing import Any

from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from controller.console import pictures, played, rulings
from controller.console.access import Hosts
from controller.console.answers import (
    LANGUAGE,
    Templates,
    address_of,
    as_json,
    by_tls,
    data_of,
    language_of,
    nobody,
    stream,
    svg,
)
from controller.console.crowd import Crowd
from controller.console.grants import said
from controller.console.guard import FRESH, SAFE, Guard, keyed
from controller.console.hub import Hub
from controller.console.outcomes import Outcomes
from controller.console.register import Register
from controller.console.scores import Scores
from controller.console.signing import Asker, Signing
from controller.console.tournament import Tournament
from controller.console.words import label, of_arbiter, of_spectators
from controller.errors import AccessError, JadoubeError
from controller.outlets.mqtt.topics import MARKED
from controller.outlets.serving import tagged
from controller.words import LANGUAGES, LanguageCode
from controller.words.notices import in_one, translated

PGN = "application/x-chess-pgn; charset=utf-8"
IN_EACH_LANGUAGE = ("/", "/arbiter", *(f"/arbiter/{page}" for page in ("sign-in", "devices", "results")))
OF_A_ROUND = re.compile(r"(/arbiter/results)\?round=[0-9]{1,3}")
CROWD = 500  #: so many spectators are served at a time: the arbiters must always find room

AGAIN_S = "5"  #: after which a browser asks again for what cannot be shown at present

Rule = Callable[[str, rulings.PageRuling, str], Awaitable[int]]
"""Carries out a ruling on the board of that number, given by that name. Raises :exc:`JadoubeError`."""

AskPlayed = Callable[[str, played.PlaceInRecord, LanguageCode], Awaitable[dict[str, Any]]]
"""What may have been played at a place of the score of that board. Raises :exc:`JadoubeError`."""


class FrontDoor(Struct, frozen=True):
    """What the pages show, and who may come in."""

    arbiter: Mapping[LanguageCode, Hub]
    public: Mapping[LanguageCode, Hub]
    live: Callable[[], Mapping[LanguageCode, Hub]]  #: what the public will see, at once
    rule: Rule
    played: AskPlayed
    undone_next: Callable[[str, LanguageCode], Awaitable[dict[str, Any]]]  #: as of :class:`.Console`
    scores: Scores
    register: Register
    hosts: Hosts
    hall_key: str | None
    tournament: Tournament | None  #: that its boards play, if they do
    trouble: Callable[[], JadoubeError | None]  #: why there is nothing to be shown at present
    delay: str  #: in minutes, or ``game-end``; "" where the public sees everything at once


class Pages:
    """The handlers of :func:`application`, which lets in whom ``signing`` does."""

    def __init__(self, door: FrontDoor) -> None:
        self._door = door
        self._crowd = Crowd(CROWD)
        self._templates = Templates()
        self.signing = Signing(door.register, door.hall_key, self._templates)
        played = door.tournament
        self._results = [] if played is None else Outcomes(played, self.signing, self._templates, door.arbiter).routes
        self._static = {
            file.name: (file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream")
            for file in (resources.files("controller.console") / "static").iterdir()
        }

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/", self.public),
            Route("/events", self.public_events),
            Route("/games.pgn", self.all_games),
            Route("/games/{number}.pgn", self.game),
            Route("/arbiter", self.arbiter),
            Route("/arbiter/events", self.arbiter_events),
            Route("/arbiter/screen", self.screen_events),
            Route("/arbiter/boards/{number}", self.rule, methods=["POST"]),
            Route("/arbiter/boards/{number}/played", self.played, methods=["POST"]),
            Route("/arbiter/boards/{number}/undo", self.undone_next, methods=["POST"]),
            Route("/arbiter/restored.svg", self.restored),
            Route("/pieces/{name}.svg", self.piece),
            Route("/static/{name}", self.static),
            Route("/language/{code}", self.language),
            *self.signing.routes,
            *self._results,
        ]

    # -- for everybody -------------------------------------------------------------------------------------------

    async def public(self, request: Request) -> Response:
        if (trouble := self._door.trouble()) is not None:
            return await _out_of_reach(request, trouble)
        return self._show(request, self._door.delay)

    def _show(self, request: Request, delay: str, events: str = "/events", here: str = "/") -> Response:
        """The spectators' page, which reads ``events``."""
        fields = {"delay": delay, "events": events, "here": here}
        return self._templates.page(request, "public.html", fields, words=of_spectators)

    async def public_events(self, request: Request) -> Response:
        hub = self._door.public[language_of(request)]
        if keyed(request.headers, self._door.hall_key):
            return stream(request, hub)
        address = address_of(request)
        reader = self._crowd.enter(address)
        if reader is None:
            return _plain(request, 503, "too many spectators", **{"Retry-After": "30"})
        return stream(request, hub, reader, functools.partial(self._crowd.leave, address, reader))

    async def game(self, request: Request) -> Response:
        return self._pgn(request, await self._door.scores.of_board(request.path_params["number"]))

    async def all_games(self, request: Request) -> Response:
        return self._pgn(request, await self._door.scores.of_all())

    def _pgn(self, request: Request, text: str | None) -> Response:
        if text is None:
            return _plain(request, 404, "there is no game yet")
        return tagged(request, text.encode(), SAFE, PGN)

    async def piece(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in pictures.LETTERS:
            return Response(status_code=404, headers=SAFE)
        return svg(pictures.piece(name), {"Cache-Control": "max-age=86400"})

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._static:
            return Response(status_code=404, headers=SAFE)
        body, kind = self._static[name]
        return tagged(request, body, SAFE, kind)

    async def language(self, request: Request) -> Response:
        code, to = request.path_params["code"], request.query_params.get("to", "/")
        if code not in LANGUAGES or OF_A_ROUND.sub(r"\1", to) not in IN_EACH_LANGUAGE:
            return Response(status_code=404, headers=SAFE)
        return _speaking(RedirectResponse(to, 303, headers=SAFE | FRESH), code, request)

    # -- for who has signed in -----------------------------------------------------------------------------------

    async def arbiter(self, request: Request) -> Response:
        asker = await self.signing.asker(request)
        if asker is None or asker.device is None:
            answer, code = RedirectResponse("/arbiter/sign-in", 303, headers=SAFE | FRESH), language_of(request)
            return _speaking(answer, code, request) if code == request.query_params.get("lang") else answer
        may, code = asker.may, language_of(request)
        if not may.sees:
            return self._show(request, "" if may.live else self._door.delay, "/arbiter/screen", "/arbiter")
        offered = {"results": may.results and bool(self._results), "devices": may.signs_out}
        links = (
            f'<a class="plain" href="/arbiter/{name}">{html.escape(label(code, name))}</a>'
            for name, may_be in offered.items()
            if may_be
        )
        markup = {"may": data_of(True if may.role == "chief" else may.boards), "links": "\n".join(links)}
        by = asker.by if may.role == "chief" else f"{asker.by} · {said(may, code)}"
        return self._templates.page(request, "arbiter.html", {"by": by, "here": "/arbiter"}, markup, of_arbiter)

    async def arbiter_events(self, request: Request) -> Response:
        asker = await self.signing.asker(request)
        if asker is None or not asker.may.sees:
            return nobody(asker is not None)
        return self._stream(request, self._door.arbiter[language_of(request)], asker)

    async def screen_events(self, request: Request) -> Response:
        asker = await self.signing.asker(request)
        if asker is None:
            return nobody(False)
        hubs = self._door.live() if asker.may.live or asker.may.sees else self._door.public
        return self._stream(request, hubs[language_of(request)], asker)

    def _stream(self, request: Request, hub: Hub, asker: Asker) -> Response:
        reader = self.signing.reader(asker)
        return stream(request, hub, reader, functools.partial(self.signing.gone, reader, asker))

    async def rule(self, request: Request) -> Response:
        asker, number = await self.signing.asker(request), request.path_params["number"]
        if asker is None:
            return nobody(False)
        try:
            _check(asker, number)
            seq = await self._door.rule(number, rulings.read(await request.body()), asker.by)
        except JadoubeError as error:
            return _refusal(error, language_of(request))
        return as_json({"seq": seq}, 200)

    async def played(self, request: Request) -> Response:
        async def answer(number: str, code: LanguageCode) -> dict[str, Any]:
            return await self._door.played(number, played.read(await request.body()), code)

        return await self._ask(request, answer)

    async def undone_next(self, request: Request) -> Response:
        return await self._ask(request, self._door.undone_next)

    async def _ask(
        self, request: Request, answer: Callable[[str, LanguageCode], Awaitable[dict[str, Any]]]
    ) -> Response:
        """What who rules on a board has to know before he does."""
        asker, number, code = await self.signing.asker(request), request.path_params["number"], language_of(request)
        if asker is None:
            return nobody(False)
        try:
            _check(asker, number)
            return as_json(await answer(number, code), 200)
        except JadoubeError as error:
            return _refusal(error, code)

    async def restored(self, request: Request) -> Response:
        asker = await self.signing.asker(request)
        if asker is None or not asker.may.sees:
            return nobody(asker is not None)
        asked = request.query_params
        try:
            return svg(pictures.restored(asked.get("fen", ""), asked.get("squares", "").split()), FRESH)
        except ValueError:
            return Response(status_code=400, headers=SAFE)


def _speaking(answer: Response, code: LanguageCode, request: Request) -> Response:
    """The answer, with which the browser remembers that language."""
    secure = by_tls(request)
    answer.set_cookie(LANGUAGE, code, max_age=31_536_000, httponly=True, samesite="strict", secure=secure)
    return answer


def _check(asker: Asker, number: str) -> None:
    """Raises :exc:`AccessError` where he who asks does not rule on that board."""
    if not asker.may.rules(number):
        what = f"{asker.by} does not rule on board {number}"
        raise AccessError(what, "the code was given for something else", "call its arbiter, or the chief arbiter")


def _refusal(error: JadoubeError, code: LanguageCode) -> Response:
    """What was refused, in words; to another daemon of the hall in those that it translates itself."""
    told = {"what": error.what, "cause": error.cause, "next_step": error.next_step}
    told = {part: translated(sentence, code) for part, sentence in told.items()}
    told["told"] = in_one((error.what, error.next_step), code)
    status = 403 if isinstance(error, AccessError) else 409
    return as_json(told | {name: isinstance(error, kind) for name, kind in MARKED.items()}, status)


def application(pages: Pages, door: FrontDoor) -> ASGIApp:
    """The application, behind the checks that every request has to pass."""
    app = Starlette(routes=[*pages.routes], exception_handlers={JadoubeError: _out_of_reach, 404: _no_such_page})
    return Guard(app, door.hosts, door.hall_key)


async def _out_of_reach(request: Request, error: Exception) -> Response:
    """Who asks cannot be known at present; a browser asks again by itself."""
    assert isinstance(error, JadoubeError)
    again = {"Refresh": AGAIN_S, "Retry-After": AGAIN_S}
    return _plain(request, 503, error.what, error.cause or "", error.next_step or "", **again)


async def _no_such_page(request: Request, _: Exception) -> Response:
    cause = "a slip in the address, or a board of another hall"
    return _plain(
        request, 404, "there is no such page here", cause, "the boards are at /, the arbiter's page at /arbiter"
    )


def _plain(request: Request, status: int, *sentences: str, **headers: str) -> Response:
    """Sentences, a line each, in the language of who asks."""
    said = "\n".join(translated(sentence, language_of(request)) for sentence in sentences if sentence)
    return Response(said, status, SAFE | FRESH | headers, media_type="text/plain")
