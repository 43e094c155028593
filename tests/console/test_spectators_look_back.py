"""What spectators make of a game: they step through it, turn the board, take it along, pass it on; and nothing of that
is earlier than the event says.
"""

import asyncio
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from browser import Page
from double import double
from hall import make, running, until
from house import Listener, ask, configuration, console, house, lift, press, ready
from hypothesis import given
from hypothesis import strategies as st
from looks import FAINT_TEXTS, SMALL_TARGETS

from controller import contract as c
from controller.config import Config
from controller.console.shown import CHUNK, line, placed
from controller.daemon.service import Daemon
from controller.journal import Opening
from controller.outlets.scoresheet import Scoresheet

Configure = Callable[..., Config]
KEY = "a secret of this hall"
TAGS = {
    "Event": "Club Open",
    "Round": "4",
    "WhiteTitle": "GM",
    "WhiteElo": "2510",
    "WhiteFederation": "SWE",
    "BlackTeam": "-",
}
STANDS = """[...document.querySelectorAll(".board .pieces .piece")].map((each) => each.dataset.piece
    + "abcdefgh"[each.style.getPropertyValue("--file")] + (8 - each.style.getPropertyValue("--rank"))).sort()"""


def sheet_of(moves: Sequence[chess.Move], board: chess.Board) -> Scoresheet:
    """The scoresheet of these moves, three seconds each."""
    session = c.Session(version=1, clock="600", fen=board.fen())
    sheet = Scoresheet(Opening(game="g", venue="hall", board="7", started="2026-01-01T00:00:00+00:00", session=session))
    for ply, move in enumerate(moves, 1):
        side: c.Side = "white" if board.turn else "black"
        san = board.san(move)
        board.push(move)
        sheet.apply(c.Move(ms=3000 * ply, ply=ply, side=side, uci=move.uci(), san=san, fen=board.fen(), legal=True))
    return sheet


def position(start: str, changes: Sequence[str]) -> str:
    """The FEN after these changes of squares, as the page makes them."""
    board = chess.BaseBoard(start)
    for change in changes:
        for square in change.split():
            board.set_piece_at(
                chess.parse_square(square[:2]), chess.Piece.from_symbol(square[2]) if square[2:] else None
            )
    return board.board_fen()


@given(st.data())
def test_by_the_squares_that_changed_every_position_of_a_game_is_found_again(data: st.DataObject) -> None:
    """Castling, captures en passant, promotions: what is told of them is what stands where."""
    start = data.draw(st.sampled_from([chess.STARTING_FEN, "r3k2r/P1pp4/8/4pP2/8/8/p2PPP1p/R3K2R w KQkq e6 0 1"]))
    board, moves = chess.Board(start), []
    positions = [board.board_fen()]
    for _ in range(data.draw(st.integers(0, 2 * CHUNK + 1))):
        if not (legal := list(board.legal_moves)):
            break
        moves.append(data.draw(st.sampled_from(legal)))
        board.push(moves[-1])
        positions.append(board.board_fen())
    sheet = sheet_of(moves, chess.Board(start))
    told = [each for first in range(0, len(moves), CHUNK) for each in line(sheet, first)]
    changes = [each[0] for each in told]
    found = [position(placed(sheet.start), changes[:ply]) for ply in range(len(moves) + 1)]
    assert found == positions
    assert [each[1] for each in told] == [move.uci() for move in moves]


async def game(daemon: Daemon) -> None:
    """1. e4 d5 2. exd5."""
    for move, side in (("e2e4", "white"), ("d7d5", "black")):
        await make(daemon, move)
        await press(daemon, side)
    await lift(daemon, "d5")
    await make(daemon, "e4d5")
    await press(daemon, "white")


def test_who_plays_in_what_is_told_as_far_as_it_is_known(config: Configure) -> None:
    async def scene() -> None:
        async with running(config(game={"tags": TAGS})) as daemon:
            await ready(daemon)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                head = crowd.boards["7"]["head"]
                assert (head["event"], head["round"], head["white"]) == ("Club Open", "4", "Ada")
                assert head["about"] == {"white": {"title": "GM", "elo": "2510", "federation": "SWE"}, "black": {}}
                await daemon.only.carry_out({"type": "resign", "side": "black"})
                await until(lambda: "board" in crowd.boards["7"])  # it comes after the head
                await until(lambda: crowd.boards["7"]["board"]["score"] == "1-0")

    asyncio.run(scene())


