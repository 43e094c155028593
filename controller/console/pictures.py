"""Pictures by `chess.svg`: the pieces of the boards, and where the pieces must go when a position is restored."""

import chess
import chess.svg

LETTERS = "PNBRQKpnbrqk"
ASTRAY, PALE = "#a3281ce0", "#f2b8a0"
COLOURS = {"square light": "#efe5d3", "square dark": "#b59a7a", "margin": "#3d3428", "coord": "#f5efe4"}
SIZE = 480


def piece(symbol: str) -> str:
    """One piece as an SVG document. Raises :exc:`ValueError` for what is no FEN letter."""
    return chess.svg.piece(chess.Piece.from_symbol(symbol))


def restored(fen: str, squares: list[str]) -> str:
    """The position to which the board must be put back.

    Of the ``squares`` that do not match yet, those where a piece must go are ringed; those to be emptied are crossed.

    Raises :exc:`ValueError` for what is no position, or no square.
    """
    board = chess.BaseBoard(fen)
    marked = [chess.parse_square(square) for square in squares]
    empty = [square for square in marked if board.piece_at(square) is None]
    rings = [chess.svg.Arrow(square, square, color=ASTRAY) for square in marked if square not in empty]
    return chess.svg.board(
        board, fill=dict.fromkeys(marked, PALE), squares=empty, arrows=rings, colors=COLOURS, size=SIZE
    )
