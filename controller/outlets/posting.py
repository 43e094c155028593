"""One HTTP request that brings something elsewhere, or fetches it: h11 over asyncio, ended at once with its task."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import h11
from msgspec import Struct

TIMEOUT_S = 15.0
AGENT = {"User-Agent": f"jadoube/{version('jadoube')}"}  #: as which we come, in a header
LONGEST = 2**20  #: bytes of an answer that are read
CHUNK = 65536
CLOSE_S = 1.0  #: so long it is waited for the other side to take leave

Following = Callable[[], Awaitable[Any]]
"""Waits for what comes next of an answer: its head, a part of its body, its end."""


class Answer(Struct, frozen=True):
    """What came back."""

    status: int
    headers: dict[str, str]  #: names in lower case
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether it was taken."""
        return 200 <= self.status < 300


async def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    timeout_s: float = TIMEOUT_S,
    trusted: ssl.SSLContext | None = None,
) -> Answer:
    """Posts ``body``. ``trusted``: whom to believe by TLS; None: whom the system does.

    Raises :exc:`OSError` where nobody answers in time, or what answers makes no sense.
    """
    length = {"Content-Length": str(len(body))}
    return await _exchange("POST", url, body, length | dict(headers), timeout_s, trusted)


async def get(
    url: str, headers: Mapping[str, str], timeout_s: float = TIMEOUT_S, trusted: ssl.SSLContext | None = None
) -> Answer:
    """What is there. Raises as :func:`post`."""
    return await _exchange("GET", url, b"", headers, timeout_s, trusted)


async def _exchange(
    method: str, url: str, body: bytes, headers: Mapping[str, str], timeout_s: float, trusted: ssl.SSLContext | None
) -> Answer:
    try:
        async with asyncio.timeout(timeout_s), asked(method, url, body, headers, trusted) as following:
            return await _answer(following)
    except h11.RemoteProtocolError as error:
        raise OSError(f"no answer that makes sense: {error}") from error


@contextlib.asynccontextmanager
async def asked(
    method: str, url: str, body: bytes, headers: Mapping[str, str], trusted: ssl.SSLContext | None
) -> AsyncIterator[Following]:
    """A request that was sent; what comes back is read event by event, as of h11, until the context ends.

    Raises :exc:`OSError` where nobody answers, and :exc:`h11.RemoteProtocolError` for what makes no sense.
    """
    parts = urlsplit(url)
    assert parts.hostname is not None
    tls = (trusted or ssl.create_default_context()) if parts.scheme == "https" else None
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    sent = AGENT | {"Host": parts.netloc.rpartition("@")[2], "Connection": "close", **headers}
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port or (443 if tls else 80), ssl=tls)
    talk = h11.Connection(h11.CLIENT)

    async def following() -> Any:
        while (event := talk.next_event()) is h11.NEED_DATA:
            talk.receive_data(await reader.read(CHUNK))
        return event

    try:
        request = h11.Request(method=method, target=target, headers=list(sent.items()))
        for event in (request, h11.Data(data=body), h11.EndOfMessage()):
            writer.write(talk.send(event) or b"")
        await writer.drain()
        yield following
    finally:
        writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await writer.wait_closed()


async def _answer(following: Following) -> Answer:
    head: h11.Response | None = None
    body = bytearray()
    while True:
        match event := await following():
            case h11.Response():
                head = event
            case h11.Data():
                body += event.data
                if len(body) > LONGEST:
                    raise OSError(f"an answer of more than {LONGEST} bytes")
            case h11.EndOfMessage() if head is not None:
                headers = {name.decode("ascii"): value.decode("latin-1") for name, value in head.headers}
                return Answer(head.status_code, headers, bytes(body))
            case h11.InformationalResponse():
                pass
            case _:
                raise OSError("the connection was closed before the answer")
