"""What is too old goes by itself, at the start and once a day, and never while a game is played.

A game that has no result, and that everybody has left, is not played: nothing happens in it.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime

from controller.config import JournalConfig
from controller.errors import JournalError
from controller.journal import Journal, Keeper

log = logging.getLogger(__name__)

LOOK_S = 20.0  #: between looks whether a game is played
LEFT_S = 600.0  #: a game in which nothing has happened for so long, not even on a clock
DAY_S = 86_400.0


class Upkeep:
    """Of ``journal``. ``playing`` says whether a game is on; ``outlets``: those who send, by their cursors, with the
    board that each follows.
    """

    def __init__(
        self,
        config: JournalConfig,
        journal: Journal,
        playing: Callable[[], bool],
        outlets: Callable[[], Mapping[str, str]],
    ) -> None:
        self._journal = journal
        self._playing = playing
        self._outlets = outlets
        self._stopping = False
        self._seen = (-1, 0.0)  # the last record, and since when that is the last
        self._keeper = Keeper(journal.path, config.keep_touches_days, config.keep_names_days)

    async def run(self) -> None:
        """Until cancelled."""
        done: float | None = None
        while True:
            if not self.busy() and (done is None or time.monotonic() - done >= DAY_S):
                try:
                    whole = await self.once(datetime.now(UTC))
                except (JournalError, sqlite3.Error, OSError) as error:  # who writes will say what is wrong
                    log.warning("what is too old could not be let go: %s", error)
                    whole = True
                done = time.monotonic() if whole else done
            await asyncio.sleep(LOOK_S)

    async def once(self, now: datetime) -> bool:
        """Lets go what is due; whether all of it went, and no game began meanwhile."""
        waiting = [name for name, board in self._outlets().items() if self._journal.waiting_for(name, board)]
        cursors = [cursor for name in waiting if (cursor := self._journal.cursor(name))]
        sent = min([self._journal.head.seq, *cursors])
        self._stopping = False
        work = asyncio.ensure_future(asyncio.to_thread(self._work, now, sent))
        try:
            return await asyncio.shield(work)
        finally:  # where this was cancelled: the journal is closed only after the step that is being done
            self._stopping = True
            await asyncio.wait([work])

    def busy(self) -> bool:
        """Whether a game is played."""
        seq, now = self._journal.head.seq, time.monotonic()
        if seq != self._seen[0]:
            self._seen = (seq, now)
        return self._playing() and now - self._seen[1] < LEFT_S

    def _work(self, now: datetime, sent: int) -> bool:
        steps = 0
        with closing(self._keeper.steps(now, sent)) as left:
            while not self._stopping and (seq := next(left, None)) is not None:
                self._journal.forget(seq)
                steps += 1
                if self.busy():
                    return False
        if self._stopping:
            return False
        if steps:
            log.info("games older than [journal] says are gone from it, or their touches are: docs/journal.md")
        return True
