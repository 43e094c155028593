"""What French readers see where no event is told in words: signs of French, and no bare English."""

import asyncio
from collections.abc import Callable

import pytest
from hall import running
from house import address, ask, house, sign_in

from controller.config import Config

Configure = Callable[..., Config]
LANE = """(async () => {
    const { timeline } = await import("/static/timeline.js");
    const drawn = timeline({ begin: 0, end: 9000, lanes: [{ square: "c6", open: [[1000, 2000]] }], presses: [] });
    return drawn.textContent + drawn.outerHTML;
})()"""


@pytest.mark.browser
def test_a_time_line_has_a_space_before_its_colon(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await page.go(f"{await address(daemon)}/arbiter?lang=fr")
            said = await page.js(LANE)
            assert "c6\N{NO-BREAK SPACE}: vide" in said
            assert "c6: vide" not in said

    asyncio.run(scene())


def test_a_page_that_is_not_there_says_so_in_the_language_of_who_asks(config: Configure) -> None:
    async def scene() -> None:
        async with running(config()) as daemon:
            url = await address(daemon)
            for code, said in (("fr", "cette page n’existe pas ici"), ("en", "there is no such page here")):
                answer = await ask(f"{url}/nothing?lang={code}")
                assert answer.status == 404
                assert answer.body.decode().splitlines()[0] == said
                assert "/arbiter" in answer.body.decode(), "where to go instead"

    asyncio.run(scene())
