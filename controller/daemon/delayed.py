"""The journal as the public may read it, one past for all who tell the public anything; and what everybody may hear
by MQTT: the same feeds once more, as late as the event has it.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec.structs import replace

from controller.config import TableSetup
from controller.daemon.feeds import public_feeds
from controller.journal import Journal
from controller.outlets.channel import Feed
from controller.outlets.delay import Past
from controller.outlets.follow import Readable
from controller.outlets.public import voice

NAME = "mqtt public"  #: of what is told to everybody, where ``mqtt`` is what the hall is told


class Public:
    """Where the public reads: the journal itself, or its past where the event has a delay."""

    def __init__(self, config: TableSetup, journal: Journal) -> None:
        self.journal: Readable = journal  #: as late as the event has it
        self.tasks: dict[str, Callable[[], Awaitable[None]]] = {}  #: what is to be kept running for it
        if config.event.delay_min:
            past = Past(journal, config.numbers, config.event.delay_min)
            self.journal, self.tasks["delay"] = past, past.run


def feeds(config: TableSetup, of_many: str | None) -> list[Feed[Any]]:
    """What is published for everybody."""
    return [
        replace(feed, topic=f"{feed.topic}/public", name=feed.name.replace("mqtt", NAME), voice=voice())
        for feed in public_feeds(config, of_many)
    ]
