"""The journal as the public may read it, one past for all who tell the public anything; and what everybody may hear
by MQTT: the same feeds once more, as late as the event has it.
"""

from collections.abc import Awaitable, Callable

from controller.config import Setup
from controller.daemon import ways
from controller.journal import Journal
from controller.outlets.delay import Past
from controller.outlets.follow import Readable
from controller.outlets.memory import Memory
from controller.outlets.mqtt import Feed, MqttOutlet
from controller.outlets.notices import Notices
from controller.outlets.public import voice

Tasks = dict[str, Callable[[], Awaitable[None]]]


class Public:
    """Where the public reads: the journal itself, or its past where the event has a delay."""

    def __init__(self, config: Setup, journal: Journal) -> None:
        self.journal: Readable = journal  #: as late as the event has it
        self.tasks: Tasks = {}  #: what is to be kept running for it
        if config.event.delay_min:
            past = Past(journal, config.numbers, config.event.delay_min)
            self.journal, self.tasks["delay"] = past, past.run


def by_mqtt(config: Setup, journal: Journal, past: Public, notices: Notices, memory: Memory) -> Tasks:
    """What is to be kept running for it, by name; nothing where the configuration does not ask for it."""
    if config.mqtt is None or not config.mqtt.public:
        return {}
    tasks: Tasks = {}
    for feed in ways.public_feeds(config):
        told = Feed(f"{feed.topic}/public", feed.board, feed.begin, feed.name.replace("mqtt", "mqtt public"), voice())
        outlet = MqttOutlet(config.mqtt, config.event.venue, told, journal, notices, memory, source=past.journal)
        tasks[outlet.name] = outlet.run
    return tasks
