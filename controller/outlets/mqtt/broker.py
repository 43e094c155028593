"""The broker for those who have none: amqtt inside the daemon, on loopback only.

It speaks MQTT 3.1.1, and to every client that connects it sends what is retained for others too: fit for one person at
one machine, not for a hall. There, name a real broker in ``[mqtt]``.

It has a thread and a loop of its own: what it is sent has no end, and takes it a third of a millisecond a message. The
interpreter gives that thread and the one that plays turns of a few milliseconds.
"""

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

from amqtt.adapters import StreamReaderAdapter, StreamWriterAdapter
from amqtt.broker import Broker
from amqtt.contexts import BrokerConfig, ListenerConfig, ListenerType

from controller.outlets.entrance import Entrance, Guest, listen

log = logging.getLogger(__name__)
logging.getLogger("amqtt").setLevel(logging.CRITICAL)  # what is no MQTT is no news
logging.getLogger("transitions").setLevel(logging.ERROR)

HOST = "127.0.0.1"
PORT = 1883  #: where clients look first
MOST = 72  #: connections at a time
LEAVE_S = 3.0  #: how long it may take to close its sessions, for amqtt may wait for a client that is gone for ever
LISTENER = "default"  #: as amqtt has to call it


class _Writer(StreamWriterAdapter):  # type: ignore[misc]  # amqtt has no types
    """What the broker says to a guest; the first word is that he has been heard."""

    def __init__(self, writer: asyncio.StreamWriter, guest: Guest) -> None:
        super().__init__(writer)
        self._guest = guest

    def write(self, data: bytes) -> None:
        self._guest.served()
        super().write(data)


class _GoneThrough(dict[str, Any]):
    """What amqtt keeps by topic, and changes while it goes through it for another client."""

    def __iter__(self) -> Iterator[str]:
        return iter([*self.keys()])

    def items(self) -> Any:
        return [*super().items()]


class EmbeddedBroker:
    """``async with EmbeddedBroker() as broker`` runs it; it listens on :attr:`port`."""

    def __init__(self, port: int = PORT, before: int = 0) -> None:
        """``before``: the free port that it took the last time, as its clients look there; 0 for none."""
        self._listener = _listener(port, before)
        self.port: int = self._listener.getsockname()[1]
        self._up: Future[None] = Future()
        self._over: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)

    async def __aenter__(self) -> "EmbeddedBroker":
        self._thread.start()
        await asyncio.wrap_future(self._up)
        log.info("no [mqtt] in the configuration: a broker of our own listens on %s:%d", HOST, self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._over.set_result(None)
        await asyncio.to_thread(self._thread.join, 2 * LEAVE_S)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            if self._up.done():
                raise
            self._up.set_exception(error)

    async def _serve(self) -> None:
        config = BrokerConfig(
            listeners={LISTENER: ListenerConfig(type=ListenerType.EXTERNAL)},
            plugins={"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
        )
        self._broker = Broker(config, loop=asyncio.get_running_loop())
        self._broker._subscriptions = _GoneThrough()
        self._broker._retained_messages = _GoneThrough()
        await self._broker.start()
        entrance = Entrance(self._listener, MOST, self._protocol)
        entrance.open()
        self._up.set_result(None)
        await asyncio.wrap_future(self._over)
        entrance.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_S):
                await self._broker.shutdown()

    def _protocol(self, guest: Guest) -> asyncio.Protocol:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                said, heard = StreamReaderAdapter(reader), _Writer(writer, guest)
                await self._broker.external_connected(said, heard, LISTENER)
            except asyncio.CancelledError:
                pass  # the broker closes; Python 3.11 logs it as an error otherwise
            finally:
                writer.close()  # amqtt leaves it open where nothing came

        return asyncio.StreamReaderProtocol(asyncio.StreamReader(), serve)


def _listener(wanted: int, before: int) -> socket.socket:
    """At ``wanted``, or where that is taken at ``before``, or at a free port."""
    with contextlib.suppress(OSError):
        return listen(HOST, wanted)
    said = "port %d is taken, most likely by a broker, which [mqtt] host can name; ours takes a free port"
    log.warning(said, wanted)
    with contextlib.suppress(OSError, OverflowError):
        return listen(HOST, before)
    return listen(HOST, 0)
