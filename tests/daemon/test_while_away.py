"""What is commanded while the board is away is answered when it is back, and never carried out late or twice."""

import asyncio
import contextlib
import json
import logging
import random
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiomqtt
import msgspec
import pytest
from hall import Mosquitto, make, running, until
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from secured import hearing

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))

from broker_network import Network

from controller.config import Config
from controller.contract import Session
from controller.daemon import service
from controller.daemon.service import Daemon
from controller.journal import Journal, Opening
from controller.journal.pages import beside
from controller.outlets.mqtt import channel as channel_module
from controller.outlets.mqtt import connection, inbox
from controller.outlets.mqtt import outlet as mqtt_module
from controller.outlets.mqtt.channel import Channel, Feed
from controller.outlets.mqtt.command import Fields
from controller.outlets.mqtt.connection import MqttConfig
from controller.outlets.mqtt.memory import Memory
from controller.outlets.mqtt.outlet import MqttOutlet
from controller.outlets.mqtt.signed import sign
from controller.outlets.notices import Notices
from controller.outlets.scoresheet import Scoresheet
from controller.wire import decode_input

pytestmark = pytest.mark.broker
V5 = aiomqtt.ProtocolVersion.V5
BASE = "jadoube/v1/hall/board/7"
PAUSE = b'{"type":"arbiter","do":"pause"}'


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt_module, "RETRY_S", (0.05, 0.2))
    monkeypatch.setattr(connection, "PATIENCE_S", 1.0)
    monkeypatch.setattr(service, "DRAIN_S", 0.5)


@pytest.fixture
def config(configure: Callable[..., Config], mosquitto: Mosquitto) -> Config:
    return configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port})


def client(port: int) -> aiomqtt.Client:
    return aiomqtt.Client("127.0.0.1", port, protocol=V5)


def answers(heard: list[aiomqtt.Message]) -> list[dict[str, Any]]:
    said = [json.loads(message.payload) for message in heard if message.topic.value != f"{BASE}/status"]
    return [payload for payload in said if payload.get("type") in ("done", "refused")]


def statuses(heard: list[aiomqtt.Message]) -> list[dict[str, Any]]:
    return [json.loads(message.payload) for message in heard if message.topic.value == f"{BASE}/status"]


def commands(daemon: Daemon) -> list[str]:
    items = [decode_input(record.body) for record in daemon.journal.after(0, 10_000) if record.kind == "input"]
    return [type(item).__name__ for item in items if type(item).__name__ in ("Arbiter", "Resign")]


async def begun(daemon: Daemon, heard: list[aiomqtt.Message], times: int = 1) -> None:
    await until(lambda: daemon.only.session.playing and daemon.mqtt and daemon.mqtt[0]._first_channel._here.is_set())
    await until(lambda: len({said["connected_at"] for said in statuses(heard) if said["state"] == "online"}) >= times)


def test_what_is_commanded_while_the_daemon_is_down_is_refused_when_it_is_back(
    config: Config, mosquitto: Mosquitto
) -> None:
    async def scene() -> None:
        sender = client(mosquitto.port)
        async with hearing(sender, f"{BASE}/event", f"{BASE}/status") as heard:
            async with running(config) as daemon:
                await begun(daemon, heard)
            for command in (PAUSE, b'{"type":"resign","side":"white"}', b"nonsense"):
                await sender.publish(f"{BASE}/cmd/anna", command, qos=1)
            async with running(config) as daemon:
                await until(lambda: len(answers(heard)) == 3)
                assert {answer["type"] for answer in answers(heard)} == {"refused"}
                why = ["while the board was away" in answer["what"] for answer in answers(heard)]
                assert sorted(why) == [False, True, True]
                assert any("malformed" in answer["what"] for answer in answers(heard))
                assert all(answer["cause"] and answer["next_step"] for answer in answers(heard))
                await begun(daemon, heard, times=2)
                assert commands(daemon) == []
                await sender.publish(f"{BASE}/cmd/anna", PAUSE, qos=1)
                await until(lambda: answers(heard)[-1]["type"] == "done")
                assert commands(daemon) == ["Arbiter"]

    asyncio.run(scene())


