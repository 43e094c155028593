"""A game as the daemon holds it: the game itself, and what has to be remembered beside it to go on after a restart.

A game that was under way when the daemon stopped is taken up by replaying its inputs from the journal.
"""

import logging
import secrets
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import chess
import msgspec
from msgspec.structs import replace

from controller import contract as c
from controller.daemon.awaiting import Awaiting
from controller.daemon.dial import TimesLeft, TimesShown
from controller.daemon.foresight import Foresight
from controller.errors import JadoubeError, LogError
from controller.game import Game
from controller.journal import Record, unknown
from controller.laws.state import NS
from controller.match import game_of
from controller.outlets.mqtt.docket import Undoable
from controller.outlets.scoresheet import board_of, start
from controller.position import Position, uci
from controller.shown import SOMETHING, Shown
from controller.wire import UNREADABLE, decode_event, decode_input, encode

log = logging.getLogger(__name__)

FLAG_GRACE_MS = 30  #: a press sampled before the flag may arrive after it, and must be heard first
#: of events what an earlier version told otherwise, or not at all: how sure it was, what it may have been instead, and
#: what showed whether mate was possible
FIGURES = ("confidence", "others", "mating", "line")
#: of which events an earlier version did not tell when each piece was touched, and in what field
ADDED: dict[type, tuple[str, ...]] = {c.Touch: ("since_ms",), c.Claimed: ("touched_ms",)}
PULSE_MS = 10_000  #: while a clock runs, so much of its time at most is lost with the power


def new_name(started: datetime) -> str:
    """A name for a game that begins then, which no other has: a thousand boards begin in the same second."""
    return f"{started:%Y%m%d-%H%M%S}-{secrets.token_hex(6)}"


class PlayedBoard:
    """The board ``board_id`` of a match, or the only one: the ``game`` there, what it was told of the pieces, and how
    they should stand. Times are ms of the session. ``found``: as of :class:`LiveGame`.
    """

    def __init__(
        self, board_id: c.BoardId | None, session: c.Session, game: Game, found: Callable[[], None] | None
    ) -> None:
        self.game = game
        self.over = False  #: the game on this board
        self.foresight = Foresight(found)
        self.falls_ms: int | None = None  #: when the flag of the running clock may fall
        self._board_id = board_id
        self._senses, self._variant = session.senses, session.variant
        self._fen = start(session, board_id)  # after the last move made
        self.told = self.expected  #: what the game last heard of each square
        self.dead: dict[chess.Square, bool] = {}  #: the sensors that it does not believe; whether they opened since
        self._denied = set[chess.Square]()  # of these, those that denied the game when that was said
        self.amiss: dict[type[c.AnyEvent], c.AnyEvent] = {}  #: what it said last of what is amiss there, by its kind
        self._excused: set[chess.Square] | None = None  # since the last input, if asked

    # -- how the pieces stand ------------------------------------------------------------------------------------

    @property
    def expected(self) -> Shown:
        """What a perfect board would show after the last move made; not worked out while that move waits to be told."""
        return Shown.of(Position(self._board).symbols, self._senses)

    @property
    def _board(self) -> chess.Board:
        return board_of(self._fen, self._variant)

    def within_a_move(self, occupied: int) -> bool:
        """Whether a board may show this after the last move made, or after one more."""
        board = self._board
        if board.occupied == occupied:
            return True
        for move in board.legal_moves:
            board.push(move)
            same = board.occupied == occupied
            board.pop()
            if same:
                return True
        return False

    @property
    def mended(self) -> list[chess.Square]:
        """The sensors that it does not believe, and that have closed since; or that denied the game when that was said,
        and were right, as the game has found out."""
        if not self.dead:
            return []  # as nearly always
        right = self._denied.difference(self.game.denying)
        return [square for square, opened in self.dead.items() if (opened and self.told[square]) or square in right]

    @property
    def excused(self) -> set[chess.Square]:
        """The squares on which a piece need not be seen, for all that the game knows."""
        if self._excused is None:
            self._excused = self.game.excused
        return self._excused

    @property
    def displaced(self) -> set[chess.Square]:
        """The squares that it has said do not match it."""
        return self._said_of(c.Displaced)

    @property
    def disbelieved(self) -> set[chess.Square]:
        """The squares whose sensors it does not believe by what it has made of what they show."""
        return set() if self.over else self._said_of(c.Disbelieved)

    def _said_of(self, kind: type[c.Displaced | c.Disbelieved]) -> set[chess.Square]:
        said = self.amiss.get(kind)
        named = said.squares if isinstance(said, c.Displaced | c.Disbelieved) else ()
        return {chess.parse_square(square) for square in named}

    @property
    def stalled(self) -> bool:
        """Whether the score stands while play goes on."""
        return c.Stalled in self.amiss

    # -- what goes in and comes out ------------------------------------------------------------------------------

    def tell(self, item: c.AnyInput) -> None:
        """The game is told this, of this board or of the other one of a match."""
        self._excused = None
        if item.board != self._board_id:
            return
        if isinstance(item, c.Lift | c.Place):
            reading = "" if isinstance(item, c.Lift) else item.piece or SOMETHING
            self.told = self.told.having(chess.parse_square(item.square), reading)
        elif isinstance(item, c.Frame | c.Seen):
            self.told = Shown.of_input(item)
        for square, opened in self.dead.items():
            self.dead[square] = opened or not self.told[square]

    def judge(self, sensor: c.Sensor) -> None:
        """The game was told whether a sensor works."""
        square = chess.parse_square(sensor.square)
        self.dead.pop(square, None)
        self._denied.discard(square)
        if not sensor.works:
            self.dead[square] = not self.told[square]
            self._denied |= {square}.intersection(self.game.denying)

    def hear(self, event: c.AnyEvent) -> None:
        """The game says this, of this board, of the other one, or of the match."""
        if event.board not in (self._board_id, None):
            return
        if isinstance(event, c.Clock):
            left = event.white_ms if event.running == "white" else event.black_ms
            self.falls_ms = None if event.running is None else event.ms + left
            self.foresight.look(self.game.state, event)
        elif isinstance(event, c.Move | c.Retract):
            self._fen = event.fen
        elif isinstance(event, c.Result):
            self.over = event.status == "final"  # one that is taken back is proposed again
        elif isinstance(event, c.Match):
            self.over = True
        elif isinstance(event, c.Displaced | c.Stalled | c.Disbelieved):
            if not isinstance(event, c.Displaced) or event.shows:
                self.amiss[type(event)] = event
        elif isinstance(event, c.Restored | c.Followed):
            self.amiss.pop(c.Stalled, None)
            if isinstance(event, c.Restored):
                self.amiss.pop(c.Displaced, None)

    # -- what the game knows -------------------------------------------------------------------------------------

    def clocks(self, ms: int) -> TimesShown | None:
        """What the clocks show at ``ms``, as reckoned; None where there are none, or play does not go on."""
        s, left = self.game.state, self.left(ms)
        return None if s.clock is None or s.stopped or left is None else (*left, s.clock.running)

    def left(self, ms: int) -> TimesLeft | None:
        """What the clocks show at ``ms``, as reckoned; None where there are none, or the game is over."""
        s = self.game.state
        if s.clock is None or s.result is not None:
            return None
        return s.clock.remaining(c.WHITE, ms * NS) // NS, s.clock.remaining(c.BLACK, ms * NS) // NS

    @property
    def undone_next(self) -> Undoable | None:
        """What `undo` would take back; None where there is nothing."""
        last = self.game.undone_next
        if last is None or isinstance(last, c.Arbiter):
            return None if last is None else Undoable(last.ms, last)
        move = uci(last.move) if last.move else ""
        return Undoable(last.ms, None, last.side, move, last.illegal, last.before.board)


