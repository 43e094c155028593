"""One board of a game as the arbiter sees it, folded from the journal's records; and as JSON for his page.

What the sensors show, what the Laws make of it, and what a person said are told apart
(`docs/decisions.md`, "Evidence, not verdicts"). Nothing of this is for players or spectators: see :mod:`.gallery`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import chess

from controller import contract as c
from controller.chess960 import as_seen
from controller.console import acts
from controller.console.cases import CASES, Cases, Words
from controller.console.naming import naming
from controller.console.offers import Offers
from controller.console.played import PlaceInRecord, choices
from controller.console.shown import Wall, shown_case, shown_head
from controller.console.sight import Sight, TimeLine
from controller.journal import Opening
from controller.outlets.mqtt.docket import Open, Undoable, ids_of, open_after
from controller.outlets.scoresheet import Scoresheet
from controller.words import LANGUAGES, LanguageCode
from controller.words.context import Context
from controller.words.language import Language, language
from controller.words.reports import Reportable, of_quickplay, offered
from controller.words.say import parts
from controller.words.touched import together

Awaited = Callable[[], Sequence[tuple[int, Open]]]
"""From which input of the game on what awaited a ruling, for each change: told by the daemon."""

SAID = (c.Obligation, c.Result, c.Match, c.Warned, c.Restored, *CASES)
"""What is said in words on the page."""

LINE_MS = 10_000  #: a time line without touches goes back so far


class ArbiterBoard:
    """One board of the game of ``opening``; in a match the board ``board_id``."""

    def __init__(self, opening: Opening, board_id: c.BoardId | None, awaiting: Awaited) -> None:
        self.number = opening.number(board_id)
        self.sheet = Scoresheet(opening, board_id)
        self._context = Context(opening.session, board_id)
        self.cases = Cases(lapses=self._context.laws.illegal_until == "next-move")
        self.moved = 0  #: moves on with every change of the score
        self.called: c.Side | None = None  #: who stopped the clocks to call the arbiter
        self.wall: Wall | None = None  #: of what is followed as it happens; what was before has no time of day
        self._called_wall_ms: int | None = None  # when
        self._opening = opening
        self._board_id = board_id
        self._sight = Sight(self.sheet.board.occupied)
        self._owed: Words | None = None
        self._went: str | None = None  # the last move that was made and is none, while its piece is not back
        self._open: list[str] = []  # between which moves the board cannot decide
        self._ends: dict[type[c.AnyEvent], Words] = {}  # how the game ended, and the match
        self._awaiting = awaiting
        self._warned: dict[c.Side, int] = {c.WHITE: 0, c.BLACK: 0}  # how often
        self._offers = Offers(board_id)
        self._inputs = 0  # taken so far, on all boards
        self._seq = 0  # of the last event
        self._ended = True  # what the last input led to has been taken
        self._stood: dict[chess.Square, chess.Piece] | None = None  # before a ruling
        self._ruling: c.Arbiter | None = None  # that it is, if an arbiter did something of himself
        self._rulings: list[c.Arbiter] = []  # those here that can be taken back
        self._undone: dict[LanguageCode, str] = {}  # what it takes back
        self._led_to: c.AnyEvent | None = None  # what came of it

    # -- what comes in -------------------------------------------------------------------------------------------

    def hear(self, item: c.AnyInput) -> None:
        """An input, before its events."""
        self.settle()
        self._inputs += 1
        self._ended = False
        self._ruling = self._led_to = None
        self._stood = self.sheet.board.piece_map() if isinstance(item, c.Arbiter) else None
        self.cases.begin(item)
        self._offers.hear(item, self.sheet.ply, self._wall_of(item.ms))
        if item.board in (self._board_id, None):
            self._sight.take(item)
            if self._went is not None and self._occupied(self._went[:2]):
                self._went = None
            self.cases.lifted(self._occupied)
            if isinstance(item, c.Arbiter):
                self._hear_ruling(item)
            if isinstance(item, c.Choose):
                self.cases.name(item)
            if isinstance(item, c.Pause):
                self.called = item.side
                self._called_wall_ms = self._wall_of(item.ms)

    def _hear_ruling(self, item: c.Arbiter) -> None:
        last = acts.told_undone(item, self._rulings, self.sheet) if item.do == "undo" else None
        self._undone = (
            {} if last is None else {code: acts.what_is_undone(last, self.cases.all, code) for code in LANGUAGES}
        )
        if c.RULINGS[item.do].undone:
            self._rulings.append(item)
        if item.do in acts.NOTED:
            self._ruling = item

    def apply(self, seq: int, event: c.AnyEvent) -> None:
        """An event of the game; those of the other board of a match are passed over."""
        if not self.sheet.concerns(event):
            return
        said: Words = {}
        if isinstance(event, SAID) and not (isinstance(event, c.Obligation) and event.must == "none"):
            said = {code: parts(event, code, self._context) for code in LANGUAGES}
        since = self._began(event)
        self._context.apply(event)
        self._offers.apply(event, self.sheet.ply, self._wall_of(event.ms))
        self.sheet.apply(event)
        match event:
            case c.Obligation():
                self._owed = None if event.must == "none" else said
            case c.Ambiguous():
                self._open = event.moves
            case c.Move() | c.Retract():
                self._owed, self._open, self._went = None, [], None
                self.moved += 1
                self._sight.expect(self.sheet.board.occupied)
            case c.Illegal(uci=uci) if uci is not None and "@" not in uci:
                self._went = uci
            case c.Clock(running=running) if running is not None:
                self.called = None
            case c.Warned():
                self._warned[event.side] = event.count
            case c.Result() | c.Match():
                self._ends[type(event)] = said
            case _:
                pass
        self._seq = seq
        if self._ruling is not None and isinstance(event, acts.NOTED[self._ruling.do]):
            self._led_to = event
        opened = self.cases.take(self._inputs, seq, event, said)
        if opened is not None:
            opened.line = self._line(event, since)
            opened.naming = naming(event, self.sheet)
            opened.swapped = self._swapped if isinstance(event, c.Displaced) else set()
            opened.wall_ms = self._wall_of(event.ms)

    def _occupied(self, square: str) -> bool:
        """Whether something stands there, as far as the board was seen."""
        seen = self._sight.occupied
        return seen is None or bool(seen & chess.BB_SQUARES[chess.parse_square(square)])

    @property
    def _swapped(self) -> set[str]:
        """The squares on which the record had another piece before the ruling than it has there now, and where that
        piece stands still, as it is not back where it came from: a board that sees no kinds cannot show it."""
        now, before, names = self.sheet.board.piece_map(), self._stood or {}, chess.SQUARE_NAMES
        left = {piece.color for q, piece in now.items() if q not in before and not self._occupied(names[q])}
        standing = {q: piece for q, piece in before.items() if q in now and self._occupied(names[q])}
        return {names[q] for q, piece in standing.items() if now[q] != piece and piece.color in left}

    def settle(self) -> None:
        """All events of the last input have been taken."""
        if not self._ended:
            self._ended = True
            awaits = open_after(self._awaiting(), self._inputs)
            answered = self.cases.end(self._inputs, self._seq, awaits)
            self.sheet.settle(ids_of(awaits))
            self.cases.look(self.sheet.entries, over=self.over)
            if self._ruling is not None and self._led_to is not None and not answered:
                words = acts.ruling_in_words(self._ruling, self._led_to, self._undone)
                noted = self.cases.note(self._inputs, self._ruling, self._led_to, words)
                noted.wall_ms = self._wall_of(noted.ms)
            for case in self.cases.all:
                if self.wall is not None and case.wall_ms is not None and case.ruled_ms is not None:
                    case.ruled_wall_ms = case.ruled_wall_ms or self.wall(case.ruled_ms)

    def _line(self, event: c.AnyEvent, since: int) -> TimeLine | None:
        """The time line of what an event is about. Of an outage there is none, nor of a board that was not seen, as in
        the archive: nobody looked."""
        if isinstance(event, c.Interrupted) or self._sight.occupied is None:
            return None
        squares = list(getattr(event, "squares", [])) + _of_move(getattr(event, "uci", None))
        return self._sight.line(list(dict.fromkeys(squares)), since, event.ms)

    def _began(self, event: c.AnyEvent) -> int:
        """When what led to an event began, in ms."""
        if isinstance(event, c.Flag) or (isinstance(event, c.Claimed) and event.of == "flag"):
            return event.ms - LINE_MS  # the turn may have begun long before
        touched: list[int] = getattr(event, "touched_ms", [])
        side: c.Side | None = getattr(event, "side", None)
        if touched:
            return min(touched)
        if side is not None and (touches := self._context.turns[side].touches):
            return min(touch.began_ms for touch in touches)
        return event.ms - LINE_MS

    def _wall_of(self, ms: int) -> int | None:
        """When a time of the session was, in ms since 1970, where that is known."""
        return None if self.wall is None else self.wall(ms)

    # -- what is shown -------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game on this board has its result."""
        return self.sheet.over

    @property
    def attention(self) -> int:
        """3: a ruling is awaited; 2: something is to be seen; 1: the clocks stand; 0: play goes on, or is over."""
        urgent = self.cases.urgent
        if urgent or self.over:
            return urgent
        if self.called is not None:
            return 2
        return int(self.stopped)

    @property
    def stopped(self) -> bool:
        """Whether the clocks stand still in a game that has begun."""
        clock = self.sheet.clock
        return clock is not None and clock.running is None and not self.over

    def board(self, code: LanguageCode) -> dict[str, Any]:
        """Position, hands, touches, what is owed: what changes with every lift."""
        sheet, to, board = self.sheet, language(code), self.sheet.board
        seen = self._sight.occupied
        lifted, extra = (0, 0) if seen is None or self.over else (board.occupied & ~seen, seen & ~board.occupied)
        owed = None if self.over else sheet.owed
        turn = c.WHITE if board.turn else c.BLACK
        return {
            "fen": sheet.placement,
            "turn": turn,
            "check": chess.square_name(square)
            if board.is_check() and (square := board.king(board.turn)) is not None
            else None,
            "last": sheet.last,
            "seen": seen is not None,
            "lifted": _names(lifted),
            "hand": [
                to.piece_on(p.symbol(), chess.square_name(s))
                for s in chess.scan_forward(self._in_hand(lifted, extra))
                if (p := board.piece_at(s)) and chess.square_name(s) not in sheet.displaced
            ],
            "extra": _names(extra),
            "touched": self._touched(turn, to),
            "owed": self._owed[code].what if self._owed is not None and owed is not None else None,
            "targets": [] if owed is None or owed.must == "free" else _targets(owed.moves, board),
            "did": {side: self._last_of(side) for side in (c.WHITE, c.BLACK)},
            "warned": dict(self._warned),
            "offers": self._offers.shown(to, sheet.ply, over=self.over),
            "displaced": self._displaced,
            "stock": sheet.stock,
            "result": self._end(code),
            "over": self.over,
            "quickplay": of_quickplay(self._opening.session),
            "missing": sheet.stalled is not None or bool(self._open),
            "closed": self.over if self._board_id is None else sheet.match is not None,
            "stopped": self.stopped,
            "called": self.called,
            "called_wall": self._called_wall_ms if self.called is not None else None,
            "attention": self.attention,
        }

    def _in_hand(self, lifted: int, extra: int) -> int:
        """Those of the squares ``lifted`` whose pieces are off the board: none where as many stand on others,
        ``extra``, though that is not told yet. Squares are bitboards."""
        if self._went is not None and self._occupied(self._went[2:4]):
            lifted &= ~chess.BB_SQUARES[chess.parse_square(self._went[:2])]
            extra &= ~chess.BB_SQUARES[chess.parse_square(self._went[2:4])]
        return lifted if lifted.bit_count() > extra.bit_count() else 0

    @property
    def _displaced(self) -> list[str]:
        """The squares that do not match the game; none once it is over, for then pieces are set up for another."""
        if self.over:
            return []
        swapped = {square for case in self.cases.all if case.state == "board" for square in case.swapped}
        if swapped:
            return [*self.sheet.displaced, *sorted(swapped - {*self.sheet.displaced})]
        return self.sheet.displaced or (self.sheet.stalled.squares if self.sheet.stalled is not None else [])

    def head(self) -> dict[str, Any]:
        """Who plays here, and by which rules."""
        session = self._opening.session
        return shown_head(self.sheet) | {"laws": session.laws, "play": session.play}

    def reports(self, code: LanguageCode) -> dict[str, Reportable]:
        """What an arbiter may report here, by what the input calls it."""
        return offered(self._opening.session, language(code))

    def played(self, asked: PlaceInRecord, code: LanguageCode) -> dict[str, Any]:
        """What may have been played there. Raises :exc:`LogError` as :func:`.choices` does."""
        return choices(self.sheet, self._open, asked, code)

    def undone(self, last: Undoable, code: LanguageCode) -> dict[str, Any]:
        """What would be taken back, and when it was ruled or made."""
        by = None if last.ruling is None else last.ruling.by
        wall = self._wall_of(last.ms)
        what = acts.asked_to_undo(last, self.cases.all, code)
        return {"of": last.ms, "what": what, "by": by, "at": language(code).at(last.ms), "wall": wall}

    def docket(self, code: LanguageCode) -> dict[str, dict[str, Any]]:
        """The cases by their names, oldest first."""
        named = self.cases.answered_by
        return {f"case {case.seq}": shown_case(case, code, self.sheet, answers=named(case)) for case in self.cases.all}

    def _end(self, code: LanguageCode) -> str | None:
        """How the game ended, and in a match that one, as long as no ruling has taken it back."""
        known = [kind for kind, end in ((c.Result, self.sheet.result), (c.Match, self.sheet.match)) if end is not None]
        return ". ".join(self._ends[kind][code].what for kind in known if kind in self._ends) or None

    def _last_of(self, side: c.Side) -> str | None:
        """The last move of a player, if he has made one."""
        return next((entry.move.san for entry in reversed(self.sheet.entries) if entry.move.side == side), None)

    def _touched(self, turn: c.Side, to: Language) -> list[dict[str, Any]]:
        """What the player having the move has touched, in order; ``order`` is the same where nobody can know it."""
        current = self._context.turns[turn]
        touches = [] if current.over or self.over else current.touches
        ranks = together([touch.began_ms for touch in touches], self._opening.session.settings.simultaneous_ms)
        return [
            {"square": t.square, "order": rank + 1, "text": to.piece_on(t.piece, t.square), "at": to.at(t.began_ms)}
            for t, rank in zip(touches, ranks, strict=True)
        ]


def _targets(moves: Sequence[str], board: chess.Board) -> list[str]:
    return sorted({as_seen(move, board)[2:4] for move in moves})


def _names(mask: int) -> list[str]:
    return [chess.square_name(square) for square in chess.scan_forward(mask)]


def _of_move(uci: str | None) -> list[str]:
    if uci is None:
        return []
    return [uci[2:4]] if "@" in uci else [uci[:2], uci[2:4]]
