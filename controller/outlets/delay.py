"""The journal as the public may read it: as it was some minutes ago, or as it was when the last game ended.

The delay is applied here, at the source, to whole records: what is made of them afterwards, moves and clocks alike,
is late by itself and together. :class:`Past` reads like a journal, so whatever follows one can follow it.

No record comes out early. How long ago something happened is taken from the time of the sessions, which runs only while
the daemon does: after a restart things come out later by as long as it was down.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec
from msgspec import Struct

from controller.contract import Arbiter, Match, Result
from controller.journal import Opening, Record
from controller.outlets.follow import Readable, board_of_game
from controller.wire import decode_event, decode_input


class _Dated(Struct):
    ms: int = 0


_dated = msgspec.json.Decoder(_Dated)


class Past:
    """The ``journal`` as it was ``delay`` minutes ago, or when the last game ended, as far as it tells of ``board``.

    :meth:`run` must run beside whoever reads it. ``now`` is a clock in seconds that never goes back. ``when``: by that
    clock, when a record became known, where that is told with it.
    """

    def __init__(
        self,
        journal: Readable,
        board: str,
        delay: float | Literal["game-end"],
        now: Callable[[], float] = time.monotonic,
        when: Callable[[Record], float] | None = None,
    ) -> None:
        self._journal = journal
        self._board = board
        self._delay_s = None if delay == "game-end" else 60.0 * delay
        self._now = now
        self._when = when
        self._pending: deque[tuple[int, float]] = deque()  # up to a record, and when that may be known
        self._released = 0  # the last record that may be known
        self._seen = 0  # the last record of the journal that was looked at
        self._over = False  # the game that was looked at last has its result, and no arbiter has taken one back
        self._corrected = False  # what is looked at comes of an arbiter who then sets its record right
        self._changed = asyncio.Event()
        self._look_back()

    async def run(self) -> None:
        """Lets the past go on, until cancelled."""
        while True:
            self.catch_up()
            wait_s = self._pending[0][1] - self._now() if self._pending else None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._journal.wait(self._seen, self._board)

    def catch_up(self) -> None:
        """Takes note of what is new, and lets out what is old enough."""
        while records := self._journal.after(self._seen, board=self._board):
            for record in records:
                self._take(record, self._now() if self._when is None else self._when(record))
        before, now = self._released, self._now()
        while self._pending and self._pending[0][1] <= now:
            self._released = max(self._released, self._pending.popleft()[0])
        if self._released > before:
            self._changed.set()
            self._changed = asyncio.Event()

    def look_anew(self) -> None:
        """Takes note once more of all there is: more has become known of what was read. What is out stays out."""
        self._pending.clear()
        self._seen, self._over, self._corrected = 0, False, False
        self.catch_up()

    # -- read like a journal -------------------------------------------------------------------------------------

    def gone_after(self, seq: int) -> tuple[int, int] | None:
        return self._journal.gone_after(seq)

    def after(self, seq: int, limit: int = 256, board: str | None = None) -> list[Record]:
        room = min(limit, self._released - seq)
        found = self._journal.after(seq, room, board) if room > 0 else []
        return [record for record in found if record.seq <= self._released]

    def game(self, game: str) -> Iterator[Record]:
        return (record for record in self._journal.game(game) if record.seq <= self._released)

    def opening(self, game: str) -> Opening:
        return self._journal.opening(game)

    def last_game(self, board: str) -> Opening | None:
        """As :meth:`.Journal.last_game`: the game that was on then."""
        last = self.after(self._released - 1, limit=1) if self._released else []
        if last and board_of_game(self._journal, last[0].game) == board:
            return self._journal.opening(last[0].game)
        return None

    @property
    def origin(self) -> str:
        return self._journal.origin

    def openings(self) -> Iterator[Opening]:
        """As :meth:`.Journal.openings`: with those that are still to come, of which no more is told."""
        return self._journal.openings()

    async def wait(self, seq: int, board: str) -> None:  # noqa: ARG002
        while self._released <= seq:
            await self._changed.wait()

    # -- inside --------------------------------------------------------------------------------------------------

    def _look_back(self) -> None:
        """What happened before this start is as old as the session's own time says, at least."""
        current, now = self._journal.last_game(self._board), self._now()
        if current is None or self._when is not None:
            self.catch_up()
            return
        records = list(self._journal.game(current.game))
        latest = max(_ms(record) for record in records)
        self._seen = records[0].seq - 1
        if self._delay_s is not None and self._seen:
            self._pending.append((self._seen, now - latest / 1000 + self._delay_s))
        for record in records:
            self._take(record, now - (latest - _ms(record)) / 1000)
        self.catch_up()

    def _take(self, record: Record, at: float) -> None:
        """Takes note of a record of the time ``at``."""
        self._seen = record.seq
        if self._delay_s is not None:
            self._pending.append((record.seq, at + self._delay_s))
            return
        if record.kind == "input":
            ruling = _ruling(record)
            self._over, self._corrected = self._over and ruling != "undo", ruling == "correct"
        ends = _ends(record)
        self._over = record.kind != "game" and (self._over or ends)
        if record.kind == "game" or ends or (self._over and self._corrected):
            self._pending.append((record.seq, at))  # an opening tells nothing but who plays


def _ms(record: Record) -> int:
    return 0 if record.kind == "game" else _dated.decode(record.body).ms


def _ruling(record: Record) -> str | None:
    """What an arbiter does by that input; None if it is another's."""
    if b'"arbiter"' not in record.body:
        return None
    item = decode_input(record.body)
    return item.do if isinstance(item, Arbiter) else None


def _ends(record: Record) -> bool:
    """Whether the game is over with this, in a match both."""
    if record.kind != "event" or not (b'"result"' in record.body or b'"match"' in record.body):
        return False
    event = decode_event(record.body)
    return isinstance(event, Match) or (isinstance(event, Result) and event.status == "final" and event.board is None)
