"""What is known of a game at one instant. Everything that can be computed from it is computed, not kept."""

from collections.abc import Hashable
from typing import Any, TypeVar

import chess
from chess import BB_SQUARES, Move
from msgspec import Struct

from controller import contract as c
from controller.laws.clock import ChessClock
from controller.laws.deadposition import position_key
from controller.laws.editions import Profile
from controller.laws.record import NOTHING_AWARDED, Made, Notice, Pressed, Ruling, TwoHands
from controller.laws.touch import Owed, Touch, owed
from controller.laws.turn import Turn
from controller.position import EMPTY, Position, names, squares
from controller.sensing.explain import Edge, Line
from controller.sensing.looks import FITS, look
from controller.sensing.stand import Stand, differing

NS = 1_000_000
"""Nanoseconds in a millisecond."""

TURNED = 63
"""What turns a square's number round on a board that stands the other way."""

WHOSE_TURN = ("out-of-turn", "adjust-out-of-turn")
"""The violations that rest on whose turn it is, and nothing else."""

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


class Unbelieved(Struct):
    """What is kept of a sensor that does not work, for when it does again."""

    seen: str  #: what it shows, see :mod:`controller.sensing.looks`
    touch: Touch | None = None  #: what it made of the man on its square, if a touch in ``turn``
    turn: Turn | None = None


