"""What is broadcast is whole and readable at every moment, keeps its tags, and is told as each format can tell it."""

import asyncio
import contextlib
import io
import json
import threading
from collections.abc import AsyncIterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import msgspec
import pytest
from hall import free_port, until
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit import TAGS, Board, story

from controller import contract as c
from controller.journal import Journal
from controller.outlets import writing
from controller.outlets.broadcast import cloud
from controller.outlets.broadcast import outlet as module
from controller.outlets.broadcast.outlet import GAMES, Broadcast, telling
from controller.outlets.broadcast.pgn import broadcast_pgn
from controller.outlets.broadcast.web import broadcast_app
from controller.outlets.follow import Follower
from controller.outlets.notices import Notices
from controller.outlets.pgn import pgn
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.serving import Served
from controller.outlets.settings import BroadcastConfig


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0.005)
    monkeypatch.setattr(writing, "RETRY_S", 0.05)


def read(text: str) -> list[chess.pgn.Game]:
    """Every game of a PGN; what python-chess finds wrong fails."""
    stream, games = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert game.errors == []
        games.append(game)
    return games


def sans(game: chess.pgn.Game) -> list[str]:
    return [node.san() for node in game.mainline()]


def sheet_of(journal: Journal, board: str = "7") -> Scoresheet:
    follower = Follower(journal, board, 0, Scoresheet)
    while follower.read():
        pass
    assert follower.sheet is not None
    return follower.sheet


@contextlib.asynccontextmanager
async def broadcasting(journal: Journal, folder: Path) -> AsyncIterator[Notices]:
    notices = Notices()
    outlet = Broadcast(BroadcastConfig(directory=str(folder)), "7", 7, journal, notices, GAMES)
    task = asyncio.create_task(outlet.run())
    try:
        yield notices
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


# -- at every moment -----------------------------------------------------------------------------------------------


OF_THE_END = ("Result", "Termination")
"""The tags that come with it: by none of these is a game recognised."""


def test_each_step_of_a_game_with_corrections_can_be_read_and_no_tag_drifts(journal: Journal) -> None:
    board, tags = Board(journal), set()
    for _ in story(board):
        sheet = sheet_of(journal)
        for text in (pgn(sheet), broadcast_pgn(sheet)):
            (game,) = read(text)
            assert game.end().board().board_fen() == chess.Board(sheet.fen).board_fen()
            tags.add(tuple((name, value) for name, value in game.headers.items() if name not in OF_THE_END))
    assert len(tags) == 1
    assert game.headers["Result"] == "1-0"
    assert sans(game) == ["e4", "e5", "Bc4", "Nc6", "Qf3", "Nh6", "Nc3", "Bc5"]
    assert game.end().comment == "[%clk 0:18:15] [%emt 0:00:10]", "as the arbiter set it, in whole seconds"


DEEDS = ("move", "touched", "illegal", "uphold", "dismiss", "undo", "pause", "resume", "restore", "press", "draw")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    deeds=st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 99)), max_size=14),
    clock=st.sampled_from(["300", None]),
)
def test_whatever_happens_it_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[tuple[str, int]], clock: str | None
) -> None:
    journal = Journal(tmp_path_factory.mktemp("any") / "journal.sqlite")
    try:
        board = Board(journal, clock=clock)
        for deed, number in deeds:
            _do(board, deed, number)
            sheet = sheet_of(journal)
            read(pgn(sheet))
            (game,) = read(broadcast_pgn(sheet))
            assert game.headers["White"] == "Ada, Lovelace"
            usual = "FEN" not in game.headers  # else that format cannot tell the moves
            assert len(cloud.game(sheet).moves) == (len(sans(game)) if usual else 0)
    finally:
        journal.close()


def _do(board: Board, deed: str, number: int) -> None:
    """One of many things that happen, chosen by ``number`` where there is a choice."""
    position = chess.Board(board.fen)
    legal = [move for move in position.legal_moves if not move.promotion and not position.is_castling(move)]
    others = [move for move in position.pseudo_legal_moves if move not in position.legal_moves]
    match deed:
        case "move" | "touched" if legal:
            if deed == "touched":
                board.touch(chess.square_name(legal[-1 - number % len(legal)].from_square))
            board.make(legal[number % len(legal)].uci())
        case "illegal":
            square = chess.square_name(legal[number % len(legal)].from_square) if legal else "e1"
            board.make(others[number % len(others)].uci() if others else f"{square}{'h5' if square != 'h5' else 'h4'}")
        case "restore":
            for item in _corrections(board, chess.Board(board.fen)):
                board.give(item[0], square=item[1])
            board.wait(2000)
        case "press":
            board.give(c.Press, side="white" if number % 2 else "black")
        case "draw" if number % 10 == 0:
            board.give(c.Arbiter, do="result", result="1/2-1/2")
        case "uphold" | "dismiss" | "undo" | "pause" | "resume":
            board.rule(deed)
        case _:
            board.wait(1000)


