"""The web application: which address shows what, to whom.

    /                       the spectators' page, for everybody
    /events                 what is on it, as server-sent events
    /games/7.pgn            the game on that board, as late as the page shows it; /games.pgn: all of them
    /arbiter                the console; who is not signed in is sent to /arbiter/sign-in
    /arbiter/events         what is on it; the daemons of the hall read it too, by the key they share
    /arbiter/boards/7       POST: a ruling on that board; to /played: what may have been played, to set its record right
    /arbiter/devices        who is signed in; POST to /arbiter/devices/name: is so no more
    /arbiter/restored.svg   where the men must go
    /men/N.svg, /static/    pictures, scripts and styles
    /language/fr            speaks French from now on

Server-sent events are those of the HTML standard, 9.2; attributes of cookies as RFC 6265bis has them.
"""

import functools
import html
import logging
import mimetypes
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from importlib import resources
from string import Template
from typing import Any
from urllib.parse import parse_qs, unquote

from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from controller.console import men, played, rulings
from controller.console.access import Hosts, Wrong, name_of
from controller.console.answers import (
    LANGUAGE,
    Labels,
    address_of,
    as_json,
    by_tls,
    data_of,
    language_of,
    stream,
    svg,
    tagged,
)
from controller.console.codes import Codes
from controller.console.crowd import Crowd
from controller.console.devices import Device, Devices
from controller.console.guard import BY, FRESH, SAFE, Guard, keyed
from controller.console.hub import Hub, Reader
from controller.console.roster import row
from controller.console.scores import Scores
from controller.console.words import label, of_arbiter, of_spectators
from controller.errors import JadoubeError, SettledError, UnrestoredError
from controller.words import LANGUAGES, LanguageCode

log = logging.getLogger(__name__)

COOKIE = "jadoube"
PGN = "application/x-chess-pgn; charset=utf-8"
CODE_LENGTH = 12  #: with what people put between its letters
CROWD = 500  #: so many spectators are served at a time: the arbiters must always find room

Rule = Callable[[str, rulings.Ruling, str], Awaitable[int]]
"""Carries out a ruling on the board of that number, given by that name. Raises :exc:`JadoubeError`."""


Played = Callable[[str, played.Asked, LanguageCode], Awaitable[dict[str, Any]]]
"""What may have been played at a place of the score of that board. Raises :exc:`JadoubeError`."""


class Door(Struct, frozen=True):
    """What the pages show, and who may come in."""

    arbiter: Mapping[LanguageCode, Hub]
    public: Mapping[LanguageCode, Hub]
    rule: Rule
    played: Played
    scores: Scores
    codes: Codes
    devices: Devices
    hosts: Hosts
    hall_key: str | None
    delay: str  #: in minutes, or ``game-end``; "" where the public sees everything at once


