"""What is known of a game at one instant. What can be computed from it is computed, not kept."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import chess
from chess import BB_SQUARES, Move
from msgspec import Struct
from msgspec.structs import replace

from controller import contract as c
from controller.laws.clock import ChessClock
from controller.laws.editions import Profile
from controller.laws.record import NONE_OF_EITHER, Made, Notice, Pressed, UndoPoint, Witnessed, WrittenMove
from controller.laws.touch import Owed, TouchedPiece, owed
from controller.laws.turn import NOTHING_RAISED, Raised, Turn
from controller.position import EMPTY, Position, names
from controller.sensing.budget import Budget
from controller.sensing.costs import Rates
from controller.sensing.difference import LEGAL, Difference, Readings, castlers, differing, empty_of
from controller.sensing.readings import FITS
from controller.sensing.rhythm import Pace
from controller.sensing.trace import Edge, Trace

NS = 1_000_000
"""Nanoseconds in a millisecond."""

NEVER = 1 << 40
"""Later than anything falls due, or was done, in ms."""

WHOSE_TURN = ("out-of-turn", "adjust-out-of-turn")
"""The violations that rest only on whose turn it is."""

E = TypeVar("E", bound=c.AnyEvent)


def colour(side: c.Side) -> chess.Color:
    """The side as python-chess has it."""
    return side == c.WHITE


def side_of(white: chess.Color) -> c.Side:
    """The side as the contract has it."""
    return c.WHITE if white else c.BLACK


def turned(mask: int) -> int:
    """A bitboard seen from the other side."""
    return chess.flip_vertical(chess.flip_horizontal(mask))


class FaultySensor(Struct, frozen=True):
    """What is kept of a sensor that does not work, for when it works again."""

    seen: str  #: what it shows, see :mod:`controller.sensing.readings`
    touch: TouchedPiece | None = None  #: the touch of the piece on its square that it had shown in that turn, if any
    turn: int = 0  #: the number of the turn in which it was found not to work
    supposed: bool = False  #: nobody said so: if it shows a change, it works after all
    denied: bool = False  #: what it showed then did not fit the game


NOTHING: Mapping[Any, Any] = MappingProxyType({})
UNCHANGED: dict[str, Any] = {}
"""An empty mapping for keywords, for which a dict is quicker; nothing is ever written to it."""


class State(Struct, frozen=True):
    """The position, what the sensors show, the turn, the clock, what is open, and the facts not yet told.

    A state never changes: what happens leads to another one. The mappings in it are never written to.
    """

    settings: c.Settings
    senses: c.Senses
    laws: Profile
    position: Position
    clock: ChessClock | None
    readings: Readings
    turn: Turn
    start: Position  #: from which the game is meant to begin
    trace: Trace  #: every edge since the start
    budget: Budget  #: what may still be searched for this input; shared by all states, and says nothing of the game
    default_due: c.Ms | None  #: when to ask whether a player came; None: not any more
    rates: Rates | None = None  #: what the board hides, where that was measured
    board: c.BoardId | None = None
    partner: "State | None" = None  #: of a match: the other board, as it stands while this one takes an input
    received: Mapping[tuple[chess.Color, chess.PieceType], int] = NOTHING  #: what came here from the partner's board
    stock: tuple[str, str] = ("", "")  #: White's and Black's, as last told
    stock_of: Position | None = None  #: the position for which that was last checked
    now: c.Ms = 0
    made: tuple[Made, ...] = ()
    turned: int = 0  #: :data:`~controller.position.TURNED` where the board stands the other way round
    faulty_sensors: Mapping[chess.Square, FaultySensor] = NOTHING  #: the sensors that do not work
    faulty: int = 0  #: their squares, as a bitboard
    mismatch: int = 0  #: squares where what is seen does not fit the position
    not_by_mover: int = 0  #: of those, the ones known to be no doing of the player having the move
    #: of those again, the ones where a piece came from nowhere, and nothing has changed since
    unexplained_pieces: int = 0
    #: of them again, those of a piece that a sleeve or its opponent's hand has moved, and of those that were knocked
    #: over at once, while nothing has changed there
    shifted: int = 0
    pace: Pace = Pace()  #: how the board looks at its squares, as far as that is known
    watched: bool = True  #: somebody sees what happens on the board
    unseen: int = 0  #: of ``mismatch``, the squares that changed, or may have, while nobody saw the board
    unsure: bool = False  #: what was played unseen may have been more: it may be the other player's turn
    stopped: bool = False  #: both clocks stand still, and touches bind nobody
    stopped_at: int = 0  #: how many edges there were when the clocks were stopped last
    result: c.Result | None = None  #: the final one
    present: frozenset[c.Side] = frozenset()  #: who came in time, as the arbiter says
    absent: frozenset[c.Side] = frozenset()  #: who is not there, or came too late
    warned: Mapping[c.Side, int] = NONE_OF_EITHER  #: the warnings of each player
    postponed: bool = False  #: the decision on a claim of the quickplay finish
    announced: Mapping[c.Side, c.Ms] = NOTHING  #: when each player last said "j'adoube"
    kept_words: tuple[c.Adjust | c.Choose, ...] = ()  #: what was said while the opponent may have moved by then
    counts: Mapping[c.Side, int] = NONE_OF_EITHER  #: completed illegal moves
    fined: Mapping[c.Side, int] = NONE_OF_EITHER  #: of those, the ones with a price
    awarded: Mapping[c.Side, int] = NONE_OF_EITHER  #: ms given each player by penalties and arbiters, less those taken
    notices: tuple[Notice, ...] = ()  #: what awaits a ruling, oldest first
    noticed: int = 0  #: how many there have been
    undo_points: tuple[UndoPoint, ...] = ()  #: what can be taken back, the latest last
    hidden_stock: c.Side | None = None  #: who was reported to hide pieces of his stock, until asked to show them
    witnessed: Witnessed | None = None  #: what was reported of the move on the board
    found: int = 0  #: the position is illegal, and a draw is proposed after so many more completed moves; 0: neither
    exchanged: int = 0  #: where pieces stood exchanged before the first move, as a bitboard
    offers: Mapping[c.Side, c.Ms] = NOTHING  #: when each player offered a draw that may still stand
    written: WrittenMove | None = None  #: of a false claim, and therefore owed (9.5)
    ambiguous: tuple[str, ...] = ()  #: the moves last told to be possible
    presses: tuple[Pressed, ...] = ()  #: presses that complete moves not yet known
    chosen: Mapping[c.Side, chess.PieceType] = NOTHING  #: promotion or drop piece named by button
    #: the players who named a promotion only when a piece stood there: until they press they may name it anew
    renaming: frozenset[c.Side] = frozenset()
    owed: Owed | None = None  #: what was last told to be owed
    unproven: c.Ms | None = None  #: when to decide on an end that rests on a guess: an unnamed piece, an unseen capture
    unasked: bool = False  #: whether the position is dead has still to be asked
    displaced: tuple[str, ...] = ()  #: the squares last told to be displaced
    restoring: bool = False  #: these pieces are to be put back for a ruling
    resuming: bool = False  #: play goes on once they are put back: the arbiter has said so
    returned: Move | None = None  #: the move that a ruling took back, while nothing was played since
    then: tuple[c.Ms, c.Ms] | None = None  #: what the clocks showed when it was played, less what had been awarded
    stalled: bool = False  #: it was told that the score cannot follow
    facts: tuple[c.AnyEvent, ...] = ()  #: what has happened and was not handed on yet
    numbered: int = 0  #: how many facts so far may await a person

    # -- going on ----------------------------------------------------------------------------------------------

    def turning(self, **changes: Any) -> "State":
        """The state with these changes to the turn in progress."""
        return replace(self, turn=replace(self.turn, **changes))

    def tracing(self, **changes: Any) -> "State":
        """The state with these changes to the traces of the turn in progress."""
        turn = self.turn
        return replace(self, turn=replace(turn, traces=replace(turn.traces, **changes)))

    def raising(self, square: chess.Square, piece: Raised) -> "State":
        """The state with one more piece off its square; in chess960 king and rook that may castle are traced."""
        s = self.turning(raised={**self.turn.raised, square: piece})
        if not self.position.shuffled or piece.announced or piece.by is not None:
            return s
        return s.tracing(carried=s.turn.traces.carried | BB_SQUARES[square] & castlers(self.position))

    def amending(self, at: int, **changes: Any) -> "State":
        """The state with these changes to move number ``at``, from 0."""
        made = list(self.made)
        made[at] = replace(made[at], **changes)
        return replace(self, made=tuple(made))

    def looking(self, square: chess.Square, seen: str) -> "State":
        """The state with another reading on that square, and nothing else changed."""
        return replace(self, readings=_with(self.readings, square, seen))

    # -- saying ------------------------------------------------------------------------------------------------

    def say(self, event: type[E], changes: dict[str, Any] = UNCHANGED, /, **fields: Any) -> "State":
        """The state with one fact more, which happened now, and with these ``changes``. A fact that may await a person
        gets a number, so that a ruling can name it."""
        numbered = self.numbered
        if event in c.NOTABLE:
            numbered += 1
            fields["id"] = self.id_of(numbered)
        fact = event(ms=self.now, board=self.board, **fields)
        return replace(self, facts=(*self.facts, fact), numbered=numbered, **changes)

    def id_of(self, number: int) -> str:
        """The name of the fact of that number; in a match it begins with the board's name."""
        return f"{self.board or ''}{number}"

    def number_of(self, name: str) -> int:
        """The number of the fact of that name."""
        return int(name.removeprefix(self.board or ""))

    def ids_since(self, before: "State") -> tuple[str, ...]:
        """The names of the facts told since the state ``before`` that have one."""
        return tuple([self.id_of(number) for number in range(before.numbered + 1, self.numbered + 1)])

    def violate(self, side: c.Side, kind: Any, article: str, **evidence: Any) -> "State":
        """Tell a violation by ``side``; ``evidence``: see :mod:`controller.laws.evidence`. Nothing is told that rests
        on what nobody saw, unless somebody reports it.
        """
        unsure = self.unsure and kind in WHOSE_TURN
        if (self.unseen or unsure or not self.watched) and evidence.get("basis") != "reported":
            return self
        report = self.laws.report_violation(kind)
        return self.say(c.Violation, side=side, kind=kind, article=article, report=report, **evidence)

    def show_clock(self, reason: str | None = None, **set_to: Any) -> "State":
        """Tell what the clocks show after they were started, stopped or set; ``set_to``: what else was set."""
        if self.clock is None:
            return self
        white, black = self.both_left()
        return self.say(c.Clock, white_ms=white, black_ms=black, running=self.clock.running, reason=reason, **set_to)

    def with_clocks_stopped(self) -> "State":
        """The state in which no clock runs any more, which is told."""
        return self if self.clock is None else replace(self, clock=self.clock.stop(self.now * NS)).show_clock()

    def awarding(self, side: c.Side, ms: c.Ms) -> "State":
        """The state, of a game with clocks, in which that player was given so much time, or it was taken if negative.
        Flags that were down may be up then."""
        assert self.clock is not None
        clock, awarded = self.clock.add(self.now * NS, side, ms * NS), {**self.awarded, side: self.awarded[side] + ms}
        return replace(self, clock=clock, awarded=awarded)

    def follow(self) -> "State":
        """Tell that the score follows play again, if it was told that it cannot."""
        return replace(self, stalled=False).say(c.Followed) if self.stalled else self

    @property
    def intended(self) -> Move | None:
        """The move that the player having the move has written down for a false claim, and owes (9.5); also where the
        game has come back to that position."""
        written = self.written
        if written is None or written.at != len(self.made) or written.before.key() != self.position.key():
            return None
        return written.move

    def derive(self) -> "State":
        """Tell what is owed, if that has changed."""
        turn = self.turn
        if (intended := self.intended) is not None:
            now: Owed | None = Owed("move", (intended,), self.laws.clause.false_claim)
        else:
            now = owed(self.position, turn.touches, turn.partial_move, self.laws.clause, self.together_ms)
        before = self.owed
        if now == before:
            return self
        if now is not None:
            must, moves, article = now.must, names(now.moves), now.clause
        else:
            assert before is not None
            must, moves, article = "none", [], before.clause
        return self.say(c.Obligation, {"owed": now}, side=turn.side, must=must, moves=moves, article=article)

    def brushing(self, brushed: Collection[chess.Square]) -> "State":
        """Tell that the pieces of these squares were only brushed, and drop their touches."""
        s = self
        for square in brushed:
            s = s.say(c.Brush, square=chess.SQUARE_NAMES[square])
        return s.turning(touches=tuple([touch for touch in s.turn.touches if touch.square not in brushed])).derive()

    def touch(self, square: chess.Square, ms: c.Ms, brief: bool = False) -> "State":
        """Count and tell a touch by the player having the move (4.3)."""
        turn = self.turn.touching(TouchedPiece(square, ms, brief))
        if turn is self.turn:
            return self
        name, symbol = chess.SQUARE_NAMES[square], self.position.letter(square)
        since = ms if ms < self.now else None
        return self.say(c.Touch, {"turn": turn}, side=turn.side, square=name, piece=symbol, since_ms=since).derive()

    @property
    def brush_ms(self) -> c.Ms:
        """A piece that is seen off its square for less may only have been brushed. The time between looks is added, as
        the piece may have been back for that long before a look shows it."""
        return self.settings.brush_ms + self.pace.apart

    @property
    def release_ms(self) -> c.Ms:
        """A piece that is seen to stand for so long is released. It may have come just before one look and left just
        after another, so the time between looks is added."""
        return self.settings.release_ms + self.pace.looks_ms

    @property
    def together_ms(self) -> c.Ms:
        """Touches closer than this count as simultaneous: between two scans nobody knows which came first."""
        return self.settings.simultaneous_ms + self.pace.apart

    def untouch(self, mask: int) -> "State":
        """What was done on these squares, a bitboard, proves to be somebody else's doing, or nobody's: it is no touch,
        nor about to be one."""
        turn = self.turn.lowering(mask)
        kept = tuple([touch for touch in turn.touches if not mask & BB_SQUARES[touch.square]])
        if len(kept) < len(turn.touches):
            return replace(self, turn=replace(turn, touches=kept)).derive()
        return self if turn is self.turn else replace(self, turn=turn)

    def halted(self) -> "State":
        """The state with both clocks stopped, now or before; touches bind nobody then (6.11)."""
        since = self.stopped_at if self.stopped else len(self.trace)
        return replace(self.turning(raised=NOTHING_RAISED), stopped=True, stopped_at=since)

    # -- asking ------------------------------------------------------------------------------------------------

    def wanted(self, white: chess.Color) -> chess.PieceType:
        """What a pawn of that colour becomes where the board cannot see it: the chosen piece, else a queen."""
        return self.chosen.get(side_of(white), chess.QUEEN)

    def pick(self, moves: Sequence[Move]) -> Move:
        """The one of these moves, which look the same on the board, that was made."""
        if len(moves) == 1:
            return moves[0]
        wanted = self.wanted(self.position.turn)
        return next((m for m in moves if (m.promotion or m.drop) == wanted), moves[0])

    def both_left(self) -> tuple[int | None, int | None]:
        """What White's and Black's clocks show, in ms; None without a clock."""
        if self.clock is None:
            return None, None
        ns = self.now * NS
        return self.clock.remaining(c.WHITE, ns) // NS, self.clock.remaining(c.BLACK, ns) // NS

    def left_without_awards(self) -> tuple[c.Ms, c.Ms] | None:
        """What the clocks show, less what penalties and arbiters have given both; None without a clock."""
        white, black = self.both_left()
        if white is None or black is None:
            return None
        return white - self.awarded[c.WHITE], black - self.awarded[c.BLACK]

    def left(self, side: c.Side) -> int | None:
        """What the clock of ``side`` shows, in ms; None without a clock."""
        return None if self.clock is None else self.clock.remaining(side, self.now * NS) // NS

    @property
    def own(self) -> int:
        """The pieces of the player having the move, as a bitboard."""
        return self.position.board.occupied_co[self.position.turn]

    @property
    def theirs(self) -> int:
        """The pieces of the other player, as a bitboard."""
        return self.position.board.occupied_co[not self.position.turn]

    def gone(self) -> int:
        """The pieces of the player having the move that are off the board, as a bitboard."""
        return self.empty(self.mismatch & self.own & ~self.not_by_mover)

    def empty(self, mask: int) -> int:
        """Those of these squares on which nothing stands, as a bitboard."""
        return empty_of(self.readings, mask)

    def left_unseen(self, difference: Difference) -> int:
        """The square that the moving piece has left unseen, as its sensor does not work; a bitboard, 0 if none."""
        origins = {self.position.carried(move)[0][0] for move in difference.moves if not move.drop}
        return self.faulty & BB_SQUARES[origins.pop()] if len(origins) == 1 else 0

    def has_announced(self, side: c.Side, ms: c.Ms) -> bool:
        """Whether a "j'adoube" of ``side`` covers what that player lifts or touches at ``ms``."""
        if not self.announced:
            return False
        said, turn = self.announced.get(side), self.turn
        if said is None or not 0 <= ms - said <= self.settings.adjust_ms:
            return False
        has_moved_since = turn.difference.kind in LEGAL and said < turn.stands_since
        return side != turn.side or not has_moved_since

    def keys(self) -> list[Hashable]:
        """The keys of the positions since the last capture or pawn move, the present one last (9.2)."""
        back = min(self.position.board.halfmove_clock, len(self.made))
        recent = self.made[len(self.made) - back :]
        first = recent[0].before if recent else self.position
        return [first.recurs, *[made.after.recurs for made in recent]]

    def last(self) -> Made | None:
        """The move made last, or the illegal one that stands."""
        return self.made[-1] if self.made else None

    def at_last(self, side: c.Side, before: int | None = None) -> int | None:
        """The number, from 0, of the last move of ``side``; ``before``: only among the first so many moves."""
        index = len(self.made) if before is None else before
        while index > 0:
            index -= 1
            if self.made[index].side == side:
                return index
        return None

    def uncorrected(self) -> int | None:
        """The number, from 0, of the illegal move that was completed last and stands on the board; None if none does.

        Presses that gave the clock back to its player do not end the time to correct it.
        """
        at = len(self.made) - 1
        while at >= 0 and self.made[at].pressed_back:
            at -= 1
        if at < 0:
            return None
        made = self.made[at]
        return at if made.illegal and made.changed and not made.reported else None

    # -- seeing ----------------------------------------------------------------------------------------------

    def shown(self, square: chess.Square) -> str:
        """What the sensor shows, whether it works or not."""
        sensor = self.faulty_sensors.get(square) if self.faulty else None
        return self.readings[square] if sensor is None else sensor.seen

    def supposed(self) -> int:
        """The squares, as a bitboard, whose sensors are supposed not to work."""
        if not self.faulty:
            return 0
        return sum(BB_SQUARES[square] for square, sensor in self.faulty_sensors.items() if sensor.supposed)

    def disregarding(self, square: chess.Square, seen: str) -> "State | None":
        """The state that only keeps what a sensor shows which does not work; None if that sensor works."""
        sensor = self.faulty_sensors.get(square)
        if sensor is None:
            return None
        return replace(self, faulty_sensors={**self.faulty_sensors, square: replace(sensor, seen=seen)})

    def see(self, square: chess.Square, seen: str, ms: c.Ms, by: c.Side | None) -> "State":
        """Take the reading ``seen`` of that square from ``ms`` on; ``by``: whose hand it was, where that is known."""
        bit = BB_SQUARES[square]
        mismatch, not_by_mover, unseen = self.mismatch | bit, self.not_by_mover, self.unseen
        unexplained_pieces = self.unexplained_pieces
        if unexplained_pieces & bit:
            not_by_mover, unexplained_pieces = not_by_mover & ~bit, unexplained_pieces & ~bit
        shifted = self.shifted
        if shifted & bit:
            loose = bit if self.readings[square] == EMPTY else shifted  # it is taken up where it stands
            not_by_mover, shifted = not_by_mover & ~loose, shifted & ~loose
        if self.position.symbols[square] in FITS[seen]:
            mismatch, not_by_mover = mismatch & ~bit, not_by_mover & ~bit
        if unseen:  # a piece that fills such a square may have come from another one that opened since
            unseen = mismatch & ~not_by_mover
        return replace(
            self,
            trace=self.trace.then(Edge(ms, square, seen, None if by is None else colour(by))),
            readings=_with(self.readings, square, seen),
            mismatch=mismatch,
            not_by_mover=not_by_mover,
            unexplained_pieces=unexplained_pieces,
            shifted=shifted,
            unseen=unseen,
        )

    def _taken_up_early(self, own: int) -> Mapping[chess.Square, Raised]:
        """The pieces ``own``, a bitboard, of the player who is about to have the move, that left their squares in this
        turn, and are off: by whose hand will show once they are set down."""
        turn = self.turn
        if not own or not (turn.raised or turn.touches):
            return NOTHING_RAISED
        touched = [(t.square, Raised(t.ms, announced=False, early=True)) for t in turn.touches]
        touched = [(square, piece) for square, piece in touched if self.empty(own & BB_SQUARES[square])]
        lifted = [(square, piece) for square, piece in turn.raised.items() if own & BB_SQUARES[square]]
        lifted = [(square, replace(piece, early=True)) for square, piece in lifted if piece.by is None]
        return dict(sorted([*touched, *lifted], key=lambda each: each[1].ms))

    def enter(self, position: Position, changed: int) -> "State":
        """The state at ``position``, which differs from the last one on ``changed``; a new turn begins."""
        mismatch = differing(position, self.readings, changed | self.mismatch)
        raised = self._taken_up_early(mismatch & position.board.occupied_co[position.turn])
        turn = Turn(side_of(position.turn), self.now, self.turn.number + 1, len(self.trace))
        s = replace(
            self,
            position=position,
            mismatch=mismatch,
            not_by_mover=self.not_by_mover & mismatch,
            shifted=self.shifted & mismatch,
            unseen=self.unseen & mismatch,
            turn=turn,
            kept_words=(),
            owed=None,
            unproven=None,
            unasked=False,
            returned=None,
            then=None,
            restoring=False,
        )
        for square, piece in raised.items():
            s = s.raising(square, piece)
        return s.follow()


def _with(readings: Readings, square: chess.Square, seen: str) -> Readings:
    """The readings with another one on that square; two copies are quicker than two slices put together."""
    changed = list(readings)
    changed[square] = seen
    return tuple(changed)
