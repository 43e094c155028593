"""What subscribers hear of a board, on a real mosquitto."""

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import aiomqtt
import chess
import pytest
from hall import Mosquitto, Subscriber, free_port, make, moves_of, running, until
from secured import hearing

from controller.config import Config
from controller.contract import Session
from controller.daemon import service
from controller.daemon.service import Daemon
from controller.journal import Journal, Opening
from controller.outlets.mqtt import channel as channel_module
from controller.outlets.mqtt import connection, topics
from controller.outlets.mqtt import outlet as mqtt_module
from controller.outlets.mqtt.channel import Channel, Feed
from controller.outlets.mqtt.memory import Memory
from controller.outlets.notices import Notices
from controller.outlets.scoresheet import Scoresheet

pytestmark = pytest.mark.broker
Configure = Callable[..., Config]
BASE = "jadoube/v1/hall/board/7"
STATUS, EVENT, CMD = f"{BASE}/status", f"{BASE}/event", f"{BASE}/cmd"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt_module, "RETRY_S", (0.1, 0.3))
    monkeypatch.setattr(service, "DRAIN_S", 0.5)


@pytest.fixture
def config(configure: Configure, mosquitto: Mosquitto) -> Config:
    return configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port}, game={"white": "Ada", "black": "Bo"})


def client(mosquitto: Mosquitto) -> aiomqtt.Client:
    return aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=aiomqtt.ProtocolVersion.V5)


def secret(path: Path) -> None:
    path.touch(0o600)
    path.write_text("anything\n")


def test_a_game_is_heard_move_by_move(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, running(config) as daemon:
            await until(lambda: hall.on("state"))
            await make(daemon, "e2e4", "e7e5")
            await until(lambda: len(hall.on("move")) == 2)
            first, second = hall.on("move")
            assert (first["uci"], first["san"], first["ply"]) == ("e2e4", "e4", 1)
            assert (second["uci"], second["ply"]) == ("e7e5", 2)
            await until(lambda: hall.on("state")[-1]["ply"] == 2)
            state = hall.on("state")[-1]
            assert (state["uci"], state["san"]) == ("e7e5", "e5")
            assert chess.Board(state["fen"]).turn == chess.WHITE
            assert state["tags"] == {"White": "Ada", "Black": "Bo"}
            assert {"touch", "obligation", "move", "completed"} <= {event["type"] for event in hall.on("event")}
            await until(lambda: hall.on("head")[-1]["seq"] == daemon.journal.head.seq)
            assert hall.on("head")[-1]["hash"] == daemon.journal.head.hash.hex()

    asyncio.run(scene())


def test_each_payload_says_which_record_game_and_ply(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall:
            async with running(config) as daemon:
                await until(lambda: hall.on("state"))
                await make(daemon, "g1f3")
            await until(lambda: hall.on("status") and hall.on("status")[-1]["state"] == "offline")
            for topic, payload, _ in hall.heard:
                if topic != "time":  # that of the computer, which is of no game
                    assert {"seq", "game", "ply"} <= payload.keys(), topic
            numbers = [event["seq"] for event in hall.on("event")]
            assert numbers == sorted(set(numbers))

    asyncio.run(scene())


def test_who_comes_late_is_told_how_things_stand_and_no_more(configure: Configure, mosquitto: Mosquitto) -> None:
    config = configure(
        mqtt={"host": "127.0.0.1", "port": mosquitto.port}, event={"clock": "300+2"}, start={"by": "at-once"}
    )

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
            async with Subscriber(mosquitto.port) as late:
                await until(lambda: len(late.retained()) == 6)
                await asyncio.sleep(0.1)
                assert late.retained() == {"status", "health", "state", "clock", "head", "last-alert"}
                assert {topic for topic, _, _ in late.heard} == late.retained()
                assert late.on("status")[-1]["state"] == "online"
                assert late.on("state")[-1]["uci"] == "e2e4"
                assert late.on("clock")[-1]["running"] == "white"

    asyncio.run(scene())


def test_nothing_is_lost_while_the_broker_is_away(configure: Configure, tmp_path: Path, mosquitto: Mosquitto) -> None:
    # Without its password the daemon stays away until the subscriber, who must not miss it, is there.
    password = tmp_path / "password"
    secret(password)
    config = configure(
        mqtt={"host": "127.0.0.1", "port": mosquitto.port, "user": "board", "password_file": str(password)}
    )

    async def scene() -> None:
        async with running(config) as daemon:
            async with Subscriber(mosquitto.port) as hall:
                await until(lambda: daemon.only.session.playing)
                await make(daemon, "e2e4")
                await until(lambda: any(event["type"] == "completed" for event in hall.on("event")))
                before = hall.on("event")
                password.unlink()
                mosquitto.kill()
                await until(lambda: any("went away" in notice.what for notice in daemon.notices.current))
            await until(lambda: any("with a secret" in notice.what for notice in daemon.notices.current))
            await make(daemon, "e7e5", "g1f3")
            mosquitto.start()
            async with Subscriber(mosquitto.port) as hall:
                secret(password)
                await until(lambda: len({move["ply"] for move in hall.on("move")} & {2, 3}) == 2)
                await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
                await until(lambda: [state["san"] for state in hall.on("state")][-1:] == ["Nf3"])
                assert not daemon.notices.current
                heard = {event["seq"] for event in before + hall.on("event")}
                written = {record.seq for record in daemon.journal.after(0, 10_000) if record.kind == "event"}
                assert written <= heard

    asyncio.run(scene())


def test_a_broker_that_is_not_there_yet_is_waited_for(configure: Configure) -> None:
    port = free_port()
    config = configure(mqtt={"host": "127.0.0.1", "port": port})

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.notices.current)
            assert "does not answer" in daemon.notices.current[0].what
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "d2d4")

    asyncio.run(scene())


