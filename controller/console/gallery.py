"""What spectators see: men, moves, clocks, results that are final, as late as the event says. No touch, no obligation,
no alert: players may see this page.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from controller.console.expected import Expected, Seats
from controller.console.hub import Hub
from controller.console.shown import occasion, score, shown_clock
from controller.journal import Opening
from controller.outlets.follow import Follower, Readable
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.scoresheet import Scoresheet
from controller.words import LanguageCode
from controller.words.context import Context
from controller.words.say import parts


class Gallery:
    """Follows ``past``, which is late by ``delay_ms``, for the boards ``seats``; the rest as for :class:`.Watch`.
    ``hold_below``: how certain a move has to be."""

    def __init__(
        self,
        past: Readable,
        seats: Seats,
        delay_ms: int,
        hubs: Mapping[LanguageCode, Hub],
        ns_of: Callable[[int], int],
        speed: float,
        expected: Expected,
        hold_below: float,
    ) -> None:
        self._past = past
        self._seats = seats
        self._delay_ms = delay_ms
        self._hubs = hubs
        self._ns_of = ns_of
        self._speed = speed
        self._expected = expected
        self._hold_below = hold_below
        self._sheet: Matchsheet | Scoresheet | None = None
        self._shown: dict[str, object] = {}  # what the scores and clocks of the boards were made of last

    async def run(self) -> None:
        """Follows for good."""
        numbers = "+".join(self._seats.values())
        held = partial(Scoresheet, hold_below=self._hold_below)
        begin: Callable[[Opening], Matchsheet | Scoresheet] = held if None in self._seats else Matchsheet
        follower = Follower(self._past, numbers, 0, begin)
        while True:
            while follower.read():
                pass
            self._sheet = follower.sheet
            self.show()
            await follower.more()

    def show(self) -> None:
        """Shows all as it stands."""
        boards = {} if self._sheet is None else {name: sheet.public for name, sheet in self._sheet.games.items()}
        for name, number in self._seats.items():
            moved = name in boards and self._news(number, boards[name])
            for code, hub in self._hubs.items():
                if name not in boards:
                    hub.put(number, "head", self._expected.head(name))
                    continue
                shown = boards[name]
                hub.put(number, "head", _head(shown))
                hub.put(number, "board", _board(shown, code))
                if moved:
                    hub.put(number, "moves", score(shown, code))
                    hub.put(number, "clock", shown_clock(shown, self._wall, self._speed))

    def _news(self, number: str, sheet: Scoresheet) -> bool:
        """Whether the score or the clock of a board is another than was shown last."""
        last = sheet.entries[-1].move if sheet.entries else None
        now = (sheet.opening.game, sheet.ply, last, sheet.clock, sheet.result, sheet.match)
        before, self._shown[number] = self._shown.get(number), now
        return before != now

    def _wall(self, ms: int) -> int:
        ago_ns = time.monotonic_ns() - self._ns_of(ms)
        return (time.time_ns() - ago_ns) // 1_000_000 + self._delay_ms


def _head(sheet: Scoresheet) -> dict[str, Any]:
    group = None if sheet.seat is None else {"id": sheet.opening.board, "seat": sheet.seat}
    return {
        "number": sheet.number,
        "match": group,
        "game": sheet.opening.game,
        **occasion(sheet.tags),
        **sheet.heading,
    }


def _board(sheet: Scoresheet, code: LanguageCode) -> dict[str, Any]:
    board = sheet.board
    ends = [end for end in (sheet.final, sheet.match) if end is not None]
    context = Context(sheet.opening.session, sheet.seat)
    return {
        "fen": board.board_fen().replace("~", ""),
        "turn": "white" if board.turn else "black",
        "last": sheet.last,
        "stock": sheet.stock,
        "result": ". ".join(parts(end, code, context).what for end in ends) or None,
        "over": sheet.over,
        "stands": sheet.stalled is not None,
        "held": sheet.held,
    }
