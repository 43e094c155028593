"""What only some have: LiveChess, broadcast, Lichess, Home Assistant, a webhook, pairings. What the configuration does
not name is not loaded: together these take 9 MB.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path

from controller.config import Config, Setup
from controller.daemon.pairings import Pairings
from controller.daemon.table import Table
from controller.journal import Journal
from controller.outlets.delay import Past
from controller.outlets.follow import Readable
from controller.outlets.notices import Notices, at

Task = Callable[[], Awaitable[None]]


class Outward:
    """What is to be kept running for them. Raises :exc:`ConfigError` for a secret that cannot be read."""

    def __init__(self, config: Setup, journal: Journal, notices: Notices, table: Table) -> None:
        self.tasks: dict[str, Task] = {}  #: by their names
        self.posting: dict[str, Task] = {}  #: those among them that an orderly stop waits for, by their cursors
        self._journal = journal
        self._notices = notices
        self._past: Readable | None = None
        if config.webhook is not None:
            from controller.outlets.webhook import Webhook

            for seat in config.places:
                name = at("webhook", seat)
                self.posting[name] = Webhook(config.webhook, config.numbers, seat, journal, notices, name).run
        if config.homeassistant is not None and config.mqtt is not None:
            from controller.outlets.homeassistant import HomeAssistant

            numbers = [place.number for place in config.places.values()]
            self.tasks["homeassistant"] = HomeAssistant(
                config.homeassistant, config.mqtt, config.event.venue, numbers, notices
            ).run
        if isinstance(config, Config):
            self._of_one_board(config)
            if config.event.pairings is not None:
                path = Path(config.event.pairings).expanduser()
                pairings = Pairings(path, config.event.board, config.game.round, notices, table.pair)
                pairings.look()
                self.tasks["pairings"] = pairings.run

    def _of_one_board(self, config: Config) -> None:
        number = config.event.board
        if config.livechess is not None:
            from controller.outlets.livechess import LiveChess

            source = str(getattr(config.board, "port", config.board.__struct_config__.tag))
            self.tasks["livechess"] = LiveChess(config.livechess, number, source, self._journal, self._notices).run
        if config.broadcast is not None:
            from controller.outlets.broadcast import Broadcast

            self.tasks["broadcast"] = Broadcast(config.broadcast, number, self._public(config), self._notices).run
            if config.broadcast.port is not None:
                from controller.outlets.broadcast_web import broadcast_app
                from controller.outlets.serving import Served

                app = broadcast_app(Path(config.broadcast.directory).expanduser())
                served = Served("broadcast URL", app, config.broadcast.host, config.broadcast.port, self._notices)
                self.tasks["broadcast URL"] = served.run
        if config.lichess is not None:
            from controller.outlets.lichess import Lichess

            self.tasks["lichess"] = Lichess(config.lichess, number, self._public(config), self._notices).run

    def _public(self, config: Config) -> Readable:
        """The journal as the public may read it."""
        if self._past is None:
            self._past = self._journal
            if config.event.delay_min:
                self._past = past = Past(self._journal, config.numbers, config.event.delay_min)
                self.tasks["delay"] = past.run
        return self._past
