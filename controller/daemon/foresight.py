"""Who can still mate, asked in a thread of its own before a flag falls: it may take a second, and whoever presses,
moves or asks meanwhile is not to wait for it.

The answer is kept where the Laws look for it (:func:`controller.laws.endings.mating`); where a flag falls before it is
there, they find it out themselves.
"""

from concurrent.futures import Future, ThreadPoolExecutor

from controller.contract import Clock, other
from controller.laws.endings import mating
from controller.laws.notices import sound
from controller.laws.state import State
from controller.mating import Verdict

SOON_MS = 20_000  #: asked once a player has no more time left than this

_asking = ThreadPoolExecutor(1, "mating")


class Foresight:
    """Of one board: only the latest position is of interest."""

    def __init__(self) -> None:
        self.asked: Future[Verdict] | None = None  #: the latest question

    def look(self, state: State, clock: Clock) -> None:
        """The clock runs so, in this position: ask whether the opponent could win if it ran out."""
        if self.asked is not None:
            self.asked.cancel()  # if nobody has begun to answer it
        left = clock.white_ms if clock.running == "white" else clock.black_ms
        if clock.running is not None and left <= SOON_MS:
            self.asked = _asking.submit(mating, sound(state).board.copy(stack=False), other(clock.running))
