"""A match on boards that see no kinds: the arbiter's page names what was dropped, and claims nothing unknown."""

import asyncio
import json
from pathlib import Path
from typing import Any

import chess
import pytest
from browser import Page, connected
from double import double
from hall import running, until
from house import ask as post
from house import console, cookie, ready, sign_in

from controller import contract as c
from controller.console.cases import Cases
from controller.console.naming import Naming
from controller.console.shown import shown_case
from controller.daemon.service import Daemon
from controller.journal import Opening
from controller.outlets.scoresheet import Entry, Scoresheet, board_of
from controller.words import LANGUAGES
from controller.words.context import Context
from controller.words.language import LanguageCode, language
from controller.words.say import parts
from hardware.boards.simulated import SimulatedBoard

STOCKED = "4k1n1/pppp4/8/8/8/8/4PPPP/4K3[NP] w - - 0 1"
CASE = "document.querySelector('article.case')"
DONE = "[...document.querySelectorAll('.done .outcome')].map((each) => each.textContent).join(' ')"


async def set_up(daemon: Daemon) -> None:
    """The pieces are set up on board A as its game begins."""
    board = daemon.only.boards["A"]
    assert isinstance(board, SimulatedBoard)
    for square in chess.scan_forward(chess.Board().occupied ^ board_of(STOCKED).occupied):
        board.electrical.lift(square)
    await ready(daemon)


async def drop(daemon: Daemon) -> SimulatedBoard:
    """White sets a piece on e6, which may be his knight or his pawn, and presses."""
    board = daemon.only.boards["A"]
    assert isinstance(board, SimulatedBoard)
    board.electrical.place(chess.E6)
    await until(lambda: any(case.naming for case in shown(daemon).cases.all))
    await daemon.only.carry_out({"type": "press", "side": "white"}, "A")
    return board


def shown(daemon: Daemon) -> Any:
    watch = console(daemon).tables[0].watch
    watch.catch_up()
    return watch.boards["A"]


async def buttons(page: Page) -> Any:
    return await page.js(f"[...{CASE}.querySelectorAll('button')].map((each) => each.textContent)")


def stocked(folder: Path) -> Any:
    return double(folder, console={"port": 0}, event={"clock": "180"}, game={"A": {"fen": STOCKED}})


@pytest.mark.browser
def test_the_page_names_what_was_dropped(tmp_path: Path, chromium: str) -> None:
    async def scene() -> None:
        async with running(stocked(tmp_path)) as daemon, connected(chromium) as browser:
            await set_up(daemon)
            page = await sign_in(browser, daemon)
            await drop(daemon)
            await page.until(f"!!{CASE}")
            await until(lambda: [entry.move.uci for entry in shown(daemon).sheet.entries] == ["N@e6"])
            assert {"N@e6", "P@e6"} < {*await buttons(page)}
            await page.click("article.case button", "P@e6")
            await page.until(f"{DONE}.includes('Named: P@e6')")
            assert [entry.move.uci for entry in shown(daemon).sheet.entries] == ["P@e6"]
            assert await page.js(f"!{CASE}")

    asyncio.run(scene())


@pytest.mark.browser
def test_a_reply_that_is_legal_either_way_settles_nothing(tmp_path: Path, chromium: str) -> None:
    async def scene() -> None:
        async with running(stocked(tmp_path)) as daemon, connected(chromium) as browser:
            await set_up(daemon)
            page = await sign_in(browser, daemon)
            board = await drop(daemon)
            await page.until(f"!!{CASE}")
            asked = shown(daemon).cases.all[-1].naming
            board.electrical.lift(chess.G8)
            await asyncio.sleep(0.1)
            board.electrical.place(chess.F6)
            await page.until(f"{DONE}.includes('Taken for N@e6')")
            assert await page.js(f"!{CASE}")
            late = {"do": "choose", "side": "white", "piece": "p", "square": asked.square}
            answer = await post(
                f"{console(daemon).url}/arbiter/boards/1", json.dumps(late).encode(), Cookie=await cookie(daemon)
            )
            assert answer.status == 409, "it would have named the next piece"

    asyncio.run(scene())


# -- without a browser ----------------------------------------------------------------------------------------------


def entry(uci: str, san: str | None = None) -> Entry:
    return Entry(c.Move(ms=1, side="white", uci=uci, san=san or uci, fen="", ply=1), "", 1)


KNIGHT, PAWN, REPLY = entry("N@e6"), entry("P@e6"), entry("g8f6", "Nf6")


@pytest.mark.parametrize(
    ("records", "outcome", "taken"),
    [
        ([[]], "", ""),
        ([[], [KNIGHT]], "", "N@e6"),
        ([[KNIGHT], [KNIGHT, REPLY]], "supposed", "N@e6"),
        ([[KNIGHT], [KNIGHT, REPLY], [PAWN, REPLY, REPLY]], "shown", "P@e6"),
        ([[KNIGHT], [KNIGHT, REPLY], [KNIGHT]], "", "N@e6"),  # the reply is taken back
        ([[KNIGHT], []], "settled", "N@e6"),  # and so is the drop
        ([[REPLY]], "settled", ""),  # it was none
    ],
)
def test_only_what_tells_which_piece_it_was_settles_it(records: list[list[Entry]], outcome: str, taken: str) -> None:
    cases = Cases()
    cases.begin(c.Time(ms=1))
    case = cases.take(1, 1, c.Ambiguous(ms=1, board="A", moves=["N@e6", "P@e6"]), {})
    assert case is not None
    case.naming = Naming(["N@e6", "P@e6"], "white", 0, later=True)
    for record in records:
        cases.end(1, 1, ())
        cases.look(record, over=False)
    assert (case.outcome, case.naming.taken) == (outcome, taken)
    assert (case.state == "closed") == bool(outcome)


def test_at_the_end_of_the_game_it_is_no_longer_asked() -> None:
    cases = Cases()
    cases.begin(c.Time(ms=1))
    case = cases.take(1, 1, c.Ambiguous(ms=1, board="A", moves=["N@e6", "P@e6"]), {})
    assert case is not None
    case.naming = Naming(["N@e6", "P@e6"], "white", 0, later=True)
    cases.take(2, 2, c.Result(ms=2, board="A", result="1-0", reason="resignation", article="5.1.2", status="final"), {})
    cases.look([KNIGHT], over=True)
    assert (case.state, case.outcome) == ("closed", "supposed")


@pytest.mark.parametrize("code", ["en", "fr"])
def test_a_promotion_that_is_named_is_told_in_the_words_of_its_button(code: LanguageCode) -> None:
    session = c.Session(version=1, senses="occupancy")
    cases = Cases()
    cases.begin(c.Time(ms=1))
    event = c.Ambiguous(ms=1, moves=["e7e8q", "e7e8n"])
    case = cases.take(1, 1, event, {each: parts(event, each, Context(session)) for each in LANGUAGES})
    assert case is not None
    case.naming = Naming(["e7e8q", "e7e8n"], "white", 0, later=False)
    cases.end(1, 1, ())
    _, knight = case.naming.buttons(language(code))
    cases.name(c.Choose(ms=2, side="white", piece="n", square="e8"))
    opening = Opening(game="g", venue="hall", board="7", started="2026-01-01T00:00:00+00:00", session=session)
    told = shown_case(case, code, Scoresheet(opening), answers=None)
    assert (told["outcome"], told["taken"]) == ("named", knight["text"])