class State:
    """The position, what the sensors show, the turn, the clock, what is open, and the events not yet handed out."""

    def __init__(self, session: c.Session, laws: Profile, position: Position, clock: ChessClock | None) -> None:
        self.settings = session.settings
        self.senses = session.senses
        self.laws = laws
        self.position = position
        self.clock = clock
        self.board: c.BoardId | None = None
        self.boards: dict[c.BoardId, State] = {}  #: both boards of a match, this one among them
        self.received: dict[tuple[chess.Color, chess.PieceType], int] = {}  #: what came here from the partner's board
        self.stock = ("", "")  #: White's and Black's, as last said
        self.stock_of: Position | None = None  #: the position of which that was said
        self.now: c.Ms = 0
        self.made: list[Made] = []
        self.looks = [look(position.symbol(s), self.senses) for s in chess.SQUARES]
        self.turned = 0  #: :data:`TURNED` where the board stands the other way round
        self.unbelieved: dict[chess.Square, Unbelieved] = {}  #: the sensors that do not work
        self.blind = 0  #: their squares, as a bitboard
        self.off = 0  #: squares where what is seen does not fit the position
        self.others = 0  #: of those, the ones known to be no doing of the player having the move
        self.strays = 0  #: of those again, the ones where a man came from nowhere, and nothing has changed since
        self.watched = True  #: somebody sees what happens on the board
        self.unseen = 0  #: of ``off``, the squares where that came about while nobody saw the board
        self.unsure = False  #: what was played unseen may have been more: it may be the other player's turn
        self.gap_at = 0  #: how many moves had been made before that
        self.turn = Turn(side_of(position.turn), 0)
        self.stopped = False  #: both clocks stand still, and touches bind nobody
        self.result: c.Result | None = None  #: the final one
        self.announced: dict[c.Side, c.Ms] = {}  #: when each player last said "j'adoube"
        self.counts: dict[c.Side, int] = {c.WHITE: 0, c.BLACK: 0}  #: completed illegal moves
        self.fined: dict[c.Side, int] = {c.WHITE: 0, c.BLACK: 0}  #: of those, the ones with a price
        self.awarded = NOTHING_AWARDED  #: ms that penalties have given each player, less those taken
        self.notices: list[Notice] = []  #: what awaits a ruling, oldest first
        self.rulings: list[Ruling] = []  #: what can be taken back, the latest last
        self.hidden_stock: c.Side | None = None  #: who was reported to hide men of his stock, until asked to show them
        self.two_hands: TwoHands | None = None  #: two hands were reported of the move on the board
        self.found = False  #: the start position is illegal, and no move has been completed since
        self.start = position  #: from which the game is meant to begin
        self.exchanged = 0  #: where men stood exchanged before the first move, as a bitboard
        self.default_due = session.settings.default_time_ms  #: when to ask whether a player came; None: not any more
        self.offers: dict[c.Side, c.Ms] = {}  #: when each player offered a draw that may still stand
        self.intended: Move | None = None  #: written down for a false claim, and therefore owed (9.5)
        self.trace: list[Edge] = []  #: every edge since the start
        self.lines: list[Line] = []  #: where the sensors allow more than one: what may have been played
        self.shadow: list[Line] = []  #: what else the turn so far may be, while the game follows the plain reading
        self.open = Line((), position, 0)  #: from where they go on, with its first edge
        self.open_at = 0  #: after how many moves that was
        self.ambiguous: list[str] = []  #: what was last said to be possible
        self.presses: list[Pressed] = []  #: presses that complete moves not yet known
        self.chosen: dict[c.Side, chess.PieceType] = {}  #: promotion or drop piece named by button
        self.owed: Owed | None = None  #: what was last said to be owed
        self.displaced: list[str] = []  #: what was last said to be displaced
        self.stalled = False  #: it was said that the score stands
        self.events: list[c.AnyEvent] = []

    # -- saying ----------------------------------------------------------------------------------------------

    def emit(self, event: type[E], /, **fields: Any) -> None:
        """Say that something happened now."""
        self.events.append(event(ms=self.now, board=self.board, **fields))

    def violate(self, side: c.Side, kind: Any, article: str, **evidence: Any) -> None:
        """Say that ``side`` broke a rule that is no illegal move; ``evidence``: see :mod:`controller.laws.evidence`.
        Nothing is said where it rests on what nobody saw, unless somebody reports it.
        """
        unsure = self.unsure and kind in WHOSE_TURN
        if (self.unseen or unsure or not self.watched) and evidence.get("basis") != "reported":
            return
        report = self.laws.report_violation(kind)
        self.emit(c.Violation, side=side, kind=kind, article=article, report=report, **evidence)

    def show_clock(self, reason: str | None = None) -> None:
        """Say what the clocks show, after they were started, stopped or set."""
        if self.clock is not None:
            white, black = self.both_left()
            self.emit(c.Clock, white_ms=white, black_ms=black, running=self.clock.running, reason=reason)

    def follow(self) -> None:
        """Say that the score stands no longer, if it did."""
        if self.stalled:
            self.stalled = False
            self.emit(c.Followed)

    def derive(self) -> None:
        """Say what is owed wherever that has changed."""
        turn = self.turn
        if self.intended is not None:
            now: Owed | None = Owed("move", (self.intended,), self.laws.clause.false_claim)
        else:
            now = owed(self.position, turn.touches, turn.half, self.laws.clause, self.settings.simultaneous_ms)
        if now == self.owed:
            return
        before, self.owed = self.owed, now
        if now is not None:
            owing = c.Obligation(
                ms=self.now, board=self.board, side=turn.side, must=now.must, moves=names(now.moves), article=now.clause
            )
            self.events.append(owing)
        elif before is not None:
            self.emit(c.Obligation, side=turn.side, must="none", moves=[], article=before.clause)

    def touch(self, square: chess.Square, ms: c.Ms, brief: bool = False) -> None:
        """Count a touch by the player having the move, and say so (4.3)."""
        if self.turn.touch(square, ms, brief):
            name, symbol = chess.SQUARE_NAMES[square], self.position.letter(square)
            self.events.append(c.Touch(ms=self.now, board=self.board, side=self.turn.side, square=name, piece=symbol))
            self.derive()

    def nobody_taken(self, touches: list[Touch]) -> None:
        """Withdraw those of the touches that were brushes, as nobody was taken after all."""
        for touch in touches:
            if touch.brief:
                self.emit(c.Brush, square=chess.SQUARE_NAMES[touch.square])
        touches[:] = [touch for touch in touches if not touch.brief]

    def wanted(self, white: chess.Color) -> chess.PieceType:
        """What a pawn of that colour becomes where the board cannot see it: the chosen piece, else a queen."""
        return self.chosen.get(side_of(white), chess.QUEEN)

    def pick(self, stand: Stand) -> Move:
        """Which of the moves of a whole stand was made."""
        if len(stand.moves) == 1:
            return stand.moves[0]
        wanted = self.wanted(self.position.turn)
        return next((m for m in stand.moves if (m.promotion or m.drop) == wanted), stand.moves[0])

    # -- asking ----------------------------------------------------------------------------------------------

    def both_left(self) -> tuple[int | None, int | None]:
        """What White's and Black's clocks show, in ms; None without a clock."""
        if self.clock is None:
            return None, None
        ns = self.now * NS
        return self.clock.remaining(c.WHITE, ns) // NS, self.clock.remaining(c.BLACK, ns) // NS

    def left(self, side: c.Side) -> int | None:
        """What the clock of ``side`` shows, in ms; None without a clock."""
        return None if self.clock is None else self.clock.remaining(side, self.now * NS) // NS

    def gone(self) -> int:
        """The men of the player having the move that are off the board, as a bitboard."""
        board = self.position.board
        return self.empty(self.off & board.occupied_co[board.turn] & ~self.others)

    def empty(self, mask: int) -> int:
        """Of these squares those where nothing stands, as a bitboard."""
        found = 0
        for square in squares(mask):
            if self.looks[square] == EMPTY:
                found |= BB_SQUARES[square]
        return found

    def left_unseen(self, stand: Stand) -> int:
        """The square from which a man has come unseen, as a bitboard: its sensor does not work."""
        origins = {move.from_square for move in stand.moves if not move.drop}
        return self.blind & BB_SQUARES[origins.pop()] if len(origins) == 1 else 0

    def has_announced(self, side: c.Side, ms: c.Ms) -> bool:
        """Whether a "j'adoube" of ``side`` covers what he lifts or touches at ``ms``."""
        if not self.announced:
            return False
        said = self.announced.get(side)
        return said is not None and 0 <= ms - said <= self.settings.adjust_ms

    def keys(self) -> list[Hashable]:
        """The key of each position that could still come again, the present one last (9.2)."""
        back = min(self.position.board.halfmove_clock, len(self.made))
        recent = self.made[len(self.made) - back :]
        first = recent[0].before if recent else self.position
        return [position_key(first.board), *[made.key for made in recent]]

    def last(self) -> Made | None:
        """The move made last, or the illegal one that stands."""
        return self.made[-1] if self.made else None

    def last_of(self, side: c.Side, before: int | None = None) -> Made | None:
        """The same of one player; ``before``: among the first so many moves."""
        index = len(self.made) if before is None else before
        while index > 0:
            index -= 1
            if self.made[index].side == side:
                return self.made[index]
        return None

    def uncorrected(self) -> int | None:
        """The number, from 0, of the illegal move that was completed last and stands on the board; None if none does.

        The clock pressed without a move does not make it stand any firmer.
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
        sensor = self.unbelieved.get(square) if self.blind else None
        return self.looks[square] if sensor is None else sensor.seen

    def seen_before(self) -> int:
        """The squares that have shown a man in this game; not asked for while all sensors work."""
        shown = self.start.board.occupied if self.blind else 0
        for edge in self.trace if self.blind else ():
            shown |= BB_SQUARES[edge.square] if edge.seen != EMPTY else 0
        return shown

    def disregards(self, square: chess.Square, seen: str) -> bool:
        """Whether the sensor there does not work; what it shows is kept until it does."""
        sensor = self.unbelieved.get(square)
        if sensor is not None:
            sensor.seen = seen
        return sensor is not None

    def see(self, square: chess.Square, seen: str, ms: c.Ms, by: c.Side | None) -> None:
        """The sensors show this on that square from ``ms`` on; ``by`` where it is known whose hand it was."""
        self.trace.append(Edge(ms, square, seen, None if by is None else colour(by)))
        self.looks[square] = seen
        if self.strays & BB_SQUARES[square]:
            self.others &= ~BB_SQUARES[square]
            self.strays &= ~BB_SQUARES[square]
        if self.position.symbols[square] in FITS[seen]:
            self.off &= ~BB_SQUARES[square]
            self.others &= ~BB_SQUARES[square]
            self.unseen &= ~BB_SQUARES[square]
        else:
            self.off |= BB_SQUARES[square]

    def enter(self, position: Position, changed: int) -> None:
        """The game stands at ``position``, which differs from the last one on ``changed``; a new turn begins."""
        raised = self.turn.raised
        self.position = position
        self.off = differing(position, self.looks, changed | self.off)
        self.others &= self.off
        self.unseen &= self.off
        self.turn = Turn(side_of(position.turn), self.now, len(self.trace))
        if raised:
            self.turn.raised = {s: r for s, r in raised.items() if self.off & BB_SQUARES[s] and r.by is None}
        self.owed = self.intended = None
        self.shadow = []
        self.follow()
