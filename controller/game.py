"""One board's game: inputs in, events out, nothing else. The only thing that changes a game.

Time comes in with each input; what falls due between two inputs (a release, a touch that was no brush, a flag) is
dealt with before the later one. :attr:`Game.deadline` says when that will be, so that a live caller can send a
:class:`~controller.contract.Time` then.
"""

from collections.abc import Callable, Sequence
from typing import Any

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import BughouseBoard
from controller.errors import LogError
from controller.laws import claims, gap, gestures, rulings, timing
from controller.laws.board import SQUARES, compare_afresh, read_first
from controller.laws.clock import ChessClock
from controller.laws.doubt import suspects
from controller.laws.moves import end, finish, make, propose_unproven, wait_or_propose
from controller.laws.naming import mate_misnamed, mate_unnamed, promotes_unnamed, undecided
from controller.laws.outcomes import happens
from controller.laws.sensors import believe, disbelieve, may_stand_unseen
from controller.laws.stalled import stall
from controller.laws.state import NS, TURNED, State, begin, turned
from controller.laws.stock import Change, restock
from controller.laws.timecontrol import parse
from controller.laws.turn import Happens
from controller.laws.unseen import decide
from controller.position import EMPTY, squares
from controller.sensing.debounce import Debouncer, Flip
from controller.sensing.looks import SOMETHING, reported
from controller.sensing.stand import Kind, differing, read

NEVER = 1 << 40
"""Later than anything falls due, in ms."""

RUN_ON_MS = 5000
"""How long time runs on after the last line of a log."""

LOST_SCANS = 3
"""How many scans in a row may be lost where all are sent."""

SLOWEST_MS = 250
"""How far apart the scans of a slow board may be. Where a log repeats one later than that, not every scan is in it."""

DECIDING = (c.Resign, c.Draw, c.Claim)
"""Inputs that may end the game: what was played until then has to be settled as well as it can be."""


