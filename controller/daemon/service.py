"""The daemon at work: threads, tasks and signals around its tables. The only place where all is wired.

All ports have one thread, each other device and the journal one of its own; everything else is asyncio. An input is
committed first, and only then do the outlets see what came of it. Whatever fails outside, the daemon goes on and says
so. One daemon has one table, or many: each is a :class:`.Station`; what they share is here.
"""

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from aiomqtt import MqttError, ProtocolVersion

from controller.collector import few_collections
from controller.config import HallConfig, Setup, TableSetup
from controller.daemon import feeds, named_outlets, pages, reload, silence
from controller.daemon.health import Health
from controller.daemon.left_over import left_over
from controller.daemon.station import Shared, Station, drivers_of
from controller.daemon.timeline import Timeline
from controller.daemon.upkeep import Upkeep
from controller.daemon.watchdog import Watchdog
from controller.errors import JadoubeError, JournalError
from controller.journal import Journal, RescuedJournal
from controller.journal.pages import beside
from controller.outlets.mqtt.channel import Channel
from controller.outlets.mqtt.connection import MqttConfig
from controller.outlets.mqtt.memory import Memory
from controller.outlets.mqtt.outlet import MqttOutlet
from controller.outlets.notices import Notices, at
from controller.outlets.tables import Running

log = logging.getLogger(__name__)

RESTART_S = 5.0  #: before an outlet that failed by a defect is tried again
CANCEL_S = 1.0  #: before a task that has not ended is cancelled again
DRAIN_S = 3.0  #: how long an orderly stop waits for the outlets to have sent everything


