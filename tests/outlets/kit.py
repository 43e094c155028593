"""What the tests of the outlets share: a board whose game goes into a real journal, and the story told of it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

from at_the_board import Table
from hall import free_port
from strict import Strict, client

from controller import contract as c
from controller.journal import Journal, Opening
from controller.outlets.livechess.boards import LiveChessBoards
from controller.outlets.livechess.outlet import LiveChess
from controller.outlets.notices import Notices
from controller.outlets.settings import LiveChessConfig
from controller.outlets.tables import Plugged

TAGS = {
    "Event": "Club – été",
    "Site": "Here",
    "Round": "3",
    "White": "Ada, Lovelace",
    "Black": "Bo",
    "WhiteFideId": "12",
}


class Board(Table):
    """A table whose inputs and events are journaled as the daemon does it."""

    def __init__(
        self,
        journal: Journal,
        game: str = "g1",
        tags: dict[str, str] = TAGS,
        number: str = "7",
        clock: str | None = "5400",
        **session: Any,
    ) -> None:
        super().__init__("fide-2023", clock=clock, **session)
        self.journal, self.id = journal, game
        started = "2026-03-04T18:30:00+01:00"
        ruled = c.Session(version=1, clock=clock, **session)
        opening = Opening(game=game, venue="club", board=number, started=started, tags=tags, session=ruled)
        journal.begin(opening).result(5)
        self.give(c.Time)

    def give(self, kind: type[c.Input], /, **fields: Any) -> "Board":
        self.ms += 1000
        item = kind(ms=self.ms, **fields)
        events = self.game.handle(item)  # type: ignore[arg-type]
        self.events += events
        self.journal.append(self.id, item, events).result(5)  # type: ignore[arg-type]
        return self

    def put(self, *moves: str) -> "Board":
        """Pieces are moved about without a word, from one square to another."""
        for move in moves:
            self.give(c.Lift, square=move[:2])
            self.give(c.Place, square=move[2:])
        return self

    @property
    def placement(self) -> str:
        """Where the pieces stand in the game."""
        return self.fen.split()[0]


def story(board: Board) -> Iterator[None]:
    """A game of a club evening in steps: a breach corrected by the arbiter, an illegal move put right, a move taken
    back by the arbiter, the clock set, and at the end the kings in the middle and the result entered.
    """
    board.play("e2e4", "e7e5")
    yield
    board.touch("f1").play("g1f3")  # the bishop was touched, the knight moved
    yield
    board.rule("uphold")
    yield
    board.put("f3g1").wait(2000).rule("resume")
    yield
    board.play("f1c4", "b8c6")
    yield
    board.play("d1f3", "g8g6")  # no knight moves so
    yield
    board.rule("uphold")
    yield
    board.put("g6g8").wait(2000).rule("resume")
    yield
    board.play("g8h6", "b1c3")
    yield
    board.make("f8b4")
    yield
    board.rule("pause", "undo")
    yield
    board.put("b4f8").wait(2000).rule("resume")
    yield
    board.give(c.Arbiter, do="set-clock", white_ms=1_200_500, black_ms=1_100_999, reason="it ran while I was called")
    board.rule("resume").play("f8c5")
    yield
    board.put("e1e4", "e8d5").wait(2000)  # the kings tell who has won
    yield
    board.give(c.Arbiter, do="result", result="1-0")
    yield


@contextlib.asynccontextmanager
async def livechess(boards: LiveChessBoards, notices: Notices, **config: Any) -> AsyncIterator[LiveChess]:
    """LiveChess at work, on a port of its own."""
    live = LiveChess(LiveChessConfig(port=free_port(), **config), boards, notices)
    task = asyncio.create_task(live.run())
    try:
        await asyncio.wait_for(live.served.up.wait(), 5)
        yield live
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def boards(journal: Journal, notices: Notices) -> LiveChessBoards:
    """The one board, 7."""
    return LiveChessBoards([{None: Plugged("7", "ttyACM0")}], journal, notices)


def serving(journal: Journal, **config: Any) -> contextlib.AbstractAsyncContextManager[LiveChess]:
    """LiveChess at work with it."""
    notices = Notices()
    return livechess(boards(journal, notices), notices, **config)


@contextlib.asynccontextmanager
async def talking(live: LiveChess) -> AsyncIterator[Strict]:
    """A client of it, who fails the test should it be told what it cannot take."""
    async with client(live.served.port) as socket:
        strict = Strict(socket)
        yield strict
        strict.check()
