"""What players say of a draw, and that they resign, the arbiter enters who hears it; offers he alone is shown."""

import asyncio
from collections.abc import Callable

import pytest
from arbiter_kit import Bench
from browser import Page
from hall import make, running, until
from house import ARBITER, Listener, console, house, open_game, press, sign_in

from controller import contract as c
from controller.config import Config
from controller.console.offers import Offers
from controller.daemon.service import Daemon
from controller.outlets.mqtt.docket import Docket
from controller.wire import decode_input
from controller.words.language import language

Configure = Callable[..., Config]


def offers(bench: Bench) -> list[str]:
    said: list[str] = [each["text"] for each in bench.shown.board("en")["offers"]]
    return said


def test_an_offer_stands_until_the_opponent_answers() -> None:
    bench = Bench().play("e2e4").give(c.Draw, side="white", act="offer")
    assert offers(bench) == ["White offered a draw; no answer yet"]
    (shown,) = bench.shown.board("fr")["offers"]
    assert shown["text"] == "Les Blancs ont proposé la nulle\N{NO-BREAK SPACE}; pas encore de réponse"
    bench.give(c.Draw, side="black", act="decline")
    assert offers(bench) == ["White offered a draw; Black declined it"]
    bench.play("e7e5")
    assert offers(bench) == ["White offered a draw; Black declined it"], "it was declined before that"


@pytest.mark.parametrize("plays_on", [lambda bench: bench.touch("g8"), lambda bench: bench.play("e7e5")])
def test_who_touches_or_moves_has_let_it_pass(plays_on: Callable[[Bench], Bench]) -> None:
    bench = Bench().play("e2e4").give(c.Draw, side="white", act="offer")
    plays_on(bench)
    assert offers(bench) == ["White offered a draw; Black played on"]
    bench.give(c.Draw, side="black", act="accept")
    assert not bench.shown.over
    assert offers(bench) == ["White offered a draw; Black played on"], "too late"


def test_who_offered_may_play_on_and_offer_again() -> None:
    bench = Bench().give(c.Draw, side="white", act="offer").play("e2e4")
    assert offers(bench) == ["White offered a draw; no answer yet"]
    bench.give(c.Draw, side="black", act="decline").give(c.Draw, side="white", act="offer")
    assert offers(bench) == ["White offered a draw; no answer yet"]
    bench.give(c.Draw, side="black", act="offer")
    assert len(offers(bench)) == 2


def test_accepted_it_is_the_result() -> None:
    bench = Bench().play("e2e4", "e7e5").give(c.Draw, side="black", act="offer")
    bench.give(c.Draw, side="white", act="accept")
    assert bench.shown.over
    assert offers(bench) == ["Black offered a draw; White accepted it"]


def test_a_claim_of_a_draw_is_an_offer_of_one() -> None:
    bench = Bench().play("e2e4", "e7e5").give(c.Claim, side="white", of="threefold")
    assert offers(bench) == ["White offered a draw; no answer yet"]


def test_in_a_match_who_declines_does_so_for_both_boards() -> None:
    """Also for who has accepted on his."""
    for said in ("offer", "accept"):
        heard = Offers("A")
        heard.hear(c.Draw(ms=1, board="B", side="black", act="offer"), 0, None)
        assert not heard.shown(language("en"), 0, over=False)
        heard.hear(c.Draw(ms=2, board="A", side="white", act="offer"), 0, None)
        heard.hear(c.Draw(ms=3, board="A", side="black", act=said), 0, None)
        heard.hear(c.Draw(ms=4, board="B", side="white", act="decline"), 0, None)
        assert heard.shown(language("en"), 0, over=False)[0]["text"] == "White offered a draw; Black declined it"


def test_an_offer_may_be_answered_until_more_is_played_than_was_on_its_way() -> None:
    bench = Bench().play("e2e4").give(c.Draw, side="white", act="offer")
    answerable = [each["open"] for each in bench.shown.board("en")["offers"]]
    later = [each["open"] for each in bench.play("e7e5").shown.board("en")["offers"]]
    too_late = [each["open"] for each in bench.play("g1f3").shown.board("en")["offers"]]
    assert (answerable, later, too_late) == ([True], [True], [False])


