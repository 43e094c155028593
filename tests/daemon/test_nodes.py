"""A board that knows several nodes of a broker goes on with the next one where the one in use is gone."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from aiomqtt import ProtocolVersion
from hall import Mosquitto, Subscriber, free_port, make, running, until

from controller.config import Config
from controller.outlets.mqtt import channel
from controller.outlets.mqtt import outlet as mqtt_module
from controller.outlets.mqtt.connection import MqttConfig
from controller.outlets.mqtt.outlet import identifier

pytestmark = pytest.mark.broker
Configure = Callable[..., Config]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt_module, "RETRY_S", (0.1, 0.3))


def test_the_next_node_is_told_all_that_the_last_one_was_not(
    configure: Configure, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    other = Mosquitto(folder)
    nodes = [f"127.0.0.1:{port}" for port in (free_port(), mosquitto.port, other.port)]

    async def scene() -> None:
        async with Subscriber(other.port) as hall, running(configure(mqtt={"hosts": nodes})) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
            assert not hall.on("move")  # the first that answers is used
            mosquitto.kill()
            await make(daemon, "e7e5")
            await until(lambda: [move["uci"] for move in hall.on("move")] == ["e7e5"])
            assert daemon.mqtt[0].port == other.port

    try:
        asyncio.run(scene())
    finally:
        other.kill()


def test_at_each_node_that_binds_a_name_to_itself_a_board_has_another_one() -> None:
    nodes = MqttConfig(hosts=("a", "b", "c:1884")).brokers
    assert len({identifier("board", ProtocolVersion.V311, nodes, node) for node in nodes}) == 3
    assert {identifier("board", ProtocolVersion.V5, nodes, node) for node in nodes} == {"board"}  # it is waited for
    alone = MqttConfig(host="a").brokers
    assert identifier("board", ProtocolVersion.V311, alone, alone[0]) == "board"


def test_nodes_are_called_by_the_first_of_them() -> None:
    assert MqttConfig(hosts=("a", "c:1884"), tls=True).address == "a:8883"
    assert MqttConfig(host="b", hosts=("a",), port=1885).address == "b:1885"


def test_a_head_is_told_anew_while_a_game_lives(
    configure: Configure, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "HEAD_AGAIN_S", 0.1)
    config = configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port})

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await until(lambda: hall.on("head"))
            before = len(hall.on("head"))
            await until(lambda: len(hall.on("head")) > before + 3)
            assert hall.on("head")[-1] == hall.on("head")[-2]

    asyncio.run(scene())
