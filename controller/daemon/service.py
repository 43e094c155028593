"""The daemon at work: threads, tasks and signals around the table. The only place where all is wired.

Each driver has a thread, the journal has one; everything else is asyncio. An input is committed first, and only
then do the outlets see what came of it. Whatever fails outside, the daemon goes on and says so.
"""

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from aiomqtt import ProtocolVersion
from msgspec.structs import replace

from controller.collector import few_collections
from controller.config import Setup
from controller.contract import BoardId, Sensors
from controller.daemon import delayed, pages, silence, ways
from controller.daemon.health import Health
from controller.daemon.measured import Measuring
from controller.daemon.outward import Outward
from controller.daemon.shows import Shows
from controller.daemon.table import Table
from controller.daemon.timeline import Timeline
from controller.daemon.upkeep import Upkeep
from controller.daemon.watchdog import Watchdog
from controller.errors import JadoubeError, JournalError
from controller.journal import Journal, Restored
from controller.journal.pages import beside
from controller.outlets.connection import MqttConfig
from controller.outlets.memory import Memory
from controller.outlets.mqtt import MqttOutlet
from controller.outlets.notices import Notices, at
from hardware.boards import Driver, Item, LeverPress, open_board

log = logging.getLogger(__name__)

RESTART_S = 5.0  #: before an outlet that failed by a defect is tried again
CANCEL_S = 1.0  #: before a task that has not ended is cancelled again
DRAIN_S = 3.0  #: how long an orderly stop waits for the outlets to have sent everything

Outlets = Mapping[str, Callable[[], Awaitable[None]]]
"""By their names, what each of them does."""


