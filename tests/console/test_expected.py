"""Who is expected at a board stands on both pages before the game, so that a wrong pairing is put right in time."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import connected
from double import double
from hall import make, running, until
from house import ARBITER, Listener, ask, console, cookie, lift, place, press, sign_in

from controller.config import Config
from controller.console import expected
from controller.console.expected import begins
from controller.console.grants import Grant
from controller.console.shown import shown_control
from controller.daemon import pairings
from controller.journal import decode_opening
from controller.outlets.mqtt.topics import Begins, Phase


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


def test_everybody_is_told_how_the_game_will_begin(config: Callable[..., Config]) -> None:
    waits = config(event={"clock": "5400+30"}, start={"by": "press", "ready_s": 0.05})

    async def scene() -> None:
        async with running(waits) as daemon:
            await until(lambda: console(daemon).port)
            held = await cookie(daemon)
            async with (
                Listener(f"{console(daemon).url}/arbiter/events", Cookie=held) as english,
                Listener(f"{console(daemon).url}/arbiter/events", Cookie=held, Accept_Language="fr") as french,
                Listener(f"{console(daemon).url}/events") as crowd,
            ):

                async def told(what: str | None, in_french: str | None) -> None:
                    for each, says in ((english, what), (french, in_french), (crowd, what)):
                        await until(lambda each=each, says=says: each.boards.get("7", {}).get("begins", "") == says)

                await told(
                    "It begins when Black presses the clock.", "Elle commence quand les Noirs appuient sur la pendule."
                )
                await lift(daemon, "e2")
                await told(
                    "It begins when Black presses the clock, once the pieces stand ready. Not as at the start: e2.",
                    "Elle commence quand les Noirs appuient sur la pendule, une fois les pièces en place. "
                    "Pas comme au départ\N{NO-BREAK SPACE}: e2.",
                )
                await place(daemon, "e2")
                await told(
                    "It begins when Black presses the clock.", "Elle commence quand les Noirs appuient sur la pendule."
                )
                await press(daemon, "black")
                await told(None, None)

    asyncio.run(scene())


def test_a_game_that_does_not_wait_for_a_press_begins_by_itself_or_by_command() -> None:
    assert begins(Phase("ready"), Begins("time"), "en") == "It begins by itself in a moment."
    assert begins(Phase("setting-up"), Begins("time"), "en") == "It begins by itself once the pieces stand ready."
    assert begins(Phase("ready"), Begins("command"), "en").startswith("It begins by command")
    assert begins(Phase("playing"), Begins("time"), "en") == ""


def test_how_the_boards_stand_is_not_told_later(config: Callable[..., Config]) -> None:
    waits = config(event={"clock": "5400+30", "delay_min": 15}, start={"by": "press", "ready_s": 0.05})

    async def scene() -> None:
        async with running(waits) as daemon:
            await until(lambda: console(daemon).port)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await until(lambda: crowd.boards.get("7", {}).get("head"))
                assert "begins" not in crowd.boards["7"]

    asyncio.run(scene())


def test_after_a_game_the_next_is_told_of_once_the_pieces_stand_ready() -> None:
    press = Begins("press", "black")
    assert begins(Phase("setting-up"), press, "en", again=True) == ""
    said = "The board is ready for the next game. It begins when Black presses the clock."
    assert begins(Phase("ready", press), press, "en", again=True) == said


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


@pytest.mark.browser
def test_the_arbiter_begins_a_game_whose_lever_fails(config: Callable[..., Config], chromium: str) -> None:
    """Its clock then runs; pressed on two tablets, it begins one game."""
    waits = config(event={"clock": "5400+30"}, start={"by": "press", "ready_s": 0.05})

    async def scene() -> None:
        async with running(waits) as daemon, connected(chromium) as browser:
            await until(lambda: console(daemon).port)
            page = await sign_in(browser, daemon)
            await lift(daemon, "e2")
            await page.sees("Not as at the start: e2.")
            await page.click("[data-tool=new-game]")
            await page.sees("It begins at once, however the pieces stand")
            await page.click("dialog button", "Cancel")
            await place(daemon, "e2")
            await page.click("[data-tool=new-game]")
            await page.click("dialog button.primary", "Begin the game")
            await page.sees("White to move")
            await page.until("!!document.querySelector('.face[data-side=white].running')")
            await page.until("document.querySelector('[data-tool=new-game]').hidden")
            openings = [decode_opening(each.body) for each in daemon.journal.after(0, 10_000) if each.kind == "game"]
            assert [opening.by for opening in openings] == [ARBITER]
            url = f"{console(daemon).url}/arbiter/boards/7"
            again = await ask(url, b'{"do":"new-game"}', Cookie=await cookie(daemon), Accept_Language="fr")
            assert (again.status, "une partie est en cours ici" in again.body.decode()) == (409, True)
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.parametrize("may", [Grant("organiser", name="Olga"), Grant("arbiter", ("8",), "Anne")])
def test_who_does_not_rule_there_begins_no_game(config: Callable[..., Config], may: Grant) -> None:
    waits = config(event={"clock": "5400+30"}, start={"by": "press", "ready_s": 0.05})

    async def scene() -> None:
        async with running(waits) as daemon:
            await until(lambda: console(daemon).port)
            held = await cookie(daemon, may)
            answer = await ask(f"{console(daemon).url}/arbiter/boards/7", b'{"do":"new-game"}', Cookie=held)
            assert (answer.status, daemon.only.session.playing) == (403, False)

    asyncio.run(scene())


@pytest.mark.browser
def test_pieces_set_up_after_a_game_are_not_in_hand_and_the_next_is_told_of(
    config: Callable[..., Config], chromium: str
) -> None:
    async def scene() -> None:
        waits = config(event={"clock": "5400+30"}, start={"by": "press", "ready_s": 0.05})  # else it begins at once
        async with running(waits) as daemon, connected(chromium) as browser:
            await until(lambda: console(daemon).port and daemon.only.session.phase(None).phase == "ready")
            await press(daemon, "black")
            await until(lambda: daemon.only.session.playing)
            page = await sign_in(browser, daemon)
            await make(daemon, "e2e4")
            await press(daemon, "white")
            await daemon.only.carry_out({"type": "resign", "side": "black"})
            await page.sees("White wins by resignation")
            await lift(daemon, "e4")
            await until(lambda: daemon.only.session.phase(None).missing)
            assert await page.js("document.querySelector('.hands').hidden")
            assert not await page.js("document.querySelectorAll('.mark:is(.lifted, .extra, .astray, .touched)').length")
            await place(daemon, "e2")
            await page.sees("The board is ready for the next game.")
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
