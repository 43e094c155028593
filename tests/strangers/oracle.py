"""What a perfect observer could know: which games agree with all that the sensors showed at the end of each ply."""

from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple

import chess

from strangers.stock import position
from strangers.wood import pieces

MOST = 1500  #: games to follow at a time


class Known(NamedTuple):
    """Whether one record, or one position at the end, is all that agrees; not told where too many do."""

    record: bool | None
    end: bool | None


class Shown(NamedTuple):
    """What the sensors could show of a game."""

    senses: str
    dead: int | None = None
    hidden: Collection[int] = ()  #: plies, from 0, whose end is not seen
    opened: Sequence[Collection[int]] | None = None  #: for each ply the squares that were seen empty at some time

    def occupied(self, board: chess.Board) -> int:
        """The squares seen occupied, less the dead one."""
        return board.occupied & self.alive

    @property
    def alive(self) -> int:
        """The squares with a sensor that works."""
        return chess.BB_ALL if self.dead is None else chess.BB_ALL & ~(1 << self.dead)

    def view(self, board: chess.Board) -> Hashable:
        """What is seen of a position."""
        if self.senses == "occupancy":
            return self.occupied(board)
        if self.senses == "colour":
            return tuple(men & self.alive for men in board.occupied_co)
        return tuple(piece for square, piece in enumerate(pieces(board)) if square != self.dead)

    def allows(self, board: chess.Board, move: chess.Move, ply: int, occupied: int) -> bool:
        """Whether the move can be what happened in a ply that left these squares occupied."""
        if ply in self.hidden:
            return True
        if self.opened is not None:
            emptied = {move.from_square}
            if board.is_capture(move) and not board.is_en_passant(move):
                emptied.add(move.to_square)
            if emptied - {self.dead} - set(self.opened[ply]):
                return False
        if board.is_castling(move) or board.is_en_passant(move):
            return True
        left = (board.occupied & ~(1 << move.from_square)) | 1 << move.to_square
        return left & self.alive == occupied


def unique(fen: str, plies: Sequence[str], shown: Shown) -> Known:
    """Whether the sensors leave this game alone possible. A promotion is taken to be told; else it is to a queen."""
    start = position(fen)
    truth = start.copy(stack=False)
    possible = [(start.copy(stack=False), True)]  # with whether the record is the true one so far
    for ply, uci in enumerate(plies):
        made = chess.Move.from_uci(uci)
        truth.push(made)
        occupied, view = shown.occupied(truth), shown.view(truth)
        following: dict[tuple[str, bool], tuple[chess.Board, bool]] = {}
        for board, same in possible:
            for move in board.legal_moves:
                if move.promotion and move.promotion != (made.promotion or chess.QUEEN):
                    continue
                if not shown.allows(board, move, ply, occupied):
                    continue
                after = board.copy(stack=False)
                after.push(move)
                if ply in shown.hidden or shown.view(after) == view:
                    true = same and move == made
                    following[after.fen(), true] = after, true
        possible = list(following.values())
        if len(possible) > MOST:
            return Known(None, None)
    return Known(all(same for _, same in possible), len({board.board_fen() for board, _ in possible}) == 1)
