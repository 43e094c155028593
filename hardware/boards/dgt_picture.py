"""What the messages of a DGT board mean: which square changed, whose clock was pressed. No I/O, no clock of its own.

Which flank of the clock is White's is known once it runs while the pieces stand at the start: until a piece is touched,
the clock that runs is White's, however the lever was put. One scan shows squares first, and then the clock: so a clock
that begins to run just after the first piece was touched is White's, too. Before that is seen it is the left one, as in
the recordings we know, or the right one if the board was turned.

Which of two bits says that the left flank is to move the documents do not agree on. The recordings do; but the flank
whose time goes down is the one that runs.
"""

from collections.abc import Iterable, Iterator

import chess
from msgspec.structs import replace

from controller.contract import BLACK, WHITE, Side
from controller.shown import START
from hardware.boards.dgt_clock import ClockCommand
from hardware.boards.dgt_protocol import (
    PIECES,
    ClockAck,
    ClockState,
    Decoder,
    DgtBattery,
    Dump,
    Field,
    Flank,
    Message,
    NoTime,
)
from hardware.boards.picture import MESSAGE_MS, Recording
from hardware.boards.placement import Placement
from hardware.boards.readings import Change, ClockShown, LeverPress, Remark

LOW_PERCENT = 10
LOW = ("it is old, or was not charged", "exchange or charge it before the next game")
GONE = ("its cable has come out, or the clock was exchanged", "plug it in again; till then nobody reads its times")
"""The likely cause of a remark, and what to do."""

MOST_UNTOLD = 4  #: on so many squares at most a board shows something else than the changes that it told; a guess
TICK_MS = 1000  #: a change of the running clock's display
SCAN_NS = 250_000_000
"""What a board tells within this time it may have found by one scan, so either may have come first."""
TICKS = 2  #: so many seconds have to go down on the other flank: one message may be damaged
A_MOVE = 2  #: it changes so many squares, until castling is possible
UNDER_WAY_NS = 2_000_000_000
"""While the lever is under way the clock may say that it stands, or runs for nobody; for longer, it was stopped."""


