"""A hall with an arbiter in it: the daemon at work, hands at its board, a browser that is signed in, plain HTTP."""

import asyncio
import contextlib
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import chess
import msgspec
from browser import Browser, Page, connected
from hall import make, running, until

from controller.config import Config, check
from controller.console.codes import Codes
from controller.console.console import Console
from controller.console.devices import folder_of
from controller.console.grants import ALL, Grant
from controller.contract import Arbiter
from controller.daemon.service import Daemon
from controller.wire import decode_input
from hardware.boards.simulated import SimulatedBoard

ARBITER = "Ana Árbitro"


def configuration(folder: Path, **tables: dict[str, Any]) -> Config:
    """Board 7, quick to release and to brush, with pages on a free port."""
    raw: dict[str, Any] = {
        "board": {"type": "simulated"},
        "event": {"venue": "hall", "board": "7", "clock": "5400+30", "settings": {"release_ms": 60, "brush_ms": 20}},
        "game": {"white": "Ada", "black": "Bo"},
        "start": {"by": "at-once", "ready_s": 0.1},
        "pgn": {"directory": str(folder / "games")},
        "journal": {"path": str(folder / "journal.sqlite")},
        "console": {"port": 0},
    }
    for name, table in tables.items():
        raw[name] = raw.get(name, {}) | table
    config = check(raw, "the test")
    assert isinstance(config, Config)
    return config


@contextlib.asynccontextmanager
async def house(config: Config, chromium: str) -> AsyncIterator[tuple[Daemon, Browser]]:
    """The daemon with its game begun and its pages served, and a browser."""
    async with running(config) as daemon, connected(chromium) as browser:
        await ready(daemon)
        yield daemon, browser


async def ready(daemon: Daemon) -> None:
    await until(lambda: daemon.only.session.playing)
    await address(daemon)


def console(daemon: Daemon) -> Console:
    assert daemon.console is not None
    return daemon.console


async def address(daemon: Daemon) -> str:
    """Where its pages are, once they are there."""
    await until(lambda: console(daemon).port)
    return console(daemon).url


async def sign_in(
    browser: Browser,
    daemon: Daemon,
    width: int = 1180,
    height: int = 820,
    through: str = "",
    may: Grant = ALL,
    **media: str,
) -> Page:
    """The console of an arbiter who has signed in, with a code that ``may`` so; ``through`` another address."""
    url = through or await address(daemon)
    page = await browser.open("about:blank", width, height, **media)
    name, _, value = (await cookie(daemon, may, url)).partition("=")
    await page.call("Network.setCookie", url=f"{url}/arbiter", path="/arbiter", name=name, value=value, httpOnly=True)
    await page.go(f"{url}/arbiter")
    await page.until("!!document.querySelector('.board .piece')")
    return page


async def enter(page: Page, code: str) -> None:
    await page.fill("#name", ARBITER)
    await page.fill("#code", code)
    await page.click("button[type=submit]")


async def press(daemon: Daemon, side: str) -> None:
    await daemon.only.carry_out({"type": "press", "side": side})


async def lift(daemon: Daemon, square: str) -> None:
    _board(daemon).electrical.lift(chess.parse_square(square))
    await _seen(daemon)


async def place(daemon: Daemon, square: str) -> None:
    _board(daemon).electrical.place(chess.parse_square(square))
    await _seen(daemon)


async def _seen(daemon: Daemon) -> None:
    """Waits until it has been scanned, however busy the machine is, and has held long enough to be no brush."""
    board = _board(daemon)
    scans = board.scans
    await until(lambda: board.scans >= scans + 2)
    await asyncio.sleep(0.08)


async def open_game(daemon: Daemon) -> None:
    """1. e4 e5."""
    for move, side in (("e2e4", "white"), ("e7e5", "black")):
        await make(daemon, move)
        await press(daemon, side)


async def breach(daemon: Daemon) -> None:
    """White touches the knight g1, and then plays the bishop to c4."""
    await lift(daemon, "g1")
    await place(daemon, "g1")
    await make(daemon, "f1c4")


def rulings(daemon: Daemon) -> list[Arbiter]:
    """Those in the journal, oldest first."""
    inputs = [decode_input(record.body) for record in daemon.journal.after(0, 10_000) if record.kind == "input"]
    return [item for item in inputs if isinstance(item, Arbiter)]


