"""Chess960 (Guidelines II of the Laws): its start positions by number, its boards, and where castling leads on each.

Its castling is written, as python-chess has it, as the king's move to the square of his rook: where both come to stand
does not tell it from another move of the king or of the rook.
"""

from collections.abc import Sequence

import chess
from chess import Board, Color, Move, Square
from msgspec import Struct

from controller.contract import Variant

ORDINARY = 518
"""The number of the usual start position among the 960, which are numbered from 0 as Scharnagl did."""


def start_fen(number: int) -> str:
    """The start position of that number. Raises :exc:`ValueError` for one that is none."""
    if not 0 <= number < 960:
        raise ValueError(f"{number} is no start position of chess960: they are numbered from 0 to 959")
    return Board.from_chess960_pos(number).fen()


def number_of(fen: str) -> int | None:
    """The number of that start position; None of any other position."""
    try:
        board = Board(fen, chess960=True)
    except ValueError:
        return None
    number = board.chess960_pos()
    return number if number is not None and board.fen() == start_fen(number) else None


def standing(symbols: Sequence[str]) -> Board | None:
    """The start position that stands there, by the FEN letters from a1 to h8; None where that is none."""
    board = Board(None, chess960=True)
    board.set_piece_map({square: chess.Piece.from_symbol(each) for square, each in enumerate(symbols) if each})
    board.castling_rights = board.rooks
    return board if number_of(board.fen()) is not None else None


def heading(fen: str) -> str:
    """What stands above such a game: the number of its start position, and that as it is announced."""
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
        """Whence and whither each of the two goes that moves, the king first."""
        ways = ((self.king, self.king_to), (self.rook, self.rook_to))
        return tuple([way for way in ways if way[0] != way[1]])


def castling(move: Move, shuffled: bool) -> Castling:
    """What a move that castles does; ``shuffled``: it is one of chess960."""
    rank = move.from_square & 56
    short = move.to_square > move.from_square
    if not shuffled:  # the king goes two squares, and the rook to the one between
        rook_to = (move.from_square + move.to_square) // 2
        return Castling(move.from_square, move.to_square, rank + (7 if short else 0), rook_to)
    return Castling(move.from_square, rank + (6 if short else 2), move.to_square, rank + (5 if short else 3))


def as_seen(uci: str, board: Board) -> str:
    """A move played on ``board`` by the squares that a picture marks, as UCI: of castling in chess960 the king's, or
    the rook's where he stands still."""
    if not board.chess960 or "@" in uci or not board.is_castling(move := Move.from_uci(uci)):
        return uci
    origin, to = castling(move, shuffled=True).carried[0]
    return chess.SQUARE_NAMES[origin] + chess.SQUARE_NAMES[to]


Home = tuple[Square, Sequence[Square]]
"""Where a king stands who may castle, and the rooks with which he may; of one who never might no square at all."""
NO_HOME: Home = (-1, ())
USUAL_HOMES: dict[Color, Home] = {
    chess.WHITE: (chess.E1, (chess.H1, chess.A1)),
    chess.BLACK: (chess.E8, (chess.H8, chess.A8)),
}


def homes_of(board: Board) -> dict[Color, Home]:
    """Where the kings and rooks stand that may castle."""
    homes, rights = {}, board.clean_castling_rights()
    for colour, rank in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8)):
        king = board.king(colour)
        rooks = tuple(chess.scan_reversed(rights & rank))
        homes[colour] = NO_HOME if king is None or not rooks else (king, rooks)
    return homes


_CORNERS = ((chess.BB_H1, "K"), (chess.BB_A1, "Q"), (chess.BB_H8, "k"), (chess.BB_A8, "q"))
_RIGHTS: dict[int, str] = {}


def rights_of(board: Board) -> str:
    """Who may still castle, as a FEN has it; of chess960 by the files of rooks where their sides do not tell."""
    rights = board.castling_rights
    if board.chess960:
        return board.castling_xfen()
    if rights not in _RIGHTS:
        _RIGHTS[rights] = "".join(letter for corner, letter in _CORNERS if rights & corner) or "-"
    return _RIGHTS[rights]