class Pages:
    """The handlers of :func:`application`."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._crowd = Crowd(CROWD)
        self._wrong = Wrong()
        self._reading: defaultdict[str, set[Reader]] = defaultdict(set)  # on which device
        self._static = {
            file.name: (file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream")
            for file in (resources.files("controller.console") / "static").iterdir()
        }
        pages = resources.files("controller.console") / "pages"
        self._templates = {file.name: Template(file.read_text("utf-8")) for file in pages.iterdir()}

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/", self.public),
            Route("/events", self.public_events),
            Route("/games.pgn", self.all_games),
            Route("/games/{number}.pgn", self.game),
            Route("/arbiter", self.arbiter),
            Route("/arbiter/events", self.arbiter_events),
            Route("/arbiter/sign-in", self.sign_in, methods=["GET", "POST"]),
            Route("/arbiter/sign-out", self.sign_out, methods=["POST"]),
            Route("/arbiter/boards/{number}", self.rule, methods=["POST"]),
            Route("/arbiter/boards/{number}/played", self.played, methods=["POST"]),
            Route("/arbiter/devices", self.devices),
            Route("/arbiter/devices/{name}", self.sign_out_device, methods=["POST"]),
            Route("/arbiter/restored.svg", self.restored),
            Route("/men/{name}.svg", self.man),
            Route("/static/{name}", self.static),
            Route("/language/{code}", self.language),
        ]

    # -- for everybody -------------------------------------------------------------------------------------------

    async def public(self, request: Request) -> Response:
        return self._page(request, "public.html", of_spectators, delay=self._door.delay)

    async def public_events(self, request: Request) -> Response:
        hub = self._door.public[language_of(request)]
        if keyed(request.headers, self._door.hall_key):
            return stream(request, hub)
        address = address_of(request)
        reader = self._crowd.enter(address)
        if reader is None:
            return Response("too many spectators", 503, SAFE | {"Retry-After": "30"}, media_type="text/plain")
        return stream(request, hub, reader, functools.partial(self._crowd.leave, address, reader))

    async def game(self, request: Request) -> Response:
        return self._pgn(request, await self._door.scores.of_board(request.path_params["number"]))

    async def all_games(self, request: Request) -> Response:
        return self._pgn(request, await self._door.scores.of_all())

    def _pgn(self, request: Request, text: str | None) -> Response:
        if text is None:
            return Response("there is no game yet", 404, SAFE | FRESH, media_type="text/plain")
        return tagged(request, text.encode(), PGN)

    async def man(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in men.MEN:
            return Response(status_code=404, headers=SAFE)
        return svg(men.man(name), {"Cache-Control": "max-age=86400"})

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._static:
            return Response(status_code=404, headers=SAFE)
        return tagged(request, *self._static[name])

    async def language(self, request: Request) -> Response:
        code, to = request.path_params["code"], request.query_params.get("to", "/")
        if code not in LANGUAGES or to not in ("/", "/arbiter", "/arbiter/sign-in", "/arbiter/devices"):
            return Response(status_code=404, headers=SAFE)
        answer = RedirectResponse(to, 303, headers=SAFE | FRESH)
        secure = by_tls(request)
        answer.set_cookie(LANGUAGE, code, max_age=31_536_000, httponly=True, samesite="strict", secure=secure)
        return answer

    # -- signing in ----------------------------------------------------------------------------------------------

    async def sign_in(self, request: Request) -> Response:
        if request.method == "GET":
            return self._sign_in_page(request, "")
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        name, code = name_of(form.get("name", [""])[0]), form.get("code", [""])[0]
        address = address_of(request)
        if not name:
            return self._sign_in_page(request, "no-name", 400, code=code)
        if not self._door.codes.redeem(code):
            if self._wrong.too_often(address):
                return self._sign_in_page(request, "too-many", 429, name, code)
            log.warning("a wrong pairing code was tried from %s", address)
            return self._sign_in_page(request, "wrong-code", 403, name, code)
        log.info("%s signed in as arbiter from %s", name, address)
        self._leave(Devices.name(request.cookies.get(COOKIE)))
        held = self._door.devices.sign_in(name, address, request.headers.get("user-agent", ""))
        answer = RedirectResponse("/arbiter", 303, headers=SAFE | FRESH)
        answer.set_cookie(COOKIE, held, path="/arbiter", httponly=True, samesite="strict", secure=by_tls(request))
        return answer

    async def sign_out(self, request: Request) -> Response:
        self._leave(Devices.name(request.cookies.get(COOKIE)))
        answer = RedirectResponse("/", 303, headers=SAFE | FRESH)
        answer.delete_cookie(COOKIE, path="/arbiter", httponly=True, samesite="strict")
        return answer

    def _leave(self, name: str) -> None:
        """Signs a device out, and ends what it reads."""
        self._door.devices.sign_out(name)
        for reader in self._reading.pop(name, ()):
            reader.end()

    def _sign_in_page(
        self, request: Request, trouble: str, status: int = 200, name: str = "", code: str = ""
    ) -> Response:
        """The form; what was typed stands in it."""
        said = label(language_of(request), trouble) if trouble else ""
        focus_name, focus_code = ("", "autofocus") if name else ("autofocus", "")
        return self._page(
            request,
            "sign-in.html",
            lambda _: {},
            status,
            trouble=said,
            name=name,
            code=code[:CODE_LENGTH],
            focus_name=focus_name,
            focus_code=focus_code,
        )

    # -- for arbiters --------------------------------------------------------------------------------------------

    async def arbiter(self, request: Request) -> Response:
        device = self._device(request)
        if device is None:
            return RedirectResponse("/arbiter/sign-in", 303, headers=SAFE | FRESH)
        return self._page(request, "arbiter.html", of_arbiter, by=device.by)

    async def devices(self, request: Request) -> Response:
        """The page of those that are signed in."""
        if self._device(request) is None:
            return RedirectResponse("/arbiter/sign-in", 303, headers=SAFE | FRESH)
        own, code = Devices.name(request.cookies.get(COOKIE)), language_of(request)
        rows = "".join(row(name, *known, code, own=name == own) for name, known in self._door.devices.all().items())
        return self._page(request, "devices.html", lambda _: {}, markup={"device_rows": rows})

    async def sign_out_device(self, request: Request) -> Response:
        device = self._device(request)
        if device is None:
            return Response(status_code=401, headers=SAFE)
        log.info("%s signed a device out", device.by)
        self._leave(request.path_params["name"])
        return RedirectResponse("/arbiter/devices", 303, headers=SAFE | FRESH)

    async def arbiter_events(self, request: Request) -> Response:
        if self._by(request) is None:
            return Response(status_code=401, headers=SAFE)
        hub, reader = self._door.arbiter[language_of(request)], Reader(lambda: self._by(request) is not None)
        if self._device(request) is None:  # a daemon of the hall: no device, so there is none to be signed out
            return stream(request, hub, reader)
        reading = self._reading[Devices.name(request.cookies.get(COOKIE))]
        reading.add(reader)
        return stream(request, hub, reader, lambda: reading.discard(reader))

    async def rule(self, request: Request) -> Response:
        by = self._by(request)
        if by is None:
            return Response(status_code=401, headers=SAFE)
        try:
            seq = await self._door.rule(request.path_params["number"], rulings.read(await request.body()), by)
        except JadoubeError as error:
            return _refusal(error)
        return as_json({"seq": seq}, 200)

    async def played(self, request: Request) -> Response:
        if self._by(request) is None:
            return Response(status_code=401, headers=SAFE)
        try:
            asked = played.read(await request.body())
            return as_json(await self._door.played(request.path_params["number"], asked, language_of(request)), 200)
        except JadoubeError as error:
            return _refusal(error)

    async def restored(self, request: Request) -> Response:
        if self._device(request) is None:
            return Response(status_code=401, headers=SAFE)
        asked = request.query_params
        try:
            return svg(men.restored(asked.get("fen", ""), asked.get("squares", "").split()), FRESH)
        except ValueError:
            return Response(status_code=400, headers=SAFE)

    def _device(self, request: Request) -> Device | None:
        return self._door.devices.read(request.cookies.get(COOKIE))

    def _by(self, request: Request) -> str | None:
        """Who asks: an arbiter who is signed in here, or at another daemon of the hall; None for all others."""
        if (device := self._device(request)) is not None:
            return device.by
        if not keyed(request.headers, self._door.hall_key):
            return None
        return name_of(unquote(request.headers.get(BY, ""))) or "hall"

    def _page(
        self,
        request: Request,
        page: str,
        words: Callable[[LanguageCode], Mapping[str, str]],
        status: int = 200,
        markup: Mapping[str, str] | None = None,
        **fields: str,
    ) -> Response:
        code = language_of(request)
        other = next(each for each in LANGUAGES if each != code)
        given = {"lang": code, "other": other, "words": data_of(words(code))}
        given |= {field: html.escape(value) for field, value in fields.items()} | dict(markup or {})
        text = self._templates[page].substitute(Labels(code, given))
        return Response(text, status, SAFE | FRESH, media_type="text/html")


MARKED = {"settled": SettledError, "unrestored": UnrestoredError}
"""The refusals to which a page has an answer of its own."""


def _refusal(error: JadoubeError) -> Response:
    said = {"what": error.what, "cause": error.cause, "next_step": error.next_step}
    return as_json(said | {name: isinstance(error, kind) for name, kind in MARKED.items()}, 409)


def application(door: Door) -> ASGIApp:
    """The application, behind the checks that every request has to pass."""
    return Guard(Starlette(routes=[*Pages(door).routes]), door.hosts, door.hall_key)
