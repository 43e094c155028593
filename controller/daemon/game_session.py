"""A game session: one game with its board, or a match with its two, live. Sensors and commands in, journal entries out.

It waits for nothing and opens nothing: time comes in with each call, in nanoseconds of :func:`time.monotonic_ns`, and
:attr:`GameSession.due_ns` says when it wants to be woken. The clock of a game taken up from the journal goes on from
the last recorded instant, so that nobody pays for the time in between.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime

import chess
from msgspec.structs import replace

from controller.config import TableSetup
from controller.contract import RULINGS, AnyInput, Arbiter, BoardId, Choose, Outage, Sensors, Time, Unseen
from controller.daemon.board_input import BoardInput, NextInput
from controller.daemon.commands import giver, read_command
from controller.daemon.next_game import NextGame
from controller.daemon.play import LiveGame, PlayedBoard, new_name
from controller.daemon.timeline import Timeline
from controller.errors import DeviceError, JadoubeError, JournalError, LogError
from controller.game_details import GameDetails
from controller.journal import Journal, Opening
from controller.outlets.mqtt.command import Fields
from controller.outlets.mqtt.docket import Open, Undoable
from controller.outlets.mqtt.topics import Begins, Phase
from controller.outlets.notices import Notices, at
from controller.pairing import PLAYERS, who_plays
from hardware.boards import (
    BoardReading,
    Change,
    ClockShown,
    Fault,
    FromDevice,
    LeverPress,
    Look,
    Recovered,
    Remark,
)

log = logging.getLogger(__name__)


class GameSession:
    """The boards on which one game is played, or one match. Raises :exc:`JournalError` for a journal out of reach."""

    def __init__(
        self,
        config: TableSetup,
        journal: Journal,
        notices: Notices,
        timeline: Timeline,
        now_ns: int,
        ask: Callable[[BoardId | None], None] = lambda _: None,
        found: Callable[[], None] | None = None,
    ) -> None:
        """``ask``: has a board looked at once more, as :meth:`hardware.boards.Driver.ask`. ``found``: called in another
        thread once what the session waited for has been found out, and it should be woken; without it, it finds that
        out at once."""
        self._config = config
        self._ask = ask
        self._found = found
        self.finding_out = False  #: who can still mate: until that is known, the game hears of nothing
        self._journal = journal
        self._notices = notices
        self._time = timeline
        self._boards = {board_id: BoardInput(board_id, config, timeline.speed, notices) for board_id in config.places}
        self._tags: dict[str, str] = {}  # of the last game, for PGN
        self._was_due: Mapping[str, str] = {}  # who was to play when the last game had begun
        self._next = NextGame(config, self._boards)
        self.sensors: Sensors | None = None  #: what the next session says of its board, where it was measured
        self._play = self._resume()
        self._offset = 0 if self._play is None else timeline.ms(now_ns) - self._play.last_ms  # of the session's ms 0
        self._tell_outage()

    @property
    def playing(self) -> bool:
        return self._play is not None and not self._play.over

    @property
    def seen(self) -> dict[BoardId | None, bool]:
        """Of each board, whether somebody sees it: it is not away, and has been looked at since."""
        return {board_id: board.seen for board_id, board in self._boards.items()}

    def awaiting(self, game: str, board_id: BoardId | None) -> Sequence[tuple[int, Open]]:
        """From which input of ``game`` on what awaited a ruling on that board; nothing for a game that is not on."""
        return self._play.awaiting.log[board_id] if self._play is not None and self._play.id == game else ()

    def undone_next(self, game: str, board_id: BoardId | None) -> Undoable | None:
        """What `undo` would take back on that board; None where there is nothing, or ``game`` is not on."""
        return self._play.boards[board_id].undone_next if self._play is not None and self._play.id == game else None

    def ns_of(self, ms: int) -> int:
        """When a time of the game in progress was, in ns of :func:`time.monotonic_ns`."""
        return self._time.ns(ms + self._offset)

    # -- what comes in -------------------------------------------------------------------------------------------

    def go_on(self, now_ns: int) -> None:
        """A game that was taken up goes on now: nobody pays for the time that others took to be set up."""
        if self._play is not None:
            self._offset = self._time.ms(now_ns) - self._play.last_ms

    def take(self, item: FromDevice, source: str = "board", board_id: BoardId | None = None) -> None:
        """Something from a driver of the board ``board_id``; ``source`` is what its notices are called."""
        ms, board, name = self._time.ms(item.ns), self._boards[board_id], at(source, board_id)
        match item:
            case Fault():
                if source == "board":
                    board.leave(ms)
                    self._hear(ms)
                self._notices.set(name, DeviceError(item.what, item.cause, item.next_step))
            case Recovered():
                if source == "board":
                    board.come_back()
                self._notices.clear(name)
            case Remark(about=about, what=""):
                self._notices.clear(f"{name}-{about}")
            case Remark(about=about):
                self._notices.set(f"{name}-{about}", DeviceError(item.what, item.cause, item.next_step))
            case LeverPress():
                look = None if item.looked is None else self._span(item.looked.began_ns, item.looked.ns)
                board.press(ms, item.side, look, self._of(board))
                self._hear(ms)
            case ClockShown():
                if board.dial is not None:
                    board.dial.heard(item)
                self._read_clock(board, item, ms)
            case Look():
                board.looked(*self._span(item.began_ns, item.ns))
                self._look(board, board.settle(ms, self._of(board)), ms)
            case BoardReading() | Change():
                changed = board.take(ms, item, self._of(board))
                if isinstance(item, BoardReading) and item.began_ns is not None:
                    board.looked(*self._span(item.began_ns, item.ns))
                self._look(board, changed, ms)
                self._watch(board, ms)
        self._ask_anew()

    def command(
        self, said: Fields, now_ns: int, board_id: BoardId | None = None, by: str | None = None
    ) -> "Future[int]":
        """Carries out a command that was given for ``board_id``, ``by`` whom if that is known, after all that came
        before it. The future holds the number of its record once that is safe; :exc:`LogError` if another game begins
        first.

        Raises :exc:`LogError` where it is malformed, or there is no game to which it could belong.
        """
        ms = self._time.ms(now_ns)
        item = read_command(said, 0, self._next.details, board_id, by)  # its time is that of its turn
        if isinstance(item, GameDetails):
            if self._play is not None and self.playing and self._play.moves and said.get("insist") is not True:
                what = f"a game is on, at ply {self._play.moves}, and it has no result"
                cause = "a slip, or its result was not given: as another game begins it would have none"
                raise LogError(what, cause, 'give its result; or give it up: {"type": "new-game", "insist": true}')
            self._next.command(item)
            who = giver(said, by)
            return self._begin(ms, None if who is None else str(who))
        board = self._boards[item.board]
        if not self.playing and self._next.begun_by(board, item, ms):
            return self._begin(ms)
        if self._play is None:
            waits = "the game begins with the press of the player without the move"
            cause = "the pieces do not stand at the start" if self._next.ready_since is None else waits
            raise LogError("there is no game yet", cause, 'to begin anyway: {"type": "new-game"}')
        done = board.command(ms, item, self._of(board))
        self._hear(ms)
        self._read_standing_clock(board, ms)
        self._ask_anew()
        return done

    @property
    def expected(self) -> dict[str, str]:
        """The PGN tags of the game that is played, else of the next one, as far as they are known."""
        return self._tags if self.playing else self._next.announced

    @property
    def idle(self) -> bool:
        """Whether the pairings in force have no game here, and nobody is named who plays."""
        return self._next.idle and not any(player in who_plays(self.expected) for player in PLAYERS)

    def superseded(self, game: str, tags: Mapping[str, str]) -> bool:
        """Whether others play here now, or will, than in ``game``, which had these ``tags`` and is over."""
        last = self._was_due if self._play is not None and self._play.id == game else who_plays(tags)
        now = who_plays(self.expected)
        return now != last and (self._next.pairing is not None or any(player in now for player in PLAYERS))

    @property
    def starts(self) -> dict[BoardId | None, str]:
        """What stands where on each board when the next game begins: the first field of a FEN."""
        return self._next.starts

    def standing(self, board_id: BoardId | None, game: str | None = None) -> str | None:
        """What stands on that board as in a FEN; None where a game is played there and tells it, and where nobody
        knows. ``game``: the last one that the asker has heard of; the journal may have yet to tell him of the next."""
        play = self._play
        told = play is not None and not play.over and game in (None, play.id)
        return None if told else self._boards[board_id].placement

    def phase(self, board_id: BoardId | None) -> Phase:
        """Whether a game is played, may begin and by what, or waits for pieces; as that board has it."""
        return Phase("playing") if self.playing else self._next.phase(board_id)

    def begins(self, board_id: BoardId | None) -> Begins:
        """By what the next game begins on that board, once the pieces stand ready."""
        return self._next.begins(board_id)

    def pair(self, tags: Mapping[str, str]) -> None:
        """Says who plays the next games, as PGN tags, where a command says nothing else."""
        self._next.pair(tags)

    def wake(self, now_ns: int) -> None:
        """Lets time pass."""
        now = self._time.ms(now_ns)
        for board in self._boards.values():
            board.remind(now)
            self._look(board, board.settle(now, self._of(board)), now)
        play = self._play
        falls = play.falls_due() if play is not None else None
        if play is not None and falls is not None and falls[1] + self._offset <= self._quiet(now):
            self._let_fall(play, falls[0])
        if (starts := self._starts_at) is not None and starts <= now:
            self._begin(now)
        for board in self._boards.values():
            self._watch(board, now)
            self._end_by_kings(board, now)
            self._read_standing_clock(board, now)
        self._ask_anew()

    def _end_by_kings(self, board: BoardInput, now: int) -> None:
        """Players may have said by their kings that their game is over."""
        if board.kings is None:
            return
        played = self._of(board)
        turn = "white" if played is None else played.game.state.turn.side
        for item in board.kings.ends(now, turn, self._session_ms(now)):
            if self.playing:
                log.info("the players say by their kings that the game is over")
                board.command(now, item, played)
                self._hear(now)

    def _read_clock(self, board: BoardInput, shown: ClockShown, ms: int) -> None:
        """An electronic clock is read, once nothing is waited for that came before."""
        self._next.clocks_s[board.board_id] = (shown.white_s, shown.black_s)
        play, played, dial = self._play, self._of(board), board.dial
        if play is None or played is None or dial is None or self._quiet(ms) < ms:
            return
        at_ms, name = self._session_ms(ms), at("clock times", board.board_id)
        if dial.is_to_be_set(shown, played.left(at_ms)):
            self._notices.set(name, dial.to_be_set)
        else:
            self._notices.clear(name)
        if (reading := dial.read(at_ms, board.board_id, shown, played.clocks(at_ms))) is not None:
            self._handle(play, reading)

    def _read_standing_clock(self, board: BoardInput, ms: int) -> None:
        """A clock that stands says so once: what it showed then it shows still."""
        if board.dial is not None and board.dial.stands is not None:
            self._read_clock(board, board.dial.stands, ms)

    def _clock_due(self, board: BoardInput) -> int | None:
        """When an electronic clock that stands, and says no more, is to be read; None where it is not."""
        if self._play is None or board.dial is None or board.dial.due_ms is None:
            return None
        due = board.dial.due_ms + self._offset
        return due if self._quiet(due) >= due else None  # else what is waited for is due itself

    def _ask_anew(self) -> None:
        """Has each board looked at of which that is wanted."""
        for board_id, board in self._boards.items():
            if board.wants_look:
                board.wants_look = False
                self._ask(board_id)

    @property
    def due_ns(self) -> int | None:
        """When :meth:`wake` will find something to do; None if only an input can change anything."""
        falls = self._play.falls_due() if self._play is not None else None
        game = falls[1] + self._offset if falls is not None else None
        if game is not None and (game > self._quiet(game) or any(board.awaits_look for board in self._boards.values())):
            game = None  # the reading, the press or the look comes first, and is due itself
        told = min((ms for board in self._boards.values() if (ms := board.next) is not None), default=None)
        if told is not None and told > self._unsettled(told):
            told = None  # likewise
        if self.finding_out:
            game = told = None
        boards = self._boards.values()
        due = [told, game, self._starts_at, *map(self._clock_due, boards), *(board.due for board in boards)]
        return self._time.ns(min(ms for ms in due if ms is not None)) if any(ms is not None for ms in due) else None

    # -- the sensors ---------------------------------------------------------------------------------------------

    def _unsettled(self, now: int) -> int:
        """Up to when no board can still show something."""
        return min(board.unsettled(now) for board in self._boards.values())

    def _quiet(self, now: int) -> int:
        """Up to when the game may be told that time has passed: a reading that has yet to hold came first, and so did
        what waits for it.
        """
        waiting = [ms for board in self._boards.values() if (ms := board.oldest) is not None]
        return min([self._unsettled(now), *waiting])

    def _let_fall(self, play: LiveGame, ms: int) -> None:
        """The game hears that it is ``ms``, once each board on which that may be an offence is known to stand so. One
        that says what it shows when it is asked may have changed meanwhile: there it is known of a move, too."""
        games = {board: play.boards[board_id].game for board_id, board in self._boards.items()}
        judged = {board: game.judges_at(ms, offences=not board.polled) for board, game in games.items()}
        if all(at is None or board.knows(at + self._offset) for board, at in judged.items()):
            time = Time(ms=ms)
            self.finding_out = not play.knows(time)
            if not self.finding_out:
                self._handle(play, time)

    def _look(self, board: BoardInput, changed: bool, now: int) -> None:
        """What a board shows, told as far as it is certain; and what was missed."""
        self._hear(now)
        if self._play is not None and not changed:
            self._catch_up(board, self._play, now)
        if board.whole and (changed or board.ready_since is None):
            self._next.watch(board, now, self._of(board), playing=self.playing)

    def _hear(self, now: int) -> None:
        """Tells what no board can still precede, in the order in which it happened."""
        quiet, self.finding_out = self._unsettled(now), False
        while told := {board_id: ms for board_id, board in self._boards.items() if (ms := board.next) is not None}:
            board_id = min(told, key=told.__getitem__)
            if told[board_id] > quiet:
                break
            board, play = self._boards[board_id], self._play
            if play is not None and not play.knows(board.next_input(self._session_ms)):
                self.finding_out = True
                break
            next_told = board.tell(self._of(board), self._session_ms)
            board.remind(now)
            self._hand_on(board, next_told)

    def _hand_on(self, board: BoardInput, told: NextInput) -> None:
        """To the game, where there is one; a press may begin it."""
        held, play = told.held, self._play
        if held is not None and held.number is None and not self.playing:
            if self._next.begun_by(board, held.item, held.ms):
                self._begin(told.ms)
        elif play is not None:
            if held is not None and (refusal := self._refusal(play, told.item)) is not None:
                held.refuse(refusal)
                return
            stored = self._handle(play, told.item)
            if held is not None:
                held.answer(stored)

    def _refusal(self, play: LiveGame, item: AnyInput) -> JadoubeError | None:
        """Why a ruling that names what it answers, sets the record right, resumes play, or takes something back is not
        told, or a choice that says where the piece stands: it would change nothing, or something else, as the game
        stands at that time."""
        if not isinstance(item, Arbiter | Choose):
            return None
        if isinstance(item, Choose) and item.square is None:
            return None
        if isinstance(item, Arbiter) and item.answers is None and not RULINGS[item.do].asked:
            return None
        self._handle(play, Time(ms=item.ms))
        return play.refusal(item)

    def _catch_up(self, board: BoardInput, play: LiveGame, now: int) -> None:
        """Tells in what a board on which a game has begun differs from the start."""
        for item in board.missed(play.boards[board.board_id], now, self._session_ms):
            self._handle(play, item)

    def _watch(self, board: BoardInput, now: int) -> None:
        """Names sensors that fail, and goes on without those that do not work."""
        for square in board.watch.look(now, self._of(board), behind=board.is_behind(now)):
            if self._play is not None:
                self._handle(self._play, board.sensor(self._session_ms(now), square, works=False))

    # -- beginning -----------------------------------------------------------------------------------------------

    @property
    def _starts_at(self) -> int | None:
        """When a game begins of itself, in ms of the daemon."""
        return None if self.playing else self._next.starts_at

    def _begin(self, ms: int, by: str | None = None) -> "Future[int]":
        config, started = self._config, datetime.now().astimezone()
        details = self._next.draw()
        opening = Opening(
            game=new_name(started),
            venue=config.event.venue,
            board=config.numbers,
            started=started.isoformat(timespec="seconds"),
            tags=self._next.tags,
            session=replace(config.session(details), sensors=self.sensors),
            by=by,
        )
        dead = {board_id: self._dead(board, ms) for board_id, board in self._boards.items()}
        self._play = play = LiveGame(opening.game, opening.session, self._found)
        self._tags = opening.tags
        self._offset, self._next.cleared = ms, False
        self._notices.clear("recovery")
        log.info("game %s begins", opening.game)
        self._next.prepare(config.game)
        self._was_due = who_plays(self._next.announced)
        future = self._journal.begin(opening)
        for board in self._boards.values():
            board.begin()
            for square in dead[board.board_id]:
                self._handle(play, board.sensor(0, square, works=False))
            if board.frames:
                self._handle(play, board.frame(ms))
            else:
                self._handle(play, Time(ms=0, board=board.board_id))
            if not board.seen:
                self._handle(play, Unseen(ms=0, board=board.board_id))
        return future

    def _dead(self, board: BoardInput, began: int) -> list[chess.Square]:
        """The squares whose sensors the game that begins at ``began`` is not to believe: the last one did not, or a
        piece that stands there is not seen."""
        last = self._of(board)
        return sorted({*board.not_seen(began), *(last.dead if last is not None else ())})

    def _resume(self) -> LiveGame | None:
        """The last game as the journal has it."""
        opening = self._journal.last_game(self._config.numbers)
        if opening is None:
            return None
        self._tags = opening.tags
        self._was_due = who_plays(opening.tags)
        play = LiveGame(opening.game, opening.session, self._found)
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
        if not play.over:
            self._hear_what_is_amiss(play)
        return play

    def _hear_what_is_amiss(self, play: LiveGame) -> None:
        for board_id, board in self._boards.items():
            for event in play.boards[board_id].amiss.values():
                board.watch.hear(event)

    def _tell_outage(self) -> None:
        """A game that goes on was not looked at since the journal was last written to."""
        play, written = self._play, self._journal.last_written
        if play is not None and not play.over:
            away_s = datetime.now().timestamp() - written if written is not None else -1
            away_ms = round(1000 * away_s) if away_s >= 0 else None  # a Pi without a network may be years behind
            for board_id in self._boards:
                self._handle(play, Outage(ms=play.last_ms, board=board_id, away_ms=away_ms))
                self._handle(play, Unseen(ms=play.last_ms, board=board_id))

    # -- the game ------------------------------------------------------------------------------------------------

    def _of(self, board: BoardInput) -> PlayedBoard | None:
        return None if self._play is None else self._play.boards[board.board_id]

    def _span(self, began_ns: int, ended_ns: int) -> tuple[int, int]:
        """When a look began and ended."""
        return self._time.ms(began_ns), self._time.ms(ended_ns)

    def _session_ms(self, ms: int) -> int:
        """What a time of the daemon is in the game that is played, which never goes back; without one it stays."""
        return ms if self._play is None else max(self._play.last_ms, ms - self._offset)

    def _handle(self, play: LiveGame, item: AnyInput) -> "Future[int]":
        """Tells the game, and after it which sensors are to be believed again."""
        future = self._tell(play, item)
        for board in self._boards.values():
            for square in play.boards[board.board_id].mended:
                self._tell(play, board.sensor(play.last_ms, square, works=True))
        return future

    def _tell(self, play: LiveGame, item: AnyInput) -> "Future[int]":
        was_over, dial = play.over, self._boards[item.board].dial if isinstance(item, Arbiter) else None
        before = None if dial is None else play.boards[item.board].left(item.ms)
        events = play.handle(item)
        after = None if before is None else play.boards[item.board].left(item.ms)
        if dial is not None and before is not None and after is not None:
            dial.ruled(before, after)
        future = self._journal.append(play.id, item, events)
        for event in events:
            for board in self._boards.values():
                if event.board == board.board_id:
                    board.watch.hear(event)
        if play.over and not was_over:
            log.info("game %s is over", play.id)
            for board in self._boards.values():
                board.watch.begin()
        elif was_over and not play.over:
            self._hear_what_is_amiss(play)
        return future
