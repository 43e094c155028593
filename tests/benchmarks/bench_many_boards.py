"""Sixty-four boards on one console page: how soon they are painted in a real Chromium, and what a quiet page costs.

Sixty-four daemons, each with its journal, its pages and its own game: the one whose page is opened, and sixty-three
others that it reads as it would in a hall, over HTTP with the key of the hall. These share four processes and a broker,
for two cores cannot hold as many processes as a hall has machines; nothing is put onto the page by hand. Each has
played twenty to sixty plies of a random game, and one of its clocks runs. Painted is when the last board has its pieces
and the next frame is drawn, from the moment the address is opened. Quiet: nothing happens but the clocks. The
processor's time is that of all of Chromium, and of the daemon looked at, in per cent of a core. Prints one JSON line.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
from pages import MOSQUITTO, Mosquitto, Shown, browser, configuration, console, running, side_of, sign_in, until

from controller.config import Config

BOARDS, PROCESSES = 64, 4
START_S = 120.0
GOAL_MS, GOAL_PERCENT = 1000, 5
SETTLE_S = 3.0

PAINTED = f"""new Promise((done) => {{
    const look = () => document.querySelectorAll(".tile .pieces .piece").length > {BOARDS} * 8
        && document.querySelectorAll(".tile").length === {BOARDS}
        ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : requestAnimationFrame(look);
    look();
}})"""


def board(folder: Path, number: int, broker: int, **pages: Any) -> Config:
    """The configuration of the board of that number, with its own folder."""
    place = folder / str(number)
    place.mkdir(exist_ok=True)
    event = {"venue": "bench", "board": str(number), "clock": "36000", "settings": {"brush_ms": 20}}
    shared = {"port": 0, "hall_key_file": str(folder / "hall-key")}
    config = configuration(place, event=event, console=shared | pages, mqtt={"host": "127.0.0.1", "port": broker})
    assert isinstance(config, Config)
    return config


async def serve(folder: Path, numbers: range, broker: int) -> None:
    """Some boards of the hall in this process, each in the middle of a game: prints their addresses, and goes on."""
    async with contextlib.AsyncExitStack() as stack:
        for number in numbers:
            daemon = await stack.enter_async_context(running(board(folder, number, broker)))
            shown = Shown(daemon)
            await shown.ready()
            plies = 20 + number % 40
            async for position, move in shown.games(number):
                shown.play(position, move)
                shown.press(side_of(position))
                await asyncio.sleep(0.01)
                plies -= 1
                if not plies:
                    break
            print(console(daemon).url, flush=True)
        await asyncio.get_running_loop().create_future()


@contextlib.asynccontextmanager
async def others(folder: Path, broker: int) -> AsyncIterator[list[str]]:
    """The other boards of the hall, in processes of their own: their addresses."""
    share = BOARDS // PROCESSES
    groups = [range(max(2, first), first + share) for first in range(1, BOARDS + 1, share)]
    started = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            __file__,
            *("--serve", str(folder), str(group.start), str(group.stop), str(broker)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        for group in groups
    ]
    try:
        urls = []
        for process, group in zip(started, groups, strict=True):
            assert process.stdout is not None
            for _ in group:
                async with asyncio.timeout(START_S):
                    urls.append((await process.stdout.readline()).decode().strip())
        yield urls
    finally:
        for process in started:
            process.kill()
            await process.wait()


def spent(process: int) -> float:
    """Seconds of processor time of a process and all below it."""
    family = psutil.Process(process)
    return sum(sum(each.cpu_times()[:2]) for each in (family, *family.children(recursive=True)))


async def measure(folder: Path, broker: int, loads: int, quiet_s: float) -> dict[str, Any]:
    key = folder / "hall-key"
    key.touch(0o600)
    key.write_text("the key of this hall")
    with browser.chromium() as (address, pid):
        async with (
            others(folder, broker) as urls,
            running(board(folder, 1, broker, others=urls)) as daemon,
            browser.connected(address) as chromium,
        ):
            await Shown(daemon).ready()
            await until(lambda: console(daemon).heard == BOARDS - 1, START_S)
            page = await sign_in(chromium, daemon, 1280, 800)
            painted = [await page.js(PAINTED)]
            for _ in range(loads - 1):
                await page.go(f"{console(daemon).url}/arbiter")
                painted.append(await page.js(PAINTED))
            await asyncio.sleep(SETTLE_S)
            before, ours, began = spent(pid), sum(psutil.Process().cpu_times()[:2]), time.monotonic()
            await asyncio.sleep(quiet_s)
            lasted = (time.monotonic() - began) / 100
            cost, own = (spent(pid) - before) / lasted, (sum(psutil.Process().cpu_times()[:2]) - ours) / lasted
            assert not page.complaints, page.complaints
    return {
        "name": "many boards",
        "figure": round(statistics.median(painted)),
        "unit": f"ms until {BOARDS} boards are painted, median",
        "goal": GOAL_MS,
        "worst_ms": round(max(painted)),
        "quiet_percent": round(cost, 1),
        "quiet_goal": GOAL_PERCENT,
        "daemon_percent": round(own, 1),
        "loads": loads,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loads", type=int, default=10)
    parser.add_argument("--quiet", type=float, default=20.0, help="seconds")
    parser.add_argument("--serve", nargs=4, help="used by itself: folder, first and last number, port of the broker")
    given = parser.parse_args()
    if given.serve is not None:
        place, first, last, port = given.serve
        asyncio.run(serve(Path(place), range(int(first), int(last)), int(port)))
        return
    if browser.CHROMIUM is None or MOSQUITTO is None:
        print(json.dumps({"name": "many boards", "skipped": "needs chromium and mosquitto: make browser broker"}))
        return
    with tempfile.TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder))
        try:
            print(json.dumps(asyncio.run(measure(Path(folder), broker.port, given.loads, given.quiet))))
        finally:
            broker.kill()


if __name__ == "__main__":
    main()
