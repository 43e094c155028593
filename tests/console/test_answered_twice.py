"""Rulings from the page name what they answer: one sent twice, or late, is never applied to anything else."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from hall import make, running, until
from house import Listener, ask, breach, console, cookie, house, lift, open_game, place, press, ready, rulings, sign_in

from controller.config import Config
from controller.contract import Arbiter, Resign
from controller.daemon.service import Daemon
from controller.wire import decode_input

Configure = Callable[..., Config]
FALSE_CLAIM = {"type": "claim", "side": "white", "of": "threefold"}
OPEN = ".open-cases .case[data-state=open]"


async def two_breaches(daemon: Daemon) -> None:
    """By White, and by Black, who touches the queen and then plays the knight to f6."""
    await breach(daemon)
    await press(daemon, "white")
    await lift(daemon, "d8")
    await place(daemon, "d8")
    await make(daemon, "g8f6")


@pytest.mark.browser
@pytest.mark.parametrize(("language", "words"), [("en", "This is settled already"), ("fr", "Cela est déjà réglé")])
def test_a_button_pressed_twice_answers_once_and_says_so(
    config: Configure, chromium: str, language: str, words: str
) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await page.go(f"{console(daemon).url}/arbiter?lang={language}")
            await page.until("!!document.querySelector('.board .piece')")
            await open_game(daemon)
            await two_breaches(daemon)
            await page.until(f"document.querySelectorAll('{OPEN} button.primary').length === 2")
            await page.js(
                "(() => { const dismiss = document.querySelector('.open-cases .case .buttons button:not(.primary)');"
                " dismiss.click(); dismiss.click(); })()"
            )
            await page.sees(words)
            await until(lambda: len(rulings(daemon)) == 1)
            await page.until(f"document.querySelectorAll('{OPEN}').length === 1")
            assert len(rulings(daemon)) == 1, "the next one still awaits its ruling"

    asyncio.run(scene())


@pytest.mark.browser
def test_the_younger_of_two_may_be_ruled_upon_first(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await two_breaches(daemon)
            await page.until(f"document.querySelectorAll('{OPEN} button.primary').length === 2")
            await page.js("[...document.querySelectorAll('.open-cases .case button.primary')].at(-1).click()")
            await page.sees("The pieces must be put back")
            await page.until(f"document.querySelectorAll('{OPEN}').length === 1")
            assert [ruling.do for ruling in rulings(daemon)] == ["uphold"]

    asyncio.run(scene())


def test_what_a_page_shows_of_the_last_game_rules_on_nothing_in_this_one(config: Configure) -> None:
    """The ids begin anew with each game."""

    async def scene() -> None:
        async with running(config()) as daemon:
            await ready(daemon)
            url, held = console(daemon).url, await cookie(daemon)

            async def rule(case: dict[str, Any]) -> tuple[int, dict[str, Any]]:
                body = json.dumps({"do": "dismiss", "case": case["seq"], "answers": case["answers"]}).encode()
                answer = await ask(f"{url}/arbiter/boards/7", body, Cookie=held)
                return answer.status, json.loads(answer.body)

            def open_cases() -> list[dict[str, Any]]:
                board = arbiter.boards["7"]
                return [board[name] for name in board.get("cases", ()) if board[name]["state"] == "open"]

            async with Listener(f"{url}/arbiter/events", Cookie=held) as arbiter:
                await daemon.only.carry_out(FALSE_CLAIM)
                await until(open_cases)
                (old,) = open_cases()
                await daemon.only.carry_out({"type": "new-game"})
                await until(lambda: not open_cases())
                await daemon.only.carry_out(FALSE_CLAIM)
                await until(open_cases)
                (new,) = open_cases()
                assert new["answers"] == old["answers"]
                status, said = await rule(old)
                assert (status, said["settled"]) == (409, True)
                assert not rulings(daemon)
                assert (await rule(new))[0] == 200
                assert [ruling.answers for ruling in rulings(daemon)] == [new["answers"]]

    asyncio.run(scene())


@pytest.mark.browser
@pytest.mark.parametrize(
    ("opened", "answered"),
    [
        (["[data-tool=result]"], "1–0: White wins"),
        (["[data-tool=result]", "dialog details:has([data-result]) summary"], "[data-result='0-0']"),
        (["[data-tool=set-clock]", "dialog .quick button"], "Apply"),
        (["[data-tool=report]", "input[value=white]", "[data-report=wrong-array]"], ""),
        (["[data-tool=report]", "dialog details:has([data-said]) summary", "[data-said=resign]"], "White resigns"),
    ],
)
def test_what_was_asked_about_the_last_game_is_not_done_to_this_one(
    opened: list[str], answered: str, config: Configure, chromium: str
) -> None:
    """The question is on the page as the game ends, and the next begins."""

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            *asked, last = [*opened, *([answered] if answered else [])]
            for where in asked:
                await page.click(where)
            await daemon.only.carry_out({"type": "new-game"})
            await ready(daemon)
            await (page.click(last) if last[0] in "[d" else page.click("dialog button", last))
            await page.sees("Not done: this is of another game")
            records = [record for record in daemon.journal.after(0, 10_000) if record.kind == "input"]
            given = [
                item
                for item in map(decode_input, [record.body for record in records])
                if isinstance(item, Arbiter | Resign)
            ]
            assert not given

    asyncio.run(scene())


@pytest.mark.browser
def test_resumed_before_the_pieces_are_back_it_asks_whether_they_are(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await lift(daemon, "g1")
            await place(daemon, "g3")
            await press(daemon, "white")
            await page.click(".open-cases .case[data-state=open] button.primary")
            await page.sees("The pieces must be put back")
            await page.click(".standing button")
            await page.sees("Have the pieces put back first")
            assert "g1, g3" in await page.js("document.querySelector('dialog').textContent")
            assert [ruling.do for ruling in rulings(daemon)] == ["uphold"]
            await page.click("dialog button", "Resume all the same")
            await until(lambda: [ruling.do for ruling in rulings(daemon)] == ["uphold", "resume"])
            assert rulings(daemon)[-1].insist

    asyncio.run(scene())
