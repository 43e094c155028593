"""Home Assistant: the board announces itself on the broker, and is there as a device: last move, whose move it is,
clocks, alerts, what is wrong with the equipment, and whether it is available.

After Home Assistant's MQTT discovery: one retained message a device, with its device, origin and components, told again
when Home Assistant says that it has started. What the device shows is what :mod:`.mqtt` publishes anyway; how to read
it stands in templates, which Home Assistant evaluates.
"""

import asyncio
import logging
from collections.abc import Collection, Iterator, Mapping
from importlib.metadata import version
from itertools import cycle
from typing import Any

import aiomqtt

from controller.errors import DeviceError, JadoubeError
from controller.outlets.alerts import KINDS
from controller.outlets.mqtt.connection import Client, MqttConfig, client_of, explain, hopeless, other
from controller.outlets.mqtt.levels import Last, of_place, told_on
from controller.outlets.notices import Notices
from controller.outlets.settings import HomeAssistantConfig
from controller.outlets.tables import InHall, Running
from controller.wire import encode

log = logging.getLogger(__name__)

NAME = "homeassistant"
RETRY_S = (0.5, 30.0)  #: the first and the longest wait before the next attempt to connect

_RESULT = "{{ value_json.result.result if value_json.result and value_json.result.status == 'final' else '*' }}"
_ALERT = (
    "{{ [value_json.alert.type, value_json.alert.kind] | select('string') | join(' ') if value_json.alert else '-' }}"
)
_NOTICE = "{{ (value_json.notices | map(attribute='what') | first | default('-'))[:255] }}"
_SCORE = "{{ 'stands, play goes on' if value_json.stalled else 'follows' }}"
_SENSORS: dict[str, tuple[str, Last, str, str]] = {
    "phase": ("Phase", "status", "mdi:chess-rook", "{{ value_json.phase | default('unknown') }}"),
    "last_move": ("Last move", "state", "mdi:chess-pawn", "{{ value_json.san or '-' }}"),
    "to_move": ("To move", "state", "mdi:swap-horizontal", "{{ 'white' if ' w ' in value_json.fen else 'black' }}"),
    "result": ("Result", "state", "mdi:flag-checkered", _RESULT),
    "score": ("Score", "state", "mdi:notebook-edit-outline", _SCORE),
    "clock_runs": ("Clock runs for", "clock", "mdi:timer-play-outline", "{{ value_json.running or 'nobody' }}"),
    "last_alert": ("Last alert", "last-alert", "mdi:gavel", _ALERT),
    "notice": ("Notice", "status", "mdi:wrench", _NOTICE),
}
"""By their ids: name, topic, icon, and how to read the value."""

_DETAILS = {
    "phase": "{{ value_json.begins | default({}, true) | tojson }}",
    "last_alert": "{{ dict(value_json.alert or {}, count=value_json.count) | tojson }}",
    "notice": "{{ {'notices': value_json.notices} | tojson }}",
}
"""What goes with some of them: how to read the attributes in the same payload."""

_MATCH: dict[str, tuple[str, Last, str, str]] = {
    "match": ("Match", "state", "mdi:account-group", "{{ value_json.match.result if value_json.match else '*' }}"),
}
"""The same of a board of a match: what became of both."""

_CLOCKS = {"white_clock": ("White's clock", "white_ms"), "black_clock": ("Black's clock", "black_ms")}


class HomeAssistant:
    """Announces the ``boards`` of ``venue``, however many there are, on the broker of ``mqtt``: by their
    numbers, with the sources of the notices that a battery is low, where there is one.
    """

    def __init__(
        self,
        config: HomeAssistantConfig,
        mqtt: MqttConfig,
        venue: str,
        boards: Mapping[str, Collection[str]],
        notices: Notices,
        *,
        of_match: bool = False,
        via: str | None = None,
    ) -> None:
        self._prefix = config.prefix
        self._mqtt = mqtt
        self._version = aiomqtt.ProtocolVersion.V5
        self._devices = {
            identifier(venue, number): device(venue, number, batteries, of_match=of_match, via=via)
            for number, batteries in boards.items()
        }
        self._notices = notices

    async def run(self) -> None:
        """Announces, and listens for Home Assistant to start, until cancelled; comes back after every break."""
        wait_s, longest = RETRY_S
        for broker in cycle(self._mqtt.brokers):
            connected = False
            try:
                async with client_of(broker, self._version) as client:
                    connected = True
                    await client.subscribe(f"{self._prefix}/status", qos=1)
                    await self._announce(client, broker)
                    wait_s = RETRY_S[0]
                    self._notices.clear(NAME)
                    await self._announce_again(client, broker)
            except (aiomqtt.MqttError, JadoubeError, OSError) as error:
                self._notices.set(NAME, await explain(broker, self._version, error, connected))
                if not connected and not hopeless(error):
                    self._version = other(self._version)
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, longest)

    async def _announce_again(self, client: Client, broker: MqttConfig) -> None:
        """Whenever Home Assistant says that it has started."""
        async for message in client.messages:
            if message.payload == b"online":
                await self._announce(client, broker)

    async def _announce(self, client: Client, broker: MqttConfig) -> None:
        """Raises :exc:`DeviceError` where the broker does not let us: mosquitto 2.0.11 breaks off then."""
        refused: object = None
        try:
            for name, said in self._devices.items():
                await client.publish(f"{self._prefix}/device/{name}/config", encode(said), qos=1, retain=True)
            refused = client.refusal
        except aiomqtt.MqttError as error:
            refused = error
        if refused is not None:
            who = broker.user or "us"
            raise DeviceError(
                f"the broker {broker.address} does not take what is told to Home Assistant: {refused}",
                f"its access list lets {who} write nothing under {self._prefix}/device, or it went away",
                "jadoube hall init FOLDER, if that configures the broker; else jadoube broker-config --homeassistant",
            )
        log.info("announced to Home Assistant: %s", ", ".join(self._devices))


