"""How often a board is scanned, by the times of its scans, and whether what one scan showed stood until the next."""

from math import gcd

from msgspec import Struct

LOST_SCANS = 3
"""How many scans in a row may be lost where all are sent."""

SLOWEST_MS = 250
"""How far apart the looks of a slow board may be that sends edges, or only the scans that show a change."""

RAREST_MS = 400
"""How far apart the scans of a slow board may be that repeats what it has shown. If a log repeats a scan later than
that, not every scan is in it."""

QUICK_MS = 50
"""Scans no further apart than this miss nothing that hands do. The greatest common divisor of their times tells how far
apart they are, even if only scans that show a change are sent."""

NOTICED_MS = 20
"""A shorter time between scans makes no difference to what is a brush, or which edge came first. A guess."""

TWICE = 2
"""So many scans must have repeated the one before; a single repetition may be chance. A guess."""

TOO_MANY = 3
"""Hands do not change so many squares from one scan to the next: some scans between are lost."""

LOST_FOR_MS = 60_000
"""For so long after that, lost edges may still be unexplained. A guess: the time of some moves."""

FEW = 4
"""That the times between more scans than these are in step by chance is unlikely: for random ones, 1 in 5,600."""

ENOUGH = 8
"""After so many repeated scans it is known that all are sent."""

RARELY = 100
"""If no more than one in so many scans comes after a pause, a pause is none of the log, but one in which nobody saw the
board. A guess."""

SELDOM = 20
"""Where no more than one in so many scans comes out of step, the board keeps its step. A guess."""


class Step:
    """What all times from one scan, or look, of a board to the next are multiples of, but for a few: the board was away
    in between, or somebody has asked it what stands there."""

    def __init__(self) -> None:
        self.ms = 0  #: 0: it is not known
        self._taken = self._odd = 0

    def takes(self, apart: int) -> bool:
        """Take the next time, in ms; whether it is none of the few."""
        self._taken += 1
        if self.ms > QUICK_MS >= gcd(self.ms, apart):
            self._odd += 1
            if self._odd * SELDOM <= self._taken:
                return False
        self.ms = gcd(self.ms, apart)
        return True


class Pace(Struct, frozen=True):
    """How a board looks at its squares, as far as its scans or edges have shown. All times are in ms; 0 if it is not
    known, or makes no difference."""

    by_scans: bool = False  #: the board sends whole scans: if one is lost the next one shows what has changed
    slow: bool = False  #: its scans are so far apart that they miss what is short
    whole: bool = False  #: it is slow, but none of its scans is lost: what lasts is shown
    close_together: bool = False  #: its scans are known to be so close that what is shown first came first
    loses: bool = False  #: one of its scans was lost in all likelihood
    apart: int = 0  #: how far apart its scans, or looks, are
    apart_at_most: int = 0  #: an upper bound for how far apart its scans are
    looks_ms: int = 0  #: how far apart its looks are, if it sends only edges and they are far apart


class Rhythm:
    """The scans of one board so far. Times are in ms; a scan is kept as it was sent, in hexadecimal."""

    def __init__(self) -> None:
        self.shown = ""  #: the last scan
        self.ms = 0  #: its time
        self._repeats = RAREST_MS + 1  #: the least time from a scan to its repetition; more than RAREST_MS: none
        self._repeated = 0  #: how many scans were such repetitions
        self._scans = 0  #: how many scans there were
        self._pauses = 0  #: how many of them came long after the one before, though all seemed to be sent
        self._nearest = SLOWEST_MS  #: the least time between two scans
        self._lost_at: int | None = None  #: when a scan last showed that others were lost
        self._two_at_once = False  #: some scan showed that two squares had changed
        self._multiple = 0  #: all times of scans are multiples of this
        self._step = Step()  #: of all scans after the first

    def holds_until(self, ms: int, shown: str) -> bool:
        """Whether what the last scan showed stood until this one, as the contract has it.

        Where every scan is sent, a scan that comes late and shows a change means that some before it are lost: what
        happened in between was not seen, so nothing is known to have stood through it. A longer pause is one in the
        log, not in what was seen; a press in it may be judged otherwise: see :meth:`silent_at`.
        """
        if shown == self.shown or self._repeats > RAREST_MS:
            return True
        return ms - self.ms > (LOST_SCANS + 1) * self._repeats

    def goes_on(self, ms: int, shown: str) -> bool:
        """Take the next scan; whether it shows something else than the last one. The same scan sent twice, with its
        time, tells nothing of how far apart scans are."""
        news = shown != self.shown
        if self._scans and ms == self.ms and not news:
            return False
        self._pauses += ms > self.latest_look > 0
        if self._scans and ms > self.ms:
            self._nearest = min(self._nearest, ms - self.ms)
        if self._scans > 1 and self._step.takes(ms - self.ms) and not news and ms - self.ms <= RAREST_MS:
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
        """All that is known of how the board looks at its squares."""
        # Not slow if all times have a larger common divisor than a slow board: that tells nothing, and each scan holds
        # until the next one.
        slow = QUICK_MS < self._grid <= RAREST_MS
        sends_all = slow and self._repeated >= TWICE and self._repeats == self._grid  # or the scan after each change
        lost_of_late = self._lost_at is not None and self.ms <= self._lost_at + LOST_FOR_MS
        return Pace(
            by_scans=True,
            slow=slow,
            whole=sends_all and not lost_of_late,
            close_together=self._repeated >= TWICE and self._repeats <= QUICK_MS,  # all are sent
            loses=self._lost_at is not None or (self._two_at_once and not slow),  # as hands are not so quick
            apart=self._apart,
            apart_at_most=max(self._nearest, self._apart) if self._nearest > NOTICED_MS else 0,
        )

    @property
    def _apart(self) -> int:
        """How far apart the scans are; 0 if that makes no difference, or is not known. If they are not in step,
        repeated scans tell it, as all are sent then."""
        if QUICK_MS < self._grid <= RAREST_MS:
            return self._grid
        return self._repeats if self._repeated >= TWICE and self._repeats >= NOTICED_MS else 0

    @property
    def next_look(self) -> int:
        """Within what time the next scan is sent; 0 if that is not known."""
        return self._repeats if self._repeats <= RAREST_MS else self._apart

    @property
    def latest_look(self) -> int:
        """If all scans are sent: by when the next one has come though a few are lost; 0 if that is not known."""
        return self.ms + (LOST_SCANS + 1) * self._repeats if self._repeated >= ENOUGH else 0

    def silent_at(self, ms: int) -> bool:
        """Whether nobody saw the board at that time: it sends all scans, and has sent none for long."""
        return self._repeated >= RARELY * (self._pauses + 1) and ms > self.latest_look

    @property
    def _grid(self) -> int:
        """The step that all scans keep, in ms; 0 if it is not known."""
        step = self._step.ms
        out_of_step = 0 < self._multiple <= QUICK_MS < step and self._scans > FEW
        return step if out_of_step else self._multiple


def _changed(before: str, after: str) -> int:
    """On how many squares two scans differ."""
    return (int(before, 16) ^ int(after, 16)).bit_count()
