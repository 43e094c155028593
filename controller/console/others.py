"""The boards of other daemons on the same page: each daemon reads the others' streams, as a browser would.

A daemon of the hall shows the key that all share instead of a cookie, and passes on who rules. What arrives is already
in the words of the page; only times are set to our own clock.
"""

import asyncio
import contextlib
import logging
import ssl
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import quote

import h11
import msgspec
from msgspec import Raw, Struct

from controller.console.guard import BY
from controller.console.hub import HEARTBEAT_S, Hub
from controller.console.played import PlaceInRecord
from controller.console.rulings import PageRuling, said
from controller.errors import DeviceError, JadoubeError, LogError
from controller.outlets.mqtt.topics import Refusal
from controller.outlets.notices import Notices
from controller.outlets.posting import asked, get, post
from controller.wire import heard_as
from controller.words import LanguageCode

log = logging.getLogger(__name__)

ARBITER = "/arbiter/events"  #: how the stream for the arbiter's page begins
RETRY_S = 2.0
SILENCE_S = 2.5 * HEARTBEAT_S  #: a daemon that says nothing for so long is gone
ANSWER_S = 5.0  #: how long a ruling may take
KEPT_S = 5.0  #: a crowd that asks for games asks the other daemon once in that time


class _Patch(Struct):
    """What a stream says."""

    now: int
    boards: dict[str, dict[str, Raw]] = {}


class OtherDaemon:
    """The boards of the daemon at ``url``, which has to be ``trusted`` where that is one of TLS.

    As long as the arbiter's page cannot show them as away, for it has not heard of them, ``notices`` tell of it.
    """

    def __init__(self, url: str, key: str, trusted: ssl.SSLContext, notices: Notices) -> None:
        self.boards: set[str] = set()  #: their numbers, as far as known
        self._url = url
        self._key = {"Authorization": f"Bearer {key}"}  # a header
        self._trusted = trusted
        self._notices = notices
        self._name = f"boards at {url}"  # of its notice
        self._last: dict[str, str] = {}  # the last event of each stream
        self._scores: dict[str, tuple[float, str | None]] = {}  # by board, and until when it is fresh

    async def follow(self, path: str, hubs: Mapping[LanguageCode, Hub]) -> None:
        """Shows on ``hubs`` what the stream at ``path`` says, and comes back after every break; until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for code, hub in hubs.items():
                tasks.create_task(self._follow(f"{path}?lang={code}", hub))

    async def rule(self, number: str, ruling: PageRuling, by: str) -> int:
        """Passes a ruling on. Raises :exc:`JadoubeError` where it is refused there, or does not arrive."""
        body = msgspec.json.encode(said(ruling))
        return msgspec.json.decode(await self._ask_of(number, "", body, by), type=dict[str, int])["seq"]

    async def played(self, number: str, asked: PlaceInRecord, code: LanguageCode) -> dict[str, Any]:
        """What may have been played at a place of its score. Raises :exc:`JadoubeError` likewise."""
        body = await self._ask_of(number, f"/played?lang={code}", msgspec.json.encode(asked))
        return msgspec.json.decode(body, type=dict[str, Any])

    async def undone_next(self, number: str, code: LanguageCode) -> dict[str, Any]:
        """What *Take back* would take back there. Raises :exc:`JadoubeError` likewise."""
        return msgspec.json.decode(await self._ask_of(number, f"/undo?lang={code}", b""), type=dict[str, Any])

    async def pgn(self, number: str) -> str | None:
        """The game on a board as far as everybody may know it; None where there is none to be had."""
        until, text = self._scores.get(number, (0.0, None))
        if time.monotonic() >= until:
            with contextlib.suppress(OSError):
                address = f"{self._url}/games/{quote(number, safe='')}.pgn"
                answer = await get(address, self._key, ANSWER_S, self._trusted)
                text = answer.body.decode() if answer.ok else None
            self._scores[number] = time.monotonic() + KEPT_S, text
        return text

    async def _ask_of(self, number: str, what: str, body: bytes, by: str = "") -> bytes:
        """The answer to what is posted of a board. Raises :exc:`JadoubeError` for a refusal, or for none."""
        address = f"{self._url}/arbiter/boards/{quote(number, safe='')}{what}"
        try:
            answer = await post(address, body, {BY: quote(by)} | self._key, ANSWER_S, self._trusted)
        except OSError as error:
            raise DeviceError(
                f"board {number} did not answer: {error or 'no answer'}",
                f"the daemon at {self._url} is down, or the network",
                "see whether it went through before giving it again",
            ) from error
        if not answer.ok:
            if (refusal := heard_as(answer.body, Refusal)) is not None:
                raise refusal.error
            cause = "another secret in its hall_key_file?"
            raise LogError(f"the daemon at {self._url} refused it ({answer.status})", cause)
        return answer.body

    # -- one stream ----------------------------------------------------------------------------------------------

    async def _follow(self, path: str, hub: Hub) -> None:
        told = False
        while True:
            try:
                async for name, data in self._events(path):
                    self._last[path] = name
                    if path.startswith(ARBITER):
                        self._notices.clear(self._name)
                    self._show(msgspec.json.decode(data, type=_Patch), hub)
                    told = False
            except (OSError, TimeoutError, h11.ProtocolError, msgspec.DecodeError, JadoubeError) as error:
                if path.startswith(ARBITER) and path not in self._last:
                    self._notices.set(self._name, self._unheard(error))
                elif not told:
                    log.warning("the boards at %s are out of reach: %s", self._url, error or "silence")
                told = True
            for number in self.boards:
                hub.put(number, "away", True)
            await asyncio.sleep(RETRY_S)

    def _unheard(self, error: Exception) -> DeviceError:
        cause = "its daemon does not run, its page is for its own machine alone, or others names another address"
        what = f"the boards at {self._url} are out of reach: {error or 'silence'}"
        if isinstance(error, JadoubeError):
            what, cause = f"the boards at {self._url} are out of reach: {error.what}", error.cause
        return DeviceError(what, cause, f"curl -I {self._url}")

    def _show(self, patch: _Patch, hub: Hub) -> None:
        late = time.time_ns() // 1_000_000 - patch.now
        for number, parts in patch.boards.items():
            self.boards.add(number)
            for part, body in parts.items():
                hub.put(number, part, _shifted(body, late) if part == "clock" else body)
        for number in self.boards:
            hub.put(number, "away", False)

    async def _events(self, path: str) -> AsyncIterator[tuple[str, bytes]]:
        """The id and the data of each event."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": self._last.get(path, "")} | self._key
        async with contextlib.AsyncExitStack() as stack:
            async with asyncio.timeout(ANSWER_S):
                asking = asked("GET", f"{self._url}{path}", b"", headers, self._trusted)
                following = await stack.enter_async_context(asking)
            rest = b""
            while True:
                async with asyncio.timeout(SILENCE_S):
                    event = await following()
                if isinstance(event, h11.Response):
                    if event.status_code != 200:
                        raise LogError(f"it answers {event.status_code}", "another secret in its hall_key_file?")
                elif isinstance(event, h11.Data):
                    *events, rest = (rest + bytes(event.data)).split(b"\n\n")
                    for text in events:
                        name, _, data = text.partition(b"\ndata: ")
                        yield name.removeprefix(b"id: ").decode(), data
                else:
                    return


def _shifted(body: Raw, late: int) -> object:
    """A clock whose times are set to our own clock."""
    clock = msgspec.json.decode(body)
    return clock if clock is None or "at" not in clock else clock | {"at": clock["at"] + late}
