"""What everybody may hear by MQTT: the same feeds once more, as late as the event has it."""

from collections.abc import Awaitable, Callable

from controller.config import Setup
from controller.daemon import ways
from controller.journal import Journal
from controller.outlets.delay import Past
from controller.outlets.mqtt import Feed, MqttOutlet
from controller.outlets.notices import Notices
from controller.outlets.public import PUBLIC


def public(config: Setup, journal: Journal, notices: Notices) -> dict[str, Callable[[], Awaitable[None]]]:
    """What is to be kept running for it, by name; nothing where the configuration does not ask for it."""
    if config.mqtt is None or not config.mqtt.public:
        return {}
    past = Past(journal, config.numbers, config.event.delay_min)
    tasks: dict[str, Callable[[], Awaitable[None]]] = {"mqtt public delay": past.run}
    for feed in ways.feeds(config).values():
        told = Feed(f"{feed.topic}/public", feed.board, feed.begin, feed.name.replace("mqtt", "mqtt public"), PUBLIC)
        outlet = MqttOutlet(config.mqtt, config.event.venue, told, journal, notices, source=past)
        tasks[outlet.name] = outlet.run
    return tasks
