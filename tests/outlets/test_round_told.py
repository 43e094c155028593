"""The round in force as it comes from the broker, and the games of a board as they are asked for there."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import msgspec
import pytest
from hall import Mosquitto, need_mosquitto, running, until
from kit import Board

from controller.config import Setup, check
from controller.errors import ConfigError
from controller.journal import Journal
from controller.journal.record import Opening
from controller.outlets import questions
from controller.outlets.connection import MqttConfig, client_of
from controller.outlets.follow import Follower
from controller.outlets.pgn import pgn
from controller.outlets.questions import Games, scores
from controller.outlets.scoresheet import Scoresheet
from controller.wire import decode_event

V5 = aiomqtt.ProtocolVersion.V5
BASE = "jadoube/v1/hall"
FIRST = "Round;Board;White;Black\n1;7;Ann;Bo\n1;8;Cid;Dora\n"


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    need_mosquitto()
    broker = Mosquitto(tmp_path)
    yield broker
    broker.kill()


def config_of(folder: Path, **tables: Any) -> Setup:
    raw = {
        "board": {"type": "simulated"},
        "event": {"venue": "hall", "board": "7", "pairings": "broker"},
        "pgn": {"directory": str(folder / "games")},
        "journal": {"path": str(folder / "journal.sqlite")},
    }
    return check(raw | tables, "the test")


async def tell(mosquitto: Mosquitto, text: str) -> None:
    async with client_of(MqttConfig(host="127.0.0.1", port=mosquitto.port), V5) as client:
        await client.publish(f"{BASE}/round", text, qos=1, retain=True)


def test_a_board_takes_its_game_of_the_round_and_keeps_it_without_the_broker(
    tmp_path: Path, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.daemon.pairings.LOOK_S", 0.05)
    config = config_of(tmp_path, mqtt={"host": "127.0.0.1", "port": mosquitto.port})

    def players(daemon: Any) -> tuple[str | None, str | None]:
        tags = daemon.only.table.phase(None).tags
        return tags.get("White"), tags.get("Black")

    def notices(daemon: Any) -> dict[str, str]:
        return {notice.source: notice.what for notice in daemon.notices.current}

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: notices(daemon).get("pairings") == "no round was ever told at the broker")
            await tell(mosquitto, FIRST)
            await until(lambda: players(daemon) == ("Ann", "Bo"))
            await tell(mosquitto, "Rnd;Bord\n1;7\n")
            await until(lambda: "nobody reads the column" in notices(daemon).get("round", ""))
            assert players(daemon) == ("Ann", "Bo")
            await tell(mosquitto, "")
            await tell(mosquitto, FIRST.replace("Ann", "Eve"))
            await until(lambda: players(daemon) == ("Eve", "Bo"))
            assert "round" not in notices(daemon)
        mosquitto.kill()
        async with running(config) as daemon:
            assert players(daemon) == ("Eve", "Bo")
            mosquitto.start()
            await tell(mosquitto, "Round;Board;White;Black\n2;8;Cid;Dora\n")
            await until(lambda: players(daemon) == (None, None))
            assert "pairings" not in notices(daemon), "not every board has a game in each round"

    asyncio.run(scene())


def test_a_round_can_be_told_at_a_broker_of_the_hall_alone(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="has to name the broker"):
        config_of(tmp_path)


@pytest.mark.parametrize(
    ("boards", "said"),
    [
        ([{"number": "1", "at": "pc-2", "board": {"type": "simulated"}}], "board 1 is at pc-2, and has board here"),
        ([{"number": "1", "at": "pc-2"}], "none of them is at this computer"),
    ],
)
def test_a_board_is_in_one_place(boards: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        check({"boards": boards}, "hall.toml")


# -- the games of a board ----------------------------------------------------------------------------------------------


def told(journal: Journal, asked: Games) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """The games of board 7 by the pieces in which they come, and what is said at the end."""
    follower = Follower(journal, "7", 0, Scoresheet)
    while follower.read():
        pass
    *pieces, done = map(msgspec.json.decode, scores(journal, "7", asked, follower))
    found: dict[str, list[Any]] = {}
    for piece in pieces:
        assert piece["type"] == "score"
        assert ("opening" in piece) == (piece["game"] not in found)
        found.setdefault(piece["game"], []).append(piece)
    return found, done


def sheet_of(pieces: list[Any]) -> Scoresheet:
    sheet = Scoresheet(msgspec.convert(pieces[0]["opening"], Opening))
    for piece in pieces:
        for event in piece["events"]:
            sheet.apply(decode_event(json.dumps(event)))
    return sheet


def test_a_game_as_it_is_told_is_the_game_with_its_clocks_and_without_its_touches(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "PIECE", 5)
    Board(journal).play("e2e4", "e7e5", "g1f3", "b8c6", "f1b5").touch("a7").play("a7a6", "b5a4")
    Board(journal, "g2", number="8").play("e2e4")
    follower = Follower(journal, "7", 0, Scoresheet)
    while follower.read():
        pass
    found, done = told(journal, Games())
    assert found.keys() == {"g1"}
    assert len(found["g1"]) > 1, "it comes in pieces"
    assert follower.sheet is not None
    assert pgn(sheet_of(found["g1"])) == pgn(follower.sheet)
    assert "touch" not in {event["type"] for piece in found["g1"] for event in piece["events"]}
    assert (done["seq"], done["origin"]) == (follower.seq, journal.origin)
    assert told(journal, Games(done["seq"], done["origin"]))[0] == {}, "nothing is new"
    assert told(journal, Games(done["seq"], "another"))[0].keys() == {"g1"}, "it was another journal"
    Board(journal, "g3").play("d2d4")
    assert told(journal, Games(done["seq"], done["origin"]))[0].keys() == {"g3"}


def test_games_are_told_to_who_names_a_topic_for_them(tmp_path: Path, mosquitto: Mosquitto) -> None:
    config = config_of(tmp_path, mqtt={"host": "127.0.0.1", "port": mosquitto.port})

    async def scene() -> None:
        async with running(config), client_of(MqttConfig(host="127.0.0.1", port=mosquitto.port), V5) as client:
            await client.subscribe([(f"{BASE}/board/7/{topic}", 1) for topic in ("event", "status")])
            await client.publish(f"{BASE}/board/7/replay", b'{"type":"games"}', qos=1)
            async for message in client.messages:
                assert isinstance(message.payload, bytes)
                said = json.loads(message.payload)
                if said.get("type") == "refused":
                    assert said["cause"] == "no response topic is named"
                    return
                if said.get("state") == "online":
                    await client.publish(f"{BASE}/board/7/replay", b'{"type":"games"}', qos=1)

    asyncio.run(asyncio.wait_for(scene(), 15))
