"""What an electronic clock beside a board shows, compared with what is reckoned: its time is the time.

It shows whole seconds and is heard of about once a second, and a press is told only once the board has been looked at.
So the two differ for a moment after each press, and by a second or so for ever: that says nothing. But where nobody has
listened for a time, as after a power cut or while an arbiter had stopped play, and where it runs again that had been
stopped, it is read at once, for the next press is one of the clock that runs.
"""

from controller.contract import BoardId, Reading, Side
from hardware.boards import ClockShown

SLACK_MS = 2_000  #: by so much they may differ
SETTLE_MS = 3_000  #: only what has differed for so long does

Clocks = tuple[int, int, Side | None]
"""What White's and Black's clocks show, in ms, and which of them runs."""


class Dial:
    """The clock beside one board, to which nobody has listened so far."""

    def __init__(self) -> None:
        self._missed = True  # nobody has listened for a time
        self._since: int | None = None  # when it began to differ, in ms of the session

    def read(self, ms: int, board: BoardId | None, shown: ClockShown, reckoned: Clocks | None) -> Reading | None:
        """What the game is to be told at ``ms`` of its session: what the clock shows, where that has long differed from
        what is ``reckoned``. That is None while the game has no clock, or does not go on."""
        if reckoned is None:
            self._since, self._missed = None, True
            return None
        at_once = shown.running is not None and (self._missed or reckoned[2] is None)
        if shown.running is not None:
            self._missed = False
        if _alike(shown, reckoned):
            self._since = None
            return None
        self._since = ms if self._since is None else self._since
        if ms - self._since < SETTLE_MS and not at_once:
            return None
        self._since = None
        white_ms, black_ms = shown.white_s * 1000, shown.black_s * 1000
        return Reading(ms=ms, board=board, white_ms=white_ms, black_ms=black_ms, running=shown.running)


def _alike(shown: ClockShown, reckoned: Clocks) -> bool:
    white_ms, black_ms, running = reckoned
    off_ms = max(abs(shown.white_s * 1000 - white_ms), abs(shown.black_s * 1000 - black_ms))
    return running == shown.running and off_ms <= SLACK_MS
