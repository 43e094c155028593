"""What is wrong at present, in words for the person who can put it right.

One notice a source (the board, the broker, the disk …), set when something fails and cleared when it answers again;
the log gets a line when that happens. Notices are about the equipment and so stand in no game's journal.
"""

import asyncio
import logging

from msgspec import Struct

from controller.contract import BoardId
from controller.errors import JadoubeError

log = logging.getLogger(__name__)


class Notice(Struct, frozen=True):
    """What happened, the likely cause, and what to do next."""

    source: str
    what: str
    cause: str
    next_step: str


def at(source: str, seat: BoardId | None) -> str:
    """What a source is called that there may be two of: ``sensor A`` in a match."""
    return source if seat is None else f"{source} {seat}"


class Notices:
    """The notices in force. Belongs to the thread of the event loop."""

    def __init__(self) -> None:
        self._current: dict[str, Notice] = {}
        self._changed = asyncio.Event()

    @property
    def current(self) -> tuple[Notice, ...]:
        """The notices in force, oldest first."""
        return tuple(self._current.values())

    def set(self, source: str, error: JadoubeError) -> None:
        """Something fails. Logged once for as long as the cause is the same, whatever square or second it names."""
        notice = Notice(source, error.what, error.cause, error.next_step)
        before = self._current.get(source)
        if before != notice:
            self._current[source] = notice
            if before is None or before.cause != notice.cause:
                log.warning("%s: %s", source, error)
            self.wake()

    def clear(self, source: str) -> None:
        """It works again, or has all along."""
        if self._current.pop(source, None) is not None:
            log.info("%s: all right again", source)
            self.wake()

    async def changed(self) -> None:
        """Returns after the next change."""
        await self._changed.wait()

    def wake(self) -> None:
        """Lets all look again who wait for a change."""
        self._changed.set()
        self._changed = asyncio.Event()
