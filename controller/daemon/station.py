"""A station: one table at work, with the devices on it, what they show, and all that follows its game alone.

A daemon has one, or a hall of them. What goes wrong at one stays there: its defects are its own notices, and of what
its devices send only so much is taken at a time that the others have their turn.
"""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from controller.config import Config, TableSetup
from controller.contract import BoardId, Sensors
from controller.daemon import feeds, pages
from controller.daemon.game_session import GameSession
from controller.daemon.health import Health
from controller.daemon.measured import Measuring
from controller.daemon.named_outlets import NamedOutlets
from controller.daemon.shows import Shows
from controller.daemon.stances import Stances
from controller.daemon.timeline import Timeline
from controller.daemon.upkeep import Upkeep
from controller.daemon.watchdog import Watchdog
from controller.errors import JadoubeError
from controller.journal import Journal
from controller.outlets.mqtt.channel import Channel
from controller.outlets.mqtt.command import Fields
from controller.outlets.mqtt.connection import MqttConfig
from controller.outlets.mqtt.docket import Docket
from controller.outlets.mqtt.memory import Memory
from controller.outlets.mqtt.topics import Phase
from controller.outlets.notices import Notices, at
from hardware.boards import Driver, Emit, FromDevice, LeverPress, open_board

if TYPE_CHECKING:
    from controller.console.console import Console, TablePages

log = logging.getLogger(__name__)

AT_ONCE = 32  #: so much of what its devices send is taken before others have their turn: two milliseconds
WAITING = 4096  #: so much of it may wait to be taken
WAIT_S = 0.01  #: with more, its devices wait so long for each item
DEFECT_S = 1.0  #: after a defect the table is woken no sooner


class Shared(Struct, frozen=True):
    """What the tables of a daemon have in common."""

    journal: Journal
    memory: Memory
    notices: Notices  #: of the daemon as a whole
    timeline: Timeline
    health: Health
    upkeep: Upkeep
    watchdog: Watchdog


