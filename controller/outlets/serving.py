"""Serving an application over HTTP beside everything else: uvicorn in the loop of the daemon, which keeps its signals.

The port is taken before uvicorn starts, for uvicorn leaves the process where it cannot have one.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from msgspec import Struct

from controller.errors import DeviceError
from controller.outlets.notices import Notices

log = logging.getLogger(__name__)

RETRY_S = 5.0
LEAVE_S = 1  #: how long those who are being served may take to go

LARGEST = 65_536  #: bytes of what a client may say at once over a WebSocket

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Certificate(Struct, frozen=True):
    """What an application is served with by TLS: who we are, and the private key."""

    chain: Path
    key: Path


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Served:
    """``app`` at ``host`` and ``port``, 0 for a free one; with a certificate by TLS. ``name``: of its notices."""

    def __init__(
        self, name: str, app: Any, host: str, port: int, notices: Notices, certificate: Certificate | None = None
    ) -> None:
        self.port = port  #: once it is up, the one it has
        self.up = asyncio.Event()
        self._name = name
        self._app = app
        self._host = host
        self._notices = notices
        self._certificate = certificate

    async def run(self) -> None:
        """Serves until cancelled; a port that is taken is tried again."""
        while True:
            try:
                listener = await asyncio.to_thread(_listen, self._host, self.port)
            except OSError as error:
                self._notices.set(self._name, _explain(self._host, self.port, error))
                await asyncio.sleep(RETRY_S)
                continue
            self._notices.clear(self._name)
            self.port = listener.getsockname()[1]
            log.info("%s is served on %s:%d", self._name, self._host, self.port)
            await self._serve(listener)

    async def _serve(self, listener: socket.socket) -> None:
        config = uvicorn.Config(
            self._app,
            log_config=None,
            log_level=logging.WARNING,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            ws="websockets-sansio",
            ws_max_size=LARGEST,
            ssl_certfile=None if self._certificate is None else self._certificate.chain,
            ssl_keyfile=None if self._certificate is None else self._certificate.key,
            timeout_graceful_shutdown=LEAVE_S,
        )
        server = _Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]), name=self._name)
        self.up.set()
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            server.should_exit = True
            await serving
            raise
        finally:
            self.up.clear()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    return socket.create_server((host, port), family=family, backlog=128)


def _explain(host: str, port: int, error: OSError) -> DeviceError:
    what = f"{host}:{port} cannot be listened to: {error.strerror}"
    if error.errno == errno.EADDRINUSE:
        return DeviceError(what, "another program, or another jadoube, has the port", f"ss -ltnp 'sport = :{port}'")
    if error.errno == errno.EACCES:
        return DeviceError(what, "ports below 1024 are the system's", "choose a port of 1024 or more")
    return DeviceError(what, "this machine has no such address", "ip -brief address")
