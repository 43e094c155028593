"""Signing in and out, and who is signed in, which is a page for the chief arbiter. What each may do is asked here."""

import asyncio
import logging
from collections import defaultdict
from datetime import datetime
from functools import partial
from html import escape
from typing import NoReturn
from urllib.parse import parse_qs, unquote

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from controller.console.access import Wrong, name_of
from controller.console.answers import Templates, address_of, by_tls, language_of, nobody
from controller.console.devices import Device, Devices
from controller.console.grants import ALL, Grant, said
from controller.console.guard import BY, FRESH, SAFE, keyed
from controller.console.hub import PageReader
from controller.console.register import Register
from controller.console.words import label
from controller.words import LanguageCode

log = logging.getLogger(__name__)

CODE_LENGTH = 12  #: with what people put between its letters
LOOK_S = 1.0  #: as often it is seen that a shell has signed a device out


class Asker(Struct, frozen=True):
    """Who asks: somebody who is signed in here, or at another daemon of the hall, which has looked at what he may."""

    by: str
    may: Grant
    device: str | None = None  #: what his device is called here; None for a daemon


class Signing:
    """The handlers of signing in and out. ``hall_key``: by which the daemons of a hall know each other."""

    def __init__(self, register: Register, hall_key: str | None, templates: Templates) -> None:
        self._register = register
        self._hall_key = hall_key
        self._templates = templates
        self._wrong = Wrong()
        self._reading: defaultdict[str, set[PageReader]] = defaultdict(set)  # on which device

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/arbiter/sign-in", self.sign_in, methods=["GET", "POST"]),
            Route("/arbiter/sign-out", self.sign_out, methods=["POST"]),
            Route("/arbiter/devices", self.devices),
            Route("/arbiter/devices/{name}", self.sign_out_device, methods=["POST"]),
        ]

    # -- who asks ------------------------------------------------------------------------------------------------

    async def asker(self, request: Request) -> Asker | None:
        """Who asks; None for all who have not signed in. Raises :exc:`JadoubeError` where that cannot be known."""
        if (device := await self._device(request)) is not None:
            return Asker(device.by, device.may, self._name(request))
        if not keyed(request.headers, self._hall_key):
            return None
        return Asker(name_of(unquote(request.headers.get(BY, ""))) or "hall", ALL)

    def reader(self, asker: Asker) -> PageReader:
        """One who reads a stream as long as he is signed in; :meth:`gone` is to be called when he is gone."""
        if asker.device is None:
            return PageReader()
        reader = PageReader(partial(self._register.known, asker.device))
        self._reading[asker.device].add(reader)
        return reader

    def gone(self, reader: PageReader, asker: Asker) -> None:
        """He reads no more."""
        if asker.device is not None:
            self._reading[asker.device].discard(reader)

    async def run(self) -> NoReturn:
        """Ends what is read on devices that a shell has signed out, for good."""
        while True:
            for name in [name for name, readers in self._reading.items() if readers and not self._register.known(name)]:
                self._end(name)
            await asyncio.sleep(LOOK_S)

    async def _device(self, request: Request) -> Device | None:
        return await self._register.read(self._held(request))

    def _held(self, request: Request) -> str | None:
        return request.cookies.get(self._cookie(request))

    def _cookie(self, request: Request) -> str:
        """What the cookie is called. A browser keeps those of a host together, whatever the port (RFC 6265bis, 8.5):
        another daemon may listen at another one."""
        port = request.url.port
        return "jadoube" if port is None or self._register.shared else f"jadoube-{port}"

    def _name(self, request: Request) -> str:
        """What the device that asks is called, if it is signed in."""
        return Devices.name(self._held(request))

    # -- the pages -----------------------------------------------------------------------------------------------

    async def sign_in(self, request: Request) -> Response:
        if request.method == "GET":
            return self._form(request, "signed-out" if "signed-out" in request.query_params else "")
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        name, code = name_of(form.get("name", [""])[0]), form.get("code", [""])[0]
        address = address_of(request)
        if not name and (granted := await self._register.granted(code)) is not None and not granted.name:
            return self._form(request, "no-name", 400, code=code)
        may = await self._register.redeem(code)
        if may is None:
            if self._wrong.too_often(address):
                return self._form(request, "too-many", 429, name, code)
            log.warning("a wrong pairing code was tried from %s", address)
            return self._form(request, "wrong-code", 403, name, code)
        name = may.name or name
        log.info("%s signed in as %s from %s", name, may.role, address)
        await self._leave(self._name(request))
        held = await self._register.sign_in(name, address, request.headers.get("user-agent", ""), may)
        answer = RedirectResponse("/arbiter", 303, headers=SAFE | FRESH)
        answer.set_cookie(
            self._cookie(request),
            held,
            max_age=round(3600 * self._register.hours),
            path="/arbiter",
            httponly=True,
            samesite="strict",
            secure=by_tls(request),
        )
        return answer

    async def sign_out(self, request: Request) -> Response:
        await self._leave(self._name(request))
        answer = RedirectResponse("/", 303, headers=SAFE | FRESH)
        answer.delete_cookie(self._cookie(request), path="/arbiter", httponly=True, samesite="strict")
        return answer

    async def devices(self, request: Request) -> Response:
        """The page of those that are signed in."""
        device = await self._device(request)
        if device is None:
            return RedirectResponse("/arbiter/sign-in", 303, headers=SAFE | FRESH)
        if not device.may.signs_out:
            return RedirectResponse("/arbiter", 303, headers=SAFE | FRESH)
        own, code, listed = self._name(request), language_of(request), await self._register.all()
        rows = "".join(_row(name, *known, code, own=name == own) for name, known in listed.items())
        return self._templates.listing(request, "devices", {}, {"device_rows": rows})

    async def sign_out_device(self, request: Request) -> Response:
        device = await self._device(request)
        if device is None or not device.may.signs_out:
            return nobody(device is not None)
        log.info("%s signed a device out", device.by)
        await self._leave(request.path_params["name"])
        return RedirectResponse("/arbiter/devices", 303, headers=SAFE | FRESH)

    async def _leave(self, name: str) -> None:
        """Signs a device out, and ends what it reads."""
        await self._register.sign_out(name)
        self._end(name)

    def _end(self, name: str) -> None:
        for reader in self._reading.pop(name, ()):
            reader.end()

    def _form(self, request: Request, trouble: str, status: int = 200, name: str = "", code: str = "") -> Response:
        """The form; what was typed stands in it."""
        said = label(language_of(request), trouble) if trouble else ""
        focus_name, focus_code = ("autofocus", "") if trouble == "no-name" else ("", "autofocus")
        given = {"trouble": said, "name": name, "code": code[:CODE_LENGTH]}
        given |= {"focus_name": focus_name, "focus_code": focus_code, "here": "/arbiter/sign-in"}
        return self._templates.page(request, "sign-in.html", given, status=status)


def _row(name: str, device: Device, seen: float, code: LanguageCode, *, own: bool) -> str:
    """A device that is signed in, as HTML: whose, since when, heard last, from where; a button. ``own``: the one that
    looks at it."""
    this = f' <strong class="own">{escape(label(code, "this-device"))}</strong>' if own else ""
    cells = (
        (label(code, "device-name"), f"{escape(device.by)}{this}"),
        (label(code, "device-role"), escape(said(device.may, code))),
        (label(code, "device-kind"), escape(device.called or "?")),
        (label(code, "device-since"), _when(device.since)),
        (label(code, "device-seen"), _when(seen)),
        (label(code, "device-address"), escape(device.address)),
    )
    shown = "".join(f'<td data-label="{escape(what)}"><span>{cell}</span></td>' for what, cell in cells)
    button = f"<button>{escape(label(code, 'sign-out-device'))}</button>"
    return f'<tr>{shown}<td><form method="post" action="/arbiter/devices/{name}">{button}</form></td></tr>'


def _when(second: float) -> str:
    """A time of day as this machine has it; the same in all languages."""
    return f"<time>{datetime.fromtimestamp(second):%Y-%m-%d %H:%M}</time>"
