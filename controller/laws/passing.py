"""Sets right a slide: before the press the board last saw the piece on a square that it only passed over, and just
after the press on its own. Nobody presses and is back at the piece so soon, so it had been moved on before.
"""

from chess import BB_SQUARES, Move

from controller.laws.board import difference_before, read_board
from controller.laws.drop_names import named
from controller.laws.moves import make, take_back
from controller.laws.record import Made
from controller.laws.state import State
from controller.position import EMPTY
from controller.sensing.costs import REACTS_MS
from controller.sensing.difference import LEGAL, Difference
from controller.sensing.readings import of_colour

PASSES_MS = 320
"""No piece that only passes over a square is seen to stand there for so long: one look of a slow board. A guess."""


def passed_on(s: State) -> State:
    """The state in which the player who has just pressed made the move that stands, if his piece only passed over the
    square where it seemed to stand; else the same state. What the opponent holds by now he holds still."""
    last = s.last()
    if last is None or not _may_have_passed(s, last):
        return s
    held = s.gone()
    difference = difference_before(s, last, apart=held)
    if difference.kind not in LEGAL or difference.moves[0].from_square != last.move.from_square:
        return s
    stands = last.before.landing(difference.moves[0])
    if not of_colour(s.readings[stands], last.before.turn) or not _seen_soon(s, last, stands):
        return s
    return made_instead(s, difference, held)


def made_instead(s: State, difference: Difference, held: int, move: Move | None = None) -> State:
    """The state in which the player who moved last has made the move that stands whole by this difference, in place of
    his last one; ``move``: which one, where that is known. What his opponent holds by now, the squares ``held``, a
    bitboard, he holds still."""
    theirs = s.turn.lowering(~held).raised
    touches = tuple([touch for touch in s.turn.touches if BB_SQUARES[touch.square] & held])
    s = read_board(take_back(s, len(s.made) - 1), s.now)
    s = make(s, move or named(s, difference))
    return read_board(s.turning(touches=touches, raised={**s.turn.raised, **theirs}).derive(), s.now)


def _may_have_passed(s: State, last: Made) -> bool:
    """Whether that move was completed by a press just now, and its piece has left the square where it seemed to stand,
    on which it was not seen for longer than a piece that passes: it may never have been released there."""
    if not last.completed_by_press or last.illegal or last.shifted or last.side == s.turn.side:
        return False
    landing = last.landing
    if s.stopped or s.board is not None or s.readings[landing] != EMPTY or not _seen_soon(s, last, landing):
        return False
    came = [edge.ms for edge in s.trace[last.start : s.turn.start] if edge.square == landing and edge.seen != EMPTY]
    left = s.trace[s.trace.last_edge(landing, s.turn.start)]
    return bool(came) and left.ms - came[-1] < min(s.release_ms, PASSES_MS + s.pace.apart)


def _seen_soon(s: State, last: Made, square: int) -> bool:
    """Whether ``square`` has changed since the press, sooner than a hand comes back from the clock, and no hand is
    known to have done it."""
    number = s.trace.last_edge(square, s.turn.start)
    return number >= 0 and s.trace[number].white is None and s.trace[number].ms - last.done <= REACTS_MS + s.pace.apart
