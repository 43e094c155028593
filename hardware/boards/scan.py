"""The scan thread: a board that must be asked is asked on an absolute schedule, and only news is passed on.

A scan is late when it begins more than a period after its time; the periods missed meanwhile are left out, so that
a slow moment is not followed by a burst. Samples bear the time at which their scan was complete.
"""

import time
from typing import Protocol

from controller.errors import DeviceError
from hardware.boards.readings import BoardReading, Emit, Look
from hardware.boards.worker import Worker
from hardware.order import ALL

SECOND_NS = 1_000_000_000
BLIND_S = 0.25  #: a board at which nobody has looked for so long was not watched: hands may have done anything
WHITE_PIECES = 64  #: from this bit on a scan has the mask of the white pieces, where the board sees colours


class Scannable(Protocol):
    """A board that answers when asked which squares are occupied."""

    name: str

    def open(self) -> None:
        """Takes the device. Raises :exc:`controller.errors.DeviceError` or OSError."""

    def scan(self) -> int:
        """One full scan as a 64-bit mask, a1 = bit 0; above it, from :data:`WHITE_PIECES` on, those squares of it that
        have a white piece, on a board that sees colours. Raises as :meth:`open` does.
        """

    def close(self) -> None:
        """Lets the device go; also after a failed :meth:`open`."""


class ScanThread(Worker):
    """Scans ``board`` ``rate_hz`` times a second; an unchanged reading is repeated every ``heartbeat_s``. Longer than
    ``blind_s`` between two scans is a fault: nobody saw what hands did meanwhile."""

    silence_s = BLIND_S

    def __init__(
        self,
        board: Scannable,
        emit: Emit,
        rate_hz: float = 200.0,
        heartbeat_s: float = 1.0,
        retry_s: tuple[float, float] = (0.25, 5.0),
        blind_s: float = BLIND_S,
    ) -> None:
        super().__init__(board.name, emit, retry_s)
        self.board = board
        self.scans = 0  #: complete scans since the start
        self.late = 0  #: of these, begun more than a period after their time
        self._asked = False
        self._period_ns = round(SECOND_NS / rate_hz)
        self._heartbeat_ns = round(heartbeat_s * SECOND_NS)
        self._blind_ns = round(blind_s * SECOND_NS) + self._period_ns

    def ask(self) -> None:
        self._asked = True

    def work(self) -> None:
        try:
            self.board.open()
            self._scan_on()
        finally:
            self.board.close()

    def _scan_on(self) -> None:
        due = time.monotonic_ns()
        last, told_ns = -1, 0  # no mask is -1: the first scan is always told
        while not self.stopping:
            began = time.monotonic_ns()
            if (late_ns := began - due) > self._period_ns:
                self.late += 1
                due += late_ns // self._period_ns * self._period_ns
            asked, self._asked = self._asked, False
            seen = self.board.scan()
            now = time.monotonic_ns()
            self.scans += 1
            if last >= 0 and (blind_ns := now - self.alive_ns) > self._blind_ns:
                self.report(_hung(self.name, blind_ns))  # over by now
                last = -1
            self.alive_ns = now
            if seen != last or asked or now - told_ns >= self._heartbeat_ns:
                self.ready()
                self.emit(BoardReading(now, seen & ALL, seen >> WHITE_PIECES, began))
                last, told_ns = seen, now
            self.looked = Look(began, now)  # only now that it has been told
            due += self._period_ns
            if (wait_ns := due - time.monotonic_ns()) > 0:
                time.sleep(wait_ns / SECOND_NS)


def _hung(name: str, ns: int) -> DeviceError:
    return DeviceError(
        f"{name}: nobody looked at the board for {ns // 1_000_000} ms",
        "a bus that hangs, or a machine that stood still",
        "where it comes again: check wires and power, and what else runs here (top)",
    )
