"""Where things stand on the arbiter's page, as far as somebody could be misled by it."""

import asyncio
from pathlib import Path

import chess
import pytest
from browser import connected
from double import double
from hall import running
from house import ready, sign_in

from hardware.boards.simulated import SimulatedBoard

pytestmark = pytest.mark.browser


def test_the_halves_of_a_match_stand_level_and_as_wide_as_their_boards(tmp_path: Path, chromium: str) -> None:
    edges = """[...document.querySelectorAll('.panel')].map((panel) =>
        [...panel.querySelectorAll('.board, .tools')].map((each) => each.getBoundingClientRect())
            .flatMap(({ left, right, top }) => [left, right, top].map(Math.round)))"""

    async def scene() -> None:
        async with running(double(tmp_path, console={"port": 0})) as daemon, connected(chromium) as browser:  # type: ignore[arg-type]
            await ready(daemon)
            page = await sign_in(browser, daemon, 1024, 768)
            board = daemon.only.boards["B"]
            assert isinstance(board, SimulatedBoard)
            board.electrical.lift(chess.B1)
            await page.sees("must move the touched piece")
            for width in (1024, 768):
                await page.resize(width, 768)
                for left, right, _, tools_left, tools_right, _ in await page.js(edges):
                    assert (left, right) == (tools_left, tools_right)
                one, other = await page.js(edges)
                assert (one[2], one[5]) == (other[2], other[5])

    asyncio.run(scene())
