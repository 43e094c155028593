"""Chess960 (Guidelines II of the Laws): its start positions by number, its boards, and where castling leads on each.

Its castling is written, as in python-chess, as the king's move to the square of its rook: the destinations alone would
not tell it from another move of king or rook.
"""

from collections.abc import Sequence

import chess
from chess import Board, Color, Move, Square
from msgspec import Struct

from controller.contract import Variant

ORDINARY = 518
"""The number of the usual start position among the 960, in Scharnagl's numbering from 0."""


def start_fen(number: int) -> str:
    """The start position of that number, as a FEN. Raises :exc:`ValueError` for a number out of range."""
    if not 0 <= number < 960:
        raise ValueError(f"{number} is no start position of chess960: they are numbered from 0 to 959")
    return Board.from_chess960_pos(number).fen()


def number_of(fen: str) -> int | None:
    """The number of that start position; None for any other position."""
    try:
        board = Board(fen, chess960=True)
    except ValueError:
        return None
    number = board.chess960_pos()
    return number if number is not None and board.fen() == start_fen(number) else None


def standing(symbols: Sequence[str]) -> Board | None:
    """The start position with these FEN letters, from a1 to h8; None if they are none."""
    board = Board(None, chess960=True)
    board.set_piece_map({square: chess.Piece.from_symbol(each) for square, each in enumerate(symbols) if each})
    board.castling_rights = board.rooks
    return board if number_of(board.fen()) is not None else None


def heading(fen: str) -> str:
    """The heading of such a game: the number of its start position, and the pieces of the first rank."""
    number = number_of(fen)
    return "Chess960" if number is None else f"Chess960 {number}: {fen.partition('/')[0].upper()}"


def set_up(fen: str, variant: Variant) -> Board:
    """The board with that position. Raises :exc:`ValueError` for a FEN that means nothing."""
    return Board(chess.STARTING_FEN if fen == "startpos" else fen, chess960=variant == "chess960")


class Castling(Struct, frozen=True):
    """From where to where king and rook go when they castle; in chess960 one of them may stand still."""

    king: Square
    king_to: Square
    rook: Square
    rook_to: Square

    @property
    def carried(self) -> tuple[tuple[Square, Square], ...]:
        """The origin and destination of each of the two that moves, the king first."""
        ways = ((self.king, self.king_to), (self.rook, self.rook_to))
        return tuple([way for way in ways if way[0] != way[1]])


def castling(move: Move, shuffled: bool) -> Castling:
    """From where to where king and rook go by this castling; ``shuffled``: in chess960."""
    rank = move.from_square & 56
    short = move.to_square > move.from_square
    if not shuffled:  # the king goes two squares, and the rook to the one between
        rook_to = (move.from_square + move.to_square) // 2
        return Castling(move.from_square, move.to_square, rank + (7 if short else 0), rook_to)
    return Castling(move.from_square, rank + (6 if short else 2), move.to_square, rank + (5 if short else 3))


def as_seen(uci: str, board: Board) -> str:
    """The squares that a picture marks for a move on ``board``, as UCI: for castling in chess960 those of the king, or
    of the rook if the king stands still."""
    if not board.chess960 or "@" in uci or not board.is_castling(move := Move.from_uci(uci)):
        return uci
    origin, to = castling(move, shuffled=True).carried[0]
    return chess.SQUARE_NAMES[origin] + chess.SQUARE_NAMES[to]


Home = tuple[Square, Sequence[Square]]
"""The square of a king that may castle, and the squares of the rooks with which it may; :data:`NO_HOME` if it
may not."""
NO_HOME: Home = (-1, ())
USUAL_HOMES: dict[Color, Home] = {
    chess.WHITE: (chess.E1, (chess.H1, chess.A1)),
    chess.BLACK: (chess.E8, (chess.H8, chess.A8)),
}


def homes_of(board: Board) -> dict[Color, Home]:
    """The home squares of the kings and rooks that may castle, by colour."""
    homes, rights = {}, board.clean_castling_rights()
    for colour, rank in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8)):
        king = board.king(colour)
        rooks = tuple(chess.scan_reversed(rights & rank))
        homes[colour] = NO_HOME if king is None or not rooks else (king, rooks)
    return homes


_CORNERS = ((chess.BB_H1, "K"), (chess.BB_A1, "Q"), (chess.BB_H8, "k"), (chess.BB_A8, "q"))
_RIGHTS: dict[int, str] = {}


def rights_of(board: Board) -> str:
    """The castling rights as a FEN has them; in chess960 with the files of rooks where the side alone does not tell."""
    rights = board.castling_rights
    if board.chess960:
        return board.castling_xfen()
    if rights not in _RIGHTS:
        _RIGHTS[rights] = "".join(letter for corner, letter in _CORNERS if rights & corner) or "-"
    return _RIGHTS[rights]
