"""What every board says to the daemon, and how a driver is held: the common shapes of this room.

Times are :func:`time.monotonic_ns` of the sample itself, stamped in the driver's thread. Squares are 0 (a1) to
63 (h8), occupancy masks have a1 as bit 0 and h8 as bit 63, both as in python-chess; the board is already turned
the way White sees it.
"""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from controller.contract import Side


class Stance(Struct, frozen=True):
    """Which way round a board stands, and the clock beside it."""

    rotated: bool  #: Black sits where the board thinks White does
    white_right: bool = False  #: White's clock is the right one
    crossed: bool = False  #: the clock says "left" of the turn on its right


class BoardReading(Struct, frozen=True):
    """One full scan of a board that does not know its pieces: sent when it differs, and as a heartbeat."""

    ns: int
    occupied: int  #: 64-bit mask
    white: int = 0  #: those of them with a white piece, on a board that sees colours
    began_ns: int | None = None  #: when the scan began; None of a board that reports by itself


class Change(Struct, frozen=True):
    """What stands on one square of a board that knows its pieces. It may repeat what is known already."""

    ns: int
    square: int  #: 0 (a1) to 63 (h8)
    piece: str  #: FEN letter; empty for an empty square


class Look(Struct, frozen=True):
    """The whole board was looked at, and all that this showed has been told. A board that is scanned says so by its
    readings, one that reports by itself each time when it has answered the question for its position."""

    began_ns: int
    ns: int


class LeverPress(Struct, frozen=True):
    """``side`` has stopped its own clock and started the other one."""

    ns: int
    side: Side
    looked: Look | None = None  #: :attr:`Driver.looked` of the board beside it, which may be later than the press


class ClockShown(Struct, frozen=True):
    """What an electronic clock that keeps its own time shows, in whole seconds; told again and again."""

    ns: int
    white_s: int
    black_s: int
    running: Side | None


class Fault(Struct, frozen=True):
    """The device failed or fell silent; the driver goes on trying. Told again only if the reason changes."""

    ns: int
    what: str
    cause: str
    next_step: str


class Remark(Struct, frozen=True):
    """Something that wants a person's attention while the device works: a low battery, a piece that nobody knows."""

    ns: int
    about: str  #: ``battery``; a word of the device's own, which names the notice
    what: str = ""  #: empty: it is over
    cause: str = ""
    next_step: str = ""


class Recovered(Struct, frozen=True):
    """The device answers again. The whole board follows: one Reading, or a Change for each of the 64 squares; and as
    ever a Look, or a Reading that is one."""

    ns: int


FromDevice = BoardReading | Change | Look | LeverPress | ClockShown | Fault | Remark | Recovered
Emit = Callable[[FromDevice], float | None]
"""Takes what a device says; returns for how many seconds the device is to send nothing, if it sends more than can be
taken."""


class RecordedMessage(Struct, frozen=True):
    """One message of a recording; its items' own times mean nothing."""

    elapsed_ms: int  #: how much time it stands for, where there is no other measure
    items: tuple[BoardReading | Change | LeverPress, ...]


class Driver(Protocol):
    """A board at work, in a thread of its own or in that of all ports.

    After :meth:`start` the whole board is sent first (as after :class:`Recovered`), then what changes. Nothing is
    sent once :meth:`stop` has returned. ``emit`` is called in the driver's thread, :meth:`ask` in any.
    """

    @property
    def alive_ns(self) -> int:
        """When the device last answered, 0 before it did: what a watchdog is fed with."""

    @property
    def looked(self) -> Look | None:
        """The last look of which all has been told; None before it."""

    @property
    def stance(self) -> Stance | None:
        """How a board stands that tells it by its pieces; None before that was seen, and of another."""

    def recall(self, stance: Stance) -> None:
        """Before :meth:`start`: so it stood when that was seen last."""

    @property
    def silence_s(self) -> float | None:
        """With :attr:`alive_ns` older than this the driver hangs; None where it notices every silence itself."""

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def ask(self) -> None:
        """The board is to be looked at as a whole once more, from now on, and that to be told whatever it shows."""
