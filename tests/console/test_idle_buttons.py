"""What a page says and offers is true at that moment: no button that does nothing, or twice, nothing late is live."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import connected
from double import double
from hall import running
from house import console, house, open_game, ready, sign_in

from controller.config import Config

pytestmark = pytest.mark.browser
Configure = Callable[..., Config]
OFFERED = """[...document.querySelectorAll('button')].filter((each) => each.checkVisibility() && !each.disabled)
    .map((each) => each.textContent)"""


def test_the_clocks_that_stand_are_started_by_one_button(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            assert (await page.js(OFFERED)).count("Resume") == 0
            await page.click("[data-tool=pause]")
            await page.sees("The clocks are stopped.")
            offered = await page.js(OFFERED)
            assert (offered.count("Resume"), offered.count("Stop the clocks")) == (1, 0)
            await page.click(".standing button")
            await page.until("document.querySelector('[data-tool=pause]').checkVisibility()")
            await daemon.only.carry_out({"type": "resign", "side": "black"})
            await page.until("!document.querySelector('[data-tool=pause]').checkVisibility()")
            assert not {"Stop the clocks", "Set the clocks", "Resume"} & {*await page.js(OFFERED)}

    asyncio.run(scene())


def test_a_match_that_is_over_is_not_to_be_stopped(tmp_path: Path, chromium: str) -> None:
    async def scene() -> None:
        config = double(tmp_path, console={"port": 0}, event={"clock": "180"})
        async with running(config) as daemon, connected(chromium) as browser:
            await ready(daemon)  # type: ignore[arg-type]
            page = await sign_in(browser, daemon)
            assert (await page.js(OFFERED)).count("Stop the match") == 2
            won = {"type": "arbiter", "do": "result", "result": "1-0"}
            await daemon.only.carry_out(won, "A")
            await daemon.only.carry_out(won, "B")
            await page.until(f"!({OFFERED}).includes('Stop the match')")

    asyncio.run(scene())


@pytest.mark.parametrize(("code", "said"), [("en", "Connected"), ("fr", "Connecté")])
def test_what_is_shown_late_is_not_called_live(config: Configure, chromium: str, code: str, said: str) -> None:
    async def scene() -> None:
        delayed = {"venue": "hall", "board": "7", "clock": "5400+30", "delay_min": 1}
        async with house(config(event=delayed), chromium) as (daemon, browser):
            page = await browser.open(f"{console(daemon).url}/?lang={code}")
            await page.until(f"document.getElementById('link').textContent === '{said}'")
            assert "1\N{NO-BREAK SPACE}min" in await page.js("document.getElementById('delay').textContent")

    asyncio.run(scene())
