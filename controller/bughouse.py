"""The board of a match à quatre: python-chess's crazyhouse, except that captured pieces go to the partner.

Source: the rules of the blitz à quatre; numbers in brackets are its articles. The stock is the board's pocket, which
the match fills (`match.py`): a capture here only takes a piece off the board.
"""

from functools import lru_cache
from typing import Self

import chess
from chess import BB_BACKRANKS, BB_SQUARES, Board, Color, Move, PieceType, Square, popcount
from chess.variant import CrazyhouseBoard, CrazyhousePocket

FULL = {chess.PAWN: 16, chess.KNIGHT: 4, chess.BISHOP: 4, chess.ROOK: 4, chess.QUEEN: 2}
"""How many pieces of a kind and colour two sets have; a king is never in stock."""

KINDS = tuple(FULL)


def in_letters(pocket: CrazyhousePocket) -> str:
    """The pieces of a stock as lower-case FEN letters, the queens first."""
    return _in_letters(*[pocket.count(kind) for kind in KINDS])


@lru_cache(maxsize=4096)
def _in_letters(pawns: int, knights: int, bishops: int, rooks: int, queens: int) -> str:
    return "q" * queens + "r" * rooks + "b" * bishops + "n" * knights + "p" * pawns


class BughouseBoard(CrazyhouseBoard):
    """One board of two. Its pockets are the players' stocks; ``lost`` are pieces put out of play for good (16)."""

    def __init__(self, fen: str | None = CrazyhouseBoard.starting_fen, chess960: bool = False) -> None:
        self.lost = [CrazyhousePocket(), CrazyhousePocket()]
        super().__init__(fen, chess960=chess960)

    def copy(self, *, stack: bool | int = True) -> Self:
        board = super().copy(stack=stack)
        board.lost = self.lost
        return board

    def lose(self, white: Color, kind: PieceType) -> None:
        """Put a piece out of play for good, as far as this board and its copies to come know (16)."""
        self.lost = [pocket.copy() for pocket in self.lost]
        self.lost[white].add(kind)

    def _push_capture(self, *_: object) -> None:
        """Nothing comes into this board's stocks by a capture on it (6)."""

    def drops(self, square: Square) -> list[Move]:
        """The legal drops on ``square`` by the player having the move (7)."""
        return list(self.generate_legal_drops(BB_SQUARES[square]))

    def may_come(self, white: Color, kind: PieceType) -> bool:
        """Whether a piece of that kind is in stock or may still come: not all of them are on the board (8)."""
        mine = self.pieces_mask(kind, white) & ~self.promoted
        on_board = popcount(mine) + (popcount(self.promoted & self.occupied_co[white]) if kind == chess.PAWN else 0)
        return on_board + self.lost[white].count(kind) < FULL[kind]

    def may_yet_drop(self) -> bool:
        """Whether the player having the move could drop a piece that he has, or one that may still come (8)."""
        squares = self.legal_drop_squares_mask()
        return any(
            squares & (~BB_BACKRANKS if kind == chess.PAWN else chess.BB_ALL) and self.may_come(self.turn, kind)
            for kind in KINDS
        )


def may_lie(kind: PieceType, square: Square) -> bool:
    """Whether a piece of that kind may be dropped there at all (7)."""
    return kind != chess.PAWN or not BB_SQUARES[square] & chess.BB_BACKRANKS


def with_piece(board: Board, kind: PieceType, white: Color, square: Square) -> Board:
    """The board with another piece on that square; if the piece there was promoted, the new one counts as promoted."""
    changed = board.copy(stack=False)
    changed.set_piece_at(square, chess.Piece(kind, white), promoted=bool(board.promoted & BB_SQUARES[square]))
    return changed
