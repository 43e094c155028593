"""The table: one board with the game that is played on it, live. Sensors and commands in, journal entries out.

It waits for nothing and opens nothing: time comes in with each call, in nanoseconds of :func:`time.monotonic_ns`, and
:attr:`Table.due_ns` says when it wants to be woken. The clock of a game taken up from the journal goes on from the last
recorded instant, so that nobody pays for the time in between.
"""

import logging
import secrets
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from datetime import datetime

import chess

from controller.config import Config, GameConfig
from controller.contract import AnyEvent, AnyInput, Displaced, Frame, Lift, Place, Press, Restored, Side, Time
from controller.daemon.commands import read_command
from controller.daemon.play import Play
from controller.daemon.sensed import SOMETHING, Edge, Sensed, shown_at
from controller.daemon.timeline import Timeline
from controller.errors import DeviceError, JournalError, LogError
from controller.journal import Journal, Opening
from controller.outlets.notices import Notices
from hardware.boards import Change, Fault, Item, LeverPress, Reading, Recovered

log = logging.getLogger(__name__)


class Table:
    """One board of the event. Raises :exc:`JournalError` where the journal cannot be read."""

    def __init__(self, config: Config, journal: Journal, notices: Notices, timeline: Timeline, now_ns: int) -> None:
        self._config = config
        self._journal = journal
        self._notices = notices
        self._time = timeline
        self._sensed = Sensed(config.event.settings.debounce_ms)
        self._next = config.game  #: what the next game will be
        self._start = _position(self._next)
        self._ready_since: int | None = None
        self._cleared = True  # the men have been away from the start since the last game began
        self._play = self._resume()
        self._offset = 0 if self._play is None else timeline.ms(now_ns) - self._play.last_ms  # of the session's ms 0

    @property
    def playing(self) -> bool:
        """Whether there is a game that is not over."""
        return self._play is not None and not self._play.over

    # -- what comes in -------------------------------------------------------------------------------------------

    def take(self, item: Item) -> None:
        """Something from the board's driver."""
        ms = self._time.ms(item.ns)
        match item:
            case Fault():
                self._notices.set("board", DeviceError(item.what, item.cause, item.next_step))
            case Recovered():
                self._notices.clear("board")
            case LeverPress():
                self._press(ms, item.side)
            case Reading() | Change():
                self._show(self._sensed.take(ms, item), ms)
                self._watch_sensors()

    def command(self, payload: bytes, now_ns: int) -> "Future[int]":
        """Carries out a command; the future holds the number of its record once that is safe.

        Raises :exc:`LogError` where it is malformed, or there is no game to which it could belong.
        """
        ms, play = self._time.ms(now_ns), self._play
        item = read_command(payload, 0 if play is None else self._session_ms(play, ms), self._next)
        if isinstance(item, GameConfig):
            self._prepare(item)
            return self._begin(ms)
        if isinstance(item, Press) and not self.playing and self._starts_clock(item.side):
            return self._begin(ms)
        if play is None:
            cause, remedy = "the men do not stand at the start", 'to begin anyway: {"type": "new-game"}'
            raise LogError("there is no game yet", cause, remedy)
        return self._handle(play, item)

    def wake(self, now_ns: int) -> None:
        """Lets time pass."""
        now, play = self._time.ms(now_ns), self._play
        self._show(self._sensed.settle(now), now)
        # Never past a reading that has yet to hold: that came first.
        until = self._sensed.quiet_until(now) - self._offset
        if play is not None and (falls := play.falls_due()) is not None and falls[1] <= until:
            self._handle(play, Time(ms=falls[0]))
        if (starts := self._starts_at) is not None and starts <= now:
            self._begin(now)

    @property
    def due_ns(self) -> int | None:
        """When :meth:`wake` will find something to do; None if only an input can change anything."""
        falls = self._play.falls_due() if self._play is not None else None
        game = falls[1] + self._offset if falls is not None else None
        if game is not None and game > self._sensed.quiet_until(game):
            game = None  # the reading comes first, and is due itself
        due = [ms for ms in (self._sensed.due, game, self._starts_at) if ms is not None]
        return self._time.ns(min(due)) if due else None

    # -- the sensors ---------------------------------------------------------------------------------------------

    def _show(self, edges: Sequence[Edge], now: int) -> None:
        if not self._sensed.whole:
            return
        if self._play is not None:
            for edge in edges or self._untold(self._play, now):
                square, ms = chess.square_name(edge.square), self._session_ms(self._play, edge.ms)
                piece = None if edge.shown == SOMETHING else edge.shown
                item = Place(ms=ms, square=square, piece=piece) if edge.shown else Lift(ms=ms, square=square)
                self._handle(self._play, item)
        if edges or self._ready_since is None:
            self._watch_start(now)

    def _untold(self, play: Play, now: int) -> Iterable[Edge]:
        """What changed while nobody looked: before a restart of the daemon, or before the board was plugged in."""
        if self._sensed.due is not None:
            return ()
        edges = [Edge(now, square, self._sensed.shown[square]) for square in self._sensed.differs(play.told)]
        return sorted(edges, key=lambda edge: edge.shown)

    def _watch_start(self, now: int) -> None:
        """Notes since when the men have stood ready for a new game, and says what is missing for the first."""
        missing = self._sensed.differs(shown_at(self._start, self._identity))
        self._ready_since = None if missing else now
        self._cleared = self._cleared or bool(missing)
        if missing and self._play is None:
            what = f"the start position is not on the board: {_names(missing)}"
            cause = "men still to be set up; or, where a man does stand, a magnet or sensor that fails"
            self._notices.set("start", DeviceError(what, cause, "set the men up; exchange a man that is not seen"))
        elif not missing and not self.playing and self._waits_for_press:
            log.info("the men stand ready; the game begins with the press of the player without the move")
            self._notices.clear("start")

    def _watch_sensors(self) -> None:
        if not self._sensed.flickering:
            self._notices.clear("sensor")
            return
        what = f"a sensor flickers: {_names(sorted(self._sensed.flickering))}"
        cause = "a weak magnet, a man off the middle of its square, or a loose wire"
        self._notices.set("sensor", DeviceError(what, cause, "exchange the man; if that does not help, check the wire"))

    @property
    def _identity(self) -> bool:
        return self._config.board.senses == "identity"

    # -- beginning -----------------------------------------------------------------------------------------------

    @property
    def _starts_at(self) -> int | None:
        """When a game begins of itself, in ms of the daemon."""
        if self.playing or self._ready_since is None or not self._cleared or self._waits_for_press:
            return None
        return self._ready_since + round(self._config.start.ready_s * 1000)

    @property
    def _waits_for_press(self) -> bool:
        return self._config.event.clock is not None and self._config.start.by == "press"

    def _starts_clock(self, side: Side) -> bool:
        """Whether a press by ``side`` starts the opponent's clock, and the game with it."""
        waiting: Side = "black" if self._start.turn == chess.WHITE else "white"
        return side == waiting and self._ready_since is not None

    def _press(self, ms: int, side: Side) -> None:
        if self._play is not None and not self._play.over:
            self._handle(self._play, Press(ms=self._session_ms(self._play, ms), side=side))
        elif self._starts_clock(side):
            self._begin(ms)

    def _prepare(self, game: GameConfig) -> None:
        self._next, self._start = game, _position(game)

    def _begin(self, ms: int) -> "Future[int]":
        config, started = self._config, datetime.now().astimezone()
        opening = Opening(
            game=f"{started:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
            venue=config.event.venue,
            board=config.event.board,
            started=started.isoformat(timespec="seconds"),
            tags=self._next.all_tags(),
            session=config.session(self._next),
        )
        self._play = play = Play(opening.game, opening.session)
        self._offset, self._cleared = ms, False
        for source in ("start", "position", "recovery"):
            self._notices.clear(source)
        log.info("game %s begins", opening.game)
        self._prepare(config.game)
        future = self._journal.begin(opening)
        if not self._identity and self._sensed.whole:
            occupied = sum(chess.BB_SQUARES[square] for square in chess.SQUARES if self._sensed.shown[square])
            self._handle(play, Frame(ms=0, occupied=f"{occupied:016x}"))
        else:
            self._handle(play, Time(ms=0))
        return future

    def _resume(self) -> Play | None:
        """The last game as the journal has it."""
        opening = self._journal.last_game(self._config.event.board)
        if opening is None:
            return None
        play = Play(opening.game, opening.session)
        differs = play.replay(self._journal.game(opening.game))
        if differs is not None:
            what = (
                f"the rules make something else of game {opening.game} than the journal says, from record {differs} on"
            )
            cause = "it was recorded by another version of jadoube"
            self._notices.set(
                "recovery", JournalError(what, cause, "compare with the scoresheets; the journal keeps both")
            )
        log.info("game %s %s", play.id, "is over" if play.over else "goes on where it was")
        return play

    # -- the game ------------------------------------------------------------------------------------------------

    def _session_ms(self, play: Play, ms: int) -> int:
        return max(play.last_ms, ms - self._offset)

    def _handle(self, play: Play, item: AnyInput) -> "Future[int]":
        was_over = play.over
        events = play.handle(item)
        future = self._journal.append(play.id, item, events)
        for event in events:
            self._notice(event)
        if play.over and not was_over:
            log.info("game %s is over", play.id)
        return future

    def _notice(self, event: AnyEvent) -> None:
        if isinstance(event, Displaced):
            what = f"the board does not match the game: {' '.join(event.squares)}"
            cause = "a man knocked over or standing elsewhere, or a sensor that fails"
            self._notices.set("position", DeviceError(what, cause, "put the men as the game has them"))
        elif isinstance(event, Restored):
            self._notices.clear("position")


def _position(game: GameConfig) -> chess.Board:
    return chess.Board() if game.fen == "startpos" else chess.Board(game.fen)


def _names(squares: Iterable[chess.Square]) -> str:
    return " ".join(chess.square_name(square) for square in squares)
