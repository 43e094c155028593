"""The pieces as they stand on the board, and the line of time on which they are lifted, placed and buttons pressed."""

import random
from collections.abc import Iterable
from typing import NamedTuple

import chess

from strangers.stock import position

FRAMED = ("bounce", "slow", "missing", "gap")  #: deliveries that only boards of occupancy have

Line = dict[str, object]  #: one line of a log


class Act(NamedTuple):
    """One thing that happened: ``lift`` or ``place`` at a square, or ``input`` with the line to log."""

    ms: int
    number: int
    kind: str
    square: int = -1
    piece: str = ""
    line: Line | None = None
    by: str = ""  #: whose hand it is, where the log says so


class Way(NamedTuple):
    """How a game is played and seen."""

    kind: str  #: of delivery, as ``gap-2`` or ``slow-fastpress``
    senses: str = "occupancy"
    clock: str | None = None
    laws: str = "fide-2023"
    play: str = "standard"
    fen: str = "startpos"
    dead: int | None = None  #: the square whose sensor is stuck

    @property
    def delivery(self) -> str:
        """The kind less its variant."""
        return self.kind.split("-")[0]

    @property
    def framed(self) -> bool:
        """Whether the board reports frames of all squares."""
        return self.delivery in FRAMED or (self.delivery in ("stuck", "swap") and self.senses == "occupancy")

    @property
    def calm(self) -> bool:
        """Whether nothing is brushed or dropped: scans are lost, which is trouble enough."""
        return self.delivery in ("missing", "gap")

    @property
    def unhurried(self) -> bool:
        """Whether everything takes longer than the board takes to see it."""
        return self.delivery in ("slow", "gap", "missing")


def side(colour: chess.Color) -> str:
    """As logs name it."""
    return "white" if colour else "black"


def victim(board: chess.Board, move: chess.Move) -> int:
    """Where the piece stands that the move takes."""
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square


def neighbours(square: int) -> list[int]:
    """The squares around one."""
    return [other for other in range(64) if chess.square_distance(other, square) == 1]


def pieces(board: chess.Board) -> list[str | None]:
    """What stands on each square, as letters."""
    men = (board.piece_at(square) for square in range(64))
    return [man and man.symbol() for man in men]


class Wood:
    """Where the wood is, and what has happened up to now; ``board`` is the lawful game so far."""

    def __init__(self, rng: random.Random, way: Way) -> None:
        self.rng = rng
        self.way = way
        self.board = position(way.fen)
        self.on = pieces(self.board)
        self.at_first = list(self.on)
        self.acts: list[Act] = []
        self.now = 0

    def wait(self, least: int, most: int | None = None) -> None:
        """Let some milliseconds pass."""
        self.now += self.rng.randint(least, least if most is None else most)

    def lift(self, square: int) -> str:
        """Take the piece up, and say which."""
        piece = self.on[square]
        assert piece, f"nothing to lift on {chess.SQUARE_NAMES[square]}"
        self.on[square] = None
        self._did("lift", square)
        return piece

    def place(self, square: int, piece: str) -> None:
        """Put the piece down on an empty square."""
        assert self.on[square] is None, f"no room on {chess.SQUARE_NAMES[square]}"
        self.swap(square, piece)

    def swap(self, square: int, piece: str) -> None:
        """Put the piece where another stood that is never seen to leave."""
        self.on[square] = piece
        self._did("place", square, piece)

    def tells_swapped(self, move: chess.Move) -> bool:
        """Whether the sensors tell what a swap took: by colour, or as the only capture of this piece."""
        if self.way.senses != "occupancy":
            return True
        board = self.board
        from_here = [other for other in board.legal_moves if other.from_square == move.from_square]
        return sum(board.is_capture(other) and not board.is_en_passant(other) for other in from_here) == 1

    def say(self, kind: str, colour: chess.Color, **more: str) -> None:
        """A line in the log of what somebody says, as by a button."""
        self.log({"type": kind, "side": side(colour), **more})

    def log(self, line: Line) -> None:
        """A line in the log that is not a touch."""
        self.acts.append(Act(self.now, len(self.acts), "input", line=line))

    def standing(self) -> list[int]:
        """The squares that hold a piece."""
        return [square for square in range(64) if self.on[square]]

    def free(self, squares: Iterable[int], *but: int) -> list[int]:
        """Those of the squares where a piece can be put down and seen, less some."""
        return [s for s in squares if self.on[s] is None and s not in but and s != self.way.dead]

    def _did(self, kind: str, square: int, piece: str = "") -> None:
        self.acts.append(Act(self.now, len(self.acts), kind, square, piece))
