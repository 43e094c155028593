"""Who is expected at a board stands on both pages before the game, so that a wrong pairing is put right in time."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import connected
from double import double
from hall import running, until
from house import Listener, console, cookie, lift, place, press, sign_in

from controller.config import Config
from controller.console import expected
from controller.console.expected import begins
from controller.console.shown import shown_control
from controller.daemon import pairings
from controller.outlets.topics import Begins, Phase


@pytest.fixture(autouse=True)
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected, "LOOK_S", 0.02)
    monkeypatch.setattr(pairings, "LOOK_S", 0.02)


def names(listener: Listener) -> tuple[str | None, str | None]:
    head: dict[str, Any] = listener.boards.get("7", {}).get("head", {})
    return head.get("white"), head.get("black")


def test_a_wrong_pairing_is_seen_and_put_right_before_the_game(config: Callable[..., Config], tmp_path: Path) -> None:
    file = tmp_path / "round-1.csv"
    file.write_text("Round;Board;White;Black\n1;7;Ann;Cid\n")
    event = {"venue": "hall", "board": "7", "clock": "5400+30", "pairings": str(file)}
    waits = config(event=event, start={"by": "press", "ready_s": 0.05}, game={"white": None, "black": None})

    async def scene() -> None:
        async with running(waits) as daemon:
            await until(lambda: console(daemon).port)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await until(lambda: names(crowd) == ("Ann", "Cid"))
                assert "board" not in crowd.boards["7"], "there is no game yet"
                file.write_text("Round;Board;White;Black\n1;7;Ann;Bob\n")
                await until(lambda: names(crowd) == ("Ann", "Bob"))
                await daemon.only.carry_out({"type": "new-game"})
                await until(lambda: crowd.boards["7"]["head"]["game"])
                assert names(crowd) == ("Ann", "Bob")

    asyncio.run(scene())


def test_the_four_of_a_match_are_expected_at_their_boards(tmp_path: Path) -> None:
    settings = double(tmp_path, console={"port": 0}, start={"by": "press", "ready_s": 0.05})

    async def scene() -> None:
        async with running(settings) as daemon:  # type: ignore[arg-type]
            await until(lambda: console(daemon).port)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await until(lambda: {"1", "2"} <= crowd.boards.keys())
                head = crowd.boards["2"]["head"]
                assert (head["white"], head["black"]) == ("Cid", "Dora")
                assert head["match"] == {"id": "1+2", "board": "B"}

    asyncio.run(scene())


def test_the_arbiter_is_told_how_the_game_will_begin(config: Callable[..., Config]) -> None:
    waits = config(event={"clock": "5400+30"}, start={"by": "press", "ready_s": 0.05})

    async def scene() -> None:
        async with running(waits) as daemon:
            await until(lambda: console(daemon).port)
            held = await cookie(daemon)
            async with (
                Listener(f"{console(daemon).url}/arbiter/events", Cookie=held) as english,
                Listener(f"{console(daemon).url}/arbiter/events", Cookie=held, Accept_Language="fr") as french,
            ):

                async def told(what: str | None, in_french: str | None) -> None:
                    for each, says in ((english, what), (french, in_french)):
                        await until(lambda each=each, says=says: each.boards.get("7", {}).get("begins", "") == says)

                await told(
                    "It begins when Black presses the clock.", "Elle commence quand les Noirs appuient sur la pendule."
                )
                await lift(daemon, "e2")
                await told("It begins once the pieces stand ready.", "Elle commence une fois les pièces en place.")
                await place(daemon, "e2")
                await told(
                    "It begins when Black presses the clock.", "Elle commence quand les Noirs appuient sur la pendule."
                )
                await press(daemon, "black")
                await told(None, None)

    asyncio.run(scene())


def test_a_game_that_does_not_wait_for_a_press_begins_by_itself_or_by_command() -> None:
    assert begins(Phase("ready", Begins("time")), "en") == "It begins by itself in a moment."
    assert begins(Phase("ready", Begins("command")), "en").startswith("It begins by command")
    assert begins(Phase("playing"), "en") == ""


@pytest.mark.browser
def test_what_cannot_be_done_before_the_game_is_said_not_to_be(config: Callable[..., Config], chromium: str) -> None:
    waits = config(event={"clock": "5400+30"}, start={"by": "press", "ready_s": 0.05})
    disabled = "[...document.querySelectorAll('.tools button')].filter((each) => each.disabled).length"

    async def scene() -> None:
        async with running(waits) as daemon, connected(chromium) as browser:
            await until(lambda: console(daemon).port)
            page = await sign_in(browser, daemon)
            await page.sees("The game has not begun. It begins when Black presses the clock.")
            await page.sees("Nothing of this can be done before the game begins")
            assert await page.js(disabled) > 0
            await press(daemon, "black")
            await page.until(f"{disabled} === 0")
            assert "Nothing of this can be done" not in await page.js("document.body.innerText")
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("clock", "en", "fr", "ms"),
    [
        ("5400+30", "90 min and 30 s a move", "90 min et 30 s par coup", 5_430_000),
        ("180d3", "3 min, the first 3 s of each move free", "3 min, avec un délai de 3 s par coup", 180_000),
        ("180b3", "3 min, the first 3 s of each move free", "3 min, avec un délai de 3 s par coup", 183_000),
    ],
)
def test_before_a_game_its_time_control_is_said_and_what_the_clocks_will_show(
    clock: str, en: str, fr: str, ms: int
) -> None:
    for code, said in (("en", f"Time control: {en}"), ("fr", f"Cadence\N{NO-BREAK SPACE}: {fr}")):
        assert shown_control(clock, code) == {"text": said, "white": ms, "black": ms}
    assert shown_control(None, "en") is None


@pytest.mark.browser
def test_the_clocks_stand_full_on_both_pages_until_the_game_begins(
    config: Callable[..., Config], chromium: str
) -> None:
    waits = config(event={"clock": "5400+30"}, start={"by": "press", "ready_s": 0.05})
    times = "[...document.querySelectorAll('.face .time')].map((each) => each.checkVisibility() && each.textContent)"

    async def scene() -> None:
        async with running(waits) as daemon, connected(chromium) as browser:
            await until(lambda: console(daemon).port)
            pages = [await sign_in(browser, daemon), await browser.open(console(daemon).url)]
            for page in pages:
                await page.sees("Time control: 90\N{NO-BREAK SPACE}min and 30\N{NO-BREAK SPACE}s a move")
                assert await page.js(times) == ["1:30:30", "1:30:30"]
            await until(lambda: daemon.only.session.phase(None).phase == "ready")
            await press(daemon, "black")
            for page in pages:
                await page.until("!document.body.innerText.includes('Time control')")
                await page.until("document.querySelector('.face.running .time').textContent < '1:30:30'")

    asyncio.run(scene())
