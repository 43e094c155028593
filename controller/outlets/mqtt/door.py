"""The door for commands: who may give them, and by what name they stand in the journal.

The broker has its access list and asks who connects, but does not tell us who published. So there are three ways, and
``[mqtt] commands`` says which of them count: ``open``, whoever may publish on ``cmd``; ``named``, whoever publishes on
``cmd/<user>``, where the access list lets each write under his own name alone; ``signed``, by :mod:`.signed`.
"""

import time
from typing import Literal

import msgspec

from controller import credentials
from controller.errors import AccessError
from controller.outlets.mqtt.command import Fields, read
from controller.outlets.mqtt.memory import Memory
from controller.outlets.mqtt.signed import Seal, Signed, read_keys

Trust = Literal["open", "named", "signed"]


class Door:
    """Of the board at ``topic``. ``trust`` is the least that is asked for; a signature will do everywhere.

    ``keys_file``: with the keys of those who sign, read anew for each signed command, so that one can be added.
    """

    def __init__(self, topic: str, trust: Trust, keys_file: str | None, memory: Memory) -> None:
        self._trust = trust
        self._keys_file = keys_file
        self.memory = memory
        self._seal = Seal(topic, memory)
        self._since = time.monotonic()

    def admit(self, said: Fields, user: str | None) -> tuple[Fields, str | None]:
        """The command, and who gave it where that is known; to be carried out once the ``memory`` is safe. ``user``: on
        whose topic it came, if on anybody's.

        Raises :exc:`AccessError`; and :exc:`LogError` where what was signed is no command.
        """
        if (signed := _signed(said)) is not None:
            keys = read_keys(credentials.read(self._keys_file, "[mqtt] keys_file")) if self._keys_file else {}
            up_ms = round(1000 * (time.monotonic() - self._since))
            return read(self._seal.open(signed, keys, time.time_ns() // 1_000_000, up_ms)), signed.by
        if self._trust == "signed":
            raise AccessError("only signed commands are carried out here", '[mqtt] commands = "signed"', "docs/mqtt.md")
        if self._trust == "named" and user is None:
            cause = '[mqtt] commands = "named": it would not be known who sent it'
            raise AccessError("only commands on cmd/<user> are carried out here", cause, "publish it there")
        return said, user


def _signed(said: Fields) -> Signed | None:
    """The envelope, if it is one; what it is instead, and whether it makes sense, is for others to say."""
    try:
        return msgspec.convert(said, Signed)
    except msgspec.ValidationError:
        return None