def test_a_command_that_is_retained_is_refused_once_and_never_carried_out(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        sender = client(mosquitto.port)
        async with hearing(sender, f"{BASE}/event", f"{BASE}/status") as heard:
            async with running(config) as daemon:
                await begun(daemon, heard)
            await sender.publish(f"{BASE}/cmd", PAUSE, qos=1, retain=True)
            for times in (2, 3):
                async with running(config) as daemon:
                    await begun(daemon, heard, times)
                    await sender.publish(f"{BASE}/cmd", b'{"type":"nothing"}', qos=1)
                    await until(
                        lambda times=times: sum("nothing" in one["what"] for one in answers(heard)) == times - 1
                    )
                    assert commands(daemon) == []
                    assert sum("while the board was away" in answer["what"] for answer in answers(heard)) == 1

    asyncio.run(scene())


def test_a_signed_command_that_was_refused_so_is_used_up(
    configure: Callable[..., Config], mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """Who gave it was told that nothing came of it."""
    keys = tmp_path / "keys"
    keys.touch(0o600)
    keys.write_text(f"anna {bytes(32).hex()}\n")
    config = configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port, "keys_file": str(keys)})
    Memory(beside(Path(config.journal.path), "-mqtt"), 0)

    async def scene() -> None:
        sender = client(mosquitto.port)
        async with hearing(sender, f"{BASE}/event", f"{BASE}/status") as heard:
            async with running(config) as daemon:
                await begun(daemon, heard)
            in_time = time.time_ns() // 1_000_000 + 30_000  # by a clock that is ahead: after the next start
            command = sign(bytes(32), BASE, "anna", in_time, PAUSE.decode())
            await sender.publish(f"{BASE}/cmd", command, qos=1)
            async with running(config) as daemon:
                await begun(daemon, heard, times=2)
                await sender.publish(f"{BASE}/cmd", command, qos=1)
                await until(lambda: len(answers(heard)) == 2)
                away, again = answers(heard)
                assert "while the board was away" in away["what"]
                assert "came before" in again["what"]
                assert commands(daemon) == []

    asyncio.run(scene())


