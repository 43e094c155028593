"""What the broker hears of the boards of a hall, on one connection."""

import asyncio
import json
import random
import sys
import urllib.request
from pathlib import Path

import aiomqtt
import pytest
from double import Listener
from hall import Mosquitto, free_port, running, until
from many import all_playing, hall_mqtt, make, many, said

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))

from broker_network import Network

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.broker
def test_each_board_has_its_topics_and_commands_on_one_connection(tmp_path: Path, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        config = many(tmp_path, "1", "2", mqtt=hall_mqtt(mosquitto))
        async with Listener(mosquitto.port) as heard, running(config) as daemon:
            await all_playing(daemon)
            assert len(daemon.mqtt) == 1
            await asyncio.gather(make(daemon, "1", "e2e4"), make(daemon, "2", "d2d4"))
            await heard.command(topic="board/2", type="resign", side="black")
            await until(lambda: any(each["result"] for each in heard.on("board/2/state")))
            await until(lambda: any(each["type"] == "done" for each in heard.on("board/2/event")))
            assert [move["uci"] for move in heard.on("board/1/move")] == ["e2e4"]
            assert [move["uci"] for move in heard.on("board/2/move")] == ["d2d4"]
            assert not any(each["result"] for each in heard.on("board/1/state"))
            (via,) = {status["via"] for number in "12" for status in heard.on(f"board/{number}/status")}
            (online,) = heard.on(via)
            assert online["state"] == "online"
            for number in "12":
                assert heard.on(f"board/{number}/status")[-1]["connected_at"] == online["connected_at"]
                assert set(heard.on(f"board/{number}/health")[-1]["measured"]["behind"]) == {
                    f"mqtt {number}",
                    f"pgn {number}",
                }
            await whole(heard, "1")
            await whole(heard, "2")

    asyncio.run(scene())


async def whole(heard: Listener, number: str) -> None:
    """By the rule of receivers nothing is missing on that board."""
    last = 0
    for event in heard.on(f"board/{number}/event"):
        if event["type"] not in ("done", "refused"):
            assert event["after"] == last
            last = event["seq"]
    await until(lambda: heard.on(f"board/{number}/head")[-1]["last"] == last)


@pytest.mark.broker
def test_where_the_connection_breaks_the_last_will_is_said_on_what_each_board_names(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    async def scene() -> None:
        async with Network(mosquitto.port, random.Random(1)) as network, Listener(mosquitto.port) as heard:
            config = many(tmp_path, "1", "2", mqtt={"host": "127.0.0.1", "port": network.port})
            async with running(config):
                await until(lambda: heard.on("board/1/status") and heard.on("board/2/status"))
                status = heard.on("board/1/status")[-1]
                network.reset()
                await until(lambda: any(each["state"] == "offline" for each in heard.on(status["via"])))
                will = next(each for each in heard.on(status["via"]) if each["state"] == "offline")
                assert will["connected_at"] == status["connected_at"]
                for number in "12":
                    on = f"board/{number}/status"
                    await until(lambda on=on: heard.on(on)[-1]["connected_at"] != status["connected_at"])
                    assert {each["state"] for each in heard.on(on)} == {"online"}, heard.on(on)
            await until(lambda: heard.on(status["via"])[-1]["state"] == "offline")
            assert heard.on("board/2/status")[-1]["state"] == "offline"

    asyncio.run(scene())


@pytest.mark.broker
def test_a_channel_with_a_defect_keeps_no_other_from_the_broker(
    tmp_path: Path, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a defect for the test")

    async def scene() -> None:
        config = many(tmp_path, "1", "2", mqtt=hall_mqtt(mosquitto))
        async with Listener(mosquitto.port) as heard, running(config) as daemon:
            await all_playing(daemon)
            await until(lambda: heard.on("board/1/state") and heard.on("board/2/state"))
            one = next(each for each in daemon._channels if each.feed.board == "1")
            monkeypatch.setattr(one._now, "read", broken)
            await make(daemon, "1", "e2e4")
            await until(lambda: "mqtt 1" in said(daemon))
            await make(daemon, "2", "d2d4")
            await until(lambda: heard.on("board/2/move"))
            assert len({status["connected_at"] for status in heard.on("board/2/status")}) == 1

    asyncio.run(scene())


def test_one_connection_serves_the_public_of_all_boards(tmp_path: Path, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        config = many(tmp_path, "1", "2", mqtt=hall_mqtt(mosquitto) | {"public": True})
        async with Listener(mosquitto.port) as heard, running(config) as daemon:
            await all_playing(daemon)
            assert len(daemon.mqtt) == 2
            await make(daemon, "1", "e2e4")
            await until(lambda: heard.on("board/1/public/move") and heard.on("board/2/public/state"))
            assert not heard.on("board/2/public/move")
            vias = {heard.on(f"board/1/{where}status")[-1]["via"] for where in ("", "public/")}
            assert len(vias) == 2

    asyncio.run(scene())


def test_nobody_else_can_guess_by_what_name_the_broker_knows_us(tmp_path: Path, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with aiomqtt.Client("127.0.0.1", mosquitto.port) as client:
            await client.subscribe("jadoube/#")
            async with running(many(tmp_path, "1", mqtt=hall_mqtt(mosquitto))) as daemon:
                heard = []
                async with asyncio.timeout(10):
                    async for message in client.messages:
                        heard.append(f"{message.topic} {message.payload!r}")
                        if len(heard) == 4:
                            break
                assert not any(daemon.memory.name in each for each in heard)

    asyncio.run(scene())


def test_livechess_lists_all_boards_and_home_assistant_heeds_their_connection(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    port = free_port()
    tables = {"mqtt": hall_mqtt(mosquitto), "livechess": {"port": port}, "homeassistant": {}}

    async def scene() -> None:
        async with aiomqtt.Client("127.0.0.1", mosquitto.port) as client:
            await client.subscribe("homeassistant/device/+/config")
            async with running(many(tmp_path, "1", "2", **tables)) as daemon:
                await all_playing(daemon)
                await make(daemon, "2", "e2e4")
                asked = f"http://127.0.0.1:{port}/api/v1.0/eboards"
                listed = json.loads(await asyncio.to_thread(lambda: urllib.request.urlopen(asked, timeout=5).read()))
                assert [board["serialnr"] for board in listed] == ["1", "2"]
                assert listed[1]["board"].startswith("rnbqkbnr/pppppppp/8/8/4P3")
                told = []
                async with asyncio.timeout(10):
                    async for message in client.messages:
                        assert isinstance(message.payload, bytes)
                        told.append(json.loads(message.payload))
                        if len(told) == 2:
                            break
                shared = f"jadoube/v1/hall/{daemon.mqtt[0].shared(daemon.memory)}"
                assert [[each["topic"] for each in device["availability"]] for device in told] == [
                    [f"jadoube/v1/hall/board/{number}/status", shared] for number in "12"
                ]
                assert {device["availability_mode"] for device in told} == {"all"}

    asyncio.run(scene())
