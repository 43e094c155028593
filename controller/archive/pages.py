"""The hall's pages, served by a worker: the console of a daemon, fed from the database. Any number serve the same.

A worker keeps nothing that the database does not have. What is new the commit tells it (``LISTEN``), and it reads that;
while it shows it, more comes together, so that it does not fall behind.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NoReturn

import chess
import msgspec
import psycopg
from msgspec import Struct

from controller.archive import database
from controller.archive.answers import Answers
from controller.archive.boards import AT_ONCE, Boards, LastGame, Wanted
from controller.archive.commands import Commands
from controller.archive.heard import VenueBoard
from controller.archive.register import InDatabase
from controller.archive.settings import ArchiveConfig, PagesConfig
from controller.archive.tail import Archived, ArchivedDocket, ArchivedEvent, Tail
from controller.console.console import NAME, Console, TablePages
from controller.console.shown_table import ShownTable
from controller.contract import BoardId
from controller.errors import DeviceError, JadoubeError
from controller.journal import Opening, Record
from controller.outlets.delay import Past
from controller.outlets.mqtt.command import Fields
from controller.outlets.notices import Notices

log = logging.getLogger(__name__)

RETRY_S = (0.5, 10.0)  #: the first and the longest wait before the database is tried again
REST_S = 0.25  #: after an update it is paused for as long as it took, at most so long
LOOK_S = 5.0  #: how often it is looked which boards are there
AWAY_S = 20.0  #: a board that plays says every 5 s how far it is
KEPT_S = 60.0  #: records are kept so long after everybody may know them
SETTLE_S = 5.0  #: with "game-end" it is waited so long whether an arbiter takes the result back
OF_BASE, OF_BOARDS = "archive", "archive boards"  #: what the notices are called


class ShownBoard(Struct, eq=False):
    """A board on the pages, or a match."""

    tail: Tail
    table: TablePages
    past: Past | None
    tasks: list[asyncio.Task[None]] = []
    seen: set[int] = set()
    docket_due: bool = False  #: what awaits a ruling there is another than is shown


class HallNews(Struct):
    """What the database has told and is not shown yet, by the places of the boards."""

    lines: dict[str, tuple[str, int]] = {}
    strange: set[str] = set()  #: they are not shown yet, or go on with another journal
    dockets: set[str] = set()
    seen: set[str] = set()


class WorkerTally(Struct):
    events: int = 0
    lag_s: float = 0.0  #: from the commit to the page, the longest since it was asked last
    trouble: JadoubeError | None = None


class HallPages:
    """One of as many as are wanted. :meth:`run` until cancelled. Raises :exc:`ConfigError` for what it cannot serve."""

    def __init__(self, config: ArchiveConfig, pages: PagesConfig) -> None:
        self.figures = WorkerTally()
        self.commands = Commands(config.broker)
        self.shown: dict[str, ShownBoard] = {}
        self._config = config
        self._pages = pages
        self._notices = Notices()
        self._at_boards = self._notices.of("")  # where they are those of all
        self._answers, self._asked_of_us = Answers(config.database), Answers(config.database)
        self._boards = Boards(pages.venue, self._answers)
        self._register = InDatabase(pages.venue, pages.session_h, self._asked_of_us)
        self.console = Console(
            pages.served(), self._register, self._notices, pages.delay_min, trouble=lambda: self._why_empty
        )
        self._others: set[str] = set()  # places that are shown as part of a match
        self._news = HallNews()
        self._told = asyncio.Event()
        self._first_look = asyncio.Event()  # all boards are shown, or why none can be
        self._tasks: asyncio.TaskGroup

    async def run(self) -> None:
        """Serves, and comes back after every break of the database."""
        try:
            async with asyncio.TaskGroup() as self._tasks:
                self._tasks.create_task(self._follow())
                self._tasks.create_task(self._look())
                await self._first_look.wait()
                for name, task in self.console.tasks.items():
                    self._tasks.create_task(_kept(task), name=name)
        finally:
            await self.commands.close()
            await self._answers.close()
            await self._asked_of_us.close()

    @property
    def _why_empty(self) -> JadoubeError | None:
        """Why no board can be shown, where none is."""
        return None if self.shown else self.figures.trouble

    @property
    def readers(self) -> dict[str, int]:
        """How many read each page at present."""
        console = self.console
        return {
            "arbiter": sum(hub.readers for hub in console.arbiter.values()),
            "public": sum(hub.readers for hub in console.public.values()),
        }

    # -- what is new ---------------------------------------------------------------------------------------------

    async def _follow(self) -> NoReturn:
        delay, longest = RETRY_S
        while True:
            try:
                base = await database.connect(self._config.database)
                async with base.connection as listening:
                    await listening.execute("LISTEN jadoube")
                    await self._catch_up()
                    self._tell(None)
                    delay = RETRY_S[0]
                    async with asyncio.TaskGroup() as tasks:
                        tasks.create_task(self._hear(listening))
                        tasks.create_task(self._show())
            except* (JadoubeError, psycopg.Error) as group:
                self._tell(database.explained(group, self._config.database))
            await asyncio.sleep(delay)
            delay = min(2 * delay, longest)

    async def _hear(self, listening: psycopg.AsyncConnection[Any]) -> None:
        async for said in listening.notifies():
            what, venue, place, *rest = msgspec.json.decode(said.payload, type=list[Any])
            if venue != self._pages.venue:
                continue
            match what:
                case "line":
                    self._news.lines[place] = (rest[0], rest[1])
                case "docket":
                    self._news.dockets.add(place)
                case "seen":
                    self._news.seen.add(place)
                case "device":
                    await self._register.look(place)
            self._told.set()
        raise psycopg.OperationalError("the connection was closed")

    async def _show(self) -> NoReturn:
        while True:
            await self._told.wait()
            self._told.clear()
            news, self._news = self._news, HallNews()
            try:
                rows = await self._boards.news(self._wanted(news.lines))
                strange = news.strange | {
                    place for place, (origin, _) in news.lines.items() if self._is_new(place, origin)
                }
                if strange:
                    await self._open(strange)
                began = time.monotonic()
                for place, new in rows.items():
                    if place in self.shown:
                        self.shown[place].tail.extend(new)
                await self._show_dockets(news.dockets)
                for place in news.seen & self.shown.keys():
                    await self._show_seen(place)
            except BaseException:
                self._keep(news)
                raise
            for _ in range(3):  # those who follow the boards show what is new, which counts for the pause; each wakes
                await asyncio.sleep(0)  # the next, so not at once
            self._count(rows)
            await asyncio.sleep(min(REST_S, time.monotonic() - began))

    def _keep(self, news: HallNews) -> None:
        self._news.lines = news.lines | self._news.lines
        self._news.strange |= news.strange
        self._news.dockets |= news.dockets
        self._news.seen |= news.seen
        self._told.set()

    def _wanted(self, lines: dict[str, tuple[str, int]]) -> list[Wanted]:
        known = (
            (place, origin, last, self.shown[place]) for place, (origin, last) in lines.items() if place in self.shown
        )
        return [
            Wanted(origin, place, shown.tail.seq, last)
            for place, origin, last, shown in known
            if origin == shown.tail.origin and last > shown.tail.seq
        ]

    def _is_new(self, place: str, origin: str) -> bool:
        """Whether a board is not shown yet, or goes on with another journal."""
        known = self.shown[place].tail.origin if place in self.shown else None
        return known != origin and place not in self._others

    def _count(self, rows: dict[str, list[ArchivedEvent]]) -> None:
        self.figures.events += sum(map(len, rows.values()))
        oldest = min((each[0].at for each in rows.values()), default=None)
        if oldest is not None:
            self.figures.lag_s = max(self.figures.lag_s, time.time() - oldest)

    async def _show_dockets(self, places: set[str]) -> None:
        """A board whose docket is another is read anew, once all is there that was there when it was told."""
        for place in places:
            for shown in self._of(place):
                shown.docket_due = True
        due = {place: shown for place, shown in self.shown.items() if shown.docket_due}
        if due:
            tails = {place: shown.tail for place, shown in due.items()}
            found = {place: LastGame(tail.origin, tail.game_on, None, tail.seq) for place, tail in tails.items()}
            dockets = await self._dockets(found)
            for place in [place for place, tail in tails.items() if tail.dockets == dockets[place]]:
                due.pop(place).docket_due = False
            ready = {place for place in due if tails[place].follows(dockets[place].values())}
            rows = await self._boards.events({place: found[place] for place in ready})
            for place in ready:
                due[place].docket_due = False
                tails[place].reload(rows[place], dockets[place])
                due[place].table.watch.begin_anew()
                if (past := due[place].past) is not None:
                    past.look_anew()

    def _of(self, place: str) -> list[ShownBoard]:
        """Where that board is shown: by itself, or as part of a match."""
        if place in self.shown:
            return [self.shown[place]]
        number = place.partition("/")[2]
        return [shown for shown in self.shown.values() if number in shown.table.place.board_numbers.values()]

    async def _show_seen(self, place: str) -> None:
        shown = self.shown[place]
        shown.seen |= (await self._boards.seen([shown.tail.game_on])).get(place, set())
        shown.table.watch.catch_up()
        shown.table.watch.show()

    # -- which boards there are ----------------------------------------------------------------------------------

    async def _catch_up(self) -> None:
        """All boards as they are archived by now."""
        found = await self._boards.games()
        await self._open({*found}, found)
        self._news.lines |= {place: (each.origin, each.last) for place, each in found.items()}
        self._news.dockets |= self.shown.keys()
        self._news.seen |= self.shown.keys()
        await self._register.look_at_all()
        self._told.set()

    async def _open(self, places: set[str], found: dict[str, LastGame] | None = None) -> None:
        """Shows these boards, as far as there are games on them."""
        found = await self._boards.games() if found is None else found
        wanted = [place for place in sorted(places) if place in found and self._is_new(place, found[place].origin)]
        for first in range(0, len(wanted), AT_ONCE):
            some = {place: found[place] for place in wanted[first : first + AT_ONCE]}
            rows = await self._boards.events(some, two=bool(self._pages.delay_min))
            dockets = await self._dockets(some)
            seen = await self._boards.seen([each.game for each in some.values()])
            for place, each in some.items():
                self._put(place, each, rows[place], dockets[place], seen.get(place, set()))
            await asyncio.sleep(0)

    async def _dockets(self, found: dict[str, LastGame]) -> dict[str, dict[str, ArchivedDocket]]:
        """What awaited a ruling in these games: of a match on each of its boards, by their numbers."""
        told: dict[str, dict[str, ArchivedDocket]] = {place: {} for place in found}
        for board, docket in await self._boards.dockets({each.game for each in found.values()}):
            for place, each in found.items():
                if each.game == docket.game and (place == board or place.startswith("match/")):
                    told[place][board.partition("/")[2]] = docket
        return told

    def _put(
        self, place: str, found: LastGame, rows: list[ArchivedEvent], dockets: dict[str, ArchivedDocket], seen: set[int]
    ) -> None:
        tail = Tail(found.origin)
        tail.reload(rows, dockets)
        opening = tail.last_game("")
        if opening is None:
            return  # its beginning is still to come
        if place in self.shown:
            self._drop(place)
        if "+" in opening.board:
            self._others |= {f"board/{number}" for number in opening.board.split("+")}
            if place in self._others:
                return
        table, past = self._table(place, tail, opening, seen)
        shown = self.shown[place] = ShownBoard(tail, table, past, seen=seen)
        shown.docket_due = not tail.follows(dockets.values())
        tasks = {name: task for name, task in table.tasks.items() if not name.endswith(("expected", "notices"))}
        if past is not None:
            tasks[f"{NAME} delay"] = past.run
        shown.tasks = [self._tasks.create_task(_kept(task), name=f"{place} {name}") for name, task in tasks.items()]

    def _drop(self, place: str) -> None:
        shown = self.shown.pop(place)
        for task in shown.tasks:
            task.cancel()
        self.console.drop(shown.table)

    def _table(self, place: str, tail: Tail, opening: Opening, seen: set[int]) -> tuple[TablePages, Past | None]:
        delay = self._pages.delay_min
        numbers: dict[BoardId | None, str] = {None: opening.board}
        if "+" in opening.board:
            numbers = {"A": opening.number("A"), "B": opening.number("B")}
        past = Past(tail, opening.board, delay, time.time, partial(_known_at, delay)) if delay else None
        table = self.console.show(
            ShownTable(
                journal=tail,
                past=tail if past is None else past,
                notices=self._at_boards,
                board_numbers=numbers,
                clock=None,
                delay=delay,
                hold_below=self._pages.hold_below,
                carry_out=partial(self._carry_out, tail, numbers),
                ns_of=tail.ns_of,
                speed=1.0,
                awaiting=tail.awaiting,
                expected=dict,
                starts=lambda: dict.fromkeys(numbers, chess.STARTING_BOARD_FEN),
                superseded=lambda _game, _tags: False,
                seen=lambda _game, _board_id: seen,
                saw=partial(self._saw, place),
            )
        )
        return table, past

    async def _carry_out(
        self, tail: Tail, numbers: dict[BoardId | None, str], fields: Fields, board_id: BoardId | None = None
    ) -> int:
        number = numbers[board_id]
        address = VenueBoard(self._pages.venue, f"board/{number}")
        return await self.commands.carry_out(fields, address, partial(tail.said_in, number))

    async def _saw(self, place: str, _: BoardId | None, game: str, case: int, by: str) -> None:
        await self._boards.see(place, game, case, by)
        if (shown := self.shown.get(place)) is not None:  # it may be gone by now
            shown.seen.add(case)

    # -- how they are --------------------------------------------------------------------------------------------

    async def _look(self) -> NoReturn:
        """Which boards are heard, again and again."""
        while True:
            await asyncio.sleep(LOOK_S)
            if self.figures.trouble is not None:
                continue
            with contextlib.suppress(JadoubeError):
                heard = await self._boards.heard()
                self._show_away({place: at for place, (_, at) in heard.items()})
                self._news.strange |= {place for place, (origin, _) in heard.items() if self._is_new(place, origin)}
                if self._news.strange:
                    self._told.set()
            delay = self._pages.delay_min
            for shown in self.shown.values():
                before = time.time() - KEPT_S - (60 * delay if not isinstance(delay, str) else 0.0)
                shown.tail.forget(before, of_last=not delay)  # a screen without the delay begins when it is wanted

    def _show_away(self, heard: dict[str, float]) -> None:
        now = time.time()
        late = {place for place in self.shown if self._plays(place) and now - heard.get(place, 0.0) > AWAY_S}
        before = self._notices.current
        if late and all(now - at > AWAY_S for at in heard.values()):
            self._notices.set(OF_BOARDS, _unheard())
        else:
            self._notices.clear(OF_BOARDS)
        if self._notices.current != before:
            self._show_notices()
        for place, shown in self.shown.items():
            self._mark(shown, away=place in late)

    def _plays(self, place: str) -> bool:
        return any(not board.over for board in self.shown[place].table.watch.boards.values())

    def _mark(self, shown: ShownBoard, *, away: bool) -> None:
        for hub in self.console.hubs:
            for number in shown.table.place.board_numbers.values():
                hub.put(number, "away", away)

    def _tell(self, error: JadoubeError | None) -> None:
        """What is wrong with the database, if something is: on all pages."""
        self.figures.trouble = error
        self._first_look.set()
        if error is None:
            self._notices.clear(OF_BASE)
        else:
            self._notices.set(OF_BASE, error)
        for shown in self.shown.values():
            self._mark(shown, away=error is not None)
        self._show_notices()

    def _show_notices(self) -> None:
        for shown in self.shown.values():
            shown.table.watch.show_notices()


def _known_at(delay: float | str, record: Record) -> float:
    """When a record became known, in s since 1970."""
    assert isinstance(record, Archived)
    return record.at + (SETTLE_S if isinstance(delay, str) else 0.0)


async def _kept(run: Callable[[], Awaitable[None]]) -> None:
    """Keeps that running: a defect of one board is none of the others'."""
    while True:
        try:
            await run()
            return
        except Exception:
            log.exception("a defect")
            await asyncio.sleep(LOOK_S)


def _unheard() -> DeviceError:
    return DeviceError(
        f"nothing was heard of any board for {AWAY_S:.0f} s",
        "no archiver runs, or the broker is away",
        "jadoube archive run --config archive.toml; its log says what is wrong",
    )