def test_of_a_longer_game_only_what_is_new_is_told(config: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is taken back is gone."""
    for module in ("gallery", "shown"):
        monkeypatch.setattr(f"controller.console.{module}.CHUNK", 2)

    async def scene() -> None:
        async with running(config()) as daemon:
            await ready(daemon)
            async with Listener(f"{console(daemon).url}/events") as crowd:
                await game(daemon)
                await until(lambda: crowd.boards["7"].get("line 1"))
                board = crowd.boards["7"]
                assert [each[0] for each in board["line 0"]] == ["e4P e2", "d7 d5p"]
                assert [each[0] for each in board["line 1"]] == ["d5P e4"]
                times = [event for event in crowd.events if "line 0" in event["boards"].get("7", {})]
                assert len(times) <= 4, "two moves, each made and completed"
            await daemon.only.carry_out({"type": "arbiter", "do": "undo"})
            async with Listener(f"{console(daemon).url}/events") as late:
                assert "line 1" not in late.boards["7"]

    asyncio.run(scene())


def test_the_game_is_had_as_pgn_and_so_are_those_of_other_daemons(tmp_path: Path) -> None:
    def board(number: str, **options: object) -> Config:
        (tmp_path / number).mkdir()
        key = tmp_path / "hall-key"
        key.touch(0o600)
        key.write_text(KEY)
        shared: dict[str, Any] = {"port": 0, "hall_key_file": str(key)}
        event = {"board": number, "clock": "5400+30", "settings": {"release_ms": 60, "brush_ms": 20}}
        return configuration(tmp_path / number, event=event, console=shared | options, game={"tags": TAGS})

    async def boards(url: str) -> list[str]:
        every = io.StringIO((await ask(f"{url}/games.pgn")).body.decode())
        return [each.headers["Board"] for each in iter(lambda: chess.pgn.read_game(every), None)]

    async def scene() -> None:
        async with running(board("7")) as other:
            await ready(other)
            async with running(board("10", others=[console(other).url])) as ours:
                await ready(ours)
                url = console(ours).url
                await until(lambda: console(ours).heard)
                await make(other, "e2e4")
                await until(lambda: b'"e4"' in console(ours).public["en"].since(0))
                answer = await ask(f"{url}/games/7.pgn")
                assert answer.headers["Content-Type"].startswith("application/x-chess-pgn")
                read = chess.pgn.read_game(io.StringIO(answer.body.decode()))
                assert read is not None
                assert (read.headers["Round"], read.headers["WhiteTitle"]) == ("4", "GM")
                assert [move.uci() for move in read.mainline_moves()] == ["e2e4"]
                async with asyncio.timeout(60):  # the own game may be shown later than that of the other daemon
                    while await boards(url) != ["7", "10"]:
                        await asyncio.sleep(0.05)
                tag = answer.headers["ETag"]
                assert (await ask(f"{url}/games/7.pgn", If_None_Match=tag)).status == 304
                assert (await ask(f"{url}/games/11.pgn")).status == 404

    asyncio.run(scene())


@pytest.mark.parametrize("delay", [0.03, "game-end"])
def test_nothing_of_a_game_is_earlier_than_the_event_says(config: Configure, delay: float | str) -> None:
    """Neither in what is taken along nor in the tag of it, nor in the line."""

    async def scene() -> None:
        event = {"venue": "hall", "board": "7", "clock": "5400+30", "settings": {"release_ms": 60, "brush_ms": 20}}
        async with running(config(event=event | {"delay_min": delay})) as daemon:
            await ready(daemon)
            url = console(daemon).url
            await until(lambda: b'"start"' in console(daemon).public["en"].since(0), 5)
            async with Listener(f"{url}/events") as crowd:
                before = [await ask(f"{url}{path}") for path in ("/games/7.pgn", "/games.pgn")]
                await make(daemon, "e2e4")
                await press(daemon, "white")
                soon = [await ask(f"{url}{path}") for path in ("/games/7.pgn", "/games.pgn")]
                for then, now in zip(before, soon, strict=True):
                    assert (now.status, now.body, now.headers["ETag"]) == (then.status, then.body, then.headers["ETag"])
                assert "e4P" not in json.dumps(crowd.events)
                if delay == "game-end":
                    await daemon.only.carry_out({"type": "resign", "side": "black"})
                await until(lambda: "e4P" in json.dumps(crowd.events), 5)
                assert b"1. e4" in (await ask(f"{url}/games/7.pgn")).body

    asyncio.run(scene())


def test_a_match_is_none_that_pgn_can_tell(tmp_path: Any) -> None:
    async def scene() -> None:
        async with running(double(tmp_path, console={"port": 0})) as daemon:  # type: ignore[arg-type]
            await ready(daemon)
            assert (await ask(f"{console(daemon).url}/games/1.pgn")).status == 404

    asyncio.run(scene())


def test_who_comes_after_a_ruling_was_taken_back_can_step_through_the_game(config: Configure) -> None:
    """All its moves were gone with that ruling, and are the same again."""

    async def scene() -> None:
        async with running(config()) as daemon:
            await game(daemon)
            async with Listener(f"{console(daemon).url}/events") as early:
                await until(lambda: len(early.boards["7"].get("line 0", ())) == 3)
                await daemon.only.carry_out({"type": "arbiter", "do": "report", "kind": "wrong-array", "side": "white"})
                await daemon.only.carry_out({"type": "arbiter", "do": "uphold"})
                await until(lambda: not early.boards["7"]["moves"])
                await daemon.only.carry_out({"type": "arbiter", "do": "undo"})
                await until(lambda: len(early.boards["7"]["moves"]) == 3)
                async with Listener(f"{console(daemon).url}/events") as late:
                    await until(lambda: late.boards["7"].get("line 0") == early.boards["7"]["line 0"])

    asyncio.run(scene())


@pytest.mark.browser
def test_a_game_is_stepped_through_by_keys_and_by_its_moves(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(game={"tags": TAGS}), chromium) as (daemon, browser):
            await game(daemon)
            page = await browser.open(console(daemon).url)
            await page.sees("Club Open · Round 4")
            await page.sees("SWE")
            await page.until("document.querySelectorAll('.ply').length === 3")
            assert await page.js("document.querySelector('.face[data-side=white] .player').textContent") == (
                f"GMAda2510 · {await page.js(FLAG)}SWE"
            )
            assert await taken(page) == ["p", ""]
            await page.key("ArrowLeft", 37)
            await page.until("location.hash === '#7/2'")
            board = chess.Board()
            for uci in ("e2e4", "d7d5"):
                board.push_uci(uci)
            assert await page.js(STANDS) == sorted(
                piece.symbol() + chess.square_name(square) for square, piece in board.piece_map().items()
            )
            assert await taken(page) == ["", ""]
            await page.key("Home", 36)
            await page.until("location.hash === '#7/0'")
            assert len(await page.js(STANDS)) == 32
            await page.click(".ply", "d5")
            await page.until("document.querySelector('[aria-current]').textContent === 'd5'")
            await page.key("End", 35)
            await page.until("!location.hash")
            assert await page.js("document.querySelector('.turn').textContent.startsWith('Black to move · 2. exd5')")
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_who_looks_back_stays_there_while_play_goes_on(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            await make(daemon, "e2e4")
            await press(daemon, "white")
            page = await browser.open(f"{console(daemon).url}/#7/0")
            await page.until("document.querySelector('.turn').textContent === 'The beginning'")
            await make(daemon, "d7d5")
            await page.until("document.querySelectorAll('.ply').length === 2")
            assert "Pe2" in await page.js(STANDS)
            await page.click(".menu a", "Français")
            await page.until("document.querySelector('.turn')?.textContent === 'Le début'")
            assert await page.js("location.hash") == "#7/0"
            await page.click("[data-turn]")
            await page.until("document.querySelector('.show').matches('.seen-by-black')")
            assert await page.js("document.querySelector('.take a').download") == "board-7.pgn"
            await page.js("delete Navigator.prototype.share")
            await page.js(
                "Clipboard.prototype.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
            )
            await page.click("[data-share]")
            await page.until(f"document.querySelector('.address').value === '{console(daemon).url}/#7/0'")
            await page.js("delete Navigator.prototype.clipboard, (document.querySelector('.address').value = '')")
            await page.click("[data-share]")
            await page.until(f"document.querySelector('.address').value === '{console(daemon).url}/#7/0'")
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_a_game_fits_a_phone_can_be_touched_and_be_read(config: Configure, chromium: str) -> None:
    async def scene() -> None:
        names = {"white": "Featherstonehaugh-Cholmondeley, Maximilian", "tags": TAGS}
        async with house(config(game=names), chromium) as (daemon, browser):
            await game(daemon)
            page = await browser.open(f"{console(daemon).url}/#7/1", 390, 844)
            await page.until("document.querySelectorAll('.ply').length === 3")
            for scheme in ("light", "dark"):
                await page.prefer(prefers_color_scheme=scheme)
                assert await page.js("document.documentElement.scrollWidth") <= 390
                assert not await page.js(FAINT_TEXTS)
                assert not await page.js(SMALL_TARGETS)
                cut = "document.querySelector('[data-side=white] .player').scrollWidth"
                assert await page.js(f"{cut} <= {cut.replace('scrollWidth', 'clientWidth')}"), "the name stands whole"

    asyncio.run(scene())


async def taken(page: Page) -> list[str]:
    """What White has taken, and Black."""
    letters = "[...document.querySelectorAll('[data-side={}] .taken')].map((each) => each.dataset.piece).join('')"
    return [await page.js(letters.format(side)) for side in ("white", "black")]


FLAG = 'import("/static/flags.js").then(({ flag }) => flag("SWE") && `${flag("SWE")} `)'
