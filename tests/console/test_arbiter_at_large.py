"""What an arbiter of many boards needs: no game that one tap ends, no button under another board's name, a list to look
through, and a page that stays where it is.
"""

import asyncio
from collections.abc import Callable

import pytest
from browser import Page
from house import ARBITER, breach, console, enter, house, lift, open_game, place, rulings, sign_in

from controller.config import Config
from controller.console.hub import Hub
from controller.daemon.service import Daemon

pytestmark = pytest.mark.browser
Configure = Callable[..., Config]
PHONE, TABLET = (390, 844), (820, 1180)
TOP = "document.querySelector({!r}).getBoundingClientRect().top"
SHOWN = '[...document.querySelectorAll(".tile")].filter((each) => each.checkVisibility()).length'

HEIGHTS = '[...document.querySelectorAll(".tile")].map((each) => each.getBoundingClientRect().height)'


def others(hub: Hub, *numbers: int, attention: int = 0) -> None:
    """More boards on the page, as another daemon would show them."""
    for number in numbers:
        players = {"white": f"Player {number}", "black": "Rival"}
        hub.put(str(number), "head", {"number": str(number), "match": None, "game": None} | players)
        shown = {"fen": "8/8/8/8/8/8/8/8", "turn": "white", "over": False, "attention": attention, "displaced": []}
        hub.put(str(number), "board", shown)


async def upheld(page: Page, daemon: Daemon) -> None:
    await open_game(daemon)
    await breach(daemon)
    await page.click("button", "Rule it a breach")
    await page.sees("The pieces must be put back")


def test_times_for_the_clocks_are_still_proposed_when_the_pieces_are_back(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await upheld(page, daemon)
            proposed = await page.js("document.querySelector('.restore').innerText")
            await lift(daemon, "c4")
            await place(daemon, "f1")
            await page.sees("The clocks are still to be set")
            assert "Proposed for the clocks" in proposed
            assert await page.js("!document.querySelector('.restore img')")
            await page.click("button", "Set these times")
            await page.sees("Nothing to rule on here.")
            await page.click("details.closed summary")
            await page.sees(f"The pieces were put back, the clocks set · {ARBITER}")
            assert [item.do for item in rulings(daemon)] == ["uphold", "set-clock"]

    asyncio.run(scene())


def test_times_for_the_clocks_can_be_declined(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await upheld(page, daemon)
            await page.click("button", "Leave the clocks as they are")
            await page.until("!document.querySelector('.restore').innerText.includes('Proposed')")
            await lift(daemon, "c4")
            await place(daemon, "f1")
            await page.sees("Nothing to rule on here.")
            assert [item.do for item in rulings(daemon)] == ["uphold"]

    asyncio.run(scene())


def test_a_case_names_its_board_and_no_other_stands_above_its_buttons(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            others(console(daemon).arbiter["en"], 12, attention=3)
            await open_game(daemon)
            await breach(daemon)
            page = await sign_in(browser, daemon, *PHONE)
            await page.click(".tile", "Board 7")
            await page.until("!!document.querySelector('article.case button')")
            assert "Board 7: Awaits your ruling" in await page.js("document.querySelector('article.case').innerText")
            await page.until("document.querySelector('.calls a')?.textContent === 'Board 12'")
            at = {part: await page.js(TOP.format(part)) for part in (".calls a", "article.case button.primary")}
            assert at[".calls a"] > at["article.case button.primary"]
            names = "[...document.querySelectorAll('.calls a')].filter((each) => each.getBoundingClientRect().top < {})"
            assert await page.js(f"{names.format(at['article.case button.primary'])}.length") == 0

    asyncio.run(scene())


def test_no_single_tap_ends_a_game(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(event={"clock": "1"}), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await page.sees("Awaits your ruling")
            await page.click("article.case button.primary")
            await page.sees("This ends the game.")
            await page.click("dialog button", "Cancel")
            await page.until("!document.querySelector('dialog')")
            assert not rulings(daemon)
            await page.click("article.case button.primary")
            await page.click("dialog button.primary")
            await page.until("document.querySelector('.turn').textContent.startsWith('The game is over')")
            assert [item.do for item in rulings(daemon)] == ["uphold"]

    asyncio.run(scene())


def test_many_boards_are_counted_listed_and_sifted(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        game = {"tags": {"Event": "Club Open", "Round": "4"}}
        async with house(config(game=game), chromium) as (daemon, browser):
            for hub in console(daemon).arbiter.values():
                others(hub, 8, 9, 10)
                others(hub, 11, attention=2)
            for size in (TABLET, PHONE):
                page = await sign_in(browser, daemon, *size)
                await page.until(f"{SHOWN} === 5")
                await page.sees("Club Open · Round 4")
                await page.sees("Boards: 5 · waiting for you: 1 · in play: 5")
                await page.click(".toggle", "Only what waits for me")
                await page.until(f"{SHOWN} === 1")
                await page.click(".toggle", "Only what waits for me")
                await page.until(f"{SHOWN} === 5")
                await page.click(".toggle", "List")
                await page.until("!document.querySelector('.tile .board').checkVisibility()")
                rows = await page.js(HEIGHTS)
                assert max(rows) < 140, (size, rows)
                assert await page.js("document.documentElement.scrollWidth") <= size[0]
                await page.js("document.querySelector('.find').focus()")
                await page.call("Input.insertText", text="player 9")
                await page.until(f"{SHOWN} === 2")
                if size == PHONE:
                    await page.click(".fold", "Menu")
                await page.click(".menu a", "Français")
                await page.sees("Seulement ce qui m’attend")
                assert await page.js("document.querySelector('.find').value") == "player 9"

    asyncio.run(scene())


def test_another_language_stays_where_one_is(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            for hub in console(daemon).arbiter.values():
                others(hub, 8)
            page = await sign_in(browser, daemon)
            await page.click(".tile", "Board 7")
            await page.until("location.hash === '#7'")
            await page.click(".menu a", "Français")
            await page.sees("Trait aux Blancs")
            assert await page.js("location.hash") == "#7"
            assert not page.complaints

    asyncio.run(scene())


def test_a_wrong_code_keeps_what_was_typed_and_so_does_another_language(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await browser.open(f"{console(daemon).url}/arbiter/sign-in")
            code = "K7QM-4TX2"
            await enter(page, code)
            await page.sees("This code is not valid.")
            typed = "[document.querySelector('#name').value, document.querySelector('#code').value]"
            assert await page.js(typed) == [ARBITER, code]
            await page.until("document.readyState === 'complete'")  # the script of the page keeps what was typed
            await page.click(".menu a", "Français")
            await page.sees("Votre nom")
            await page.until(f"{typed}.join() === '{ARBITER},{code}'")
            assert await page.js("location.hash") == ""

    asyncio.run(scene())


def test_what_is_no_code_is_said_to_be_none_in_the_language_of_the_page(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await browser.open(f"{console(daemon).url}/arbiter?lang=fr")
            says = "document.querySelector('#code').validationMessage"
            await page.until("document.readyState === 'complete' && !!document.querySelector('#code')")
            for typed in ("", "K7QM"):
                await page.fill("#code", typed)
                await page.click("button[type=submit]")
                await page.until(f'{says} === "Un code d’appairage compte huit lettres et chiffres."')
            await page.js("document.querySelector('#code').value = ''")
            await page.js("document.querySelector('#code').focus()")
            await page.call("Input.insertText", text="K7QM-4TX2")
            assert await page.js(says) == ""

    asyncio.run(scene())