class DgtPicture:
    """The board and its clock as last reported.

    ``live``: of a board at work. Its clock's times are told; and the press that starts White's clock, while all pieces
    stand at the start, is a press of Black's. A recording is judged from White's first move on, and has no use for it.
    """

    def __init__(self, live: bool = False) -> None:
        self._live = live
        self.placement = Placement()
        self._codes = bytearray(PIECES.index(START[own_number(s)]) for s in chess.SQUARES)
        self._clock: ClockState | None = None
        self._said: ClockState | None = None  # the clock, by its own word of whose turn it is
        self._otherwise = 0  # so many seconds in a row went down on the flank that is not believed to run
        self._ran: tuple[Flank, int] | None = None  # whose clock ran last, and when it was last seen to run, in ns
        self._left_start: int | None = None  # when a piece was last touched while all stood at the start, in ns
        self._was_set = False
        self._doubted: bytes | None = None  # the last picture of the board that was too unlike the one before
        self._remarked: set[str] = set()  # on what something is wrong
        self._told = not live  # a recording begins at the start; of a board at work nothing is known before it says so

    @property
    def clock(self) -> ClockState | None:
        """As last reported."""
        return self._clock

    @property
    def white(self) -> Flank:
        """Which flank of the clock is White's, as far as that can be told."""
        return "right" if self.placement.white_right else "left"

    def take(self, ns: int, message: Message) -> Iterator[Change | LeverPress | ClockShown | Remark]:
        """What ``message``, received at ``ns``, changes; squares left come before squares taken."""
        match message:
            case Dump(codes):
                self._codes[:] = codes
                changes, self._told = self._changes(ns), True  # of what stood before the first one nothing is known
                yield from changes
            case Field(square, code) if self._told:
                self._codes[square] = code
                yield from self._changes(ns)
            case NoTime() if message.unplugged and self._clock is not None:
                yield from self._remarks(ns, "clock-cable", True, "the board has no clock any more", *GONE)
            case ClockState():
                yield from self._remarks(ns, "clock-cable", False)
                yield from self._remarks(
                    ns, "clock-battery", message.battery_low, "the battery of the clock is low", *LOW
                )
                yield from self.take_clock(ns, self._by_ticks(message))
            case ClockAck(command=ClockCommand.SET_AND_RUN):
                self._was_set = True
            case DgtBattery(percent):
                low = percent < LOW_PERCENT
                yield from self._remarks(ns, "battery", low, f"the battery of the board is low: {percent} %", *LOW)

    def take_clock(self, ns: int, clock: ClockState) -> Iterator[LeverPress | ClockShown]:
        """What the clock shows by now, with the flank that is to move."""
        yield from self._lever(ns, clock)
        if self._live:
            yield self._shown(ns, clock)

    def doubts(self, message: Message) -> bool:
        """Whether the board is to be asked once more before that is believed: a picture of all squares has no checksum,
        and one that has lost a byte and gained another shows most pieces on the square beside. One that comes twice is
        true."""
        if not isinstance(message, Dump) or not self._told:
            return False
        untold = sum(now != before for now, before in zip(message.codes, self._codes, strict=True))
        doubted, self._doubted = self._doubted, message.codes if untold > MOST_UNTOLD else None
        return untold > MOST_UNTOLD and message.codes != doubted

    def shows_all(self, message: Message) -> bool:
        return isinstance(message, Dump)

    def whole(self, ns: int) -> Iterable[Change]:
        return self.placement.whole(ns)

    def _changes(self, ns: int) -> list[Change]:
        rotated, at_start = self.placement.rotated, self._at_start
        changes = self.placement.show(ns, [PIECES[self._codes[own_number(square)]] for square in chess.SQUARES])
        if self.placement.rotated != rotated:
            self.placement.white_right, self.placement.white_ran = self.placement.rotated, False
        if at_start and not self._at_start:
            self._left_start = ns
        return changes

    @property
    def _at_start(self) -> bool:
        return self._told and self.placement.shown.readings == START

    def _just_touched(self, ns: int) -> bool:
        """Whether the first piece was touched just before ``ns``, and no more was done: on a board that takes the place
        of another one pieces of a game that is on are set up."""
        if self._left_start is None or ns - self._left_start > SCAN_NS:
            return False
        shown = self.placement.shown.readings
        return sum(now != then for now, then in zip(shown, START, strict=True)) <= A_MOVE

    def _by_ticks(self, said: ClockState) -> ClockState:
        """The clock, with the flank to move by which its time goes down."""
        before, self._said = self._said, said
        if before is not None and before.running and said.running and before.to_move == said.to_move is not None:
            down = (before.left - said.left, before.right - said.right)
            if down in ((1, 0), (0, 1)):
                crossed = (said.to_move == "left") != (down == (1, 0))
                self._otherwise = self._otherwise + 1 if crossed != self.placement.crossed else 0
        if self._otherwise == TICKS:
            self._cross()
        return _crossed(said) if self.placement.crossed else said

    def _cross(self) -> None:
        """Each flank was taken for the other."""
        self._otherwise = 0
        self.placement.crossed = not self.placement.crossed
        if self.placement.white_ran:
            self.placement.white_right = not self.placement.white_right
        self._clock = self._clock and _crossed(self._clock)
        self._ran = self._ran and (_other(self._ran[0]), self._ran[1])

    def _lever(self, ns: int, clock: ClockState) -> Iterator[LeverPress]:
        before, self._clock = self._clock, clock
        runs = clock.to_move if clock.running else None
        ran = self._ran
        if runs is not None:
            self._ran = runs, ns
        if self._was_set:  # what runs now was put so by a command, and no hand
            self._was_set = False
            return
        if runs is None:
            return
        begins = not (before and before.running)
        if self._at_start or (begins and self._just_touched(ns)):
            self.placement.white_right, self.placement.white_ran = runs == "right", True
            if self._live and begins:
                yield LeverPress(ns, BLACK)
        elif ran is not None and ran[0] != runs:
            ran_until_now = before is not None and before.running and before.to_move is not None
            if ran_until_now or ns - ran[1] <= UNDER_WAY_NS:
                yield LeverPress(ns, self._side(ran[0]))

    def _shown(self, ns: int, clock: ClockState) -> ClockShown:
        white, black = (clock.left, clock.right) if self.white == "left" else (clock.right, clock.left)
        running = self._side(clock.to_move) if clock.running and clock.to_move is not None else None
        return ClockShown(ns, white, black, running)

    def _remarks(self, ns: int, about: str, wrong: bool, *said: str) -> Iterator[Remark]:
        """Said when it begins, and when it is over; ``said``: what is wrong, the likely cause, and what to do."""
        if wrong and about not in self._remarked:
            self._remarked.add(about)
            yield Remark(ns, about, *said)
        elif not wrong and about in self._remarked:
            self._remarked.remove(about)
            yield Remark(ns, about)

    def _side(self, flank: Flank) -> Side:
        return WHITE if flank == self.white else BLACK


def _other(flank: Flank) -> Flank:
    return "left" if flank == "right" else "right"


def _crossed(clock: ClockState) -> ClockState:
    return replace(clock, to_move=clock.to_move and _other(clock.to_move))


def own_number(square: chess.Square, rotated: bool = False) -> int:
    """The board's own number (0 = a8 … 63 = h1) of a square as White sees it; it is its own inverse."""
    return square ^ 7 if rotated else square ^ 56


class DgtRecording(Recording[Message]):
    """Reads what a board sent, from the beginning; the clock's ticks move time on."""

    def __init__(self) -> None:
        super().__init__("identity", Decoder(), DgtPicture(), self._tick_ms)
        self._clock: ClockState | None = None

    def _tick_ms(self, message: Message) -> int:
        if not isinstance(message, ClockState):
            return MESSAGE_MS
        before, self._clock = self._clock, message
        if before is None or before.to_move != message.to_move:
            return MESSAGE_MS
        return TICK_MS if message.left < before.left or message.right < before.right else MESSAGE_MS
