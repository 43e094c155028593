"""How often a board is scanned, by the times of its scans, and whether what one showed stood until the next."""

from math import gcd

from msgspec import Struct

LOST_SCANS = 3
"""How many scans in a row may be lost where all are sent."""

SLOWEST_MS = 250
"""How far apart the scans of a slow board may be. Where a log repeats one later than that, not every scan is in it."""

QUICK_MS = 50
"""Scans no further apart than this miss nothing that hands do. How far apart they are is told by the times they have in
common, also where only those are sent that show a change."""

NOTICED_MS = 20
"""Less makes no difference to what is brushed, or comes first. A guess."""

TWICE = 2
"""So many that show what the one before did tell it: once, it may have been looked by chance. A guess."""

TOO_MANY = 3
"""So many squares that change from one scan to the next are more than hands do meanwhile: some scans are lost."""

LOST_FOR_MS = 60_000
"""For so long after that it may be that edges were lost which are still to be explained. A guess: some moves."""

ENOUGH = 8
"""So many scans tell how far apart they are, and so many that show what the one before did that all are sent."""


class Pace(Struct, frozen=True):
    """How a board looks at its squares, as far as its scans have shown, or its edges; all times in ms, 0 where that is
    not known or makes no difference."""

    by_scans: bool = False  #: the whole board is sent, scan by scan: where one is lost the next shows what has changed
    slow: bool = False  #: scans are so far apart, or not all of them sent, that what is shorter shows nothing
    whole: bool = False  #: if so, what lasts is shown all the same: none of its scans is lost
    close_together: bool = False  #: its scans are known to be so close that what one shows first came first
    loses: bool = False  #: one of its scans was lost in all likelihood
    apart: int = 0  #: how far apart its scans, or looks, are
    apart_at_most: int = 0  #: no further apart are its scans
    looks_ms: int = 0  #: how far apart its looks are, where it sends edges alone and they are far apart


class Rhythm:
    """The scans of one board so far. Times in ms; what a scan showed as it was sent, in hexadecimal."""

    def __init__(self) -> None:
        self.shown = ""  #: by the last scan
        self.ms = 0  #: when that was
        self._repeats = SLOWEST_MS + 1  #: how far apart two were at least that showed the same, if no further than this
        self._repeated = 0  #: how many of those there were
        self._scans = 0  #: how many there were
        self._nearest = SLOWEST_MS  #: the least time between two
        self._lost_at: int | None = None  #: when one showed last that some were lost
        self._two_at_once = False  #: one showed two squares to have changed
        self._multiple = 0  #: of what all their times are multiples
        self._step = 0  #: the same of the times between them: who looked first need not have kept in step

    def holds_until(self, ms: int, shown: str) -> bool:
        """Whether what was scanned last stood until this scan, as the contract has it.

        Where every scan is sent, some are lost, and one that changed shows that those before it held only until the
        last of them: what lies between was not seen, and nothing can be said to have stood through it. A longer pause
        is one in the log, not in what was seen.
        """
        if shown == self.shown or self._repeats > SLOWEST_MS:
            return True
        return ms - self.ms > (LOST_SCANS + 1) * self._repeats

    def goes_on(self, ms: int, shown: str) -> bool:
        """Take the next scan. Whether it shows something else than the last."""
        news = shown != self.shown
        if self._scans and ms > self.ms:
            self._nearest = min(self._nearest, ms - self.ms)
        if self._scans > 1:
            self._step = gcd(self._step, ms - self.ms)
            if not news and ms - self.ms <= SLOWEST_MS:
                self._repeats = min(self._repeats, max(0, ms - self.ms))
                self._repeated += 1
        if news and self.shown and (changed := _changed(self.shown, shown)) > 1:
            self._two_at_once = True
            self._lost_at = ms if changed >= TOO_MANY else self._lost_at
        self.shown, self.ms = shown, ms
        self._scans += 1
        self._multiple = gcd(self._multiple, ms)
        return news

    @property
    def pace(self) -> Pace:
        """All that is known of it."""
        return Pace(
            by_scans=True,
            slow=self.slow,
            whole=self.whole,
            close_together=self.close_together,
            loses=self.loses,
            apart=self.apart,
            apart_at_most=self.apart_at_most,
        )

    @property
    def slow(self) -> bool:
        """Whether scans are so far apart that they miss what hands do. Times that have no less in common than a board
        may take tell nothing of it, and each scan holds until the next one."""
        return QUICK_MS < self._grid <= SLOWEST_MS

    @property
    def close_together(self) -> bool:
        """Whether all scans are sent, and known to be so close together that what one shows first came first."""
        return self._repeated >= TWICE and self._repeats <= QUICK_MS

    @property
    def apart(self) -> int:
        """How far apart the scans are of a board of which that makes a difference; 0 where it does not, or it is not
        known. Where they come out of step those tell it that show what the one before did: all are sent."""
        if self.slow:
            return self._grid
        return self._repeats if self._repeated >= TWICE and self._repeats >= NOTICED_MS else 0

    @property
    def whole(self) -> bool:
        """Whether a slow board sends each scan, or the one after each change at least, and of late none was lost: what
        lasts is seen."""
        if not self.slow or self._repeated < TWICE or self._repeats != self._grid:
            return False
        return self._lost_at is None or self.ms > self._lost_at + LOST_FOR_MS

    @property
    def loses(self) -> bool:
        """Whether one was lost in all likelihood: hands change no two squares between two that are close together."""
        return self._lost_at is not None or (self._two_at_once and not self.slow)

    @property
    def apart_at_most(self) -> int:
        """No further apart are they, as far as is known; 0 where that makes no difference."""
        return self._nearest if self._nearest > NOTICED_MS else 0

    @property
    def next_look(self) -> int:
        """How soon the next scan is sent at the latest; 0 where that is not known."""
        return self._repeats if self._repeats <= SLOWEST_MS else self.apart

    @property
    def latest_look(self) -> int:
        """By when the next scan has come, though a few are lost, where all are sent; 0 where that is not known."""
        return self.ms + (LOST_SCANS + 1) * self._repeats if self._repeated >= ENOUGH else 0

    @property
    def _grid(self) -> int:
        """What all scans keep in step with, in ms; 0 where it is not known."""
        out_of_step = 0 < self._multiple <= QUICK_MS < self._step and self._scans > ENOUGH
        return self._step if out_of_step else self._multiple


def _changed(before: str, after: str) -> int:
    """On how many squares two scans differ."""
    return (int(before, 16) ^ int(after, 16)).bit_count()
