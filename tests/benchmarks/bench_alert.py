"""How long from a violation to the arbiter's eye: a press that completes a breach, and its card in a real Chromium.

All is real: journal, console, server-sent events, the page as an arbiter has it open. A player touches one piece and
moves another; the press releases what he moved at once, so no release time is in it. Seen is when the page holds the
card and the next frame is drawn. Prints one JSON line; the figure is p99.
"""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from pages import Shown, another, browser, configuration, side_of, sign_in

from controller.daemon.service import Daemon

GOAL_MS = 300
REST_S = 0.1

WATCH = """new MutationObserver(() => {
    const card = document.querySelector("article.case[data-state=open]");
    if (!card || card.dataset.seq === window.seenCard) return;
    window.seenCard = card.dataset.seq;
    requestAnimationFrame(() => setTimeout(() => { window.seenAt = performance.timeOrigin + performance.now(); }));
}).observe(document.querySelector(".docket"), {childList: true, subtree: true})"""


async def measure(folder: Path, alerts: int, seed: int) -> dict[str, Any]:
    """Plays random games with a breach at every ply that allows one; each is dismissed."""
    daemon, dice, took = Daemon(configuration(folder)), random.Random(seed), list[float]()
    serving = asyncio.create_task(daemon.run())
    with browser.chromium() as (address, _):
        async with browser.connected(address) as chromium:
            shown = Shown(daemon)
            await shown.ready()
            page = await sign_in(chromium, daemon)
            await page.js(WATCH)
            async for board, move in shown.games(seed):
                touched = another(board, move, dice)
                if touched is not None:
                    await shown.touch(touched)
                shown.play(board, move)
                wall = time.time_ns() - time.monotonic_ns()
                pressed = shown.press(side_of(board))
                if touched is not None:
                    seen = await page.until("window.seenAt")
                    took.append(seen - (pressed + wall) / 1e6)
                    await page.js("window.seenAt = 0")
                    await daemon.only.carry_out({"type": "arbiter", "do": "dismiss"})
                await asyncio.sleep(REST_S)
                if len(took) == alerts:
                    break
    daemon.stop()
    await serving
    p99 = statistics.quantiles(took, n=100)[98]
    return {
        "name": "alert",
        "figure": round(p99, 1),
        "unit": "ms from the press to the arbiter's screen, p99",
        "goal": GOAL_MS,
        "median_ms": round(statistics.median(took), 1),
        "worst_ms": round(max(took), 1),
        "alerts": len(took),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alerts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if browser.CHROMIUM is None:
        print(json.dumps({"name": "alert", "skipped": "chromium is not installed: make browser"}))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(Path(folder), given.alerts, given.seed))))


if __name__ == "__main__":
    main()
