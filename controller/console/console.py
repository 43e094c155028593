"""The console put together: what is followed, what is shown, who may come in, and how a ruling finds its board."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from controller.console import tls
from controller.console.access import Hosts
from controller.console.app import FrontDoor, Pages, application
from controller.console.arbiter_board import ArbiterBoard
from controller.console.expected import Expected
from controller.console.gallery import Gallery
from controller.console.hub import Hub
from controller.console.others import OtherDaemon
from controller.console.played import PlaceInRecord
from controller.console.register import Register
from controller.console.rulings import PageRuling, command
from controller.console.scores import Scores
from controller.console.settings import ConsoleConfig
from controller.console.shown_table import ShownTable
from controller.console.tournament import Tournament
from controller.console.watch import Watch
from controller.console.words import label
from controller.contract import ANSWERS, BoardId
from controller.errors import JadoubeError, LogError, SettledError
from controller.outlets.notices import Notices
from controller.outlets.serving import Served
from controller.words import LANGUAGES, LanguageCode

NAME = "console"  #: of its notices
CONNECTIONS = 640  #: at a time; more than the readers of streams, for arbiters and for whoever loads a page

Hubs = Mapping[LanguageCode, Hub]
"""What a page shows, in each language."""


class TablePages:
    """What the pages show of one table. Its ``tasks`` are to be kept running."""

    def __init__(self, place: ShownTable, arbiter: Hubs, public: Hubs, live: "Live", scores: Scores) -> None:
        self.place = place
        expected = Expected(place)
        self.watch = Watch(place, arbiter, expected)
        gallery = Gallery(place, public, Expected(place, late=bool(place.delay)), late=True)
        scores.own |= dict.fromkeys(place.board_numbers.values(), gallery)
        self.tasks: dict[str, Callable[[], Awaitable[None]]] = {
            f"{NAME} watch": self.watch.run,
            f"{NAME} notices": self.watch.run_notices,
            f"{NAME} gallery": gallery.run,
            f"{NAME} expected": partial(expected.run, self.watch.show, gallery.show),
        }
        if live.hubs is not public:
            at_once = Gallery(place, live.hubs, expected, late=False)
            self.tasks |= {
                f"{NAME} live": live.once_wanted(at_once.run),
                f"{NAME} live expected": live.once_wanted(partial(expected.run, at_once.show)),
            }


class Live:
    """What the public will see, at once, on ``hubs``: for screens in the hall. It is made once somebody wants it."""

    def __init__(self, hubs: Hubs) -> None:
        self.hubs = hubs
        self._wanted = asyncio.Event()

    def want(self) -> Hubs:
        """What it is shown on; from now on it is."""
        self._wanted.set()
        return self.hubs

    def once_wanted(self, run: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
        """A task that does so from then on."""

        async def waiting() -> None:
            await self._wanted.wait()
            await run()

        return waiting


class Console:
    """The pages of one daemon, with those of its tables that were :meth:`shown <show>`, which may come and go. Its
    ``tasks`` are to be kept running.
    """

    def __init__(
        self,
        config: ConsoleConfig,
        register: Register,
        notices: Notices,
        delay: float | Literal["game-end"],
        tournament: Path | None = None,
        trouble: Callable[[], JadoubeError | None] = lambda: None,
    ) -> None:
        """``delay``: as of :class:`ShownTable`. ``tournament``: the configuration by which rounds are played, if any
        are.
        """
        self._register = register
        self.tables: list[TablePages] = []
        self.arbiter = {code: Hub() for code in LANGUAGES}  #: what the arbiter's page shows
        self.public = {code: Hub() for code in LANGUAGES}  #: what the spectators' page shows
        self._live = Live({code: Hub() for code in LANGUAGES} if delay else self.public)
        hall_key = config.hall_key()
        certificate = tls.certificate(config)
        self._others: list[OtherDaemon] = []
        if config.others or config.ca_file is not None:  # all the system's authorities take long to read
            known = tls.trusted(config)
            self._others = [OtherDaemon(url, hall_key or "", known, notices) for url in config.others]
        self._scores = Scores(self._others)
        door = FrontDoor(
            arbiter=self.arbiter,
            public=self.public,
            live=self._live.want,
            rule=self.rule,
            played=self.played,
            undone_next=self.undone_next,
            scores=self._scores,
            register=register,
            hosts=Hosts(config.names),
            hall_key=hall_key,
            tournament=None if tournament is None else Tournament(tournament),
            trouble=trouble,
            delay="" if not delay else str(delay),
        )
        pages = Pages(door)
        self._served = Served(
            NAME,
            application(pages, door),
            config.host,
            config.port,
            notices,
            certificate,
            most=CONNECTIONS,
            proxy=config.trusted_proxy,
        )
        self.tasks: dict[str, Callable[[], Awaitable[None]]] = {
            NAME: self._serve,
            f"{NAME} devices": pages.signing.run,
            **self._following(config.others, live=bool(delay)),
        }

    def _following(self, urls: Sequence[str], *, live: bool) -> dict[str, Callable[[], Awaitable[None]]]:
        """What reads the pages of the other daemons, at these addresses; ``live``: also what the public sees later."""
        tasks: dict[str, Callable[[], Awaitable[None]]] = {}
        for url, other in zip(urls, self._others, strict=True):
            tasks[f"{NAME} {url}"] = partial(other.follow, "/arbiter/events", self.arbiter)
            tasks[f"{NAME} {url} public"] = partial(other.follow, "/events", self.public)
            if live:
                screen = partial(other.follow, "/arbiter/screen", self._live.hubs)
                tasks[f"{NAME} {url} live"] = self._live.once_wanted(screen)
        return tasks

    def show(self, place: ShownTable) -> TablePages:
        """One more table is on the pages, while its tasks are kept running."""
        self.tables.append(TablePages(place, self.arbiter, self.public, self._live, self._scores))
        return self.tables[-1]

    def drop(self, table: TablePages) -> None:
        """That one is on them no more; whoever reads begins anew."""
        self.tables.remove(table)
        self._scores.drop(table.place.board_numbers.values())
        for hub in self.hubs:
            hub.drop(table.place.board_numbers.values())

    @property
    def hubs(self) -> set[Hub]:
        return {*self.arbiter.values(), *self.public.values(), *self._live.hubs.values()}

    @property
    def heard(self) -> int:
        """How many boards of other daemons are known here."""
        return sum(len(other.boards) for other in self._others)

    @property
    def port(self) -> int:
        """Where it listens; 0 while it does not."""
        return self._served.port if self._served.up.is_set() else 0

    @property
    def url(self) -> str:
        """The best address of the pages."""
        return self.urls[0]

    @property
    def urls(self) -> list[str]:
        """All that lead there, the best first."""
        return self._served.urls

    @property
    def code(self) -> str:
        """A pairing code for a terminal that shows one all the time."""
        return self._register.code

    def _elsewhere(self, number: str) -> OtherDaemon | None:
        """The daemon that has the board of that number, if it is not this one."""
        return next((other for other in self._others if number in other.boards), None)

    async def rule(self, number: str, ruling: PageRuling, by: str) -> int:
        """Carries a ruling out on the board of that number. Raises :exc:`JadoubeError` where it is refused."""
        if (other := self._elsewhere(number)) is not None:
            return await other.rule(number, ruling, by)
        table, name = self._table(number)
        table.watch.catch_up()
        board = table.watch.boards.get(name)
        if ruling.game is not None and ruling.do != "new-game":
            _check_game(board, ruling.game)
        if ruling.do == "seen":
            await self._see(table, name, ruling, by)
            return 0
        if ruling.do == "new-game":
            _check_begins(table, name)
        kind = str(ruling.fields.get("kind"))
        if ruling.do == "report" and (board is None or kind not in board.reports("en")):
            raise LogError(f"{kind} cannot be reported here", "a page of another version", "load the page again")
        if ruling.do in ANSWERS and ruling.case is not None and (board is None or not board.cases.has(ruling.case)):
            raise SettledError("this is of another game", "one has begun since", "look again at what is open")
        done = await table.place.carry_out(command(ruling, by), name)
        accepts = (ruling.do, ruling.fields.get("act")) == ("draw", "accept")
        if accepts and name is None and table.place.phase is not None:  # of boards that are only heard it comes later
            _check_agreed(table, name)
        if ruling.do == "warn":
            await self._see(table, name, ruling, by)  # where it awaited no ruling
        return done

    async def _see(self, table: TablePages, name: BoardId | None, ruling: PageRuling, by: str) -> None:
        """An arbiter has seen the case that a ruling names, if it does."""
        board = table.watch.boards.get(name)
        if board is not None and ruling.case is not None:
            if table.place.saw is not None:
                await table.place.saw(name, board.sheet.opening.game, ruling.case, by)
            board.cases.seen(ruling.case)
            table.watch.show()

    async def played(self, number: str, asked: PlaceInRecord, code: LanguageCode) -> dict[str, Any]:
        """What may have been played at a place of the score of that board. Raises :exc:`JadoubeError` where there is no
        such place, or no answer.
        """
        if (other := self._elsewhere(number)) is not None:
            return await other.played(number, asked, code)
        table, name = self._table(number)
        table.watch.catch_up()
        if (board := table.watch.boards.get(name)) is None:
            raise LogError(f"there is no game on board {number} here", "it has not begun", "wait until it has")
        return board.played(asked, code)

    async def undone_next(self, number: str, code: LanguageCode) -> dict[str, Any]:
        """``what`` *Take back* would take back on the board of that number, and by which ``of`` a ruling means it;
        nothing where there is nothing. Raises :exc:`JadoubeError` where there is no such board, or no answer."""
        if (other := self._elsewhere(number)) is not None:
            return await other.undone_next(number, code)
        table, name = self._table(number)
        table.watch.catch_up()
        board = table.watch.boards.get(name)
        if table.place.undone_next is None:
            return {"what": label(code, "undo-sure")}
        last = None if board is None else table.place.undone_next(board.sheet.opening.game, name)
        return {} if board is None or last is None else board.undone(last, code)

    def _table(self, number: str) -> tuple[TablePages, BoardId | None]:
        """Where the board of that number stands, and what it is there. Raises :exc:`LogError`."""
        for table in self.tables:
            for board_id, name in table.place.board_numbers.items():
                if name == number:
                    return table, board_id
        raise LogError(f"there is no board {number} here", "a page of another hall", "load the page again")

    async def _serve(self) -> None:
        """Serves until cancelled; then ends the streams first, which would never end by themselves."""
        serving = asyncio.create_task(self._served.run())
        try:
            await asyncio.shield(serving)
        finally:
            for hub in self.hubs:
                hub.close()
            serving.cancel()
            await asyncio.wait([serving])


def _check_game(board: ArbiterBoard | None, game: str) -> None:
    """Raises :exc:`LogError` where another game than the one that was meant is on that board by now."""
    if board is None or board.sheet.opening.game != game:
        raise LogError("this is of another game", "one has begun since", "look at the board again")


def _check_agreed(table: TablePages, name: BoardId | None) -> None:
    """Raises :exc:`LogError` where the game is not over, though a draw was just accepted: that did not count."""
    table.watch.catch_up()
    board = table.watch.boards.get(name)
    if board is not None and not board.over:
        cause = "the offer was over by a touch or a move, or not both players have made a move yet"
        raise LogError("no draw was agreed by that", cause, "if both want one, give the result")


def _check_begins(table: TablePages, name: BoardId | None) -> None:
    """Raises :exc:`LogError` where no game can be begun from this page, or one is on, which would be lost."""
    if table.place.phase is None:
        cause = "this page reads what the board sends, and does not know how it stands"
        raise LogError("no game can be begun from here", cause, "on the page of the board's own computer")
    if table.place.phase(name).phase == "playing":
        raise LogError("a game is on here", "it has begun meanwhile", "look at the board again")
