"""What a board shows, added up from what its driver says: for a person who watches, and for the tests of a bench."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import chess

from controller.contract import Senses, Side
from controller.shown import NOTHING, Shown
from hardware.boards import (
    BoardConfig,
    BoardReading,
    Change,
    Driver,
    Fault,
    FromDevice,
    LeverPress,
    Recovered,
    Remark,
    open_board,
)
from hardware.clocks import ClockConfig

BOUNCE_NS = 20_000_000  #: an edge that follows another of its square within so long is a bounce, not a hand
HOPELESS_S = 2.0  #: a fault that lasts so long lasts


class ReportedBoard:
    """The board as it was last reported. :meth:`take` is called in the driver's thread, all else in another."""

    def __init__(self, senses: Senses = "occupancy") -> None:
        self._colours = senses == "colour"
        self.shown = NOTHING
        self.edges = [0] * 64  #: how often a square has changed
        self.bounces = [0] * 64  #: and how often it did so too soon after the last time for a hand
        self.changed_ns = 0  #: when anything changed last
        self.presses: list[Side] = []  #: of the clock, where the board has one
        self.fault: Fault | None = None
        self.remarks: dict[str, Remark] = {}
        self._latest = [0] * 64
        self._unknown = set(chess.SQUARES)
        self._lock = threading.Lock()
        self._news = threading.Event()

    @property
    def whole(self) -> bool:
        """Whether every square has been reported."""
        return not self._unknown

    @property
    def occupied(self) -> int:
        """The mask of the occupied squares, a1 = bit 0."""
        with self._lock:
            return self.shown.occupied

    def take(self, item: FromDevice) -> None:
        """Adds what a driver says."""
        with self._lock:
            match item:
                case BoardReading():
                    now = Shown.scanned(item.occupied, item.white if self._colours else None)
                    for square, reading in enumerate(now.readings):
                        self._set(item.ns, square, reading)
                case Change():
                    self._set(item.ns, item.square, item.piece)
                case LeverPress():
                    self.presses.append(item.side)
                case Fault():
                    self.fault = item
                case Recovered():
                    self.fault = None
                case Remark(what=""):
                    self.remarks.pop(item.about, None)
                case Remark():
                    self.remarks[item.about] = item
        self._news.set()

    def wait(self, seconds: float) -> bool:
        """Waits for something new, so long at most; whether there was."""
        came = self._news.wait(seconds)
        self._news.clear()
        return came

    def wait_whole(self, seconds: float) -> bool:
        """Waits until every square has been reported, so long at most; whether it was.

        A fault that stays for :data:`HOPELESS_S` ends it sooner.
        """
        end, hopeless = time.monotonic() + seconds, None
        while not self.whole and (now := time.monotonic()) < min(end, hopeless or end):
            if self.fault is None:
                hopeless = None
            elif hopeless is None:
                hopeless = now + HOPELESS_S
            self.wait(0.1)
        return self.whole

    def _set(self, ns: int, square: chess.Square, reading: str) -> None:
        known = square not in self._unknown
        self._unknown.discard(square)
        if self.shown[square] == reading:
            return
        self.shown = self.shown.having(square, reading)
        self.changed_ns = ns
        if known:
            self.edges[square] += 1
            self.bounces[square] += ns - self._latest[square] < BOUNCE_NS
            self._latest[square] = ns

    def take_beside(self, item: FromDevice) -> None:
        """Adds what the driver of a clock beside the board says; its troubles are not the board's."""
        match item:
            case Fault():
                self.take(Remark(item.ns, "clock", item.what, item.cause, item.next_step))
            case Recovered():
                self.take(Remark(item.ns, "clock"))
            case _:
                self.take(item)


@contextmanager
def looking(board: BoardConfig, clock: ClockConfig | None = None) -> Iterator[tuple[ReportedBoard, Driver]]:
    """The board with its driver at work, and a clock beside it, for as long as the context lasts."""
    look = ReportedBoard(board.senses)
    driver = open_board(board, look.take)
    contacts = clock.open(look.take_beside) if clock is not None else None
    drivers = [driver] if contacts is None else [driver, contacts]
    for one in drivers:
        one.start()
    try:
        yield look, driver
    finally:
        for one in drivers:
            one.stop()
