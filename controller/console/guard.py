"""What every request has to pass, and what every answer says to the browser's own guards.

No page loads anything from elsewhere, and the Content-Security-Policy lets none try. (Headers as MDN documents them.)
"""

import hmac
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.console.access import Hosts, same_origin

SAFE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with none at all, a form would not say where it comes from
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
PICTURE = SAFE | {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
"""The same for an SVG by chess.svg, which has its styles in it and nothing that runs."""
FRESH = {"Cache-Control": "no-store"}
BY = "Jadoube-Arbiter"  #: the header in which another daemon of the hall says who rules, percent-encoded
SMALL = 8192  #: bytes; no form and no ruling is longer


class Guard:
    """Refuses what names another host than us, an address that nobody types, what another site sends, and what is too
    long to be meant well."""

    def __init__(self, app: ASGIApp, hosts: Hosts, hall_key: str | None) -> None:
        self._app = app
        self._hosts = hosts
        self._hall_key = hall_key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], scope["path"], headers)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        left = SMALL

        async def measured() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            return message if left >= 0 else {"type": "http.disconnect"}

        await self._app(scope, measured, send)

    def _refusal(self, method: str, path: str, headers: Headers) -> Response | None:
        if not self._hosts.known(headers.get("host", "")):
            return Response("unknown host: add it to [console] names", 421, SAFE, media_type="text/plain")
        if not path.isprintable():
            return Response("there is no such page", 404, SAFE, media_type="text/plain")
        if method in ("GET", "HEAD"):
            return None
        if not same_origin(headers) and not keyed(headers, self._hall_key):
            return Response("this came from another site", 403, SAFE, media_type="text/plain")
        length = headers.get("content-length", "")
        if not length.isdigit() or int(length) > SMALL:
            return Response("too long", 413, SAFE, media_type="text/plain")
        return None


def keyed(headers: Mapping[str, str], key: str | None) -> bool:
    """Whether a request has the key that the daemons of a hall share."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return key is not None and scheme == "Bearer" and hmac.compare_digest(given.encode(), key.encode())