def test_a_broker_that_refuses_the_user_is_named(configure: Configure, tmp_path: Path, mosquitto: Mosquitto) -> None:
    mosquitto.kill()
    locked = Mosquitto(tmp_path, "allow_anonymous false")
    config = configure(mqtt={"host": "127.0.0.1", "port": locked.port})

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.notices.current)
            assert "refuses" in daemon.notices.current[0].what
            assert "password_file" in daemon.notices.current[0].cause

    try:
        asyncio.run(scene())
    finally:
        locked.kill()


def test_protocol_5_where_the_broker_speaks_it(config: Config) -> None:
    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.mqtt and daemon.journal.cursor("mqtt"))
            assert daemon.mqtt
            assert daemon.mqtt[0].version == aiomqtt.ProtocolVersion.V5

    asyncio.run(scene())


@pytest.mark.parametrize("forged", ["offline", "gone", "garbage"])
def test_what_others_say_of_a_board_that_is_there_is_put_right(
    config: Config, mosquitto: Mosquitto, forged: str
) -> None:
    """Also by who has read of which connection it is."""

    async def scene() -> None:
        async with hearing(client(mosquitto), STATUS) as heard, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and heard and json.loads(heard[-1].payload)["game"])
            said = {"state": "offline", "connected_at": json.loads(heard[-1].payload)["connected_at"]}
            payload = {"offline": json.dumps(said).encode(), "gone": b"", "garbage": b'"\xff"'}[forged]
            async with client(mosquitto) as other:
                await other.publish(STATUS, payload, qos=1, retain=True)
            await until(lambda: [each.payload == payload for each in heard][-2:] == [True, False])
            assert json.loads(heard[-1].payload)["state"] == "online"

    asyncio.run(scene())


def test_two_daemons_that_are_the_same_board_say_so_until_one_goes(
    configure: Configure, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    def twin(name: str) -> Config:
        journal = {"path": str(tmp_path / f"{name}.sqlite")}
        return configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port}, journal=journal)

    def doubled(daemon: Daemon) -> bool:
        return any(notice.source == "mqtt twin" for notice in daemon.notices.current)

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, running(twin("one")) as one:
            await until(lambda: hall.on("status"))
            async with running(twin("two")) as two:
                await until(lambda: doubled(one) and doubled(two))
            await until(lambda: not doubled(one))

    asyncio.run(scene())