class Game:
    """A game on one board; ``board`` is its name in a match.

    Raises :exc:`LogError` for a session that cannot be played: a FEN or a time control that means nothing.
    """

    def __init__(self, session: c.Session, board: c.BoardId | None = None) -> None:
        self.session = session
        self.state = begin(session, _start(session, board), _clock(session), board)
        self._debouncer: Debouncer | None = None
        self._release_ms, self._brush_ms = session.settings.release_ms, session.settings.brush_ms
        self._scan = ""  #: the last raw scan
        self._scanned: c.Ms = 0  #: when that was
        self._every: c.Ms = NEVER  #: how far apart two scans were at least that showed the same
        self._closed = False  #: the match is over, whatever this game came to
        self._started = False

    def handle(self, item: c.AnyInput) -> list[c.AnyEvent]:
        """Let time run to the input, take it, and return what came of both.

        An input from before the latest one counts as simultaneous with it. Once the result is final nothing changes.
        Raises :exc:`LogError` for a man named as this board cannot name him.
        """
        kind = type(item)
        if not self._started:
            self._started = True
            self.state = timing.start(self.state)
        if type(item) is c.Frame:
            self._until_scan(item)
        else:
            self._run_to(item.ms)
        if kind in DECIDING:
            self._decide()
        if _ends(item):
            self._promote()
        if self.state.result is None and not self._closed:
            ACTS[kind](self, item)
        elif type(item) is c.Claim:
            self.state = claims.too_late(self.state, item)
        elif type(item) is c.Arbiter and not self._closed:
            self.state = rulings.after_the_end(self.state, item)
        return self.said()

    def finish(self) -> list[c.AnyEvent]:
        """The end of a log: time runs on so that pending releases are judged."""
        return self.handle(c.Time(ms=self.state.now + RUN_ON_MS)) + self.settle()

    def settle(self) -> list[c.AnyEvent]:
        """Decide what was played so far: nothing more will come that could tell."""
        self._decide()
        self._promote()
        if self.state.unproven is not None:
            self.state = propose_unproven(self.state)
        return self.said()

    def _decide(self) -> None:
        s = decide(self.state)
        if (mate := mate_unnamed(s)) is not None:
            s = make(s, mate)
        if s.result is None and s.position.house is not None and undecided(s, s.turn.stand):
            s, _ = happens(s, Happens.REPLY)
        self.state = s

    def _promote(self) -> None:
        """Nobody will say any more what a pawn is that stands on its last rank: a queen, as after a press."""
        if self.state.result is None and promotes_unnamed(self.state):
            self.state, _ = happens(self.state, Happens.PRESS)

    def said(self) -> list[c.AnyEvent]:
        """What happened and was not told yet."""
        facts = self.state.facts
        if not facts:
            return []
        self.state = replace(self.state, facts=())
        return list(facts)

    # -- as one board of a match -----------------------------------------------------------------------------

    def restock(self, change: Change, ms: c.Ms) -> list[c.AnyEvent]:
        """Men come from the partner's board at ``ms``, or go back there."""
        self.state = restock(self._by(ms), change)
        return self.said()

    def _by(self, ms: c.Ms) -> State:
        return replace(self.state, now=ms) if ms > self.state.now else self.state

    def judges_by(self, ms: c.Ms) -> bool:
        """Whether by ``ms`` something may fall due here that concerns the partner: what stands there is to be judged.

        Touches do not; asking for them costs more than it saves.
        """
        turn = self.state.turn
        return self._debouncer is not None or (not turn.judged and turn.due(self._release_ms) <= ms)

    def agree(self) -> list[c.AnyEvent]:
        """The teams have agreed on a draw of the whole match."""
        self.state = finish(self.state, "1/2-1/2", "agreement", self.state.laws.clause.agreement)
        return self.said()

    def mate(self) -> list[c.AnyEvent]:
        """The match is being stopped as after a mate: one that stands here without its name is made, or was, by men who
        had other names."""
        if (mate := mate_unnamed(self.state)) is not None:
            self.state = make(self.state, mate)
        elif (misnamed := mate_misnamed(self.state)) is not None:
            self.state = end(misnamed)
        return self.said()

    def close(self, ms: c.Ms) -> list[c.AnyEvent]:
        """The match is over at ``ms``: this game goes no further, and its clocks stand."""
        self._closed = True
        s = self._by(ms)
        if s.clock is not None and s.result is None:
            s = replace(s, clock=s.clock.stop(s.now * NS)).show_clock()
        self.state = s
        return self.said()

    # -- sensors that do not work ----------------------------------------------------------------------------

    def suspects(self, item: c.AnyInput, swaps: bool) -> list[c.Square]:
        """The squares, as the board calls them, of which one sensor is likely not to work, by what is seen when
        ``item`` comes: a press, or the time at which what stands there is judged.

        ``swaps``: whether the board is so slow that men may be exchanged on a square unseen.
        """
        s = self.state
        presser = item.side if isinstance(item, c.Press) else None
        judged = not s.turn.judged and s.turn.due(self._release_ms) <= item.ms
        certain = s.watched and not (s.unseen or s.unsure)
        if s.result is not None or self._closed or not certain or not (presser or judged):
            return []
        return [chess.SQUARE_NAMES[square ^ s.turned] for square in suspects(s, presser, item.ms, swaps)]

    def accuses_at(self, ms: c.Ms) -> c.Ms | None:
        """When what stands there is judged, if time alone may make an offence of it by ``ms``."""
        turn = self.state.turn
        due = turn.due(self._release_ms)
        unexplained = turn.stand.kind in (Kind.ASTRAY, Kind.FOREIGN)
        return due if unexplained and not turn.judged and due <= ms else None

    def completes(self, side: c.Side) -> bool:
        """Whether a press by ``side`` just now would complete a move that nobody holds against him: it has been made,
        or stands whole, and leaves nothing open."""
        s = self.state
        if s.result is not None or s.lines or s.stopped or s.blind or s.others:
            return False
        if s.unseen or s.unsure or not s.watched:
            return False
        if s.turn.side != side:
            return (last := s.last()) is not None and not last.completed and not last.illegal
        stand, owed = s.turn.stand, s.owed
        if stand.kind is not Kind.WHOLE or stand.part == "drop" or s.turn.corrects:
            return False
        return not undecided(s, stand) and (owed is None or set(stand.moves) <= set(owed.moves))

    def before_press(self, side: c.Side, changes: Sequence[tuple[chess.Square, str]]) -> int:
        """How many of these changes, squares as the board calls them and what stands there since, came before a press
        by ``side``, after which they were reported: with so many his move stands whole, with all if it does with none.
        """
        s = self.state
        if self.completes(side) and s.turn.side != side:
            return 0
        looks, whole = list(s.looks), [0] if s.turn.stand.kind is Kind.WHOLE else []
        for number, (square, shown) in enumerate(changes, 1):
            looks[square ^ s.turned] = _reported(shown or ".", self.session.senses)
            off = differing(s.position, looks, chess.BB_ALL) & ~s.others
            if read(s.position, looks, off, s.turn.traces, s.blind).kind is Kind.WHOLE:
                whole.append(number)
        return whole[-1] if whole and s.turn.side == side and not s.lines else len(changes)

    @property
    def undecided(self) -> bool:
        """Whether more than one line of moves is followed."""
        return bool(self.state.lines)

    @property
    def excused(self) -> set[chess.Square]:
        """The squares, as the board has them, on which a man need not be seen: he may stand elsewhere unseen."""
        return {square ^ self.state.turned for square in squares(may_stand_unseen(self.state))}

    # -- time ------------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> c.Ms | None:
        """When, in session milliseconds, something falls due without further input; None if nothing does."""
        s, due = self.state, NEVER
        if s.result is not None or self._closed:
            return None
        turn, clock = s.turn, s.clock
        if self._debouncer is not None and (settled := self._debouncer.due) is not None:
            due = settled
        if not turn.judged and (judged := turn.due(self._release_ms)) < due and self._stood(judged):
            due = judged
        if turn.raised and (touched := self._touched()) is not None and touched < due:
            due = touched
        if s.default_due is not None and s.default_due < due:
            due = s.default_due
        if s.unproven is not None and s.unproven < due:
            due = s.unproven
        if clock is not None and clock.flag_due is not None and clock.flag_due < due * NS:
            due = -(-clock.flag_due // NS)
        return due if due < NEVER else None

    def _touched(self) -> c.Ms | None:
        """When the first man in hand counts as touched, unless a scan casts doubt on his being there until then."""
        touched = self.state.turn.touched(self._brush_ms)
        return touched if touched is not None and self._stood(touched) else None

    def _stood(self, until: c.Ms) -> bool:
        """Whether no scan casts doubt on how things stood then: a change that has not settled yet may be real. Of what
        nobody sees nobody knows that it stands."""
        if not self.state.watched:
            return False
        return self._debouncer is None or self._debouncer.since is None or until < self._debouncer.since

    def _run_to(self, ms: c.Ms) -> None:
        """Deal with all that falls due by ``ms``."""
        while (due := self.deadline) is not None and due <= ms:
            self.state = self._by(due)
            self._fall_due()
        self.state = self._by(ms)

    def held_until(self, item: c.Frame) -> bool:
        """Whether what was scanned last stood until this scan, as the contract has it.

        Where every scan is sent, some are lost, and one that changed shows that those before it held only until the
        last of them: what lies between was not seen, and nothing can be said to have stood through it. A longer pause
        is one in the log, not in what was seen.
        """
        if item.occupied == self._scan or self._every > SLOWEST_MS:
            return True
        return item.ms - self._scanned > (LOST_SCANS + 1) * self._every

    def _until_scan(self, item: c.Frame) -> None:
        """Let time run to a scan, as far as it was seen."""
        if self.held_until(item):
            self._run_to(item.ms)
        if item.occupied == self._scan:
            self._every = min(self._every, max(0, item.ms - self._scanned))
        self._scan, self._scanned = item.occupied, item.ms
        self.state = self._by(item.ms)

    def _fall_due(self) -> None:
        if self._debouncer is not None:
            self._flip(self._debouncer.settle(self.state.now))
        s = self.state
        if s.clock is not None and ((flag := s.clock.flag_due) is None or flag <= s.now * NS):
            s = timing.run_clock(s)
        if s.default_due is not None and s.default_due <= s.now:
            s = timing.default_time(s)
        if s.unproven is not None and s.unproven <= s.now:
            s = wait_or_propose(s)
        self.state = s
        if s.turn.raised and self._touched() is not None:
            self.state = s = gestures.touch_what_is_due(s)
        if not s.turn.judged and (judged := s.turn.due(self._release_ms)) <= s.now and self._stood(judged):
            s, _ = happens(timing.reconsider(s.turning(judged=True)), Happens.RELEASE)
            self.state = stall(s)

    # -- what the board shows --------------------------------------------------------------------------------

    def _square(self, item: c.Lift | c.Place | c.Contact | c.Sensor) -> chess.Square:
        return SQUARES[item.square] ^ self.state.turned

    def _lift(self, item: c.Lift) -> None:
        self._edge()
        self.state = gestures.lift(self.state, self._square(item), item.side, self.state.now)

    def _place(self, item: c.Place) -> None:
        seen = reported(item.piece, self.session.senses)
        self._edge()
        self.state = gestures.place(self.state, self._square(item), seen, item.side, self.state.now)

    def _edge(self) -> None:
        """A board that reports edges says all it knows: what scans said before is past."""
        self._debouncer = None
        if not self.state.watched:
            self.state = replace(self.state, watched=True)

    def _seen(self, looks: list[str]) -> None:
        """The board is seen again, as it is built in."""
        self._debouncer = None
        self.state = gap.look_again(self.state, tuple(looks[::-1] if self.state.turned else looks))

    def _frame(self, item: c.Frame) -> None:
        """Take one raw scan. The first, and the first after edges, is compared with the game at once."""
        s, occupied = self.state, int(item.occupied, 16)
        if not s.watched:
            self._seen([SOMETHING if occupied & BB_SQUARES[square] else EMPTY for square in chess.SQUARES])
            self._debouncer = Debouncer(s.settings.debounce_ms, occupied)
            return
        if self._debouncer is not None:
            self._flip(self._debouncer.feed(s.now, occupied))
            return
        self._debouncer = Debouncer(s.settings.debounce_ms, occupied)
        expected = s.position.board.occupied
        if not s.made and occupied != expected and turned(occupied) == expected:
            s = self.state = replace(s, turned=TURNED)
        seen = sum(BB_SQUARES[square ^ s.turned] for square in chess.SQUARES if s.shown(square) != EMPTY)
        if not s.trace:
            self.state = read_first(s, occupied ^ seen)
            return
        self._flip([(s.now, occupied ^ seen)])
        self.state = compare_afresh(self.state)

    def _flip(self, flips: list[Flip]) -> None:
        """Squares that settled, as edges: within one scan the mover's men, then what was set down, then the rest."""
        s = self.state
        for ms, mask in flips:
            if s.turned:
                mask = turned(mask)
            mine = s.position.board.occupied_co[s.position.turn] | s.off
            up = [square for square in squares(mask) if s.shown(square) != EMPTY]
            down = [square for square in squares(mask) if s.shown(square) == EMPTY]
            for square in up:
                if BB_SQUARES[square] & mine:
                    s = gestures.lift(s, square, None, ms)
            for square in down:
                s = gestures.place(s, square, SOMETHING, None, ms)
            for square in up:
                if not BB_SQUARES[square] & mine:
                    s = gestures.lift(s, square, None, ms)
        self.state = s

    def _step(self, step: Callable[..., State], *given: Any) -> None:
        self.state = step(self.state, *given)


ACTS: dict[type, Callable[[Game, Any], None]] = {
    c.Lift: Game._lift,
    c.Place: Game._place,
    c.Contact: lambda game, i: game._step(gestures.contact, game._square(i), i.side),
    c.Frame: Game._frame,
    c.Sensor: lambda game, i: game._step(believe if i.works else disbelieve, game._square(i)),
    c.Press: lambda game, i: game._step(timing.press, i.side, i.unseen),
    c.Pause: lambda game, _: game._step(rulings.stop),
    c.Adjust: lambda game, i: game._step(gestures.adjust, i.side),
    c.Choose: lambda game, i: game._step(gestures.choose, i.side, i.piece),
    c.Claim: lambda game, i: game._step(claims.claim, i),
    c.Draw: lambda game, i: game._step(claims.draw, i),
    c.Resign: lambda game, i: game._step(claims.resign, i.side),
    c.Arbiter: lambda game, i: game._step(rulings.arbiter, i),
    c.Time: lambda _game, _: None,
    c.Outage: lambda game, i: game._step(timing.outage, i.away_ms),
    c.Unseen: lambda game, _: game._step(gap.look_away),
    c.Seen: lambda game, i: game._seen([_reported(letter, game.session.senses) for letter in i.shown]),
}
"""What each input does to a game."""


def _ends(item: c.AnyInput) -> bool:
    """Whether the game is over with that, as far as it is well founded."""
    if isinstance(item, c.Arbiter):
        return item.do == "result"
    return isinstance(item, c.Resign) or (isinstance(item, c.Draw) and item.act == "accept")


def _reported(letter: str, senses: c.Senses) -> str:
    """What a board that senses so shows where its picture has ``letter``."""
    if letter == ".":
        return EMPTY
    return reported(None if letter == "x" else letter, senses)


def _clock(session: c.Session) -> ChessClock | None:
    if session.clock is None:
        return None
    try:
        return ChessClock(parse(session.clock))
    except LogError as error:
        raise LogError(f"malformed session line: {error.what} - at `$.clock`", error.cause, error.next_step) from error


def _start(session: c.Session, name: c.BoardId | None) -> chess.Board:
    fen, field = session.fen, "$.fen"
    if not isinstance(fen, str):
        if name is None:
            raise LogError("malformed session line: expected a FEN or `startpos`, for a game of one board - at `$.fen`")
        fen, field = (fen.A if name == "A" else fen.B), f"$.fen.{name}"
    try:
        if name is None:
            board = chess.Board(chess.STARTING_FEN if fen == "startpos" else fen)
        else:
            board = BughouseBoard(BughouseBoard.starting_fen if fen == "startpos" else fen)
            if any(stock.count(chess.KING) for stock in board.pockets):
                raise ValueError("a king is in no stock")
    except ValueError as error:
        raise LogError(f"malformed session line: expected a FEN or `startpos`: {error} - at `{field}`") from error
    board.castling_rights = board.clean_castling_rights()
    return board
