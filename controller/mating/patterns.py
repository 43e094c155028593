"""Could a mate ever stand, given where each piece might get?

Every square where the king might be mated is tried with every square of the other king: something must give check, and
each square around must be covered, or blocked by a piece of his own. Each piece covers from one square at a time, and
blocks one square; that they may be in each other's way is not looked at.
"""

from collections.abc import Iterable

import chess
from chess import BB_DARK_SQUARES, BB_KING_ATTACKS, BB_PAWN_ATTACKS, BB_SQUARES, Bitboard, Color, Square

from controller.mating.reach import KnownPiece, Reach
from controller.mating.state import MatingState, attacks, squares

_Lines = list[tuple[Bitboard, Bitboard]]


def too_little(state: MatingState, colour: Color) -> bool:
    """Whether ``colour`` has too little left to mate with, wherever it stands, for what the other side has to block its
    king's way."""
    _, white, black, pawns, knights, bishops, rooks, queens, kings, *_ = state
    own, enemy = (white, black) if colour else (black, white)
    if own & (pawns | rooks | queens):
        return False
    if own & knights:
        # A knight alone needs a piece in the king's way, and a queen always takes it or steps in between.
        return own.bit_count() == 2 and not enemy & ~(kings | queens)
    if own & bishops:
        one_shade = not bishops & BB_DARK_SQUARES or not bishops & ~BB_DARK_SQUARES
        return one_shade and not pawns | knights
    return True


def may_mate(reach: Reach, colour: Color) -> bool:
    """Whether the squares reached allow a mate by ``colour``; False is a proof that none ever stands."""
    mated, mating = reach.kings[not colour].reach, reach.kings[colour].reach
    lines = [_lines(piece, reach.walls) for piece in reach.but_kings if piece.colour == colour]
    blockers = [piece.squares for piece in reach.but_kings if piece.colour != colour]
    return any(_may_stand(square, mated, mating, lines, blockers) for square in squares(mated))


def _lines(piece: KnownPiece, walls: Bitboard) -> _Lines:
    """From each square that a piece might reach, with that square: what it covers there, were nothing in its way but
    what never moves."""
    lines = [(BB_SQUARES[square], BB_PAWN_ATTACKS[piece.colour][square]) for square in squares(piece.pawn)]
    kinds = (chess.KNIGHT, chess.QUEEN) if piece.kind == chess.PAWN else (piece.kind,)  # a promoted pawn may be either
    return lines + [(BB_SQUARES[at], attacks(kind, at, walls)) for at in squares(piece.reach) for kind in kinds]


def _may_stand(
    square: Square, mated: Bitboard, mating: Bitboard, lines: list[_Lines], blockers: list[Bitboard]
) -> bool:
    """Whether a mate might stand with the king on ``square``."""
    check, around = BB_SQUARES[square], BB_KING_ATTACKS[square]
    # Where he can never go, he has no flight.
    flights = around & mated
    zone = flights | check
    covers: list[Bitboard] = [0]
    for piece in lines:
        masks = largest({mask & zone for home, mask in piece if home != check})
        if masks and masks[0]:
            covers = largest({cover | mask for cover in covers for mask in masks})
            if covers[0] == zone:
                break
    covers = [cover for cover in covers if cover & check]
    if not covers:
        return False
    within = [reach & flights for reach in blockers if reach & flights]
    left = {flights & ~BB_KING_ATTACKS[king] for king in squares(mating & ~around & ~check)}
    return any(blockable(open_ & ~cover, within) for open_ in left for cover in covers)


def largest(masks: Iterable[Bitboard]) -> list[Bitboard]:
    """Those that are not part of another, the largest first."""
    kept: list[Bitboard] = []
    for mask in sorted(masks, key=lambda mask: (-mask.bit_count(), mask)):
        if not any(mask & ~other == 0 for other in kept):
            kept.append(mask)
    return kept


def blockable(flights: Bitboard, blockers: list[Bitboard]) -> bool:
    """Whether the mated side's own pieces might stand on all these squares, one on each."""
    if not flights:
        return True
    first = flights & -flights
    return any(
        reach & first and blockable(flights ^ first, blockers[:i] + blockers[i + 1 :])
        for i, reach in enumerate(blockers)
    )
