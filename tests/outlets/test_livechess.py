"""Programs made for LiveChess run with any board: what they are told, to the key, one ply a message."""

import asyncio
import contextlib
import itertools
import json
import socket
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import chess
import msgspec
import pytest
from hall import free_port, make, running, until
from kit import Board, boards, serving, story, talking
from strict import EBoard, Followed, Shown, Strict, client
from websockets.exceptions import InvalidStatus

from controller import contract as c
from controller.config import check
from controller.errors import DeviceError
from controller.journal import Journal
from controller.outlets.livechess.outlet import LiveChess
from controller.outlets.notices import Notices
from controller.outlets.settings import LiveChessConfig

START = chess.STARTING_FEN


def state(live: LiveChess) -> str | None:
    (board,) = live.boards.eboards()
    return board.state


def get(live: LiveChess, path: str, **headers: str) -> object:
    with urlopen(Request(f"http://127.0.0.1:{live.served.port}/api/v1.0/{path}", headers=headers), timeout=5) as answer:
        return json.load(answer)


def test_the_boards_are_listed_and_ids_come_back_as_they_were(journal: Journal) -> None:
    async def scene() -> None:
        board = Board(journal)
        async with serving(journal) as live, talking(live) as strict:
            answer = await strict.say('{"id": 1.0, "call": "eboards"}')
            assert bytes(answer.id) == b"1.0"
            (seen,) = msgspec.json.decode(answer.param, type=list[EBoard])
            assert (seen.serialnr, seen.source, seen.state, seen.board) == (
                "7",
                "ttyACM0",
                "ACTIVE",
                START.split()[0],
            )
            assert seen.clock is not None
            assert (seen.clock.white, seen.clock.black, seen.clock.run) == (5400, 5400, True)
            board.give(c.Resign, side="white")
            await until(lambda: state(live) == "INACTIVE")
            (shown,) = live.boards.eboards()
            assert shown.clock is not None
            assert shown.clock.run is None

    asyncio.run(scene())


def test_a_strict_client_takes_every_message_of_a_game_with_corrections(journal: Journal) -> None:
    """One ply a message, and what stood in the meantime is never told as a game."""

    async def scene() -> None:
        board = Board(journal)
        async with serving(journal) as live, talking(live) as strict, talking(live) as plain:
            for each in (strict, plain):
                assert (await each.subscribe("7")).response == "call"
            await strict.setup(START)
            for _ in story(board):
                await asyncio.sleep(0.03)
            await until(lambda: (sheet := live.boards.sheet("7")) is not None and sheet.result is not None)
            await until(lambda: plain.feeds[-1].clock.run is None and plain.feeds[-1].board == board.placement)
            assert all(isinstance(feed, Shown) for feed in plain.feeds)
            assert plain.feeds[-1].board == board.placement
            lines = strict.lines
            assert all(abs(len(now) - len(before)) <= 1 for before, now in itertools.pairwise(lines))
            assert lines[-1] == ["e4", "e5", "Bc4", "Nc6", "Qf3", "Nh6", "Nc3", "Bc5"], "two moves were put right"
            last = strict.feeds[-1]
            assert isinstance(last, Followed)
            assert last.board == board.placement

    asyncio.run(scene())


def test_a_move_taken_back_and_made_again_goes_on(journal: Journal) -> None:
    async def scene() -> None:
        board = Board(journal)
        async with serving(journal) as live, talking(live) as strict:
            await strict.subscribe("7")
            await strict.setup(START)
            board.play("e2e4").make("e7e5")
            await until(lambda: strict.lines and strict.lines[-1] == ["e4", "e5"])
            board.rule("pause", "undo")
            await until(lambda: not strict.feeds[-1].match)  # type: ignore[union-attr]
            assert strict.lines[-1] == ["e4", "e5"]
            board.put("e5e7").wait(2000).rule("resume").play("e7e5", "g1f3")
            await until(lambda: strict.lines[-1] == ["e4", "e5", "Nf3"])
            assert strict.feeds[-1].match  # type: ignore[union-attr]

    asyncio.run(scene())


