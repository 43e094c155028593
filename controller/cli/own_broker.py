"""The broker that a daemon brings along where none is named, for commands on the same machine."""

from pathlib import Path

from aiomqtt import ProtocolVersion

from controller.journal.pages import beside
from controller.outlets.connection import MqttConfig


def own_broker(journal: Path) -> tuple[MqttConfig, ProtocolVersion]:
    """That of the daemon with this journal, as it was started last, and the protocol that it speaks. Raises OSError or
    ValueError where none was.
    """
    from controller.outlets.broker import HOST  # takes a moment

    port = int(beside(journal, "-broker").read_text())
    return MqttConfig(host=HOST, port=port), ProtocolVersion.V311
