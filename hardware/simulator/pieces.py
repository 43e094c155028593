"""The pieces on an emulated board that reports them: moved as White sees them, reported as the board does."""

from abc import abstractmethod
from pathlib import Path

import chess

from controller.shown import START
from hardware.simulator.terminal import Terminal


class BoardOfPieces(Terminal):
    """A board at ``port`` with the pieces at the start. ``rotated``: Black sits where the board thinks White does."""

    def __init__(self, port: Path, rotated: bool = False, piecewise: bool = False) -> None:
        super().__init__(port, piecewise)
        self._turn = 63 if rotated else 0
        self.pieces = [START[square ^ self._turn] for square in chess.SQUARES]  #: as the board numbers its squares

    @property
    def occupied(self) -> int:
        """The mask of squares on which something stands, as the board numbers them."""
        return sum(chess.BB_SQUARES[square] for square in chess.SQUARES if self.pieces[square])

    def lift(self, square: chess.Square) -> None:
        self._set(square, "")

    def place(self, square: chess.Square, piece: str) -> None:
        """``piece`` is a FEN letter. The square need not have been empty: boards scan slower than hands capture."""
        self._set(square, piece)

    def _set(self, square: chess.Square, piece: str) -> None:
        with self.alone:
            self.pieces[square ^ self._turn] = piece
            self.changed(square ^ self._turn)

    @abstractmethod
    def changed(self, square: chess.Square) -> None:
        """What the board does when this square of its own has changed."""
