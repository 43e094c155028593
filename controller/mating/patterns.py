"""Could a mate ever stand, given where each piece might get?

Every square where the king might be mated is tried with every square of the other king: something must give check, and
each square around must be covered, or blocked by a man of his own. Each piece covers from one square at a time, and
blocks one square; that they may be in each other's way is not looked at.
"""

from typing import TypeAlias

import chess
from chess import BB_KING_ATTACKS, BB_KNIGHT_ATTACKS, BB_PAWN_ATTACKS, BB_SQUARES, Bitboard, Color, Square

from controller.mating.reach import Piece, Reach
from controller.mating.state import diagonals, squares, straights


Line: TypeAlias = tuple[Bitboard, Bitboard, bool]
"""A square, what a piece covers from there, and whether as a pawn."""


def soonest(reach: Reach, colour: Color) -> int | None:
    """After how many plies at the soonest the squares reached allow a mate by ``colour``; None is a proof that no mate
    ever stands."""
    walls = 0
    for piece in reach.pieces:
        if piece.fixed and piece.kind != chess.KING:
            walls |= piece.home
    last = len(reach.kings[colour].layers) - 1
    lines = [(piece, _lines(piece, walls)) for piece in reach.men if piece.colour == colour]

    def may(ply: int) -> bool:
        """Whether a mate might stand after so many plies."""
        mated, mating = (reach.kings[side].layers[ply][1] for side in (not colour, colour))
        blockers = [pawn | else_ for pawn, else_ in (p.layers[ply] for p in reach.men if p.colour != colour)]
        near = []
        for piece, covered in lines:
            pawn, else_ = piece.layers[ply]
            near.append([line for line in covered if line[0] & (pawn if line[2] else else_)])
        return any(_may_stand(square, mated, mating, near, blockers) for square in squares(mated))

    if not may(last):
        return None
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if may(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _lines(piece: Piece, walls: Bitboard) -> list[Line]:
    """From each square that a piece might reach, with that square: what it covers there, were nothing in its way but
    what never moves."""
    lines = [(BB_SQUARES[square], BB_PAWN_ATTACKS[piece.colour][square], True) for square in squares(piece.pawn)]
    promoted = piece.kind == chess.PAWN
    for square in squares(piece.reach):
        home = BB_SQUARES[square]
        if promoted or piece.kind == chess.KNIGHT:
            lines.append((home, BB_KNIGHT_ATTACKS[square], False))
        if promoted or piece.kind == chess.QUEEN:
            lines.append((home, diagonals(square, walls) | straights(square, walls), False))
        elif piece.kind == chess.BISHOP:
            lines.append((home, diagonals(square, walls), False))
        elif piece.kind == chess.ROOK:
            lines.append((home, straights(square, walls), False))
    return lines


def _may_stand(
    square: Square,
    mated: Bitboard,
    mating: Bitboard,
    lines: list[list[Line]],
    blockers: list[Bitboard],
) -> bool:
    """Whether a mate might stand with the king on ``square``."""
    check, around = BB_SQUARES[square], BB_KING_ATTACKS[square]
    # Where he can never go, he has no flight.
    flights = around & mated
    zone = flights | check
    covers = {0}
    full = False
    for piece in lines:
        masks = _largest({mask & zone for home, mask, _ in piece if not home & check})
        if masks and masks != [0]:
            covers = set(_largest({cover | mask for cover in covers for mask in (0, *masks)}))
            full = zone in covers
            if full:
                break
    covers = {cover for cover in covers if cover & check}
    if not covers:
        return False
    within = [reach & flights for reach in blockers if reach & flights]
    left = {flights & ~BB_KING_ATTACKS[king] for king in squares(mating & ~around & ~check)}
    return any(_blockable(open_ & ~cover, within) for open_ in left for cover in covers)


def _largest(masks: set[Bitboard]) -> list[Bitboard]:
    """Those that are not part of another."""
    kept: list[Bitboard] = []
    for mask in sorted(masks, key=int.bit_count, reverse=True):
        if not any(mask & ~other == 0 for other in kept):
            kept.append(mask)
    return kept


def _blockable(flights: Bitboard, blockers: list[Bitboard]) -> bool:
    """Whether the mated side's own men might stand on all these squares, one man on each."""
    if not flights:
        return True
    first = flights & -flights
    return any(
        reach & first and _blockable(flights ^ first, blockers[:i] + blockers[i + 1 :])
        for i, reach in enumerate(blockers)
    )
