"""How the pages answer: in which language, to whom, as a page, a picture, JSON or a stream."""

import html
from collections.abc import AsyncIterator, Callable, Mapping
from importlib import resources
from string import Template
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from controller.console.guard import FRESH, PICTURE, SAFE
from controller.console.hub import Hub, PageReader
from controller.console.words import label
from controller.words import LANGUAGES, LanguageCode
from controller.words.language import preferred

LANGUAGE = "jadoube-language"  #: the cookie with the language that was chosen


class Labels(dict[str, str]):
    """What a template asks for: what was given, else the label of that id."""

    def __init__(self, code: LanguageCode, given: dict[str, str]) -> None:
        super().__init__(given)
        self._code = code

    def __missing__(self, key: str) -> str:
        return html.escape(label(self._code, key.replace("_", "-")))


def language_of(request: Request) -> LanguageCode:
    """What was chosen; else the first of ours that the browser prefers; else English."""
    chosen = (request.query_params.get("lang"), request.cookies.get(LANGUAGE))
    accepted = request.headers.get("accept-language", "")
    return next((code for code in chosen if code in LANGUAGES), None) or preferred(accepted)


def by_tls(request: Request) -> bool:
    """Whether the browser speaks TLS, with us or with a proxy before us: a form says from where it comes."""
    return request.url.scheme == "https" or request.headers.get("origin", "").startswith("https://")


class _Stream(StreamingResponse):
    """What a hub says to one reader; ``leave`` is called when he is gone, be it before the first word."""

    def __init__(self, events: AsyncIterator[bytes], leave: Callable[[], None]) -> None:
        super().__init__(events, headers=SAFE | FRESH | {"X-Accel-Buffering": "no"}, media_type="text/event-stream")
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


def stream(
    request: Request, hub: Hub, reader: PageReader | None = None, leave: Callable[[], None] = lambda: None
) -> Response:
    """What the hub says, from where the reader was last; ``leave`` is called when he is gone."""
    last = request.headers.get("last-event-id") or request.query_params.get("last")
    return _Stream(hub.events(last, reader), leave)


def address_of(request: Request) -> str:
    """From where a request comes; behind a trusted proxy, as that one says."""
    return request.client.host if request.client is not None else ""


def svg(text: str, headers: Mapping[str, str]) -> Response:
    return Response(text, headers={**PICTURE, **headers}, media_type="image/svg+xml")


def as_json(value: object, status: int) -> Response:
    """What JSON can hold."""
    return Response(msgspec.json.encode(value), status, SAFE | FRESH, media_type="application/json")


def nobody(signed_in: bool) -> Response:
    """To who has not signed in, or has, and may not do that."""
    return Response(status_code=403 if signed_in else 401, headers=SAFE)


class Templates:
    """The pages, filled for whoever asks for one."""

    def __init__(self) -> None:
        pages = resources.files("controller.console") / "pages"
        self._templates = {file.name: Template(file.read_text("utf-8")) for file in pages.iterdir()}

    def page(
        self,
        request: Request,
        name: str,
        fields: Mapping[str, str],
        markup: Mapping[str, str] | None = None,
        words: Callable[[LanguageCode], Mapping[str, str]] = lambda _: {},
        status: int = 200,
    ) -> Response:
        """The page of that name. ``fields`` are text, ``here`` among them: where it is; those of ``markup`` HTML;
        ``words``: for its scripts."""
        code = language_of(request)
        given = {"lang": code, "languages": _others(code, fields["here"]), "words": data_of(words(code))}
        given |= {field: html.escape(value) for field, value in fields.items()} | dict(markup or {})
        text = self._templates[name].substitute(Labels(code, given))
        return Response(text, status, SAFE | FRESH, media_type="text/html")

    def listing(
        self,
        request: Request,
        name: str,
        fields: Mapping[str, str],
        markup: Mapping[str, str],
        status: int = 200,
        query: str = "",
    ) -> Response:
        """The page at ``/arbiter/``, that name and ``query``: a list, with styles and a title of its own."""
        code = language_of(request)
        given = {field: html.escape(value) for field, value in fields.items()} | dict(markup)
        content = self._templates[f"{name}.html"].substitute(Labels(code, given))
        framed = {"list_title": label(code, f"{name}-title"), "style": name, "here": f"/arbiter/{name}{query}"}
        return self.page(request, "list.html", framed, {"content": content}, status=status)


def _others(code: LanguageCode, here: str) -> str:
    """A link for each language but that one, in its own words, which leads back to the page ``here``."""
    link = '<a class="plain" href="/language/{0}?to={1}" lang="{0}" hreflang="{0}">{2}</a>'
    others = [each for each in LANGUAGES if each != code]
    return "\n".join(link.format(each, quote(here), html.escape(label(each, "own-name"))) for each in others)


def data_of(value: object) -> str:
    """JSON that may stand in a page: nothing in it ends the element that holds it."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