class Station:
    """The table of ``config``; ``of_many``: the board's number, where it is one of a hall.

    Raises :exc:`JournalError` and :exc:`ConfigError` where it cannot be set up.
    """

    def __init__(self, config: TableSetup, shared: Shared, console: "Console | None", of_many: str | None) -> None:
        self.config = config
        self.of_many = of_many
        self.journal, self.timeline = shared.journal, shared.timeline
        self.notices = shared.notices if of_many is None else shared.notices.of(of_many)
        self._shared = shared
        self._loop: asyncio.AbstractEventLoop | None = None  # while it is at work
        self._inbox: deque[tuple[FromDevice, str, BoardId | None]] = deque()  # what its devices have sent
        self._called = False  # it will be looked at
        self._timer: asyncio.TimerHandle | None = None
        self.session = GameSession(
            config,
            self.journal,
            self.notices,
            self.timeline,
            self.timeline.origin_ns,
            lambda board_id: self.boards[board_id].ask(),
            found=self._found,
        )
        self._stances = Stances(self.journal.path)
        self.boards: dict[BoardId | None, Driver] = {}  #: by what they are in a match; the only one: None
        self.clocks: dict[BoardId | None, Driver] = {}
        for board_id, place in config.places.items():
            board = self.boards[board_id] = open_board(place.board, partial(self.emit, board_id=board_id))
            if (stance := self._stances.of(self._named(board_id))) is not None:
                board.recall(stance)
            clock = place.clock.open(partial(self._emit_clock, board_id=board_id)) if place.clock is not None else None
            if clock is not None:
                self.clocks[board_id] = clock

        def emit_from(board_id: BoardId | None, source: str) -> Emit:
            return partial(self.emit, source=source, board_id=board_id)

        self.shows = Shows(config, self.journal, self.boards, emit_from, self.session.ns_of, self.timeline.speed)
        self.pgn = feeds.score(config, self.journal, self.notices, of_many)
        self.public = feeds.Public(config, self.journal)
        self.outlets = NamedOutlets(
            config, self.journal, self.public, self.notices, of_many, lambda: self.session.expected
        )
        self.pages: TablePages | None = None if console is None else pages.show(console, self)
        self._shown = self._before_game  # that was told last

    # -- at work -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Has its devices begin, in the thread of the event loop."""
        self._loop = asyncio.get_running_loop()
        self.session.go_on(time.monotonic_ns())
        for driver in self.drivers.values():
            driver.start()
        self._arm()

    async def stop(self) -> None:
        """Ends its devices; returns when none sends anything any more."""
        self._loop = None
        for driver in reversed(self.drivers.values()):
            await asyncio.to_thread(driver.stop)
        if self._timer is not None:
            self._timer.cancel()

    @property
    def drivers(self) -> dict[str, Driver]:
        """By what their notices are called."""
        boards = {at("board", board_id): driver for board_id, driver in self.boards.items()}
        clocks = {at("clock", board_id): driver for board_id, driver in self.clocks.items()}
        return boards | clocks | self.shows.drivers

    @property
    def posting(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """What sends at once, by its cursor; an orderly stop waits for it."""
        return self.outlets.posting | {self.pgn.cursor: self.pgn.run}

    @property
    def tasks(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """What else is to be kept running for it, by name."""
        tasks = self.shows.tasks | self.outlets.tasks | self.public.tasks
        tasks |= self.pages.tasks if self.pages is not None else {}
        if isinstance(self.config, Config):  # of a match nothing would be made of it
            tasks["measuring"] = Measuring(
                self.config, self.journal.path, self._shared.upkeep.busy, self._take_measured
            ).run
        return {at(name, self.of_many): run for name, run in tasks.items()}

    def channels(self, mqtt: MqttConfig) -> list[Channel[Any]]:
        """What is published of it; of a match first the match as a whole."""
        return [
            Channel(
                mqtt,
                self.config.event.venue,
                feed,
                self.journal,
                self.notices,
                self._shared.memory,
                partial(self.carry_out, board_id=board_id),
                phase=partial(self.session.phase, board_id),
                health=partial(self._shared.health.measured, self.config.numbers),
                docket=Docket(self.session.awaiting, board_id) if board_id in self.config.places else None,
            )
            for board_id, feed in feeds.feeds(self.config, self.of_many).items()
        ]

    def public_channels(self, mqtt: MqttConfig) -> list[Channel[Any]]:
        """The same for everybody, as late as the event has it."""
        past = self.public.journal
        return [
            Channel(mqtt, self.config.event.venue, feed, self.journal, self.notices, self._shared.memory, source=past)
            for feed in feeds.public_feeds(self.config, self.of_many)
        ]

    # -- what comes in -------------------------------------------------------------------------------------------

    def emit(self, item: FromDevice, source: str = "board", board_id: BoardId | None = None) -> float:
        """Something from a device of the board ``board_id``, in whatever thread; ``source`` names it in notices.
        Returns as :data:`Emit`."""
        loop = self._loop
        if loop is not None:
            self._inbox.append((item, source, board_id))
            if not self._called:
                self._called = True
                with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                    loop.call_soon_threadsafe(self._take)
        return WAIT_S if len(self._inbox) >= WAITING else 0.0

    async def carry_out(self, said: Fields, board_id: BoardId | None = None, by: str | None = None) -> int:
        """Carries out a command given for the board ``board_id``, by whom if that is known, and returns the number of
        its record.

        Raises :exc:`JadoubeError` where it is refused.
        """
        future = self.session.command(said, time.monotonic_ns(), board_id, by)
        self._arm()
        return await asyncio.wrap_future(future)

    def pair(self, tags: Mapping[str, str]) -> None:
        """Says who plays the next games, as PGN tags."""
        self.session.pair(tags)
        self._arm()

    def _emit_clock(self, item: FromDevice, board_id: BoardId | None) -> float:
        """The same from the clock beside that board, which may have been looked at since the press."""
        if isinstance(item, LeverPress):
            item = replace(item, looked=self.boards[board_id].looked)
        return self.emit(item, "clock", board_id)

    def _named(self, board_id: BoardId | None) -> str:
        return at(at("board", board_id), self.of_many)

    def _found(self) -> None:
        """Called in another thread, once what the table waited for is known: wakes the table in its own."""
        if (loop := self._loop) is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(self._wake)

    # -- inside --------------------------------------------------------------------------------------------------

    def _take(self) -> None:
        """Takes what has come, as much as may be taken at a time."""
        self._called = False
        for _ in range(min(AT_ONCE, len(self._inbox))):
            item, source, board_id = self._inbox.popleft()
            self._shared.watchdog.hear(at(at(source, board_id), self.of_many), item)
            self._mind(self.session.take, item, source, board_id)
        for board_id, board in self.boards.items():
            self._stances.keep(self._named(board_id), board.stance)
        if self._inbox and not self._called and self._loop is not None:
            self._called = True
            self._loop.call_soon(self._take)
        self._arm()

    def _wake(self) -> None:
        sound = self._mind(self.session.wake, time.monotonic_ns())
        self._arm(0.0 if sound else DEFECT_S)

    def _mind(self, do: Callable[..., None], *given: object) -> bool:
        """Does something with the table; a defect there is told, and is no other table's. Whether it was done."""
        try:
            do(*given)
        except Exception as error:
            log.exception("%s: a defect", at("table", self.of_many))
            what = f"something was not understood: {error!r}"
            cause = "a defect; the score may lack what happened just now"
            self.notices.set("table", JadoubeError(what, cause, "look at the board, and report it with the log"))
            return False
        return True

    def _arm(self, least_s: float = 0.0) -> None:
        """Sets the timer to when the table wants to be woken, and says on what has become of the game, and of the
        pieces before one."""
        if self._timer is not None:
            self._timer.cancel()
        due = self.session.due_ns
        if (shown := self._before_game) != self._shown:
            self._shown = shown
            self.notices.wake()
        if self._loop is not None and due is not None:
            self._timer = self._loop.call_later(max(least_s, (due - time.monotonic_ns()) / 1e9), self._wake)

    @property
    def _before_game(self) -> tuple[Phase, list[str | None]]:
        return self.session.phase(None), [self.session.standing(board_id) for board_id in self.boards]

    def _take_measured(self, sensors: Sensors | None) -> None:
        self.session.sensors = sensors


def drivers_of(stations: Mapping[str, Station]) -> dict[str, Driver]:
    """All devices, by what their notices are called in the daemon as a whole."""
    return {
        at(source, station.of_many): driver
        for station in stations.values()
        for source, driver in station.drivers.items()
    }
