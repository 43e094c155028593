"""Who can still mate, asked in a thread of its own: it may take a second, and only the game that wants to know waits.

It is asked once a player has little time left. Where a flag falls or a player resigns before the answer is there, the
session tells the game of it only then. The answer is kept where the Laws look for it
(:func:`controller.laws.endings.mating`).
"""

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor

import chess

from controller.contract import Clock, Side, other
from controller.laws.endings import mating
from controller.laws.notices import sound
from controller.laws.state import State
from controller.mating import Verdict

SOON_MS = 20_000  #: asked once a player has no more time left than this

_asking = ThreadPoolExecutor(1, "mating")


class Foresight:
    """Of one board: only the latest position is of interest.

    ``found`` is called in the thread that found it; without it, nobody waits, and the Laws find out themselves.
    """

    def __init__(self, found: Callable[[], None] | None = None) -> None:
        self.asked: Future[Verdict] | None = None  #: the latest question
        self._found = found
        self._awaited: dict[tuple[str, Side], Future[Verdict]] = {}  # by position and who is to mate

    def look(self, state: State, clock: Clock) -> None:
        """The clock runs so, in this position: ask whether the opponent could win if it ran out."""
        if self.asked is not None:
            self.asked.cancel()  # if nobody has begun to answer it
        left = clock.white_ms if clock.running == "white" else clock.black_ms
        if clock.running is not None and left <= SOON_MS:
            self.asked = _asking.submit(mating, sound(state).board.copy(stack=False), other(clock.running))

    def knows(self, questions: Iterable[tuple[chess.Board, Side]]) -> bool:
        """Whether it is known whether these can mate in these positions; what is not is asked, and found later."""
        awaited, found = self._awaited, self._found
        if found is None:
            return True
        for board, side in questions:
            if (name := (board.epd(en_passant="fen"), side)) not in awaited:
                awaited[name] = _asking.submit(mating, board.copy(stack=False), side)
                awaited[name].add_done_callback(lambda _: found())
        known = all(answer.done() for answer in awaited.values())
        if known:
            awaited.clear()
        return known
