"""The arbiter's console in a real Chromium: what he sees, what he rules, and what the game makes of it."""

import asyncio
import re
import sqlite3
import time
from collections.abc import Callable

import pytest
from browser import Page, connected
from hall import make, moves_of, running, until
from house import (
    ARBITER,
    Wire,
    breach,
    console,
    enter,
    house,
    lift,
    open_game,
    place,
    press,
    ready,
    rulings,
    sign_in,
)
from looks import FAINT_TEXTS, SMALL_TARGETS

from controller.config import Config

pytestmark = pytest.mark.browser
Configure = Callable[..., Config]
SIZES = ((390, 844), (820, 1180), (1180, 820))
"""A phone; a tablet, both ways."""
LONG_NAME = "Featherstonehaugh-Cholmondeley, Maximilian"


def test_what_a_late_ruling_takes_back_is_named_and_asked_about_first(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await breach(daemon)
            await press(daemon, "white")
            await page.until("!!document.querySelector('article.case button')")
            await make(daemon, "d7d6")
            await press(daemon, "black")
            await page.until("document.querySelector('.score').textContent.includes('d6')")
            await page.click("button", "Rule it a breach")
            await page.sees("Moves made since are taken back, too: d6")
            await page.click("dialog button", "Cancel")
            assert rulings(daemon) == []
            await page.click("button", "Rule it a breach")
            await page.click("dialog button.primary")
            await page.sees("The pieces must be put back")
            assert moves_of(daemon.journal) == ["e2e4", "e7e5"]
            assert not page.complaints

    asyncio.run(scene())


def test_a_breach_is_ruled_upon_the_game_is_restored_and_goes_on(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await browser.open(f"{console(daemon).url}/arbiter")
            await enter(page, "2222-2222")
            await page.sees("This code is not valid.")
            assert await page.js("document.querySelector('#name').value") == ARBITER
            await page.until("document.activeElement.id === 'code'")
            await enter(page, console(daemon).code)
            await page.sees("Nothing to rule on here.")
            page.complaints.clear()  # the wrong code
            await open_game(daemon)
            await breach(daemon)
            await page.sees("White played Bc4 although a touched piece called for another move (Article 4.3.1)")
            await page.sees("move required: Ne2, Nf3 or Nh3")
            assert await page.js("document.querySelectorAll('.time-line .open').length") >= 3
            assert "g1: empty from" in await page.js("document.querySelector('figure.evidence .unseen').textContent")

            await page.click("button", "Rule it a breach")
            await page.sees("The pieces must be put back")
            assert await page.until("document.querySelector('.restore img').naturalWidth") > 0
            assert "f1, c4" in await page.js("document.querySelector('.restore img').alt")
            await lift(daemon, "c4")
            await place(daemon, "f1")
            await page.sees("The clocks are still to be set")
            await page.click("button", "Leave the clocks as they are")
            await page.sees("Nothing to rule on here.")
            await page.click("details.closed summary")
            await page.sees(f"Upheld · {ARBITER}")
            await page.click("button", "Resume")
            await page.until("!document.querySelector('.standing').checkVisibility()")
            await make(daemon, "g1f3")
            await press(daemon, "white")
            await until(lambda: moves_of(daemon.journal) == ["e2e4", "e7e5", "g1f3"])
            await page.until("document.querySelector('.score').textContent.includes('Nf3')")
            assert not page.complaints
            assert [(item.do, item.by) for item in rulings(daemon)] == [("uphold", ARBITER), ("resume", ARBITER)]

    asyncio.run(scene())


def test_what_is_in_hand_touched_and_owed_is_seen_as_it_happens(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await lift(daemon, "b1")
            await page.until("document.querySelector('.piece.in-hand')?.dataset.piece === 'N'")
            assert "the white knight on b1" in await page.js("document.querySelector('.hands').innerText")
            await page.sees("White must move the touched piece")
            assert await page.js("document.querySelectorAll('.mark.target').length") == 2
            await place(daemon, "c3")
            await page.until("!document.querySelector('.piece.in-hand')")
            await page.until("document.querySelector('.score').textContent.includes('Nc3')")

    asyncio.run(scene())


def test_the_clocks_run_on_between_two_events(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            white = "document.querySelector('[data-side=white] .time').textContent"
            before = await page.until(white)
            assert before.startswith("1:30:2"), "90 minutes, and the increment for the first move"
            await page.until(f"{white} !== '{before}'", 3)
            assert await page.js("document.querySelector('[data-side=black] .time').textContent") == "1:30:30"

    asyncio.run(scene())


def test_the_clocks_are_set_with_a_reason_and_a_result_given(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await page.click("[data-tool=pause]")
            await page.sees("The clocks are stopped.")
            await page.click("[data-tool=set-clock]")
            for part, value in enumerate(("1", "15", "5"), 1):
                await page.fill(f"dialog fieldset:nth-of-type(2) input:nth-of-type({part})", value)
            await page.fill("dialog fieldset:nth-of-type(2) .counter input", "7")
            await page.click("#replaced")
            await page.fill("#reason", "a bell rang")
            await page.click("dialog button.primary")
            await page.until("document.querySelector('[data-side=black] .time').textContent === '1:15:05'")
            await page.click("[data-tool=result]")
            await page.click("dialog .remarks summary")
            await page.fill("#remark", "both agreed at once")
            await page.fill("#witnesses", "Eva, Udo")
            await page.click("dialog button", "drawn")
            await page.until("document.querySelector('.turn').textContent.startsWith('The game is over')")
            given = rulings(daemon)
            assert [item.do for item in given] == ["pause", "set-clock", "result"]
            assert (given[1].white_moves, given[1].black_moves, given[1].replaced) == (None, 7, True)
            assert (given[2].text, given[2].witnesses) == ("both agreed at once", ("Eva", "Udo"))
            assert (given[1].black_ms, given[1].reason, given[2].result) == (4_505_000, "a bell rang", "1/2-1/2")

    asyncio.run(scene())


def test_of_the_clocks_only_what_was_changed_is_set(config: Configure, chromium: str) -> None:
    """They run on while the dialogue is open: a time that he has not touched is given back to nobody."""

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await page.click("[data-tool=set-clock]")
            await page.click("dialog fieldset:nth-of-type(1) .quick button", "+1 min")
            await page.click("dialog fieldset:nth-of-type(1) .quick button", "+2 min")
            await page.click("dialog button.primary")
            await until(lambda: rulings(daemon))
            (given,) = rulings(daemon)
            assert (given.white_add_ms, given.white_ms, given.black_add_ms, given.black_ms) == (180_000, *[None] * 3)
            await page.until("!document.querySelector('dialog')")
            await page.click("[data-tool=set-clock]")
            await page.fill("dialog fieldset:nth-of-type(2) .time-fields input:nth-of-type(2)", "10")
            await page.click("dialog fieldset:nth-of-type(2) .quick button", "−1 min")
            await page.click("dialog button.primary")
            await until(lambda: len(rulings(daemon)) == 2)
            given = rulings(daemon)[1]
            assert (given.white_add_ms, given.white_ms, given.black_add_ms) == (None, None, None)
            assert (given.black_ms or 0) // 60_000 == 69

    asyncio.run(scene())


def test_what_is_taken_back_is_named_and_nothing_else_is(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await page.click("[data-tool=undo]")
            await page.sees("There is no move and no ruling that could be taken back.")
            await page.click("dialog button", "Cancel")
            await open_game(daemon)
            await breach(daemon)
            await page.sees("Awaits your ruling")
            await page.click("[data-tool=undo]")
            await page.sees("White's move Bc4")
            await daemon.only.carry_out({"type": "arbiter", "do": "dismiss"})
            await page.click("dialog button.primary")
            await page.sees(
                "Not done: what was to be taken back is not the last any more; look again at what came last"
            )
            assert [item.do for item in rulings(daemon)] == ["dismiss"]
            await page.click("[data-tool=undo]")
            await page.sees("The ruling: White played Bc4 although a touched piece called for another move")
            assert "Dismissed" in await page.js("document.querySelector('dialog[open]').innerText")
            await page.click("dialog button.primary")
            await page.sees("Awaits your ruling")
            page.complaints.clear()  # the refusal
            await page.click(".menu a", "Français")
            await page.sees("Attend votre décision")
            await page.click("[data-tool=undo]")
            await page.sees("Le coup Fc4 des Blancs")
            await page.click("dialog button.primary")
            await until(lambda: moves_of(daemon.journal) == ["e2e4", "e7e5"])
            await page.until("document.querySelector('.done').textContent.includes('le coup Fc4 des Blancs')")
            assert not page.complaints

    asyncio.run(scene())


def test_a_ruling_that_waits_for_the_disk_is_said_to_wait(config: Configure, chromium: str) -> None:
    """Another program holds the journal, and it cannot be written."""

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await until(lambda: len(moves_of(daemon.journal)) == 2)
            other = sqlite3.connect(daemon.journal.path)
            other.execute("BEGIN EXCLUSIVE")
            await page.click("[data-tool=pause]")
            await page.sees("Your ruling was sent, and waits for the disk")
            assert not rulings(daemon)
            other.close()
            await page.sees("The clocks are stopped.")
            await page.until("document.getElementById('toast').hidden")
            await page.click(".standing button", "Resume")
            await page.until("!document.querySelector('.standing').checkVisibility()")
            assert [item.do for item in rulings(daemon)] == ["pause", "resume"]
            assert not page.complaints

    asyncio.run(scene())


def test_a_page_that_was_cut_off_says_so_and_catches_up(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser), Wire(console(daemon).port) as wire:
            page = await sign_in(browser, daemon, through=wire.url)
            await page.until("document.getElementById('link').textContent === 'Connected'")
            wire.cut()
            await page.sees("Connection lost")
            await open_game(daemon)
            await breach(daemon)
            assert "Bc4" not in await page.js("document.body.innerText")
            await page.click("[data-tool=pause]")
            await page.sees("No answer came: no connection. Look whether it was done before you do it again.")
            heard = wire.carried
            wire.mend()
            await page.sees("White played Bc4 although")
            await page.until("document.getElementById('link').textContent === 'Connected'")
            assert wire.carried > heard
            assert any("?last=" in url for url in page.asked) or "Last-Event-ID" in wire.asked, "only what was missed"

    asyncio.run(scene())


def test_a_page_outlives_the_daemon(config: Configure, chromium: str) -> None:
    """The arbiter stays signed in: the key of the sessions is kept beside the journal."""

    async def scene() -> None:
        async with connected(chromium) as browser:
            async with running(config()) as daemon:
                await ready(daemon)
                port = console(daemon).port
                page = await sign_in(browser, daemon)
                await open_game(daemon)
                await page.until("document.querySelector('.score').textContent.includes('e5')")
            await page.sees("Connection lost")
            async with running(config(console={"port": port})) as again:
                await page.until("document.getElementById('link').textContent === 'Connected'")
                await page.until("document.querySelector('.score').textContent.includes('e5')")
                await page.click("[data-tool=pause]")
                await until(lambda: [item.by for item in rulings(again)] == [ARBITER])

    asyncio.run(scene())


def test_french_to_the_last_word(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await page.click(".menu a", "Français")
            await page.sees("Trait aux Blancs")
            await open_game(daemon)
            await breach(daemon)
            await page.sees("Attend votre décision")
            await page.sees("Fc4")
            assert await page.js("document.documentElement.lang") == "fr"
            await page.click("button", "Ne pas retenir l’infraction")
            await page.sees("Rien à trancher ici.")
            left = await page.js("document.body.innerText")
            assert not {"Board", "White", "Black", "Moves", "Touched"} & set(left.split()), left

    asyncio.run(scene())


def test_everything_fits_can_be_touched_and_be_read(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(game={"white": LONG_NAME}), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await breach(daemon)
            await page.sees("Awaits your ruling")
            for width, height in SIZES:
                await page.resize(width, height)
                assert await page.js("document.documentElement.scrollWidth") <= width
                small = await page.js(SMALL_TARGETS)
                assert not small, (width, small)
            for scheme in ("light", "dark"):
                await page.prefer(prefers_color_scheme=scheme)
                faint = await page.js(FAINT_TEXTS)
                assert not faint, (scheme, faint)

    asyncio.run(scene())


def test_it_can_be_used_by_keyboard_and_heard(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await breach(daemon)
            await page.until("document.getElementById('say').textContent.includes('Awaits your ruling')")
            names = await landmarks(page)
            assert {"banner", "main", "navigation"} <= names
            order = []
            for _ in range(40):
                await page.key("Tab", 9)
                order.append(await page.js("document.activeElement.textContent.trim()"))
                if order[-1].startswith("Rule it a breach"):
                    break
            assert order[0] == "Skip to the boards"
            assert order[-1].startswith("Rule it a breach"), order
            assert await page.js("getComputedStyle(document.activeElement).outlineStyle") == "solid"
            await page.key("Enter", 13)
            await page.sees("The pieces must be put back")
            label = await page.js("document.querySelector('.board').getAttribute('aria-label')")
            assert label == "Board 7: after 1… e5. White to move"

    asyncio.run(scene())


def test_on_a_phone_what_wants_the_arbiter_comes_first(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon, *SIZES[0])
            await open_game(daemon)
            await breach(daemon)
            await page.until("!!document.querySelector('article.case button')")
            top = "document.querySelector('{}').getBoundingClientRect().top"
            assert await page.js(f"{top.format('.docket')} < {top.format('.board')}")
            assert await page.js("document.title") == "(1) Arbiter"
            assert await page.js(f"{top.format('article.case button.primary')} < innerHeight"), "without scrolling"
            letters = "[...document.querySelectorAll('.tick text')].map((e) => e.getBoundingClientRect().height)"
            assert max(await page.js(letters)) >= 12
            await page.resize(820, 1180)
            assert 12 <= max(await page.js(letters)) <= 30, "also where the device was turned since"
            await page.resize(*SIZES[0])
            said = await page.js("document.querySelector('.case .state small').textContent")
            assert re.fullmatch(r"[0-2]\d:[0-5]\d:[0-5]\d · [\d.]+\u00a0s", said), "the time of day, and of the game"

    asyncio.run(scene())


def test_it_sounds_and_shakes_only_where_that_was_switched_on(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            loud, quiet = await sign_in(browser, daemon), await sign_in(browser, daemon)
            for page in (loud, quiet):
                await page.js(LISTEN)
            await loud.click("#sound", "Sound off")
            await loud.until("document.getElementById('sound').getAttribute('aria-pressed') === 'true'")
            await loud.js("heard.length = 0")  # what it sounds like, when it is switched on
            await open_game(daemon)
            await breach(daemon)
            for page in (loud, quiet):
                await page.sees("Awaits your ruling")
            assert await loud.js("heard") == ["shake", "tone", "tone"]
            assert await quiet.js("heard") == []

    asyncio.run(scene())


def test_who_needs_the_arbiter_most_and_has_waited_longest_comes_first(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            assert await page.js(SORTED) == ["8", "7", "5", "3", "2", "10"]
            await daemon.only.carry_out({"type": "pause", "side": "black"})
            await page.sees("Black has stopped the clocks and calls you.")
            called = console(daemon).tables[0].watch.boards[None].board("en")["called_wall"]
            assert 0 <= time.time() - called / 1000 < 60

    asyncio.run(scene())


def test_among_many_boards_one_is_looked_for(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            for number in range(8, 21):
                players = {"white": f"Player {number}", "black": "Rival"}
                hall = console(daemon).arbiter["en"]
                hall.put(str(number), "head", {"number": str(number), "match": None, "game": None} | players)
            page = await sign_in(browser, daemon, *SIZES[1])
            await page.until("document.querySelectorAll('.tile').length === 14")
            await page.js("document.querySelector('.find').focus()")
            await page.call("Input.insertText", text="player 12")
            await page.until(f"{VISIBLE} === 'Board 12'")
            await page.js("document.querySelector('.find').value = ''")
            await page.call("Input.insertText", text="20")
            await page.until(f"{VISIBLE} === 'Board 20'")
            await open_game(daemon)
            await breach(daemon)
            await page.until(f"{VISIBLE} === 'Board 7 Board 20'")  # what needs him is never out of sight
            assert not await page.js(SMALL_TARGETS)

    asyncio.run(scene())


def test_of_a_game_that_is_over_nothing_is_owed(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await lift(daemon, "b1")
            await page.sees("White must move the touched piece")
            await daemon.only.carry_out({"type": "resign", "side": "white"})
            await page.until("document.querySelector('.turn').textContent.startsWith('The game is over')")
            assert not await page.js("document.querySelectorAll('.mark.target, .mark.touched').length")
            assert "must move" not in await page.js("document.querySelector('.hands').innerText")

    asyncio.run(scene())


def test_two_arbiters_who_rule_at_once_rule_once(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            one, two = await sign_in(browser, daemon), await sign_in(browser, daemon)
            await open_game(daemon)
            await breach(daemon)
            for page in (one, two):
                await page.sees("Awaits your ruling")
            both = "document.querySelector('[data-key$=\"uphold the breach\"]').click()"
            await asyncio.gather(one.js(both), two.js(both))
            for page in (one, two):
                await page.sees("The pieces must be put back")
            told = ["", ""]
            async with asyncio.timeout(10):
                while not any(told):
                    told = [await page.js("document.getElementById('toast').textContent") for page in (one, two)]
            assert sorted(bool(text) for text in told) == [False, True], told
            assert [item.do for item in rulings(daemon)] == ["uphold"]

    asyncio.run(scene())


async def landmarks(page: Page) -> set[str]:
    tree = await page.call("Accessibility.getFullAXTree")
    return {node["role"]["value"] for node in tree["nodes"] if "role" in node}


LISTEN = """(() => {
    window.heard = [];
    const thing = (more) => new Proxy(more, { get: (own, name) => own[name] ?? (() => thing({})) });
    navigator.vibrate = () => heard.push("shake");
    const tone = () => thing({ frequency: {}, start: () => heard.push("tone") });
    const loudness = () => thing({ gain: thing({}) });
    window.AudioContext = function () {
        return thing({ currentTime: 0, createOscillator: tone, createGain: loudness });
    };
})()"""
"""Notes what a page would sound and shake."""

VISIBLE = """[...document.querySelectorAll(".tile h2")].filter((each) => each.checkVisibility())
    .map((each) => each.textContent).join(" ")"""

SORTED = """import("/static/tiles.js").then(({ sort }) => {
    const list = document.createElement("ul");
    const boards = [["10", 0, 0], ["2", 0, 0], ["3", 2, 900], ["7", 3, 500], ["8", 3, 400], ["5", 2, 100]];
    sort(list, boards.map(([number, attention, since]) => (
        { number, attention, since, element: Object.assign(document.createElement("li"), { textContent: number }) })));
    return [...list.children].map((each) => each.textContent);
})"""
"""Boards by number, attention, and since when; put into order."""
