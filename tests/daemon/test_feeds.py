"""The whole daemon with everything that is published: who plays comes from the pairings, and the public is late."""

import asyncio
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import chess.pgn
import pytest
from double import double, matchsheet
from hall import free_port, make, running, until
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from websockets.asyncio.client import connect

from controller.config import Config
from controller.daemon import pairings, service
from controller.errors import ConfigError, LogError
from controller.outlets.broadcast import outlet as broadcast
from controller.outlets.notices import Notices
from controller.outlets.serving import Served

Configure = Callable[..., Config]
PAIRINGS = "Event;Round;Board;White;White title;White FIDE id;Black\nOpen;3;7;Polgár, Judit;GM;700070;Bo\n"


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "PAUSE_S", 0.01)
    monkeypatch.setattr(pairings, "LOOK_S", 0.02)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pairings.csv"
    path.write_text(PAIRINGS)
    return path


def everything(configure: Configure, folder: Path, file: Path, **event: object) -> Config:
    secret = folder / "secret"
    secret.write_text("between us")
    secret.chmod(0o600)
    return configure(
        event={"pairings": str(file)} | event,
        livechess={"port": free_port()},
        broadcast={"directory": str(folder / "out"), "port": free_port()},
        webhook={"url": f"http://127.0.0.1:{free_port()}/", "secret_file": str(secret)},
    )


def fetch(url: str) -> str:
    with urlopen(url, timeout=5) as answer:
        return str(answer.read().decode())


def test_a_game_is_published_with_the_players_of_the_pairings(configure: Configure, tmp_path: Path, file: Path) -> None:
    config = everything(configure, tmp_path, file)
    assert config.livechess is not None
    assert config.broadcast is not None

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4", "e7e5")
            written = tmp_path / "out/round-3/game-7.pgn"
            together = tmp_path / "out/round-3/games.pgn"  # written after the game's own file
            await until(lambda: written.exists() and together.exists() and "e5" in together.read_text())
            url = f"http://127.0.0.1:{config.broadcast.port}"  # type: ignore[union-attr]
            game = chess.pgn.read_game(io.StringIO(await asyncio.to_thread(fetch, f"{url}/games.pgn")))
            assert game is not None
            assert [node.san() for node in game.mainline()] == ["e4", "e5"]
            named = ("Event", "Round", "Board", "White", "WhiteTitle", "WhiteFideId", "Black")
            assert [game.headers[tag] for tag in named] == ["Open", "3", "7", "Polgár, Judit", "GM", "700070", "Bo"]
            index = json.loads(await asyncio.to_thread(fetch, f"{url}/round-3/index.json"))
            assert index["pairings"][6]["white"]["fideid"] == 700070
            async with connect(f"ws://127.0.0.1:{config.livechess.port}/api/v1.0") as socket:  # type: ignore[union-attr]
                await socket.send('{"id":1,"call":"eboards"}')
                (board,) = json.loads(await socket.recv())["param"]
                assert (board["serialnr"], board["source"], board["state"]) == ("7", "simulated", "ACTIVE")
                assert board["board"] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"

    asyncio.run(scene())


