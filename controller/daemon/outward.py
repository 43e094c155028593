"""What only some have: LiveChess, broadcast, Lichess, Home Assistant, a webhook, pairings. What the configuration does
not name is not loaded: together these take 9 MB.
"""

from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.config import Config, DoubleConfig, HallConfig, Place, Setup, TableSetup
from controller.contract import BoardId
from controller.daemon.delayed import Public
from controller.daemon.pairings import Pairings
from controller.journal import Journal
from controller.occasion import AT_BROKER
from controller.outlets.carried import Carried
from controller.outlets.notices import Notices, at
from controller.outlets.round import RoundInForce
from controller.outlets.settings import BroadcastConfig, LiveChessConfig
from controller.outlets.times import Times

if TYPE_CHECKING:
    from controller.daemon.station import Station

Task = Callable[[], Awaitable[None]]


class Outward:
    """What is to be kept running for one table. Raises :exc:`ConfigError` for a secret that cannot be read."""

    def __init__(
        self, config: TableSetup, journal: Journal, past: Public, notices: Notices, of_many: str | None
    ) -> None:
        self.tasks: dict[str, Task] = {}  #: by their names
        self.posting: dict[str, Task] = {}  #: those among them that an orderly stop waits for, by their cursors
        self._notices = notices
        self._past = past
        if config.webhook is not None:
            from controller.outlets.webhook import Webhook

            for seat in config.places:
                name = at("webhook", seat)
                webhook = Webhook(config.webhook, config.numbers, seat, journal, notices, name, at(name, of_many))
                self.posting[webhook.cursor] = webhook.run
        if config.broadcast is not None:
            self._broadcast(config, config.broadcast)
        if isinstance(config, Config) and config.lichess is not None:
            from controller.outlets.lichess import Lichess

            self.tasks["lichess"] = Lichess(
                config.lichess, config.numbers, self._past.journal, notices, config.hold_below
            ).run

    def _broadcast(self, config: TableSetup, table: BroadcastConfig) -> None:
        from controller.outlets.broadcast import MATCHES, Broadcast, games

        past = self._past.journal
        if isinstance(config, DoubleConfig):
            match = int(config.event.match)
            self.tasks["broadcast"] = Broadcast(table, config.numbers, match, past, self._notices, MATCHES).run
        else:
            board = int(config.numbers)
            self.tasks["broadcast"] = Broadcast(
                table, config.numbers, board, past, self._notices, games(config.hold_below)
            ).run


def for_all(
    config: Setup,
    journal: Journal,
    notices: Notices,
    stations: Callable[[], Iterable["Station"]],
    via: str | None,
) -> dict[str, Task]:
    """What is to be kept running once for all tables, by name. ``via``: on what topic the connection that they share is
    said to be gone. Raises :exc:`ConfigError` as :class:`Outward` does.
    """
    tasks: dict[str, Task] = {}
    if config.homeassistant is not None and config.mqtt is not None:
        from controller.outlets.homeassistant import HomeAssistant

        boards = {place.number: _batteries(each, seat) for each in config.tables for seat, place in each.places.items()}
        of_match = isinstance(config, DoubleConfig)
        tasks["homeassistant"] = HomeAssistant(
            config.homeassistant, config.mqtt, config.event.venue, boards, notices, of_match=of_match, via=via
        ).run
    if config.livechess is not None:
        tasks["livechess"] = _livechess(config, config.livechess, journal, notices)
    if config.broadcast is not None and config.broadcast.port is not None:
        from controller.outlets.broadcast_web import broadcast_app
        from controller.outlets.serving import Served

        directory = Path(config.broadcast.directory).expanduser()
        app = broadcast_app(directory)
        tasks["broadcast URL"] = Served("broadcast URL", app, config.broadcast.host, config.broadcast.port, notices).run
    if config.pairings is not None:
        told = config.event.pairings == AT_BROKER
        pairings = Pairings(config.pairings, config.game.round, notices, stations, told=told)
        pairings.look()
        tasks["pairings"] = pairings.run
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


def _livechess(config: Setup, table: LiveChessConfig, journal: Journal, notices: Notices) -> Task:
    from controller.outlets.livechess import LiveChess
    from controller.outlets.livechess_boards import Boards, Plugged

    tables = [
        {
            seat: Plugged(place.number, _source(place), place.number if isinstance(config, HallConfig) else None)
            for seat, place in each.places.items()
        }
        for each in config.tables
    ]
    return LiveChess(table, Boards(tables, journal, notices, table.hold_below), notices).run


def _source(place: Place) -> str:
    return Path(str(getattr(place.board, "port", place.board.__struct_config__.tag))).name


def _batteries(config: TableSetup, seat: BoardId | None) -> list[str]:
    """The notices on batteries that the board and its clock may give."""
    known: tuple[str, ...] = getattr(config.places[seat].board, "batteries", ())
    told = [about for about in known if about != "clock-battery" or config.event.clock is not None]
    return [f"{at('board', seat)}-{about}" for about in told]
