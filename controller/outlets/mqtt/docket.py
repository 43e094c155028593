"""What awaits a ruling on a board, and what people said to it: the part of a game that its events do not tell.

    {"seq": 812, "game": "…", "ply": 31, "origin": "…", "last": 701,
     "open": [[640, [[640, ["3", "4"]]]], [702, []]],
     "said": [[702, {"type": "arbiter", "do": "uphold", "answers": "3", "by": "Ana", "ms": 61000}]]}

``open``: from which record on what awaited a ruling, whenever that changed: each notice with the record of the input
of which it came, and its ids. ``said``: rulings, reports, calls for the arbiter and what was said of a draw, with their
records. A console that reads events from afar makes of both the same page as one that reads the journal.
"""

from array import array
from bisect import bisect
from collections.abc import Callable, Sequence
from typing import Any

import chess
from msgspec import Raw, Struct

from controller.contract import WHITE, Arbiter, BoardId, Side
from controller.journal import Record

MOST = 200  #: changes, and things said, that are told of a game; the last ones

Open = Sequence[tuple[int, Sequence[str]]]
"""Of each notice that awaits a ruling the input, counted from 1, of which it came, and its ids; oldest first."""

UndoneNext = Callable[[str, BoardId | None], "Undoable | None"]
"""What `undo` would take back in a game on a board; None where there is nothing, or that is not known."""

Awaits = Callable[[str, BoardId | None], Sequence[tuple[int, Open]]]
"""From which input of a game on what awaited a ruling on a board; the daemon knows."""

SPOKEN = (b'"arbiter"', b'"pause"', b'"draw"')  #: in the body of what a person said that no event tells


def open_after(log: Sequence[tuple[int, Open]], inputs: int) -> Open:
    """What awaited a ruling after so many inputs; ``log``: as of :data:`Awaits`."""
    known = bisect(log, inputs, key=lambda entry: entry[0])
    return log[known - 1][1] if known else ()


def ids_of(notices: Open) -> list[str]:
    """The ids of all that awaits a ruling."""
    return [name for _, ids in notices for name in ids]


class Undoable(Struct, frozen=True):
    """What `undo` would take back: a ruling, else a move of ``side``; when that was, in ms of the session."""

    ms: int
    ruling: Arbiter | None = None
    side: Side = WHITE
    uci: str = ""  #: of a move; empty where the clock was pressed without one
    illegal: bool = False
    before: chess.Board | None = None  #: the position in which it was made


class Docket:
    """Of the board ``board_id``. :meth:`take` is handed the opening and the inputs of each game, in order."""

    def __init__(self, awaiting: Awaits, board_id: BoardId | None) -> None:
        self._awaiting = awaiting
        self._board_id = board_id
        self._game = ""
        self._inputs = array("Q")  # the number of the record of each
        self._said: list[tuple[int, Raw]] = []

    def take(self, record: Record) -> None:
        """The next record that is no event."""
        if record.kind == "game":
            self._game, self._inputs, self._said = record.game, array("Q"), []
        elif record.game == self._game:
            self._inputs.append(record.seq)
            if any(word in record.body for word in SPOKEN):
                self._said.append((record.seq, Raw(record.body)))

    def at_present(self) -> dict[str, Any]:
        """As it is told at present; of a game in which nothing awaited anybody, nothing."""
        known = len(self._inputs)
        log = [entry for entry in self._awaiting(self._game, self._board_id) if 0 < entry[0] <= known]
        told = [[self._of(since), [[self._of(came), ids] for came, ids in now]] for since, now in log[-MOST:]]
        return {"open": told, "said": self._said[-MOST:]} if told or self._said else {}

    @property
    def awaited(self) -> list[str]:
        """The ids of what awaits a ruling at present."""
        return ids_of(open_after(self._awaiting(self._game, self._board_id), len(self._inputs)))

    def _of(self, number: int) -> int:
        return self._inputs[number - 1]
