"""What only some have: the outlets that a configuration names, and the pairings. What it does not name is not loaded:
together these take 9 MB.

An outlet is found by the name of its table: ``[webhook]`` is opened by :mod:`controller.outlets.webhook`, and
``[livechess]``, a folder, by :mod:`controller.outlets.livechess.outlet`. What such a module has to say is told in
:mod:`controller.outlets.tables`.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

from msgspec.structs import replace

from controller import outlets
from controller.config import DoubleConfig, HallConfig, Setup, TableSetup
from controller.contract import BoardId
from controller.daemon.feeds import Public
from controller.daemon.pairings import Paired, Pairings
from controller.game_details import AT_BROKER
from controller.journal import Journal
from controller.outlets.mqtt.outlet import Carried
from controller.outlets.mqtt.round import RoundInForce
from controller.outlets.mqtt.times import Times
from controller.outlets.notices import Notices, at
from controller.outlets.settings import OutletConfig
from controller.outlets.tables import AtTable, InHall, Plugged, PluggedBoards, Running, Standing, running

Task = Callable[[], Awaitable[None]]


class NamedOutlets:
    """What is to be kept running for one table. Raises :exc:`ConfigError` for a secret that cannot be read."""

    def __init__(
        self,
        config: TableSetup,
        journal: Journal,
        past: Public,
        notices: Notices,
        of_many: str | None,
        expected: Callable[[], Mapping[str, str]],
    ) -> None:
        self.tasks: dict[str, Task] = {}  #: by their names
        self.posting: dict[str, Task] = {}  #: those among them that an orderly stop waits for, by their cursors
        number = config.event.match if isinstance(config, DoubleConfig) else config.numbers
        plugged, pairings = boards(config, of_many), config.pairings

        def paired() -> bool:  # those that are told at the broker are kept there, too
            return pairings is not None and pairings.exists()

        table = AtTable(plugged, number, journal, past.journal, notices, config.hold_below, of_many, expected, paired)
        for _, module, said in named(config):
            for each in running(module, "of_table", said, table):
                if each.cursor is None:
                    self.tasks[each.name] = each.run
                else:
                    self.posting[each.cursor] = each.run


def for_all(
    config: Setup,
    journal: Journal,
    notices: Notices,
    stations: Callable[[], Iterable[Paired]],
    standing: Standing,
    via: str | None,
    tables: Callable[[], Iterable[TableSetup]],
) -> dict[str, Running]:
    """What is to be kept running once for all tables, by name. ``via``: on what topic the connection that they share is
    said to be gone; ``tables``: those that are there at the moment. Raises :exc:`ConfigError` as :class:`NamedOutlets`
    does.
    """

    def plugged(those: Iterable[TableSetup]) -> tuple[PluggedBoards, ...]:
        many = isinstance(config, HallConfig)
        return tuple(boards(table, table.numbers if many else None) for table in those)

    there = plugged(config.tables)
    hall = InHall(config.event.venue, there, journal, notices, config.mqtt, via, standing, lambda: plugged(tables()))
    tasks = {each.name: each for _, module, said in named(config) for each in running(module, "of_hall", said, hall)}
    if config.pairings is not None:
        told = config.event.pairings == AT_BROKER
        pairings = Pairings(config.pairings, config.game.round, notices, stations, told=told)
        pairings.look()
        made_of = config.pairings, config.game.round, told
        tasks["pairings"] = Running("pairings", pairings.run, made_of=made_of)
    return tasks


def besides(config: Setup, topic: str, notices: Notices) -> list[Carried]:
    """What the connection to the broker of the hall carries that is of no board; ``topic``: under which it may tell
    what is of this computer.
    """
    if config.mqtt is None:
        return []
    venue, numbers = config.event.venue, [place.number for place in config.named.values()]
    carried: list[Carried] = [Times(venue, topic, numbers, notices)]
    if config.event.pairings == AT_BROKER and config.pairings is not None:
        carried.append(RoundInForce(venue, config.pairings, notices))
    return carried


def named(config: Setup) -> Iterator[tuple[str, ModuleType, OutletConfig]]:
    """The outlets that a configuration names: the name of each, its module, and its table."""
    for name in config.__struct_fields__:
        if isinstance(said := getattr(config, name), OutletConfig):
            yield name, module_of(name), said


def module_of(name: str) -> ModuleType:
    """The module that opens the outlet of that name."""
    module = import_module(f"{outlets.__name__}.{name}")
    return import_module(f"{module.__name__}.outlet") if hasattr(module, "__path__") else module


def own(config: TableSetup) -> TableSetup:
    """The configuration of a table without the outlets that are opened once for all tables."""
    of_all = [name for name, module, _ in named(config) if not hasattr(module, "of_table")]
    return replace(config, **dict.fromkeys(of_all))


def boards(config: TableSetup, of_many: str | None) -> PluggedBoards:
    """The boards of a table as outlets know them."""
    found: dict[BoardId | None, Plugged] = {}
    for board_id, place in config.places.items():
        source = Path(str(getattr(place.board, "port", place.board.__struct_config__.tag))).name
        found[board_id] = Plugged(place.number, source, of_many, _batteries(config, board_id))
    return found


def _batteries(config: TableSetup, board_id: BoardId | None) -> tuple[str, ...]:
    """The notices on batteries that the board and its clock may give."""
    known: tuple[str, ...] = getattr(config.places[board_id].board, "batteries", ())
    told = (about for about in known if about != "clock-battery" or config.event.clock is not None)
    return tuple(f"{at('board', board_id)}-{about}" for about in told)
