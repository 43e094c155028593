"""What an arbiter saw and no sensor sees is reported by a button that says the sentence and clause of the record."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Page, connected
from double import double
from hall import make, running, until
from house import ARBITER, ask, console, cookie, house, open_game, press, ready, rulings, sign_in
from test_match import make as make_on

from controller.config import Config
from controller.contract import Claim, Violation
from controller.daemon.service import Daemon
from controller.wire import decode_event, decode_input

Configure = Callable[..., Config]
CHOICES = "[...document.querySelectorAll('.choices button')].map((each) => each.textContent)"


async def choices(page: Page) -> list[str]:
    said: list[str] = await page.js(CHOICES)
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in said]


def violations(daemon: Daemon) -> list[Violation]:
    events = [decode_event(record.body) for record in daemon.journal.after(0, 10_000) if record.kind == "event"]
    return [event for event in events if isinstance(event, Violation)]


@pytest.mark.browser
def test_two_hands_count_from_the_press_on(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await make(daemon, "g1f3")
            await page.until("document.querySelector('.score').textContent.includes('Nf3')")
            await page.click("[data-tool=report]")
            assert await page.js("document.querySelector('input[name=who]:checked').value") == "black"
            assert "Black used two hands for one move (Article 7.5.4)" in await choices(page)
            await page.click("input[value=white]")
            said = await choices(page)
            assert said[0] == "White used two hands for one move (Article 7.5.4)"
            assert "White played that move although a touched piece called for another move (Article 4.3.1)" in said
            assert not [text for text in said if "castled" in text or "promoted" in text or "stock" in text]
            assert "The arbiter reports something else of White's (Article 12.9)" in said
            assert not [text for text in said if "{" in text]
            await page.click("[data-report=two-hands]")
            await page.sees("Reported. For a move that is not yet completed")
            await page.until("!document.querySelector('dialog')")
            await press(daemon, "white")
            await page.sees("White made a move with two hands (Article\N{NO-BREAK SPACE}7.5.4)")
            await page.sees("Awaits your ruling")
            (given,) = rulings(daemon)
            assert (given.do, given.side, given.kind, given.by) == ("report", "white", "two-hands", ARBITER)
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_it_is_done_by_keyboard_and_in_french(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon, 390, 844)
            await page.click(".fold", "Menu")
            await page.click(".menu a", "Français")
            await page.sees("Signaler un fait")
            await open_game(daemon)
            await page.until("document.querySelector('.score').textContent.includes('e5')")
            await page.js("document.querySelector('[data-tool=report]').focus()")
            await page.key("Enter", 13)
            await page.until("document.activeElement?.name === 'who'")
            await page.key("ArrowDown", 40)
            assert await page.js("document.activeElement.value") == "black"
            assert "Les Noirs ont mal manipulé la pendule (article 6.2.4)" in await choices(page)
            assert not [text for text in await choices(page) if "{" in text]
            targets = "[...document.querySelectorAll('dialog button, .option')].map((each) => each.offsetHeight)"
            assert min(await page.js(targets)) >= 44
            assert await page.js("document.documentElement.scrollWidth") <= 390
            await page.key("Escape", 27)
            await page.until("document.activeElement?.dataset.tool === 'report'")
            await page.key("Enter", 13)
            await page.click("[data-report=clock-misuse]")
            await page.until("!!document.querySelector('article.case[data-state=open]')")
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_the_stock_of_a_match_and_its_end(tmp_path: Path, chromium: str) -> None:
    config = double(tmp_path, console={"port": 0})

    async def scene() -> None:
        async with running(config) as daemon, connected(chromium) as browser:  # type: ignore[arg-type]
            await ready(daemon)
            page = await sign_in(browser, daemon)
            names = await page.js("[...document.querySelectorAll('.face .name')].map((each) => each.textContent)")
            assert names == ["Bob · team 2", "Ann · team 1", "Dora · team 1", "Cid · team 2"], "as in the result"
            report = "section[aria-label='Board 2'] [data-tool=report]"
            await page.click(report)
            assert await page.js("document.activeElement.checked"), "whose turn it is, is chosen beforehand"
            assert not [text for text in await choices(page) if "stock" in text]
            claims = await page.js("[...document.querySelectorAll('[data-claim]')].map((each) => each.dataset.claim)")
            assert claims[0] == "fourfold", "the match's own (19)"
            assert not {"threefold", "fifty-moves"} & {*claims}
            assert not await page.js("!!document.querySelector('#written')")
            await page.click("dialog button", "Cancel")
            for board_id, uci in (("A", "e2e4"), ("A", "d7d5"), ("A", "e4d5")):
                await make_on(daemon, board_id, uci)  # type: ignore[arg-type]
            await page.until("!!document.querySelector('.panel:nth-of-type(2) .stocked .piece')")
            await page.click(report)
            await page.click("input[value=black]")
            said = await choices(page)
            assert "Black kept a piece of the stock elsewhere: it is out of play (Article 16) – the black pawn" in said
            await page.click("[data-report=mislaid-stock]")
            await until(lambda: [(each.kind, each.board) for each in violations(daemon)] == [("mislaid-stock", "B")])
            await page.sees("Black kept a piece of the stock elsewhere")
            assert await page.js("document.getElementById('toast').hidden"), "the case says it"
            await daemon.only.carry_out({"type": "resign", "side": "black"}, "A")
            await page.click("[data-tool=neutralise]")
            await page.click("dialog button.primary")
            await page.until("[...document.querySelectorAll('[data-tool=neutralise]')].every((each) => each.hidden)")
            assert rulings(daemon)[-1].do == "neutralise"
            (ended,) = await page.js(
                "[...document.querySelectorAll('.turn')].slice(0, 1).map((each) => each.textContent)"
            )
            assert ended.startswith("The game is over: White wins by resignation"), "why, and then what comes of it"
            assert ended.endswith(". Team 1 wins the match by the game on board A")
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.parametrize("kind", ["hidden-stock", "sneezing", None])
def test_what_cannot_be_reported_is_refused(config: Configure, kind: str | None) -> None:
    async def scene() -> None:
        async with running(config()) as daemon:
            await ready(daemon)
            body = b'{"do":"report","side":"white"%b}' % (b"" if kind is None else b',"kind":"%b"' % kind.encode())
            answer = await ask(f"{console(daemon).url}/arbiter/boards/7", body, Cookie=await cookie(daemon))
            assert answer.status == 409, answer.body
            assert not rulings(daemon)

    asyncio.run(scene())


@pytest.mark.browser
def test_misconduct_is_reported_in_ones_own_words_and_who_is_there_until_he_has_moved(
    config: Configure, chromium: str
) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await make(daemon, "e2e4")
            await press(daemon, "white")
            await page.until("document.querySelector('.score').textContent.includes('e4')")
            await page.click("[data-tool=report]")
            await page.js("[...document.querySelectorAll('dialog details')].forEach((each) => (each.open = true))")
            await page.click("[data-report=arrived]")
            await page.sees("Noted.")
            await page.click("[data-tool=report]")
            await page.click("input[value=white]")
            await page.until("document.querySelector('[data-report=arrived]') === null")  # he has moved
            await page.js("[...document.querySelectorAll('dialog details')].forEach((each) => (each.open = true))")
            await page.click("[data-report=other]")
            assert await page.js("document.activeElement.id") == "remark", "it is to be said what"
            await page.fill("#remark", "he slept")
            await page.fill("#witnesses", "Eva")
            await page.click("[data-report=other]")
            await page.sees("in the arbiter's words: “he slept”")
            await page.sees("seen by Eva")
            assert [(given.do, given.side, given.kind) for given in rulings(daemon)] == [
                ("arrived", "black", None),
                ("report", "white", "other"),
            ]
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_who_touched_out_of_turn_is_warned_by_a_button_of_the_case(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            body = {"type": "arbiter", "do": "report", "side": "black", "kind": "out-of-turn"}
            await daemon.only.carry_out(body)
            await page.until("!!document.querySelector('.open-cases .case[data-state=told]')")
            await page.click(".open-cases .case button", "Warn the player")
            await page.until("!document.querySelector('.open-cases .case')")
            await page.until("document.querySelector('.face[data-side=black]').textContent.includes('Warnings: 1')")
            assert [(given.do, given.side) for given in rulings(daemon)][1:] == [("warn", "black")]
            await page.click("[data-tool=undo]")
            await page.sees("The ruling: Warn Black")
            assert ARBITER in await page.js("document.querySelector('dialog').innerText")
            await page.click("dialog button.primary")
            await page.until("!document.querySelector('.face[data-side=black]').textContent.includes('Warnings')")
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_a_draw_that_a_player_claims_by_word_is_claimed_on_the_page(config: Configure, chromium: str) -> None:
    """Fifty moves it are not, but the position has occurred three times (9.2)."""

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon, 390, 844)
            await open_game(daemon)
            sides = ("white", "black")
            for number, move in enumerate(("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8")):
                await make(daemon, move)
                await press(daemon, sides[number % 2])
            await page.until("document.querySelectorAll('.score li > *').length === 10")
            await page.click("[data-tool=report]")
            await page.click("dialog summary", "What the player claims")
            await page.until("!!document.querySelector('#written option[value=g1f3]')")
            await page.click("[data-claim=fifty-moves]")
            await page.sees("If the claim is right, this ends the game.")
            assert not claims(daemon), "one tap ends no game"
            await page.click("dialog button.primary")
            await page.sees("White claims a draw by the fifty-move rule")
            await page.click("[data-tool=report]")
            await page.click("dialog summary", "What the player claims")
            assert await page.js("document.documentElement.scrollWidth") <= 390
            await page.click("[data-claim=threefold]")
            await page.click("dialog button.primary")
            await page.sees("by threefold repetition")
            asked = [(each.of, each.side, each.by) for each in claims(daemon)]
            assert asked == [("fifty-moves", "white", ARBITER), ("threefold", "white", ARBITER)]
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
@pytest.mark.parametrize(("laws", "offered"), [("fide-2005", ["quickplay"]), ("fide-2023", [])])
def test_what_is_claimed_in_the_quickplay_finish(
    laws: str, offered: list[str], config: Configure, chromium: str
) -> None:
    """Where it is played to; from 2014 that has to be announced."""

    async def scene() -> None:
        async with house(config(event={"laws": laws, "clock": "100"}), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await page.click("[data-tool=report]")
            shown = await page.js("[...document.querySelectorAll('[data-claim]')].map((each) => each.dataset.claim)")
            assert [of for of in shown if of in ("quickplay", "increment")] == offered
            if offered:
                await page.click("dialog summary", "What the player claims")
                await page.click("[data-claim=quickplay]")
                await page.sees("claims a draw in the quickplay finish")
                assert [each.of for each in claims(daemon)] == ["quickplay"]

    asyncio.run(scene())


def claims(daemon: Daemon) -> list[Claim]:
    items = [decode_input(each.body) for each in daemon.journal.after(0, 10_000) if each.kind == "input"]
    return [each for each in items if isinstance(each, Claim)]
