"""What a board shows on its 64 squares at one instant: one type from the drivers to the table.

Each square has a reading, in the contract's own letters: a FEN letter on a board that tells pieces apart,
:data:`WHITE_PIECE` or :data:`BLACK_PIECE` on one that sees colours, :data:`SOMETHING` on one that only sees that a
piece is there, and an empty string where none is.
"""

from collections.abc import Sequence
from functools import cached_property

import chess
from msgspec import Struct

from controller.contract import Frame, Seen, Senses

SOMETHING = "x"  #: an occupied square, on a board that sees only occupancy
WHITE_PIECE, BLACK_PIECE = "w", "b"  #: the same on a board that sees colours


class Shown(Struct, frozen=True, dict=True):  # a dict, for the cached property
    """The readings of all squares, a1 first, then b1, … h8. It never changes."""

    readings: tuple[str, ...]

    @classmethod
    def of(cls, symbols: Sequence[str], senses: Senses) -> "Shown":
        """What a perfect board shows of these pieces: 64 FEN letters, empty for an empty square. They are the real
        pieces: a pawn promoted in a match stays a pawn."""
        if senses == "identity":
            return cls(tuple(symbols))
        if senses == "occupancy":
            return cls(tuple([SOMETHING if symbol else "" for symbol in symbols]))
        return cls(tuple([colour_of(symbol) if symbol else "" for symbol in symbols]))

    @classmethod
    def scanned(cls, occupied: int, white: int | None = None) -> "Shown":
        """What a scan showed: 64-bit masks of the occupied squares, and, on a board that sees colours, of those with a
        white piece."""
        if white is None:
            return cls(tuple([SOMETHING if occupied & bit else "" for bit in chess.BB_SQUARES]))
        pieces = [WHITE_PIECE if white & bit else BLACK_PIECE for bit in chess.BB_SQUARES]
        shown = zip(pieces, chess.BB_SQUARES, strict=True)
        return cls(tuple([piece if occupied & bit else "" for piece, bit in shown]))

    @classmethod
    def of_input(cls, item: Frame | Seen) -> "Shown":
        """What an input shows of the whole board."""
        if isinstance(item, Frame):
            return cls.scanned(int(item.occupied, 16))
        return cls(tuple([reading.replace(".", "") for reading in item.shown]))

    def __getitem__(self, square: chess.Square) -> str:
        return self.readings[square]

    def having(self, square: chess.Square, reading: str) -> "Shown":
        """A copy with another reading on that square."""
        return Shown((*self.readings[:square], reading, *self.readings[square + 1 :]))

    @cached_property
    def occupied(self) -> int:
        """The squares on which something stands, as a 64-bit mask."""
        return sum([bit for bit, reading in zip(chess.BB_SQUARES, self.readings, strict=True) if reading])

    @property
    def count(self) -> int:
        """How many squares are occupied."""
        return self.occupied.bit_count()

    @property
    def letters(self) -> str:
        """The readings as the input ``seen`` of the contract has them."""
        return "".join([reading or "." for reading in self.readings])

    @property
    def placement(self) -> str:
        """The first field of a FEN, for a board that tells pieces apart."""
        board = chess.BaseBoard.empty()
        for square in chess.scan_forward(self.occupied):
            board.set_piece_at(square, chess.Piece.from_symbol(self[square]))
        return board.board_fen()

    def turned(self) -> "Shown":
        """The same seen from the other side of the board."""
        return Shown(self.readings[::-1])

    def differs(self, other: "Shown") -> list[chess.Square]:
        """The squares whose readings differ."""
        if self.readings == other.readings:
            return []
        return [square for square in chess.SQUARES if self.readings[square] != other.readings[square]]


def colour_of(letter: str) -> str:
    """The reading of a board that sees colours for a piece with this FEN letter."""
    return WHITE_PIECE if letter.isupper() else BLACK_PIECE


def left_first(squares: Sequence[chess.Square], now: Shown) -> list[chess.Square]:
    """Squares that changed at one moment in the order in which hands change them: those left before those filled."""
    return sorted(squares, key=lambda square: now[square] != "")


START = tuple([piece.symbol() if (piece := chess.Board().piece_at(s)) else "" for s in chess.SQUARES])
"""The initial position, as a board that tells pieces apart shows it."""

NOTHING = Shown(("",) * 64)
"""An empty board, or one that has not shown itself yet."""
