"""A board's game as it is archived, read like a journal: what the pages follow where the journal is elsewhere.

Events are archived, and most inputs are not. Records are numbered without a gap, and an input stands before the events
that came of it, so where an event does not follow another there was one: it stands here as :data:`UNKNOWN`. What people
said, and what awaits a ruling since when, the board tells besides (:mod:`controller.outlets.mqtt.docket`).
"""

import asyncio
import time
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from controller.contract import BoardId
from controller.errors import JournalError
from controller.journal import GENESIS, Opening, Record
from controller.outlets.mqtt.docket import Open
from controller.wire import encode

UNKNOWN = b'{"type":"unseen","ms":0}'  #: an input of which nothing is known here but that there was one


class ArchivedEvent(Struct, frozen=True, gc=False):
    """An event as the archive has it. ``at``: when it was archived, in s since 1970 by our own clock."""

    seq: int
    game: str
    kind: str
    ms: int | None
    body: bytes
    at: float


class Archived(Record, frozen=True):
    """A record, and when it was archived, in s since 1970."""

    at: float = 0.0


class ArchivedDocket(Struct, frozen=True):
    """What awaited a ruling in a game, and what was said to it: see :mod:`controller.outlets.mqtt.docket`."""

    game: str = ""
    last: int = 0  #: the last event that there was when this was told
    open: list[tuple[int, list[tuple[int, list[str]]]]] = []
    said: list[tuple[int, dict[str, Any]]] = []

    @property
    def inputs(self) -> dict[int, bytes]:
        """The inputs of which it tells, by their numbers."""
        told = {number: UNKNOWN for since, now in self.open for number in (since, *(came for came, _ in now))}
        return told | {seq: encode(item) for seq, item in self.said}


