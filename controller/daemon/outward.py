"""What only some have: LiveChess, broadcast, Lichess, Home Assistant, a webhook, pairings. What the configuration does
not name is not loaded: together these take 9 MB.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path

from controller.config import Config, DoubleConfig, Setup
from controller.contract import BoardId
from controller.daemon.delayed import Public
from controller.daemon.pairings import Pairings
from controller.daemon.table import Table
from controller.journal import Journal
from controller.outlets.notices import Notices, at
from controller.outlets.settings import BroadcastConfig, LiveChessConfig

Task = Callable[[], Awaitable[None]]


class Outward:
    """What is to be kept running for them. Raises :exc:`ConfigError` for a secret that cannot be read."""

    def __init__(self, config: Setup, journal: Journal, past: Public, notices: Notices, table: Table) -> None:
        self.tasks: dict[str, Task] = {}  #: by their names
        self.posting: dict[str, Task] = {}  #: those among them that an orderly stop waits for, by their cursors
        self._journal = journal
        self._notices = notices
        self._past = past
        self._numbers = {seat: place.number for seat, place in config.places.items()}
        if config.webhook is not None:
            from controller.outlets.webhook import Webhook

            for seat in config.places:
                name = at("webhook", seat)
                self.posting[name] = Webhook(config.webhook, config.numbers, seat, journal, notices, name).run
        if config.homeassistant is not None and config.mqtt is not None:
            from controller.outlets.homeassistant import HomeAssistant

            boards = {place.number: _batteries(config, seat) for seat, place in config.places.items()}
            self.tasks["homeassistant"] = HomeAssistant(
                config.homeassistant, config.mqtt, config.event.venue, boards, notices
            ).run
        if config.livechess is not None:
            self._livechess(config, config.livechess)
        if config.broadcast is not None:
            self._broadcast(config, config.broadcast)
        if isinstance(config, Config) and config.lichess is not None:
            from controller.outlets.lichess import Lichess

            self.tasks["lichess"] = Lichess(
                config.lichess, config.numbers, self._past.journal, notices, config.hold_below
            ).run
        if config.event.pairings is not None:
            path = Path(config.event.pairings).expanduser()
            pairings = Pairings(path, self._numbers, config.game.round, notices, table.pair)
            pairings.look()
            self.tasks["pairings"] = pairings.run

    def _livechess(self, config: Setup, table: LiveChessConfig) -> None:
        from controller.outlets.livechess import LiveChess
        from controller.outlets.livechess_boards import Boards, Plugged

        boards = {
            seat: Plugged(place.number, Path(str(getattr(place.board, "port", place.board.__struct_config__.tag))).name)
            for seat, place in config.places.items()
        }
        self.tasks["livechess"] = LiveChess(
            table, Boards(boards, self._journal, self._notices, table.hold_below), self._notices
        ).run

    def _broadcast(self, config: Setup, table: BroadcastConfig) -> None:
        from controller.outlets.broadcast import MATCHES, Broadcast, games

        past, directory = self._past.journal, Path(table.directory).expanduser()
        if isinstance(config, DoubleConfig):
            match = int(config.event.match)
            self.tasks["broadcast"] = Broadcast(table, config.numbers, match, past, self._notices, MATCHES).run
        else:
            board = int(config.numbers)
            self.tasks["broadcast"] = Broadcast(
                table, config.numbers, board, past, self._notices, games(config.hold_below)
            ).run
        if table.port is not None:
            from controller.outlets.broadcast_web import broadcast_app
            from controller.outlets.serving import Served

            served = Served("broadcast URL", broadcast_app(directory), table.host, table.port, self._notices)
            self.tasks["broadcast URL"] = served.run


def _batteries(config: Setup, seat: BoardId | None) -> list[str]:
    """The notices on batteries that the board and its clock may give."""
    known: tuple[str, ...] = getattr(config.places[seat].board, "batteries", ())
    told = [about for about in known if about != "clock-battery" or config.event.clock is not None]
    return [f"{at('board', seat)}-{about}" for about in told]
