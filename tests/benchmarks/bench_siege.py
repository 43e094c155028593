"""What strangers can do to a game: from a press of the clock to its move in the journal, while the ports are besieged.

A daemon of its own, with a simulated board, pages, LiveChess, a broadcast, and the broker that it brings along; hands
play on it. Another process, at 127.0.0.2, which is another address of this machine, holds thousands of half-open
connections, says its requests a letter at a time, reads no stream that it has asked for, takes answers a few bytes at a
time, floods with requests, with codes, with calls and pings over WebSockets and with publications; and besieges all
ports at once. For each of these and for quiet: the time of the presses, the lines of the log, the descriptors, how long
the page took by which an arbiter at 127.0.0.1 signs in, and how long that; and how much one heard who has been signed
in before. Prints one JSON line.
"""

import argparse
import asyncio
import contextlib
import http.cookiejar
import json
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import psutil

from controller.console.codes import Codes
from controller.console.devices import folder_of

ROOT = Path(__file__).resolve().parents[2]
GOAL_MS = 100.0  #: p99 of the presses, under whatever siege
STRANGER = "127.0.0.2"
MANY = 2000

HANDS = """
import asyncio, json, logging, sys, threading, time
from pathlib import Path
import chess
from controller.config import load
from controller.contract import Completed
from controller.daemon.service import Daemon
from controller.folded import folded
from controller.outlets.follow import Follower
from controller.outlets.scoresheet import Scoresheet
from hardware.boards import LeverPress
from hardware.simulator.games import random_game

logging.basicConfig(level=logging.INFO, filename=sys.argv[2], format="%(levelname)s %(name)s: %(message)s")
folded()

def plain(seed):
    board = chess.Board()
    for move in random_game(seed, 400):
        if board.is_castling(move) or board.is_en_passant(move) or move.promotion:
            return
        yield board.is_capture(move), move, "white" if board.turn else "black"
        board.push(move)

def game():
    return max((list(plain(seed)) for seed in range(150)), key=len)

def play(daemon, moves, done):
    electrical, board = daemon.only.boards[None].electrical, daemon.only.boards[None]
    def seen():
        scans = board.scans
        while board.scans < scans + 2:
            time.sleep(0.001)
        time.sleep(0.09)
    for capture, move, side in moves:
        electrical.lift(move.from_square)
        seen()
        if capture:
            electrical.lift(move.to_square)
            seen()
        electrical.place(move.to_square)
        seen()
        began = time.monotonic_ns()
        done.clear()
        daemon.only.emit(LeverPress(began, side), "clock", None)
        if not done.wait(30):
            print(json.dumps("never"), flush=True)
            return
        print(json.dumps((done.ns - began) / 1e6), flush=True)
    print(json.dumps("played"), flush=True)

async def hands(daemon):
    while not (daemon.only.session.playing and daemon.mqtt and daemon.console.port):
        await asyncio.sleep(0.01)
    done = threading.Event()
    ports = {"pages": daemon.console.port, "broker": daemon.mqtt[0].port}
    ports |= {"livechess": daemon.config.livechess.port, "broadcast": daemon.config.broadcast.port}
    print(json.dumps(ports), flush=True)
    follower = Follower(daemon.journal, "1", 0, Scoresheet)
    threading.Thread(target=play, args=(daemon, moves, done), daemon=True).start()
    async for batch in follower.batches():
        if any(isinstance(news.event, Completed) for news in batch):
            done.ns = time.monotonic_ns()
            done.set()

async def serve():
    await Daemon(load(Path(sys.argv[1]))).run(hands)

moves = game()
asyncio.run(serve())
"""

CONFIG = """
[board]
type = "simulated"
[start]
by = "at-once"
ready_s = 0.2
[event]
board = "1"
clock = "36000"
[event.settings]
release_ms = 60
brush_ms = 20
[console]
port = 0
[livechess]
port = {livechess}
[broadcast]
directory = "{folder}/broadcast"
port = {broadcast}
[pgn]
directory = "{folder}/games"
[journal]
path = "{folder}/journal.sqlite"
"""

Siege = Callable[[dict[str, int]], Awaitable[None]]  #: at these ports, by what is served there


async def _line(port: int, said: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(STRANGER, 0), limit=1024)
    writer.write(said)
    return reader, writer


