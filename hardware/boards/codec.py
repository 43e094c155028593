"""What the codecs of this room share: how damage is told, and how messages without a mark of their own are found.

A codec takes bytes in any chunks and gives messages. What no such board can have sent comes out as a
:exc:`ProtocolError` in its place, as a value: nothing after it is lost, and nothing is raised.
"""

from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)


class ProtocolError(Exception):
    """Bytes that a board cannot have sent."""


class Codec(Protocol[M_co]):
    """Bytes in, messages out; any chunking gives the same messages."""

    def feed(self, data: bytes) -> Iterator[M_co | ProtocolError]: ...


Parse = Callable[[bytes], M | None]
"""The message that these bytes are; None as long as they may become one. Raises ProtocolError when they cannot.

It is asked after each byte, so it never sees more than one message.
"""


class Framer(Generic[M]):
    """Finds messages by trying: where bytes can be no message, the search goes on behind the first of them.

    A damaged stretch is told once, where it begins. ``padding``: a byte that may stand between messages for nothing.
    """

    def __init__(self, parse: Parse[M], padding: int | None = None) -> None:
        self._parse = parse
        self._padding = padding
        self._begun = bytearray()
        self._lost = False  # in a damaged stretch

    def feed(self, data: bytes) -> Iterator[M | ProtocolError]:
        for byte in data:
            untried = [byte]
            while untried:
                following = untried.pop(0)
                if following == self._padding and not self._begun:
                    continue
                self._begun.append(following)
                try:
                    message = self._parse(bytes(self._begun))
                except ProtocolError as error:
                    if not self._lost:
                        yield error
                    self._lost = True
                    untried = [*self._begun[1:], *untried]
                    self._begun.clear()
                    continue
                if message is not None:
                    self._lost = False
                    self._begun.clear()
                    yield message
