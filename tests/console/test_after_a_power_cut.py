"""After a power cut nobody has watched any board for a while: the arbiter says once that he knows."""

import asyncio
from pathlib import Path

import pytest
from browser import connected
from hall import running, until
from house import Listener, console, cookie, sign_in
from many import all_playing, many

from controller.console.grants import Grant

BUTTON = "document.querySelector('[data-key=seen-on-all]')"


def waiting(listener: Listener, number: str) -> list[str]:
    """The cases of a board that nobody watched, and of which nobody has said that he knows."""
    told = [part for name, part in listener.boards[number].items() if name.startswith("case ") and part]
    return [case["seq"] for case in told if case["dark"] and case["state"] == "told"]


@pytest.mark.browser
def test_what_is_the_same_on_all_boards_is_seen_with_one_tap(tmp_path: Path, chromium: str) -> None:
    config = many(tmp_path, "1", "2", "3", console={"port": 0})

    async def scene() -> None:
        async with running(config) as daemon:
            await all_playing(daemon)
        async with running(config) as daemon, connected(chromium) as browser:
            await until(lambda: console(daemon).port)
            url, held = console(daemon).url, await cookie(daemon)
            async with Listener(f"{url}/arbiter/events", Cookie=held) as heard:
                await until(lambda: heard.boards.keys() == {"1", "2", "3"} and all(waiting(heard, n) for n in "123"))
                other = await sign_in(browser, daemon, may=Grant("arbiter", ("1", "2"), "Bo"))
                await other.sees("Seen on all 2 boards that nobody watched")
                page = await sign_in(browser, daemon)
                await page.sees("Seen on all 3 boards that nobody watched")
                await page.js(f"{BUTTON}.click()")
                await until(lambda: not any(waiting(heard, number) for number in "123"))
                for each in (page, other):
                    await each.until(f"{BUTTON}.hidden")

    asyncio.run(scene())
