"""No clock, nobody who watches, an illegal move that nobody corrects: what each way out says while play goes on."""

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from elsewhere import ROUND, TOKEN, Alarm, LichessRound, elsewhere
from hall import Mosquitto, Subscriber, free_port, make, need_mosquitto, running, until
from jinja2.sandbox import SandboxedEnvironment
from kit import Board
from strict import Followed, Strict, client

from controller import contract as c
from controller.config import Config, check
from controller.console.shown import score
from controller.daemon.service import Daemon
from controller.journal import Journal
from controller.outlets import lichess, pgn
from controller.outlets.broadcast import cloud
from controller.outlets.broadcast import outlet as broadcast
from controller.outlets.broadcast.pgn import broadcast_pgn
from controller.outlets.follow import Follower
from controller.outlets.homeassistant import device
from controller.outlets.paper import rows
from controller.outlets.scoresheet import Scoresheet
from hardware.boards.simulated import SimulatedBoard

pytestmark = pytest.mark.broker
LEGAL = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "c2c3", "g8f6")
ILLEGAL = "a1a3"
ON = ("d7d6", "d2d3", "a7a6", "h2h3", "h7h6", "e1f1")
BACK = [f"{uci[2:]}{uci[:2]}" for uci in reversed([ILLEGAL, *ON])]
STANDS = "the score stops here: more was played on the board"


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "PAUSE_S", 0.01)
    monkeypatch.setattr(lichess, "PAUSE_S", 0.01)
    monkeypatch.setattr(pgn, "PAUSE_S", 0.01)


def everything(folder: Path, broker: int, server: str, alarm: str) -> Config:
    for name, secret in (("token", TOKEN), ("secret", "between us")):
        (folder / name).write_text(secret)
        (folder / name).chmod(0o600)
    return check(
        {
            "board": {"type": "simulated"},
            "event": {
                "venue": "hall",
                "board": "7",
                "clock": "5400+30",  # and nobody presses: nothing completes the illegal move
                "supervised": False,
                "settings": {"release_ms": 60, "brush_ms": 20},
            },
            "start": {"by": "at-once", "ready_s": 0.1},
            "pgn": {"directory": str(folder / "games")},
            "journal": {"path": str(folder / "journal.sqlite")},
            "mqtt": {"host": "127.0.0.1", "port": broker, "public": True},
            "homeassistant": {},
            "livechess": {"port": free_port()},
            "broadcast": {"directory": str(folder / "out")},
            "lichess": {"round": ROUND, "token_file": str(folder / "token"), "server": server},
            "webhook": {"url": f"{alarm}/alerts", "secret_file": str(folder / "secret")},
        },
        "the test",
    )


async def hands(daemon: Daemon, *moves: str) -> None:
    """What is moved about, whatever the game makes of it; each stands until it would be a move."""
    board = daemon.only.boards[None]
    assert isinstance(board, SimulatedBoard)
    for uci in moves:
        board.electrical.lift(chess.parse_square(uci[:2]))
        await asyncio.sleep(0.04)
        board.electrical.place(chess.parse_square(uci[2:]))
        await asyncio.sleep(0.11)


def read(path: Path) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert game is not None
    assert not game.errors
    return game


