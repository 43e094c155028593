"""Positions shut by pawns: an over-estimate of where each piece can ever get, and whether that suffices to mate.

All pieces are taken as fixed at first, and set free as soon as some series of moves might move or take them, until
nothing changes. A piece that stays fixed never moves and is never taken, so it blocks its own side for ever, and a
fixed pawn guards two squares that no enemy king enters. All else is taken as possible: lines are never closed by a
piece that may go away, pieces do not get in each other's way, and everybody may move as often as he likes. The
reachable squares are therefore too many, never too few, and a mate that they do not allow cannot happen.
"""

from typing import NamedTuple

import chess
from chess import (
    BB_ALL,
    BB_BACKRANKS,
    BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS,
    BB_SQUARES,
    Bitboard,
    Board,
    Color,
    scan_reversed,
    shift_down,
    shift_down_left,
    shift_down_right,
    shift_left,
    shift_right,
    shift_up,
    shift_up_left,
    shift_up_right,
)


def walled(board: Board) -> bool:
    """Whether pawns may have shut the position: cheap, and false for almost every position with pieces on.

    Every pawn has another ahead on its file; with more than kings and bishops about, none can even step forward.
    """
    white = board.pawns & board.occupied_co[chess.WHITE]
    black = board.pawns & board.occupied_co[chess.BLACK]
    if (board.knights | board.rooks | board.queens) and (white << 8 | black >> 8) & ~board.occupied:
        return False
    return bool(board.pawns) and not (white & ~_below(board.pawns) or black & ~_above(board.pawns))


def walls_hold(board: Board, colour: Color) -> bool:
    """Whether it is certain that ``colour`` can never mate. For a player to move who has a legal move."""
    if board.castling_rights or board.has_legal_en_passant():
        return False
    pieces = Pieces(board)
    return pieces.closed() and not pieces.may_mate(colour)


_Masks = dict[Color, Bitboard]


class Piece(NamedTuple):
    """A piece and the square it stands on."""

    home: Bitboard
    kind: chess.PieceType
    colour: Color


class Pieces:
    """Every piece of a position with the squares that it might reach."""

    def __init__(self, board: Board) -> None:
        self.pieces = [
            Piece(BB_SQUARES[square], kind, bool(board.occupied_co[chess.WHITE] & BB_SQUARES[square]))
            for square in scan_reversed(board.occupied)
            if (kind := board.piece_type_at(square))
        ]
        self.reach = [piece.home for piece in self.pieces]
        self.fixed = [True] * len(self.pieces)

    def closed(self) -> bool:
        """Let everybody move wherever he might; False as soon as a pawn might promote, for then anything goes."""
        changed = True
        while changed:
            changed = False
            fixed, guarded, standing, held = self._bounds()
            for i, piece in enumerate(self.pieces):
                reach, enemy = self.reach[i], not piece.colour
                if piece.kind == chess.PAWN:
                    ahead = _ahead(reach, piece.colour) & ~(fixed[piece.colour] | fixed[enemy])
                    # A pawn taken en passant might have stopped on the square where it is taken.
                    more = ahead | _pawn_attacks(reach, piece.colour) & standing[enemy]
                    if more & BB_BACKRANKS:
                        return False
                else:
                    more = _attacks(reach, piece.kind) & ~fixed[piece.colour]
                    if piece.kind == chess.KING:
                        more &= ~guarded[enemy]
                if more & ~reach:
                    self.reach[i] |= more
                    self.fixed[i] = False
                    changed = True
                elif self.fixed[i] and piece.kind != chess.KING and piece.home & held[enemy]:
                    self.fixed[i] = False
                    changed = True
        return True

    def may_mate(self, colour: Color) -> bool:
        """Whether the squares reached allow a mate by ``colour``: a check, and every flight covered or blocked."""
        kings = {piece.colour: self.reach[i] for i, piece in enumerate(self.pieces) if piece.kind == chess.KING}
        covered = blocked = 0
        blockers: list[Bitboard] = []
        for i, piece in enumerate(self.pieces):
            if piece.kind == chess.KING:
                continue
            if piece.colour != colour:
                if self.fixed[i]:
                    blocked |= piece.home
                else:
                    blockers.append(self.reach[i])
                continue
            pawn = piece.kind == chess.PAWN
            covered |= _pawn_attacks(self.reach[i], colour) if pawn else _attacks(self.reach[i], piece.kind)
        for mated in scan_reversed(kings[not colour] & covered):
            around = BB_KING_ATTACKS[mated]
            flights = around & ~covered & ~blocked
            for king in scan_reversed(kings[colour] & ~around & ~BB_SQUARES[mated]):
                if _blockable(flights & ~BB_KING_ATTACKS[king], blockers):
                    return True
        return False

    def _bounds(self) -> tuple[_Masks, _Masks, _Masks, _Masks]:
        """By colour: its fixed pieces, what its fixed pawns guard, where its pieces but the king may stand, and with
        him."""
        fixed, guarded, standing, held = ({chess.WHITE: 0, chess.BLACK: 0} for _ in range(4))
        for i, piece in enumerate(self.pieces):
            held[piece.colour] |= self.reach[i]
            if piece.kind != chess.KING:
                standing[piece.colour] |= self.reach[i]
            if self.fixed[i]:
                fixed[piece.colour] |= piece.home
                if piece.kind == chess.PAWN:
                    guarded[piece.colour] |= _pawn_attacks(piece.home, piece.colour)
        return fixed, guarded, standing, held


def _blockable(flights: Bitboard, blockers: list[Bitboard]) -> bool:
    """Whether the mated side's own pieces might stand on all these squares: each within reach, and pieces enough."""
    within, pieces = 0, 0
    for reach in blockers:
        if reach & flights:
            within |= reach
            pieces += 1
    return not flights & ~within and chess.popcount(flights) <= pieces


def _attacks(pieces: Bitboard, kind: chess.PieceType) -> Bitboard:
    """The squares one step on from any of these; a longer line is taken step by step, for what is between may go."""
    if kind == chess.KNIGHT:
        attacked = 0
        for square in scan_reversed(pieces):
            attacked |= BB_KNIGHT_ATTACKS[square]
        return attacked
    straight = shift_up(pieces) | shift_down(pieces) | shift_left(pieces) | shift_right(pieces)
    if kind == chess.ROOK:
        return straight
    slanting = shift_up_left(pieces) | shift_up_right(pieces) | shift_down_left(pieces) | shift_down_right(pieces)
    return slanting if kind == chess.BISHOP else straight | slanting


def _ahead(pawns: Bitboard, colour: Color) -> Bitboard:
    return shift_up(pawns) if colour else shift_down(pawns)


def _pawn_attacks(pawns: Bitboard, colour: Color) -> Bitboard:
    if colour:
        return shift_up_left(pawns) | shift_up_right(pawns)
    return shift_down_left(pawns) | shift_down_right(pawns)


def _below(pawns: Bitboard) -> Bitboard:
    """Every square on the side of rank 1 of one of these, on its file."""
    pawns >>= 8
    pawns |= pawns >> 8
    pawns |= pawns >> 16
    return pawns | pawns >> 32


def _above(pawns: Bitboard) -> Bitboard:
    """Every square on the side of rank 8 of one of these, on its file."""
    pawns <<= 8
    pawns |= pawns << 8
    pawns |= pawns << 16
    return (pawns | pawns << 32) & BB_ALL
