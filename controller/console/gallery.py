"""What spectators see: pieces, moves, clocks, results that are final, as late as the event says. No touch, no
obligation, no alert: players may see this page.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from controller.console.expected import Expected
from controller.console.hub import Hub
from controller.console.shown import (
    CHUNK,
    line,
    occasion,
    placed,
    score,
    shown_clock,
    shown_control,
    shown_head,
    shown_match,
)
from controller.console.shown_table import ShownTable
from controller.journal import Opening
from controller.outlets.follow import Follower, Readable
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.pgn import pgn
from controller.outlets.scoresheet import Scoresheet
from controller.words import LanguageCode
from controller.words.context import Context
from controller.words.say import parts


class Gallery:
    """Shows the boards of ``table`` on ``hubs``, one for each language: as late as everybody may know of them, or at
    once where it is not ``late``. ``expected``: who plays next."""

    def __init__(self, table: ShownTable, hubs: Mapping[LanguageCode, Hub], expected: Expected, *, late: bool) -> None:
        self._table = table
        self._past: Readable = table.past if late else table.journal
        self._delay_ms = round(table.delay * 60_000) if late and not isinstance(table.delay, str) else 0
        self._hubs = hubs
        self._expected = expected
        self._sheet: Matchsheet | Scoresheet | None = None
        self._shown: dict[tuple[str, str], object] = {}  # what parts of the boards were made of last
        self._written: tuple[object, str] | None = None  # the PGN, and of what it was made

    async def run(self) -> None:
        """Follows for good."""
        numbers = "+".join(self._table.board_numbers.values())
        held = partial(Scoresheet, hold_below=self._table.hold_below)
        begin: Callable[[Opening], Matchsheet | Scoresheet] = held if None in self._table.board_numbers else Matchsheet
        follower = Follower(self._past, numbers, 0, begin)
        while True:
            while follower.read():
                pass
            self._sheet = follower.sheet
            self.show()
            await follower.more()

    def show(self) -> None:
        if self._sheet is None or self.is_past:
            self._show_next()
            return
        boards = {name: sheet.public for name, sheet in self._sheet.games.items()}
        for name, number in self._table.board_numbers.items():
            shown = boards[name]
            ended = [each.final for each in boards.values()]  # what is said of a match is said on both of its boards
            if not self._news((number, ""), (_state(shown), ended)):
                continue  # as with every touch
            head, clock = shown_head(shown), shown_clock(shown, self._wall, self._table.speed)
            for code, hub in self._hubs.items():
                hub.put(number, "head", head)
                hub.clear(number, ("begins",))
                hub.put(number, "board", _board(shown, code) | shown_match([*boards.values()], code))
                hub.put(number, "moves", score(shown, code))
                hub.put(number, "clock", clock)
                hub.clear(number, ("control",))
            self._show_line(number, shown)

    @property
    def is_past(self) -> bool:
        """Whether the game is over and others play here next, or the round in force has none here."""
        if self._sheet is not None and self._expected.leaves_out(self._sheet.opening):
            return True
        if self._sheet is None or not all(sheet.public.over for sheet in self._sheet.games.values()):
            return False
        return self._expected.instead_of(self._sheet.opening)

    def _show_next(self) -> None:
        """Shows who plays next, and nothing of the game before but where it can be had."""
        self._shown.clear()
        last = {"last": occasion(self._sheet.opening.tags)["round"]} if isinstance(self._sheet, Scoresheet) else {}
        for name, number in self._table.board_numbers.items():
            for code, hub in self._hubs.items():
                hub.put(number, "head", self._expected.head(name) | last)
                hub.put(number, "control", shown_control(self._table.clock, code))
                self._expected.show_begins(hub, number, name, code)
                hub.clear(number, ("board", "clock", "moves", "start"))
                hub.keep(number, "line ", ())

    def _show_line(self, number: str, sheet: Scoresheet) -> None:
        """Shows what it takes to step through a game: in parts, of which only the last changes with a move."""
        chunks = {f"line {first // CHUNK}": first for first in range(0, sheet.ply, CHUNK)}
        for part, first in chunks.items():
            told = [(entry.move.fen, entry.left_ms, entry.spent_ms) for entry in sheet.entries[first : first + CHUNK]]
            if self._news((number, part), (sheet.opening.game, told)):
                changed = line(sheet, first)
                for hub in self._hubs.values():
                    hub.put(number, part, changed)
        for of in [of for of in self._shown if of[0] == number and of[1] and of[1] not in chunks]:
            del self._shown[of]  # and so it is news when it is there again
        start = placed(sheet.start)
        for hub in self._hubs.values():
            hub.put(number, "start", start)
            hub.keep(number, "line ", chunks)

    def _news(self, of: tuple[str, str], now: object) -> bool:
        """Whether that is another than was shown last."""
        before, self._shown[of] = self._shown.get(of), now
        return before != now

    def pgn(self) -> str | None:
        """The game as far as everybody may know it; None where there is none. A match is none that PGN can tell."""
        if not isinstance(self._sheet, Scoresheet) or self._expected.leaves_out(self._sheet.opening):
            return None
        now = _state(self._sheet.public)
        if self._written is None or self._written[0] != now:
            self._written = now, pgn(self._sheet)
        return self._written[1]

    def _wall(self, ms: int) -> int:
        return self._table.wall_ms(ms) + self._delay_ms


def _state(sheet: Scoresheet) -> object:
    """By what it is other than before that everybody may know of a game."""
    last = sheet.entries[-1] if sheet.entries else None
    moved = None if last is None else (last.move, last.left_ms)
    ends = sheet.result, sheet.match, sheet.stalled
    return sheet.opening.game, sheet.ply, moved, sheet.fen, sheet.held, sheet.clock, ends


def _board(sheet: Scoresheet, code: LanguageCode) -> dict[str, Any]:
    board = sheet.board
    ends = [end for end in (sheet.final, sheet.match) if end is not None]
    context = Context(sheet.opening.session, sheet.board_id)
    return {
        "fen": sheet.placement,
        "turn": "white" if board.turn else "black",
        "last": sheet.last,
        "stock": sheet.stock,
        "result": ". ".join(parts(end, code, context).what for end in ends) or None,
        "score": None if sheet.final is None else sheet.final.result,
        "over": sheet.over,
        "stands": sheet.stalled is not None,
        "held": sheet.held,
    }
