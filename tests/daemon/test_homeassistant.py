"""Home Assistant finds the board on the broker, and its templates make something of what is published.

The part of Home Assistant is played here after its documentation, with the template engine that it uses.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from double import double, matchsheet
from hall import Mosquitto, make, running, until
from jinja2.sandbox import SandboxedEnvironment

from controller.config import Config, check
from controller.daemon.named_outlets import boards
from controller.daemon.service import end
from controller.errors import ConfigError, DeviceError
from controller.outlets.homeassistant import device, identifier

pytestmark = pytest.mark.broker
Configure = Callable[..., Config]
CONFIG = "homeassistant/device/jadoube_hall_7/config"


class Assistant:
    """Looks for devices, and keeps the state of each of their entities."""

    def __init__(self, port: int) -> None:
        self.devices: dict[str, dict[str, Any]] = {}
        self.announced = 0
        self.available: str | None = None
        self.states: dict[str, str] = {}
        self.details: dict[str, dict[str, Any]] = {}
        self.events: list[dict[str, Any]] = []
        self._client = aiomqtt.Client("127.0.0.1", port)
        self._templates = SandboxedEnvironment()

    async def __aenter__(self) -> "Assistant":
        await self._client.__aenter__()
        await self._client.subscribe("homeassistant/#")
        self._task = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task.done():
            self._task.result()
        await end([self._task])
        await self._client.__aexit__(None, None, None)

    async def start(self) -> None:
        """Says that it has started."""
        await self._client.publish("homeassistant/status", "online")

    async def _listen(self) -> None:
        async for message in self._client.messages:
            assert isinstance(message.payload, bytes)
            topic = message.topic.value
            if topic.startswith("homeassistant/device/"):
                self.announced += 1
                await self._find(topic, json.loads(message.payload))
            elif not topic.startswith("homeassistant/"):
                self._read(topic, json.loads(message.payload), bool(message.retain))

    async def _find(self, topic: str, device: dict[str, Any]) -> None:
        assert {"device", "origin", "components"} <= device.keys()
        assert device["origin"]["name"]
        assert device["device"]["identifiers"]
        for component in device["components"].values():
            assert {"platform", "unique_id"} <= component.keys()
            await self._client.subscribe(component["state_topic"])
        for availability in device["availability"]:
            await self._client.subscribe(availability["topic"])
        self.devices[topic] = device

    def _read(self, topic: str, payload: Any, retained: bool) -> None:
        for found in self.devices.values():
            for availability in found["availability"]:
                if availability["topic"] == topic:
                    self.available = self._value(availability, payload)
            for name, component in found["components"].items():
                if component["state_topic"] != topic:
                    continue
                value = self._value(component, payload)
                if "json_attributes_template" in component:
                    assert component["json_attributes_topic"] == topic
                    self.details[name] = json.loads(self.render(component["json_attributes_template"], payload))
                if component["platform"] in ("sensor", "binary_sensor"):
                    assert len(value) <= 255
                    self.states[name] = value
                    if component.get("device_class") == "duration":
                        assert component["unit_of_measurement"] == "s"
                        float(value)
                elif not retained:
                    event = json.loads(value)
                    assert event["event_type"] in component["event_types"]
                    self.events.append(event)

    def _value(self, entity: dict[str, Any], payload: Any) -> str:
        return self.render(entity["value_template"], payload)

    def render(self, template: str, payload: Any) -> str:
        return self._templates.from_string(template).render(value_json=payload)


@pytest.fixture
def config(configure: Configure, mosquitto: Mosquitto) -> Config:
    return configure(
        mqtt={"host": "127.0.0.1", "port": mosquitto.port},
        homeassistant={},
        event={"clock": "300+2"},
        start={"by": "at-once"},
    )


def test_a_game_as_home_assistant_sees_it(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with Assistant(mosquitto.port) as home:
            async with running(config) as daemon:
                await until(lambda: daemon.only.session.playing and home.available == "online")
                await until(lambda: home.states.get("to_move") == "white" and "clock_runs" in home.states)
                assert (home.states["last_move"], home.states["result"]) == ("-", "*")
                assert (home.states["white_clock"], home.states["clock_runs"]) == ("302", "white")
                await make(daemon, "e2e4")
                await until(lambda: home.states["last_move"] == "e4")
                assert home.states["to_move"] == "black"
                await daemon.only.carry_out({"type": "press", "side": "white"})
                await daemon.only.carry_out({"type": "press", "side": "black"})  # who has not moved
                await until(lambda: home.events)
                assert (home.events[0]["event_type"], home.events[0]["kind"]) == ("illegal", "no-move")
                await daemon.only.carry_out({"type": "arbiter", "do": "result", "result": "1/2-1/2"})
                await until(lambda: home.states["result"] == "1/2-1/2")
                await until(lambda: home.states["clock_runs"] == "nobody")
            await until(lambda: home.available == "offline")

    asyncio.run(scene())


def test_an_alert_that_was_told_while_home_assistant_was_away_is_known_to_it(
    config: Config, mosquitto: Mosquitto
) -> None:
    async def scene() -> None:
        async with running(config) as daemon:
            async with Assistant(mosquitto.port) as home:
                await until(lambda: daemon.only.session.playing and "last_alert" in home.states)
                assert (home.states["last_alert"], home.details["last_alert"]) == ("-", {"count": 0})
            await daemon.only.carry_out({"type": "press", "side": "white"})  # who has not moved
            await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
            async with Assistant(mosquitto.port) as home:
                await until(lambda: home.states.get("last_alert") == "penalty time")  # after the illegal one
                assert home.details["last_alert"]["side"] == "white"
                assert home.details["last_alert"]["count"] == 2
                assert not home.events, "it is told once, and kept"
                await daemon.only.carry_out({"type": "new-game"})
                await until(lambda: home.states["last_alert"] == "-")

    asyncio.run(scene())


def test_the_equipment_as_home_assistant_sees_it(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with Assistant(mosquitto.port) as home, running(config) as daemon:
            await until(lambda: home.states.get("problem") == "OFF" and home.states["notice"] == "-")
            daemon.notices.set("board", DeviceError("the board is away" + 300 * "!", "a cable", "push it in"))
            await until(lambda: home.states["problem"] == "ON")
            assert home.states["notice"].startswith("the board is away")
            assert home.details["notice"]["notices"][0]["next_step"] == "push it in"
            daemon.notices.clear("board")
            await until(lambda: home.states["problem"] == "OFF")
            assert home.states["notice"] == "-"

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("board", "clock", "has"),
    [
        ({"type": "simulated"}, "300+2", []),
        ({"type": "dgt"}, None, []),
        ({"type": "dgt"}, "300+2", ["board-clock-battery"]),
        ({"type": "dgt", "bluetooth": True}, "300+2", ["board-battery", "board-clock-battery"]),
        ({"type": "chessnut"}, "300+2", ["board-battery"]),
    ],
)
def test_a_battery_is_shown_where_there_is_one_that_tells(
    configure: Configure, board: dict[str, Any], clock: str | None, has: list[str]
) -> None:
    config = configure(board=board, event={"clock": clock} if clock else {})
    told = boards(config, None)[None].batteries
    assert [*told] == has
    parts = device("hall", "7", told)["components"]
    shown = {key: part for key, part in parts.items() if part.get("device_class") == "battery"}
    assert len(shown) == len(has)
    templates = SandboxedEnvironment()
    for source, part in zip(has, shown.values(), strict=True):
        assert part["platform"] == "binary_sensor"
        for low in ([], [source]):
            status = {"notices": [{"source": name} for name in [*low, "mqtt"]]}
            value = templates.from_string(part["value_template"]).render(value_json=status)
            assert value == ("ON" if low else "OFF")


def test_it_is_announced_again_when_home_assistant_starts_and_kept_for_one_that_comes_late(
    config: Config, mosquitto: Mosquitto
) -> None:
    async def scene() -> None:
        async with running(config):
            async with Assistant(mosquitto.port) as home:
                await until(lambda: CONFIG in home.devices)
                before = home.announced
                await home.start()
                await until(lambda: home.announced > before)
            async with Assistant(mosquitto.port) as late:
                await until(lambda: late.announced == 1)

    asyncio.run(scene())


def test_it_comes_back_after_the_broker_was_away(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with running(config) as daemon:
            async with Assistant(mosquitto.port) as home:
                await until(lambda: CONFIG in home.devices)
            await asyncio.sleep(0.1)
            mosquitto.kill()
            await until(lambda: any(notice.source == "homeassistant" for notice in daemon.notices.current))
            mosquitto.start()
            async with Assistant(mosquitto.port) as home:
                await until(lambda: CONFIG in home.devices)
                await until(lambda: not daemon.notices.current)

    asyncio.run(scene())


def test_home_assistant_has_a_device_for_each_board(tmp_path: Path, mosquitto: Mosquitto) -> None:
    config = double(tmp_path, mqtt={"host": "127.0.0.1", "port": mosquitto.port}, homeassistant={})

    async def scene() -> None:
        async with Assistant(mosquitto.port) as home, running(config) as daemon:  # type: ignore[arg-type]
            await until(lambda: matchsheet(daemon.journal))
            await until(lambda: len(home.devices) == 2)
            assert set(home.devices) == {f"homeassistant/device/jadoube_hall_{number}/config" for number in ("1", "2")}
            names = [device["device"]["name"] for device in home.devices.values()]
            assert sorted(names) == ["Chess board 1 (hall)", "Chess board 2 (hall)"]
            await until(lambda: home.states.get("to_move") == "white" and home.states.get("white_clock") == "180")
            await daemon.only.carry_out({"type": "press", "side": "white"}, "B")  # who has not moved
            await until(lambda: home.events)
            assert (home.events[0]["event_type"], home.events[0]["board"]) == ("illegal", "B")
            await daemon.only.carry_out({"type": "resign", "side": "white"}, "A")
            await until(lambda: home.states["result"] == "0-1")
            assert home.states["match"] == "*"
            await daemon.only.carry_out({"type": "pause", "side": "white"}, "B")
            await until(lambda: home.states["match"] == "team-2")

    asyncio.run(scene())


def test_it_needs_a_broker_that_both_know() -> None:
    with pytest.raises(ConfigError, match="has to name the broker"):
        check({"board": {"type": "simulated"}, "homeassistant": {}}, "a test")


def test_what_may_not_stand_in_a_topic_is_replaced() -> None:
    assert identifier("club-été", "7/a") == "jadoube_club__t__7_a"
