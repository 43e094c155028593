"""The arbiter sets the record right on his page: what was played is put in, and everybody hears it."""

import asyncio
from collections.abc import Callable

import msgspec
import pytest
from browser import Page
from hall import make
from house import ARBITER, ask, console, cookie, house, lift, open_game, press, rulings, sign_in
from looks import SMALL_TARGETS

from controller.config import Config
from controller.contract import Move, Retract
from controller.daemon.service import Daemon
from controller.wire import decode_event

Configure = Callable[..., Config]
SCORE = "[...document.querySelectorAll('.score li > *')].map((each) => each.textContent).join(' ')"


def told(daemon: Daemon) -> list[str]:
    """The moves that were told, and taken back."""
    events = [decode_event(record.body) for record in daemon.journal.after(0, 10_000) if record.kind == "event"]
    return [f"{'-' if isinstance(e, Retract) else ''}{e.uci}" for e in events if isinstance(e, Move | Retract)]


async def choose(page: Page, selector: str, value: str) -> None:
    """Chooses from a list, as somebody does who opens it."""
    await page.until(f"!!document.querySelector(\"{selector} option[value='{value}']\")")
    change = f's.value = "{value}"; s.dispatchEvent(new Event("change"))'
    await page.js(f'{{ const s = document.querySelector("{selector}"); {change} }}')


def played(number: int) -> str:
    """The list of what was played, of which there is one for each move that is put in."""
    return f"[data-played='{number}']"