class Daemon:
    """The boards of a configuration, served until :meth:`stop` or a signal.

    Raises :exc:`JournalError` where the journal cannot be opened. ``speed`` above 1 is for demonstrations. ``reread``:
    the configuration as it stands now, for SIGHUP; ``file``: where it stands.
    """

    def __init__(
        self,
        config: Setup,
        speed: float = 1.0,
        reread: Callable[[], Setup] | None = None,
        file: Path | None = None,
    ) -> None:
        self.config = config
        self.notices = Notices()
        self.journal = Journal(Path(config.journal.path).expanduser(), restore=True)
        self.memory = Memory(beside(self.journal.path, "-mqtt"), time.time_ns() // 1_000_000)
        self.health = Health(self.journal, self.notices, lambda: self._sending)
        self.upkeep = Upkeep(config.journal, self.journal, self._playing, lambda: self._sending)
        self.console = pages.console(config, file, self.journal, self.notices)
        self.mqtt: list[MqttOutlet] = []  #: once the broker is known; of a match as a whole, then of its boards
        self.stations: dict[str, Station] = {}  #: by the numbers of their boards, ``7`` or ``1+2``
        self._watchdog = Watchdog()
        timeline = Timeline(time.monotonic_ns(), speed)
        self._shared = Shared(
            self.journal, self.memory, self.notices, timeline, self.health, self.upkeep, self._watchdog
        )
        for table in config.tables:
            self._set_up(table)
        self._for_all = self._named_outlets(config)
        self._all_running: dict[str, tuple[Running, asyncio.Task[None]]] = {}  # of these what runs
        self._reread = reread
        self._reloading: asyncio.Task[None] | None = None
        self._sending: dict[str, str] = {}  # the outlets that send at once, by their cursors; the board of each
        self._broker: MqttConfig  # once it is known
        self._channels: dict[Channel[Any], MqttOutlet] = {}
        self._running: dict[Station, list[asyncio.Task[None]]] = {}  # what runs for each table
        self._stopping = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def only(self) -> Station:
        """The table, of a daemon that has but one."""
        (station,) = self.stations.values()
        return station

    async def run(self, *companions: Callable[["Daemon"], Awaitable[None]]) -> None:
        """Serves until stopped, or until one of the ``companions``, which run beside the outlets, has returned."""
        few_collections()
        self._loop = loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        if self._of_many and self._reread is not None:
            loop.add_signal_handler(signal.SIGHUP, self.reload)
        self.journal.on_trouble = lambda error: self._from_thread(self._journal_trouble, error)
        if self.journal.trouble is not None:  # from before anybody asked to be told
            self._journal_trouble(self.journal.trouble)
        self.journal.on_restored = lambda restored: self._from_thread(self._journal_restored, restored)
        if self.journal.restored is not None:
            self._journal_restored(self.journal.restored)
        for station in self.stations.values():
            station.start()
        if not (self._of_many or self._playing()) and (notice := left_over(self.journal, self.stations)) is not None:
            self.only.notices.set("recovery", notice)
        try:
            async with contextlib.AsyncExitStack() as stack:
                await self._open_mqtt(stack)
                await self._serve(companions)
        finally:
            await asyncio.gather(*(station.stop() for station in self.stations.values()))
            await asyncio.to_thread(self.journal.close)
            log.info("stopped")

    def stop(self) -> None:
        """Asks for an orderly stop."""
        self._stopping.set()

    def reload(self) -> None:
        """Reads the configuration again: boards that are new in it come, others leave once their game is over. A file
        that cannot be used is a notice, and changes nothing.
        """
        if self._reread is None:
            return
        try:
            config = reload.checked(self.config, self._reread(), self.notices)
            for_all = self._named_outlets(config)
        except JadoubeError as error:
            self.notices.set(reload.NAME, error)
            return
        self.config, self._for_all = config, for_all
        if self._reloading is None or self._reloading.done():
            self._reloading = asyncio.get_running_loop().create_task(self._change())

    # -- tables come and go --------------------------------------------------------------------------------------

    @property
    def _of_many(self) -> bool:
        return isinstance(self.config, HallConfig)

    def _playing(self) -> bool:
        return any(station.session.playing for station in self.stations.values())

    def _named_outlets(self, config: Setup) -> Mapping[str, Running]:
        via = MqttOutlet.shared(self.memory) if self._of_many else None
        shared = self.journal, self.notices, self.stations.values, self._standing, via
        return named_outlets.for_all(config, *shared, self._tables)

    def _tables(self) -> Iterable[TableSetup]:
        """Those that there are: as the configuration has them, and those that leave once their game is over."""
        there = self._wanted
        return [*there.values(), *(each.config for numbers, each in self.stations.items() if numbers not in there)]

    def _standing(self, number: str, game: str) -> str | None:
        """As :data:`.Standing`."""
        for station in self.stations.values():
            for board_id, place in station.config.places.items():
                if place.number == number:
                    return station.session.standing(board_id, game)
        return None

    def _set_up(self, table: TableSetup) -> Station:
        """Raises :exc:`JadoubeError` where it cannot be set up."""
        station = Station(table, self._shared, self.console, table.numbers if self._of_many else None)
        self.stations[table.numbers] = station
        return station

    @property
    def _wanted(self) -> dict[str, TableSetup]:
        """The tables of the configuration, by the numbers of their boards."""
        return {table.numbers: table for table in self.config.tables}

    async def _change(self) -> None:
        """Lets the tables be those of the configuration, each as soon as no game is in its way. Where it is read once
        more meanwhile, the table that is just coming or leaving does so first: none is left half there."""
        told: Setup | None = None
        while True:
            if self.config is not told:
                told = self.config
                log.info("the configuration was read again: boards %s", ", ".join(self._wanted))
                await self._run_for_all()
                self.notices.wake()
            for numbers, station in [*self.stations.items()]:
                now = self._wanted.get(numbers)
                if reload.same(station.config, now):
                    station.notices.clear(reload.PENDING)
                elif not station.session.playing or reload.exchanged(station.config, now):
                    await self._dismiss(numbers, station)
                else:
                    reload.pend(station.config, now, station.notices)
            for numbers in self._wanted.keys() - self.stations.keys():
                if (table := self._wanted.get(numbers)) is None:
                    continue  # it was struck out meanwhile
                try:
                    await self._admit(table)
                except JadoubeError as error:
                    self.notices.set(at(reload.NAME, numbers), error)
                else:
                    self.notices.clear(at(reload.NAME, numbers))
            if self.config is not told:
                continue
            if all(reload.same(each.config, self._wanted.get(numbers)) for numbers, each in self.stations.items()):
                return
            await asyncio.sleep(reload.LOOK_S)

    async def _admit(self, table: TableSetup) -> None:
        station = self._set_up(table)
        station.start()
        self._run(station)
        for outlet, channel in zip(self.mqtt, self._connect(station), strict=False):
            self._note(outlet, channel)
            with contextlib.suppress(MqttError):  # then it comes with the next connection
                await outlet.add(channel)
        log.info("board %s is there", table.numbers)

    async def _dismiss(self, numbers: str, station: Station) -> None:
        del self.stations[numbers]
        for channel, outlet in [*self._channels.items()]:
            if channel.notices is station.notices:
                with contextlib.suppress(MqttError):
                    await outlet.remove(channel)
                del self._channels[channel]
                self._sending.pop(channel.feed.cursor, None)
        await end(self._running.pop(station, ()))  # none yet, where it leaves as soon as the daemon has started
        for name in station.posting:
            self._sending.pop(name, None)
        await station.stop()
        if self.console is not None and station.pages is not None:
            self.console.drop(station.pages)
        station.notices.leave()
        self.notices.wake()
        log.info("board %s has left", numbers)

    # -- what runs -----------------------------------------------------------------------------------------------

    async def _open_mqtt(self, stack: contextlib.AsyncExitStack) -> None:
        config, version = self.config.mqtt, ProtocolVersion.V5
        if config is None:
            # 8 MB that a board with a broker does not need
            from controller.outlets.mqtt.broker import HOST, EmbeddedBroker

            noted, before = beside(self.journal.path, "-broker"), 0  # for commands on this machine, and the next start
            with contextlib.suppress(OSError, ValueError):
                before = int(noted.read_text())
            broker = await stack.enter_async_context(EmbeddedBroker(before=before))
            config, version = MqttConfig(host=HOST, port=broker.port), ProtocolVersion.V311  # all that it speaks
            with contextlib.suppress(OSError):
                noted.write_text(f"{broker.port}\n")
        self._broker = config
        channels = [channel for station in self.stations.values() for channel in self._connect(station)]
        venue, notices, memory = self.config.event.venue, self.notices, self.memory
        shared = MqttOutlet.shared(memory).removesuffix("/status") if self._of_many else channels[0].feed.topic
        besides = named_outlets.besides(self.config, shared, notices)
        if self._of_many:
            hall = [channel for channel in channels if channel.listens]
            public = [channel for channel in channels if not channel.listens]
            self.mqtt = [MqttOutlet(config, venue, notices, memory, *hall, hall="mqtt", besides=besides)]
            if config.public:
                self.mqtt.append(MqttOutlet(config, venue, notices, memory, *public, hall=feeds.PUBLIC))
            for channel in channels:
                self._note(self.mqtt[0 if channel.listens else 1], channel)
        else:
            for channel in channels:
                self.mqtt.append(MqttOutlet(config, venue, notices, memory, channel, besides=besides))
                besides = []  # once is enough
                self._note(self.mqtt[-1], channel)
        for outlet in self.mqtt:
            outlet.version = version

    def _connect(self, station: Station) -> list[Channel[Any]]:
        """What is told of a table: to the hall, then to everybody."""
        told = station.channels(self._broker)
        return told + station.public_channels(self._broker) if self._broker.public else told

    def _note(self, outlet: MqttOutlet, channel: Channel[Any]) -> None:
        self._channels[channel] = outlet
        if channel.listens:
            self._sending[channel.feed.cursor] = channel.feed.board

    async def _serve(self, companions: Iterable[Callable[["Daemon"], Awaitable[None]]]) -> None:
        always: dict[str, Callable[[], Awaitable[None]]] = {outlet.name: outlet.run for outlet in self.mqtt}
        always |= {"health": self.health.run, "upkeep": self.upkeep.run}
        always |= self.console.tasks if self.console is not None else {}
        if self.config.metrics is not None:
            from controller.daemon import metrics  # 3 MB that a board without it does not need

            always["metrics"] = metrics.served(self.config.metrics, self)
        tasks = [self._kept(name, run) for name, run in always.items()]
        await self._run_for_all()
        for station in self.stations.values():
            self._run(station)
        watchdog = self._watchdog.run(partial(drivers_of, self.stations), self.notices)
        tasks.append(asyncio.create_task(watchdog, name="watchdog"))
        beside = [asyncio.ensure_future(companion(self)) for companion in companions]
        stop = asyncio.create_task(self._stopping.wait(), name="stop")
        done, _ = await asyncio.wait([stop, *beside], return_when=asyncio.FIRST_COMPLETED)
        if self._reloading is not None:
            await end([self._reloading])
        await self._drain()
        tasks += [task for _, task in self._all_running.values()]
        await end([stop, *beside, *tasks, *(task for some in self._running.values() for task in some)])
        for task in done:
            task.result()

    async def _run_for_all(self) -> None:
        """Keeps running what is for all tables: what was made of the same as before runs on, with all who listen."""
        for name, (running, task) in [*self._all_running.items()]:
            if name not in self._for_all or self._for_all[name].made_of != running.made_of:
                del self._all_running[name]
                await end([task])
        for name, running in self._for_all.items():
            if name not in self._all_running:
                self._all_running[name] = running, self._kept(name, running.run)

    def _run(self, station: Station) -> None:
        """Keeps running what belongs to a table."""
        self._sending |= dict.fromkeys(station.posting, station.config.numbers)
        self._running[station] = [self._kept(name, run) for name, run in (station.posting | station.tasks).items()]
        self._running[station] += [
            asyncio.create_task(silence.watch(source, driver, station.notices), name=f"{source} silence")
            for source, driver in station.drivers.items()
        ]

    def _kept(self, name: str, run: Callable[[], Awaitable[None]]) -> "asyncio.Task[None]":
        return asyncio.create_task(self._keep(name, run), name=name)

    async def _keep(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """An outlet that meets a defect begins again; the others and the game go on."""
        while True:
            try:
                await run()
            except Exception as error:
                log.exception("%s: a defect", name)
                self.notices.set(name, JadoubeError(f"{name} failed: {error!r}", "a defect", "report it with the log"))
            await asyncio.sleep(RESTART_S)

    async def _drain(self) -> None:
        """Waits a moment for the outlets to have sent what is in the journal."""
        for station in self.stations.values():
            station.pgn.hurry()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_S):
                while any(self.journal.waiting_for(name, board) for name, board in self._sending.items()):
                    await asyncio.sleep(0.02)

    def _from_thread(self, call: Callable[..., None], *given: object) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(call, *given)

    def _journal_trouble(self, error: JournalError | None) -> None:
        if error is None:
            self.notices.clear("journal")
        else:
            self.notices.set("journal", error)

    def _journal_restored(self, restored: RescuedJournal) -> None:
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
