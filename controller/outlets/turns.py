"""Turns, so that whoever asks for much takes no more than half of the time from all else that the daemon does.

One has a turn at a time, of each address in turn, and then the loop is free for as long as it took. So nobody's many
requests keep another's waiting. What a guest says may be much, too, before there is a request in it: a quarter of a
megabyte of a few bytes each takes a second to be read. So of what is long only a slice is read in a turn.
"""

import asyncio
import contextlib
import time
from collections import deque
from typing import Any

from starlette.requests import ClientDisconnect

from controller.outlets.entrance import origin

SLICE = 2048  #: bytes; the shortest words that a client can say are some five


class Turns:
    """Of all that comes to one server."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._ushering: asyncio.Task[None] | None = None

    async def mine(self, address: str) -> None:
        """Returns when who comes from there has his turn, which lasts until he waits for something."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(origin(address), deque()).append(turn)
        if self._ushering is None or self._ushering.done():
            self._ushering = asyncio.create_task(self._usher(), name="turns")
        await turn

    async def _usher(self) -> None:
        while self._waiting:
            where = next(iter(self._waiting))
            waiting = self._waiting.pop(where)
            turn = waiting.popleft()
            if waiting:
                self._waiting[where] = waiting  # at the end
            if turn.done():  # he has left
                continue
            began = time.monotonic()
            turn.set_result(None)
            await asyncio.sleep(0)  # it is given its turn,
            await asyncio.sleep(0)  # and has it
            await asyncio.sleep(time.monotonic() - began)


class InTurns:
    """The application, each of whose requests begins in a turn."""

    def __init__(self, app: Any, turns: Turns) -> None:
        self._app = app
        self._turns = turns

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._turns.mine((scope.get("client") or ("",))[0])
        with contextlib.suppress(ClientDisconnect):  # who leaves before he has said all is no news
            await self._app(scope, receive, send)


class Sliced(asyncio.Protocol):
    """Before a protocol of uvicorn: what is said at length reaches it a slice in a turn, and nothing is read meanwhile.

    ``turns`` is to be set.
    """

    turns: Turns
    transport: asyncio.Transport
    client: tuple[str, int] | None
    _rest = b""
    _reading: asyncio.Task[None] | None = None

    def data_received(self, data: bytes) -> None:
        if self._reading is None and len(data) <= SLICE and not self.talks():
            self.take(data)
            return
        self._rest += data
        self.transport.pause_reading()
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read(), name="slices")

    @property
    def slicing(self) -> bool:
        """Whether something that came is still to be read."""
        return self._reading is not None

    def talks(self) -> bool:
        """Whether a few bytes may make much work: then they are read in a turn, too, as many bytes are."""
        raise NotImplementedError

    def take(self, data: bytes) -> None:
        """Reads a slice."""
        super().data_received(data)

    def holds(self) -> bool:
        """Whether the protocol wants nothing to be read for now."""
        raise NotImplementedError

    async def _read(self) -> None:
        while self._rest and not self.transport.is_closing():
            await self.turns.mine(self.client[0] if self.client is not None else "")
            part, self._rest = self._rest[:SLICE], self._rest[SLICE:]
            self.take(part)
        self._rest, self._reading = b"", None
        if not self.holds() and not self.transport.is_closing():
            self.transport.resume_reading()
