"""A game as the daemon holds it: the game itself, and what has to be remembered beside it to go on after a restart.

A game that was under way when the daemon stopped is taken up by replaying its inputs from the journal.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import chess
import msgspec
from msgspec.structs import replace

from controller.contract import (
    BLACK,
    WHITE,
    AnyEvent,
    AnyInput,
    Arbiter,
    BoardId,
    Claim,
    Claimed,
    Clock,
    Frame,
    Lift,
    Match,
    Move,
    Outage,
    Place,
    Resign,
    Result,
    Retract,
    Seen,
    Senses,
    Sensor,
    Session,
    Side,
    Touch,
    Variant,
)
from controller.daemon.awaiting import Awaiting
from controller.daemon.dial import Clocks, Left
from controller.daemon.foresight import Foresight
from controller.errors import JadoubeError, LogError
from controller.game import Game
from controller.journal import Record, unknown
from controller.laws.state import NS
from controller.match import game_of
from controller.outlets.docket import Undoable
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
ADDED: dict[type, tuple[str, ...]] = {Touch: ("since_ms",), Claimed: ("touched_ms",)}
PULSE_MS = 10_000  #: while a clock runs, so much of its time at most is lost with the power


class BoardMirror:
    """How the pieces of one board stand in the game, from ``fen`` on, and what it was told of them."""

    def __init__(self, fen: str, senses: Senses, variant: Variant) -> None:
        self.over = False  #: the game on this board
        self._senses = senses
        self._fen, self._variant = fen, variant  # after the last move made
        self.told = self.expected  #: what the game last heard of each square
        self.dead: dict[chess.Square, bool] = {}  #: the sensors that it does not believe; whether they opened since

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
        """The sensors that it does not believe, and that have closed since."""
        return [square for square, opened in self.dead.items() if opened and self.told[square]]

    def tell(self, item: AnyInput) -> None:
        """The game is told this."""
        if isinstance(item, Lift | Place):
            reading = "" if isinstance(item, Lift) else item.piece or SOMETHING
            self.told = self.told.having(chess.parse_square(item.square), reading)
        elif isinstance(item, Frame | Seen):
            self.told = Shown.told(item)
        elif isinstance(item, Sensor):
            square = chess.parse_square(item.square)
            if item.works:
                self.dead.pop(square, None)
            else:
                self.dead[square] = not self.told[square]
        for square, opened in self.dead.items():
            self.dead[square] = opened or not self.told[square]

    def hear(self, event: AnyEvent) -> None:
        """The game says this."""
        if isinstance(event, Move | Retract):
            self._fen = event.fen
        elif isinstance(event, Result):
            self.over = event.status == "final"  # one that is taken back is proposed again
        elif isinstance(event, Match):
            self.over = True


class LiveGame:
    """The game ``id``, or the match. Times are ms of its session.

    ``found``: called, in whatever thread, once :meth:`knows` may say yes where it said no; without it, it never does.
    Raises :exc:`LogError` for a session that cannot be played.
    """

    def __init__(self, id_: str, session: Session, found: Callable[[], None] | None = None) -> None:
        board_ids: tuple[BoardId | None, ...] = (None,) if session.match is None else ("A", "B")
        self.id = id_
        self.last_ms = 0  #: of the latest input
        self.boards = {
            board_id: BoardMirror(start(session, board_id), session.senses, session.variant) for board_id in board_ids
        }
        self._game = game_of(session)
        self.awaiting = Awaiting(self._game)
        games = (self._game,) if isinstance(self._game, Game) else tuple(self._game.games.values())
        self._games = dict(zip(board_ids, games, strict=True))
        self.foresight = {board_id: Foresight(found) for board_id in board_ids}
        self._excused: dict[BoardId | None, set[chess.Square]] = {}  # since the last input, as far as asked
        self._flags: dict[BoardId | None, int] = {}  # when the running clocks may fall

    @property
    def over(self) -> bool:
        """Whether there is a final result, in a match on both boards or of the match as a whole."""
        return all(board.over for board in self.boards.values())

    @property
    def moves(self) -> int:
        """How many have been made, in a match on both boards together."""
        return sum(bool(made.move) for game in self._games.values() for made in game.state.made)

    def handle(self, item: AnyInput) -> list[AnyEvent]:
        """What the game makes of an input. A defect there is logged, and must not take the board down with it."""
        self.last_ms = item.ms
        self._excused.clear()
        if item.board in self.boards:
            self.boards[item.board].tell(item)
        try:
            events = self._game.handle(item)
        except Exception:
            log.exception("a defect in the rules, met with %s; the game goes on without it", encode(item).decode())
            events = []
        self.awaiting.look()
        for event in events:
            if isinstance(event, Clock):
                left = event.white_ms if event.running == "white" else event.black_ms
                self._flags.pop(event.board, None)
                if event.running is not None:
                    self._flags[event.board] = event.ms + left
                self.foresight[event.board].look(self._games[event.board].state, event)
            for board_id, board in self.boards.items():
                if event.board in (board_id, None):
                    board.hear(event)
        return events

    def knows(self, item: AnyInput) -> bool:
        """Whether the game can hear of ``item`` at once. What a resignation or a flag that fell is worth may rest on
        who can still mate: where that is not known, it is being found out."""
        if self.over or not (isinstance(item, Resign | Claim) or any(item.ms >= ms for ms in self._flags.values())):
            return True
        return all([self.foresight[board_id].knows(game.asks(item)) for board_id, game in self._games.items()])  # noqa: C419

    def accuses_at(self, board_id: BoardId | None, ms: int) -> int | None:
        """When what stands on that board is judged, if time alone may make an offence of it by ``ms``."""
        return self._games[board_id].accuses_at(ms)

    def clocks(self, board_id: BoardId | None, ms: int) -> Clocks | None:
        """What the clocks of that board show at ``ms``, as reckoned; None where it has none, or play does not go on."""
        s, left = self._games[board_id].state, self.left(board_id, ms)
        return None if s.clock is None or s.stopped or left is None else (*left, s.clock.running)

    def left(self, board_id: BoardId | None, ms: int) -> Left | None:
        """What the clocks of that board show at ``ms``, as reckoned; None where it has none, or the game is over."""
        s = self._games[board_id].state
        if s.clock is None or s.result is not None:
            return None
        return s.clock.remaining(WHITE, ms * NS) // NS, s.clock.remaining(BLACK, ms * NS) // NS

    def completes(self, board_id: BoardId | None, side: Side) -> bool:
        """Whether a press by ``side`` just now would complete a move, and nothing be held against anybody."""
        return self._games[board_id].completes(side)

    def before_press(self, board_id: BoardId | None, side: Side, changes: Sequence[tuple[chess.Square, str]]) -> int:
        """How many of these changes came before a press by ``side``: as :meth:`Game.before_press`."""
        return self._games[board_id].before_press(side, changes)

    def undone_next(self, board_id: BoardId | None) -> Undoable | None:
        """What `undo` would take back on that board; None where there is nothing."""
        last = self._games[board_id].undone_next
        if last is None or isinstance(last, Arbiter):
            return None if last is None else Undoable(last.ms, last)
        move = uci(last.move) if last.move else ""
        return Undoable(last.ms, None, last.side, move, last.illegal, last.before.board)

    def refusal(self, ruling: Arbiter) -> JadoubeError | None:
        """Why a ruling would change nothing, where it names what it answers, sets the record right, resumes play, or
        takes something back; None where it may be told."""
        if ruling.answers is not None and (refused := self.awaiting.refusal(ruling.board, ruling.answers)) is not None:
            return refused
        return self._games[ruling.board].refusal(ruling)

    def excused(self, board_id: BoardId | None) -> set[chess.Square]:
        """The squares on which a piece need not be seen, for all that the game knows."""
        if board_id not in self._excused:
            self._excused[board_id] = self._games[board_id].excused
        return self._excused[board_id]

    def falls_due(self) -> tuple[int, int] | None:
        """When the game is to hear that time has passed: the time it is told, and when to tell it."""
        if self.over:
            return None
        deadline, pulse = self._game.deadline, self.last_ms + PULSE_MS
        if self._flags and (deadline is None or pulse < deadline):
            return pulse, pulse
        if deadline is None:
            return None
        flag = any(deadline >= falls for falls in self._flags.values())
        return max(deadline, self.last_ms), deadline + (FLAG_GRACE_MS if flag else 0)

    def replay(self, records: Iterable[Record]) -> int | None:
        """Goes through the journal's records of this game once more.

        Returns the first record that comes out otherwise, as after a change of the rules; None if all is the same. The
        game then goes on from what was told, at the end and wherever it was taken up before, as :mod:`controller.told`
        has it.
        Raises :exc:`JournalError` for an input or an event of a later version.
        """
        expected: list[AnyEvent] = []
        told: list[Arbiter | Record] = []
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
            if otherwise and isinstance(item, Outage):
                self._take_up(told)
                otherwise = False
            if item is not None:
                told += [item] if isinstance(item, Arbiter) else []
                expected = self.handle(item)
        if otherwise or expected:
            self._take_up(told)
        return differs or (seq if expected else None)

    def _take_up(self, told: Iterable[Arbiter | Record]) -> None:
        """The game goes on from what was told of it and ruled on."""
        items = [item if isinstance(item, Arbiter) else decode_event(item.body) for item in told]
        for board_id, game in self._games.items():
            here = [item for item in items if item.board == board_id or isinstance(item, Match)]
            game.take_up(here)
            results = [item.status for item in here if isinstance(item, Result)]
            self.boards[board_id].over = results[-1:] == ["final"]
        for item in items:
            if isinstance(item, Match):
                for board in self.boards.values():
                    board.over = True


def _recorded(record: Record) -> AnyInput:
    """The input; play that was to be resumed was, or it would not stand there: earlier versions asked nobody."""
    try:
        item = decode_input(record.body)
    except LogError as error:
        raise unknown(record.seq, "input", error.what) from error
    return replace(item, insist=True) if isinstance(item, Arbiter) and item.do == "resume" else item


def _is(event: AnyEvent, record: Record) -> bool:
    """Whether the record holds that event; where it is from before events had an id, or a touch its time, but for that.
    How sure it was makes no other event of it: that follows from what sensors and hands are found to be like."""
    if encode(event) == record.body:
        return True
    try:
        told = msgspec.json.decode(record.body, type=dict[str, Any])
    except UNREADABLE:
        return False
    said = msgspec.to_builtins(event)
    unsaid = ["basis", *FIGURES] if isinstance(event, Move) else [*FIGURES]
    unsaid += {"id", *ADDED.get(type(event), ())}.difference(told)
    return all(said.get(name) == told.get(name) for name in {*said, *told}.difference(unsaid))


def _known(record: Record) -> None:
    """An event that comes out otherwise is to be one at least."""
    try:
        decode_event(record.body)
    except LogError as error:
        raise unknown(record.seq, "event", error.what) from error
