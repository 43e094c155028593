"""A match à quatre of which one game is over: both pages say on both boards that it goes on, and then who won it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from browser import connected
from double import double
from hall import running, until
from house import Listener, console, cookie, ready, sign_in

from controller.daemon.service import Daemon
from controller.errors import DeviceError

GOES_ON = {
    "en": "The match goes on until a player whose game is not over stops the clocks, or the arbiter the match",
    "fr": "Le match continue jusqu’à ce qu’un joueur de la partie restante arrête les pendules, ou que l’arbitre "
    "arrête le match",
}


async def win(daemon: Daemon, board: Any, result: str) -> None:
    await daemon.only.carry_out({"type": "arbiter", "do": "result", "result": result}, board)


def told(reader: Listener, what: str) -> list[str | None]:
    """What is told of the match on both boards."""
    return [reader.boards.get(number, {}).get("board", {}).get(what) for number in "12"]


@pytest.mark.parametrize("code", ["en", "fr"])
def test_it_is_said_on_both_boards_that_it_goes_on_and_what_decides_it(tmp_path: Path, code: str) -> None:
    async def scene() -> None:
        async with running(double(tmp_path, console={"port": 0}, event={"clock": "180"})) as daemon:
            await ready(daemon)  # type: ignore[arg-type]
            url, held = console(daemon).url, await cookie(daemon)
            crowd = Listener(f"{url}/events?lang={code}")
            arbiter = Listener(f"{url}/arbiter/events?lang={code}", Cookie=held)
            async with crowd, arbiter:
                for reader in (crowd, arbiter):
                    await until(lambda reader=reader: reader.boards.keys() >= {"1", "2"})
                    assert told(reader, "match_goes_on") == [None, None]
                await win(daemon, "B", "0-1")
                for reader in (crowd, arbiter):
                    await until(lambda reader=reader: all(told(reader, "match_goes_on")))
                    one, other = told(reader, "match_goes_on")
                    assert one == other
                    assert str(one).startswith(GOES_ON[code])
                    assert ("board B" if code == "en" else "l’échiquier B") in str(one)
                await daemon.only.carry_out({"type": "pause", "side": "white"}, "A")
                won = "Match won by team 1" if code == "en" else "Match gagné par l’équipe 1"
                for reader in (crowd, arbiter):
                    await until(lambda reader=reader: told(reader, "match_result") == [won, won])
                    assert told(reader, "match_goes_on") == [None, None]

    asyncio.run(scene())


@pytest.mark.browser
def test_what_is_wrong_with_one_board_stands_with_that_board_alone(tmp_path: Path, chromium: str) -> None:
    said = "[...document.querySelectorAll('.panel .trouble')].map((each) => each.textContent)"
    # of sources that the daemon does not clear meanwhile, as it looks at its sensors and its journal all the time
    wrong = {"board A": "no answer", "board B-battery": "battery low", "ghosts B": "row 3", "webhook": "disk full"}

    async def scene() -> None:
        async with running(double(tmp_path, console={"port": 0})) as daemon, connected(chromium) as browser:
            await ready(daemon)  # type: ignore[arg-type]
            page = await sign_in(browser, daemon)
            for source, what in wrong.items():
                daemon.notices.set(source, DeviceError(what, "a test", "nothing"))
            await page.until("document.querySelectorAll('.notice').length === 5")
            one, other = await page.js(said)
            parts = [*wrong.values()]
            assert [what in one for what in parts] == [True, False, False, True]
            assert [what in other for what in parts] == [False, True, True, True]

    asyncio.run(scene())


@pytest.mark.browser
def test_the_result_of_the_match_stands_at_the_head_of_both_boards(tmp_path: Path, chromium: str) -> None:
    heads = "[...document.querySelectorAll('header > .score-line')].map((each) => each.textContent)"

    async def scene() -> None:
        config = double(tmp_path, console={"port": 0}, event={"clock": "180"})
        async with running(config) as daemon, connected(chromium) as browser:
            await ready(daemon)  # type: ignore[arg-type]
            page, crowd = await sign_in(browser, daemon), await browser.open(console(daemon).url)
            await win(daemon, "A", "1-0")
            for each in (page, crowd):
                await each.until("document.querySelectorAll('.note:not(:empty)').length === 2")
            await win(daemon, "B", "1-0")
            for each, seen in ((page, ["Match drawn"] * 2), (crowd, ["1–0 · Match drawn"] * 2)):
                await each.until("!document.querySelector('.note:not(:empty)')")
                assert await each.js(heads) == seen

    asyncio.run(scene())