class LiveGame:
    """The game ``id``, or the match. Times are ms of its session.

    ``found``: called, in whatever thread, once :meth:`knows` may say yes where it said no; without it, it never does.
    Raises :exc:`LogError` for a session that cannot be played.
    """

    def __init__(self, id_: str, session: c.Session, found: Callable[[], None] | None = None) -> None:
        self.id = id_
        self.last_ms = 0  #: of the latest input
        self._game = game_of(session)
        games = (self._game,) if isinstance(self._game, Game) else self._game.games.values()
        board_ids: tuple[c.BoardId | None, ...] = (None,) if session.match is None else ("A", "B")
        by_board = dict(zip(board_ids, games, strict=True))
        self.awaiting = Awaiting(by_board)
        self.boards = {board_id: PlayedBoard(board_id, session, game, found) for board_id, game in by_board.items()}

    @property
    def over(self) -> bool:
        """Whether there is a final result, in a match on both boards or of the match as a whole."""
        return all(board.over for board in self.boards.values())

    @property
    def moves(self) -> int:
        """How many have been made, in a match on both boards together."""
        return sum(bool(made.move) for board in self.boards.values() for made in board.game.state.made)

    def handle(self, item: c.AnyInput) -> list[c.AnyEvent]:
        """What the game makes of an input. A defect there is logged, and must not take the board down with it."""
        self.last_ms = item.ms
        for board in self.boards.values():
            board.tell(item)
        try:
            events = self._game.handle(item)
        except Exception:
            log.exception("a defect in the rules, met with %s; the game goes on without it", encode(item).decode())
            events = []
        self.awaiting.look()
        if isinstance(item, c.Sensor):
            self.boards[item.board].judge(item)
        for event in events:
            for board in self.boards.values():
                board.hear(event)
        return events

    def knows(self, item: c.AnyInput) -> bool:
        """Whether the game can hear of ``item`` at once. What a resignation, a flag that fell or a loss that is upheld
        is worth may rest on who can still mate: where that is not known, it is being found out."""
        decides = isinstance(item, c.Resign | c.Claim | c.Arbiter) or any(item.ms >= ms for ms in self._flags)
        if self.over or not decides:
            return True
        return all([board.foresight.knows(board.game.asks(item)) for board in self.boards.values()])  # noqa: C419

    @property
    def _flags(self) -> list[int]:
        """When the running clocks may fall."""
        return [board.falls_ms for board in self.boards.values() if board.falls_ms is not None]

    def refusal(self, ruling: c.Arbiter | c.Choose) -> JadoubeError | None:
        """Why a ruling would change nothing, where it names what it answers, sets the record right, resumes play, takes
        something back, or gives a result, or a choice that says where the piece stands; None where it may be told."""
        answers = ruling.answers if isinstance(ruling, c.Arbiter) else None
        if answers is not None and (refused := self.awaiting.refusal(ruling.board, answers)) is not None:
            return refused
        return self.boards[ruling.board].game.refusal(ruling)

    def falls_due(self) -> tuple[int, int] | None:
        """When the game is to hear that time has passed: the time it is told, and when to tell it."""
        if self.over:
            return None
        deadline, pulse = self._game.deadline, self.last_ms + PULSE_MS
        if self._flags and (deadline is None or pulse < deadline):
            return pulse, pulse
        if deadline is None:
            return None
        flag = any(deadline >= falls for falls in self._flags)
        return max(deadline, self.last_ms), deadline + (FLAG_GRACE_MS if flag else 0)

    def replay(self, records: Iterable[Record]) -> int | None:
        """Goes through the journal's records of this game once more.

        Returns the first record that comes out otherwise, as after a change of the rules; None if all is the same. The
        game then goes on from what was told, at the end and wherever it was taken up before, as
        :mod:`controller.belief.told` has it.
        Raises :exc:`JournalError` for an input or an event of a later version.
        """
        expected: list[c.AnyEvent] = []
        told: list[c.Arbiter | Record] = []
        differs: int | None = None
        otherwise = False  # since it was taken up last
        seq = 0
        for record in records:
            seq = record.seq
            if record.kind == "input":
                item, same = _recorded(record), not expected
            else:
                item, same = None, record.kind == "game" or (bool(expected) and _is(expected.pop(0), record))
                told += [record] if record.kind == "event" else []
                if not same:
                    _known(record)
            if not same:
                otherwise, differs = True, differs or seq
            if otherwise and isinstance(item, c.Outage):
                self._take_up(told)
                otherwise = False
            if item is not None:
                told += [item] if isinstance(item, c.Arbiter) else []
                expected = self.handle(item)
        if otherwise or expected:
            self._take_up(told)
        return differs or (seq if expected else None)

    def _take_up(self, told: Iterable[c.Arbiter | Record]) -> None:
        """The game goes on from what was told of it and ruled on."""
        items = [item if isinstance(item, c.Arbiter) else decode_event(item.body) for item in told]
        for board_id, board in self.boards.items():
            here = [item for item in items if item.board == board_id or isinstance(item, c.Match)]
            board.game.take_up(here)
            results = [item.status for item in here if isinstance(item, c.Result)]
            board.over = results[-1:] == ["final"]
        for item in items:
            if isinstance(item, c.Match):
                for board in self.boards.values():
                    board.over = True


