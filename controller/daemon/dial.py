"""What an electronic clock beside a board shows, compared with what is reckoned: its time is the time.

It shows whole seconds and is heard of about once a second, and a press is told only once the board has been looked at.
So the two differ for a moment after each press, and by a second or so for ever: that says nothing. But where nobody has
listened for a time, as after a power cut or while an arbiter had stopped play, and where it runs again that had been
stopped, it is read at once, for the next press is one of the clock that runs.

What a ruling gives or takes such a clock does not know of: somebody has to set it, too.
"""

from controller.contract import BoardId, Reading, Side
from controller.errors import DeviceError
from hardware.boards import ClockShown

SLACK_MS = 2_000  #: by so much they may differ
SETTLE_MS = 3_000  #: only what has differed for so long does

TimesLeft = tuple[int, int]
"""What is left to White and Black, in ms."""

TimesShown = tuple[int, int, Side | None]
"""What White's and Black's clocks show, in ms, and which of them runs."""


class Dial:
    """The clock beside one board, to which nobody has listened so far."""

    to_be_set = DeviceError(
        "the clock itself does not show what the arbiter has ruled",
        "it keeps its own time, which counts while play goes on",
        "set the clock itself, too",
    )

    def __init__(self) -> None:
        self._missed = True  # nobody has listened for a time
        self._since: int | None = None  # when it began to differ, in ms of the session
        self._given: TimesLeft | None = None  # by rulings, while the clock itself shows nothing of it
        self._read_since = False  # and has been read, so that what is reckoned knows nothing of it any more
        self.stands: ClockShown | None = None  #: as it was shown last, if it stands: it says so once

    def ruled(self, before: TimesLeft, after: TimesLeft) -> None:
        """A ruling has set the times, from ``before`` to ``after``."""
        if _off(before, after) > SLACK_MS:
            known = (0, 0) if self._given is None or self._read_since else self._given
            self._given = known[0] + after[0] - before[0], known[1] + after[1] - before[1]
            self._read_since = False

    def is_to_be_set(self, shown: ClockShown, left: TimesLeft | None) -> bool:
        """Whether the clock itself shows the times of before a ruling rather than those of after it; ``left`` is
        reckoned, None without a game."""
        if self._given is None or left is None:
            self._given = None
            return False
        old, now = (left[0] - self._given[0], left[1] - self._given[1]), left
        if self._read_since:
            old, now = left, (left[0] + self._given[0], left[1] + self._given[1])
        if _off(_times(shown), now) < _off(_times(shown), old):
            self._given = None
        return self._given is not None

    def heard(self, shown: ClockShown) -> None:
        """The clock has shown something."""
        self.stands = shown if shown.running is None else None

    @property
    def due_ms(self) -> int | None:
        """When a clock that stands is to be read, in ms of the session; None where it runs, or agrees with what was
        reckoned."""
        return None if self.stands is None or self._since is None else self._since + SETTLE_MS

    def read(self, ms: int, board: BoardId | None, shown: ClockShown, reckoned: TimesShown | None) -> Reading | None:
        """What the game is to be told at ``ms`` of its session: what the clock shows, where that has long differed from
        what is ``reckoned``. That is None while the game has no clock, or does not go on."""
        if reckoned is None:
            self._since, self._missed = None, True
            return None
        at_once = shown.running is not None and (self._missed or reckoned[2] is None)
        if shown.running is not None:
            self._missed = False
        if reckoned[2] == shown.running and _off(_times(shown), reckoned[:2]) <= SLACK_MS:
            self._since = None
            return None
        self._since = ms if self._since is None else self._since
        if ms - self._since < SETTLE_MS and not at_once:
            return None
        self._since, self._read_since = None, True
        white_ms, black_ms = _times(shown)
        return Reading(ms=ms, board=board, white_ms=white_ms, black_ms=black_ms, running=shown.running)


def _times(shown: ClockShown) -> TimesLeft:
    return shown.white_s * 1000, shown.black_s * 1000


def _off(these: TimesLeft, those: TimesLeft) -> int:
    """By how much two clocks differ from two others, in ms."""
    return max(abs(these[0] - those[0]), abs(these[1] - those[1]))
