"""Many boards as a list on a phone: a line for each game, no name broken within a word, and what all say but once."""

import asyncio
import os
from pathlib import Path

import pytest
from browser import Page, connected
from hall import running, until
from house import console, sign_in
from many import make, many

from controller.daemon.service import Daemon

PHONE = (390, 844)
NUMBERS = [*(str(number) for number in range(1, 24)), "1001"]
PLAYERS = ["Nepomniachtchi, Ian", "Vachier-Lagrave, Maxime", "Duda, Jan-Krzysztof", "Wei, Yi", "Abdusattorov, Nodirbek"]
SENTENCE = "It begins when Black presses the clock."
SHOWN = "[...document.querySelectorAll('.compact .tile, .compact .show')]"
LINES = (
    SHOWN
    + """.map((each) => ({
    height: each.getBoundingClientRect().height,
    names: [...each.querySelectorAll('.player')].map((player) => player.getClientRects().length
        + Math.round(player.getBoundingClientRect().height / parseFloat(getComputedStyle(player).lineHeight)) - 1),
    tops: new Set([...each.querySelectorAll('.face')].map((face) => Math.round(face.getBoundingClientRect().top))).size,
    wide: Math.max(...[...each.querySelectorAll('.player, .time, .news, .turn')]
        .map((part) => part.getBoundingClientRect().right)),
    over: each.querySelector('h2').scrollWidth - each.querySelector('h2').clientWidth,
    text: each.innerText }))"""
)


async def listed(page: Page) -> list[dict[str, object]]:
    await page.until("!!document.querySelector('[data-toggle=as-list]')?.checkVisibility()")
    await page.click("[data-toggle=as-list]")
    await page.until(f"document.querySelectorAll('.compact .tile, .compact .show').length === {len(NUMBERS)}")
    await page.until("document.body.innerText.includes('1. e4')")
    # all that wait have said so: until then one may be alone with that sentence
    await page.until(f"document.querySelectorAll('.as-others').length === {len(NUMBERS) - 1}")
    await page.until(f"document.body.innerText.split('{SENTENCE}').length === 2")
    await page.until(f"!{SHOWN}.some((each) => each.innerText.includes('Black presses'))")
    return await page.js(LINES)


@pytest.mark.browser
def test_a_game_is_a_line_and_what_all_say_stands_above(tmp_path: Path, chromium: str) -> None:
    file = tmp_path / "current.csv"
    rows = [f"1;{n};{PLAYERS[int(n) % 5]};{PLAYERS[(int(n) + 1) % 5]} {'x' * 40}\n" for n in NUMBERS]
    file.write_text("Round;Board;White;Black\n" + "".join(rows))
    event = {"venue": "hall", "pairings": str(file), "clock": "5400+30"}
    config = many(tmp_path, *NUMBERS, console={"port": 0}, event=event, start={"by": "press"})

    async def check(page: Page, name: str) -> None:
        lines = await listed(page)
        if folder := os.environ.get("JADOUBE_PICTURES"):
            await page.picture(Path(folder) / f"list-{name}.png")
        assert (await page.js("document.body.innerText")).count(SENTENCE) == 1
        waiting = [line for line in lines if "Black presses" not in str(line["text"])]
        assert len(waiting) == len(NUMBERS)
        for line in lines:
            assert line["names"] == [1, 1], line
            assert line["over"] == 0, "the number of the board stands on no name"
            assert line["tops"] == 1, "both players stand side by side"
            assert float(str(line["wide"])) <= PHONE[0]
        quiet = [line for line in lines if "e4" not in str(line["text"])]
        assert len(quiet) >= 23
        assert max(float(str(line["height"])) for line in quiet) <= 48

    async def played(daemon: Daemon) -> None:
        await daemon.stations["3"].carry_out({"type": "new-game"})
        await make(daemon, "3", "e2e4")

    async def scene() -> None:
        async with running(config) as daemon, connected(chromium) as browser:
            await until(lambda: console(daemon).port)  # type: ignore[arg-type]
            await played(daemon)  # type: ignore[arg-type]
            crowd = await browser.open(console(daemon).url, *PHONE)  # type: ignore[arg-type]
            await check(crowd, "public")
            page = await sign_in(browser, daemon, *PHONE)  # type: ignore[arg-type]
            await check(page, "arbiter")
            await page.resize(1180, 820)
            assert (await page.js("document.body.innerText")).count(SENTENCE) == 1

    asyncio.run(scene())
