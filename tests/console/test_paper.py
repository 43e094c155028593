"""The arbiter's page on paper: all of the evidence, and nothing that could only be touched."""

import asyncio
import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from house import breach, house, lift, open_game, place, sign_in

from controller.config import Config

pytestmark = pytest.mark.browser


def test_what_was_ruled_is_printed_with_its_evidence_by_day_and_by_night(
    config: Callable[..., Config], chromium: str
) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon, prefers_color_scheme="dark")
            await open_game(daemon)
            await breach(daemon)
            await page.click("button", "Rule it a breach")
            await lift(daemon, "c4")
            await place(daemon, "f1")
            await page.click("button", "Leave the clocks as they are")
            await page.sees("Done (2)")
            assert not await page.js("document.querySelector('.done .case').checkVisibility()")

            await page.js("addEventListener('beforeprint', () => { seen = document.body.innerText; })")
            pdf = base64.b64decode((await page.call("Page.printToPDF"))["data"])
            assert pdf.startswith(b"%PDF")
            printed = await page.until("globalThis.seen")
            assert "move required: Ne2, Nf3 or Nh3" in printed, "the evidence was folded away"
            await page.until("!document.querySelector('.done .case').checkVisibility()")

            await page.call("Emulation.setEmulatedMedia", media="print")
            shown = "[...document.querySelectorAll({!r})].filter((each) => each.checkVisibility()).length"
            assert await page.js(shown.format("button, .menu")) == 0
            assert await page.js(shown.format(".board .piece")) == 32
            assert await page.js("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
            (score,) = Path(daemon.only.pgn.directory).glob("*.pgn")  # one may be in the writing beside it
            assert score.stem.removeprefix("game-") in await page.js(
                "document.querySelector('.panel header').innerText"
            )
            assert not page.complaints

    asyncio.run(scene())
