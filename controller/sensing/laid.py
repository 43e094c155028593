"""Captured pieces that stand on the board for a while: set down out of the way, or fallen from the hand. An extra piece
speaks for a capture: what was taken is somewhere."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import chess
from chess import BB_SQUARES

from controller.position import Position
from controller.sensing.readings import FITS
from controller.sensing.trace import Edge


class TakenUp(NamedTuple):
    """A piece that its player has taken up to move it."""

    symbol: str  #: its FEN letter
    ms: int  #: when it left its square
    may_stand: int  #: where it may stand since, as a bitboard: on its own square, or where it may go


class Taken(NamedTuple):
    """A captured piece."""

    symbol: str  #: its FEN letter
    ms: int  #: from when on it may stand where it does not belong
    by: TakenUp | None = None  #: the capturing piece, once that was taken up


def taken_up_from(position: Position, origin: chess.Square, ms: int) -> TakenUp:
    """The piece that left ``origin`` at ``ms``, whose player has the move."""
    within_reach = {BB_SQUARES[move.to_square] for move in position.moves_from(origin)}
    return TakenUp(position.symbols[origin], ms, sum(within_reach | {BB_SQUARES[origin]}))


def laid_down(landed: Mapping[chess.Square, Edge], taken: Sequence[Taken], others: Sequence[TakenUp] = ()) -> int:
    """The squares, as a bitboard, on which captured pieces may stand; ``landed``: the edges that closed them. Each
    piece stands on one square, the one that closed last; and not where a capturing piece, or one of the ``others``
    that were taken up, may have been set down."""
    found, left, moved = 0, list(taken), [*[each.by for each in taken if each.by is not None], *others]
    for square, edge in sorted(landed.items(), key=lambda each: each[1].ms, reverse=True) if left else ():
        bit = BB_SQUARES[square]
        if any(each.ms <= edge.ms and each.may_stand & bit and each.symbol in FITS[edge.seen] for each in moved):
            continue
        one = next((each for each in left if each.symbol in FITS[edge.seen] and each.ms <= edge.ms), None)
        if one is not None:
            left.remove(one)
            found |= bit
    return found
