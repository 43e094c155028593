"""What a command has to do with the broker: which one a hall has, or a daemon that brings one along; the round told
there."""

import asyncio
from pathlib import Path

import aiomqtt
from aiomqtt import ProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.cli.hall.files import Hall
from controller.errors import DeviceError
from controller.journal import in_use
from controller.journal.pages import beside
from controller.outlets.mqtt.connection import MqttConfig, talk
from controller.outlets.mqtt.levels import of_venue
from controller.outlets.mqtt.round import TOPIC
from controller.tournament.reading import as_csv
from controller.tournament.values import Round

ANSWER_S = 5.0  #: so long the broker may take to give back what it was given
INSTALL = "sudo sh broker/install.sh, on the computer of the broker; it has to know of this version"


def own_broker(journal: Path) -> tuple[MqttConfig, ProtocolVersion]:
    """That of the daemon with this journal, as it was started last, and the protocol that it speaks. Raises OSError or
    ValueError where none was.
    """
    from controller.outlets.mqtt.broker import HOST  # takes a moment

    port = int(beside(journal, "-broker").read_text())
    return MqttConfig(host=HOST, port=port), ProtocolVersion.V311


def broker(hall: Hall) -> tuple[MqttConfig, ProtocolVersion]:
    """The broker of the hall, or the one that its daemon brings along; and which protocol to speak with it first.

    Raises :exc:`DeviceError` where there is none yet.
    """
    if hall.mqtt is not None:
        return hall.mqtt, ProtocolVersion.V5
    try:
        own = own_broker(hall.journal)
    except (OSError, ValueError) as error:
        what = f"no daemon has ever played the boards of {hall.config}"
        raise DeviceError(what, "it was not started yet", f"jadoube run --config {hall.config}") from error
    if not in_use(hall.journal):
        what = f"no daemon plays the boards of {hall.config} at present"
        raise DeviceError(what, "it was stopped, and its broker with it", f"jadoube run --config {hall.config}")
    return own


def asking(topic: str) -> Properties:
    """What is put on a question, so that its answer comes on that topic. Needs MQTT 5."""
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.ResponseTopic = topic
    return properties


def again(hall: Hall, given: Round) -> str:
    """The command that has the broker told of the round in force once more."""
    return f"jadoube hall round {given.number} {hall.file_of(given.number)} --config {hall.config}"


def publish(hall: Hall, given: Round) -> None:
    """Tells the boards at other computers that the round is in force. Raises :exc:`JadoubeError` where the broker does
    not keep it for them: one acknowledges what it then gives to nobody.
    """
    topic, text = f"{of_venue(hall.venue)}/{TOPIC}", as_csv(given).encode()

    async def do(client: aiomqtt.Client, _: ProtocolVersion) -> bool:
        await client.subscribe(topic, qos=1)
        await client.publish(topic, text, qos=0, retain=True)  # mosquitto 2.0.11 throws out whom it denies anything
        try:
            async with asyncio.timeout(ANSWER_S):
                async for message in client.messages:
                    if message.payload == text:
                        return True
        except (TimeoutError, aiomqtt.MqttError):
            pass
        return False

    mqtt, version = broker(hall)
    if not talk(mqtt, version, do):
        cause = "its access list lets this computer write no round"
        raise DeviceError(f"the broker {mqtt.address} does not keep the round in force", cause, INSTALL)
