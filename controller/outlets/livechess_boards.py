"""What LiveChess is to tell of our boards: the game on each as it stands, its clock, and how the board is."""

import time
from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct

from controller.contract import BoardId
from controller.contract import Clock as ClockEvent
from controller.journal import Opening
from controller.outlets.follow import Follower, Readable
from controller.outlets.held import comments
from controller.outlets.livechess_feed import placement
from controller.outlets.livechess_line import Line
from controller.outlets.livechess_protocol import Clock, EBoard, State
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.notices import Notices, at
from controller.outlets.scoresheet import Scoresheet


class Plugged(Struct, frozen=True):
    """A board: its number in the hall, and by what name it is connected, not by which path."""

    number: str
    source: str


class Boards:
    """The only board, or the two of a match, by what they are in it."""

    def __init__(
        self, plugged: Mapping[BoardId | None, Plugged], journal: Readable, notices: Notices, hold_below: float = 0.0
    ) -> None:
        self.seats = {board.number: seat for seat, board in plugged.items()}  #: by the numbers of the boards
        self._plugged = plugged
        self._notices = notices
        held = partial(Scoresheet, hold_below=hold_below)
        begin: Callable[[Opening], Scoresheet | Matchsheet] = held if None in plugged else Matchsheet
        self._follower = Follower(journal, "+".join(self.seats), 0, begin)
        self._lines: dict[BoardId | None, Line] = {}
        self._clock_at: dict[BoardId | None, tuple[ClockEvent, int]] = {}  # when that was heard, in ms since 1970

    async def more(self) -> None:
        """Returns once there is news, which then has been read."""
        await self._follower.more()
        while self._follower.read():
            pass

    def line(self, seat: BoardId | None) -> Line | None:
        """The moves of that game, looked at once for all who are told of it."""
        sheet, line = self.sheet(seat), self._lines.get(seat)
        if sheet is None:
            return None
        if line is None or line.sheet is not sheet:
            line = self._lines[seat] = Line(sheet)
        line.follow()
        return line

    @property
    def alone(self) -> Scoresheet | None:
        """The game, where it is one by itself and not of a match."""
        return self.sheet(None) if None in self._plugged else None

    def sheet(self, seat: BoardId | None) -> Scoresheet | None:
        """The game as it stands, without what is held back."""
        return None if self._follower.sheet is None else self._follower.sheet.games[seat].public

    def clock(self, seat: BoardId | None) -> Clock | None:
        """Both clocks of a game as they were when last started, stopped or set."""
        sheet = self.sheet(seat)
        shown = sheet.clock if sheet is not None else None
        if shown is None:
            return None
        if seat not in self._clock_at or self._clock_at[seat][0] is not shown:
            self._clock_at[seat] = shown, now_ms()
        run = None if shown.running is None else shown.running == "white"
        return Clock(shown.white_ms // 1000, shown.black_ms // 1000, run, self._clock_at[seat][1])

    def eboards(self) -> list[EBoard]:
        """The list of boards, A before B: there are clients that take the first."""
        return [self._eboard(seat, board) for seat, board in self._plugged.items()]

    def _eboard(self, seat: BoardId | None, board: Plugged) -> EBoard:
        sheet = self.sheet(seat)
        silent = any(notice.source == at("board", seat) for notice in self._notices.current)
        state: State = "NOTRESPONDING" if silent else "INACTIVE" if sheet is None or sheet.over else "ACTIVE"
        said = "; ".join(comments(None, sheet.held)) or None if sheet is not None else None
        return EBoard(board.number, board.source, state, None, said, placement(sheet), False, self.clock(seat))


def now_ms() -> int:
    """Since 1970."""
    return time.time_ns() // 1_000_000
