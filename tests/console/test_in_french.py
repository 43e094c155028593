"""What French readers see where no event is told in words: signs of French, and no bare English."""

import asyncio
import json
from collections.abc import Callable

import pytest
from hall import running
from house import address, ask, console, cookie, house, open_game, ready, sign_in

from controller.config import Config
from controller.words import LanguageCode
from controller.words.language import language

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


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "what was to be taken back is not the last any more; look again at what came last"),
        (
            "fr",
            "ce sur quoi il fallait revenir n’est plus le plus récent\N{NO-BREAK SPACE}; "
            "regardez de nouveau ce qui est le plus récent",
        ),
    ],
)
def test_no_sentence_of_a_refusal_begins_with_a_small_letter(config: Configure, code: LanguageCode, said: str) -> None:
    """Both are parted by a semicolon: what is to be done next may be a command, which has no capital."""

    async def scene() -> None:
        async with running(config()) as daemon:
            await ready(daemon)
            await open_game(daemon)
            url = f"{console(daemon).url}/arbiter/boards/7"
            answer = await ask(url, b'{"do":"undo","of":0}', Cookie=await cookie(daemon), Accept_Language=code)
            assert (answer.status, json.loads(answer.body)["told"]) == (409, said)
            shown = language(code).text("page", "refused", what=said)
            assert said in shown and ". " not in shown

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