def _corrections(board: Board, position: chess.Board) -> list[tuple[type[c.Input], str]]:
    """What sets the pieces as the game has them."""
    steps: list[tuple[type[c.Input], str]] = []
    for square in chess.SQUARES:
        there, due = bool(board.game.state.readings[square]), position.piece_at(square) is not None
        if there != due:
            steps.append((c.Place if due else c.Lift, chess.square_name(square)))
    return sorted(steps, key=lambda step: step[0] is c.Place)


def test_what_stands_illegally_is_told_up_to_there_and_the_result_all_the_same(journal: Journal) -> None:
    """Whoever follows live has the moves before, and could not take a game that begins anew."""
    Board(journal).play("e2e4", "e7e5")
    sheet = sheet_of(journal)
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/3N4/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    sheet.apply(c.Move(ms=9, side="white", uci="g1d3", san="Nd3", fen=fen, ply=3, legal=False))
    after = chess.Board(fen)
    after.push_uci("d7d6")
    sheet.apply(c.Move(ms=10, side="black", uci="d7d6", san="d6", fen=after.fen(), ply=4))
    sheet.apply(c.Result(ms=11, result="0-1", reason="time", article="6.9", status="final"))
    (game,) = read(broadcast_pgn(sheet))
    assert (sans(game), game.headers["Result"]) == (["e4", "e5"], "0-1")
    assert "FEN" not in game.headers
    (whole,) = read(pgn(sheet))
    assert sans(whole) == ["d6"], "the file of the game tells the rest from where it stands"
    assert len(cloud.game(sheet).moves) == 2


def test_who_polls_the_folder_never_meets_half_a_file(journal: Journal, tmp_path: Path) -> None:
    """Polled all the time, which is more often than every 10 ms."""
    folder, met, done = tmp_path / "out", dict[str, set[str]](), threading.Event()

    def poll() -> None:
        while not done.wait(0.002):
            for path in [*folder.glob("round-*/*.pgn"), *folder.glob("**/*.json")]:
                met.setdefault(path.name, set()).add(path.read_text("utf-8"))

    async def scene() -> None:
        async with broadcasting(journal, folder):
            reader = threading.Thread(target=poll)
            reader.start()
            board = Board(journal)
            for _ in story(board):
                await asyncio.sleep(0.03)
            await until(lambda: "1-0" in (folder / "round-3/games.pgn").read_text())
            done.set()
            reader.join()

    asyncio.run(scene())
    assert {"game-7.pgn", "games.pgn", "game-7.json", "index.json", "tournament.json"} == met.keys()
    assert len(met["game-7.pgn"]) > 1  # more than one state of it was read, or nothing is shown here
    for text in met["game-7.pgn"] | met["games.pgn"]:
        (game,) = read(text)
        assert game.headers["Event"] == "Club – été"
    for name, kind in (
        ("game-7.json", cloud.CloudGame),
        ("index.json", cloud.Index),
        ("tournament.json", cloud.CloudTournament),
    ):
        for text in met[name]:
            msgspec.json.decode(text, type=kind)


# -- the folder ----------------------------------------------------------------------------------------------------


def test_the_boards_of_a_hall_share_a_folder_and_make_a_round(tmp_path: Path) -> None:
    boards: dict[int, Scoresheet] = {}
    with contextlib.ExitStack() as stack:
        for number, first in ((2, "d2d4"), (10, "c2c4"), (1, "e2e4")):
            journal = stack.enter_context(contextlib.closing(Journal(tmp_path / f"{number}.sqlite")))
            tags = TAGS | {"White": f"Player, {number}", "WhiteTitle": "WGM", "WhiteFederation": "NOR"}
            Board(journal, f"g{number}", tags, str(number)).play(first)
            follower = Follower(journal, str(number), 0, Scoresheet)
            while follower.read():
                pass
            assert follower.sheet is not None
            boards[number] = follower.sheet
        writers = [
            threading.Thread(target=telling(sheet, number), args=(tmp_path / "out",))
            for number, sheet in boards.items()
        ]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
    games = read((tmp_path / "out/round-3/games.pgn").read_text())
    assert [(game.headers["Board"], sans(game)) for game in games] == [("1", ["e4"]), ("2", ["d4"]), ("10", ["c4"])]
    index = json.loads((tmp_path / "out/round-3/index.json").read_text())
    assert [pairing["white"]["fname"] for pairing in index["pairings"]] == ["1", "2", *[None] * 7, "10"]
    nobody = dict.fromkeys(("fname", "mname", "lname", "title", "federation", "gender", "fideid"))
    assert index["pairings"][9] == {
        "white": nobody | {"fname": "10", "lname": "Player", "title": "WGM", "federation": "NOR", "fideid": 12},
        "black": nobody | {"lname": "Bo"},
        "result": "*",
        "live": True,
    }
    tournament = json.loads((tmp_path / "out/tournament.json").read_text())
    assert tournament["rounds"][2] == {"count": 10, "live": 3}, "readers count the boards up to there"
    assert tournament["eboards"] == ["1", "2", "10"]


