"""What awaits a ruling, exactly: the journal tells what was seen and what was ruled, but not which ruling answers what.

A notice is known by the input that it came of, counted from 1 within its game, and by the ids of the events that are
about it. Both stay with it when a ruling on it is taken back. In the journal of a game that began before there were ids
only the inputs can be found again.
"""

from collections.abc import Mapping

from controller.contract import BoardId
from controller.errors import JadoubeError, LogError, SettledError
from controller.game import Game
from controller.laws.record import Notice
from controller.outlets.mqtt.docket import Open


class Awaiting:
    """The open notices of ``games``, by their boards. :meth:`look` has to be called after every input."""

    def __init__(self, games: Mapping[BoardId | None, Game]) -> None:
        self._games = games
        self._inputs = 0
        #: of which input each came, by the board and the first of its ids; without one, by its number
        self._came: dict[tuple[BoardId | None, str | int], int] = {}
        #: ids of what was ever open
        self._known: dict[BoardId | None, set[str]] = {board_id: set() for board_id in games}
        #: from which input on what was open, whenever that changed
        self.log: dict[BoardId | None, list[tuple[int, Open]]] = {board_id: [(0, ())] for board_id in games}

    def look(self) -> None:
        """An input has been taken."""
        self._inputs += 1
        for board_id, game in self._games.items():
            state, log = game.state, self.log[board_id]
            if state.notices or log[-1][1]:
                now = tuple((self._input(board_id, each), each.ids) for each in game.awaiting)
                if now != log[-1][1]:
                    log.append((self._inputs, now))
                    self._known[board_id].update(id_ for _, ids in now for id_ in ids)

    def refusal(self, board_id: BoardId | None, answers: str) -> JadoubeError | None:
        """Why a ruling on the notice of that id answers nothing on that board, in words; None where it answers it."""
        now = self.log[board_id][-1][1]
        if any(answers in ids for _, ids in now):
            return None
        open_still = ", ".join(ids[0] for _, ids in now)
        next_step = f"look again at what is open: {open_still}" if now else "nothing awaits a ruling"
        if answers in self._known[board_id]:
            cause = "another arbiter has ruled on it, it was put right, or it is too late"
            return SettledError(f"notice {answers} is settled already", cause, next_step)
        cause = "a slip in the id, or one that no ruling answers"
        return LogError(f"no notice {answers} awaits a ruling", cause, next_step)

    def _input(self, board_id: BoardId | None, notice: Notice) -> int:
        return self._came.setdefault((board_id, notice.ids[0] if notice.ids else notice.number), self._inputs)
