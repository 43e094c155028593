"""Pieces that a player knocks over or shoves as he moves, and puts back in his own time (7.4.1): nobody has touched
them."""

from itertools import product

import chess

from controller import contract as c
from controller.laws.board import leaving_out
from controller.laws.state import NEVER, State
from controller.position import EMPTY, squares
from controller.sensing.costs import REACTS_MS
from controller.sensing.difference import LEGAL
from controller.sensing.readings import FITS

SHOVED_MS = 50
"""A piece that is shoved comes to the square beside within this time after it left its own. A guess."""

REACHES = 2
"""A piece knocks over another at this distance at most, in squares."""

AROUND = tuple(
    [
        sum(chess.BB_SQUARES[other] for other in chess.SQUARES if chess.square_distance(square, other) <= REACHES)
        for square in chess.SQUARES
    ]
)
"""By square, as bitboards: those that are no farther away."""

ON_THE_WAY = 6
"""At most so many squares differ where a legal move, such as castling, stands and one piece has fallen."""

PUT_STRAIGHT_MS = 3000
"""So long after his move its player may still put it straight, and fell what stands beside it. A guess."""

FELLS_MS = 400
"""A hand that sets down a piece may knock over one beside it for so long. A guess: a player may reply as soon, but
hardly with that piece."""

FALLEN = 4
"""So many of the mover's pieces that leave within the time of a brush were swept off, or knocked over; a guess."""

AT_ONCE, AT_ONCE_MS = 3, 60
"""So many pieces, of either player, that leave each within so many ms of the one before, or within one look however far
apart looks are, were not taken up: two hands take up two. A guess."""


def landing(s: State) -> chess.Square | None:
    """Where the piece that was moved last stands; None if there is none."""
    last, difference = s.last(), s.turn.difference
    if difference.kind in LEGAL:
        return s.position.landing(difference.moves[0])
    return last.landing if last is not None and last.move else None


def landings(s: State) -> int:
    """Where the pieces that were moved last stand, as a bitboard: of castling both (3.8.2); 0 if there are none."""
    last, difference = s.last(), s.turn.difference
    if difference.kind in LEGAL:
        filled = difference.mask & ~s.empty(difference.mask)
        return filled | chess.BB_SQUARES[s.position.landing(difference.moves[0])]
    return last.released if last is not None and last.move else 0


def stood_less(s: State, square: chess.Square, ms: c.Ms, than: c.Ms, until: c.Ms = NEVER) -> bool:
    """Whether what stands on ``square`` at ``ms`` was seen to come there less than ``than`` before, by ``until``."""
    came = s.trace.latest(square, empty=False)
    return came is not None and 0 <= ms - came.ms < than and came.ms <= until


def fell_beside(s: State, square: chess.Square, ms: c.Ms) -> bool:
    """Whether a piece that left that square at ``ms`` may have been knocked over by the hand that set down the last
    move, just before it was seen to stand, or just after."""
    last = s.last()
    if last is None or not last.move or not AROUND[square] & chess.BB_SQUARES[last.landing]:
        return False
    came = s.trace.latest(last.landing, empty=False)
    return came is not None and abs(ms - came.ms) < FELLS_MS


def may_have_fallen(s: State, square: chess.Square, ms: c.Ms) -> bool:
    """Whether a piece that leaves that square at ``ms`` may have been knocked over by the hand that set down the last
    move."""
    last, stand = s.last(), landings(s)
    near = stand & AROUND[square]
    if not near or stand & chess.BB_SQUARES[square]:
        return False
    until = NEVER
    if s.turn.difference.kind not in LEGAL and last is not None:
        if last.completed_by_press:
            return False  # after the press it is the other player who touches
        until = last.ms + PUT_STRAIGHT_MS  # what is only brushed later is not set down, and fells nothing
    return any(stood_less(s, each, ms, FELLS_MS, until) for each in squares(near))


def knocked_over(s: State) -> int:
    """The squares, as a bitboard, of pieces that left at once and are too many to have been taken up by hands
    (4.2.2)."""
    raised, white = s.turn.raised, s.position.turn
    own = {square: piece.ms for square, piece in raised.items() if s.position.board.color_at(square) == white}
    if len(own) >= FALLEN and max(own.values()) - min(own.values()) < s.brush_ms:
        return sum(chess.BB_SQUARES[square] for square in own)
    felled, together = set[tuple[chess.Square, c.Ms]](), list[tuple[chess.Square, c.Ms]]()
    for edge in s.trace[s.turn.start :]:
        if edge.seen != EMPTY or edge.white is not None:
            continue
        if together and edge.ms - together[-1][1] > AT_ONCE_MS:
            together = []
        together.append((edge.square, edge.ms))
        if len({square for square, _ in together}) >= AT_ONCE:
            felled |= set(together)
    return sum(chess.BB_SQUARES[square] for square, piece in raised.items() if (square, piece.ms) in felled)