def _recorded(record: Record) -> c.AnyInput:
    """The input; play that was to be resumed was, or it would not stand there: earlier versions asked nobody."""
    try:
        item = decode_input(record.body)
    except LogError as error:
        raise unknown(record.seq, "input", error.what) from error
    return replace(item, insist=True) if isinstance(item, c.Arbiter) and item.do == "resume" else item


def _is(event: c.AnyEvent, record: Record) -> bool:
    """Whether the record holds that event; where it is from before events had an id, or a touch its time, but for that.
    How sure it was makes no other event of it: that follows from what sensors and hands are found to be like; nor what
    the clocks were proposed to show."""
    if encode(event) == record.body:
        return True
    try:
        told = msgspec.json.decode(record.body, type=dict[str, Any])
    except UNREADABLE:
        return False
    said = msgspec.to_builtins(event)
    unsaid = ["basis", *FIGURES] if isinstance(event, c.Move) else [*FIGURES]
    if isinstance(event, c.Displaced):
        unsaid += ["white_ms", "black_ms", *([] if event.shows else ["fen"])]
    unsaid += {"id", *ADDED.get(type(event), ())}.difference(told)
    return all(said.get(name) == told.get(name) for name in {*said, *told}.difference(unsaid))


def _known(record: Record) -> None:
    """An event that comes out otherwise is to be one at least."""
    try:
        decode_event(record.body)
    except LogError as error:
        raise unknown(record.seq, "event", error.what) from error
