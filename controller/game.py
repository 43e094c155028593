"""One board's game: inputs in, events out, nothing else. The only thing that changes a game.

Time comes in with each input; what falls due between two inputs (a release, a touch that was no brush, a flag) is
dealt with before the later one. :attr:`Game.deadline` says when that will be, so that a live caller can send a
:class:`~controller.contract.Time` then.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import chess
from chess import BB_SQUARES, Move

from controller import contract as c
from controller.errors import LogError

from controller.laws.clock import ChessClock
from controller.laws.editions import profile
from controller.laws.record import Made
from controller.laws.timecontrol import parse
from controller.laws.touch import Half, Owed, breach, owed
from controller.laws.turn import TABLE, Happens, Outcome, Raised, Turn
from controller.position import EMPTY, Position, squares
from controller.sensing.debounce import Debouncer
from controller.sensing.looks import FITS, SOMETHING, look
from controller.sensing.stand import Kind, Stand, read

RUN_ON_MS = 5000
"""How long time runs on after the last line of a log."""

NS = 1_000_000
"""Nanoseconds in a millisecond."""

E = TypeVar("E", bound=c.AnyEvent)


def colour(side: c.Side) -> chess.Color:
    return side == c.WHITE


def side_of(white: chess.Color) -> c.Side:
    return c.WHITE if white else c.BLACK


class Game:
    """A game on one board; ``board`` is its name in a match.

    Raises :exc:`LogError` for a session that cannot be played: a FEN or a time control that means nothing.
    """

    def __init__(self, session: c.Session, board: c.BoardId | None = None) -> None:
        self.session = session
        self.board = board
        self.settings = session.settings
        self.laws = profile(session)
        self.now: c.Ms = 0
        self.position = Position(_start(session), odd=False)
        self.made: list[Made] = []
        self.looks = [look(self.position.symbol(s), session.senses) for s in chess.SQUARES]
        self.off = 0  #: squares where what is seen does not fit the position
        self.others = 0  #: of those, the ones known to be the other player's doing
        self.turn = Turn(side_of(self.position.turn), 0)
        self.clock = ChessClock(parse(session.clock)) if session.clock else None
        self.stopped = False  #: both clocks stand still, and touches bind nobody
        self.result: c.Result | None = None  #: the final one
        self._announced: dict[c.Side, c.Ms] = {}
        self._adjusted: list[chess.Square] = []
        self._owed: Owed | None = None
        self._displaced: list[str] = []
        self._debouncer: Debouncer | None = None
        self._events: list[c.AnyEvent] = []
        self._started = False
        self._on: dict[type, Callable[[Any], None]] = {
            c.Lift: self._lift,
            c.Place: self._place,
            c.Contact: self._contact,
            c.Frame: self._frame,
            c.Press: self._press,
            c.Adjust: self._adjust,
            c.Choose: self._choose,
        }

    # -- the outside -----------------------------------------------------------------------------------------

    def handle(self, item: c.AnyInput) -> list[c.AnyEvent]:
        """Let time run to the input, take it, and return what came of both.

        An input from before the latest one counts as simultaneous with it.
        """
        if not self._started:
            self._start_clock()
        self._run_to(item.ms)
        act = self._on.get(type(item))
        if act is not None and self.result is None:
            act(item)
        events, self._events = self._events, []
        return events

    def finish(self) -> list[c.AnyEvent]:
        """The end of a log: time runs on so that pending releases are judged."""
        return self.handle(c.Time(ms=self.now + RUN_ON_MS))

    @property
    def deadline(self) -> c.Ms | None:
        """When, in session milliseconds, something falls due without further input; None if nothing does."""
        if self.result is not None:
            return None
        due: list[int] = []
        turn = self.turn
        if not turn.judged:
            due.append(turn.stands_since + self.settings.release_ms)
        if turn.raised and not self.stopped:
            due += [r.ms + self.settings.brush_ms for r in turn.raised.values() if not r.announced][:1]
        if self.clock is not None and (flag := self.clock.flag_due) is not None:
            due.append(-(-flag // NS))
        if self._debouncer is not None and (settles := self._debouncer.due) is not None:
            due.append(settles)
        return min(due) if due else None

    # -- time ------------------------------------------------------------------------------------------------

    def _run_to(self, ms: c.Ms) -> None:
        ms = max(ms, self.now)
        while (due := self.deadline) is not None and due <= ms:
            self.now = max(self.now, due)
            self._fall_due()
        self.now = ms

    def _fall_due(self) -> None:
        now, turn = self.now, self.turn
        if self._debouncer is not None and self._debouncer.due is not None and self._debouncer.due <= now:
            self._settle(now)
        if self.clock is not None:
            for side, _ in self.clock.advance(now * NS):
                self._emit(c.Flag, side=side)
        if turn.raised and not self.stopped:
            ripe = now - self.settings.brush_ms
            for square in [s for s, r in turn.raised.items() if r.ms <= ripe and not r.announced]:
                self._touch(square, turn.raised.pop(square).ms)
        if not turn.judged and turn.stands_since + self.settings.release_ms <= now:
            turn.judged = True
            self._happens(Happens.RELEASE)

    def _emit(self, event: type[E], /, **fields: Any) -> None:
        self._events.append(event(ms=self.now, board=self.board, **fields))

    # -- edges -----------------------------------------------------------------------------------------------

    def _lift(self, item: c.Lift) -> None:
        square = chess.SQUARE_NAMES.index(item.square)
        if self.looks[square] != EMPTY:
            self._lifted(square, item.side, self.now)

    def _lifted(self, square: chess.Square, by: c.Side | None, ms: c.Ms) -> None:
        turn, bit = self.turn, BB_SQUARES[square]
        at_home = not self.off & bit and square != turn.traces.retaken
        if at_home and not self.stopped and not turn.judged and turn.stand.kind is Kind.WHOLE:
            self._happens(Happens.REPLY)
            turn = self.turn
        self._see(square, EMPTY)
        turn.traces.landed.pop(square, None)
        if square == turn.traces.retaken:
            turn.traces.retaken = None
        elif at_home and not self.stopped:
            by = by or self._announced_out_of_turn(square)
            if by is not None and by != turn.side:
                self.others |= bit
                if not self._has_announced(by):
                    self._violate(by, "out-of-turn", self.laws.clause.out_of_turn)
            else:
                turn.raised[square] = Raised(ms, self._has_announced(turn.side))
        self._read_board(ms)

    def _place(self, item: c.Place) -> None:
        self._placed(chess.SQUARE_NAMES.index(item.square), self._seen(item.piece), item.side, self.now)

    def _seen(self, piece: str | None) -> str:
        if piece is None or self.session.senses == "occupancy":
            return SOMETHING
        if self.session.senses == "colour" and piece not in ("w", "b"):
            return look(piece, "colour")
        return piece

    def _placed(self, square: chess.Square, seen: str, by: c.Side | None, ms: c.Ms) -> None:
        turn, bit = self.turn, BB_SQUARES[square]
        if self.looks[square] == seen:
            return
        was_empty = self.looks[square] == EMPTY
        symbol = self.position.symbol(square)
        own = self.position.board.occupied_co[self.position.turn]
        gone = self._gone()
        self._see(square, seen)
        home = symbol in FITS[seen]
        if home and seen == SOMETHING and was_empty and gone and symbol != EMPTY and not bit & own:
            takers = [m for s in squares(gone) for m in self.position.moves_from(s) if m.to_square == square]
            turn.traces.refilled = not takers
            turn.traces.retaken = square if takers else None
            home = not takers
        if self.stopped:
            turn.raised.clear()
        elif home:
            self._put_back(square, ms)
            self.others &= ~bit
        else:
            if by is not None and by != turn.side:
                self.others |= bit
            elif gone or not bit & own:
                self.others &= ~own
                self._count_raised()
            turn.traces.landed[square] = gone
        self._read_board(ms)

    def _gone(self) -> int:
        """The own men of the player having the move that are off the board."""
        mask = 0
        for square in squares(self.off & self.position.board.occupied_co[self.position.turn] & ~self.others):
            if self.looks[square] == EMPTY:
                mask |= BB_SQUARES[square]
        return mask

    def _see(self, square: chess.Square, seen: str) -> None:
        self.looks[square] = seen
        if self.position.symbol(square) in FITS[seen]:
            self.off &= ~BB_SQUARES[square]
        else:
            self.off |= BB_SQUARES[square]

    def _contact(self, item: c.Contact) -> None:
        square, turn = chess.SQUARE_NAMES.index(item.square), self.turn
        if self.position.symbol(square) == EMPTY or self.off & BB_SQUARES[square] or self.stopped:
            return
        if not turn.judged and turn.stand.kind is Kind.WHOLE:
            self._happens(Happens.REPLY)
            turn = self.turn
        if item.side is not None and item.side != turn.side:
            if not self._has_announced(item.side):
                self._violate(item.side, "out-of-turn", self.laws.clause.out_of_turn)
        elif not self._has_announced(turn.side):
            self._touch(square, self.now)

    # -- scans -----------------------------------------------------------------------------------------------

    def _frame(self, item: c.Frame) -> None:
        occupied = int(item.occupied, 16)
        if self._debouncer is None:
            seen = sum(BB_SQUARES[s] for s in chess.SQUARES if self.looks[s] != EMPTY)
            self._debouncer = Debouncer(self.settings.debounce_ms, occupied)
            self._flip([(self.now, occupied ^ seen)])
            self._compare()
            return
        self._flip(self._debouncer.feed(self.now, occupied))

    def _settle(self, ms: c.Ms) -> None:
        if self._debouncer is not None:
            self._flip(self._debouncer.settle(ms))

    def _flip(self, flips: list[tuple[c.Ms, int]]) -> None:
        """Take settled squares as edges: within one scan the mover's men first, then what was set down, then the rest."""
        for ms, mask in flips:
            up = [s for s in squares(mask) if self.looks[s] != EMPTY]
            down = [s for s in squares(mask) if self.looks[s] == EMPTY]
            mine = self.position.board.occupied_co[self.position.turn] | self.off
            for square in [s for s in up if BB_SQUARES[s] & mine]:
                self._lifted(square, None, ms)
            for square in down:
                self._placed(square, SOMETHING, None, ms)
            for square in [s for s in up if not BB_SQUARES[s] & mine]:
                self._lifted(square, None, ms)

    # -- touches ---------------------------------------------------------------------------------------------

    def _touch(self, square: chess.Square, ms: c.Ms) -> None:
        if self.turn.touch(square, ms):
            self._emit(
                c.Touch, side=self.turn.side, square=chess.SQUARE_NAMES[square], piece=self.position.symbol(square)
            )
            self._derive()

    def _count_raised(self) -> None:
        """Something was set down elsewhere: every man in hand is touched, announced or not, however short."""
        raised, self.turn.raised = self.turn.raised, {}
        self._adjusted.clear()
        for square, man in raised.items():
            self._touch(square, man.ms)

    def _put_back(self, square: chess.Square, ms: c.Ms) -> None:
        turn = self.turn
        man = turn.raised.pop(square, None)
        if man is None:
            return
        if man.announced:
            self._adjusted.append(square)
            if not any(r.announced for r in turn.raised.values()):
                names = [chess.SQUARE_NAMES[s] for s in sorted(self._adjusted)]
                self._adjusted.clear()
                self._emit(c.Adjusted, side=turn.side, squares=names)
        elif ms - man.ms < self.settings.brush_ms:
            self._emit(c.Brush, square=chess.SQUARE_NAMES[square])
        else:
            self._touch(square, man.ms)

    def _adjust(self, item: c.Adjust) -> None:
        self._announced[item.side] = self.now
        if item.side != self.turn.side:
            self._violate(item.side, "adjust-out-of-turn", self.laws.clause.adjust)

    def _has_announced(self, side: c.Side) -> bool:
        said = self._announced.get(side)
        return said is not None and self.now - said <= self.settings.adjust_ms

    def _announced_out_of_turn(self, square: chess.Square) -> c.Side | None:
        """Who, not having the move, said "j'adoube" and now lifts one of his men; None if nobody did."""
        opponent = c.other(self.turn.side)
        theirs = BB_SQUARES[square] & self.position.board.occupied_co[colour(opponent)]
        return opponent if theirs and self._has_announced(opponent) else None

    def _derive(self) -> None:
        """Say what is owed wherever that has changed."""
        turn = self.turn
        now = owed(self.position, turn.touches, turn.half, self.laws.clause, self.settings.simultaneous_ms)
        if now == self._owed:
            return
        before, self._owed = self._owed, now
        if now is not None:
            moves = sorted(m.uci() for m in now.moves)
            self._emit(c.Obligation, side=turn.side, must=now.must, moves=moves, article=now.clause)
        elif before is not None:
            self._emit(c.Obligation, side=turn.side, must="none", moves=[], article=before.clause)

    # -- how things stand ------------------------------------------------------------------------------------

    def _read_board(self, ms: c.Ms) -> None:
        """Read the board anew after an edge of time ``ms``."""
        turn = self.turn
        stand = read(self.position, self.looks, self.off & ~self.others, turn.traces)
        if self.stopped:
            stand = Stand(Kind.FOREIGN if self.off else Kind.QUIET, mask=self.off)
        elif stand.kind is Kind.QUIET and self.others:
            stand = Stand(Kind.FOREIGN, mask=self.others)
        turn.stands(stand, ms)
        if not self.stopped:
            self._touch_promotion_square(stand)
        if self._displaced and not self._loose_squares():
            self._displaced = []
            self._emit(c.Restored)

    def _touch_promotion_square(self, stand: Stand) -> None:
        """The choice is final as soon as the new piece touches the square of promotion (4.4.4)."""
        if stand.kind not in (Kind.WHOLE, Kind.HALF) or self.session.senses != "identity":
            return
        first = stand.moves[0]
        if not first.promotion or any(m.promotion != first.promotion for m in stand.moves):
            return
        turn = self.turn
        if turn.half is None or turn.half.part == "promotion":
            turn.half = Half("choice", self._promotions(first), len(turn.touches))
            self._derive()

    def _promotions(self, move: Move) -> tuple[Move, ...]:
        """Every promotion to the same kind that is open on the same square."""
        pawns = self.position.board.pawns & self.position.board.occupied_co[self.position.turn]
        moves = [m for s in squares(pawns) for m in self.position.moves_from(s)]
        return tuple(m for m in moves if m.to_square == move.to_square and m.promotion == move.promotion)

    def _loose_squares(self) -> list[str]:
        """The squares that do not match the game beyond a move in progress."""
        turn = self.turn
        if not self.stopped and turn.stand.kind is not Kind.FOREIGN:
            mask = self.others
        elif self.stopped or self.others:
            mask = self.off
        else:
            mask = turn.stand.mask
        return [chess.SQUARE_NAMES[s] for s in squares(mask)]

    def _compare(self) -> None:
        """Report what does not match the game."""
        if self.off and self.turn.stand.kind is Kind.FOREIGN or self.others or self.stopped:
            loose = self._loose_squares()
        else:
            loose = [chess.SQUARE_NAMES[s] for s in squares(self.off)]
        if loose and loose != self._displaced:
            self._displaced = loose
            self._emit(c.Displaced, squares=loose)

    def _happens(self, what: Happens) -> Outcome | None:
        """Look the present stand up in the table and carry out what comes of it."""
        turn = self.turn
        outcome = TABLE.get((turn.stand.kind, what))
        if outcome is Outcome.MAKE:
            self._make(turn.pick())
        elif outcome is Outcome.BIND:
            self._bind(turn.stand)
        elif outcome is Outcome.MISMATCH:
            self._mismatch()
        elif outcome is Outcome.PLACED_ASTRAY:
            self._astray()
        return outcome

    def _bind(self, stand: Stand) -> None:
        turn = self.turn
        if turn.half is None or turn.half.part == "choice":
            if turn.half is not None and stand.part == "promotion":
                return
            turn.half = Half(stand.part, stand.moves, len(turn.touches))
            self._derive()

    def _astray(self) -> None:
        turn = self.turn
        self._emit(
            c.Illegal,
            side=turn.side,
            kind="illegal-move",
            article=self.laws.clause.illegal_move,
            completed=False,
            count=0,
            report=self.laws.report_illegal("illegal-move"),
        )
        if turn.stand.part == "castling" and turn.half is None:
            turn.half = Half("castling-failed", (), len(turn.touches))
            self._derive()

    def _mismatch(self) -> None:
        self._compare()

    def _violate(self, side: c.Side, kind: Any, article: str) -> None:
        self._emit(c.Violation, side=side, kind=kind, article=article, report=self.laws.report_violation(kind))

    # -- moves -----------------------------------------------------------------------------------------------

    def _make(self, move: Move) -> None:
        turn, before = self.turn, self.position
        broken = breach(before, move, turn.touches, turn.half, self.laws.clause, self.settings.simultaneous_ms)
        after = before.after(move)
        made = Made(turn.side, before, move, after, self.now, tuple(turn.touches), turn.half, broken is not None)
        self.made.append(made)
        self._emit(
            c.Move,
            side=turn.side,
            uci=move.uci(),
            san=before.san(move, after),
            fen=after.fen(),
            ply=len(self.made),
        )
        if broken is not None:
            self._violate(turn.side, *broken)
        self._enter(after, made.changed)
        if self.clock is None:
            self._complete(made)

    def _enter(self, position: Position, changed: int) -> None:
        """The game stands at ``position`` now, and it is a new turn."""
        self.position = position
        for square in squares(changed | self.off):
            self._see(square, self.looks[square])
        self.others &= self.off
        raised = {s: r for s, r in self.turn.raised.items() if self.off & BB_SQUARES[s]}
        self.turn = Turn(side_of(position.turn), self.now)
        self.turn.raised = raised
        self._owed = None
        self._read_board(self.now)

    def _complete(self, made: Made) -> None:
        made.completed = True
        self._emit(
            c.Completed,
            side=made.side,
            uci=made.move.uci(),
            white_ms=self._left(c.WHITE),
            black_ms=self._left(c.BLACK),
        )

    def _choose(self, item: c.Choose) -> None:
        if item.side == self.turn.side:
            self.turn.chosen = chess.PIECE_SYMBOLS.index(item.piece)

    # -- the clock -------------------------------------------------------------------------------------------

    def _start_clock(self) -> None:
        self._started = True
        if self.clock is not None:
            self.clock.start(0, self.turn.side)
            self._show_clock()

    def _left(self, side: c.Side) -> int | None:
        return None if self.clock is None else self.clock.remaining(side, self.now * NS) // NS

    def _show_clock(self) -> None:
        if self.clock is not None:
            running = self.clock.running
            self._emit(c.Clock, white_ms=self._left(c.WHITE), black_ms=self._left(c.BLACK), running=running)

    def _press(self, item: c.Press) -> None:
        if self.stopped:
            return
        if self.clock is None or self.clock.running != item.side:
            return
        if self.turn.side == item.side:
            self._happens(Happens.PRESS)
        self.clock.press(self.now * NS, item.side)
        made = next((m for m in reversed(self.made) if m.side == item.side), None)
        if made is not None and not made.completed:
            self._complete(made)
        self._show_clock()


def _start(session: c.Session) -> chess.Board:
    fen = session.fen
    if not isinstance(fen, str):
        raise LogError("one board has one start position", "the session's fen is that of a match", "add match")
    try:
        board = chess.Board(chess.STARTING_FEN if fen == "startpos" else fen)
    except ValueError as error:
        raise LogError(f"malformed session line: {error} - at `$.fen`", "a slip in the FEN") from error
    board.castling_rights = board.clean_castling_rights()
    return board
