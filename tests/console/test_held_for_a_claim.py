"""What is kept until a player claims it has a button with which the arbiter enters that he does."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from arbiter_kit import Bench
from house import ARBITER, breach, house, open_game, press, sign_in

from controller import contract as c
from controller.config import Config
from controller.wire import decode_input


def claims(bench: Bench, code: Any = "en") -> list[dict[str, str] | None]:
    return [shown["claim"] for shown in bench.shown.docket(code).values()]


def unsupervised() -> Bench:
    return Bench(laws="fide-2009", play="blitz", supervised=False)


def test_the_opponent_of_who_touched_may_claim_it() -> None:
    bench = unsupervised().touch("g1").play("e2e4")
    assert claims(bench) == [{"of": "touch-move", "side": "black", "text": "Black claims it now"}]
    assert claims(bench, "fr") == [{"of": "touch-move", "side": "black", "text": "Les Noirs réclament maintenant"}]
    bench.play("e7e5")
    assert claims(bench) == [None], "he has lost the right by playing on"


def test_an_illegal_move_may_be_claimed_once_it_is_completed() -> None:
    bench = unsupervised().make("e2e5").wait(5_000)
    assert not [claim for claim in claims(bench) if claim]
    bench.give(c.Press, side="white")
    assert [claim["of"] for claim in claims(bench) if claim] == ["illegal-move"]
    bench.claim("black", "illegal-move")
    assert not [claim for claim in claims(bench) if claim], "it is claimed, and awaits a ruling"


def test_what_the_arbiter_raises_himself_nobody_has_to_claim() -> None:
    assert claims(Bench().touch("g1").play("e2e4")) == [None]


@pytest.mark.browser
def test_its_button_sends_the_claim(config: Callable[..., Config], chromium: str) -> None:
    async def scene() -> None:
        alone = {"laws": "fide-2009", "play": "blitz", "supervised": False, "clock": "300+3"}
        async with house(config(event=alone), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon)
            await open_game(daemon)
            await breach(daemon)
            await press(daemon, "white")
            await page.click("article.case[data-state=held] button.primary", "Black claims it now")
            await page.until("!!document.querySelector('article.case[data-state=open]')")
            said = [decode_input(each.body) for each in daemon.journal.after(0, 10_000) if each.kind == "input"]
            asked = [(each.of, each.side, each.by) for each in said if isinstance(each, c.Claim)]
            assert asked == [("touch-move", "black", ARBITER)]
            assert not page.complaints

    asyncio.run(scene())
