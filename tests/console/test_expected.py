"""Who is expected at a board stands on both pages before the game, so that a wrong pairing is put right in time."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from double import double
from hall import running, until
from house import Listener, console

from controller.config import Config
from controller.console import expected
from controller.daemon import pairings


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