def test_a_copy_of_a_card_that_is_at_work_is_named(configure: Configure, mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Both come by the same name, so the broker throws one out for the other."""

    def card(name: str) -> Config:
        journal = {"path": str(tmp_path / name / "journal.sqlite")}
        return configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port}, journal=journal)

    async def scene() -> None:
        (tmp_path / "first").mkdir()
        async with running(card("first")) as first:
            shutil.copytree(tmp_path / "first", tmp_path / "copy")
            async with running(card("copy")) as copy:
                both = (first.notices, copy.notices)
                await until(lambda: any(each.source == "mqtt twin" for said in both for each in said.current))

    asyncio.run(scene())


def test_a_broker_that_passes_on_nothing_any_more_is_connected_to_anew(
    config: Config, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what is too long for us, mosquitto 2.0 says nothing, and then nothing else either."""
    monkeypatch.setattr(channel_module, "HEALTH_S", 0.5)
    monkeypatch.setattr(channel_module, "ECHO_S", 1.0)

    async def scene() -> None:
        async with hearing(client(mosquitto), EVENT) as heard, client(mosquitto) as sender, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and heard)
            for _ in range(25):
                await sender.publish(CMD, bytes(connection.LARGEST + 1), qos=1)

            async def ask() -> None:
                while True:
                    await sender.publish(CMD, '{"type":"arbiter","do":"pause"}', qos=1)
                    await asyncio.sleep(0.2)

            asking = asyncio.create_task(ask())
            await until(lambda: any(json.loads(each.payload)["type"] == "done" for each in heard), within=30)
            asking.cancel()

    asyncio.run(scene())


def test_the_last_will_of_a_connection_that_died_long_ago_is_put_right(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and hall.on("status") and hall.on("status")[-1]["game"])
            async with aiomqtt.Client("127.0.0.1", mosquitto.port) as dead:
                will = topics.will(1)
                await dead.publish("jadoube/v1/hall/board/7/status", will.payload, qos=1, retain=True)
            await until(lambda: [said["state"] for said in hall.on("status")][-2:] == ["offline", "online"])

    asyncio.run(scene())


def test_what_a_break_left_unconfirmed_holds_the_cursor_back(configure: Configure, tmp_path: Path) -> None:
    """While it is sent again the power may go, and what the cursor has passed is not sent once more."""
    config = configure(mqtt={"host": "127.0.0.1", "port": 1})
    journal = Journal(Path(config.journal.path))
    opening = Opening(game="g", venue="hall", board="7", started="2026-01-01", session=Session(version=1))
    journal.begin(opening).result(5)
    memory = Memory(tmp_path / "memory", 0)
    closed: list[int] = []

    class Slow:
        async def hand_over(self, seq: int, _: object, *, closing: bool = False) -> None:
            if not closing:
                await asyncio.sleep(10)
            closed.append(seq)

    async def scene() -> None:
        outlet = Channel(config.mqtt, "hall", Feed("board/7", "7", Scoresheet), journal, Notices(), memory)
        outlet._now.read()
        outlet._handed = outlet._now.seq  # it was handed to the connection that broke
        outlet._unconfirmed.append((outlet._now.seq, []))
        outlet._news.set()
        again = [asyncio.create_task(task(Slow())) for task in (outlet._tell, outlet._retain)]
        await until(lambda: closed)
        for task in again:
            task.cancel()

    asyncio.run(scene())
    journal.close()
    assert closed == [0]


def test_the_embedded_broker_serves_where_none_is_named(configure: Configure) -> None:
    config = configure()

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing and daemon.mqtt)
            assert daemon.mqtt
            heard = []
            client = aiomqtt.Client("127.0.0.1", daemon.mqtt[0].port, protocol=aiomqtt.ProtocolVersion.V311)
            async with client:
                await client.subscribe("jadoube/#")
                await make(daemon, "e2e4")
                async with asyncio.timeout(5):
                    async for message in client.messages:
                        heard.append(message.topic.value.rpartition("/")[2])
                        if "move" in heard:
                            break
            assert moves_of(daemon.journal) == ["e2e4"]

    asyncio.run(scene())
