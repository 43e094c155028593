"""The hall's pages with a thousand boards, by one worker from a real PostgreSQL: how soon they are painted, and how
late 500 readers hear of what is committed.

The database is filled by the archiver's own way of writing, with real games as hands play them and the core judges
them. The worker, the readers and whoever writes are processes of their own. In a real Chromium a list is painted once
all boards are in the document and a frame has been drawn; a board's page from the click on. A move is heard by a reader
once he has all of its event, and late by the time since its commit has returned. Each reader must hear every move.
Prints one JSON line; the figure is p99 of all readers and moves.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
import psutil
from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / folder) for folder in ("daemon", "archive")] + [str(ROOT / "tools")]

import browser  # noqa: E402
from engines import PostgreSQL  # noqa: E402
from filled import Board  # noqa: E402
from hall import free_port  # noqa: E402

from controller.archive import database  # noqa: E402
from controller.archive.answers import Answers  # noqa: E402
from controller.archive.heard import QueuedEvent  # noqa: E402
from controller.archive.register import InDatabase  # noqa: E402
from controller.archive.settings import DatabaseConfig  # noqa: E402
from controller.console.grants import ALL  # noqa: E402

GOALS = {"list_ms": 1000, "board_ms": 300, "p99_ms": 1000}
READY_S = 300.0
AT_ONCE = 50  #: boards that are filled in one batch
LAST_S = 5.0  #: after the last commit
TURN_S = 0.05  #: what is played meanwhile is committed together

CONFIG = """
[broker]
hosts = ["127.0.0.1:1"]
[database]
url = "{url}"
[console]
venue = "hall"
port = {port}
"""

PAINTED = """
(() => {
    const look = () => {
        if (document.querySelectorAll("%s").length < %d) requestAnimationFrame(look);
        else requestAnimationFrame(() => setTimeout(() => (window.painted = performance.now()), 0));
    };
    requestAnimationFrame(look);
})()
"""
CHOSEN = """
new Promise((done) => {
    const began = performance.now();
    const look = () => {
        if (!document.querySelector(%s)) requestAnimationFrame(look);
        else requestAnimationFrame(() => setTimeout(() => done(performance.now() - began), 0));
    };
    location.hash = "#%s";
    requestAnimationFrame(look);
})
"""


class Parts(Struct):
    """What a reader looks at of a board."""

    moves: list[str] | None = None


class Patch(Struct):
    boards: dict[str, Parts] = {}


async def read(port: int, heard: list[tuple[str, int, int]], ready: list[int]) -> None:
    """One reader, as a browser reads; what he heard, and when, in ns since 1970."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**26)
        writer.write(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        if b" 200 " in (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")[0]:
            break
        writer.close()  # a place is not free yet
        await asyncio.sleep(0.5)
    decode = msgspec.json.Decoder(Patch).decode
    text, first = b"", True
    while size := int(await reader.readline(), 16):
        text += (await reader.readexactly(size + 2))[:-2]
        *events, text = text.split(b"\n\n")
        now = time.time_ns()
        for event in events:
            if first:  # how all stand
                first = False
                ready.append(1)
                continue
            patch = decode(event.partition(b"\ndata: ")[2])
            heard += [(number, len(parts.moves), now) for number, parts in patch.boards.items() if parts.moves]


async def crowd(port: int, size: int) -> None:
    """All readers; says ``ready`` once each has seen how all stand, and at the end what they have heard."""
    heard: list[list[tuple[str, int, int]]] = [[] for _ in range(size)]
    ready: list[int] = []
    tasks = [asyncio.create_task(read(port, each, ready)) for each in heard]
    while len(ready) < size:
        await asyncio.sleep(0.05)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for task in tasks:
        task.cancel()
    print(json.dumps(heard), flush=True)


def some(board: Board) -> list[QueuedEvent]:
    """The events up to the next move and those that come of its press; none where the game is over."""
    found: list[QueuedEvent] = []
    while new := board.next(1):
        found += new
        if found[-1].body["type"] == "completed":
            break
    return found


async def fill(base: database.Database, count: int) -> list[Board]:
    """So many boards, each in the midst of a game."""
    boards = [Board(str(number), number) for number in range(1, count + 1)]
    dice = random.Random(1)
    for first in range(0, count, AT_ONCE):
        batch = boards[first : first + AT_ONCE]
        events = [event for board in batch for _ in range(dice.randrange(10, 60)) for event in some(board)]
        await base.write(events, [], [])
        await base.keep_heads([board.head() for board in batch])
    return boards


async def played(base: database.Database, boards: list[Board], rate: float, lasts_s: float) -> dict[str, int]:
    """Moves on boards by chance, so many a second; when each was committed, in ns since 1970."""
    dice = random.Random(2)
    committed: dict[str, int] = {}
    told = 0
    end, due, events = time.monotonic() + lasts_s, time.monotonic(), 0
    while (now := time.monotonic()) < end:
        batch: list[QueuedEvent] = []
        while due <= now:
            board = dice.choice(boards)
            new = some(board)
            batch += new
            due += 1 / rate
        await base.write(batch, [], [])
        at = time.time_ns()
        events += len(batch)
        if at - told > 5e9:
            told = at
            await base.keep_heads([board.head() for board in boards])
        for event in batch:
            if event.body["type"] == "move":
                committed[f"{event.place.board.partition('/')[2]} {event.body['ply']}"] = at
        await asyncio.sleep(TURN_S)
    print(f"{events / lasts_s:.0f} events/s", file=sys.stderr)
    return committed


async def painted(url: str, cookie: str, count: int) -> dict[str, float]:
    """How long a list and a board's page take, in ms: three times each, the middle one."""
    found: dict[str, list[float]] = {}
    with browser.chromium() as (address, _):
        async with browser.connected(address) as chromium:
            for turn in range(3):
                for page_of, path, kind in (("public", "/", ".show"), ("arbiter", "/arbiter", ".tile")):
                    page = await chromium.open("about:blank")
                    name, _, value = cookie.partition("=")
                    await page.call("Network.setCookie", url=f"{url}/arbiter", path="/arbiter", name=name, value=value)
                    source = PAINTED % (kind, count)
                    await page.call("Page.addScriptToEvaluateOnNewDocument", source=source)
                    await page.go(f"{url}{path}")
                    found.setdefault(f"{page_of}_list_ms", []).append(await page.until("window.painted", 60))
                    number = str(count // 2 + turn)
                    one = f"{'.show' if page_of == 'public' else '.panel'}"
                    script = CHOSEN % (json.dumps(f"main .one {one}, .one main {one}"), number)
                    found.setdefault(f"{page_of}_board_ms", []).append(await page.js(script))
                    await page.call("Page.close")
    return {name: round(statistics.median(values)) for name, values in found.items()}


async def measure(folder: Path, count: int, readers: int, rate: float, lasts_s: float) -> dict[str, Any]:
    server = PostgreSQL()
    try:
        url = server.create()
        base = await database.connect(DatabaseConfig(url=url))
        began = time.monotonic()
        boards = await fill(base, count)
        filled_s = time.monotonic() - began
        port = free_port()
        config = folder / "archive.toml"
        config.write_text(CONFIG.format(url=url, port=port))
        command = [sys.executable, "-m", "controller.cli.main", "archive", "console", "--config", str(config)]
        began = time.monotonic()
        with (folder / "log").open("w") as log, subprocess.Popen(command, stderr=log) as worker:
            try:
                await until_served(port, worker)
                ready_s = time.monotonic() - began
                return await of_worker(worker, url, port, base, boards, readers, rate, lasts_s) | {
                    "boards": count,
                    "filled_s": round(filled_s, 1),
                    "ready_s": round(ready_s, 1),
                }
            finally:
                worker.terminate()
                print((folder / "log").read_text()[-2000:], file=sys.stderr)
    finally:
        server.close()


async def of_worker(
    worker: "subprocess.Popen[bytes]",
    url: str,
    port: int,
    base: database.Database,
    boards: list[Board],
    readers: int,
    rate: float,
    lasts_s: float,
) -> dict[str, Any]:
    process = psutil.Process(worker.pid)
    address = f"http://127.0.0.1:{port}"
    pages = await painted(address, await signed_in(url, address), len(boards))
    empty_mb = process.memory_full_info().uss / 2**20
    mine = [sys.executable, __file__, "--crowd", str(port), str(readers)]
    with subprocess.Popen(mine, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as others:
        assert others.stdin is not None
        assert others.stdout is not None
        assert await asyncio.to_thread(others.stdout.readline) == "ready\n"
        busy, others_busy, all_busy = _cpu(process), _cpu(psutil.Process(others.pid)), psutil.cpu_times()
        began = time.monotonic()
        committed = await played(base, boards, rate, lasts_s)
        spent, lasted = _cpu(process) - busy, time.monotonic() - began
        crowd_spent = _cpu(psutil.Process(others.pid)) - others_busy
        now = psutil.cpu_times()
        machine = sum(now) - sum(all_busy) - (now.idle - all_busy.idle) - (now.iowait - all_busy.iowait)
        await asyncio.sleep(LAST_S)
        mb = process.memory_full_info().uss / 2**20
        others.stdin.write("\n")
        others.stdin.flush()
        heard = json.loads(await asyncio.to_thread(others.stdout.readline))
    late, missed = compared(committed, heard)
    return {
        "name": "hall console",
        "figure": round(statistics.quantiles(late, n=100)[98]),
        "unit": f"ms from the commit to {readers} readers, p99",
        "goals": GOALS,
        **pages,
        "p50_ms": round(statistics.median(late)),
        "worst_ms": round(max(late)),
        "missed": missed,
        "moves": len(committed),
        "moves_a_second": rate,
        "worker_mb": round(mb),
        "worker_mb_without_readers": round(empty_mb),
        "worker_core_percent": round(100 * spent / lasted),
        "readers_core_percent": round(100 * crowd_spent / lasted),
        "machine_core_percent": round(100 * machine / lasted),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
    }


def compared(committed: dict[str, int], heard: list[list[tuple[str, int, int]]]) -> tuple[list[float], int]:
    """How late each reader heard of each move, in ms; how many were heard of by none of their later states.

    Who hears of two moves at once hears of both: a page shows the last.
    """
    late, missed = [], 0
    for one in heard:
        first: dict[str, list[tuple[int, int]]] = {}
        for number, moves, at in one:
            first.setdefault(number, []).append((moves, at))
        for key, at in committed.items():
            number, _, ply = key.partition(" ")
            then = min((when for moves, when in first.get(number, ()) if moves >= int(ply)), default=None)
            if then is None:
                missed += 1
            else:
                late.append((then - at) / 1e6)
    return late, missed


async def signed_in(url: str, address: str) -> str:
    """The cookie of a chief arbiter."""
    answers = Answers(DatabaseConfig(url=url))
    try:
        register = InDatabase("hall", 1.0, answers)
        cookie = await register.sign_in("Ana", "127.0.0.1", "", ALL)
    finally:
        await answers.close()
    assert address
    return f"jadoube={cookie}"


async def until_served(port: int, worker: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + READY_S
    while time.monotonic() < end and worker.poll() is None:
        try:
            with await asyncio.to_thread(urllib.request.urlopen, f"http://127.0.0.1:{port}/", timeout=5):
                return
        except OSError:
            await asyncio.sleep(0.1)
    raise RuntimeError("the worker does not serve")


def _cpu(process: psutil.Process) -> float:
    return sum(process.cpu_times()[:2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--readers", type=int, default=500)
    parser.add_argument("--rate", type=float, default=17.0, help="moves a second on all boards together")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--crowd", nargs=2, help="used by itself: port and number of the readers")
    given = parser.parse_args()
    if given.crowd is not None:
        asyncio.run(crowd(*map(int, given.crowd)))
        return
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), given.boards, given.readers, given.rate, given.seconds)
        print(json.dumps(asyncio.run(found)))


if __name__ == "__main__":
    main()