def test_who_asked_for_events_meanwhile_is_told_them(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        reader = client(mosquitto.port)
        async with hearing(reader, f"{BASE}/event", f"{BASE}/status") as heard:
            async with running(config) as daemon:
                await begun(daemon, heard)
                await make(daemon, "e2e4")
            for _ in range(50):  # it asks again and again, and is answered once
                await reader.publish(f"{BASE}/replay", b'{"type":"replay","after":0}', qos=1)
            async with running(config):
                await until(lambda: answers(heard))
                again = [json.loads(message.payload) for message in heard if b'"replayed":true' in message.payload]
                assert [event["type"] for event in again].count("move") == 1
                assert [answer["type"] for answer in answers(heard)] == ["done"]

    asyncio.run(scene())


def test_a_last_will_says_of_which_connection_it_is_and_nothing_that_it_cannot_know(
    config: Config, mosquitto: Mosquitto
) -> None:
    """A receiver that orders by ``seq`` would take it for old, and the board for there."""

    async def scene() -> None:
        async with Network(mosquitto.port, random.Random(1)) as network:
            behind = msgspec.structs.replace(config, mqtt=MqttConfig(host="127.0.0.1", port=network.port))
            async with hearing(client(mosquitto.port), f"{BASE}/status") as heard, running(behind) as daemon:
                await begun(daemon, heard)
                await make(daemon, "e2e4")
                network.refusing = True
                network.reset()
                await until(lambda: statuses(heard)[-1]["state"] == "offline")
                lost = statuses(heard)[-1]
                assert lost == {"state": "offline", "connected_at": lost["connected_at"], "notices": []}
                assert lost["connected_at"] == statuses(heard)[-2]["connected_at"]
                network.heal()
                await until(lambda: statuses(heard)[-1]["state"] == "online")
                assert statuses(heard)[-1]["connected_at"] > lost["connected_at"]
                assert statuses(heard)[-1]["ply"] == 1

    asyncio.run(scene())


class Outlet:
    """The real one, behind a network that fails; commands are carried out once somebody lets them."""

    def __init__(self, folder: Path, port: int) -> None:
        self.journal = Journal(folder / "journal.sqlite")
        opening = Opening(game="g", venue="hall", board="7", started="2026-01-01", session=Session(version=1))
        self.journal.begin(opening).result(5)
        self.go_on = asyncio.Event()
        self.carried_out: list[Fields] = []
        memory = Memory(folder / "memory", 0)
        config = MqttConfig(host="127.0.0.1", port=port)
        feed = Feed("board/7", "7", Scoresheet)
        self.channel = Channel(config, "hall", feed, self.journal, Notices(), memory, self.carry_out)
        self.mqtt = MqttOutlet(config, "hall", Notices(), memory, self.channel)

    async def carry_out(self, said: Fields, *, by: str | None) -> int:  # noqa: ARG002
        self.carried_out.append(said)
        await self.go_on.wait()
        return len(self.carried_out)


@contextlib.asynccontextmanager
async def behind_a_network(folder: Path, broker: Mosquitto) -> AsyncIterator[tuple[Outlet, Network]]:
    async with Network(broker.port, random.Random(1)) as network:
        outlet = Outlet(folder, network.port)
        task = asyncio.create_task(outlet.mqtt.run())
        try:
            await until(lambda: outlet.channel._here.is_set())
            yield outlet, network
        finally:
            await service.end([task])
            outlet.journal.close()


def test_what_was_carried_out_is_answered_on_the_next_connection(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def scene() -> None:
        sender = client(mosquitto.port)
        async with hearing(sender, f"{BASE}/answer/me") as heard, behind_a_network(tmp_path, mosquitto) as (board, net):
            properties = Properties(PacketTypes.PUBLISH)
            properties.ResponseTopic, properties.CorrelationData = f"{BASE}/answer/me", b"1"
            await sender.publish(f"{BASE}/cmd", PAUSE, qos=1, properties=properties)
            await until(lambda: board.carried_out)
            net.refusing = True
            net.reset()
            await until(lambda: not board.channel._here.is_set())
            board.go_on.set()
            net.heal()
            await until(lambda: heard)
            await until(board.channel._here.is_set)
            assert [answer["type"] for answer in answers(heard)] == ["done"]
            assert heard[0].properties.CorrelationData == b"1"

    asyncio.run(scene())


def test_a_command_that_the_broker_says_twice_is_carried_out_and_answered_once(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection broke before the broker knew that we had it."""
    monkeypatch.setattr(connection, "KEEPALIVE_S", 1)

    async def scene() -> None:
        sender = client(mosquitto.port)
        async with hearing(sender, f"{BASE}/event") as heard, behind_a_network(tmp_path, mosquitto) as (board, net):
            monkeypatch.setattr(net._links[0].writers[1], "write", lambda _: None)  # nothing of ours arrives any more
            board.go_on.set()
            await sender.publish(f"{BASE}/cmd", PAUSE, qos=1)
            await until(lambda: board.carried_out)
            before = list(net._links)
            net.reset()
            await until(lambda: any(link not in before for link in net._links))  # it may be back in no time
            await until(board.channel._here.is_set)
            await sender.publish(f"{BASE}/cmd", b'{"another":1}', qos=1)
            await until(lambda: len(board.carried_out) == 2)
            await until(lambda: len(answers(heard)) == 2)
            assert board.carried_out == [json.loads(PAUSE), {"another": 1}]
            assert [answer["type"] for answer in answers(heard)] == ["done", "done"]

    asyncio.run(scene())


def stands_for(answer: dict[str, Any]) -> int:
    """How many commands it answers."""
    what = answer.get("what", "")
    return int(what.split()[0]) if "were not looked at" in what else 1


def test_a_flood_of_commands_stops_no_game_and_fills_neither_log_nor_memory(
    config: Config,
    mosquitto: Mosquitto,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(inbox, "LOG_S", 60.0)
    flood = 2_000

    async def scene() -> None:
        sender = client(mosquitto.port)
        async with hearing(sender, f"{BASE}/event", f"{BASE}/status") as heard, running(config) as daemon:
            await begun(daemon, heard)
            caplog.clear()
            sending = [sender.publish(f"{BASE}/cmd", b"\xff" * 1000, qos=1) for _ in range(flood)]
            sending.append(sender.publish(f"{BASE}/cmd", PAUSE, qos=1))
            await asyncio.gather(make(daemon, "e2e4", "e7e5"), *sending)

            await until(lambda: sum(map(stands_for, answers(heard))) == flood + 1, within=30)
            await sender.publish(f"{BASE}/cmd", PAUSE, qos=1)
            await until(lambda: answers(heard)[-1]["type"] == "done")
        assert sum("is refused" in record.message for record in caplog.records) <= 2

    asyncio.run(scene())


def test_a_command_of_many_megabytes_does_not_reach_the_board(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        sender = client(mosquitto.port)
        async with hearing(sender, f"{BASE}/event", f"{BASE}/status") as heard, running(config) as daemon:
            await begun(daemon, heard)
            await sender.publish(f"{BASE}/cmd", b" " * 5_000_000, qos=1)
            await sender.publish(f"{BASE}/cmd", b" " * 20_000, qos=1)
            await sender.publish(f"{BASE}/cmd", PAUSE, qos=1)
            await until(lambda: len(answers(heard)) == 2)
            assert [answer["type"] for answer in answers(heard)] == ["refused", "done"]
            assert "20000 bytes" in answers(heard)[0]["what"]

    asyncio.run(scene())


def test_without_an_echo_commands_are_taken_all_the_same(mosquitto: Mosquitto, tmp_path: Path) -> None:
    mosquitto.kill()
    acl = tmp_path / "acl"
    acl.write_text(f"topic readwrite {BASE}/cmd\ntopic write {BASE}/#\n")
    deaf = Mosquitto(tmp_path, f"acl_file {acl}", f"user {Path.home().owner()}")

    async def scene() -> None:
        outlet = Outlet(tmp_path, deaf.port)
        outlet.go_on.set()
        task = asyncio.create_task(outlet.mqtt.run())
        async with client(deaf.port) as sender:
            await until(outlet.channel._here.is_set)
            await sender.publish(f"{BASE}/cmd", PAUSE, qos=1)
            await until(lambda: outlet.carried_out)
        await service.end([task])
        outlet.journal.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(channel_module, "ECHO_S", 0.2)
        try:
            asyncio.run(scene())
        finally:
            deaf.kill()
