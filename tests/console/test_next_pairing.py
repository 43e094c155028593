"""Between two games a board's pages show who plays there next, and not the game that is over."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from browser import connected
from hall import make, running, until
from house import Listener, ask, console, cookie, lift, place, press, sign_in
from many import all_playing, many

from controller.config import Config
from controller.console import expected
from controller.console.expected import Expected
from controller.daemon import pairings
from controller.daemon.service import Daemon

Configure = Callable[..., Config]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
RESULT = {"type": "arbiter", "do": "result", "result": "1-0"}
FIRST = "Round;Board;White;Black\n4;7;Ann;Bob\n"
NEXT = FIRST + "5;7;Cid;Dora\n"


@pytest.fixture(autouse=True)
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected, "LOOK_S", 0.02)
    monkeypatch.setattr(pairings, "LOOK_S", 0.02)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "current.csv"
    path.write_text(FIRST)
    return path


def paired(config: Configure, file: Path, **event: Any) -> Config:
    said = {"venue": "hall", "board": "7", "clock": "5400+30", "pairings": str(file)}
    quick = {"release_ms": 60, "brush_ms": 20}
    waits = {"by": "press", "ready_s": 0.05}
    return config(event=said | {"settings": quick} | event, start=waits, game={"white": None, "black": None})


def names(listener: Listener) -> tuple[str | None, str | None]:
    head: dict[str, Any] = listener.boards.get("7", {}).get("head", {})
    return head.get("white"), head.get("black")


def board(listener: Listener, number: str = "7") -> dict[str, Any]:
    """The game that is shown on a board; nothing where none is."""
    return listener.boards.get(number, {}).get("board") or {}


async def begun(daemon: Daemon, white: str) -> None:
    """The game of who is paired has begun."""
    await until(lambda: daemon.only.session.expected.get("White") == white)
    await daemon.only.carry_out({"type": "new-game"})


async def played(daemon: Daemon) -> None:
    """1. e4, and the arbiter gives a result."""
    await make(daemon, "e2e4")
    await press(daemon, "white")
    await daemon.only.carry_out(RESULT)


def shows_next(listener: Listener) -> bool:
    """Of the game before nothing is left but the round in which it can be had."""
    shown = listener.boards.get("7", {"head": {}})
    gone = all(shown.get(part) is None for part in ("board", "clock", "moves", "cases", "reports"))
    head = shown["head"]
    return gone and names(listener) == ("Cid", "Dora") and (head.get("round"), head.get("array")) == ("5", START)


def test_the_next_pairing_is_shown_once_it_is_known_and_the_last_game_can_be_had(config: Configure, file: Path) -> None:
    async def scene() -> None:
        async with running(paired(config, file)) as daemon:
            await until(lambda: console(daemon).port)
            url, held = console(daemon).url, await cookie(daemon)
            async with (
                Listener(f"{url}/arbiter/events", Cookie=held) as arbiter,
                Listener(f"{url}/events") as crowd,
            ):
                await begun(daemon, "Ann")
                await played(daemon)
                for each in (arbiter, crowd):
                    await until(lambda each=each: board(each).get("over"))
                    assert names(each) == ("Ann", "Bob"), "nobody else is paired yet"
                file.write_text(NEXT)
                for each in (arbiter, crowd):
                    await until(lambda each=each: shows_next(each))
                assert crowd.boards["7"]["head"]["last"] == "4"
                assert '[White "Ann"]' in (await ask(f"{url}/games/7.pgn")).body.decode()
                async with Listener(f"{url}/events") as newcomer:
                    assert shows_next(newcomer)
                await daemon.only.carry_out({"type": "arbiter", "do": "undo"})
                for each in (arbiter, crowd):
                    await until(lambda each=each: board(each).get("over") is False)
                    assert (names(each), each.boards["7"]["moves"]) == (("Ann", "Bob"), ["e4"])
                await daemon.only.carry_out(RESULT)
                await begun(daemon, "Cid")
                for each in (arbiter, crowd):
                    await until(lambda each=each: names(each) == ("Cid", "Dora") and board(each))
                    assert each.boards["7"]["moves"] == []

    asyncio.run(scene())


def test_the_public_hears_of_the_next_pairing_no_earlier_than_of_the_end(config: Configure, file: Path) -> None:
    """The pairing was in force, and its game had even begun: as the public has it, the last one is still played."""
    delay_s = 1.5

    async def scene() -> None:
        async with running(paired(config, file, delay_min=delay_s / 60)) as daemon:
            await until(lambda: console(daemon).port)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await begun(daemon, "Ann")
                await until(lambda: board(crowd))  # as the public has it, too
                ends = time.monotonic()
                await played(daemon)
                await lift(daemon, "e4")
                await place(daemon, "e2")  # and not after the next game has begun: White might have moved at once
                file.write_text(NEXT)
                await begun(daemon, "Cid")
                await make(daemon, "d2d4")
                await until(lambda: names(crowd)[0] == "Cid")
                assert time.monotonic() - ends >= delay_s
                await until(lambda: crowd.boards.get("7", {}).get("moves") == ["d4"])
                before, *since = shown_in_order(crowd)[-3:]
                assert before in (("Ann", "e4"), ("Ann", None)), "the move may come with what ends the game"
                assert since == [("Cid", None), ("Cid", "d4")]

    asyncio.run(scene())


def shown_in_order(crowd: Listener) -> list[tuple[str | None, str | None]]:
    """White's name and the last move, at each change: from what came, not from what we saw of it."""
    shown: list[tuple[str | None, str | None]] = []
    board: dict[str, Any] = {}
    for said in crowd.events:
        board |= said["boards"].get("7", {})
        moves = board.get("moves")
        state = board.get("head", {}).get("white"), moves[-1] if moves else None
        if shown[-1:] != [state]:
            shown.append(state)
    return shown


