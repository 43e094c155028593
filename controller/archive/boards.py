"""What the hall's pages are made of, asked of the database: which boards there are, their games, what is new."""

import time
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec
from msgspec import Struct

from controller.archive.answers import Answers
from controller.archive.tail import ArchivedDocket, ArchivedEvent

AT_ONCE = 25  #: games whose events are read at a time
SHOWN = timedelta(hours=24)  #: a board that was not heard of for so long is on no page

_GAMES = """
SELECT h.board, g.origin, g.game, g.before, coalesce(l.last, 0)
FROM (SELECT venue, board, origin FROM head WHERE venue = %s AND heard > now() - %s) AS h
CROSS JOIN LATERAL (
    SELECT origin, game, lead(game) OVER same_journal AS before FROM (
        SELECT origin, game, started FROM game WHERE venue = h.venue AND board = h.board
        UNION  -- a match and its boards are one game, which stands under the name that came first
        SELECT origin, game, started FROM game WHERE h.board LIKE 'match/%%' AND origin = h.origin AND EXISTS (
            SELECT FROM event WHERE event.game = game.game AND event.origin = h.origin AND event.board = h.board)
    ) AS told
    WINDOW same_journal AS (PARTITION BY origin ORDER BY started DESC NULLS LAST)
    ORDER BY origin = h.origin DESC, started DESC NULLS LAST LIMIT 1) AS g
LEFT JOIN line l ON l.origin = g.origin AND l.board = h.board
"""
_EVENTS = """
SELECT board, seq, game, type, ms, body::text, extract(epoch FROM archived)::float FROM event
WHERE game = ANY(%s) AND venue = %s AND board = ANY(%s) AND origin = ANY(%s) ORDER BY board, seq
"""
_NEWS = """
SELECT e.board, e.seq, e.game, e.type, e.ms, e.body::text, extract(epoch FROM e.archived)::float
FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bigint[]) AS w(origin, board, since, last)
JOIN event e ON e.origin = w.origin AND e.board = w.board AND e.seq > w.since AND e.seq <= w.last
ORDER BY e.board, e.seq
"""


class LastGame(Struct, frozen=True):
    """The last game on a board, and the one before it in the same journal; up to where that is archived."""

    origin: str
    game: str
    before: str | None
    last: int


class Wanted(Struct, frozen=True):
    """What came on a board after ``since``, up to ``last``."""

    origin: str
    board: str
    since: int
    last: int


class Boards:
    """The boards and matches of a ``venue``, by their place: ``board/7``, ``match/1``. All methods raise
    :exc:`DeviceError` where the database does not answer."""

    def __init__(self, venue: str, answers: Answers) -> None:
        self._venue = venue
        self._ask = answers.ask
        self._late_s = 0.0  # by so much the database's time of day is ahead of ours

    async def games(self) -> dict[str, LastGame]:
        """The last game of each board that was heard of lately."""
        ((now,),) = await self._ask("SELECT extract(epoch FROM now())::float")
        self._late_s = now - time.time()
        rows = await self._ask(_GAMES, self._venue, SHOWN)
        return {board: LastGame(origin, game, before, last) for board, origin, game, before, last in rows}

    async def heard(self) -> dict[str, tuple[str, float]]:
        """Of which journal each board has told last, and when, in s since 1970; of those that were heard of lately."""
        rows = await self._ask(
            "SELECT board, origin, extract(epoch FROM heard)::float FROM head WHERE venue = %s AND heard > now() - %s",
            self._venue,
            SHOWN,
        )
        return {board: (origin, heard - self._late_s) for board, origin, heard in rows}

    async def events(self, found: Mapping[str, LastGame], *, two: bool = False) -> dict[str, list[ArchivedEvent]]:
        """All that is archived of these games; ``two``: and of those before them."""
        games = [each.game for each in found.values()]
        games += [each.before for each in found.values() if two and each.before is not None]
        origins = [each.origin for each in found.values()]
        rows = self._rows(await self._ask(_EVENTS, games, self._venue, [*found], origins))
        return {board: [row for row in rows.get(board, ()) if row.seq <= each.last] for board, each in found.items()}

    async def news(self, wanted: Sequence[Wanted]) -> dict[str, list[ArchivedEvent]]:
        """What is new, by board."""
        columns = zip(*((each.origin, each.board, each.since, each.last) for each in wanted), strict=True)
        return self._rows(await self._ask(_NEWS, *map(list, columns))) if wanted else {}

    async def dockets(self, games: Collection[str]) -> list[tuple[str, ArchivedDocket]]:
        """What awaited a ruling in these games, and on which board; of most nothing did."""
        question = "SELECT board, game, last, body FROM docket WHERE game = ANY(%s) AND venue = %s"
        rows = await self._ask(question, [*games], self._venue)
        return [
            (board, msgspec.convert({"game": game, "last": last} | body, ArchivedDocket))
            for board, game, last, body in rows
        ]

    async def seen(self, games: Collection[str]) -> dict[str, set[int]]:
        """What arbiters have seen in these games, by board."""
        question = "SELECT board, number FROM seen WHERE game = ANY(%s) AND venue = %s"
        found: dict[str, set[int]] = {}
        for board, number in await self._ask(question, [*games], self._venue):
            found.setdefault(board, set()).add(number)
        return found

    async def see(self, board: str, game: str, number: int, by: str) -> None:
        """An arbiter has seen a case."""
        question = (
            "INSERT INTO seen (venue, board, game, number, by) VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
        )
        await self._ask(question, self._venue, board, game, number, by)

    def _rows(self, rows: Sequence[tuple[Any, ...]]) -> dict[str, list[ArchivedEvent]]:
        found: dict[str, list[ArchivedEvent]] = {}
        for board, seq, game, kind, ms, body, at in rows:
            found.setdefault(board, []).append(ArchivedEvent(seq, game, kind, ms, body.encode(), at - self._late_s))
        return found