def identifier(venue: str, number: str) -> str:
    """What Home Assistant knows a board by: letters, digits, ``-`` and ``_`` are all that may stand in a topic."""
    return "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in f"jadoube_{venue}_{number}")


def device(
    venue: str, number: str, batteries: Collection[str] = (), *, of_match: bool = False, via: str | None = None
) -> dict[str, Any]:
    """A board as Home Assistant is to show it. ``batteries``: the sources of the notices that one is low. ``via``: the
    status of the connection that it shares, if it does.
    """
    name, base = identifier(venue, number), of_place(venue, f"board/{number}")
    told = [told_on(base, "status"), *([] if via is None else [of_place(venue, via)])]
    components = {key: {"unique_id": f"{name}_{key}"} | said for key, said in _parts(base, batteries, of_match).items()}
    return {
        "device": {
            "identifiers": [name],
            "name": f"Chess board {number} ({venue})",
            "manufacturer": "jadoube",
            "model": "Sensor board",
            "sw_version": version("jadoube"),
        },
        "origin": {"name": "jadoube", "sw_version": version("jadoube")},
        "components": components,
        "availability": [{"topic": topic, "value_template": "{{ value_json.state }}"} for topic in told],
        **({} if via is None else {"availability_mode": "all"}),
        "qos": 1,
    }


def _parts(base: str, batteries: Collection[str], of_match: bool) -> dict[str, dict[str, Any]]:
    """What it shows of the board whose topics are below ``base``: the game, the clocks, the alerts, and what is wrong
    with the equipment."""
    parts: dict[str, dict[str, Any]] = {}
    for key, (said, topic, icon, read) in (_SENSORS | (_MATCH if of_match else {})).items():
        parts[key] = _part("sensor", said, told_on(base, topic), read) | {"icon": icon}
    for key, read in _DETAILS.items():
        parts[key] |= {"json_attributes_topic": parts[key]["state_topic"], "json_attributes_template": read}
    for key, (said, field) in _CLOCKS.items():
        read = f"{{{{ None if value_json.{field} is none else value_json.{field} // 1000 }}}}"
        duration = {"device_class": "duration", "unit_of_measurement": "s"}
        parts[key] = _part("sensor", said, told_on(base, "clock"), read) | duration
    read = "{{ dict(value_json, event_type=value_json.type) | tojson }}"
    of_alerts = {"icon": "mdi:gavel", "event_types": [kind.__struct_config__.tag for kind in KINDS]}
    parts["alert"] = _part("event", "Alert", told_on(base, "alert"), read) | of_alerts
    parts["problem"] = _wrong("Equipment", "problem", base, "value_json.notices")
    for source in batteries:
        of_clock = source.endswith("clock-battery")
        low = f"value_json.notices | selectattr('source', 'eq', '{source}') | list"
        said = "Battery of the clock" if of_clock else "Battery"
        parts["clock_battery" if of_clock else "battery"] = _wrong(said, "battery", base, low)
    return parts


def _part(platform: str, name: str, topic: str, read: str) -> dict[str, Any]:
    """What is shown of what is told on a topic, and how to read it."""
    return {"platform": platform, "name": name, "state_topic": topic, "value_template": read}


def _wrong(name: str, kind: str, base: str, true: str) -> dict[str, Any]:
    """Whether something is wrong, by the notices."""
    part = _part("binary_sensor", name, told_on(base, "status"), f"{{{{ 'ON' if {true} else 'OFF' }}}}")
    return part | {"device_class": kind, "entity_category": "diagnostic"}


def of_hall(config: HomeAssistantConfig, hall: InHall) -> Iterator[Running]:
    """All boards, on the broker that the configuration has to name for it."""
    boards = {board.number: board.batteries for table in hall.tables for board in table.values()}
    if hall.mqtt is not None:
        assistant = HomeAssistant(
            config, hall.mqtt, hall.venue, boards, hall.notices, of_match=hall.of_match, via=hall.via
        )
        yield Running(NAME, assistant.run, made_of=(config, hall.mqtt, hall.venue, boards, hall.via))
