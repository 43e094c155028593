"""Pieces that whoever moves knocks over or shoves, and puts back in his own time (7.4.1): nobody has touched them."""

from itertools import product

import chess

from controller import contract as c
from controller.laws.board import leaving_out
from controller.laws.state import State
from controller.position import EMPTY, squares
from controller.sensing.costs import REACTS_MS
from controller.sensing.difference import LEGAL

SHOVED_MS = 50
"""So soon after one another a piece that is shoved leaves its square and comes to the one beside. A guess."""

REACHES = 2
"""No further off, in squares, does a piece knock over another."""

ON_THE_WAY = 6
"""So many squares differ at most where a legal move, such as castling, stands and one piece has fallen."""

FALLEN = 4
"""So many own pieces that leave within the time of a brush were swept off the board, or knocked over; a guess."""

AT_ONCE, AT_ONCE_MS = 3, 30
"""So many pieces, of either player, that leave within so many ms, or within one look of the board however far apart
these are, were not taken up: two hands take up two. A guess."""


def landing(s: State) -> chess.Square | None:
    """Where the piece stands that was moved last; None where there is none."""
    last, difference = s.last(), s.turn.difference
    if difference.kind in LEGAL:
        return s.position.landing(difference.moves[0])
    return last.landing if last is not None and last.move else None


def stood_less(s: State, square: chess.Square, ms: c.Ms, than: c.Ms) -> bool:
    """Whether what stands on that square by ``ms`` was seen to come there, and has stood there for less than that."""
    came = next((edge.ms for edge in reversed(s.trace) if edge.square == square and edge.seen != EMPTY), None)
    return came is not None and 0 <= ms - came < than


def may_have_fallen(s: State, square: chess.Square, ms: c.Ms) -> bool:
    """Whether a piece that leaves that square at ``ms`` may have been knocked over by the one that was moved last."""
    stands, last = landing(s), s.last()
    if stands is None or stands == square or chess.square_distance(stands, square) > REACHES:
        return False
    if s.turn.difference.kind not in LEGAL and last is not None and last.completed_by_press:
        return False  # since then it is the other who touches
    return stood_less(s, stands, ms, REACTS_MS)


def knocked_over(s: State) -> frozenset[chess.Square]:
    """The squares of pieces of which so many left at once that no hand has taken them up (4.2.2)."""
    raised, white = s.turn.raised, s.position.turn
    own = {square: piece.ms for square, piece in raised.items() if s.position.board.color_at(square) == white}
    if len(own) >= FALLEN and max(own.values()) - min(own.values()) < s.brush_ms:
        return frozenset(own)
    left = sorted([(piece.ms, square) for square, piece in raised.items() if piece.by is None])
    for first in range(len(left) - AT_ONCE + 1):
        together = [square for ms, square in left[first:] if ms - left[first][0] <= AT_ONCE_MS]
        if len(together) >= AT_ONCE:
            return frozenset(together)
    return frozenset()


def fallen(s: State) -> int:
    """The squares, as a bitboard, of what stands astray because it was knocked over; 0 where nothing fell so."""
    return s.mismatch if _fell_beside(s) else _fell_on_the_way(s)


def _fell_beside(s: State) -> bool:
    """Whether what stands astray came to do so beside the opponent's move before that was set down: he may have knocked
    it over, and nobody replies to what is yet to come. Not by one look of a slow board, which shows what may have been
    done one after the other."""
    last = s.last()
    if last is None or not last.move or last.illegal or s.pace.slow or s.pace.looks_ms:
        return False
    if s.mismatch & chess.BB_SQUARES[last.landing]:
        return False  # its last edge is not that with which it was set down
    if any(chess.square_distance(last.landing, square) > REACHES for square in squares(s.mismatch)):
        return False
    edges = s.trace.last_edges(s.mismatch | chess.BB_SQUARES[last.landing], 0)
    came = edges[last.landing]
    return all(last.start <= number and s.trace[number].ms <= s.trace[came].ms for number in edges.values())


def _fell_on_the_way(s: State) -> int:
    """The squares of a piece that the player knocked over with the one in his hand, so that it stands on another:
    without it a legal move stands there, set down later and beside. Not where looks are so far apart that what one of
    them shows may have been done one after the other."""
    if s.mismatch.bit_count() > ON_THE_WAY or max(s.pace.apart, s.pace.looks_ms) > s.settings.simultaneous_ms:
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
        beside = all(chess.square_distance(stands, square) <= REACHES for square in (one, other))
        if beside and 0 <= hand[taken_up] < edges[one] and edges[other] < hand[stands]:
            return bits
    return 0


def shoved(s: State, mask: int) -> bool:
    """Whether these squares, a bitboard, are one that was left and one beside it that was filled at the same time: no
    hand takes a piece up and sets it down so fast, and a sleeve shoves it."""
    if s.pace.slow:
        return False  # what one look shows has happened since the one before
    edges = [s.trace[number] for number in s.trace.last_edges(mask, s.turn.start).values() if number >= 0]
    if len(edges) != 2:
        return False
    one, other = edges
    beside = chess.square_distance(one.square, other.square) == 1 and (one.seen == EMPTY) != (other.seen == EMPTY)
    return beside and abs(one.ms - other.ms) <= SHOVED_MS
