"""Where things stand on the arbiter's page, as far as somebody could be misled by it."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from browser import connected
from double import double
from hall import running
from house import console, house, ready, sign_in
from many import all_playing, many

from controller.config import Config
from controller.words import LANGUAGES, LanguageCode
from hardware.boards.simulated import SimulatedBoard

pytestmark = pytest.mark.browser
Configure = Callable[..., Config]
TOO_HIGH = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('dialog'))"
TICKS = """(async () => {
    const { timeline } = await import("/static/timeline.js");
    const counts = [];
    for (let begin = 0; begin < 30_000; begin += 1_700)
        for (let end = begin + 1_500; end <= begin + 90_000; end += 900)
            for (const drawing of timeline({ begin, end, lanes: [], presses: [] }).querySelectorAll("svg"))
                counts.push(drawing.querySelectorAll(".tick").length);
    return [Math.min(...counts), Math.max(...counts)];
})()"""


def test_a_time_line_has_two_times_at_least_to_be_read_by(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            fewest, most = await page.js(TICKS)
            assert fewest >= 2
            assert most <= 7

    asyncio.run(scene())


def test_the_three_usual_results_stand_above_the_others_and_times_have_units(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await page.click("[data-tool=result]")
            await page.click("dialog summary", "Other results")
            shown = "[...document.querySelectorAll('dialog .buttons button')].map((each) => each.textContent)"
            said = await page.js(shown)
            assert [text[:3] for text in said[:3]] == ["1–0", "0–1", "½–½"]
            assert said[-1] == "Cancel"
            assert [text for text in said if "+" in text] == [
                "White wins by forfeit: +\N{NO-BREAK SPACE}–",
                "Black wins by forfeit: –\N{NO-BREAK SPACE}+",
            ]
            await page.click("dialog summary", "Reason, witnesses")
            gap = """(({ previousElementSibling, nextElementSibling }, label) =>
                [label.top - previousElementSibling.getBoundingClientRect().bottom,
                 nextElementSibling.getBoundingClientRect().top - label.bottom])(...((label) =>
                [label, label.getBoundingClientRect()])(document.querySelector("label[for=witnesses]")))"""
            above, below = await page.js(gap)
            assert above > below > 0, "a label stands with the field that it is of"
            await page.click("dialog button", "Cancel")
            await page.click("[data-tool=set-clock]")
            assert (
                await page.js("document.querySelector('.time-fields').innerText.split(/\\s+/).join(' ')") == "h min s"
            )
            over = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))"
            for width in (320, 390):
                await page.resize(width, 700)
                assert await page.js(over) == 0

    asyncio.run(scene())


def test_the_halves_of_a_match_stand_level_and_as_wide_as_their_boards(tmp_path: Path, chromium: str) -> None:
    edges = """[...document.querySelectorAll('.panel')].map((panel) =>
        [...panel.querySelectorAll('.board, .tools')].map((each) => each.getBoundingClientRect())
            .flatMap(({ left, right, top }) => [left, right, top].map(Math.round)))"""

    async def scene() -> None:
        async with running(double(tmp_path, console={"port": 0})) as daemon, connected(chromium) as browser:  # type: ignore[arg-type]
            await ready(daemon)
            page = await sign_in(browser, daemon, 1024, 768)
            board = daemon.only.boards["B"]
            assert isinstance(board, SimulatedBoard)
            board.electrical.lift(chess.B1)
            await page.sees("must move the touched piece")
            for width in (1024, 768):
                await page.resize(width, 768)
                for left, right, _, tools_left, tools_right, _ in await page.js(edges):
                    assert (left, right) == (tools_left, tools_right)
                one, other = await page.js(edges)
                assert (one[2], one[5]) == (other[2], other[5])

    asyncio.run(scene())


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_dialogue_of_the_clocks_is_seen_whole_on_a_tablet_and_on_a_phone(
    config: Configure, chromium: str, code: LanguageCode
) -> None:
    between = """[...document.querySelectorAll('.counter')].map((label) =>
        ((words) => (words.selectNode(label.firstChild), label.lastChild.getBoundingClientRect().left
            - words.getBoundingClientRect().right))(document.createRange()))"""

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await page.go(f"{console(daemon).url}/arbiter?lang={code}")
            await page.click("[data-tool=set-clock]")
            for width, height in ((1180, 820), (1024, 768), (820, 1180), (390, 844)):
                await page.resize(width, height)
                assert await page.js(TOO_HIGH) == 0, (width, height)
            assert all(gap >= 6 for gap in await page.js(between))

    asyncio.run(scene())


def test_that_clocks_stand_is_drawn_by_no_font(tmp_path: Path, chromium: str) -> None:
    sign = """(({ content, width, height }) => [content, parseFloat(width) > 0, parseFloat(height) > 0])(
        getComputedStyle(document.querySelector('.tile[data-attention="1"] h2'), '::after'))"""

    async def scene() -> None:
        config = many(tmp_path, "1", "2", event={"clock": "5400+30"}, console={"port": 0})
        async with running(config) as daemon, connected(chromium) as browser:  # type: ignore[arg-type]
            await all_playing(daemon)
            page = await sign_in(browser, daemon)
            await daemon.stations["2"].carry_out({"type": "arbiter", "do": "pause", "by": "Ana"})
            await page.until("!!document.querySelector('.tile[data-attention=\"1\"] h2')")
            assert await page.js(sign) == ['""', True, True]

    asyncio.run(scene())
