"""What is held back from the public: a move that was told with little certainty, until that is settled. So that what
later play takes back again was on no page, in no file and in no feed.

A move is doubtful where it was inferred and its ``confidence`` is below the limit of the event, or where ``ambiguous``
names it before it was published. It is settled by a later move that was seen and is completed, by being told with more
certainty, by an arbiter who puts it into the record, and by the end of the game at the latest. What was played
after it waits with it; clocks and results do not. What was published once is not held back any more.
"""

from collections.abc import Sequence

from msgspec import Struct

from controller.contract import Ambiguous, AnyEvent, Completed, Match, Move, Result, Retract

HELD_ONE, HELD_MORE = "1 move held back: not certain", "{} moves held back: not certain"


class HeldMove(Struct):
    move: Move
    doubtful: bool


class Holding:
    """Of one game. ``below``: the limit; 0: nothing is held back."""

    def __init__(self, below: float) -> None:
        self._below = below
        self._record: list[HeldMove] = []
        self._published = 0
        self._over = False

    def apply(self, event: AnyEvent, left: int) -> None:
        """Takes the next event of the game, after which its record has so many moves."""
        match event:
            case Move():
                self._record.append(HeldMove(event, self.doubts(event)))
            case Retract():
                del self._record[left:]
                self._published = min(self._published, left)
            case Completed():
                self._settle(event)
            case Ambiguous() if self._below:
                named = [told for told in self._record[self._published :] if told.move.uci in event.moves]
                for told in named[-1:]:
                    told.doubtful = told.move.basis != "reported"
            case Result():
                self._over = event.status == "final"  # which an arbiter may take back
            case Match():
                self._over = True
            case _:
                pass

    def close(self) -> None:
        """Nothing more comes that could settle anything."""
        self._over = True

    def published(self) -> int:
        """How many moves the public may know by now; what it asks for is published."""
        doubtful = [number for number, told in enumerate(self._record) if told.doubtful]
        known = len(self._record) if self._over or not doubtful else doubtful[0]
        self._published = max(self._published, known)
        return self._published

    def doubts(self, move: Move) -> bool:
        """Whether a move, as it is told, is too little certain."""
        return move.basis == "inferred" and move.confidence is not None and move.confidence < self._below

    def _settle(self, completed: Completed) -> None:
        """A move that was seen, and is completed, tells that those before it were made."""
        for number in range(len(self._record) - 1, -1, -1):
            told = self._record[number]
            if told.move.uci == completed.uci and told.move.side == completed.side:
                if not told.doubtful and told.move.basis != "inferred":
                    for earlier in self._record[:number]:
                        earlier.doubtful = False
                return


def comments(stands: str | None, held: int) -> Sequence[str]:
    """What is to be said after the last move that is told: that the score stands, and that moves are held back."""
    said = [HELD_ONE if held == 1 else HELD_MORE.format(held)] if held else []
    return [*([stands] if stands is not None else []), *said]
