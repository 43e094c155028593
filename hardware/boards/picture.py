"""What a board's messages add up to, for its driver and for its recordings alike. No I/O, no clock of its own."""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from controller.contract import Senses
from hardware.boards.codec import Codec, M, ProtocolError
from hardware.boards.placement import Placement
from hardware.boards.readings import BoardReading, Change, ClockShown, LeverPress, RecordedMessage, Remark

MESSAGE_MS = 20  #: what a message of a recording without timestamps stands for

M_contra = TypeVar("M_contra", contravariant=True)


class Picture(Protocol[M_contra]):
    """The board as its messages show it. Times are ns of a monotonic clock."""

    @property
    def placement(self) -> Placement | None:
        """What stands there; None of a board that does not know its pieces."""

    def take(self, ns: int, message: M_contra) -> Iterable[BoardReading | Change | LeverPress | ClockShown | Remark]:
        """What a message received at ``ns`` changes; squares left come before squares taken."""

    def shows_all(self, message: M_contra) -> bool:
        """Whether everything on the board is known after this message, whatever was missed before."""

    def whole(self, ns: int) -> Iterable[BoardReading | Change]:
        """The whole board as it is known."""


class Recording(Generic[M]):
    """Reads what a board sent, from the beginning. ``damaged`` counts stretches that no board can have sent.

    ``elapsed_ms``: the time a message stands for where nothing else tells it. ``timed``: the board stamps its messages
    itself, so that this is exact.
    """

    def __init__(
        self,
        senses: Senses,
        codec: Codec[M],
        picture: Picture[M],
        elapsed_ms: Callable[[M], int] = lambda _: MESSAGE_MS,
        timed: bool = False,
    ) -> None:
        self.senses = senses
        self.timed = timed
        self.damaged = 0
        self._codec = codec
        self._picture = picture
        self._elapsed_ms = elapsed_ms

    def read(self, data: bytes) -> Iterator[RecordedMessage]:
        """The messages that ``data`` completes."""
        for message in self._codec.feed(data):
            if isinstance(message, ProtocolError):
                self.damaged += 1
            else:
                items = self._picture.take(0, message)
                told = tuple(item for item in items if not isinstance(item, ClockShown | Remark))
                yield RecordedMessage(self._elapsed_ms(message), told)