def test_who_plays_is_told_before_the_game_begins(configure: Configure, tmp_path: Path, file: Path) -> None:
    """Readers of LiveChess Cloud ask for each pairing of the index, and for its game."""
    file.write_text(PAIRINGS + "Open;3;8;Ann;;;Cy\n")
    config = everything(configure, tmp_path, file, clock="5400")
    assert config.broadcast is not None
    url = f"http://127.0.0.1:{config.broadcast.port}"

    async def told(path: str) -> Any:
        return json.loads(await asyncio.to_thread(fetch, f"{url}/{path}"))

    async def scene() -> None:
        async with running(config) as daemon:
            await until((tmp_path / "out/tournament.json").exists)
            await until(lambda: daemon.only.session.phase(None).phase == "ready")
            index = await told("round-3/index.json")
            named = {"lname": "Polgár", "fname": "Judit", "title": "GM", "fideid": 700070}
            assert index["pairings"][6]["white"].items() >= named.items()
            assert (index["pairings"][6]["live"], index["pairings"][6]["result"]) == (False, "*")
            event = await told("tournament.json")
            assert event["name"] == "Open"
            assert event["rounds"][2] == {"count": len(index["pairings"]), "live": 0}
            game = await told("round-3/game-7.json")
            assert (game["live"], game["moves"]) == (False, [])
            file.write_text(PAIRINGS.replace(";Bo\n", ";Hou, Yifan\n"))
            written = tmp_path / "out/round-3/index.json"
            await until(lambda: "Yifan" in written.read_text())
            assert not list((tmp_path / "out").rglob("*.pgn")), "tags that may change are never sent"
            await daemon.only.carry_out({"type": "press", "side": "black"})
            await until(lambda: (tmp_path / "out/round-3/game-7.pgn").exists() and '"live":true' in written.read_text())
            tournament = tmp_path / "out/tournament.json"
            await until(lambda: json.loads(tournament.read_text())["rounds"][2] == {"count": 7, "live": 1})

    asyncio.run(scene())


def test_a_game_without_a_result_is_replaced_by_who_insists_and_kept(
    configure: Configure, tmp_path: Path, file: Path
) -> None:
    config = everything(configure, tmp_path, file)
    folder = tmp_path / "out/round-3"

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await daemon.only.carry_out({"type": "new-game"})  # nothing was played
            await make(daemon, "e2e4")
            for insist in ({}, {"insist": False}, {"insist": "yes"}):
                with pytest.raises(LogError, match="a game is on, at ply 1") as refused:
                    await daemon.only.carry_out({"type": "new-game"} | insist)
                assert '"insist": true' in refused.value.next_step
            await until(lambda: (folder / "game-7.pgn").exists())
            await until(lambda: "1. e4" in (folder / "game-7.pgn").read_text())
            await daemon.only.carry_out({"type": "new-game", "insist": True})
            await until(lambda: "1. e4" not in (folder / "game-7.pgn").read_text())
            await until(lambda: list(folder.glob("left-7-*.pgn")))
            (kept,) = folder.glob("left-7-*.pgn")
            assert "1. e4" in kept.read_text()
            await until(lambda: "1. e4" not in (folder / "games.pgn").read_text())

    asyncio.run(scene())


def test_a_delay_keeps_the_public_back_and_nobody_in_the_hall(configure: Configure, tmp_path: Path, file: Path) -> None:
    config = everything(configure, tmp_path, file, delay_min=60)

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            await until(lambda: any("1. e4" in path.read_text() for path in (tmp_path / "games").glob("*.pgn")))
            await asyncio.sleep(0.1)
            assert not list((tmp_path / "out").rglob("*.pgn"))
            await until(lambda: (tmp_path / "out/round-3/index.json").exists())
            index = json.loads((tmp_path / "out/round-3/index.json").read_text())
            assert (index["pairings"][6]["white"]["lname"], index["pairings"][6]["live"]) == ("Polgár", False)
            with pytest.raises(HTTPError):
                await asyncio.to_thread(fetch, f"http://127.0.0.1:{config.broadcast.port}/games.pgn")  # type: ignore[union-attr]

    asyncio.run(scene())


def test_until_the_game_has_ended_only_who_plays_is_told(configure: Configure, tmp_path: Path, file: Path) -> None:
    config = everything(configure, tmp_path, file, delay_min="game-end")

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            path = tmp_path / "out/round-3/game-7.pgn"
            await until(path.exists)
            await asyncio.sleep(0.1)
            assert "Polgár" in path.read_text()
            assert "e4" not in path.read_text()
            await daemon.only.carry_out({"type": "resign", "side": "black"})
            await until(lambda: "1. e4" in path.read_text() and "1-0" in path.read_text())

    asyncio.run(scene())


