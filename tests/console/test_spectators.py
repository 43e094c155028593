"""What spectators see: moves and clocks, as late as the event says, and nothing that tells a player what he owes."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from double import double
from hall import make, running, until
from house import Listener, ask, breach, console, cookie, house, lift, open_game, place, press, ready

from controller.config import Config
from controller.console import app

Configure = Callable[..., Config]
LOOK_FOR = """(() => {{
    const field = document.querySelector(".find");
    field.value = "{}";
    field.dispatchEvent(new Event("input"));
}})()"""
SECRET = ("touch", "owed", "must", "obligation", "lifted", "hand", "displaced", "violation", "case", "attention")


def test_moves_and_clocks_are_heard_and_nothing_else(config: Configure) -> None:
    async def scene() -> None:
        async with running(config()) as daemon:
            await ready(daemon)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await open_game(daemon)
                await lift(daemon, "g1")
                await breach(daemon)
                await press(daemon, "white")
                await until(lambda: crowd.boards["7"].get("moves") == ["e4", "e5", "Bc4"])
                await until(lambda: crowd.boards["7"]["clock"]["running"] == "black")
                said = json.dumps(crowd.events)
                assert not [word for word in SECRET if f'"{word}' in said]
                board = crowd.boards["7"]["board"]
                ends = {"result", "score", "over", "match_result", "match_goes_on"}
                assert board.keys() == {"fen", "turn", "last", "stock", "stands", "held"} | ends
                await daemon.only.carry_out({"type": "resign", "side": "black"})
                await until(lambda: crowd.boards["7"]["board"]["over"])
                assert crowd.boards["7"]["clock"]["running"] is None
                assert "White wins" in crowd.boards["7"]["board"]["result"]

    asyncio.run(scene())


def test_a_proposed_result_is_not_for_the_public(config: Configure) -> None:
    async def scene() -> None:
        async with running(config(event={"clock": "1", "settings": {"release_ms": 60}})) as daemon:
            await ready(daemon)
            async with (
                Listener(f"{console(daemon).url}/events") as crowd,
                Listener(f"{console(daemon).url}/events", Accept_Language="fr-CA,fr;q=0.9") as french,
            ):
                await until(lambda: b'"proposed"' in b"".join(r.body for r in daemon.journal.after(0, 1000)))
                await asyncio.sleep(0.1)
                assert crowd.boards["7"]["board"]["result"] is None
                await daemon.only.carry_out({"type": "arbiter", "do": "uphold"})
                await until(lambda: crowd.boards["7"]["board"]["result"] and french.boards["7"]["board"]["result"])
                assert "Black wins" in crowd.boards["7"]["board"]["result"]
                assert "Noirs" in french.boards["7"]["board"]["result"]

    asyncio.run(scene())


def test_that_more_is_played_than_is_shown_is_said_and_not_why(config: Configure) -> None:
    async def scene() -> None:
        async with running(config(event={"settings": {"release_ms": 60}})) as daemon:
            await ready(daemon)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await until(lambda: "board" in crowd.boards["7"])
                assert not crowd.boards["7"]["board"]["stands"]
                for origin, target in ON:
                    await lift(daemon, origin)
                    await place(daemon, target)
                    await asyncio.sleep(0.15)
                await until(lambda: crowd.boards["7"]["board"]["stands"])
                said = json.dumps(crowd.events)
                assert not [word for word in (*SECRET, "illegal") if f'"{word}' in said]

    asyncio.run(scene())


ON = [("a1", "a3"), ("d7", "d6"), ("d2", "d3"), ("a7", "a6"), ("h2", "h3"), ("h7", "h6")]


def test_a_crowd_leaves_room_for_arbiters(config: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "CROWD", 2)

    async def scene() -> None:
        async with running(config()) as daemon:
            await ready(daemon)
            url, held = console(daemon).url, await cookie(daemon)
            async with Listener(f"{url}/events"), Listener(f"{url}/events", Accept_Language="fr"):
                refused = await ask(f"{url}/events")
                assert (refused.status, refused.headers["Retry-After"]) == (503, "30")
                async with Listener(f"{url}/arbiter/events", Cookie=held) as arbiter:
                    assert "7" in arbiter.boards
            await until(lambda: not any(hub.readers for hub in console(daemon).public.values()))
            async with Listener(f"{url}/events") as late:
                assert "7" in late.boards

    asyncio.run(scene())


@pytest.mark.parametrize("delay", [0.02, "game-end"])
def test_moves_and_clocks_come_late_together(config: Configure, delay: float | str) -> None:
    """1.2 s late, or when the game has ended; the clocks are then those of that moment."""

    async def scene() -> None:
        event = {"venue": "hall", "board": "7", "clock": "5400+30", "settings": {"release_ms": 60, "brush_ms": 20}}
        async with running(config(event=event | {"delay_min": delay})) as daemon:
            await ready(daemon)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                began = time.monotonic()
                await make(daemon, "e2e4")
                await press(daemon, "white")
                if delay == "game-end":
                    await asyncio.sleep(0.5)
                    assert not crowd.boards["7"].get("moves")
                    await daemon.only.carry_out({"type": "resign", "side": "black"})
                await until(lambda: crowd.boards["7"].get("moves") == ["e4"], 3)
                if delay != "game-end":
                    assert time.monotonic() - began > 1.2
                    shown = next(event for event in crowd.events[::-1] if "clock" in event["boards"].get("7", {}))
                    behind_ms = shown["boards"]["7"]["clock"]["at"] - shown["now"]
                    assert -700 < behind_ms < 200, "it begins to run when it is shown"

    asyncio.run(scene())


def test_both_boards_of_a_match_with_their_stocks(tmp_path: Any) -> None:
    async def scene() -> None:
        settings = double(tmp_path, console={"port": 0})
        async with running(settings) as daemon:  # type: ignore[arg-type]
            await ready(daemon)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await until(lambda: {"1", "2"} <= crowd.boards.keys() and "board" in crowd.boards["2"])
                assert crowd.boards["2"]["head"]["match"] == {"id": "1+2", "board": "B"}
                assert crowd.boards["2"]["head"]["white"] == "Cid"
                assert crowd.boards["1"]["board"]["stock"] == {"white": "", "black": ""}

    asyncio.run(scene())


@pytest.mark.browser
def test_of_many_boards_each_is_small_until_it_is_chosen(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            hub = console(daemon).public["en"]
            await until(lambda: b'"moves"' in hub.since(0))
            seen = json.loads(b"{" + hub.since(0) + b"}")["boards"]["7"]
            for number in ("8", "9", "10", "11"):
                for part, shown in seen.items():
                    hub.put(number, part, shown | {"number": number} if part == "head" else shown)
            page = await browser.open(console(daemon).url, 390, 844)
            await page.until("document.querySelectorAll('.many .show').length === 5")
            heads = "[...document.querySelectorAll('.show h2')].map((each) => each.textContent)"
            assert await page.js(heads) == [f"Board {number}" for number in ("7", "8", "9", "10", "11")]
            assert not await page.js("document.querySelector('.moves').checkVisibility()")
            for looked_for, seen_now in (("1", 2), ("ada", 5), ("nobody", 0), ("", 5)):
                await page.js(LOOK_FOR.format(looked_for))
                shows = "[...document.querySelectorAll('.show')].filter((each) => each.checkVisibility()).length"
                assert await page.js(shows) == seen_now, looked_for
            await page.click("h2 a", "Board 7")
            await page.until("document.querySelectorAll('.show').length === 1")
            await make(daemon, "e2e4")
            await page.until("document.querySelector('.score').innerText.includes('e4')")
            await page.click("a.back")
            await page.until("document.querySelectorAll('.many .show').length === 5")
            await page.until("document.querySelector('.show').innerText.includes('1. e4')")
            assert await page.js("document.documentElement.scrollWidth") <= 390
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_the_page_in_a_browser_loads_nothing_from_elsewhere(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(event={"delay_min": 0.005, "board": "7", "clock": "60+0"}), chromium) as (
            daemon,
            browser,
        ):
            url = console(daemon).url
            page = await browser.open(url, 390, 844)
            await page.sees("Ada")
            await make(daemon, "e2e4")
            await page.until("document.querySelector('.score').textContent.includes('e4')")
            await page.sees("Shown 0.005\u00a0min after it happens.")
            assert await page.js("document.documentElement.scrollWidth") <= 390
            assert not page.complaints
            assert all(asked.startswith((url, "data:")) for asked in page.asked), page.asked
            assert await page.js("document.cookie") == ""

    asyncio.run(scene())


@pytest.mark.browser
def test_who_comes_late_sees_the_last_moves_of_the_score(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            await open_game(daemon)
            for rank in (3, 4):
                for file in "abcdfgh":
                    await make(daemon, f"{file}{rank - 1}{file}{rank}")
                    await press(daemon, "white")
                    await make(daemon, f"{file}{10 - rank}{file}{9 - rank}")
                    await press(daemon, "black")
            page = await browser.open(console(daemon).url, 1180, 820)
            await page.until("document.querySelectorAll('.score li').length === 15")
            score = "document.querySelector('.score')"
            assert await page.js(f"{score}.scrollHeight > {score}.clientHeight"), "else there is nothing to scroll"
            await page.until(f"{score}.scrollTop + {score}.clientHeight > {score}.scrollHeight - 4")

    asyncio.run(scene())
