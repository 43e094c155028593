"""The broker's side: from the exchange on which the MQTT plugin publishes to quorum queues, each with one archiver.

============================  ======================================================================================
``amq.topic``                 what boards publish by MQTT
``jadoube.boards``            shares out, by their routing key, the boards' events and what awaits a ruling there: those
                              of a board stay together
``jadoube.archive.0``, …      a part each; of several archivers one has it, and another if that one goes
``jadoube.archive.heads.…``   how far each board is: of one archiver, gone with it
``jadoube.archive.times.…``   what the time is at the boards: of each archiver its own, gone with it
``jadoube.console.…``         what boards answer to the hall's pages: of each worker its own, gone with it
``jadoube.probe``             where it is tried whether the broker takes anything
============================  ======================================================================================

Quorum queues stand on most nodes of the cluster: what they took is not lost with one. Boards tell every five seconds
how far they are, so that need not be kept.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import aio_pika
from aio_pika.abc import AbstractChannel, AbstractConnection, AbstractExchange, AbstractQueue
from pamqp.common import FieldTable

from controller.archive.heard import DOCKET, HEAD
from controller.archive.settings import BrokerConfig
from controller.errors import ConfigError, DeviceError
from controller.outlets.mqtt.levels import Last

logging.getLogger("aiormq").setLevel(logging.CRITICAL)  # what breaks off the archiver says itself, in three lines

BROKEN_OFF = (aio_pika.exceptions.AMQPError, aio_pika.exceptions.ChannelInvalidStateError, OSError)
"""What is raised where the broker breaks off; the second, where that is found out only as something is acknowledged."""

PUBLISHED = "amq.topic"
BOARDS = "jadoube.boards"
PART = "jadoube.archive"
EVENT: Last = "event"
KEPT = tuple([f"jadoube.v1.*.*.*.{last}" for last in (EVENT, DOCKET)])
HEADS = f"jadoube.v1.*.*.*.{HEAD}"
TIMES = "jadoube.v1.*.*.*.time"
PROBE = "jadoube.probe"  #: an exchange from which nothing goes on
HEARD_S = 1.0  #: within which a node says that it takes nothing
PATIENCE_S = 10.0  #: how long a node may take to answer
QUEUE: FieldTable = {"x-queue-type": "quorum", "x-single-active-consumer": True}


@asynccontextmanager
async def connected(config: BrokerConfig) -> AsyncIterator[AbstractConnection]:
    """A connection to the first node that answers. Raises :exc:`DeviceError` where none does, or we are refused."""
    told: list[str] = []
    for host, port in config.addresses:
        try:
            connection = await aio_pika.connect(
                host=host,
                port=port,
                login=config.user,
                password=config.password or "",
                virtualhost=config.virtual_host,
                ssl=config.tls,
                ssl_context=_tls(config) if config.tls else None,
                timeout=PATIENCE_S,
                client_properties={"connection_name": "jadoube archive"},
            )
        except aio_pika.exceptions.ProbableAuthenticationError as error:
            raise DeviceError(
                f"the broker {host}:{port} refuses {config.user}: {error}",
                "the user is not known there, or [broker] password_file has another password",
                f"on that node: rabbitmqctl authenticate_user {config.user} PASSWORD",
            ) from error
        except (aio_pika.exceptions.AMQPError, OSError, TimeoutError) as error:
            told.append(f"{host}:{port}: {error or 'no answer'}")
            continue
        try:
            yield connection
        finally:
            with contextlib.suppress(TimeoutError):  # a node that has gone may let us wait for ever
                async with asyncio.timeout(PATIENCE_S):
                    await connection.close()
        return
    raise DeviceError(
        f"no node of the broker answers: {'; '.join(told)}",
        "none is running, or [broker] hosts names other places",
        "on a node: rabbitmq-diagnostics status; its log says why it does not start",
    )


async def opened(connection: AbstractConnection, ahead: int) -> AbstractChannel:
    """A channel on which ``ahead`` messages may be on their way, not acknowledged."""
    channel = await connection.channel(publisher_confirms=False)
    await channel.set_qos(prefetch_count=ahead)
    return channel


async def until_closed(channel: AbstractChannel) -> None:
    """Raises what closed the channel, once it is."""
    closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def note(_: object, error: BaseException | None) -> None:
        if not closed.done():
            closed.set_exception(error or ConnectionError("the channel was closed"))

    channel.close_callbacks.add(note)
    await closed


async def declare(channel: AbstractChannel, parts: int) -> list[str]:
    """Exchanges and queues, as they are from now on; where they are so already nothing changes. Returns the parts.

    Raises :exc:`DeviceError` where the broker has not what is needed, or other queues of these names.
    """
    try:
        published = await channel.get_exchange(PUBLISHED)
        boards = await channel.declare_exchange(BOARDS, "x-consistent-hash", durable=True)
        for key in KEPT:
            await boards.bind(published, key)
        names = [f"{PART}.{part}" for part in range(parts)]
        for name in names:
            queue = await channel.declare_queue(name, durable=True, arguments=QUEUE)
            await queue.bind(boards, "10")  # a weight: as much as the others
    except aio_pika.exceptions.ChannelPreconditionFailed as error:
        cause = "they were made by another version, or by hand"
        what = f"queues of these names are of another kind: {error}"
        raise DeviceError(what, cause, "rabbitmqctl list_queues name type arguments") from error
    except aio_pika.exceptions.ConnectionClosed as error:
        raise DeviceError(
            f"the broker does not know how to share out boards: {error}",
            "its plugin rabbitmq_consistent_hash_exchange is not enabled",
            "on each node: rabbitmq-plugins enable rabbitmq_mqtt rabbitmq_consistent_hash_exchange",
        ) from error
    return names


async def heads(channel: AbstractChannel) -> AbstractQueue:
    """How far boards are, as they tell it from now on."""
    return await _own(channel, "jadoube.archive.heads", HEADS)


async def times(channel: AbstractChannel) -> AbstractQueue:
    """The times of day that boards tell from now on."""
    return await _own(channel, "jadoube.archive.times", TIMES)


async def answers(channel: AbstractChannel) -> AbstractQueue:
    """A queue for what boards answer to who asks here; it is gone with the connection."""
    return await _own(channel, "jadoube.console")


async def _own(channel: AbstractChannel, name: str, *keys: str) -> AbstractQueue:
    """A queue for what is published under these keys, which is gone with the connection."""
    queue = await channel.declare_queue(f"{name}.{uuid4().hex}", exclusive=True, auto_delete=True)
    for key in keys:
        await queue.bind(PUBLISHED, key)
    return queue


class Probe:
    """Tries whether the broker takes what is published: a node says that it does not only to who has tried.

    It takes nothing more from a connection on which that was tried, not even what is acknowledged: so this is to be one
    on which nothing is consumed.
    """

    def __init__(self, connection: AbstractConnection, exchange: AbstractExchange) -> None:
        self._connection = connection
        self._exchange = exchange

    async def refused(self) -> DeviceError | None:
        """What to say where nothing is taken."""
        assert self._connection.transport is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HEARD_S):
                await self._exchange.publish(aio_pika.Message(b""), "", mandatory=False)
                await asyncio.sleep(HEARD_S / 4)  # for the answer
                await self._connection.transport.connection.ready()
                return None
        return DeviceError(
            "the broker takes nothing at present (connection.blocked); boards keep what they have to tell",
            "a node has too little free disk, or too little memory",
            "on each node: rabbitmq-diagnostics alarms; df -h; it goes on by itself once there is room",
        )


async def probe(connection: AbstractConnection) -> Probe:
    channel = await connection.channel(publisher_confirms=False)
    return Probe(connection, await channel.declare_exchange(PROBE, "fanout", durable=True))


async def ask(published: AbstractExchange, key: str, payload: bytes) -> None:
    """Publishes to a board, as if by MQTT."""
    async with asyncio.timeout(PATIENCE_S):
        await published.publish(aio_pika.Message(payload), key)


def _tls(config: BrokerConfig) -> ssl.SSLContext:
    """Raises :exc:`ConfigError` where the authority cannot be read."""
    try:
        return ssl.create_default_context(cafile=config.ca_file)
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(
            f"the broker's authority cannot be read: {error}",
            "[broker] ca_file names another file",
            f"openssl x509 -noout -subject -in {config.ca_file}",
        ) from error