def test_a_game_that_a_command_named_otherwise_stays_until_others_are_paired(config: Configure, file: Path) -> None:
    async def scene() -> None:
        async with running(paired(config, file)) as daemon:
            await until(lambda: console(daemon).port and daemon.only.session.expected.get("White") == "Ann")
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await daemon.only.carry_out({"type": "new-game", "white": "Eva", "black": "Fay"})
                await played(daemon)
                await until(lambda: board(crowd).get("over"))
                await asyncio.sleep(5 * expected.LOOK_S)
                assert names(crowd) == ("Eva", "Fay")
                file.write_text(NEXT)
                await until(lambda: shows_next(crowd))

    asyncio.run(scene())


def test_after_a_restart_the_next_pairing_is_shown(config: Configure, file: Path) -> None:
    async def scene() -> None:
        async with running(paired(config, file)) as daemon:
            await begun(daemon, "Ann")
            await played(daemon)
        async with running(paired(config, file)) as daemon:
            await until(lambda: console(daemon).port)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await until(lambda: board(crowd))
                assert names(crowd) == ("Ann", "Bob")
                file.write_text(NEXT)
                await until(lambda: shows_next(crowd))

    asyncio.run(scene())


def test_a_board_without_a_game_in_the_next_round_is_empty(tmp_path: Path) -> None:
    file = tmp_path / "current.csv"
    file.write_text("Round;Board;White;Black\n4;1;Ann;Bob\n4;2;Cid;Dora\n")
    event = {"pairings": str(file)}

    async def scene() -> None:
        async with running(many(tmp_path, "1", "2", console={"port": 0}, event=event | {"venue": "hall"})) as daemon:
            await until(lambda: console(daemon).port)
            await all_playing(daemon)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await daemon.stations["2"].carry_out({"type": "resign", "side": "black"})
                await until(lambda: board(crowd, "2").get("over"))
                file.write_text("Round;Board;White;Black\n5;1;Ann;Cid\n")
                await until(lambda: crowd.boards["2"]["board"] is None)
                head = crowd.boards["2"]["head"]
                assert (head["white"], head["idle"]) == (None, True)
                assert "idle" not in crowd.boards["1"]["head"]
                assert crowd.boards["1"]["head"]["black"] == "Bob", "their game goes on"

    asyncio.run(scene())


