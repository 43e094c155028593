"""What awaits a ruling, exactly: the journal tells what was seen and what was ruled, but not which ruling answers what.

A notice is named by the input that it came of, counted from 1 within its game. Its name stays with it when a ruling on
it is taken back.
"""

from collections.abc import Mapping

from controller.contract import BoardId
from controller.game import Game
from controller.laws.notices import standing
from controller.laws.record import NOWHERE, Notice
from controller.laws.state import State
from controller.match import Match

Open = tuple[int, ...]
"""The inputs of which came what is open, oldest notice first: the order in which rulings answer."""


class Awaiting:
    """The open notices of ``game`` on each of its boards. :meth:`look` has to be called after every input."""

    def __init__(self, game: Game | Match) -> None:
        self._games: Mapping[BoardId, Game] | Mapping[None, Game] = (
            game.games if isinstance(game, Match) else {None: game}
        )
        self._inputs = 0
        self._names: dict[tuple[BoardId | None, int], int] = {}  # by the board and the notice's number
        #: from which input on what was open, whenever that changed
        self.log: dict[BoardId | None, list[tuple[int, Open]]] = {seat: [(0, ())] for seat in self._games}

    def look(self) -> None:
        """An input has been taken."""
        self._inputs += 1
        for seat, game in self._games.items():
            state, log = game.state, self.log[seat]
            if state.notices or log[-1][1]:
                now = tuple(self._name(seat, notice) for notice in state.notices if _open(state, notice))
                if now != log[-1][1]:
                    log.append((self._inputs, now))

    def _name(self, seat: BoardId | None, notice: Notice) -> int:
        return self._names.setdefault((seat, notice.number), self._inputs)


def _open(state: State, notice: Notice) -> bool:
    """Whether a ruling would still answer it."""
    if state.result is not None:
        return False
    return notice.what != "illegal" or notice.at == NOWHERE or not standing(state, notice.at)
