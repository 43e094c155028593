"""Recordings of boards that are scanned: every scan as the driver had it, before any debouncing. No I/O.

A scan is 8 bytes: the mask of the occupied squares, h8 as the highest bit of the first. From a board that sees colours
8 more follow: those of them with a white piece. It is kept when it differs from the one before.
"""

from collections.abc import Iterator

from controller.contract import Senses
from controller.shown import START, Shown, left_first
from hardware.boards.readings import BoardReading, Change, RecordedMessage
from hardware.boards.scan import WHITE_PIECES
from hardware.order import ALL

SIZE = 8  #: bytes of a mask


def encode_scan(seen: int, senses: Senses) -> bytes:
    """One scan, as :meth:`hardware.boards.scan.Scannable.scan` returned it."""
    occupied = (seen & ALL).to_bytes(SIZE, "big")
    return occupied + (seen >> WHITE_PIECES).to_bytes(SIZE, "big") if senses == "colour" else occupied


class ScanRecording:
    """Reads such scans. It has no time of its own, and nothing in it can be damaged but its length."""

    timed = False
    damaged = 0

    def __init__(self, senses: Senses = "occupancy") -> None:
        self.senses = senses
        self._size = 2 * SIZE if senses == "colour" else SIZE
        self._rest = b""
        self._shown = Shown.of(START, "colour")

    def read(self, data: bytes) -> Iterator[RecordedMessage]:
        """The scans that ``data`` completes."""
        self._rest += data
        while len(self._rest) >= self._size:
            scan, self._rest = self._rest[: self._size], self._rest[self._size :]
            occupied = int.from_bytes(scan[:SIZE], "big")
            if self.senses == "colour":
                yield RecordedMessage(0, tuple(self._changes(occupied, int.from_bytes(scan[SIZE:], "big"))))
            else:
                yield RecordedMessage(0, (BoardReading(0, occupied),))

    def _changes(self, occupied: int, white: int) -> Iterator[Change]:
        """Squares left come before squares taken."""
        before, self._shown = self._shown, Shown.scanned(occupied, white)
        changed = left_first(self._shown.differs(before), self._shown)
        yield from (Change(0, square, self._shown[square]) for square in changed)