def _board(daemon: Daemon) -> SimulatedBoard:
    board = daemon.only.boards[None]
    assert isinstance(board, SimulatedBoard)
    return board


class Wire:
    """A line to a port of this machine that can be cut."""

    def __init__(self, port: int) -> None:
        self.carried = 0  #: bytes that came from there
        self.asked = ""  #: what was said to there
        self._to = port
        self._ends: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> "Wire":
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        self._whole = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut()
        self._server.close()

    def cut(self) -> None:
        """Nothing passes any more, and whoever calls is hung up on."""
        self._whole = False
        for end in self._ends:
            end.transport.abort()

    def mend(self) -> None:
        self._whole = True

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._whole:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._ends |= {writer, back}
        with contextlib.suppress(OSError):
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer, count=True))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, count: bool = False) -> None:
        while data := await reader.read(65536):
            if count:
                self.carried += len(data)
            else:
                self.asked += data.decode("utf-8", "replace")
            writer.write(data)
        writer.close()


# -- without a browser -------------------------------------------------------------------------------------------


class Answer(msgspec.Struct):
    status: int
    headers: Message
    body: bytes


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


async def ask(url: str, form: dict[str, str] | bytes | None = None, **headers: str) -> Answer:
    """One request; a form makes it a POST from the page's own site, unless a header says otherwise."""
    data = form if isinstance(form, bytes) or form is None else urlencode(form).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if data is not None:
        named.setdefault("Origin", "/".join(url.split("/")[:3]))
    request = urllib.request.Request(url, data, {name: value for name, value in named.items() if value})
    try:
        with await asyncio.to_thread(urllib.request.build_opener(_Stay).open, request, timeout=30) as answer:
            return Answer(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read())


async def pair(
    daemon: Daemon, name: str = ARBITER, code: str | None = None, through: str = "", **headers: str
) -> Answer:
    """Signing in by the form; ``through`` another address."""
    form = {"name": name, "code": console(daemon).code if code is None else code}
    return await ask(f"{through or await address(daemon)}/arbiter/sign-in", form, **headers)


async def cookie(daemon: Daemon, may: Grant = ALL, through: str = "") -> str:
    """The cookie of who has signed in, with a code that is good for that."""
    answer = await pair(daemon, code=Codes(folder_of(daemon.journal.path)).new(may), through=through)
    assert answer.status == 303, answer.body
    return answer.headers["Set-Cookie"].split(";")[0]


class Listener:
    """Reads a stream of server-sent events; ``boards`` is the state behind the page."""

    def __init__(self, url: str, **headers: str) -> None:
        self.events: list[dict[str, Any]] = []
        self.boards: dict[str, dict[str, Any]] = {}
        self.last = ""
        self.ended = False
        self._url = url
        self._headers = {name.replace("_", "-"): value for name, value in headers.items()}

    async def __aenter__(self) -> "Listener":
        _, _, host, path = self._url.split("/", 3)
        name, _, port = host.partition(":")
        reader, self._writer = await asyncio.open_connection(name, int(port))
        headers = {"Host": host} | self._headers
        head = "".join(f"{field}: {value}\r\n" for field, value in headers.items())
        self._writer.write(f"GET /{path} HTTP/1.1\r\n{head}\r\n".encode())
        status = await reader.readline()
        assert b" 200 " in status, status
        await reader.readuntil(b"\r\n\r\n")
        self._task = asyncio.create_task(self._read(reader))
        await until(lambda: self.events)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        self._writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        text = b""
        while size := int(await reader.readline() or b"0", 16):
            text += (await reader.readexactly(size + 2))[:-2]
            *events, text = text.split(b"\n\n")
            for event in events:
                name, _, data = event.partition(b"\ndata: ")
                self.last = name.removeprefix(b"id: ").decode()
                self._take(json.loads(data))
        self.ended = True

    def _take(self, said: dict[str, Any]) -> None:
        self.events.append(said)
        if said.get("all"):
            self.boards = {}
        for number, parts in said["boards"].items():
            self.boards.setdefault(number, {}).update(parts)
