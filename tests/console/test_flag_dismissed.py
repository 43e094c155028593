"""A fallen flag is dismissed, and play goes on: with a clock that shows nothing no flag could ever fall again."""

import asyncio
from collections.abc import Callable

import pytest
from house import house, open_game, rulings, sign_in

from controller.config import Config

CASE = "document.querySelector('article.case')"


@pytest.mark.browser
def test_with_the_dismissal_the_clocks_are_to_be_set(config: Callable[..., Config], chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await daemon.only.carry_out({"type": "arbiter", "do": "set-clock", "white_ms": 1})
            await page.until(f"!!{CASE}?.querySelector('[data-key$=\"refuse the result\"]')")
            assert await page.js(f"{CASE}.textContent.includes('Set the clocks')"), "it is offered with the others"
            await page.click('article.case [data-key$="refuse the result"]')
            await page.until("!!document.querySelector('dialog')")
            assert "White's clock shows nothing" in await page.js("document.querySelector('dialog').textContent")
            await page.fill("dialog fieldset:nth-of-type(1) input:nth-of-type(2)", "5")
            await page.click("dialog button.primary")
            await page.until("document.querySelector('[data-side=white] .time').textContent.match(/^(5:00|4:5)/)")
            assert [item.do for item in rulings(daemon)] == ["set-clock", "dismiss", "set-clock"]

    asyncio.run(scene())