def test_what_is_played_at_a_table_without_a_pairing_is_none_of_the_publics(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody analyses there: neither the spectators' page nor the broadcast has that, and round 1 stays as it is."""
    caplog.set_level("INFO", logger="controller.outlets.broadcast.outlet")
    file, out = tmp_path / "current.csv", tmp_path / "out"
    file.write_text("Round;Board;White;Black\n1;1;Ann;Bob\n1;2;Cid;Dora\n")
    options: dict[str, Any] = {"console": {"port": 0}, "broadcast": {"directory": str(out)}}

    async def scene() -> None:
        hall = many(tmp_path, "1", "2", event={"pairings": str(file), "venue": "hall"}, **options)
        async with running(hall) as daemon:
            await until(lambda: console(daemon).port)
            await all_playing(daemon)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await daemon.stations["2"].carry_out({"type": "resign", "side": "black"})
                written = out / "round-1/game-2.pgn"
                await until(lambda: written.exists() and '"1-0"' in written.read_text())
                before = {path: path.read_text() for path in out.rglob("*2.*")}
                file.write_text("Round;Board;White;Black\n3;1;Ann;Cid\n")
                await until(lambda: crowd.boards["2"]["board"] is None)
                await daemon.stations["2"].carry_out({"type": "new-game", "insist": True})
                assert daemon.stations["2"].session.playing
                await until(lambda: "board 2: a game without a pairing is played there" in caplog.text)
                assert {path: path.read_text() for path in out.rglob("*2.*")} == before
                assert [path.name for path in out.glob("round-*")] == ["round-1"]
                head = crowd.boards["2"]["head"]
                assert (head["game"], head["idle"], crowd.boards["2"]["board"]) == (None, True, None)
                text = (await ask(f"{console(daemon).url}/games.pgn")).body.decode()
                assert (text.count("[White "), '[White "Ann"]' in text) == (1, True)
                assert (await ask(f"{console(daemon).url}/games/2.pgn")).status == 404

    asyncio.run(scene())


@pytest.mark.parametrize("drawn", [True, False])
def test_which_start_position_was_drawn_the_public_hears_with_the_game(drawn: bool) -> None:
    """Where it is told later. That of ordinary chess is no secret."""
    placed = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR"
    tags = {"White": "Ann", "Variant": "Chess960", "FEN": f"{placed} w KQkq - 0 1"}
    table = SimpleNamespace(
        board_numbers={None: "7"}, expected=lambda: tags, starts=lambda: {None: placed}, idle=lambda: False
    )
    known = Expected(table, late=not drawn)  # type: ignore[arg-type]
    head = known.head(None)
    assert (head["array"], "BBQNNRKR" in head["variant"]) == ((placed, True) if drawn else (None, False))
    tags = {"White": "Ann"}
    assert known.head(None)["array"] == placed


@pytest.mark.browser
def test_both_pages_show_the_next_pairing_at_its_start(config: Configure, file: Path, chromium: str) -> None:
    async def run() -> None:
        async with running(paired(config, file)) as daemon, connected(chromium) as browser:
            await until(lambda: console(daemon).port)
            await begun(daemon, "Ann")
            arbiter = await sign_in(browser, daemon)
            crowd = await browser.open(console(daemon).url)
            await played(daemon)
            for page in (arbiter, crowd):
                await page.until(
                    "[...document.querySelectorAll('.score li')].some((each) => each.textContent === 'e4')"
                )
            file.write_text(NEXT)
            for page in (arbiter, crowd):
                await page.sees("Cid")
                await page.until("!document.querySelector('.board .mark.last')")
                assert await page.js("document.querySelectorAll('.board .piece').length") == 32
                assert "Ann" not in await page.js("document.body.innerText")
                assert "e4" not in await page.js("document.querySelector('.score').textContent")
            assert await crowd.js("document.querySelector('.take a').textContent") == "PGN of the last game"
            assert await crowd.js("document.querySelector('.take a').download") == "round-4-board-7.pgn"
            assert await arbiter.js(
                "[...document.querySelectorAll('.tools button')].every((each) => each.hidden || each.disabled)"
            )
            assert not arbiter.complaints + crowd.complaints

    asyncio.run(run())


@pytest.mark.browser
def test_a_board_without_a_game_is_said_to_have_none_and_not_shown_to_spectators(tmp_path: Path, chromium: str) -> None:
    file = tmp_path / "current.csv"
    file.write_text("Round;Board;White;Black\n2;1;Ann;Bob\n2;2;Cid;Dora\n2;3;Eva;Fay\n")
    tables = {"event": {"venue": "hall", "pairings": str(file), "clock": "5400+30"}, "start": {"by": "press"}}

    async def run() -> None:
        async with (
            running(many(tmp_path, "1", "2", "3", "4", console={"port": 0}, **tables)) as daemon,
            connected(chromium) as browser,
        ):
            await until(lambda: console(daemon).port)
            arbiter = await sign_in(browser, daemon)
            await arbiter.sees("Boards: 4 · without a game: 1 · not begun: 3")
            tile = "[...document.querySelectorAll('.tile')].find((each) => each.textContent.includes('Board 4'))"
            await arbiter.until(f"{tile}.innerText.includes('There is no game here in this round.')")
            said = await arbiter.js(f"{tile}.innerText")
            assert not {"White", "Black"} & {*said.split()}
            assert "It begins when Black presses the clock" in await arbiter.js("document.body.innerText")
            await arbiter.click(".tile", "Board 4")
            await arbiter.until("document.querySelector('.turn')?.textContent.startsWith('There is no game here')")
            assert await arbiter.js("document.querySelector('[data-tool=new-game]').hidden")
            crowd = await browser.open(console(daemon).url)
            await crowd.until("document.querySelectorAll('.show').length === 3")
            assert "Board 4" not in await crowd.js("document.body.innerText")
            assert not await crowd.js("!!document.querySelector('a.back')"), "these are all"
            await crowd.js("location.hash = '#4'")
            await crowd.sees("There is no game here in this round.")
            await crowd.click("a.back")
            file.write_text(file.read_text() + "2;4;Gil;Hal\n")
            await crowd.sees("Gil")
            assert not arbiter.complaints + crowd.complaints

    asyncio.run(run())
