"""A DGT clock that follows jadoube's own reckoning of the time: what it is to be set to, and when. No I/O.

In its mode for a computer (25 on a DGT 3000, 23 on an XL) the clock counts down and its lever works, but it knows of no
increment, and of no arbiter who gives time or stops the game. So after each change it is compared with the game's
clock once it has had time to show that change by itself, and set where the two differ.
"""

import math

from msgspec import Struct

from hardware.boards.dgt_clock import LONGEST_S, end_text, set_and_run, text
from hardware.boards.dgt_protocol import ClockState, Flank
from hardware.clocks.face import SIDES, Face

SETTLE_NS = 1_500_000_000  #: the board passes on about one report a second
SLACK_S = 2  #: a clock that shows whole seconds, told of late, is not wrong yet
CALLED = "arbiter"  #: is shown after a player has called him


class ClockTimes(Struct, frozen=True):
    """What a clock shows, or should, in seconds; ``running``: which flank, if any."""

    left: int
    right: int
    running: Flank | None

    def differs(self, other: "ClockTimes") -> bool:
        """Whether the one is no longer good for the other."""
        late = max(abs(self.left - other.left), abs(self.right - other.right))
        return self.running != other.running or late > SLACK_S


def wanted(face: Face, white: Flank, now_ns: int) -> ClockTimes | None:
    """What the clock should show at ``now_ns``, with White's time on the flank ``white``; None before a game."""
    left_ms = {side: face.left_ms(side, now_ns) for side in SIDES}
    seconds = [min(math.ceil(ms / 1000), LONGEST_S) for ms in left_ms.values() if ms is not None]
    if len(seconds) < len(SIDES):
        return None
    black: Flank = "right" if white == "left" else "left"
    running = {"white": white, "black": black}[face.running] if face.running is not None else None
    left, right = seconds if white == "left" else reversed(seconds)
    return ClockTimes(left, right, running)


class ClockFollower:
    """The commands for one clock. Times are ns of :func:`time.monotonic_ns`."""

    def __init__(self) -> None:
        self._face: Face | None = None  # until the clock was compared with it
        self._due_ns = 0
        self._called = False

    @property
    def due_s(self) -> float:
        """When :meth:`next` will have more, if nothing is reported before; in seconds."""
        return math.inf if self._face is None else self._due_ns / 1e9

    def show(self, face: Face, now_ns: int) -> None:
        """The game's clock has changed."""
        self._face, self._due_ns = face, now_ns + SETTLE_NS

    def next(self, shown: ClockState | None, white: Flank, now_ns: int) -> list[bytes]:
        """What the clock is to be told at this moment, where it was last reported as ``shown``."""
        face = self._face
        if face is None or shown is None or now_ns < self._due_ns:
            return []
        self._face = None
        commands: list[bytes] = []
        if face.called != self._called:
            self._called = face.called
            commands.append(text(CALLED) if face.called else end_text())
        setting = wanted(face, white, now_ns)
        running = shown.to_move if shown.running else None
        if setting is not None and setting.differs(ClockTimes(shown.left, shown.right, running)):
            commands.append(set_and_run(setting.left, setting.right, setting.running))
        return commands
