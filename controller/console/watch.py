"""What the arbiter's page shows of our own boards: the journal followed at once, inputs and all."""

import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Protocol

from controller.console.arbiter_board import ArbiterBoard
from controller.console.expected import BoardNumbers, Expected
from controller.console.hub import Hub
from controller.console.shown import score, shown_clock, shown_notice
from controller.contract import BoardId
from controller.journal import Record, decode_opening
from controller.outlets.docket import Awaits
from controller.outlets.follow import Readable
from controller.outlets.notices import Notices
from controller.wire import decode_event, decode_input
from controller.words import LanguageCode

SeenElsewhere = Callable[[str, BoardId | None], Collection[int]]
"""The cases of a game that an arbiter has seen elsewhere, by the number of their first record."""


class Source(Readable, Protocol):
    """Where records come from: a journal, or what reads like one."""

    def before_last_game(self, board: str) -> int: ...


RULING = 3  #: so much attention a board wants where a ruling is awaited
OF_CASES = ("position", "score")  #: the sources of notices that are cases already


class Watch:
    """Follows the journal for the boards of these ``numbers``, and shows them on ``hubs``, one for each language.

    ``ns_of``: when a time of the game in progress was, in ns of :func:`time.monotonic_ns`. ``speed``: of the daemon.
    ``awaiting``: what awaits a ruling. ``expected``: who plays next. ``seen``: what arbiters have seen elsewhere;
    without it, what came before this began is taken for seen, and its time of day is not known.
    """

    def __init__(
        self,
        journal: Source,
        numbers: BoardNumbers,
        notices: Notices,
        hubs: Mapping[LanguageCode, Hub],
        ns_of: Callable[[int], int],
        speed: float,
        awaiting: Awaits,
        expected: Expected,
        seen: SeenElsewhere | None = None,
    ) -> None:
        self.boards: dict[BoardId | None, ArbiterBoard] = {}  #: once there is a game
        self._journal = journal
        self._places = numbers
        self._notices = notices
        self._hubs = hubs
        self._ns_of = ns_of
        self._speed = speed
        self._shown: dict[tuple[str, str], object] = {}  # what parts of the boards were made of last
        self._awaiting = awaiting
        self._expected = expected
        self._seen = seen
        self._live = seen is not None  # what is read happens now: the time of day says when
        self._numbers = "+".join(numbers.values())
        self._seq = journal.before_last_game(self._numbers)

    async def run(self) -> None:
        """Follows for good."""
        self.catch_up()
        if not self._live:
            self._live = True
            for board in self.boards.values():
                board.cases.seen_before()
                board.wall = self._wall
        self.show()
        while True:
            await self._journal.wait(self._seq, self._numbers)
            self.catch_up()
            self.show()

    async def run_notices(self) -> None:
        """Shows what is wrong with the equipment, for good."""
        while True:
            self.show_notices()
            await self._notices.changed()

    def catch_up(self) -> None:
        """Reads all that is new."""
        while records := self._journal.after(self._seq, board=self._numbers):
            self._seq = records[-1].seq
            for record in records:
                self._take(record)
        for name, board in self.boards.items():
            board.settle()
            for case in self._seen(board.sheet.opening.game, name) if self._seen is not None else ():
                board.cases.seen(case)

    def begin_anew(self) -> None:
        """Reads the last game from its beginning once more: of it more has become known."""
        self.boards, self._shown = {}, {}
        self._seq = self._journal.before_last_game(self._numbers)
        self.catch_up()
        self.show()

    def show(self) -> None:
        """Shows all as it stands; what has not changed costs its readers nothing."""
        if not self.boards or self._left:
            self._show_next()
            return
        for name, number in self._places.items():
            self._show(number, self.boards[name])

    @property
    def _left(self) -> bool:
        """Whether the game is over, nothing in it awaits a ruling, and others play here next."""
        boards = self.boards.values()
        settled = all(board.over and board.attention < RULING for board in boards)
        return settled and any(self._expected.instead_of(board.sheet.opening) for board in boards)

    def _show_next(self) -> None:
        """Shows who plays next, and nothing of the game before."""
        self._shown.clear()
        for name, number in self._places.items():
            for hub in self._hubs.values():
                hub.put(number, "head", self._expected.head(name))
                hub.clear(number, ("reports", "board", "clock", "moves", "cases"))
                hub.keep(number, "case ", ())

    def _show(self, number: str, board: ArbiterBoard) -> None:
        game, sheet = board.sheet.opening.game, board.sheet
        scored = self._news(number, "moves", (game, board.moved))
        ruled = self._news(number, "cases", (game, board.cases.version))
        clock = self._news(number, "clock", (game, sheet.clock, board.over))
        begun, head = self._news(number, "reports", game), board.head()
        for code, hub in self._hubs.items():
            hub.put(number, "head", head)
            if begun:
                hub.put(number, "reports", board.reports(code))
            hub.put(number, "board", board.board(code))
            if clock:
                hub.put(number, "clock", shown_clock(sheet, self._wall, self._speed))
            if scored:
                hub.put(number, "moves", score(sheet, code))
            if ruled:
                docket = board.docket(code)
                for name, case in docket.items():
                    hub.put(number, name, case)
                hub.put(number, "cases", [*docket])
                hub.keep(number, "case ", docket)

    def _news(self, number: str, part: str, now: object) -> bool:
        """Whether that part of a board is another than was shown last."""
        before, self._shown[number, part] = self._shown.get((number, part)), now
        return before != now

    def show_notices(self) -> None:
        """Shows the notices in force with every board: they name the one they mean. That pieces stand elsewhere, and
        that the score stands, are cases already.
        """
        notices = [notice for notice in self._notices.current if not notice.source.startswith(OF_CASES)]
        of_all = self._notices.of_all
        for code, hub in self._hubs.items():
            said = [shown_notice(notice, code, of_all=notice in of_all) for notice in notices]
            for number in self._places.values():
                hub.put(number, "notices", said)

    def _take(self, record: Record) -> None:
        if record.kind == "game":
            opening = decode_opening(record.body)
            self.boards = {}
            if opening.board == self._numbers:
                asked = {name: partial(self._awaiting, opening.game, name) for name in self._places}
                self.boards = {name: ArbiterBoard(opening, name, asked[name]) for name in self._places}
                for board in self.boards.values():
                    board.wall = self._wall if self._live else None
        elif record.kind == "input":
            item = decode_input(record.body)
            for board in self.boards.values():
                board.hear(item)
        else:
            event = decode_event(record.body)
            for board in self.boards.values():
                board.apply(record.seq, event)

    def _wall(self, ms: int) -> int:
        ago_ns = time.monotonic_ns() - self._ns_of(ms)
        return (time.time_ns() - ago_ns) // 1_000_000
