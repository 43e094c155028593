"""Which of two positions looks nearer to a mate that both sides want: a guide for the search, and no proof.

The way that nearly always works: promote, let everything of the other side be taken, and mate the bare king in a corner
with the own king close by. Where bishops and knights are all there is, a piece of the other side has to block its own
king, and the corner has to be of the right shade; where none is left to do so, one has to be promoted.
"""

from functools import lru_cache
from typing import NamedTuple

import chess
from chess import (
    BB_DARK_SQUARES,
    BB_KING_ATTACKS,
    BB_SQUARES,
    Bitboard,
    Color,
    Square,
)

from controller.mating.state import State, ahead, covered, squares

_STEPS = [[chess.square_distance(a, b) for b in chess.SQUARES] for a in chess.SQUARES]
_FROM_EDGE = [min(s & 7, 7 - (s & 7)) + min(s >> 3, 7 - (s >> 3)) for s in chess.SQUARES]
_FROM_CORNER = {
    dark: [min(chess.square_distance(s, corner) for corner in corners) for s in chess.SQUARES]
    for dark, corners in ((True, (chess.A1, chess.H8)), (False, (chess.A8, chess.H1)))
}
"""How far a square is from the nearest corner, by the shade of the corner."""


class _Corner(NamedTuple):
    """Where the king is to be mated, a square beside it for a piece of his own, and a post for the other king."""

    square: Square
    beside: Square
    post: Square


_CORNERS = {
    (chess.WHITE, True): _Corner(chess.H8, chess.G8, chess.H6),
    (chess.WHITE, False): _Corner(chess.A8, chess.B8, chess.A6),
    (chess.BLACK, True): _Corner(chess.A1, chess.B1, chess.A3),
    (chess.BLACK, False): _Corner(chess.H1, chess.G1, chess.H3),
}
"""By who mates, and whether the corner is dark."""


def bare_king(state: State, colour: Color) -> int:
    """How far it looks to a mate by ``colour`` in a corner, everything else being taken first."""
    _, white, black, all_pawns, knights, all_bishops, rooks, queens, kings, _, _ = state
    own, enemy = (white, black) if colour else (black, white)
    bishops = own & all_bishops
    if heavy := own & (rooks | queens):
        dark = not bishops or bool(bishops & BB_DARK_SQUARES)
    elif bishops:
        dark = bool(bishops & BB_DARK_SQUARES)
    else:
        dark = bool(enemy & all_bishops & ~BB_DARK_SQUARES)
    corner = _CORNERS[colour, dark]
    others = 3 * (enemy.bit_count() - 1)
    if heavy:
        far = others
    elif pawns := own & all_pawns:
        far = 20 + others + _to_promote(pawns, enemy & all_pawns, colour)
    elif blockers := enemy & (knights | all_bishops | rooks):
        far = 10 + min(_STEPS[square][corner.beside] for square in squares(blockers))
    elif pawns := enemy & all_pawns:
        far = 20 + _to_promote(pawns, 0, not colour)
    else:
        far = 10
    king, other = (kings & enemy).bit_length() - 1, (kings & own).bit_length() - 1
    way = _STEPS[king][corner.square]
    far += 2 * way + 2 * _STEPS[other][corner.post]
    return far + (_open(state, own, enemy, king, colour) if way <= 1 else 4)


def caught_king(state: State, colour: Color) -> int:
    """How far it looks to a mate by ``colour`` among what is there, nothing more being promoted or taken."""
    _, white, black, pawns, knights, bishops, rooks, queens, kings, _, _ = state
    own, enemy = (white, black) if colour else (black, white)
    king, other = (kings & enemy).bit_length() - 1, (kings & own).bit_length() - 1
    far = 3 * _open(state, own, enemy, king, colour)
    near = max(0, _STEPS[king][other] - 2)
    if own & (rooks | queens):
        return far + near + _FROM_EDGE[king]
    mine = own & bishops
    if mine and not own & knights:
        dark, light = mine & BB_DARK_SQUARES, mine & ~BB_DARK_SQUARES
    else:
        dark, light = enemy & bishops & ~BB_DARK_SQUARES, enemy & bishops & BB_DARK_SQUARES
    if not dark and not light:
        dark = light = 1
    far += 2 * near + 2 * min(_FROM_CORNER[True][king] if dark else 9, _FROM_CORNER[False][king] if light else 9)
    if blockers := enemy & (knights | bishops | rooks):
        far += min(_STEPS[king][square] for square in squares(blockers))
    return far + 4 * bool(own & pawns)


def freed_pawn(state: State, colour: Color) -> int:
    """How far it looks to a mate by ``colour`` where pawns bar each other.

    Some king goes to take the pawn in the way of one of his, and meanwhile nobody wastes a pawn's move, as a side might
    have no other moves.
    """
    _, white, black, all_pawns, knights, bishops, rooks, queens, kings, _, _ = state
    own, enemy = (white, black) if colour else (black, white)
    if own & (rooks | queens) or not all_pawns:
        return bare_king(state, colour)
    pawns, against = own & all_pawns, enemy & all_pawns
    near = 40
    if pawns:
        offered = bool(enemy & (knights | bishops | rooks | queens))
        near = _to_free(pawns, against, (kings & own).bit_length() - 1, colour, offered)
    if against:
        # What becomes of a pawn of the other side may be offered to be taken, so that a pawn leaves its file.
        near = min(near, 8 + _to_free(against, pawns, (kings & enemy).bit_length() - 1, not colour, False))
    ours, theirs = white & all_pawns, black & all_pawns
    return 24 + 2 * near - _spare(ours, theirs, white | black)


@lru_cache(maxsize=1 << 14)
def _to_free(pawns: Bitboard, against: Bitboard, king: Square, colour: Color, offered: bool) -> int:
    """How far the nearest pawn is from its last rank, with the king on his way to what stands against it.

    ``offered``: the other side has a piece that the pawn may take instead.
    """
    nearest = 99
    for square in squares(pawns):
        far = 7 - (square >> 3) if colour else square >> 3
        for other in squares(against & ahead(square, colour)):
            far += min(2 + _STEPS[king][other], 4) if offered else 2 + _STEPS[king][other]
        nearest = min(nearest, far)
    return nearest


def _spare(ours: Bitboard, theirs: Bitboard, occupied: Bitboard) -> int:
    """How many moves pawns have left before they meet something, at most 24."""
    spare, free = 0, ~occupied
    while ours := ours << 8 & free & chess.BB_ALL:
        spare += ours.bit_count()
    while theirs := theirs >> 8 & free:
        spare += theirs.bit_count()
    return min(spare, 24)


@lru_cache(maxsize=1 << 12)
def _to_promote(pawns: Bitboard, against: Bitboard, colour: Color) -> int:
    """How far the nearest pawn is from its last rank, with what stands against it."""
    return min(
        2 * (7 - (square >> 3) if colour else square >> 3) + 6 * (against & ahead(square, colour)).bit_count()
        for square in squares(pawns)
    )


def _open(state: State, own: Bitboard, enemy: Bitboard, king: Square, colour: Color) -> int:
    """How many squares around the king are neither covered nor blocked, and one more where he is not in check."""
    bit = BB_SQUARES[king]
    reached = covered(state, colour, (own | enemy) ^ bit)
    return (BB_KING_ATTACKS[king] & ~reached & ~enemy).bit_count() + (not reached & bit)
