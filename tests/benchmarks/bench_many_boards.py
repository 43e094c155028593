"""Sixty-four boards on one console page: how soon they are painted in a real Chromium, and what a quiet page costs.

The page is served by a daemon with one board of its own; sixty-three more stand on it as other daemons would put them
there, each in the middle of a random game with both clocks, one running. Painted is when the last board has its men and
the next frame is drawn, from the moment the address is opened. Quiet: nothing happens but the clocks. The processor's
time is that of all of Chromium, and of the daemon, in per cent of one core. Prints one JSON line.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import chess
import psutil
from pages import Shown, browser, configuration, console, sign_in

from controller.console.hub import Hub
from controller.daemon.service import Daemon
from hardware.simulator.games import random_game

BOARDS = 64
GOAL_MS, GOAL_PERCENT = 1000, 5
SETTLE_S = 3.0

PAINTED = f"""new Promise((done) => {{
    const look = () => document.querySelectorAll(".tile .men .man").length > {BOARDS} * 8
        && document.querySelectorAll(".tile").length === {BOARDS}
        ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : requestAnimationFrame(look);
    look();
}})"""


def put(hub: Hub, number: str, seed: int) -> None:
    """A board of another daemon, as its stream would say it."""
    board, sans = chess.Board(), []
    moves = random_game(seed, 20 + seed % 40)
    for move in moves:
        sans.append(board.san(move))
        board.push(move)
    turn = "white" if board.turn else "black"
    now = time.time_ns() // 1_000_000
    quiet = {name: [] for name in ("lifted", "hand", "extra", "touched", "targets", "displaced")}
    quiet |= dict.fromkeys(("check", "owed", "stock", "result", "called"))
    hub.put(
        number, "head", {"number": number, "match": None, "game": number, "white": f"Player {seed}", "black": "Rival"}
    )
    shown = {"fen": board.board_fen(), "turn": turn, "last": moves[-1].uci(), "seen": True, "attention": 0}
    hub.put(number, "board", quiet | shown | {"over": False, "stopped": False})
    clock = {"white": 5_000_000 - 7919 * seed, "black": 4_900_000, "running": turn, "at": now - 500 * seed}
    hub.put(number, "clock", clock | {"speed": 1, "free": 0, "hourglass": False})
    hub.put(number, "moves", sans)
    hub.put(number, "cases", [])


def spent(process: int) -> float:
    """Seconds of processor time of a process and all below it."""
    family = psutil.Process(process)
    return sum(sum(each.cpu_times()[:2]) for each in (family, *family.children(recursive=True)))


async def measure(folder: Path, loads: int, quiet_s: float) -> dict[str, Any]:
    daemon = Daemon(configuration(folder))
    serving = asyncio.create_task(daemon.run())
    with browser.chromium() as (address, pid):
        async with browser.connected(address) as chromium:
            await Shown(daemon).ready()
            for hub in console(daemon).hubs:
                for seed in range(2, BOARDS + 1):
                    put(hub, str(seed), seed)
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
    daemon.stop()
    await serving
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
    given = parser.parse_args()
    if browser.CHROMIUM is None:
        print(json.dumps({"name": "many boards", "skipped": "chromium is not installed: make browser"}))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(Path(folder), given.loads, given.quiet))))


if __name__ == "__main__":
    main()
