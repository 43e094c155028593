"""Serving an application over HTTP beside everything else: uvicorn in the loop of the daemon, which keeps its signals.

The port is taken before uvicorn starts, for uvicorn leaves the process where it cannot have one. Its guests come in by
our :mod:`.entrance`: uvicorn has no limit of connections, and no time limit for a request.
"""

import asyncio
import contextlib
import errno
import functools
import hashlib
import logging
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import h11
import uvicorn
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from controller import addresses
from controller.errors import DeviceError
from controller.outlets.entrance import Entrance, Guest, listen
from controller.outlets.notices import Notices
from controller.outlets.sockets import Sockets
from controller.outlets.turns import InTurns, Sliced, Turns

log = logging.getLogger(__name__)

RETRY_S = 5.0
LEAVE_S = 1  #: how long those who are being served may take to go
IDLE_S = 5  #: how long a connection may wait for its next request
MOST = 72  #: connections at a time, unless an application says otherwise: all have room beside each other
HEAD = 16_384  #: bytes of the head of a request

LARGEST = 65_536  #: bytes of what a client may say at once over a WebSocket


class Certificate(Struct, frozen=True):
    """What an application is served with by TLS: who we are, and the private key."""

    chain: Path
    key: Path


class _Protocol(Sliced, H11Protocol):
    """That of uvicorn, which tells whether its guest is awaited or served."""

    guest: Guest

    def talks(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY

    def take(self, data: bytes) -> None:
        if not self._upgraded:
            super().take(data)
            self._tell()

    def holds(self) -> bool:
        return not self._upgraded and self.flow.read_paused

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._tell()

    def _tell(self) -> None:
        if self.transport.is_closing():
            return
        if not self._upgraded and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self.guest.awaited()
        else:
            self.guest.served()

    @property
    def _upgraded(self) -> bool:
        """Whether it is a WebSocket by now."""
        return self.transport.get_protocol() is not self


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, turns: Turns, most: int, listener: socket.socket) -> None:
        super().__init__(config)
        self._turns = turns
        self._most = most
        self._listener = listener

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002
        entrance = Entrance(self._listener, self._most, self._protocol, self.config.ssl)
        entrance.open()
        self.servers = [entrance]  # type: ignore[list-item]  # it is closed as one of asyncio's
        self.started = True

    def _protocol(self, guest: Guest) -> _Protocol:
        protocol = _Protocol(self.config, self.server_state, self.lifespan.state)
        protocol.guest, protocol.turns = guest, self._turns
        return protocol


class Served:
    """``app`` at ``host`` and ``port``, 0 for a free one; with a certificate by TLS. ``name``: of its notices;
    ``most``: so many connections at a time; ``proxy``: the address of one before us that says for whom it asks;
    ``sockets``: whether it speaks WebSocket too.
    """

    def __init__(
        self,
        name: str,
        app: Any,
        host: str,
        port: int,
        notices: Notices,
        certificate: Certificate | None = None,
        *,
        most: int = MOST,
        proxy: str | None = None,
        sockets: bool = False,
    ) -> None:
        self.port = port  #: once it is up, the one it has
        self.up = asyncio.Event()
        self._name = name
        self._app = app
        self._host = host
        self._notices = notices
        self._certificate = certificate
        self._most = most
        self._proxy = proxy
        self._sockets = sockets

    @property
    def urls(self) -> list[str]:
        """Where others find it, the best first: as of :func:`.addresses.urls`."""
        return addresses.urls("http" if self._certificate is None else "https", self._host, self.port)

    async def run(self) -> None:
        """Serves until cancelled; a port that is taken is tried again."""
        while True:
            try:
                listener = await asyncio.to_thread(listen, self._host, self.port)
            except OSError as error:
                self._notices.set(self._name, explain(self._host, self.port, error))
                await asyncio.sleep(RETRY_S)
                continue
            self._notices.clear(self._name)
            self.port = listener.getsockname()[1]
            log.info("%s is served at %s", self._name, " ".join(self.urls))
            await self._serve(listener)

    async def _serve(self, listener: socket.socket) -> None:
        turns = Turns()
        config = uvicorn.Config(
            InTurns(self._app, turns),
            log_config=None,
            log_level=logging.ERROR,  # what is no HTTP is no news
            access_log=False,
            server_header=False,
            proxy_headers=self._proxy is not None,
            forwarded_allow_ips=self._proxy,
            lifespan="off",
            ws=functools.partial(Sockets, turns) if self._sockets else "none",  # type: ignore[arg-type]  # makes one
            ws_max_size=LARGEST,
            ws_per_message_deflate=False,  # it would cost each connection memory and each message time
            h11_max_incomplete_event_size=HEAD,
            timeout_keep_alive=IDLE_S,
            ssl_certfile=None if self._certificate is None else self._certificate.chain,
            ssl_keyfile=None if self._certificate is None else self._certificate.key,
            timeout_graceful_shutdown=LEAVE_S,
        )
        server = _Server(config, turns, self._most, listener)
        serving = asyncio.create_task(server.serve(), name=self._name)
        self.up.set()
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            server.should_exit = True
            await serving
            raise
        finally:
            self.up.clear()


def tagged(request: Request, body: bytes, headers: Mapping[str, str], kind: str | None = None) -> Response:
    """What is asked for again and again, with a tag of its own text: who has it already is told so. ``kind``: of
    media, where ``headers`` do not say it."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", **headers}
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    if tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=kind)


def explain(host: str, port: int, error: OSError) -> DeviceError:
    """Why nothing can be served there."""
    what = f"{host}:{port} cannot be listened to: {error.strerror}"
    if error.errno == errno.EADDRINUSE:
        return DeviceError(what, "another program, or another jadoube, has the port", f"ss -ltnp 'sport = :{port}'")
    if error.errno == errno.EACCES:
        return DeviceError(what, "ports below 1024 are the system's", "choose a port of 1024 or more")
    return DeviceError(what, "this machine has no such address", "ip -brief address")
