"""What the messages of a DGT board mean: which square changed, whose clock was pressed. No I/O, no clock of its own.

A board standing the other way round numbers its squares as ever; it is recognised when the men stand at home on the
wrong side. Which flank of the clock is White's is known once it runs while the men stand at the start: until a man
is touched, the clock that runs is White's, however the lever was put. Before that is seen it is the left one, as in
the recordings we know, or the right one if the board was turned.
"""

from collections.abc import Iterator

import chess

from controller.contract import BLACK, WHITE, Senses, Side
from hardware.boards.dgt_protocol import PIECES, ClockState, Decoder, Dump, Field, Flank, Message, ProtocolError
from hardware.boards.readings import Change, LeverPress, Step

START = tuple(piece.symbol() if (piece := chess.Board().piece_at(s)) else "" for s in chess.SQUARES)
AT_HOME = 24  #: so many of the 32 men on their squares tell how the board stands

TICK_MS = 1000  #: a change of the running clock's display
MESSAGE_MS = 20  #: any other message of a recording without timestamps


class Picture:
    """The board and its clock as last reported. Squares are python-chess's: a1 = 0, the way White sees it.

    ``tell_start``: the press that starts White's clock, while all men stand at the start, is a press of Black's. A
    recording is judged from White's first move on, and has no use for it.
    """

    def __init__(self, tell_start: bool = False) -> None:
        self._tell_start = tell_start
        self.pieces = list(START)  #: FEN letters, empty for an empty square
        self.rotated = False
        self._codes = bytearray(PIECES.index(START[own_number(s, False)]) for s in chess.SQUARES)
        self._clock: ClockState | None = None
        self._white: Flank = "left"

    def take(self, ns: int, message: Message) -> Iterator[Change | LeverPress]:
        """What ``message``, received at ``ns``, changes; squares left come before squares taken."""
        match message:
            case Dump(codes):
                self._codes[:] = codes
                yield from self._changes(ns)
            case Field(square, code):
                self._codes[square] = code
                yield from self._changes(ns)
            case ClockState():
                yield from self._lever(ns, message)

    def whole(self, ns: int) -> Iterator[Change]:
        """All 64 squares."""
        return (Change(ns, square, piece) for square, piece in enumerate(self.pieces))

    def _changes(self, ns: int) -> Iterator[Change]:
        self._turn()
        now = [PIECES[self._codes[own_number(square, self.rotated)]] for square in chess.SQUARES]
        changed = [square for square in chess.SQUARES if now[square] != self.pieces[square]]
        self.pieces = now
        return (Change(ns, square, now[square]) for square in sorted(changed, key=lambda square: now[square] != ""))

    def _turn(self) -> None:
        """Which way the board stands, if enough men are at home to say."""
        for rotated in (False, True):
            at_home = sum(
                piece != "" and PIECES[self._codes[own_number(square, rotated)]] == piece
                for square, piece in enumerate(START)
            )
            if at_home >= AT_HOME and rotated != self.rotated:
                self.rotated = rotated
                self._white = "right" if rotated else "left"

    def _lever(self, ns: int, clock: ClockState) -> Iterator[LeverPress]:
        before, self._clock = self._clock, clock
        if not clock.running or clock.to_move is None:
            return
        if tuple(self.pieces) == START:
            self._white = clock.to_move
            if self._tell_start and not (before and before.running):
                yield LeverPress(ns, BLACK)
        elif before and before.running and before.to_move and before.to_move != clock.to_move:
            yield LeverPress(ns, self._side(before.to_move))

    def _side(self, flank: Flank) -> Side:
        return WHITE if flank == self._white else BLACK


def own_number(square: chess.Square, rotated: bool) -> int:
    """The board's own number (0 = a8 … 63 = h1) of a square as White sees it; it is its own inverse."""
    return square ^ 7 if rotated else square ^ 56


class Recording:
    """Reads what a board sent, from the beginning. ``damaged`` counts stretches that no board can have sent."""

    senses: Senses = "identity"

    def __init__(self) -> None:
        self.damaged = 0
        self._decoder = Decoder()
        self._picture = Picture()
        self._clock: ClockState | None = None

    def read(self, data: bytes) -> Iterator[Step]:
        """The messages that ``data`` completes."""
        for message in self._decoder.feed(data):
            if isinstance(message, ProtocolError):
                self.damaged += 1
            else:
                yield Step(self._elapsed_ms(message), tuple(self._picture.take(0, message)))

    def _elapsed_ms(self, message: Message) -> int:
        if not isinstance(message, ClockState):
            return MESSAGE_MS
        before, self._clock = self._clock, message
        same = before is not None and before.to_move == message.to_move
        return TICK_MS if same and before and _shown(message) < _shown(before) else MESSAGE_MS


def _shown(clock: ClockState) -> int:
    """The display that counts down."""
    return clock.left if clock.to_move == "left" else clock.right
