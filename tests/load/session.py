"""One connection by MQTT, 3.1.1 or 5, of which a thousand fit into a process.

Only what a board needs: it publishes at QoS 1, hears its own topics, and never writes more than it is asked to. From
the texts of the two standards (OASIS, 2014 and 2019); what other clients take for as much is in :mod:`.clients`.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK, UNSUBSCRIBE, UNSUBACK, PINGREQ, DISCONNECT = (
    0x10, 0x20, 0x30, 0x40, 0x82, 0x90, 0xA2, 0xB0, 0xC0, 0xE0,
)  # fmt: skip
V311, V5 = 4, 5


class Owner(Protocol):
    """Whose connection it is."""

    def connected(self) -> None: ...
    def subscribed(self, number: int) -> None: ...
    def acknowledged(self, number: int) -> None: ...
    def heard(self, topic: bytes, payload: bytes, *, retained: bool) -> None: ...
    def broken(self) -> None: ...


class Session(asyncio.Protocol):
    """Of ``owner``, with the packet ``hello`` to begin with."""

    __slots__ = ("_number", "_owner", "_rest", "hello", "level", "transport")

    def __init__(self, owner: Owner, hello: bytes, level: int) -> None:
        self._owner = owner
        self.hello = hello
        self.level = level
        self.transport: asyncio.Transport | None = None
        self._number = 0
        self._rest = b""

    # -- what is written -----------------------------------------------------------------------------------------

    def publish(self, topic: bytes, payload: bytes, *, retain: bool) -> tuple[int, bytes]:
        """The packet and its number, to be handed to :meth:`write`."""
        number = self._next()
        head = len(topic).to_bytes(2, "big") + topic + number.to_bytes(2, "big") + self._no_properties
        return number, bytes((PUBLISH | 2 | retain,)) + _length(len(head) + len(payload)) + head + payload

    def subscribe(self, topics: Sequence[bytes]) -> int:
        """At QoS 1, all in one packet; its number."""
        asked = b"".join(_text(topic) + b"\1" for topic in topics)
        return self._ask(SUBSCRIBE, asked)

    def unsubscribe(self, topic: bytes) -> int:
        """Its number."""
        return self._ask(UNSUBSCRIBE, _text(topic))

    def ping(self) -> None:
        self.write(bytes((PINGREQ, 0)))

    def write(self, packets: bytes) -> None:
        """Nothing, where the connection is gone: its owner has been told."""
        if self.transport is not None:
            self.transport.write(packets)

    def leave(self) -> None:
        """In order: no last will."""
        self.write(bytes((DISCONNECT, 0)))
        self.cut()

    def cut(self) -> None:
        """As if the cable were out."""
        if self.transport is not None:
            self.transport.abort()

    # -- what is read --------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.hello)

    def connection_lost(self, _: Exception | None) -> None:
        self.transport = None
        self._owner.broken()

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data, self._rest = self._rest + data, b""
        at, end = 0, len(data)
        while end - at >= 2:
            length, body = data[at + 1], at + 2
            if length > 127:
                length, body = _read_length(data, at + 1)
            if body == 0 or body + length > end:
                break
            kind = data[at]
            if kind == PUBACK:
                self._owner.acknowledged(data[body] << 8 | data[body + 1])
            else:
                self._take(kind, data[body : body + length])
            at = body + length
        if at < end:
            self._rest = data[at:]

    def _take(self, kind: int, body: bytes) -> None:
        if kind & 0xF0 == PUBLISH:
            self._take_message(kind, body)
        elif kind == CONNACK:
            if body[1]:
                self.cut()
            else:
                self._owner.connected()
        elif kind in (SUBACK, UNSUBACK):
            self._owner.subscribed(body[0] << 8 | body[1])
        elif kind == DISCONNECT:
            self.cut()

    def _take_message(self, kind: int, body: bytes) -> None:
        at = 2 + (body[0] << 8 | body[1])
        topic = body[2:at]
        if kind & 6:
            self.write(bytes((PUBACK, 2)) + body[at : at + 2])
            at += 2
        if self.level == V5:
            length, at = _read_length(body, at)
            at += length
        self._owner.heard(topic, body[at:], retained=bool(kind & 1))

    # -- inside --------------------------------------------------------------------------------------------------

    def _ask(self, kind: int, asked: bytes) -> int:
        number = self._next()
        body = number.to_bytes(2, "big") + self._no_properties + asked
        self.write(bytes((kind,)) + _length(len(body)) + body)
        return number

    def _next(self) -> int:
        self._number = self._number % 0xFFFF + 1
        return self._number

    @property
    def _no_properties(self) -> bytes:
        return b"\0" if self.level == V5 else b""


def hello(identifier: str, level: int, keepalive_s: int, will: tuple[str, bytes]) -> bytes:
    """The packet by which a session begins, clean, with a last will that is retained."""
    nothing = b"\0" if level == V5 else b""
    flags = 0x02 | 0x04 | 0x08 | 0x20  # clean; a will, at QoS 1, retained
    body = _text(b"MQTT") + bytes((level, flags)) + keepalive_s.to_bytes(2, "big") + nothing
    body += _text(identifier.encode()) + nothing + _text(will[0].encode()) + _text(will[1])
    return bytes((CONNECT,)) + _length(len(body)) + body


async def connect(owner: Owner, address: tuple[str, int], hello: bytes, level: int) -> Session:
    """Raises :exc:`OSError` where nobody answers there."""
    make: Callable[[], Session] = lambda: Session(owner, hello, level)  # noqa: E731
    _, session = await asyncio.get_running_loop().create_connection(make, *address)
    return session


def _text(value: bytes) -> bytes:
    return len(value).to_bytes(2, "big") + value


def _length(value: int) -> bytes:
    if value < 128:
        return bytes((value,))
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def _read_length(data: bytes, at: int) -> tuple[int, int]:
    """The length that stands there, and where what follows begins; 0 where it has not come whole."""
    value = 0
    for n in range(4):
        if at + n >= len(data):
            return 0, 0
        value |= (data[at + n] & 127) << 7 * n
        if data[at + n] < 128:
            return value, at + n + 1
    return 0, 0
