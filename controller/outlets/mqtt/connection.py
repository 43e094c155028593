"""A connection to the broker that the configuration names, and what to do when there is none, in words."""

import asyncio
import contextlib
import logging
import re
import shlex
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import aiomqtt
from aiomqtt import ProtocolVersion
from msgspec import Meta, Struct, structs
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller import credentials
from controller.errors import ConfigError, DeviceError, JadoubeError
from controller.outlets.mqtt import trust
from controller.outlets.mqtt.door import Trust
from controller.outlets.settings import Host

_quiet = logging.getLogger("mqtt")
_quiet.setLevel(logging.ERROR)  # aiomqtt warns of many publications at once, which is how a batch is sent

PATIENCE_S = 10.0  #: how long an answer of the broker may take
KEEPALIVE_S = 15  #: after half as much again without a word the broker sends the last will
AWAY_S = 86_400  #: so long a broker keeps what comes for a board that is away
#: bytes of what we are sent, at most: more than ``jadoube broker-config`` lets anybody send. Mosquitto 2.0 does not
#: pass on what is longer, but counts it as on its way for ever: after 20 such messages nothing else comes, either
LARGEST = 524_288
NODELAY = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  #: a batch is many small packets
NO_ENTRY = (4, 5, 134, 135)  #: user, password or the right to connect, in both versions of the protocol

NAME_AND_PORT = re.compile(r"[^:]+:\d+")

T = TypeVar("T")

Conversation = Callable[[aiomqtt.Client, ProtocolVersion], Awaitable[T]]


class _HungUp(aiomqtt.MqttError):
    """The broker closed the connection in place of an answer."""


class Client(aiomqtt.Client):
    """One that loses no cancellation: up to Python 3.11 ``asyncio.wait_for`` passes over one that comes in the same
    turn as the answer, and who waits for the end of the task that was cancelled waits for ever.

    One that passes over answers for which nobody waits any more, as it was stopped meanwhile. And one that notices
    where a broker hangs up in place of an answer, as RabbitMQ 3.10 does on MQTT 5; and where one that speaks MQTT 5
    takes a message and refuses it, as its access list says.
    """

    refusal: ReasonCode | None = None  #: of the message that it refused last
    #: takes each message at once, so that none waits here and the broker sends no faster than they are looked at; None:
    #: they wait in ``messages``, however many there are
    hear: Callable[[aiomqtt.Message], None] | None = None

    def _on_message(self, client: Any, userdata: Any, message: Any) -> None:
        if self.hear is None:
            super()._on_message(client, userdata, message)
        else:
            self.hear(aiomqtt.Message._from_paho_message(message))

    def _on_publish(self, *said: Any) -> None:
        _, _, _, code, _ = said
        self.refusal = code if code.is_failure else self.refusal
        super()._on_publish(*said)

    def _on_disconnect(self, *said: Any) -> None:
        if not self._connected.done():
            self._connected.set_exception(_HungUp("it hung up without a word"))
        if not self._connected.cancelled():
            super()._on_disconnect(*said)

    def _on_subscribe(self, *said: Any) -> None:
        if said[2] in self._pending_subscribes:
            super()._on_subscribe(*said)

    def _on_unsubscribe(self, *said: Any) -> None:
        if said[2] in self._pending_unsubscribes:
            super()._on_unsubscribe(*said)

    async def _wait_for(self, fut: Awaitable[T], timeout: float | None) -> T:
        try:
            async with asyncio.timeout(self.timeout if timeout is None else timeout):
                return await fut
        except TimeoutError:
            raise aiomqtt.MqttError("Operation timed out") from None


class MqttConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the broker is, who we are there, and whose commands are carried out."""

    host: str = ""  #: as ``"192.168.1.10"``
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None  #: as ``1883``; left out: 1883, or 8883 with TLS
    #: as ``["node-b", "node-c"]``: nodes of a cluster, besides or alone, tried in turn: docs/archive.md
    hosts: tuple[Host, ...] = ()
    user: str | None = None  #: as ``"board1"``
    #: as ``"mqtt-password"``: a credential of the service, see docs/install.md; or a file with the password alone in it
    password_file: str | None = None
    tls: bool = False  #: as ``true``; left out: false
    #: as ``"/etc/jadoube/ca.pem"``: who vouches for the broker, where the system's authorities do not
    ca_file: str | None = None
    #: as ``"/etc/jadoube/board-1.crt"``: our own certificate, where the broker asks for one
    cert_file: str | None = None
    #: as ``"/etc/jadoube/board-1.key"``: its private key, where that is not in the same file
    key_file: str | None = None
    commands: Trust = "open"  #: who may command: "open", who may publish on cmd; "named", on cmd/<user>; "signed"
    keys_file: str | None = None  #: as ``"/etc/jadoube/arbiters"``: the keys of those who sign their commands
    public: bool = False  #: moves and clocks once more under public/, late by [event] delay_min: docs/security.md

    def __post_init__(self) -> None:
        if not (self.host or self.hosts):
            raise ValueError("host: there is none; write host, or hosts for the nodes of a cluster")
        if "/" in self.host or NAME_AND_PORT.fullmatch(self.host):
            what = "this is a URL" if "/" in self.host else "there is a port in it"
            instead = 'write host = "192.168.1.10", and port = 1883 apart; mqtts:// is tls = true'
            raise ValueError(f"host: {what}; {instead}")
        if self.cert_file is not None and not self.tls:
            raise ValueError("cert_file: certificates are for TLS, and tls is false")
        if self.commands == "signed" and self.keys_file is None:
            raise ValueError("commands: signed ones cannot be checked without keys_file")

    @property
    def brokers(self) -> "list[MqttConfig]":
        """The same for each node alone."""
        found = [structs.replace(self, hosts=())] if self.host else []
        for host, _, port in (each.partition(":") for each in self.hosts):
            found.append(structs.replace(self, host=host, port=int(port) if port else self.port, hosts=()))
        return found

    @property
    def port_number(self) -> int:
        """The port, given or not."""
        return self.port or (8883 if self.tls else 1883)

    @property
    def address(self) -> str:
        """``hall.local:1883``; of several nodes the first."""
        first = self if self.host else self.brokers[0]
        return f"{first.host}:{first.port_number}"


def client_of(
    config: MqttConfig,
    version: ProtocolVersion,
    will: aiomqtt.Will | None = None,
    identifier: str | None = None,
    *,
    stays: bool = False,
) -> Client:
    """A client, not connected yet. What comes for one that ``stays`` is kept by the broker while it is away, where both
    speak MQTT 5; one of before could not be told for how long.

    Raises :exc:`ConfigError` for files that cannot be read, or by everybody.
    """
    password = None if config.password_file is None else credentials.read(config.password_file, "[mqtt] password_file")
    session: dict[str, Any] = {}
    if version == ProtocolVersion.V5:
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.MaximumPacketSize = LARGEST
        properties.SessionExpiryInterval = AWAY_S if stays else 0
        session = {"properties": properties, "clean_start": not stays}
    return Client(
        config.host,
        config.port_number,
        username=config.user,
        password=password,
        identifier=identifier,
        logger=_quiet,
        protocol=version,
        will=will,
        timeout=PATIENCE_S,
        keepalive=KEEPALIVE_S,
        socket_options=[NODELAY],
        tls_context=_tls(config) if config.tls else None,
        **session,
    )


def other(version: ProtocolVersion) -> ProtocolVersion:
    """What to try where a broker does not speak ``version``."""
    return ProtocolVersion.V311 if version == ProtocolVersion.V5 else ProtocolVersion.V5


def hopeless(error: BaseException) -> bool:
    """Whether another version would fare no better: nothing answered at all, or the configuration is wrong."""
    return isinstance(error, OSError | ConfigError) or isinstance(error.__context__, OSError)


def talk(config: MqttConfig, version: ProtocolVersion, do: "Conversation[T]") -> T:
    """Connects to the first node that answers, and returns what ``do`` makes of it. ``version``: what is spoken, where
    the broker understands that.

    Raises :exc:`JadoubeError` where no node can be used.
    """
    *more, last = config.brokers
    for node in more:
        with contextlib.suppress(JadoubeError):
            return asyncio.run(_talk(node, version, do))
    return asyncio.run(_talk(last, version, do))


async def _talk(config: MqttConfig, version: ProtocolVersion, do: "Conversation[T]") -> T:
    while True:
        try:
            async with client_of(config, version) as client:
                return await do(client, version)
        except (aiomqtt.MqttError, OSError) as error:
            if hopeless(error) or version != ProtocolVersion.V5:
                raise await explain(config, version, error, connected=False) from error
            version = other(version)


async def explain(config: MqttConfig, version: ProtocolVersion, error: BaseException, connected: bool) -> JadoubeError:
    """What went wrong with a connection, or before there was one. A broker that may not trust us is asked."""
    if isinstance(error, JadoubeError):
        return error
    probe = _probe(config)
    if connected:
        return DeviceError(f"the broker {config.address} went away: {error}", "it was stopped, or the network", probe)
    refusal = error.__context__
    if config.tls and (hopeless(error) or isinstance(error, _HungUp)) and not isinstance(refusal, ssl.SSLError):
        refusal = await trust.heard(config.host, config.port_number, _tls(config))
    if isinstance(refusal, ssl.SSLError):
        if "ALERT" in (refusal.reason or ""):
            return trust.of_us(config.address, config.cert_file, refusal)
        return trust.of_broker(config.address, config.host, config.ca_file, refusal)
    if hopeless(error):
        cause = "it is not running, or [mqtt] host and port name another place"
        return DeviceError(f"the broker {config.address} does not answer: {error}", cause, probe)
    code = getattr(error, "rc", None)
    if getattr(code, "value", code) in NO_ENTRY:
        cause = "[mqtt] user and password_file are not those that the broker knows"
        return DeviceError(f"the broker {config.address} refuses us: {error}", cause, probe)
    cause = f"it does not speak MQTT {version.name}, or [mqtt] tls says otherwise than the broker does"
    return DeviceError(f"the broker {config.address} breaks off: {error}", cause, probe)


def _probe(config: MqttConfig) -> str:
    """The command that connects as we do, and says what the broker answers; whatever may be read there, it ends."""
    options = ["-h", config.host, "-p", str(config.port_number)]
    if config.tls:
        options += ["--cafile", config.ca_file] if config.ca_file is not None else ["--tls-use-os-certs"]
    if config.cert_file is not None:
        key = config.key_file or config.cert_file
        options += ["--cert", str(credentials.where(config.cert_file)), "--key", str(credentials.where(key))]
    options += ["-u", config.user] if config.user is not None else []
    secret = config.password_file
    password = "" if secret is None else f' -P "$(sudo cat {shlex.quote(str(credentials.where(secret)))})"'
    return f"mosquitto_sub {shlex.join(options)}{password} -t '#' -E -d"


def _tls(config: MqttConfig) -> ssl.SSLContext:
    """Raises :exc:`ConfigError` for certificates that cannot be used, or a private key that everybody can read."""
    try:
        context = ssl.create_default_context(cafile=config.ca_file)
        if config.cert_file is not None:
            key = config.key_file or config.cert_file
            credentials.read(key, "[mqtt] key_file")
            context.load_cert_chain(credentials.where(config.cert_file), credentials.where(key))
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(
            f"a certificate for the broker cannot be used: {error.strerror or error}",
            "[mqtt] ca_file, cert_file or key_file names another file, or the key is of another certificate",
            f"openssl x509 -noout -subject -dates -in {config.cert_file or config.ca_file}",
        ) from error
    return context
