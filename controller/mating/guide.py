"""Which of two positions looks nearer to a mate that both sides want: guides for the search, and no proof.

The way that nearly always works: promote, let much of the other side be taken, and mate the king at the edge or in a
corner with the own king close by. Where bishops and knights are all there is, a piece of the other side blocks its
own king, and the corner has to be of the right shade; where none is left to do so, one has to be promoted.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import chess
from chess import Bitboard, Color, Square

from controller.mating.spread import step
from controller.mating.state import MatingState, ahead, covered, squares
from controller.mating.tempo import STEPS, Tempo

Guide = Callable[[MatingState, Color], int]

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


def _hops(start: Square) -> list[int]:
    """How many moves a knight needs to each square."""
    hops, reached = [0] * 64, chess.BB_SQUARES[start]
    for moves in range(1, 7):
        for square in squares(step(reached, chess.KNIGHT) & ~reached):
            hops[square] = moves
            reached |= chess.BB_SQUARES[square]
    return hops


_HOPS = [_hops(square) for square in chess.SQUARES]


def bare_king(state: MatingState, colour: Color) -> int:
    """How far it looks to a mate by ``colour`` in a corner, everything else being taken first."""
    _, white, black, all_pawns, knights, all_bishops, rooks, queens, kings, _, _ = state
    own, enemy = (white, black) if colour else (black, white)
    bishops = own & all_bishops
    if heavy := own & (rooks | queens):
        dark = not bishops or bool(bishops & chess.BB_DARK_SQUARES)
    elif bishops:
        dark = bool(bishops & chess.BB_DARK_SQUARES)
    else:
        dark = bool(enemy & all_bishops & ~chess.BB_DARK_SQUARES)
    corner = _CORNERS[colour, dark]
    others = 3 * (enemy.bit_count() - 1)
    if heavy:
        far = others
    elif pawns := own & all_pawns:
        far = 20 + others + _to_promote(pawns, enemy & all_pawns, colour)
    elif blockers := enemy & (knights | all_bishops | rooks):
        far = 10 + min(STEPS[square][corner.beside] for square in squares(blockers))
    elif pawns := enemy & all_pawns:
        far = 20 + _to_promote(pawns, 0, not colour)
    else:
        far = 10
    king, other = (kings & enemy).bit_length() - 1, (kings & own).bit_length() - 1
    way = STEPS[king][corner.square]
    far += 2 * way + 2 * STEPS[other][corner.post]
    return far + (_open(state, own, enemy, king, colour) if way <= 1 else 4)


def caught_king(state: MatingState, colour: Color, hopeful: bool = True) -> int:
    """How far it looks to a mate by ``colour`` wherever the king is, at an edge or in a corner.

    With neither rook nor queen a pawn promotes first, where that is ``hopeful``.
    """
    _, white, black, all_pawns, all_knights, all_bishops, rooks, queens, kings, _, _ = state
    own, enemy = (white, black) if colour else (black, white)
    king, other = (kings & enemy).bit_length() - 1, (kings & own).bit_length() - 1
    others = enemy.bit_count() - 1
    heavy, pawns = own & (rooks | queens), own & all_pawns
    bishops, knights = own & all_bishops, own & all_knights
    if not heavy and hopeful and pawns:
        shades = bool(bishops & chess.BB_DARK_SQUARES), bool(bishops & ~chess.BB_DARK_SQUARES)
        offered = bool(enemy & ~(all_pawns | kings))
        free = _to_free(pawns, enemy & all_pawns, other, colour, shades, bool(knights), offered)
        return 30 + 2 * others + 3 * free + _FROM_EDGE[king]
    near = max(0, STEPS[king][other] - 2)
    open_ = _open(state, own, enemy, king, colour)
    if heavy:
        return 4 * others + 2 * near + 2 * open_ + _FROM_EDGE[king]
    far = 20 + 3 * others + 2 * near + open_
    blockers = enemy & (all_knights | all_bishops | rooks)
    if bishops and not (knights and blockers):
        dark, light = bishops & chess.BB_DARK_SQUARES, bishops & ~chess.BB_DARK_SQUARES
    else:
        dark, light = enemy & all_bishops & ~chess.BB_DARK_SQUARES, enemy & all_bishops & chess.BB_DARK_SQUARES
    either = not dark and not light
    far += 4 * min(_FROM_CORNER[shade][king] for shade in (True, False) if either or (dark if shade else light))
    if blockers:
        far += min(STEPS[king][square] for square in squares(blockers))
    elif against := enemy & all_pawns:
        far += 5 + _to_promote(against, 0, not colour)
    check = 1 if bishops else 4
    for square in squares(knights):
        check = min(check, max(0, _HOPS[king][square] - 1))
    # All that is there comes near.
    return far + check + sum(STEPS[king][square] for square in squares(knights | bishops))


def soon_promoted(tempo: Tempo, guide: Guide, state: MatingState, colour: Color) -> int:
    """How far it looks where a side runs out of moves: with as many as may be to spare until somebody promotes."""
    if (moves := tempo.moves(state)) is None:
        return guide(state, colour)
    needed, left = moves
    return 160 + 2 * needed - left


@lru_cache(maxsize=1 << 14)
def _to_free(
    pawns: Bitboard,
    against: Bitboard,
    king: Square,
    colour: Color,
    bishops: tuple[bool, bool],
    knights: bool,
    offered: bool,
) -> int:
    """How far the nearest pawn is from its last rank, with what it costs to take each pawn in its way.

    The king goes there, or a piece does: ``bishops``, of dark and of light squares, or ``knights``. ``offered``: the
    other side has a piece that the pawn may take instead, and so go round.
    """
    nearest = 99
    for square in squares(pawns):
        far = 7 - (square >> 3) if colour else square >> 3
        for other in squares(against & ahead(square, colour)):
            ways = [7, 1 + STEPS[king][other]]
            if bishops[not chess.BB_SQUARES[other] & chess.BB_DARK_SQUARES]:
                ways.append(3)
            if knights:
                ways.append(4)
            if offered:
                ways.append(5)
            far += min(ways)
        nearest = min(nearest, far)
    return nearest


@lru_cache(maxsize=1 << 12)
def _to_promote(pawns: Bitboard, against: Bitboard, colour: Color) -> int:
    """How far the nearest pawn is from its last rank, with what stands against it."""
    return min(
        2 * (7 - (square >> 3) if colour else square >> 3) + 6 * (against & ahead(square, colour)).bit_count()
        for square in squares(pawns)
    )


def _open(state: MatingState, own: Bitboard, enemy: Bitboard, king: Square, colour: Color) -> int:
    """How many squares around the king are neither covered nor blocked, and one more where he is not in check."""
    bit = chess.BB_SQUARES[king]
    reached = covered(state, colour, (own | enemy) ^ bit)
    return (chess.BB_KING_ATTACKS[king] & ~reached & ~enemy).bit_count() + (not reached & bit)


def forget() -> None:
    """Of what was worked out for one question the next needs little, and a daemon asks for years."""
    _to_free.cache_clear()
    _to_promote.cache_clear()
