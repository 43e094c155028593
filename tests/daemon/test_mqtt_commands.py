"""Commands by MQTT and their answers, on a real mosquitto."""

import asyncio
import contextlib
from collections.abc import Callable

import aiomqtt
import pytest
from hall import Mosquitto, Subscriber, make, running, until
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from secured import hearing

from controller.config import Config
from controller.daemon import service
from controller.outlets.mqtt import outlet as mqtt_module
from controller.outlets.mqtt.connection import MqttConfig, client_of

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


def test_a_command_is_an_input_and_is_answered(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and hall.on("status") and hall.on("state"))
            await hall.command(type="arbiter", do="result", result="1-0")
            await until(lambda: any(event["type"] == "result" for event in hall.on("event")))
            await until(lambda: any(event["type"] == "done" for event in hall.on("event")))
            await until(lambda: hall.on("state")[-1]["result"])
            assert hall.on("state")[-1]["result"]["result"] == "1-0"

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ({"type": "resign"}, "side"),
        ({"type": "resign", "side": "green"}, "Expected one of white, black, got 'green'"),
        ({"type": "lift", "square": "e2"}, "cannot move pieces"),
        ({"type": "dance"}, "dance"),
        ({"type": "new-game", "whit": "Ada"}, "whit"),
        ({"type": "new-game", "fen": "nonsense"}, "fen"),
        ({"type": "replay", "after": -1}, "after"),
        ({"type": "replay", "after": 2**70}, "after"),
        ({}, "type"),
    ],
)
def test_a_bad_command_is_refused_and_changes_nothing(
    config: Config, mosquitto: Mosquitto, command: dict[str, object], says: str
) -> None:
    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, running(config) as daemon:
            # The game, and the first look at the board.
            await until(lambda: daemon.journal.head.seq == 2 and hall.on("status"))
            head = daemon.journal.head
            await hall.command(**command)
            await until(lambda: [event for event in hall.on("event") if event["type"] == "refused"])
            assert says in next(event["what"] for event in hall.on("event") if event["type"] == "refused")
            assert daemon.journal.head == head

    asyncio.run(scene())


def test_a_receiver_can_ask_for_what_it_missed(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4", "e7e5")
            await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
            async with Subscriber(mosquitto.port) as late:
                await until(lambda: late.on("status"))
                await late.command(type="replay", after=1)
                await until(lambda: [event for event in late.on("event") if event["type"] == "done"])
                again = [event for event in late.on("event") if event.get("replayed")]
                assert [event["uci"] for event in again if event["type"] == "move"] == ["e2e4", "e7e5"]
                assert [event["ply"] for event in again if event["type"] == "move"] == [1, 2]
                await late.command(type="replay", after=999_999)
                await until(lambda: len([event for event in late.on("event") if event["type"] == "done"]) == 2)
                assert late.on("event")[-1]["seq"] == daemon.journal.head.seq, "there is no more"

    asyncio.run(scene())


def test_an_answer_goes_where_the_asker_wants_it_among_those_for_answers(config: Config, mosquitto: Mosquitto) -> None:
    """We may write topics that he may not: nobody is answered, nor replayed anything, on one of these."""
    base = "jadoube/v1/hall/board/7"

    async def scene() -> None:
        asker = aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=aiomqtt.ProtocolVersion.V5)
        async with hearing(asker, f"{base}/#") as heard, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and heard)
            for number, wanted in enumerate(("answer/me", "public/state", "answer/#", "answer/../state")):
                properties = Properties(PacketTypes.PUBLISH)
                properties.ResponseTopic = f"{base}/{wanted}"
                properties.CorrelationData = b"%d" % number
                with contextlib.suppress(ValueError):  # paho does not send what is no topic
                    await asker.publish(f"{base}/cmd", b'{"type":"replay","after":0}', qos=1, properties=properties)
            await until(lambda: sum(b'"done"' in message.payload for message in heard) >= 2)
            answers = [message for message in heard if b'"done"' in message.payload]
            assert {message.topic.value.removeprefix(f"{base}/") for message in answers} <= {
                "answer/me",
                "answer/../state",
                "event",
            }
            assert [message.properties.CorrelationData for message in answers if "me" in message.topic.value] == [b"0"]
            assert not [message for message in heard if "public" in message.topic.value]

    asyncio.run(scene())


@pytest.mark.parametrize("wanted", ["/" * 200, "x" * 300], ids=["levels", "length"])
def test_an_answer_goes_to_all_where_the_topic_wanted_is_none_that_every_broker_takes(
    config: Config, mosquitto: Mosquitto, wanted: str
) -> None:
    """Mosquitto throws out who publishes to a topic of more than 200 levels, and we would come back with the answer."""

    async def scene() -> None:
        asker = aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=aiomqtt.ProtocolVersion.V5)
        async with hearing(asker, f"{BASE}/#") as heard, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and heard)
            properties = Properties(PacketTypes.PUBLISH)
            properties.ResponseTopic = f"{BASE}/answer/{wanted}"
            await asker.publish(CMD, b'{"type":"replay","after":0}', qos=1, properties=properties)
            await until(lambda: any(b'"done"' in message.payload for message in heard))
            assert {message.topic.value for message in heard if b'"done"' in message.payload} == {EVENT}
            assert not [message for message in heard if b'"offline"' in message.payload]

    asyncio.run(scene())


def test_what_is_heard_at_once_waits_nowhere(mosquitto: Mosquitto) -> None:
    """However much is sent: so a flood of requests takes no memory."""

    async def scene() -> None:
        heard = list[aiomqtt.Message]()
        client = client_of(MqttConfig(host="127.0.0.1", port=mosquitto.port), aiomqtt.ProtocolVersion.V5)
        client.hear = heard.append
        async with client, aiomqtt.Client("127.0.0.1", mosquitto.port) as sender:
            await client.subscribe(CMD, 1)
            for number in range(1_000):
                await sender.publish(CMD, b"%d" % number)
            await until(lambda: len(heard) == 1_000)
            assert not len(client.messages)

    asyncio.run(scene())


def test_answers_that_nobody_waits_for_any_more_are_no_defects(caplog: pytest.LogCaptureFixture) -> None:
    """A daemon that is stopped as it connects, subscribes or says that it does not listen any more."""

    async def scene() -> None:
        client = client_of(MqttConfig(host="127.0.0.1", port=1), aiomqtt.ProtocolVersion.V5)
        client._connected.cancel()
        client._on_disconnect(None, None, None, ReasonCode(PacketTypes.DISCONNECT), None)
        client._on_subscribe(None, None, 1, [], None)
        client._on_unsubscribe(None, None, 2, [], None)

    asyncio.run(scene())
    assert not caplog.records


def test_a_retained_command_is_not_carried_out_at_each_connection(config: Config, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with aiomqtt.Client("127.0.0.1", mosquitto.port) as sender:
            resign = '{"type":"resign","side":"white"}'
            await sender.publish("jadoube/v1/hall/board/7/cmd", resign, qos=1, retain=True)
        async with Subscriber(mosquitto.port) as hall, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and hall.on("status"))
            await hall.command(type="pause", side="white")
            await until(lambda: any(event["type"] == "done" for event in hall.on("event")))
            assert daemon.only.session.playing
            assert not [event for event in hall.on("event") if event["type"] == "result"]

    asyncio.run(scene())
