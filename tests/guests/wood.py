"""A wooden board and the hands above it: what stands where, from when on, and what is pressed and said meanwhile.

Made from the replay contract and the Laws alone; nothing here shares code with what judges it, nor with our simulator.
A hand does one thing after another; each takes time. What the sensors make of it is for ``sensors``.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

import chess


@dataclass
class Wood:
    """What happens on the board, in ms of the session. A square holds a FEN letter, or nothing."""

    rng: random.Random
    squares: dict[chess.Square, str]
    ms: int = 0
    changes: list[tuple[int, chess.Square, str]] = field(default_factory=list)  #: (ms, square, what stands there now)
    words: list[dict[str, object]] = field(default_factory=list)  #: presses and what people say, as in the contract
    plies: list[int] = field(default_factory=list)  #: when the hands had done with each ply

    def wait(self, least: float, most: float) -> None:
        """Between ``least`` and ``most`` ms pass."""
        self.ms += round(self.rng.uniform(least, most))

    def up(self, square: chess.Square) -> str:
        """Take what stands there."""
        piece = self.squares.pop(square)
        self.changes.append((self.ms, square, ""))
        return piece

    def down(self, square: chess.Square, piece: str) -> None:
        """Set a piece down; what stood there is pushed off the sensor by it."""
        self.squares[square] = piece
        self.changes.append((self.ms, square, piece))

    def say(self, **said: object) -> None:
        """Somebody presses, names, announces."""
        self.words.append({"ms": self.ms, **said})

    def empty(self, squares: Iterable[chess.Square]) -> list[chess.Square]:
        """Those on which nothing stands."""
        return [square for square in squares if square not in self.squares]

    def fits(self, board: chess.Board) -> bool:
        """Whether the wood stands as the position has it."""
        return self.squares == {square: piece.symbol() for square, piece in board.piece_map().items()}


def set_up(board: chess.Board, seed: int) -> Wood:
    """The pieces of a position, and a hand with habits of its own."""
    pieces = {square: piece.symbol() for square, piece in board.piece_map().items()}
    return Wood(random.Random(seed), pieces)
