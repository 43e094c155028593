"""The table: one board with the game that is played on it, live. Sensors and commands in, journal entries out.

It waits for nothing and opens nothing: time comes in with each call, in nanoseconds of :func:`time.monotonic_ns`, and
:attr:`Table.due_ns` says when it wants to be woken. The clock of a game taken up from the journal goes on from the last
recorded instant, so that nobody pays for the time in between.
"""

import logging
import secrets
from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime

import chess

from controller.config import Config, GameConfig
from controller.contract import AnyInput, Frame, Lift, Place, Press, Senses, Side, Time
from controller.daemon.commands import read_command
from controller.daemon.play import Play
from controller.daemon.presses import Presses
from controller.daemon.sensed import SOMETHING, Edge, Sensed, shown_at
from controller.daemon.timeline import Timeline
from controller.daemon.watch import Watch, names
from controller.errors import DeviceError, JournalError, LogError
from controller.journal import Journal, Opening
from controller.outlets.notices import Notices
from hardware.boards import Change, Fault, Item, LeverPress, Reading, Recovered, Remark
from hardware.boards.matrix import MatrixConfig

log = logging.getLogger(__name__)


class Table:
    """One board of the event. Raises :exc:`JournalError` where the journal cannot be read."""

    def __init__(self, config: Config, journal: Journal, notices: Notices, timeline: Timeline, now_ns: int) -> None:
        self._config = config
        self._journal = journal
        self._notices = notices
        self._time = timeline
        debounce_ms = config.event.settings.debounce_ms
        self._sensed = Sensed(debounce_ms, config.board.senses)
        self._presses = Presses(0 if self._senses == "identity" else debounce_ms)
        self._watch = Watch(self._sensed, notices)
        self._haunted = False  # what the board shows is kept from the game
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

    def take(self, item: Item, source: str = "board") -> None:
        """Something from a driver; ``source`` is what its notices are called."""
        ms = self._time.ms(item.ns)
        match item:
            case Fault():
                self._notices.set(source, DeviceError(item.what, item.cause, item.next_step))
            case Recovered():
                self._notices.clear(source)
            case Remark(about=about, what=""):
                self._notices.clear(f"{source}-{about}")
            case Remark(about=about):
                self._notices.set(f"{source}-{about}", DeviceError(item.what, item.cause, item.next_step))
            case LeverPress():
                self._presses.add(ms, item.side)
                self._hear_presses(ms)
            case Reading() | Change():
                self._show(self._sensed.take(ms, item), ms)
                self._hear_presses(ms)
                self._watch.look(ms, self._play)

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
        now = self._time.ms(now_ns)
        self._show(self._sensed.settle(now), now)
        self._hear_presses(now)
        play = self._play
        if play is not None and (falls := play.falls_due()) is not None and falls[1] + self._offset <= self._quiet(now):
            self._handle(play, Time(ms=falls[0]))
        if (starts := self._starts_at) is not None and starts <= now:
            self._begin(now)
        self._watch.look(now, self._play)

    @property
    def due_ns(self) -> int | None:
        """When :meth:`wake` will find something to do; None if only an input can change anything."""
        falls = self._play.falls_due() if self._play is not None else None
        game = falls[1] + self._offset if falls is not None else None
        if game is not None and game > self._quiet(game):
            game = None  # the reading or the press comes first, and is due itself
        press = self._presses.due
        if press is not None and press > self._sensed.quiet_until(press):
            press = None  # likewise
        due = (self._sensed.due, press, game, self._starts_at, self._watch.due)
        return self._time.ns(min(ms for ms in due if ms is not None)) if any(ms is not None for ms in due) else None

    def _quiet(self, now: int) -> int:
        """Up to when the game may be told that time has passed: a reading that has yet to hold came first, and so did
        a press that waits for it.
        """
        quiet, press = self._sensed.quiet_until(now), self._presses.first
        return quiet if press is None else min(quiet, press)

    # -- the sensors ---------------------------------------------------------------------------------------------

    def _show(self, edges: Sequence[Edge], now: int) -> None:
        if not self._sensed.whole:
            return
        if self._play is not None and isinstance(self._config.board, MatrixConfig):
            before, self._haunted = self._haunted, self._watch.haunted(edges, self._play)
            if self._haunted:
                return
            edges = () if before else edges  # with what was kept from the game meanwhile, below
        for edge in edges:
            self._hear_presses(edge.ms)
            self._tell(edge)
        if not edges and self._play is not None and self._sensed.due is None:
            self._catch_up(self._play, now)
        if edges or self._ready_since is None:
            self._watch_start(now)

    def _tell(self, edge: Edge) -> None:
        if self._play is not None:
            square, ms = chess.square_name(edge.square), self._session_ms(self._play, edge.ms)
            piece = None if edge.shown == SOMETHING else edge.shown
            item = Place(ms=ms, square=square, piece=piece) if edge.shown else Lift(ms=ms, square=square)
            self._handle(self._play, item)

    def _catch_up(self, play: Play, now: int) -> None:
        """Tells what changed while nobody looked: before a restart of the daemon, or before the board was plugged in.

        A board that sees occupancy only is compared as a whole; one that sees more says which came and went.
        """
        missed = self._sensed.differs(play.told)
        if missed and self._senses == "occupancy":
            self._handle(play, self._frame(self._session_ms(play, now)))
        elif missed:
            edges = [Edge(now, square, self._sensed.shown[square]) for square in missed]
            for edge in sorted(edges, key=lambda edge: edge.shown):
                self._tell(edge)

    def _frame(self, ms: int) -> Frame:
        occupied = sum(chess.BB_SQUARES[square] for square in chess.SQUARES if self._sensed.shown[square])
        return Frame(ms=ms, occupied=f"{occupied:016x}")

    def _watch_start(self, now: int) -> None:
        """Notes since when the men have stood ready for a new game, and says what is missing for the first."""
        missing = self._sensed.differs(shown_at(self._start, self._senses))
        self._ready_since = None if missing else now
        self._cleared = self._cleared or bool(missing)
        if missing and self._play is None:
            what = f"the start position is not on the board: {names(missing)}"
            cause = "men still to be set up; or, where a man does stand, a magnet or sensor that fails"
            self._notices.set("start", DeviceError(what, cause, "set the men up; exchange a man that is not seen"))
        elif not missing and not self.playing and self._waits_for_press:
            log.info("the men stand ready; the game begins with the press of the player without the move")
            self._notices.clear("start")

    @property
    def _senses(self) -> Senses:
        return self._config.board.senses

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

    def _hear_presses(self, now: int) -> None:
        for held in self._presses.ripe(self._sensed.quiet_until(now)):
            if self._play is not None and not self._play.over:
                self._handle(self._play, Press(ms=self._session_ms(self._play, held.ms), side=held.side))
            elif self._starts_clock(held.side):
                self._begin(held.ms)

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
        self._watch.begin()
        for source in ("start", "recovery"):
            self._notices.clear(source)
        log.info("game %s begins", opening.game)
        self._prepare(config.game)
        future = self._journal.begin(opening)
        if self._senses == "occupancy" and self._sensed.whole:
            self._handle(play, self._frame(0))
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
            self._watch.hear(event)
        if play.over and not was_over:
            log.info("game %s is over", play.id)
        return future


def _position(game: GameConfig) -> chess.Board:
    return chess.Board() if game.fen == "startpos" else chess.Board(game.fen)
