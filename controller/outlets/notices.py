"""What is wrong at present, in words for the person who can put it right.

One notice a source (the board, the broker, the disk …), set when something fails and cleared when it answers again;
the log gets a line when that happens. Notices are about the equipment and so stand in no game's journal.
"""

import asyncio
import logging
import re

from msgspec import Struct
from msgspec.structs import replace

from controller.errors import JadoubeError

log = logging.getLogger(__name__)


class TechnicalNotice(Struct, frozen=True):
    """What happened, the likely cause, and what to do next."""

    source: str
    what: str
    cause: str
    next_step: str


def at(source: str, board_id: str | None) -> str:
    """What a source is called that there may be several of: ``sensor A`` in a match, ``sensor 17`` in a hall."""
    return source if board_id is None else f"{source} {board_id}"


def board_of(source: str) -> str | None:
    """Of which board of a match a source is, ``A`` of ``sensor A`` and of ``board A-battery``; None where it is of no
    board alone."""
    found = _OF_BOARD.fullmatch(source)
    return None if found is None else found[1]


_OF_BOARD = re.compile(r".+ ([AB])(-.+)?")


class Notices:
    """The notices in force, of one board or of a whole hall. Belongs to the thread of the event loop."""

    def __init__(self) -> None:
        # by board and source; what is no board's alone: None
        self._all: dict[tuple[str | None, str], TechnicalNotice] = {}
        self._changed = asyncio.Event()
        self._board: str | None = None
        self._hall = self
        self._boards: list[Notices] = []

    def of(self, board: str) -> "Notices":
        """What is said of one board of a hall: its own notices, and those that concern all. In the hall's, its own are
        called ``sensor 17``."""
        notices = Notices()
        notices._all, notices._board, notices._hall = self._all, board, self
        self._boards.append(notices)
        return notices

    def leave(self) -> None:
        """The board is none of the hall's any more: nothing is wrong with it."""
        for board, source in [*self._all]:
            if board == self._board:
                self.clear(source)
        self._hall._boards.remove(self)

    @property
    def current(self) -> tuple[TechnicalNotice, ...]:
        """The notices in force, oldest first."""
        if self._board is None:
            return tuple(replace(notice, source=at(source, board)) for (board, source), notice in self._all.items())
        return tuple(notice for (board, _), notice in self._all.items() if board in (None, self._board))

    @property
    def of_all(self) -> tuple[TechnicalNotice, ...]:
        """Those of them that are no board's own but concern all of the hall alike, such as its computer's."""
        return () if self._board is None else tuple(each for (board, _), each in self._all.items() if board is None)

    def set(self, source: str, error: JadoubeError) -> None:
        """Something fails. Logged once for as long as the cause is the same, whatever square or second it names."""
        notice = TechnicalNotice(source, error.what, error.cause, error.next_step)
        before = self._all.get((self._board, source))
        if before != notice:
            self._all[self._board, source] = notice
            if before is None or before.cause != notice.cause:
                log.warning("%s: %s", at(source, self._board), error)
            self.wake()

    def clear(self, source: str) -> None:
        """It works again, or has all along."""
        if self._all.pop((self._board, source), None) is not None:
            log.info("%s: all right again", at(source, self._board))
            self.wake()

    async def changed(self) -> None:
        """Returns after the next change."""
        await self._changed.wait()

    def wake(self) -> None:
        """Lets all look again who wait for a change: of one board, or of the hall and so of all."""
        for notices in {self, self._hall, *self._boards}:
            notices._changed.set()
            notices._changed = asyncio.Event()
