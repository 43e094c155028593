"""What pages have read aloud to who does not look at them: what is new, and nothing that is over."""

import asyncio
from collections.abc import Callable

import pytest
from hall import make
from house import breach, console, house, open_game, press, sign_in

from controller.config import Config

Configure = Callable[..., Config]
SAID = "document.getElementById('say').textContent"


@pytest.mark.browser
def test_a_case_that_waits_no_more_is_said_no_more(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await breach(daemon)
            await page.until(f"{SAID}.includes('Awaits your ruling')")
            await daemon.only.carry_out({"type": "arbiter", "do": "dismiss"})
            await page.until(f"!{SAID}")

    asyncio.run(scene())


@pytest.mark.browser
def test_the_last_move_of_a_game_is_not_said_beside_the_next_game(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await browser.open(console(daemon).url)
            await page.until("!!document.querySelector('.board')")
            await make(daemon, "e2e4")
            await press(daemon, "white")
            await page.until(f"{SAID} === 'Board 7: 1. e4'")
            await daemon.only.carry_out({"type": "new-game", "insist": True})
            await page.until(f"!{SAID}")

    asyncio.run(scene())
