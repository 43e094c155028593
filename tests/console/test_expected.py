"""Who is expected at a board stands on both pages before the game, so that a wrong pairing is put right in time."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from double import double
from hall import make, running, until
from house import Listener, ask, console, cookie

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


def waiting(config: Callable[..., Config], file: Path) -> Config:
    """A board whose players are those of the file."""
    event = {"venue": "hall", "board": "7", "clock": "5400+30", "pairings": str(file)}
    return config(event=event, start={"by": "press", "ready_s": 0.05}, game={"white": None, "black": None})


def test_a_wrong_pairing_is_seen_and_put_right_before_the_game(config: Callable[..., Config], tmp_path: Path) -> None:
    file = tmp_path / "round-1.csv"
    file.write_text("Round;Board;White;Black\n1;7;Ann;Cid\n")

    async def scene() -> None:
        async with running(waiting(config, file)) as daemon:
            await until(lambda: console(daemon).port)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await until(lambda: names(crowd) == ("Ann", "Cid"))
                assert "board" not in crowd.boards["7"], "there is no game yet"
                file.write_text("Round;Board;White;Black\n1;7;Ann;Bob\n")
                await until(lambda: names(crowd) == ("Ann", "Bob"))
                await daemon.only.carry_out(b'{"type":"new-game"}')
                await until(lambda: crowd.boards["7"]["head"]["game"])
                assert names(crowd) == ("Ann", "Bob")

    asyncio.run(scene())


def test_once_another_round_is_in_force_the_old_game_is_shown_no_more(
    config: Callable[..., Config], tmp_path: Path
) -> None:
    file = tmp_path / "current.csv"
    file.write_text("Round;Board;White;Black\n1;7;Ann;Cid\n")

    async def scene() -> None:
        async with running(waiting(config, file)) as daemon:
            await until(lambda: console(daemon).port and daemon.only.table.expected.get("White") == "Ann")
            url, held = console(daemon).url, await cookie(daemon)
            async with Listener(f"{url}/events") as crowd, Listener(f"{url}/arbiter/events", Cookie=held) as arbiter:
                await daemon.only.carry_out(b'{"type":"new-game"}')
                await make(daemon, "e2e4")
                await until(lambda: crowd.boards["7"].get("moves") and arbiter.boards["7"].get("moves"))
                await daemon.only.carry_out(b'{"type":"resign","side":"black"}')
                await until(lambda: crowd.boards["7"]["board"]["over"] and arbiter.boards["7"]["board"]["over"])
                file.write_text("Round;Board;White;Black\n2;7;Cid;Bob\n")
                for page in (crowd, arbiter):
                    await until(lambda page=page: names(page) == ("Cid", "Bob"))
                    await until(lambda page=page: page.boards["7"]["board"] is None)
                    assert page.boards["7"]["moves"] is None
                assert (await ask(f"{url}/games.pgn")).status == 404
                await daemon.only.carry_out(b'{"type":"new-game"}')
                await until(lambda: crowd.boards["7"]["board"] and arbiter.boards["7"]["board"])

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
                assert head["match"] == {"id": "1+2", "seat": "B"}

    asyncio.run(scene())
