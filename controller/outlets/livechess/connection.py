"""One client of LiveChess over its WebSocket: its calls answered one after the other, its feeds told of each move.

What makes no sense is answered with an error, whatever it is, and the talk goes on. A client asks a few things and then
listens: more calls at once than that are answered :data:`CALL_S` apart, for the game shares the processor with them.
"""

import asyncio
import contextlib
from typing import Any

import msgspec
from msgspec import Raw
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from controller.outlets.livechess import protocol
from controller.outlets.livechess.boards import LiveChessBoards, now_ms
from controller.outlets.livechess.feed import LiveChessFeed

FEEDS = 16  #: so many may one client have, or one of each board
CALL_S = 0.02  #: so long between two of its calls


class Connection:
    """One client, answered in the order of its calls; its feeds never wait for those of another."""

    def __init__(self, boards: LiveChessBoards, socket: WebSocket) -> None:
        self._boards = boards
        self._socket = socket
        self._feeds: dict[bytes, LiveChessFeed] = {}  # by their ids
        self._due: dict[bytes, LiveChessFeed] = {}  # those that there may be news for
        self._wake = asyncio.Event()
        self._sending = asyncio.Lock()

    def wake(self) -> None:
        """There is news of the boards."""
        self._due = dict(self._feeds)
        self._wake.set()

    async def run(self) -> None:
        """Serves it until it leaves."""
        async with asyncio.TaskGroup() as tasks:
            telling = tasks.create_task(self._tell(), name="livechess feed")
            with contextlib.suppress(WebSocketDisconnect):
                await self._listen()
            telling.cancel()

    async def _listen(self) -> None:
        while (message := await self._socket.receive())["type"] == "websocket.receive":
            async with self._sending:
                await self._say(self._answer(message.get("text")))
            if self._due:
                self._wake.set()
            await asyncio.sleep(CALL_S)

    async def _tell(self) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await self._wake.wait()
                self._wake.clear()
                async with self._sending:
                    await self._tell_due()

    async def _tell_due(self) -> None:
        due, self._due = self._due, {}
        for feed in due.values():
            number = feed.serialnr
            for shown in feed.news(self._boards.line(number), self._boards.board(number), self._boards.clock(number)):
                await self._say(protocol.feed(feed.id, shown, now_ms()))
                await asyncio.sleep(0)  # who comes late hears of many

    async def _say(self, text: str) -> None:
        """Raises :exc:`WebSocketDisconnect` where nobody is there any more."""
        if self._socket.application_state is not WebSocketState.CONNECTED:
            raise WebSocketDisconnect  # as the other task has found before
        await self._socket.send_text(text)

    def _answer(self, text: str | None) -> str:
        asked = protocol.Request(protocol.NULL, "")
        try:
            if text is None:
                raise ValueError("a message is text, not binary")
            asked = protocol.request.decode(text)
            return protocol.answer(asked.id, self._call(asked), now_ms())
        except RecursionError:
            return protocol.error(asked.id, "nested too deeply")
        except (ValueError, msgspec.MsgspecError) as error:
            return protocol.error(asked.id, str(error))

    def _call(self, asked: protocol.Request) -> Any:
        """What it comes to. Raises :exc:`ValueError` and :exc:`msgspec.MsgspecError` where it makes no sense."""
        match asked.call:
            case "eboards":
                return self._boards.eboards()
            case "subscribe":
                self._subscribe(protocol.subscription.decode(asked.param))
            case "unsubscribe":
                id_ = bytes(protocol.cancellation.decode(asked.param).id)
                self._feeds.pop(id_, None)
                self._due.pop(id_, None)
            case "call":
                self._ask(protocol.method.decode(asked.param))
            case _:
                raise ValueError(f"there is no call {asked.call}")
        return None

    def _subscribe(self, wanted: protocol.Subscription) -> None:
        id_ = protocol.checked(wanted.id)
        if wanted.param.serialnr not in self._boards:
            raise ValueError(f"there is no board {wanted.param.serialnr} here")
        if id_ not in self._feeds and len(self._feeds) >= max(FEEDS, len(self._boards)):
            raise ValueError(f"no client has more than {max(FEEDS, len(self._boards))} feeds")
        self._due[id_] = self._feeds[id_] = LiveChessFeed(Raw(id_), wanted.param.serialnr)

    def _ask(self, method: protocol.FeedSetup | protocol.FlipBoard) -> None:
        id_ = protocol.checked(method.id)
        feed = self._feeds.get(id_)
        if feed is None:
            raise ValueError(f"there is no feed {id_.decode()}")
        match method:
            case protocol.FeedSetup():
                feed.setup(method.param.fen)
            case protocol.FlipBoard():
                feed.flip(method.param.flip)
        self._due[id_] = feed
