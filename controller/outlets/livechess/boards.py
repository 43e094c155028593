"""What LiveChess is to tell of our boards: the game on each as it stands, its clock, and how the board is."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from controller.contract import BoardId, Clock
from controller.journal import Opening
from controller.outlets.follow import Follower, Readable
from controller.outlets.held import comments
from controller.outlets.livechess.feed import placement
from controller.outlets.livechess.line import LiveChessLine
from controller.outlets.livechess.protocol import EBoard, EBoardState, LiveChessClock
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.notices import Notices, at
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.tables import Plugged, PluggedBoards, Standing


class _FollowedBoard(Struct, frozen=True):
    """A board where it is played on: what it is in a match, and what follows that."""

    plugged: Plugged
    board_id: BoardId | None
    follower: Follower[Any]
    silent: str  #: by which notice it does not answer


class LiveChessBoards:
    """The boards of ``tables``: of each the only one, or the two of a match, by what they are in it. All are asked for
    by their numbers. ``now``: which these are, where they come and go; a feed of one that has left stands still.
    """

    def __init__(
        self,
        tables: Sequence[PluggedBoards],
        journal: Readable,
        notices: Notices,
        standing: Standing = lambda *_: None,
        hold_below: float = 0.0,
        now: Callable[[], Sequence[PluggedBoards]] | None = None,
    ) -> None:
        self._journal = journal
        self._now = now
        self._hold_below = hold_below
        self._notices = notices
        self._standing = standing
        self._boards: dict[str, _FollowedBoard] = {}  # those that have left, too
        self._there: list[str] = []  # their numbers
        self._followers: dict[str, Follower[Any]] = {}  # by the numbers of their tables
        self._set(tables)
        self._lines: dict[str, LiveChessLine] = {}
        self._clock_at: dict[str, tuple[Clock, int]] = {}  # when that was heard, in ms since 1970

    def _set(self, tables: Sequence[PluggedBoards]) -> None:
        """These tables are there now."""
        self._there = [board.number for plugged in tables for board in plugged.values()]
        for plugged in tables:
            numbers = "+".join(board.number for board in plugged.values())
            if numbers not in self._followers:
                held = partial(Scoresheet, hold_below=self._hold_below)
                begin: Callable[[Opening], Scoresheet | Matchsheet] = held if None in plugged else Matchsheet
                self._followers[numbers] = Follower(self._journal, numbers, 0, begin)
            for board_id, board in plugged.items():
                silent = at(at("board", board_id), board.of_many)
                self._boards[board.number] = _FollowedBoard(board, board_id, self._followers[numbers], silent)

    async def follow(self, tell: Callable[[], None]) -> None:
        """Reads what is new and calls ``tell``, again and again, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            followed: set[str] = set()

            def look() -> None:
                for numbers in self._followers.keys() - followed:
                    followed.add(numbers)
                    tasks.create_task(self._follow(self._followers[numbers], tell))

            look()
            tasks.create_task(self._watch(look, tell))

    async def _follow(self, follower: Follower[Any], tell: Callable[[], None]) -> None:
        while True:
            await follower.more()
            self.read()
            tell()

    async def _watch(self, look: Callable[[], None], tell: Callable[[], None]) -> None:
        """What stands on a board between games is in no journal, nor which boards there are."""
        while True:
            await self._notices.changed()
            if self._now is not None:
                self._set(self._now())
                look()
            tell()

    def read(self) -> None:
        """Reads what is new of all of them."""
        for follower in self._followers.values():
            while follower.read():
                pass

    def __contains__(self, number: str) -> bool:
        return number in self._there

    def __len__(self) -> int:
        return len(self._there)

    def line(self, number: str) -> LiveChessLine | None:
        """The moves of the game there, looked at once for all who are told of it."""
        sheet, line = self.sheet(number), self._lines.get(number)
        if sheet is None:
            return None
        if line is None or line.sheet is not sheet:
            line = self._lines[number] = LiveChessLine(sheet)
        line.follow()
        return line

    @property
    def games(self) -> list[Scoresheet]:
        """The game on each board that is not one of a match."""
        sheets = [self.sheet(number) for number in self._there if self._boards[number].board_id is None]
        return [sheet for sheet in sheets if sheet is not None]

    def sheet(self, number: str) -> Scoresheet | None:
        """The game as it stands, without what is held back."""
        board = self._boards[number]
        return None if board.follower.sheet is None else board.follower.sheet.games[board.board_id].public

    def board(self, number: str) -> str:
        """Where the pieces stand: in the game, or between games on the board itself."""
        sheet = self.sheet(number)
        return self._standing(number, "" if sheet is None else sheet.opening.game) or placement(sheet)

    def clock(self, number: str) -> LiveChessClock | None:
        """Both clocks of a game as they were when last started, stopped or set."""
        sheet = self.sheet(number)
        shown = sheet.clock if sheet is not None else None
        if shown is None:
            return None
        if number not in self._clock_at or self._clock_at[number][0] is not shown:
            self._clock_at[number] = shown, now_ms()
        run = None if shown.running is None else shown.running == "white"
        return LiveChessClock(shown.white_ms // 1000, shown.black_ms // 1000, run, self._clock_at[number][1])

    def eboards(self) -> list[EBoard]:
        """The list of boards, A before B: there are clients that take the first."""
        return [self._eboard(number, self._boards[number]) for number in self._there]

    def _eboard(self, number: str, board: _FollowedBoard) -> EBoard:
        sheet = self.sheet(number)
        silent = any(notice.source == board.silent for notice in self._notices.current)
        state: EBoardState = "NOTRESPONDING" if silent else "INACTIVE" if sheet is None or sheet.over else "ACTIVE"
        said = "; ".join(comments(None, sheet.held)) or None if sheet is not None else None
        return EBoard(number, board.plugged.source, state, None, said, self.board(number), False, self.clock(number))


def now_ms() -> int:
    """Since 1970."""
    return time.time_ns() // 1_000_000
