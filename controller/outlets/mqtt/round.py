"""The round in force as the organiser's computer tells it, retained at the broker: kept in a file.

From there it is read like any other file of pairings, so it outlives the broker, and a restart without it. What is no
list of pairings is a notice, and the round that was there before stays.
"""

import asyncio
from pathlib import Path

import aiomqtt

from controller import pairing
from controller.errors import ConfigError
from controller.outlets.mqtt.levels import of_venue
from controller.outlets.notices import Notices
from controller.outlets.writing import until_taken, write_atomically

TOPIC = "round"  #: under the venue, retained: a CSV of pairings; the organiser alone may write it


class RoundInForce:
    """Of the ``venue``, kept in the file ``path``. Implements :class:`.Carried`."""

    name = "round"  #: of its notice

    def __init__(self, venue: str, path: Path, notices: Notices) -> None:
        self.base = f"{of_venue(venue)}/{TOPIC}"
        self.topics = (self.base,)
        self.notices = notices
        self._path = path
        self._told: bytes | None = None  # what was heard last, and is not looked at yet
        self._news = asyncio.Event()

    def hear(self, message: aiomqtt.Message) -> None:
        if isinstance(message.payload, bytes) and message.payload:  # one that was taken away leaves all as it is
            self._told = message.payload
            self._news.set()

    async def serve(self, client: aiomqtt.Client) -> None:  # noqa: ARG002
        while True:
            await self._news.wait()
            self._news.clear()
            told, self._told = self._told, None
            if told is not None:
                await self._take(told)

    async def _take(self, told: bytes) -> None:
        text = pairing.decode(told)
        try:
            rows = pairing.rows_of(text, self.base)
            if not rows:
                raise ConfigError(f"{self.base}: no pairing is told there", "another program, or another version")
        except ConfigError as error:
            self.notices.set(self.name, error)
            return
        await until_taken(lambda: _keep(self._path, text), self._path.parent, self.notices, self.name)


def _keep(path: Path, text: str) -> None:
    """Raises OSError."""
    if not path.exists() or path.read_text("utf-8") != text:
        write_atomically(path, text)
