"""The squares that pieces get to in one move from any of many squares."""

import chess
from chess import Bitboard, PieceType

from controller.mating.state import attacks, squares

FEW = 6  #: up to so many squares, looking up the lines from each is the faster way
_STRAIGHT = (chess.shift_up, chess.shift_down, chess.shift_left, chess.shift_right)
_SLANTING = (chess.shift_up_left, chess.shift_up_right, chess.shift_down_left, chess.shift_down_right)


def beside_always(king: Bitboard) -> Bitboard:
    """The squares that are beside a king or his own wherever of these he stands."""
    beside = chess.BB_ALL
    for square in squares(king):
        beside &= chess.BB_KING_ATTACKS[square] | chess.BB_SQUARES[square]
        if not beside:
            break
    return beside


def moves(pieces: Bitboard, kind: PieceType, walls: Bitboard) -> Bitboard:
    """The squares that a piece might move to from any of these, where only walls are in its way."""
    reached = 0
    if pieces.bit_count() > FEW and kind not in (chess.KNIGHT, chess.KING):
        shifts = _SLANTING if kind == chess.BISHOP else _STRAIGHT if kind == chess.ROOK else _STRAIGHT + _SLANTING
        for shift in shifts:
            front = shift(pieces)
            while front:
                reached |= front
                # Where another of these squares is met, the line goes on from there.
                front = shift(front & ~(walls | pieces))
        return reached
    for square in squares(pieces):
        reached |= attacks(kind, square, walls)
    return reached


def step(pieces: Bitboard, kind: PieceType) -> Bitboard:
    """The squares one step on from any of these."""
    if kind == chess.KNIGHT:
        return moves(pieces, kind, 0)
    straight = chess.shift_up(pieces) | chess.shift_down(pieces) | chess.shift_left(pieces) | chess.shift_right(pieces)
    if kind == chess.ROOK:
        return straight
    slanting = (
        chess.shift_up_left(pieces)
        | chess.shift_up_right(pieces)
        | chess.shift_down_left(pieces)
        | chess.shift_down_right(pieces)
    )
    return slanting if kind == chess.BISHOP else straight | slanting