def test_a_game_as_live_chess_cloud_has_it(journal: Journal) -> None:
    board = Board(journal).play("e2e4", "e7e5").make("g1f3")
    board.give(c.Resign, side="black")
    assert json.loads(msgspec.json.encode(cloud.game(sheet_of(journal)))) == {
        "live": False,
        "serialNr": "7",
        "firstMove": 1772645403400,
        "chess960": 518,
        "result": "WHITEWIN",
        "comment": None,
        "clock": None,
        "moves": ["e4 5395+5", "e5 5396+4", "Nf3 5391+4"],
    }


def test_nothing_is_written_where_nothing_has_changed(journal: Journal, tmp_path: Path) -> None:
    Board(journal).play("e2e4")
    sheet = sheet_of(journal)
    telling(sheet, 7)(tmp_path)
    before = {path: path.stat().st_ino for path in tmp_path.rglob("*.*n")}
    telling(sheet, 7)(tmp_path)
    assert {path: path.stat().st_ino for path in tmp_path.rglob("*.*n")} == before
    assert len(before) == 5


def test_a_restart_does_not_write_the_game_before_over_the_one_that_is_on(journal: Journal, tmp_path: Path) -> None:
    async def scene() -> None:
        Board(journal).play("e2e4", "e7e5").give(c.Resign, side="black")
        Board(journal, game="later").play("d2d4")
        async with broadcasting(journal, tmp_path):
            path = tmp_path / "round-3" / "game-7.pgn"
            await until(path.exists)
            assert "d4" in path.read_text("utf-8")

    asyncio.run(scene())


def test_a_folder_that_cannot_be_written_is_a_notice_until_it_can(journal: Journal, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.write_text("a file where the folder should be")

    async def scene() -> None:
        Board(journal).play("e2e4")
        async with broadcasting(journal, folder) as notices:
            await until(lambda: notices.current)
            folder.unlink()
            await until(lambda: not notices.current)
            assert (folder / "round-3/game-7.pgn").exists()

    asyncio.run(scene())


# -- the URL -------------------------------------------------------------------------------------------------------


def fetch(port: int, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()


def test_the_round_by_url(journal: Journal, tmp_path: Path) -> None:
    async def get(path: str, **headers: str) -> tuple[int, dict[str, Any], str]:
        return await asyncio.to_thread(fetch, served.port, path, **headers)

    async def scene() -> None:
        task = asyncio.create_task(served.run())
        await served.up.wait()
        assert (await get("/games.pgn"))[0] == 404
        board = Board(journal).play("e2e4")
        telling(sheet_of(journal), 7)(tmp_path)
        status, headers, text = await get("/games.pgn")
        assert status == 200
        assert headers["content-type"] == "application/x-chess-pgn; charset=utf-8"
        assert headers["etag"].startswith('"')
        assert read(text)[0].headers["Event"] == "Club – été"
        for known in (headers["etag"], f"W/{headers['etag']}", f'"x", {headers["etag"]}'):
            status, again, text = await get("/games.pgn", If_None_Match=known)
            assert (status, again["etag"], text) == (304, headers["etag"], "")
        board.play("e7e5")
        telling(sheet_of(journal), 7)(tmp_path)
        status, later, text = await get("/games.pgn", If_None_Match=headers["etag"])
        assert (status, later["etag"] != headers["etag"], sans(read(text)[0])) == (200, True, ["e4", "e5"])
        for path in ("/round-3/games.pgn", "/round-3/game-7.pgn"):
            assert (await get(path))[2] == text
        assert json.loads((await get("/round-3/game-7.json"))[2])["moves"][0] == "e4 5395+5"
        for path in ("/tournament.json", "/round-3/index.json"):
            status, headers, _ = await get(path, Origin="https://view.example")
            assert (status, headers["access-control-allow-origin"]) == (200, "*")
        for path in ("/round-4/games.pgn", "/round-3/../.lock", "/.lock", "/round-3/game-x.pgn"):
            assert (await get(path))[0] == 404
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    served = Served("broadcast", broadcast_app(tmp_path), "127.0.0.1", free_port(), Notices())
    asyncio.run(scene())
