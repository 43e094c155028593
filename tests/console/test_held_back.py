"""Spectators are told of a move that is not certain once it is settled; their page says so, the arbiter's shows it."""

import asyncio
import time
from pathlib import Path

import chess
import pytest
from browser import connected
from hall import make, running, until
from house import configuration, console, open_game, press, ready, sign_in

from controller.daemon.service import Daemon
from controller.outlets.broadcast import outlet as broadcast
from hardware.boards import Fault, Recovered
from hardware.boards.simulated import SimulatedBoard


async def scanned(board: SimulatedBoard, times: int) -> None:
    """The board has been read as often."""
    until_then = board.scans + times
    await until(lambda: board.scans >= until_then)


async def out_of_sight(daemon: Daemon, *moves: str) -> None:
    """The cable is out while these are made."""
    board = daemon.only.boards[None]
    assert isinstance(board, SimulatedBoard)
    daemon.only.session.take(Fault(time.monotonic_ns(), "no answer", "a cable", "see to it"))
    for uci in moves:
        board.electrical.lift(chess.parse_square(uci[:2]))
        board.electrical.place(chess.parse_square(uci[2:]))
        await scanned(board, 2)  # pieces that come at one moment look like those of a matrix without diodes
    await scanned(board, 20)  # what was read amid these moves has come by then, too
    daemon.only.session.take(Recovered(time.monotonic_ns()))


@pytest.mark.browser
def test_the_page_of_spectators_says_so_and_that_of_the_arbiter_shows_all_at_once(
    tmp_path: Path, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "PAUSE_S", 0.01)
    score = "[...document.querySelectorAll('.score li > *')].map((each) => each.textContent).join(' ')"
    config = configuration(tmp_path, broadcast={"directory": str(tmp_path / "out")})

    async def scene() -> None:
        async with running(config) as daemon, connected(chromium) as browser:
            await ready(daemon)
            page = await sign_in(browser, daemon)
            crowd = await browser.open(console(daemon).url)
            await open_game(daemon)
            await crowd.until(f"{score} === 'e4 e5'")
            await out_of_sight(daemon, "g1f3", "b8c6", "b1c3")
            await page.until(f"{score}.split(' ').length === 5")
            await crowd.sees("3 moves held back: not certain")
            assert await crowd.js(score) == "e4 e5"
            assert "held back" not in await page.js("document.body.innerText")
            files = [*(tmp_path / "games").glob("*.pgn"), tmp_path / "out" / "round-1" / "game-7.pgn"]
            await until(lambda: all("3 moves held back: not certain" in file.read_text() for file in files))
            for side in ("white", "black"):
                await press(daemon, side)
            await press(daemon, "white")
            await make(daemon, "f8c5")
            await press(daemon, "black")
            await crowd.until(f"{score}.split(' ').length === 6")
            assert "held back" not in await crowd.js("document.body.innerText")
            await until(lambda: not any("held back" in file.read_text() for file in files))
            assert not page.complaints and not crowd.complaints

    asyncio.run(scene())
