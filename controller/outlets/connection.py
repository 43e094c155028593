"""A connection to the broker that the configuration names, and what to do when there is none, in words."""

import logging
import socket
import ssl
from pathlib import Path
from typing import Annotated

import aiomqtt
from aiomqtt import ProtocolVersion
from msgspec import Meta, Struct

from controller.errors import ConfigError, DeviceError, JadoubeError

_quiet = logging.getLogger("mqtt")
_quiet.setLevel(logging.ERROR)  # aiomqtt warns of many publications at once, which is how a batch is sent

KEEPALIVE_S = 15  #: after half as much again without a word the broker sends the last will
NODELAY = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  #: a batch is many small packets
NO_ENTRY = (4, 5, 134, 135)  #: user, password or the right to connect, in both versions of the protocol


class MqttConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the broker is."""

    host: str
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None  #: 1883, or 8883 with TLS
    user: str | None = None
    password_file: str | None = None  #: a file with the password alone in it
    tls: bool = False
    ca_file: str | None = None  #: who vouches for the broker, where the system's authorities do not

    @property
    def number(self) -> int:
        """The port, given or not."""
        return self.port or (8883 if self.tls else 1883)

    @property
    def address(self) -> str:
        """``hall.local:1883``"""
        return f"{self.host}:{self.number}"


def client_of(config: MqttConfig, version: ProtocolVersion, will: aiomqtt.Will | None = None) -> aiomqtt.Client:
    """A client, not connected yet. Raises :exc:`ConfigError` for files that cannot be read."""
    return aiomqtt.Client(
        config.host,
        config.number,
        username=config.user,
        password=_password(config.password_file),
        logger=_quiet,
        protocol=version,
        will=will,
        keepalive=KEEPALIVE_S,
        socket_options=[NODELAY],
        tls_context=ssl.create_default_context(cafile=config.ca_file) if config.tls else None,
    )


def other(version: ProtocolVersion) -> ProtocolVersion:
    """What to try where a broker does not speak ``version``."""
    return ProtocolVersion.V311 if version == ProtocolVersion.V5 else ProtocolVersion.V5


def unreachable(error: BaseException) -> bool:
    """Whether nothing answered at all, so that another version would fare no better."""
    return isinstance(error, OSError | ConfigError) or isinstance(error.__context__, OSError)


def explain(config: MqttConfig, version: ProtocolVersion, error: BaseException, connected: bool) -> JadoubeError:
    """What went wrong with a connection, or before there was one."""
    if isinstance(error, JadoubeError):
        return error
    probe = f"mosquitto_sub -h {config.host} -p {config.number} -t '$SYS/broker/version' -C 1"
    if connected:
        return DeviceError(f"the broker {config.address} went away: {error}", "it was stopped, or the network", probe)
    if unreachable(error):
        cause = "it is not running, or [mqtt] host and port name another place"
        return DeviceError(f"the broker {config.address} does not answer: {error}", cause, probe)
    code = getattr(error, "rc", None)
    if getattr(code, "value", code) in NO_ENTRY:
        cause = "[mqtt] user and password_file are not those that the broker knows"
        return DeviceError(f"the broker {config.address} refuses us: {error}", cause, probe)
    cause = f"it does not speak MQTT {version.name}, or [mqtt] tls says otherwise than the broker does"
    return DeviceError(f"the broker {config.address} breaks off: {error}", cause, probe)


def _password(file: str | None) -> str | None:
    if file is None:
        return None
    try:
        return Path(file).read_text("utf-8").strip()
    except OSError as error:
        raise ConfigError(
            f"the password file {file} cannot be read: {error.strerror}",
            "[mqtt] password_file names another file, or the daemon's user may not read it",
            f"ls -l {file}",
        ) from error
