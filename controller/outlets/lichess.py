"""Lichess: the game pushed to a round of a broadcast, whenever it has changed.

``POST /api/broadcast/round/{id}/push`` takes a PGN as text, with a token that may ``study:write``. It answers 200 even
where it took nothing: what became of each game is in the answer. Lichess adds what is new and deletes nothing: a move
taken back stays until another one is sent in its place, which then becomes the main line. One request at a time, and
none for a while after a 429, is what its operators ask for.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from functools import partial

import msgspec
from msgspec import Struct

from controller import credentials
from controller.errors import ConfigError, DeviceError
from controller.journal import Journal
from controller.outlets.broadcast.pgn import broadcast_pgn
from controller.outlets.follow import Follower, Readable
from controller.outlets.notices import Notices, at
from controller.outlets.posting import Answer, post
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.settings import LichessConfig
from controller.outlets.tables import AtTable, Running
from controller.outlets.twins import Twins

NAME = "lichess"
PAUSE_S = 2.0  #: at least so long between two pushes
RETRY_S = (2.0, 120.0)  #: the first and the longest wait after one that failed
TOO_MANY_S = (60.0, 600.0)  #: the same after a 429: a minute at least
REFUSED_S = 60.0  #: after what only a person can put right
PERSONS = (401, 403, 404)  #: the answers of that kind

_CAUSES = {
    401: "the token in [lichess] token_file is not valid any more",
    403: "the token may not study:write, or its owner is no contributor of the broadcast",
    404: "[lichess] round names no round: it is the eight characters at the end of the round's address",
}


class _Game(Struct):
    error: str | None = None


class _Pushed(Struct):
    games: list[_Game] = []


class Lichess:
    """Pushes the games of ``board`` to Lichess as ``journal`` has them, or ``past``, a late one, where the public is
    told late. How far they have been pushed ``journal`` keeps under ``cursor``: a round that is named anew has nothing
    of those that are over.

    Raises :exc:`ConfigError` where the token cannot be read.
    """

    def __init__(
        self,
        config: LichessConfig,
        board: str,
        journal: Journal,
        notices: Notices,
        hold_below: float = 0.0,
        past: Readable | None = None,
        cursor: str = NAME,
    ) -> None:
        token = credentials.read(config.token_file, "[lichess] token_file")
        if not token.isascii() or not token.isprintable() or " " in token:
            what = f"what is in {config.token_file} is no token of Lichess"
            raise ConfigError(what, "more than the token is in it", "keep the one word that begins with lip_")
        self._url = f"{config.server.rstrip('/')}/api/broadcast/round/{config.round}/push"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "text/plain; charset=utf-8"}
        self._notices = notices
        self._journal, self._cursor = journal, cursor
        self._follower = Follower(past or journal, board, 0, partial(Scoresheet, hold_below=hold_below))
        self._twins = Twins(past or journal, notices, Scoresheet)
        self._since = journal.cursor(cursor)  #: up to there they have everything, or what was on then
        self._pushed = ""  #: what they have
        self._failed = 0  #: times in a row

    async def run(self) -> None:
        """Follows the journal until cancelled. What happened while nothing could be pushed goes with the next."""
        last = self._since
        while True:
            before = self._follower.sheet
            for news in self._follower.read():
                if news.sheet is not before and before is not None and before.over and last > self._since:
                    while (wait_s := await self._push(before)) is not None:  # the last of a game, before another begins
                        await asyncio.sleep(wait_s)
                before, last = news.sheet, news.record.seq
            wait_s = await self._push(self._follower.sheet)
            if wait_s is None:
                await self._follower.more()
                wait_s = PAUSE_S
            await asyncio.sleep(wait_s)

    async def _push(self, sheet: Scoresheet | None) -> float | None:
        """Pushes the game if they do not have it so. Returns how long to wait before trying again, if that failed."""
        text = self._pushed if sheet is None or self._twins.hides(sheet) else broadcast_pgn(sheet)
        if self._follower.seq <= self._since:
            self._pushed = text
            return None
        if text == self._pushed:
            self._journal.move_cursor(self._cursor, self._follower.seq)
            return None
        try:
            answer = await post(self._url, text.encode(), self._headers)
        except OSError as error:
            what = f"Lichess does not answer: {error or type(error).__name__}"
            cause = "no network, or Lichess is down"
            return self._wait(DeviceError(what, cause, f"curl -sI {self._url}"), RETRY_S)
        if answer.ok or answer.status == 400:  # 400: what was refused once would be refused again
            self._pushed, self._failed = text, 0
            self._journal.move_cursor(self._cursor, self._follower.seq)
            self._report(answer)
            return None
        return self._again(answer)

    def _report(self, answer: Answer) -> None:
        """What became of each game."""
        errors = [] if answer.ok else [_said(answer)]
        with contextlib.suppress(msgspec.MsgspecError):  # of an older Lichess, which counted moves
            pushed = msgspec.json.decode(answer.body, type=_Pushed)
            errors += [game.error for game in pushed.games if game.error is not None]
        if errors:
            cause = "the round has a source URL, or something in the game that Lichess cannot read"
            what = f"Lichess does not take the game: {'; '.join(errors)}"
            self._notices.set(NAME, DeviceError(what, cause, "look at the round there"))
        else:
            self._notices.clear(NAME)

    def _again(self, answer: Answer) -> float:
        if answer.status == 429:
            error = DeviceError(
                "Lichess wants fewer requests: 429",
                "many boards push from this address; it goes on by itself",
                "for a whole hall give Lichess the URL of the round instead: [broadcast] port",
            )
            return max(self._wait(error, TOO_MANY_S), _seconds(answer.headers.get("retry-after")))
        cause = _CAUSES.get(answer.status, "an error at Lichess")
        error = DeviceError(f"Lichess refuses the game: {_said(answer)}", cause, "see docs/feeds.md")
        wait_s = self._wait(error, RETRY_S)
        return REFUSED_S if answer.status in PERSONS else wait_s

    def _wait(self, error: DeviceError, times: tuple[float, float]) -> float:
        self._notices.set(NAME, error)
        first, longest = times
        self._failed += 1
        return min(first * 2.0 ** (self._failed - 1), longest)


def _said(answer: Answer) -> str:
    return f"{answer.status} {answer.body[:200].decode('utf-8', 'replace')}".strip()


def _seconds(retry_after: str | None) -> float:
    return min(float(retry_after), 3600.0) if retry_after is not None and retry_after.isdecimal() else 0.0


def of_table(config: LichessConfig, table: AtTable) -> Iterator[Running]:
    """The game of the one board."""
    cursor = at(NAME, table.of_many)
    lichess = Lichess(config, table.numbers, table.journal, table.notices, table.hold_below, table.past, cursor)
    yield Running(NAME, lichess.run)