def test_pairings_that_are_put_right_hold_from_the_next_game_on(
    configure: Configure, tmp_path: Path, file: Path
) -> None:
    file.write_text("Board;Wite;Black\n7;Ann;Bo\n")
    config = configure(event={"pairings": str(file)})

    async def scene() -> None:
        async with running(config) as daemon:
            assert any("Wite" in notice.what for notice in daemon.notices.current)
            for text in (PAIRINGS, PAIRINGS.replace(";Bo\n", ";Hou, Yifan\n")):
                new = tmp_path / "new"
                new.write_text(text)
                os.replace(new, file)  # noqa: PTH105 - what an editor does
                await until(lambda: not daemon.notices.current)
                await asyncio.sleep(0.1)
                await daemon.only.carry_out({"type": "new-game"})
            opening = daemon.journal.last_game("7")
            assert opening is not None
            assert opening.tags["Black"] == "Hou, Yifan"
            await daemon.only.carry_out({"type": "new-game", "white": "Ann"})
            opening = daemon.journal.last_game("7")
            assert opening is not None
            assert (opening.tags["White"], opening.tags.get("WhiteTitle")) == ("Ann", None)
            file.unlink()
            await until(lambda: any(notice.source == "pairings" for notice in daemon.notices.current))

    asyncio.run(scene())


def test_each_board_of_a_match_has_its_alerts_sent(tmp_path: Path) -> None:
    heard: list[dict[str, object]] = []

    async def take(request: Request) -> Response:
        heard.append(json.loads(await request.body()))
        return Response(status_code=204)

    port = free_port()
    secret = tmp_path / "secret"
    secret.write_text("between us")
    secret.chmod(0o600)
    config = double(tmp_path, webhook={"url": f"http://127.0.0.1:{port}/", "secret_file": str(secret)})
    served = Served("elsewhere", Starlette(routes=[Route("/", take, methods=["POST"])]), "127.0.0.1", port, Notices())

    async def scene() -> None:
        elsewhere = asyncio.create_task(served.run())
        async with running(config) as daemon:
            await until(lambda: matchsheet(daemon.journal))
            for board_id in ("A", "B"):
                await daemon.only.carry_out({"type": "press", "side": "white"}, board_id)  # who has not moved
            await until(lambda: {said["board"] for said in heard} == {"A", "B"})
            await asyncio.sleep(0.1)
            assert len({said["seq"] for said in heard}) == len(heard), "each was sent once"
        elsewhere.cancel()
        await asyncio.gather(elsewhere, return_exceptions=True)

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        ({"broadcast": {}, "event": {"board": "A1"}}, "board A1 of"),
        ({"broadcast": {"port": 0}}, "broadcast.port"),
        ({"webhook": {"url": "ftp://x", "secret_file": "s"}}, "expected a URL"),
        ({"lichess": {"round": "https://lichess.org/x", "token_file": "t"}}, "lichess.round"),
        ({"lichess": {"round": "abcd1234", "token_file": "t", "server": "lichess.org"}}, "expected a URL"),
        ({"event": {"delay_min": 61}}, "event.delay_min"),
        ({"event": {"delay_min": "end"}}, "event.delay_min"),
    ],
)
def test_what_cannot_be_published_so_is_said_before_anything_begins(
    configure: Configure, tables: dict[str, dict[str, object]], says: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        configure(**tables)
    assert says in raised.value.what


def test_a_task_that_misses_a_cancellation_keeps_nobody_from_stopping(monkeypatch: pytest.MonkeyPatch) -> None:
    """As asyncio.wait_for does where what it waits for comes in the same moment."""
    monkeypatch.setattr(service, "CANCEL_S", 0.02)
    missed = []

    async def deaf() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            missed.append(True)
        await asyncio.sleep(60)

    async def scene() -> None:
        task = asyncio.create_task(deaf())
        await asyncio.sleep(0)
        await asyncio.wait_for(service.end([task]), 5)
        assert task.cancelled()
        assert missed

    asyncio.run(scene())
