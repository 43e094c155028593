"""Where things stand on the pages, of one board, of a match and of a round, as wide as a desk, a tablet and a phone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import chess
import pytest
from browser import Browser, Page, connected
from double import double
from hall import running
from house import breach, console, house, open_game, ready, sign_in
from looks import TOUCH_TARGET_PX

from controller.config import Config
from controller.daemon.service import Daemon
from hardware.boards.simulated import SimulatedBoard

pytestmark = pytest.mark.browser
Configure = Callable[..., Config]
DESK, TABLET, PHONE = (1280, 860), (820, 1180), (390, 844)
READABLE_PX = 11

COORDINATES = """[...document.querySelectorAll('.board')].flatMap((board) => {
    const squares = board.querySelector('.pieces').getBoundingClientRect(), all = board.getBoundingClientRect();
    return [...board.querySelectorAll('.coordinates span')].filter((each) => each.checkVisibility()).map((each) => {
        const words = document.createRange();
        words.selectNodeContents(each);
        const { left, right, top, bottom } = words.getBoundingClientRect();
        return { sign: each.textContent, size: parseFloat(getComputedStyle(each).fontSize),
            apart: right <= squares.left || top >= squares.bottom - 1,
            whole: left >= all.left && bottom <= all.bottom + 1 };
    });
})"""
NAMES = """[...document.querySelectorAll('.face')].map((face) => [
    face.querySelector('.name').getBoundingClientRect().left
    - face.closest('.at-board').querySelector('.board').getBoundingClientRect().left,
    face.querySelector('.runs').textContent])"""
LETTERS = """[...document.querySelectorAll('.time-line text')].filter((each) => each.checkVisibility())
    .map((each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"""
OUT_OF_THE_LINE = """[...document.querySelectorAll('.time-line')].filter((each) => each.checkVisibility())
    .flatMap((line) => [...line.querySelectorAll('.tick text')].map((each) => each.getBoundingClientRect().right
        - line.getBoundingClientRect().right))"""
ROWS = """[...document.querySelectorAll('.hands > div')].map((row) =>
    [...row.children].map((each) => Math.round(each.getBoundingClientRect().top)))"""
WIDER = """[...document.querySelectorAll('.show')].map((show) => Math.max(
    ...[...show.querySelectorAll('.beside *')].map((each) => each.getBoundingClientRect().right))
    - show.querySelector('.board').getBoundingClientRect().right)"""


@asynccontextmanager
async def match(folder: Path, chromium: str) -> AsyncIterator[tuple[Daemon, Browser]]:
    """A match à quatre with its clocks, a move made on each board."""
    config = double(folder, console={"port": 0}, event={"clock": "180"})
    async with running(config) as daemon, connected(chromium) as browser:
        await ready(daemon)  # type: ignore[arg-type]
        yield daemon, browser


async def move(daemon: Daemon, board_id: str, uci: str) -> None:
    board = daemon.only.boards[board_id]  # type: ignore[index]
    assert isinstance(board, SimulatedBoard)
    board.electrical.lift(chess.parse_square(uci[:2]))
    await asyncio.sleep(0.1)
    board.electrical.place(chess.parse_square(uci[2:]))


def test_coordinates_stand_beside_the_squares_and_names_above_them(config: Configure, chromium: str) -> None:
    async def check(page: Page) -> None:
        for size in (DESK, TABLET, PHONE):
            await page.resize(*size)
            signs = await page.js(COORDINATES)
            assert sorted(each["sign"] for each in signs) == [*"12345678abcdefgh"]
            assert all(each["apart"] and each["whole"] and each["size"] >= READABLE_PX for each in signs), size
            names = await page.js(NAMES)
            assert all(abs(left) < 1 for left, _ in names), "no room is left for the sign of a clock that stands"
            assert {sign for _, sign in names} == {"", "▶"}

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            await check(await sign_in(browser, daemon))
            crowd = await browser.open(console(daemon).url)
            await crowd.until("document.querySelectorAll('.board .piece').length === 32")
            await check(crowd)
            await crowd.click("[data-turn]")
            await check(crowd)

    asyncio.run(scene())


def test_a_time_line_can_be_read_to_its_last_letter(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await breach(daemon)
            await page.sees("Awaits your ruling")
            for size in (DESK, TABLET, PHONE, (320, 700)):
                await page.resize(*size)
                assert min(await page.js(LETTERS)) >= READABLE_PX, size
                assert max(await page.js(OUT_OF_THE_LINE)) <= 0, size

    asyncio.run(scene())


def test_on_a_phone_the_menu_folds_and_leaves_one_line(config: Configure, chromium: str) -> None:
    buttons = "[...document.querySelectorAll('.menu .plain')].filter((each) => each.checkVisibility()).length"

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon, *PHONE)
            for code in ("fr", "en"):
                await page.go(f"{console(daemon).url}/arbiter?lang={code}")
                await page.until("!!document.querySelector('.board .piece')")
                assert await page.js("document.querySelector('.bar').offsetHeight") < 2 * TOUCH_TARGET_PX
                assert await page.js(buttons) == 0
                await page.click(".fold", "Menu")
                assert await page.js(buttons) == 4
                assert await page.js("document.documentElement.scrollWidth") <= PHONE[0]
            crowd = await browser.open(f"{console(daemon).url}?lang=fr", *PHONE)
            assert await crowd.js("document.querySelector('.bar').offsetHeight") < 2 * TOUCH_TARGET_PX
            await page.resize(*DESK)
            assert await page.js(buttons) == 4
            assert not await page.js("document.querySelector('.fold').checkVisibility()")

    asyncio.run(scene())


def test_in_a_match_nothing_is_wider_than_its_board_and_hands_are_rows(tmp_path: Path, chromium: str) -> None:
    async def scene() -> None:
        async with match(tmp_path, chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            crowd = await browser.open(console(daemon).url)
            await crowd.until("document.querySelectorAll('.board .piece').length === 64")
            for board_id in "AB":
                await move(daemon, board_id, "e2e4")
                await daemon.only.carry_out({"type": "press", "side": "white"}, board_id)  # type: ignore[arg-type]
            await crowd.until("document.querySelectorAll('.ply').length === 2")
            for size in (DESK, TABLET, PHONE):
                await crowd.resize(*size)
                assert max(await crowd.js(WIDER)) <= 1, size
            await move(daemon, "B", "b8b8")  # touched, and put back
            await asyncio.sleep(0.3)  # else he has touched both at once
            await move(daemon, "B", "g8f6")
            await page.sees("Awaits")
            for size in (DESK, (1024, 768), TABLET, PHONE):
                await page.resize(*size)
                assert min(await page.js(LETTERS)) >= READABLE_PX, size
                assert all(abs(name - what) <= 3 for name, what in await page.js(ROWS)), size

    asyncio.run(scene())