class Daemon:
    """One board, or the two of a match, served until :meth:`stop` or a signal.

    Raises :exc:`JournalError` where the journal cannot be opened. ``speed`` above 1 is for demonstrations.
    """

    def __init__(self, config: Setup, speed: float = 1.0) -> None:
        self.config = config
        self.notices = Notices()
        self.journal = Journal(Path(config.journal.path).expanduser(), restore=True)
        self.memory = Memory(beside(self.journal.path, "-mqtt"), time.time_ns() // 1_000_000)
        self.timeline = Timeline(time.monotonic_ns(), speed)
        self.table = Table(
            config,
            self.journal,
            self.notices,
            self.timeline,
            self.timeline.origin_ns,
            self._look_anew,
            found=lambda: self._from_thread(self._wake),
        )
        self.boards: dict[BoardId | None, Driver] = {}  #: by what they are in a match; the only one: None
        self.clocks: dict[BoardId | None, Driver] = {}
        for seat, place in config.places.items():
            self.boards[seat] = open_board(place.board, partial(self.emit, seat=seat))
            clock = place.clock.open(partial(self._emit_clock, seat=seat)) if place.clock is not None else None
            if clock is not None:
                self.clocks[seat] = clock
        self.shows = Shows(config, self.journal, self.boards, self._emit_from, self.table.ns_of, self.timeline.speed)
        self.pgn = ways.score(config, self.journal, self.notices)
        self.public = delayed.Public(config, self.journal)
        self.outward = Outward(config, self.journal, self.public, self.notices, self.table)
        self.console = pages.console(
            config, self.journal, self.public, self.notices, self.table, self.carry_out, self.timeline.speed
        )
        self.mqtt: list[MqttOutlet[Any]] = []  #: once the broker is known; of a match as a whole, then of its boards
        self.health = Health(self.journal, self.notices, lambda: self._sending)
        self.upkeep = Upkeep(config.journal, self.journal, lambda: self.table.playing, lambda: self._sending)
        self._sending: list[str] = []  # the outlets that send at once, by their cursors
        self._phase = self.table.phase(None)  # that was told last
        self._watchdog = Watchdog()
        self._stopping = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, *companions: Callable[["Daemon"], Awaitable[None]]) -> None:
        """Serves until stopped, or until one of the ``companions``, which run beside the outlets, has returned."""
        few_collections()
        self._loop = loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        self.journal.on_trouble = lambda error: self._from_thread(self._journal_trouble, error)
        self.journal.on_restored = lambda restored: self._from_thread(self._journal_restored, restored)
        if self.journal.restored is not None:
            self._journal_restored(self.journal.restored)
        drivers = self._drivers()
        for driver in drivers.values():
            driver.start()
        self._arm()
        try:
            async with contextlib.AsyncExitStack() as stack:
                self.mqtt = await self._open_mqtt(stack)
                outlets = {outlet.name: outlet.run for outlet in self.mqtt} | self.outward.posting
                outlets["pgn"] = self.pgn.run
                self._sending = list(outlets)
                await self._serve(outlets, companions)
        finally:
            for driver in reversed(drivers.values()):
                await asyncio.to_thread(driver.stop)
            if self._timer is not None:
                self._timer.cancel()
            await asyncio.to_thread(self.journal.close)
            log.info("stopped")

    def stop(self) -> None:
        """Asks for an orderly stop."""
        self._stopping.set()

    def emit(self, item: Item, source: str = "board", seat: BoardId | None = None) -> None:
        """Something from a device of the board ``seat``, in whatever thread; ``source`` names it in notices."""
        self._from_thread(self._take, item, source, seat)

    async def carry_out(self, payload: bytes, seat: BoardId | None = None, by: str | None = None) -> int:
        """Carries out a command given for the board ``seat``, by whom if that is known, and returns the number of its
        record.

        Raises :exc:`JadoubeError` where it is refused.
        """
        future = self.table.command(payload, time.monotonic_ns(), seat, by)
        self._arm()
        return await asyncio.wrap_future(future)

    def _emit_clock(self, item: Item, seat: BoardId | None) -> None:
        """The same from the clock beside that board, which may have been looked at since the press."""
        if isinstance(item, LeverPress):
            item = replace(item, looked=self.boards[seat].looked)
        self.emit(item, "clock", seat)

    def _look_anew(self, seat: BoardId | None) -> None:
        self.boards[seat].ask()

    def _emit_from(self, seat: BoardId | None, source: str) -> Callable[[Item], None]:
        return partial(self.emit, source=source, seat=seat)

    # -- inside --------------------------------------------------------------------------------------------------

    def _drivers(self) -> dict[str, Driver]:
        """By what their notices are called."""
        boards = {at("board", seat): driver for seat, driver in self.boards.items()}
        clocks = {at("clock", seat): driver for seat, driver in self.clocks.items()}
        return boards | clocks | self.shows.drivers

    async def _open_mqtt(self, stack: contextlib.AsyncExitStack) -> list[MqttOutlet[Any]]:
        config, version = self.config.mqtt, ProtocolVersion.V5
        if config is None:
            from controller.outlets.broker import HOST, EmbeddedBroker  # 8 MB that a board with a broker does not need

            broker = await stack.enter_async_context(EmbeddedBroker())
            config, version = MqttConfig(host=HOST, port=broker.port), ProtocolVersion.V311  # all that it speaks
        outlets = []
        for seat, feed in ways.feeds(self.config).items():
            carry_out = partial(self.carry_out, seat=seat)
            outlet = MqttOutlet(
                config,
                self.config.event.venue,
                feed,
                self.journal,
                self.notices,
                self.memory,
                carry_out,
                phase=partial(self.table.phase, seat),
                health=self.health.measured,
            )
            outlet.version = version
            outlets.append(outlet)
        return outlets

    async def _serve(self, outlets: Outlets, companions: tuple[Callable[["Daemon"], Awaitable[None]], ...]) -> None:
        tasks = [asyncio.create_task(self._keep(name, run), name=name) for name, run in outlets.items()]
        beside_them = self.shows.tasks | self.outward.tasks | (self.console.tasks if self.console is not None else {})
        beside_them |= delayed.by_mqtt(self.config, self.journal, self.public, self.notices, self.memory)
        beside_them |= self.public.tasks
        beside_them["health"] = self.health.run
        beside_them["upkeep"] = self.upkeep.run
        if len(self.config.places) == 1:  # of a match nothing would be made of it
            beside_them["measuring"] = Measuring(self.config, self.journal.path, self.upkeep.busy, self._measured).run
        tasks += [asyncio.create_task(self._keep(name, run), name=name) for name, run in beside_them.items()]
        tasks += [
            asyncio.create_task(silence.watch(source, driver, self.notices), name=f"{source} silence")
            for source, driver in self._drivers().items()
        ]
        tasks.append(asyncio.create_task(self._watchdog.run(self._drivers(), self.notices), name="watchdog"))
        beside = [asyncio.ensure_future(companion(self)) for companion in companions]
        stop = asyncio.create_task(self._stopping.wait(), name="stop")
        done, _ = await asyncio.wait([stop, *beside], return_when=asyncio.FIRST_COMPLETED)
        await self._drain(list(outlets))
        await end([stop, *beside, *tasks])
        for task in done:
            task.result()

    async def _keep(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """An outlet that meets a defect begins again; the others and the game go on."""
        while True:
            try:
                await run()
            except Exception as error:
                log.exception("%s: a defect", name)
                self.notices.set(name, JadoubeError(f"{name} failed: {error!r}", "a defect", "report it with the log"))
            await asyncio.sleep(RESTART_S)

    async def _drain(self, outlets: list[str]) -> None:
        """Waits a moment for the outlets to have sent what is in the journal."""
        self.pgn.hurry()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_S):
                while any(self.journal.cursor(name) < self.journal.head.seq for name in outlets):
                    await asyncio.sleep(0.02)

    def _measured(self, sensors: Sensors | None) -> None:
        self.table.sensors = sensors

    def _take(self, item: Item, source: str, seat: BoardId | None) -> None:
        self._watchdog.hear(at(source, seat), item)
        self.table.take(item, source, seat)
        self._arm()

    def _wake(self) -> None:
        self.table.wake(time.monotonic_ns())
        self._arm()

    def _arm(self) -> None:
        """Sets the timer to when the table wants to be woken, and says on what has become of the game."""
        if self._timer is not None:
            self._timer.cancel()
        due = self.table.due_ns
        if (phase := self.table.phase(None)) != self._phase:
            self._phase = phase
            self.notices.wake()
        if self._loop is not None and due is not None:
            self._timer = self._loop.call_later(max(0.0, (due - time.monotonic_ns()) / 1e9), self._wake)

    def _from_thread(self, call: Callable[..., None], *given: object) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(call, *given)

    def _journal_trouble(self, error: JournalError | None) -> None:
        if error is None:
            self.notices.clear("journal")
        else:
            self.notices.set("journal", error)

    def _journal_restored(self, restored: Restored) -> None:
        self.notices.set("journal restored", restored.notice())


async def end(tasks: Collection["asyncio.Future[Any]"]) -> None:
    """Cancels the tasks, again and again until each has ended: up to Python 3.11 :func:`asyncio.wait_for`, which
    aiomqtt uses too, passes over a cancellation that comes together with what it waits for.
    """
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=CANCEL_S)
    await asyncio.gather(*tasks, return_exceptions=True)
