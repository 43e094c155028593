"""The broker for those who have none: amqtt inside the daemon, on loopback only.

It speaks MQTT 3.1.1, and to every client that connects it sends what is retained for others too: fit for one person at
one machine, not for a hall. There, name a real broker in ``[mqtt]``.
"""

import asyncio
import logging
import socket

from amqtt.broker import Broker
from amqtt.contexts import BrokerConfig, ListenerConfig

log = logging.getLogger(__name__)
logging.getLogger("amqtt").setLevel(logging.ERROR)
logging.getLogger("transitions").setLevel(logging.ERROR)

HOST = "127.0.0.1"
PORT = 1883  #: where clients look first


class EmbeddedBroker:
    """``async with EmbeddedBroker() as broker`` runs it; it listens on :attr:`port`."""

    def __init__(self, port: int = PORT) -> None:
        self.port = _free_port(port)
        self._broker: Broker | None = None

    async def __aenter__(self) -> "EmbeddedBroker":
        config = BrokerConfig(
            listeners={"default": ListenerConfig(bind=f"{HOST}:{self.port}")},
            plugins={"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
        )
        self._broker = Broker(config, loop=asyncio.get_running_loop())
        await self._broker.start()
        log.info("no [mqtt] in the configuration: a broker of our own listens on %s:%d", HOST, self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._broker is not None:
            await self._broker.shutdown()


def _free_port(wanted: int) -> int:
    """``wanted``, or another one where that is taken."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                said = "port %d is taken, most likely by a broker, which [mqtt] host can name; ours takes a free port"
                log.warning(said, wanted)
                continue
            free: int = probe.getsockname()[1]
            return free
    raise OSError(f"no free port on {HOST}")
