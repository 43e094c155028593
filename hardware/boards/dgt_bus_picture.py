"""What a DGT board on a line shows, from its replies: those of a board that stands alone in other words. No I/O.

Changes come as the board has logged them: squares, and each time that the lever was pressed. The clock that is asked
for says which side is down now; between the two no press is lost, and none is told twice.
"""

from collections.abc import Iterable, Iterator

from msgspec import structs

from hardware.boards.codec import ProtocolError
from hardware.boards.dgt_bus_protocol import Decoder, Id, Reply
from hardware.boards.dgt_log import LoggedEvent, LoggedSquare, Stopped, Tag, events
from hardware.boards.dgt_picture import DgtPicture
from hardware.boards.dgt_protocol import ClockState, Dump, Field, Message, NoTime, parse
from hardware.boards.dgt_protocol import Id as SingleId
from hardware.boards.picture import Recording
from hardware.boards.placement import Placement
from hardware.boards.readings import Change, ClockShown, LeverPress, Remark

CHANGES = (Id.CHANGES, Id.CHANGES_EVEN)
SINGLE: dict[int, int] = {Id.BOARD: SingleId.BOARD, Id.CLOCK: SingleId.CLOCK}  #: the same of a board that stands alone
ANEW = (Tag.POWER_UP, Tag.START_TAG, Tag.WATCHDOG)  #: what follows is no change, but what stands on the board


class DgtBusPicture:
    """The board and its clock as last reported."""

    def __init__(self, live: bool = False) -> None:
        self.doubtful = True  #: the whole board has to be asked for
        self.has_clock = True  #: as far as is known
        self._known = False  # the whole board has come once: what was logged before is of no game
        self._one = DgtPicture(live)

    @property
    def placement(self) -> Placement:
        return self._one.placement

    @property
    def clock(self) -> ClockState | None:
        """As last reported."""
        return self._one.clock

    def take(self, ns: int, reply: Reply) -> Iterator[Change | LeverPress | ClockShown | Remark]:
        """What ``reply``, received at ``ns``, changes, in order."""
        if reply.id in CHANGES:
            for event in events(reply.data):
                if isinstance(event, ProtocolError) or event in ANEW:
                    self.doubtful = True
                    return
                self.has_clock = self.has_clock or isinstance(event, Stopped)
                if not self._known:
                    continue
                if isinstance(event, LoggedSquare):
                    yield from self._one.take(ns, Field(event.square, event.code))
                elif (clock := self._pressed(event)) is not None:
                    yield from self._one.take_clock(ns, clock)
        elif (message := _message(reply)) is not None:
            if isinstance(message, Dump):
                self.doubtful, self._known = False, True
            self.has_clock = not isinstance(message, NoTime) if reply.id == Id.CLOCK else self.has_clock
            yield from self._one.take(ns, message)

    def shows_all(self, reply: Reply) -> bool:
        return reply.id == Id.BOARD and not self.doubtful

    def whole(self, ns: int) -> Iterable[Change]:
        return self._one.whole(ns)

    def _pressed(self, event: LoggedEvent) -> ClockState | None:
        """The clock after a logged event, if that was a press."""
        clock = self._one.clock
        match event:
            case Stopped("left", seconds) if clock is not None and clock.running and clock.to_move == "left":
                return structs.replace(clock, left=seconds, to_move="right", right_lever_up=True)
            case Stopped("right", seconds) if clock is not None and clock.running and clock.to_move == "right":
                return structs.replace(clock, right=seconds, to_move="left", right_lever_up=False)
        return None  # of no clock that runs, or told already by the clock itself


def _message(reply: Reply) -> Message | None:
    """Board or clock; None for what makes no sense, or says nothing of them."""
    kind = SINGLE.get(reply.id)
    try:
        return None if kind is None else parse(kind, reply.data)
    except ValueError:
        return None


def recording() -> Recording[Reply]:
    """Reads what ``jadoube record`` wrote of one board."""
    return Recording("identity", Decoder(), DgtBusPicture())
