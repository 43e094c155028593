"""A team event on 24 boards, as organisers live it: from the files of a pairing program to its files.

In each round a board is exchanged in mid-game, a pairing changed while games are on, a game forfeited, a breach of the
touch-move rule upheld, and the computer loses its power, daemon and broker with it. Then whatever the hall says of the
round is held against what those who played it wrote down.
"""

import asyncio
import contextlib
import json
import os
from pathlib import Path

import pytest
from afternoon import Afternoon
from arbiter import arrive
from boards import ports
from browser import Page, connected
from computer import VENUE, Computer
from hall import need_mosquitto
from listener import Listener
from papers import compare, compare_pgn, compare_results
from venue import SPARE, TABLES, Venue

from hardware.simulator import terminal
from hardware.simulator.dgt import DgtEmulator

ROUNDS = int(os.environ.get("JADOUBE_ROUNDS", "2"))
"""How many; ``make faults`` plays nine."""

OVER = "[...document.querySelectorAll('.show .score-line')].some((each) => each.textContent)"
"""Whether the spectators' page shows a game that is over."""


@pytest.fixture(autouse=True)
def quiet_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A DGT board does nothing by itself."""
    monkeypatch.setattr(terminal, "TICK_S", 1.0)


@pytest.mark.broker
@pytest.mark.browser
def test_a_team_event(tmp_path: Path, chromium: str) -> None:
    need_mosquitto()
    asyncio.run(event(tmp_path, chromium))


async def event(folder: Path, chromium: str) -> None:
    """From the box to the last result."""
    async with contextlib.AsyncExitStack() as hall:
        boards = {port: hall.enter_context(DgtEmulator(port)) for port in ports(folder, TABLES + SPARE)}
        computer = await hall.enter_async_context(Computer(folder))
        await computer.init(TABLES, f"{folder}/port-*")
        computer.start()
        browser = await hall.enter_async_context(connected(chromium))
        arbiter = await arrive(browser, computer.page, await computer.code())
        crowd = await browser.open(computer.page)
        listener = await hall.enter_async_context(Listener(VENUE, computer.client))
        venue = Venue(computer, listener, arbiter, boards)
        ticking = asyncio.create_task(tick(venue))
        for number in range(1, ROUNDS + 1):
            await play(venue, crowd, number)
        ticking.cancel()
        computer.stop()
        complaints = [*arbiter.page.complaints, *crowd.complaints]
        assert [each for each in complaints if "net::ERR" not in each] == [], "but for the power cuts"


async def play(venue: Venue, crowd: Page, number: int) -> None:
    """A round, and whether all that tells of it tells the truth."""
    afternoon, computer = Afternoon(venue, number), venue.computer
    await afternoon.prepare()
    await crowd.sees(f"Round {number}")
    await crowd.until(f"document.querySelectorAll('.show').length === {TABLES} && !{OVER}")
    await afternoon.play()
    games, out = afternoon.games, computer.folder.parent / "out"
    told, _ = await asyncio.gather(computer.hall("results", "--json"), computer.hall("export", "--out", out))
    compare_results(json.loads(told), games, venue.program)
    compare(out, number, games, venue.program.trf())
    for game in games:
        assert venue.listener.moves(str(game.table), number) == game.told, f"table {game.table} of round {number}"
    shown = await crowd.js("fetch('/games.pgn').then((answer) => answer.text())")
    compare_pgn(shown, [game for game in games if game.played])


async def tick(venue: Venue) -> None:
    """A second passes on all clocks."""
    while True:
        await asyncio.sleep(1.0)
        for table in venue.tables.values():
            table.tick()