@pytest.mark.browser
def test_the_arbiter_enters_what_players_say_of_a_draw_and_nobody_else_is_shown_it(
    config: Configure, chromium: str
) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await open_game(daemon)
                await make(daemon, "g1f3")
                await press(daemon, "white")
                await page.until("document.querySelector('.score').textContent.includes('Nf3')")
                await says(page, "white", "offer")
                await page.sees("White offered a draw; no answer yet")
                await says(page, "black", "decline")
                await page.sees("White offered a draw; Black declined it")
                await page.click("[data-tool=report]")
                await page.click("input[value=black]")
                assert not await page.js("document.querySelector('[data-said=accept]')"), "there is nothing to accept"
                await page.click("dialog button", "Cancel")
                await says(page, "white", "offer")
                await page.sees("White offered a draw; no answer yet")
                await says(page, "black", "accept")
                await page.sees("This ends the game.")
                await page.click("dialog button", "Black accepts the draw")
                await page.sees("by agreement")
                await until(lambda: crowd.boards["7"]["board"]["over"])
                assert "offer" not in str(crowd.events)
                said = [(each.side, each.act, each.by) for each in inputs(daemon) if isinstance(each, c.Draw)]
                assert said == [
                    ("white", "offer", ARBITER),
                    ("black", "decline", ARBITER),
                    ("white", "offer", ARBITER),
                    ("black", "accept", ARBITER),
                ]
                assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_a_draw_that_is_accepted_too_early_is_said_not_to_count(config: Configure, chromium: str) -> None:
    """Both players have to make a move first (5.2.3)."""

    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await says(page, "white", "offer")
            await page.sees("White offered a draw; no answer yet")
            await says(page, "black", "accept")
            await page.click("dialog button", "Black accepts the draw")
            await page.sees("Not done: no draw was agreed by that")
            await page.sees("Black accepted it, which did not count")

    asyncio.run(scene())


@pytest.mark.browser
def test_who_resigns_by_word_of_mouth_has_lost_once_that_is_confirmed(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon, 390, 844)
            await open_game(daemon)
            await page.until("document.querySelector('.score').textContent.includes('e5')")
            await says(page, "white", "resign")
            await page.sees("This ends the game.")
            assert not [each for each in inputs(daemon) if isinstance(each, c.Resign)]
            await page.click("dialog button", "White resigns")
            await page.sees("Black wins by resignation")
            resigned = [(each.side, each.by) for each in inputs(daemon) if isinstance(each, c.Resign)]
            assert resigned == [("white", ARBITER)]
            assert not page.complaints

    asyncio.run(scene())


def test_who_reads_from_afar_is_told_of_offers(config: Configure) -> None:
    async def scene() -> None:
        async with running(config()) as daemon:
            await until(lambda: daemon.only.session.playing)
            docket = Docket(daemon.only.session.awaiting, None)
            await daemon.only.carry_out({"type": "draw", "side": "white", "act": "offer"})
            for record in daemon.journal.after(0, 10_000):
                if record.kind != "event":
                    docket.take(record)
            ((_, body),) = docket.at_present()["said"]
            assert decode_input(bytes(body)) == c.Draw(ms=decode_input(bytes(body)).ms, side="white", act="offer")

    asyncio.run(scene())


async def says(page: Page, side: str, what: str) -> None:
    """The arbiter enters that."""
    await page.until("!document.querySelector('dialog')")
    await page.click("[data-tool=report]")
    await page.click(f"input[value={side}]")
    await page.click("dialog summary", "What the player claims or says")
    await page.click(f"[data-said={what}]")


def inputs(daemon: Daemon) -> list[c.AnyInput]:
    return [decode_input(each.body) for each in daemon.journal.after(0, 10_000) if each.kind == "input"]
