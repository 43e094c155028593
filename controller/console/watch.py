"""What the arbiter's page shows of our own boards: the journal followed at once, inputs and all."""

from collections.abc import Mapping
from functools import partial

from controller.console.arbiter_board import ArbiterBoard
from controller.console.expected import Expected
from controller.console.hub import Hub
from controller.console.shown import score, shown_clock, shown_control, shown_match, shown_notice
from controller.console.shown_table import ShownTable
from controller.contract import BoardId
from controller.journal import Record, decode_opening
from controller.outlets.notices import board_of
from controller.wire import decode_event, decode_input
from controller.words import LanguageCode

RULING = 3  #: so much attention a board wants where a ruling is awaited
OF_CASES = ("position", "score")  #: the sources of notices that are cases already


class Watch:
    """Follows the journal of ``table``, and shows its boards on ``hubs``, one for each language. ``expected``: who
    plays next."""

    def __init__(self, table: ShownTable, hubs: Mapping[LanguageCode, Hub], expected: Expected) -> None:
        self.boards: dict[BoardId | None, ArbiterBoard] = {}  #: once there is a game
        self._table = table
        self._hubs = hubs
        self._shown: dict[tuple[str, str], object] = {}  # what parts of the boards were made of last
        self._expected = expected
        self._live = table.seen is not None  # what is read happens now: the time of day says when
        self._numbers = "+".join(table.board_numbers.values())
        self._seq = table.journal.before_last_game(self._numbers)

    async def run(self) -> None:
        """Follows for good."""
        self.catch_up()
        if not self._live:
            self._live = True
            for board in self.boards.values():
                board.cases.seen_before()
                board.wall = self._table.wall_ms
        self.show()
        while True:
            await self._table.journal.wait(self._seq, self._numbers)
            self.catch_up()
            self.show()

    async def run_notices(self) -> None:
        """Shows what is wrong with the equipment, for good."""
        while True:
            self.show_notices()
            await self._table.notices.changed()

    def catch_up(self) -> None:
        """Reads all that is new."""
        while records := self._table.journal.after(self._seq, board=self._numbers):
            self._seq = records[-1].seq
            for record in records:
                self._take(record)
        for name, board in self.boards.items():
            board.settle()
            if self._table.seen is not None:
                for case in self._table.seen(board.sheet.opening.game, name):
                    board.cases.seen(case)

    def begin_anew(self) -> None:
        """Reads the last game from its beginning once more: of it more has become known."""
        self.boards, self._shown = {}, {}
        self._seq = self._table.journal.before_last_game(self._numbers)
        self.catch_up()
        self.show()

    def show(self) -> None:
        """Shows all as it stands; what has not changed costs its readers nothing."""
        if not self.boards or self._left:
            self._show_next()
            return
        for name, number in self._table.board_numbers.items():
            self._show(number, name, self.boards[name])

    @property
    def _left(self) -> bool:
        """Whether the game is over, nothing in it awaits a ruling, and others play here next."""
        boards = self.boards.values()
        settled = all(board.over and board.attention < RULING for board in boards)
        return settled and any(self._expected.instead_of(board.sheet.opening) for board in boards)

    def _show_next(self) -> None:
        """Shows who plays next, and nothing of the game before."""
        self._shown.clear()
        for name, number in self._table.board_numbers.items():
            for code, hub in self._hubs.items():
                hub.put(number, "head", self._expected.head(name))
                self._expected.show_begins(hub, number, name, code)
                hub.put(number, "control", shown_control(self._table.clock, code))
                hub.clear(number, ("reports", "board", "clock", "moves", "cases"))
                hub.keep(number, "case ", ())

    def _show(self, number: str, board_id: BoardId | None, board: ArbiterBoard) -> None:
        game, sheet = board.sheet.opening.game, board.sheet
        sheets = [each.sheet for each in self.boards.values()]
        scored = self._news(number, "moves", (game, board.moved))
        moved = board.moved if board.cases.awaits else 0  # a case names the moves that a ruling on it takes back
        ruled = self._news(number, "cases", (game, board.cases.version, moved))
        clock = self._news(number, "clock", (game, sheet.clock, board.over))
        begun, head = self._news(number, "reports", game), board.head()
        for code, hub in self._hubs.items():
            hub.put(number, "head", head)
            hub.clear(number, ("control",))
            if board.over:
                self._expected.show_begins(hub, number, board_id, code, again=True)
            else:
                hub.clear(number, ("begins",))
            if begun:
                hub.put(number, "reports", board.reports(code))
            hub.put(number, "board", board.board(code) | shown_match(sheets, code))
            if clock:
                hub.put(number, "clock", shown_clock(sheet, self._table.wall_ms, self._table.speed))
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
        """Shows the notices in force, in a match those of one board alone with that board. That pieces stand elsewhere,
        and that the score stands, are cases already.
        """
        notices = [notice for notice in self._table.notices.current if not notice.source.startswith(OF_CASES)]
        of_all = self._table.notices.of_all
        for code, hub in self._hubs.items():
            said = [(notice.source, shown_notice(notice, code, of_all=notice in of_all)) for notice in notices]
            for name, number in self._table.board_numbers.items():
                theirs = [shown for source, shown in said if name is None or board_of(source) in (None, name)]
                hub.put(number, "notices", theirs)

    def _take(self, record: Record) -> None:
        if record.kind == "game":
            opening = decode_opening(record.body)
            self.boards = {}
            if opening.board == self._numbers:
                asked = {name: partial(self._table.awaiting, opening.game, name) for name in self._table.board_numbers}
                self.boards = {name: ArbiterBoard(opening, name, asked[name]) for name in self._table.board_numbers}
                for board in self.boards.values():
                    board.wall = self._table.wall_ms if self._live else None
        elif record.kind == "input":
            item = decode_input(record.body)
            for board in self.boards.values():
                board.hear(item)
        else:
            event = decode_event(record.body)
            for board in self.boards.values():
                board.apply(record.seq, event)