def test_every_way_out_says_that_the_score_stands_and_that_it_goes_on(tmp_path: Path) -> None:
    need_mosquitto()
    broker, pushed, alarm = Mosquitto(tmp_path), LichessRound(), Alarm()
    templates = SandboxedEnvironment()
    score = device("hall", "7")["components"]["score"]["value_template"]

    def state(heard: Subscriber, public: bool = False) -> dict[str, Any]:
        """The last one; that for everybody tells all moves."""
        return next(said for said in reversed(heard.on("state")) if ("moves" in said) is public)

    def in_home_assistant(state: dict[str, Any]) -> str:
        return str(templates.from_string(score).render(value_json=state))

    async def scene() -> None:
        async with (
            elsewhere(pushed.app) as at_lichess,
            elsewhere(alarm.app) as at_alarm,
            Subscriber(broker.port) as heard,
        ):
            config = everything(tmp_path, broker.port, at_lichess, at_alarm)
            assert config.livechess is not None
            async with running(config) as daemon:
                await until(lambda: daemon.only.session.playing)
                async with client(config.livechess.port) as socket:
                    page = Strict(socket)
                    await page.subscribe("7")
                    await page.setup(chess.STARTING_FEN)
                    await make(daemon, *LEGAL)
                    await until(lambda: isinstance(page.feeds[-1], Followed) and len(page.feeds[-1].san) == len(LEGAL))
                    assert page.feeds[-1].match  # type: ignore[union-attr]
                    await hands(daemon, ILLEGAL, *ON)

                    file, public = next((tmp_path / "games").glob("*.pgn")), tmp_path / "out/round-1/game-7.pgn"
                    await until(lambda: state(heard)["stalled"] is not None)
                    now = state(heard)
                    assert (now["ply"], now["stalled"]["after_ply"], now["san"]) == (8, 8, "Nf6")
                    await until(lambda: state(heard, public=True)["stalled"] == now["stalled"])
                    assert in_home_assistant(now) == "stands, play goes on"
                    told = [each for each in heard.on("alert") if each["type"] == "stalled"]
                    assert [(each["after_ply"], each["reason"]) for each in told] == [(8, "illegal-move")]
                    await until(lambda: any(b'"type":"stalled"' in body for _, body in alarm.heard))
                    await until(lambda: any(each.source == "score" for each in daemon.notices.current))
                    await until(lambda: not page.feeds[-1].match)  # type: ignore[union-attr]
                    for path in (file, public):
                        await until(lambda path=path: STANDS in path.read_text())
                        end = read(path).end()
                        assert (end.ply(), end.comment) == (8, STANDS)
                    game = tmp_path / "out/round-1/game-7.json"
                    await until(lambda: json.loads(game.read_text())["comment"] == STANDS)
                    await until(lambda: STANDS in pushed.pushes[-1])
                    assert len(pushed.mainline()) == 8

                    await hands(daemon, *BACK)
                    await until(lambda: state(heard)["stalled"] is None)
                    assert in_home_assistant(state(heard)) == "follows"
                    await until(lambda: state(heard, public=True)["stalled"] is None)
                    await until(lambda: page.feeds[-1].match)  # type: ignore[union-attr]
                    await until(lambda: not any(each.source == "score" for each in daemon.notices.current))
                    await make(daemon, "d2d3", "d7d6")
                    for path in (file, public):
                        await until(lambda path=path: STANDS not in path.read_text())
                        await until(lambda path=path: read(path).end().ply() == 10)
                    await until(lambda: len(pushed.mainline()) == 10)
                    page.check()

    try:
        asyncio.run(scene())
    finally:
        broker.kill()


def test_an_illegal_move_that_nobody_rules_on_has_its_place_in_the_score(journal: Journal) -> None:
    """No ``move`` is told of it, and what comes after it has its number all the same, on each way out."""
    board = Board(journal).play("e2e4", "e7e5", "g1f3")
    board.play("b8b5")  # no knight moves so
    board.play("d2d3", "g8f6")
    told = [event.ply for event in board.events if isinstance(event, c.Move)]
    assert told == [1, 2, 3, 5, 6]
    follower = Follower(journal, "7", 0, Scoresheet)
    follower.read()
    sheet = follower.sheet
    assert sheet is not None
    assert (sheet.ply, score(sheet, "en")) == (6, ["e4", "e5", "Nf3", "-- ?!", "d3", "Nf6"])
    assert [(line.number, *(entry.move.san for entry in line.made.values())) for line in rows(sheet.entries)] == [
        ("1", "e4", "e5"),
        ("2", "Nf3", "--"),
        ("3", "d3", "Nf6"),
    ]
    assert "{ after e4 e5 Nf3 -- d3, where something illegal stands } 3... Nf6" in pgn.pgn(sheet)
    assert " ".join(broadcast_pgn(sheet).split()).endswith(
        f"2. Nf3 {{ [%clk 1:29:51] [%emt 0:00:04] }} {{ {STANDS} }} *"
    )
    assert (cloud.game(sheet).comment, len(cloud.game(sheet).moves)) == (STANDS, 3)
    assert [entry.move.san for entry in sheet.entries if not sheet.seen(entry)] == ["--"], "it marks no squares"


def test_of_two_such_moves_each_has_its_place(journal: Journal) -> None:
    board = Board(journal).play("e2e4", "e7e5", "g1f3", "b8c6")
    for move in ("h1h5", "a8d6", "d2d3", "g8f6"):
        board.play(move)
    follower = Follower(journal, "7", 0, Scoresheet)
    follower.read()
    sheet = follower.sheet
    assert sheet is not None
    told = [event.ply for event in board.events if isinstance(event, c.Move)]
    assert told == [1, 2, 3, 4, 7, 8]
    sides = [entry.move.side for entry in sheet.entries]
    assert (sheet.ply, sides) == (8, ["white", "black"] * 4)
    assert score(sheet, "en") == ["e4", "e5", "Nf3", "Nc6", "-- ?!", "-- ?!", "d3", "Nf6"]


def test_a_move_after_it_is_taken_back_alone(journal: Journal) -> None:
    board = Board(journal).play("e2e4", "e7e5", "g1f3", "b8b5", "d2d3")
    board.rule("undo")
    follower = Follower(journal, "7", 0, Scoresheet)
    follower.read()
    assert follower.sheet is not None
    assert score(follower.sheet, "en") == ["e4", "e5", "Nf3", "-- ?!"]