class Tail:
    """The records of the last game on a board, or the last two, in the journal ``origin``."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self._changed = asyncio.Event()
        self._clear()

    def _clear(self) -> None:
        self.seq = 0  #: of the last event
        self.game_on = ""  #: the name of the last game
        self.dockets: Mapping[str, ArchivedDocket] = {}  #: by the numbers of the boards
        self._records: list[Archived] = []
        self._openings: dict[str, Opening] = {}
        self._began = 0  # with which record the last game did
        self._inputs = array("Q")  # the numbers of those of the last game
        #: by so many ms the time of day is ahead of the game's own, from which time of the game on
        self._ahead: list[tuple[int, float]] = []

    def reload(self, rows: Iterable[ArchivedEvent], dockets: Mapping[str, ArchivedDocket]) -> None:
        """Begins anew with all that is archived of it, and what is known of its last game besides, by board."""
        rows = [*rows]
        earlier = [record for record in self._records if rows and record.seq < rows[0].seq]
        openings = self._openings
        self._clear()
        self._records, self._openings, self.dockets = earlier, openings, dockets
        known = sorted({seq: body for docket in dockets.values() for seq, body in docket.inputs.items()}.items())
        for row in rows:
            while known and self._began and known[0][0] < row.seq:
                self._hear(known[0][0], row, known.pop(0)[1])
            self._take(row)
        if self._records and self.follows(dockets.values()):
            for seq, body in known:
                self._hear(seq, self._records[-1], body)
        self._tell()

    def follows(self, dockets: Iterable[ArchivedDocket]) -> bool:
        """Whether all events are here that there were when these were told."""
        return all(docket.game == self.game_on and docket.last <= self.seq for docket in dockets)

    def extend(self, rows: Iterable[ArchivedEvent]) -> None:
        """What was archived since."""
        for row in rows:
            self._take(row)
        self._tell()

    def _take(self, row: ArchivedEvent) -> None:
        if row.kind == "game":
            opening = msgspec.convert(msgspec.json.decode(row.body)["opening"], Opening)
            self._openings[row.game], self.game_on, self._began = opening, row.game, row.seq
            self._inputs, self._ahead = array("Q"), []
            self._records.append(Archived(row.seq, row.game, "game", encode(opening), GENESIS, row.at))
        else:
            if self._records and self._records[-1].seq != row.seq - 1:
                self._hear(row.seq - 1, row, UNKNOWN)
            self._date(row)
            self._records.append(Archived(row.seq, row.game, "event", row.body, GENESIS, row.at))
        self.seq = row.seq

    def _hear(self, seq: int, beside: ArchivedEvent | Archived, body: bytes) -> None:
        self._inputs.append(seq)
        self._records.append(Archived(seq, beside.game, "input", body, GENESIS, beside.at))

    def _date(self, row: ArchivedEvent) -> None:
        """The time of day of what was archived soonest is nearest to that of the board; from an outage on it is another
        that has the same time of the game."""
        if row.ms is None:
            return
        ahead = 1000 * row.at - row.ms
        if not self._ahead or row.kind == "outage":
            self._ahead.append((row.ms if self._ahead else 0, ahead))
        elif ahead < self._ahead[-1][1]:
            self._ahead[-1] = self._ahead[-1][0], ahead

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def forget(self, before: float, *, of_last: bool) -> None:
        """Lets go what was archived before that time, in s since 1970, for whoever reads has taken it; ``of_last``: of
        the last game, too."""
        last = self._records[-1:]
        old = [record for record in self._records if record.at < before and (of_last or record.game != self.game_on)]
        if old:
            gone = {record.seq for record in old}
            self._records = [record for record in self._records if record.seq not in gone] or last

    # -- beside the records --------------------------------------------------------------------------------------

    def awaiting(self, game: str, board_id: BoardId | None) -> Sequence[tuple[int, Open]]:
        """As of :class:`.Watch`: by the inputs of the last game as they are counted here."""
        opening = self._openings.get(game)
        docket = self.dockets.get(opening.number(board_id)) if opening is not None else None
        told = docket.open if docket is not None and docket.game == game == self.game_on else []
        return [(self._count(since), [(self._count(came), ids) for came, ids in now]) for since, now in told]

    def said_in(self, number: str, seq: int) -> dict[str, Any] | None:
        """What was said on that board in the record ``seq``, if that is known by now."""
        docket = self.dockets.get(number, ArchivedDocket())
        return next((item for told, item in docket.said if told == seq), None)

    def _count(self, seq: int) -> int:
        return bisect_right(self._inputs, seq)

    def ns_of(self, ms: int) -> int:
        """When a time of the last game was, in ns of :func:`time.monotonic_ns`."""
        at = bisect_right(self._ahead, ms, key=lambda since: since[0])
        ahead_ms = self._ahead[max(0, at - 1)][1] if self._ahead else 0.0
        wall_ns = round(1_000_000 * (ahead_ms + ms))
        return time.monotonic_ns() - (time.time_ns() - wall_ns)

    # -- read like a journal -------------------------------------------------------------------------------------

    def gone_after(self, seq: int) -> tuple[int, int] | None:  # noqa: ARG002
        """As :meth:`.Journal.gone_after`: what the board has let go is not waited for here."""
        return None

    def after(self, seq: int, limit: int = 256, board: str | None = None) -> list[Record]:  # noqa: ARG002
        first = bisect_right(self._records, seq, key=lambda record: record.seq)
        return [*self._records[first : first + limit]]

    def game(self, game: str) -> Iterator[Record]:
        """As :meth:`.Journal.game`, as far as it is kept here."""
        return (record for record in self._records if record.game == game)

    def opening(self, game: str) -> Opening:
        if game not in self._openings:
            raise JournalError(f"there is no game {game} here")
        return self._openings[game]

    def last_game(self, board: str) -> Opening | None:  # noqa: ARG002
        return self._openings.get(self.game_on)

    def before_last_game(self, board: str) -> int:  # noqa: ARG002
        return max(self._began - 1, 0)

    def openings(self) -> Iterator[Opening]:
        return iter(self._openings.values())

    async def wait(self, seq: int, board: str | None = None) -> None:  # noqa: ARG002
        while not self._records or self._records[-1].seq <= seq:
            await self._changed.wait()