async def half_open(port: int) -> None:
    """Thousands of connections on which nothing is said, each opened again when it is closed."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await _line(port)
                await reader.read()
                writer.close()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(one() for _ in range(MANY)))


async def slow_heads(port: int) -> None:
    """A request on each of many connections, a letter a second."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                _, writer = await _line(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
                for _ in range(60):
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(1)
            await asyncio.sleep(0.5)

    await asyncio.gather(*(one() for _ in range(MANY // 4)))


async def deaf(port: int) -> None:
    """Hundreds who ask for the stream and never read it."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                _, writer = await _line(port, b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                writer.transport.pause_reading()  # type: ignore[attr-defined]
                await asyncio.sleep(20)
                writer.close()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(one() for _ in range(600)))


async def flood(port: int) -> None:
    """Requests as fast as they are answered, on a hundred connections."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await _line(port)
                for _ in range(100):
                    writer.write(b"GET /arbiter/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    if not await reader.read(65536):
                        break
                writer.close()
            await asyncio.sleep(0.01)

    await asyncio.gather(*(one() for _ in range(100)))


async def guesses(port: int) -> None:
    """Codes as fast as they are refused."""
    form = b"name=Eve&code=AAAAAAAA"
    head = f"POST /arbiter/sign-in HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Length: {len(form)}\r\n\r\n"
    said = head.replace(" x\r\n", " 127.0.0.1\r\n").replace("//x", "//127.0.0.1").encode() + form

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await _line(port, said)
                await reader.read(65536)
                writer.close()
            await asyncio.sleep(0.01)

    await asyncio.gather(*(one() for _ in range(50)))


async def slow_readers(port: int) -> None:
    """Asks on each of hundreds of connections for much, and takes it a few bytes at a time."""
    loop = asyncio.get_running_loop()

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError), socket.socket() as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                line.setblocking(False)
                line.bind((STRANGER, 0))
                await loop.sock_connect(line, ("127.0.0.1", port))
                await loop.sock_sendall(line, b"GET /static/arbiter.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200)
                while await loop.sock_recv(line, 2048):
                    await asyncio.sleep(5)
            await asyncio.sleep(0.5)

    await asyncio.gather(*(one() for _ in range(700)))


async def sockets(port: int) -> None:
    """As many WebSockets as one address is given, with all the feeds that each may have; calls and pings on them."""
    masked = [bytes([0x89, 0x80, 0, 0, 0, 0]) * 50]  # pings
    for number in range(16):
        asked = {"id": number, "feed": "eboardevent", "param": {"serialnr": "1"}}
        masked.append(_frame(json.dumps({"id": 0, "call": "subscribe", "param": asked})))
    masked.append(_frame(json.dumps({"id": 1, "call": "eboards"})))

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                head = b"Host: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                reader, writer = await _line(port, b"GET /api/v1.0 HTTP/1.1\r\n" + head + key + b"\r\n")
                reading = asyncio.create_task(_drain(reader))
                while not reading.done():
                    writer.writelines(masked)
                    await asyncio.wait_for(writer.drain(), 30)
                writer.close()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(one() for _ in range(64)))


async def publications(port: int) -> None:
    """Publishes to our own broker as fast as it listens, on a hundred connections."""

    async def one(number: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                name = b"stranger-%03d" % number
                reader, writer = await _line(port, b"\x10\x18\x00\x04MQTT\x04\x02\x00\x00\x00\x0c" + name)
                reading = asyncio.create_task(_drain(reader))
                while not reading.done():
                    writer.write((b"\x30\x0a\x00\x04else" + b"word") * 50)
                    await asyncio.wait_for(writer.drain(), 30)
                writer.close()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(one(number) for number in range(100)))


async def _drain(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(65536):
            pass


def _frame(text: str) -> bytes:
    """A message over a WebSocket, masked by nothing, as RFC 6455 asks of clients."""
    return bytes([0x81, 0x80 | 126, *len(text).to_bytes(2), 0, 0, 0, 0]) + text.encode()


def at(name: str, siege: Callable[[int], Awaitable[None]]) -> Siege:
    """That siege, at one port."""

    async def besiege(ports: dict[str, int]) -> None:
        await siege(ports[name])

    return besiege


async def everything(ports: dict[str, int]) -> None:
    """Readers who take little and silent ones, at all ports at once."""
    await asyncio.gather(
        *(siege(ports[name]) for siege in (slow_readers, half_open) for name in ("pages", "livechess", "broadcast")),
        half_open(ports["broker"]),
    )


SIEGES: dict[str, Siege | None] = {
    "quiet": None,
    "half-open": at("pages", half_open),
    "slow heads": at("pages", slow_heads),
    "deaf readers": at("pages", deaf),
    "slow readers": at("pages", slow_readers),
    "flood of requests": at("pages", flood),
    "guesses": at("pages", guesses),
    "WebSockets": at("livechess", sockets),
    "half-open at LiveChess": at("livechess", half_open),
    "slow readers at the broadcast": at("broadcast", slow_readers),
    "half-open at the broker": at("broker", half_open),
    "publications": at("broker", publications),
    "everything": everything,
}


@contextlib.contextmanager
def besieged(name: str, ports: dict[str, int]) -> Iterator[None]:
    """A process that besieges the ports."""
    if SIEGES[name] is None:
        yield
        return
    process = subprocess.Popen([sys.executable, __file__, "--siege", name, "--ports", json.dumps(ports)])
    try:
        time.sleep(2)
        yield
    finally:
        process.kill()
        process.wait()


def asked(url: str) -> float | None:
    """How long the page took, in ms; None where it did not come."""
    began = time.monotonic()
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            answer.read()
    except OSError:
        return None
    return round((time.monotonic() - began) * 1000, 1)


def signed_in(url: str, folder: Path) -> tuple[str, float | None]:
    """The cookie of an arbiter who signs in with a code from the shell, and how long that took in ms."""
    code = Codes(folder_of(folder / "journal.sqlite")).new()
    form = urllib.parse.urlencode({"name": "Ana", "code": code}).encode()
    asked = urllib.request.Request(f"{url}/arbiter/sign-in", form, {"Origin": url})
    began, jar = time.monotonic(), http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    try:
        opener.open(asked, timeout=10).read()
    except OSError:
        return "", None
    return "; ".join(f"{each.name}={each.value}" for each in jar), round((time.monotonic() - began) * 1000, 1)


class Arbiter(threading.Thread):
    """One who is signed in and reads along."""

    def __init__(self, url: str, cookie: str) -> None:
        super().__init__(daemon=True)
        self.heard = 0  #: events
        self._asked = urllib.request.Request(f"{url}/arbiter/events", headers={"Cookie": cookie})

    def run(self) -> None:
        with urllib.request.urlopen(self._asked, timeout=30) as stream:
            for line in stream:
                self.heard += line.startswith(b"data")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def measure(folder: Path, presses: int, name: str) -> dict[str, object]:
    """Of one siege; each has a daemon of its own, for a game has an end."""
    config, log = folder / "board.toml", folder / "log"
    config.write_text(CONFIG.format(folder=folder, livechess=_free_port(), broadcast=_free_port()))
    process = subprocess.Popen(
        [sys.executable, "-c", HANDS, str(config), str(log)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    shown = psutil.Process(process.pid)
    try:
        ports = json.loads(process.stdout.readline())
        url = f"http://127.0.0.1:{ports['pages']}"
        arbiter = Arbiter(url, signed_in(url, folder)[0])
        arbiter.start()
        times = []
        with besieged(name, ports):
            before = len(log.read_text().splitlines())
            cpu, began = shown.cpu_times(), time.monotonic()
            pages = []
            heard = arbiter.heard
            for number in range(presses):
                said = json.loads(process.stdout.readline())
                if not isinstance(said, float):
                    raise SystemExit(f"{name}: {said}")
                times.append(said)
                if number % 5 == 0:
                    pages.append(asked(f"{url}/arbiter/sign-in"))
                most = shown.num_fds()
            _, signed_in_ms = signed_in(url, folder)
            busy = sum(shown.cpu_times()[:2]) - sum(cpu[:2])
            found = {
                "p50_ms": round(statistics.median(times), 1),
                "p99_ms": round(sorted(times)[int(len(times) * 0.99)], 1),
                "honest_pages_ms": max(page or 99_999 for page in pages),
                "sign_in_ms": signed_in_ms,
                "arbiter_heard": arbiter.heard - heard,
                "descriptors": most,
                "log_lines": len(log.read_text().splitlines()) - before,
                "cpu": round(busy / (time.monotonic() - began), 2),
            }
            print(name, found, file=sys.stderr, flush=True)
    finally:
        process.kill()
        process.wait()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=list(SIEGES))
    parser.add_argument("--siege")
    parser.add_argument("--ports", type=json.loads)
    arguments = parser.parse_args()
    if arguments.siege is not None:
        siege = SIEGES[arguments.siege]
        assert siege is not None
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        asyncio.run(siege(arguments.ports))  # type: ignore[arg-type]
        return
    found = {}
    for name in arguments.only:
        with tempfile.TemporaryDirectory() as folder:
            found[name] = measure(Path(folder), arguments.presses, name)
    worst = max(each["p99_ms"] for each in found.values())  # type: ignore[type-var]
    said = {"name": "siege", "figure": worst, "unit": "ms to the move, p99 of the worst siege", "goal": GOAL_MS}
    print(json.dumps(said | found))


if __name__ == "__main__":
    main()
