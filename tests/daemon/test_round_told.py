"""The round in force as it comes from the broker, and the games of a board as they are asked for there."""

import asyncio
import json
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from hall import Mosquitto, running, until

from controller.config import Setup, check
from controller.errors import ConfigError
from controller.outlets.mqtt.connection import MqttConfig, client_of

V5 = aiomqtt.ProtocolVersion.V5
BASE = "jadoube/v1/hall"
FIRST = "Round;Board;White;Black\n1;7;Ann;Bo\n1;8;Cid;Dora\n"


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
        tags = daemon.only.session.phase(None).tags
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
            await until(lambda: "round" not in notices(daemon))
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