@pytest.mark.browser
def test_a_move_further_back_is_set_right_and_what_follows_stands(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            public = await browser.open(console(daemon).url)
            await open_game(daemon)
            for move, side in (("g1f3", "white"), ("b8c6", "black")):
                await make(daemon, move)
                await press(daemon, side)
            await page.until(f"{SCORE} === 'e4 e5 Nf3 Nc6'")
            await page.click("[data-tool=correct]")
            await page.sees("What was played after it stands if it is legal from there.")
            assert await page.js("document.querySelector('#which').selectedOptions[0].textContent") == "2… Nc6"
            await page.js(
                "const w = document.querySelector('#which'); w.value = 2; w.dispatchEvent(new Event('change'))"
            )
            await choose(page, played(0), "b1c3")
            assert await page.js("document.querySelector('#instead').selectedOptions[0].textContent") == "2. Nf3"
            await page.fill("#why", "the players agree")
            await page.click("dialog button.primary")
            await page.until(f"{SCORE} === 'e4 e5 Nc3 Nc6'")
            await public.until(f"{SCORE} === 'e4 e5 Nc3 Nc6'")
            (given,) = rulings(daemon)
            assert (given.do, given.ply, given.moves, given.replaces) == ("correct", 3, ("b1c3",), None)
            assert (given.by, given.reason) == (ARBITER, "the players agree")
            assert told(daemon)[-4:] == ["-b8c6", "-g1f3", "b1c3", "b8c6"]
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_what_does_not_fit_is_said_and_nothing_changes(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon, 390, 844)
            await open_game(daemon)
            await make(daemon, "f1c4")
            await page.until(f"{SCORE} === 'e4 e5 Bc4'")
            before = told(daemon)
            await page.click("[data-tool=correct]")
            await page.js(
                "const w = document.querySelector('#which'); w.value = 0; w.dispatchEvent(new Event('change'))"
            )
            await choose(page, played(0), "a2a3")
            assert await page.js("document.documentElement.scrollWidth") <= 390
            await page.click("dialog button.primary")
            await page.sees("2. Bc4 does not fit: from there it is not legal")
            assert (told(daemon), rulings(daemon)) == (before, [])
            assert [each for each in page.complaints if "409" not in each] == []  # Chromium's own word for a refusal

    asyncio.run(scene())


@pytest.mark.browser
def test_what_is_missing_is_put_in_move_by_move_in_french(config: Configure, chromium: str) -> None:
    """Two moves were made on the board while it showed nothing that could tell: knights out and back home."""

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await page.click(".menu a", "Français")
            await page.sees("Rectifier la notation")
            await open_game(daemon)
            await page.until(f"{SCORE} === 'e4 e5'")
            await page.click("[data-tool=correct]")
            await page.js(
                "const w = document.querySelector('#which'); w.value = 2; w.dispatchEvent(new Event('change'))"
            )
            for number, uci in enumerate(("g1f3", "b8c6", "f3g1", "c6b8")):
                await choose(page, played(number), uci)
            assert "Cf3" in await page.js(
                "document.querySelector(\"[data-played='0']\").selectedOptions[0].textContent"
            )
            for width, height in ((390, 844), (820, 1180)):
                await page.resize(width, height)
                assert not await page.js(SMALL_TARGETS)
                right = "[...document.querySelectorAll('dialog *')].map((each) => each.getBoundingClientRect().right)"
                assert max(await page.js(right)) <= width
            await page.click("dialog button.primary")
            await page.until(f"{SCORE} === 'e4 e5 Cf3 Cc6 Cg1 Cb8'")
            await make(daemon, "d2d4")
            await page.until(f"{SCORE} === 'e4 e5 Cf3 Cc6 Cg1 Cb8 d4'")
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_what_the_belief_named_is_offered_first(config: Configure, chromium: str) -> None:
    """A capture swapped faster than the board is scanned: either of two pawns may have been taken."""

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            for move, side in (("g1f3", "white"), ("d7d5", "black"), ("b1c3", "white"), ("f7f5", "black")):
                await make(daemon, move)
                await press(daemon, side)
            await lift(daemon, "e4")
            await press(daemon, "white")
            await page.sees("fits more than one move: exd5 or exf5")
            await page.click("article.case button", "Put what was played into the score")
            await page.until("document.querySelector('#which')?.value === '6'")
            group = "document.querySelector('[data-played] optgroup')"
            await page.until(f"{group}?.label === 'What the board may have shown'")
            assert await page.js(f"[...{group}.children].map((each) => each.value)") == ["e4d5", "e4f5"]
            await choose(page, played(0), "e4f5")
            await page.click("dialog button.primary")
            await page.until(f"{SCORE} === 'e4 e5 Nf3 d5 Nc3 f5 exf5'")
            await page.until("!document.querySelector('article.case')")
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_a_move_is_struck_out_only_where_that_is_chosen(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await page.until(f"{SCORE} === 'e4 e5'")
            await page.click("[data-tool=correct]")
            await page.until(f"!!document.querySelector(\"{played(0)} option[value='none']\")")
            await page.click("dialog button.primary")
            assert await page.js(f'document.querySelector("{played(0)}").matches(":invalid")'), "nothing is chosen"
            assert (await page.js("!!document.querySelector('dialog')"), rulings(daemon)) == (True, [])
            await choose(page, played(0), "none")
            await page.click("dialog button.primary")
            await page.until("!document.querySelector('dialog')")
            await page.until(f"{SCORE} === 'e4'")
            (given,) = rulings(daemon)
            assert (given.do, given.ply, given.moves, given.replaces) == ("correct", 2, (), 1)
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_a_result_told_by_mistake_is_put_right_on_the_page(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            public = await browser.open(console(daemon).url)
            await open_game(daemon)
            await daemon.only.carry_out({"type": "resign", "side": "black"})
            await public.sees("White wins by resignation")
            await page.until("document.querySelector('[data-tool=pause]').hidden")
            await page.click("[data-tool=undo]")
            await page.sees("You can give another result.")
            await page.click("dialog button", "Cancel")
            await page.click("[data-tool=result]")
            await page.sees("Your result takes the place of the one it has.")
            await page.click("dialog button", "½–½: drawn")
            await public.sees("by the arbiter's decision")
            (given,) = rulings(daemon)
            assert (given.do, given.result, given.by) == ("result", "1/2-1/2", ARBITER)
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_only_arbiters_may_ask_what_may_have_been_played(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, _):
            await open_game(daemon)
            url, question = f"{console(daemon).url}/arbiter/boards", b'{"number":2,"moves":["g1f3"]}'
            assert (await ask(f"{url}/7/played", question)).status == 401
            held = await cookie(daemon)
            answer = await ask(f"{url}/7/played", question, Cookie=held)
            said = msgspec.json.decode(answer.body)
            assert (answer.status, said["ply"], said["likely"]) == (200, 3, [])
            assert {"uci": "b8c6", "text": "Nc6"} in said["legal"]
            for wrong in (b'{"number":9}', b'{"number":2,"moves":["e4e6"]}', b'{"number":2,"moves":["a1a1"]}', b"{"):
                assert (await ask(f"{url}/7/played", wrong, Cookie=held)).status == 409
            assert (await ask(f"{url}/8/played", question, Cookie=held)).status == 409

    asyncio.run(scene())