def test_who_comes_late_is_brought_up_one_ply_a_message(journal: Journal) -> None:
    async def scene() -> None:
        Board(journal).play("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
        async with serving(journal) as live, talking(live) as strict:
            await strict.subscribe("7")
            await strict.setup("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2")
            await until(lambda: strict.lines and len(strict.lines[-1]) == 3)
            assert [line for line in strict.lines if line] == [["Nf3"], ["Nf3", "Nc6"], ["Nf3", "Nc6", "Bb5"]]

    asyncio.run(scene())


def test_a_position_that_is_not_there_matches_nothing_until_it_is(journal: Journal) -> None:
    async def scene() -> None:
        board = Board(journal).play("e2e4")
        async with serving(journal) as live, talking(live) as strict:
            await strict.subscribe("7")
            await strict.setup("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
            await until(lambda: strict.lines)
            assert (strict.lines[-1], strict.feeds[-1].match) == ([], False)  # type: ignore[union-attr]
            board.play("e7e5", "g1f3")
            await until(lambda: strict.lines[-1] == ["Nf3"])

    asyncio.run(scene())


def test_the_next_game_is_followed_only_when_it_is_set_up(journal: Journal) -> None:
    async def scene() -> None:
        Board(journal).play("e2e4")
        async with serving(journal) as live, talking(live) as strict:
            await strict.subscribe("7")
            await strict.setup(START)
            await until(lambda: strict.lines and strict.lines[-1] == ["e4"])
            Board(journal, "g2").play("d2d4", "d7d5")
            await until(lambda: (sheet := live.boards.sheet("7")) is not None and sheet.ply == 2)
            await until(lambda: not strict.feeds[-1].match)  # type: ignore[union-attr]
            assert strict.lines[-1] == ["e4"]
            await strict.setup(START)
            await until(lambda: strict.lines[-1] == ["d4", "d5"])

    asyncio.run(scene())


def test_a_board_shown_the_other_way_round(journal: Journal) -> None:
    async def scene() -> None:
        Board(journal).play("e2e4")
        async with serving(journal) as live, talking(live) as strict:
            await strict.subscribe("7")
            await until(lambda: strict.feeds)
            await strict.ask(id=4, call="call", param={"id": 1, "method": "flip", "param": {"flip": True}})
            await until(lambda: strict.feeds[-1].flipped)
            assert strict.feeds[-1].board == "RNBKQBNR/PPP1PPPP/8/3P4/8/8/pppppppp/rnbkqbnr"
            await strict.ask(id=5, call="unsubscribe", param={"id": 1})

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("text", "id_", "says"),
    [
        ("{", b"null", "truncated"),
        ('{"id": 9, "call": "dance"}', b"9", "dance"),
        (
            '{"id": 9, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": "8"}}}',
            b"9",
            "8",
        ),
        (
            '{"id": 9, "call": "subscribe", "param": {"feed": "weather", "id": 1, "param": {"serialnr": "7"}}}',
            b"9",
            "weather",
        ),
        ('{"id": 9, "call": "call", "param": {"id": 5, "method": "flip", "param": {"flip": true}}}', b"9", "feed 5"),
        ('{"id": 9, "call": "call", "param": {"id": 5, "method": "jump", "param": {}}}', b"9", "jump"),
    ],
)
def test_what_makes_no_sense_is_an_error_and_the_talk_goes_on(
    journal: Journal, text: str, id_: bytes, says: str
) -> None:
    async def scene() -> None:
        async with serving(journal) as live, talking(live) as strict:
            answer = await strict.say(text)
            assert (answer.response, bytes(answer.id)) == ("error", id_)
            assert says in msgspec.json.decode(answer.param)["message"]
            assert (await strict.subscribe("7")).response == "call"
            assert (await strict.setup("no position")).response == "error"

    asyncio.run(scene())


def test_only_pages_of_the_sites_named_may_ask(journal: Journal) -> None:
    async def scene() -> None:
        Board(journal)
        async with serving(journal) as live:
            with pytest.raises(InvalidStatus) as refused:
                async with client(live.served.port, origin="https://evil.example"):
                    pass
            assert refused.value.response.status_code == 403
            async with client(live.served.port, origin="https://lichess.org"):
                pass
            with pytest.raises(HTTPError) as misled:  # a name of elsewhere that was made to lead here
                await asyncio.to_thread(get, live, "eboards", Host="evil.example")
            assert misled.value.code == 400

    asyncio.run(scene())


def test_a_board_that_does_not_answer_is_said_to_be_so(journal: Journal) -> None:
    notices = Notices()
    live = LiveChess(LiveChessConfig(), boards(journal, notices), notices)
    notices.set("board", DeviceError("the board is gone"))
    assert state(live) == "NOTRESPONDING"


def test_a_port_that_is_taken_is_a_notice(journal: Journal) -> None:
    async def scene() -> None:
        async with serving(journal) as live:
            notices = Notices()
            config = LiveChessConfig(port=live.served.port)
            other = asyncio.create_task(LiveChess(config, boards(journal, notices), notices).run())
            await until(lambda: notices.current)
            assert "listened" in notices.current[0].what
            assert f":{config.port}" in notices.current[0].next_step
            other.cancel()
            await asyncio.gather(other, return_exceptions=True)

    asyncio.run(scene())


def test_livechess_tells_what_stands_on_the_board_before_a_game(tmp_path: Path) -> None:
    """Who waits for his position can attach before a clock runs, and hears no moves of another game."""
    port = free_port()
    config = check(
        {
            "board": {"type": "simulated"},
            "event": {"board": "7", "clock": "5400", "settings": {"release_ms": 60, "brush_ms": 20}},
            "start": {"ready_s": 0.1},
            "livechess": {"port": port},
            "pgn": {"directory": str(tmp_path / "games")},
            "journal": {"path": str(tmp_path / "journal.sqlite")},
        },
        "the test",
    )
    start = chess.STARTING_BOARD_FEN

    async def scene() -> None:
        def listens() -> bool:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        async with contextlib.AsyncExitStack() as stack:
            daemon = await stack.enter_async_context(running(config))
            await until(listens)
            strict = Strict(await stack.enter_async_context(client(port)))
            await strict.subscribe("7")
            await until(lambda: strict.feeds and strict.feeds[-1].board == start)
            await strict.setup(chess.STARTING_FEN)
            await until(lambda: isinstance(strict.feeds[-1], Followed))
            assert strict.feeds[-1].match  # type: ignore[union-attr]
            await daemon.only.carry_out({"type": "press", "side": "black"})
            await make(daemon, "e2e4")
            await until(lambda: strict.lines[-1] == ["e4"])
            await daemon.only.carry_out({"type": "resign", "side": "black"})
            board = daemon.only.boards[None].electrical  # type: ignore[attr-defined]
            board.lift(chess.E4)
            board.place(chess.E2)
            await until(lambda: strict.feeds[-1].board == start)
            (told,) = msgspec.json.decode((await strict.say('{"id":9,"call":"eboards"}')).param)
            assert told["board"] == start
            told_before = len(strict.lines)
            await strict.setup(chess.STARTING_FEN)
            await until(lambda: strict.feeds[-1].match and not strict.lines[-1])  # type: ignore[union-attr]
            await daemon.only.carry_out({"type": "press", "side": "black"})
            await make(daemon, "d2d4")
            await until(lambda: strict.lines[-1] == ["d4"])
            assert ["e4"] not in strict.lines[told_before:]
            strict.check()

    asyncio.run(scene())