def fallen(s: State) -> int:
    """The squares, as a bitboard, that differ because a piece was knocked over; 0 if none was."""
    return s.mismatch if _fell_beside(s) else _fell_on_the_way(s)


def _fell_beside(s: State) -> bool:
    """Whether all that stands astray, beside the opponent's last move, was so before that move was set down: he may
    have knocked it over, as nobody replies to a move that is yet to come. Not on a slow board, where one look may show
    things done one after the other."""
    last = s.last()
    if last is None or not last.move or last.illegal or s.pace.slow or s.pace.looks_ms:
        return False
    if s.mismatch & chess.BB_SQUARES[last.landing]:
        return False  # the piece has left since, so its last edge is not the one that set it down
    if s.mismatch & ~AROUND[last.landing]:
        return False
    edges = s.trace.last_edges(s.mismatch | chess.BB_SQUARES[last.landing], 0)
    came = edges[last.landing]
    return all(last.start <= number and s.trace[number].ms <= s.trace[came].ms for number in edges.values())


def _fell_on_the_way(s: State) -> int:
    """The square that a knocked-over piece left, and the one where it lies, as a bitboard: the player knocked it over
    with the piece in his hand. Without these squares a legal move stands, which was set down later, and beside. 0 if
    that is not so, or if looks are so far apart that one may show things done one after the other."""
    if s.mismatch.bit_count() > ON_THE_WAY or s.pace.apart > s.settings.simultaneous_ms:
        return 0
    edges = s.trace.last_edges(s.mismatch & ~s.position.board.kings, s.turn.start)
    left = [square for square, number in edges.items() if number >= 0 and s.readings[square] == EMPTY]
    came = [square for square, number in edges.items() if number >= 0 and s.readings[square] != EMPTY]
    for one, other in product(left, came):
        fell, stood = s.trace[edges[one]].ms, s.trace[edges[other]].ms
        if not 0 <= stood - fell < REACTS_MS:
            continue
        bits = chess.BB_SQUARES[one] | chess.BB_SQUARES[other]
        rest = leaving_out(s, bits)
        if rest.turn.difference.kind not in LEGAL:
            continue
        taken_up = rest.turn.difference.moves[0].from_square
        stands = rest.position.landing(rest.turn.difference.moves[0])
        hand = s.trace.last_edges(chess.BB_SQUARES[taken_up] | chess.BB_SQUARES[stands], s.turn.start)
        if not bits & ~AROUND[stands] and 0 <= hand[taken_up] < edges[one] and edges[other] < hand[stands]:
            return bits
    return 0


def shoved_to(s: State, square: chess.Square) -> int:
    """The square where a piece has come to stand, and the one from which it was shoved, as a bitboard, while nothing
    else was off its square; 0 if it was not shoved, or went where its player may have slid it."""
    loose, bit = s.mismatch & ~s.not_by_mover, chess.BB_SQUARES[square]
    left = loose & ~bit
    if s.stopped or s.position.drop_board is not None or loose.bit_count() != 2 or s.empty(left) != left:
        return 0
    origin, mine = left.bit_length() - 1, bool(left & s.own)
    if s.position.symbol(origin) not in FITS[s.readings[square]] or not shoved(s, loose):
        return 0
    if mine and any(move.to_square == square for move in s.position.moves_from(origin)):
        return 0
    return 0 if any(s.trace[number].white is not None for number in s.trace.last_edges(loose, 0).values()) else loose


def shoved(s: State, mask: int) -> bool:
    """Whether of these squares, a bitboard, one was left and the one beside it filled at the same time: a sleeve shoves
    a piece so, as no hand takes it up and sets it down that fast."""
    if s.pace.slow:
        return False  # changes that one look shows may lie far apart in time
    edges = [s.trace[number] for number in s.trace.last_edges(mask, s.turn.start).values() if number >= 0]
    if len(edges) != 2:
        return False
    one, other = edges
    beside = chess.square_distance(one.square, other.square) == 1 and (one.seen == EMPTY) != (other.seen == EMPTY)
    return beside and abs(one.ms - other.ms) <= SHOVED_MS
