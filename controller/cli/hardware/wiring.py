"""Which wire a square hangs on, for each kind of board: what the live picture and the diagnosis call things by.

Every board here reaches its 64 sensors by two sets of lines that cross: rows and columns of pins, chips and their
inputs, multiplexers and their channels. A board that was bought has ranks and files only.
"""

from collections.abc import Sequence
from functools import cached_property

import chess
from msgspec import Struct

from hardware.boards import BoardConfig
from hardware.boards.expander import ExpanderConfig
from hardware.boards.hall import HallSensorsConfig
from hardware.boards.matrix import MatrixConfig
from hardware.boards.multiplexer import MultiplexerConfig
from hardware.boards.shift import ShiftConfig
from hardware.order import Ordered

RANK = "rank"
PORTS = tuple(f"{port}{bit}" for port in "AB" for bit in range(8))  #: of an MCP23017


class Axis(Struct, frozen=True):
    """One of the two sets of lines."""

    word: str  #: what a line is called: ``row``
    names: tuple[str, ...]  #: of each line: ``pin 4``
    marks: tuple[str, ...]  #: the same, as short as can be: ``4``
    option: str = ""  #: of ``[board]``, which lists the marks in the order in which the lines are wired

    def name(self, line: int) -> str:
        """``row 1, pin 4``, or ``chip 2`` where it has no other name."""
        return f"{self.word} {self.names[line]}"


class Grid(Struct, frozen=True, dict=True):
    """All sensors of a board: ``squares[i][j]`` hangs on line ``i`` of the first axis and ``j`` of the second."""

    axes: tuple[Axis, Axis]
    squares: tuple[tuple[chess.Square, ...], ...]

    @property
    def plain(self) -> bool:
        """Whether it has ranks and files only, and no wires of its own."""
        return self.axes[0].word == RANK

    @cached_property
    def places(self) -> dict[chess.Square, tuple[int, int]]:
        """The two lines of each square."""
        return {square: (i, j) for i, line in enumerate(self.squares) for j, square in enumerate(line)}

    def line(self, axis: int, line: int) -> list[chess.Square]:
        """The squares on that line of that axis."""
        return [crossed[line] for crossed in self.squares] if axis else list(self.squares[line])

    def label(self, square: chess.Square) -> str:
        """``1A``: both lines of a square."""
        return "".join(axis.marks[line] for axis, line in zip(self.axes, self.places[square], strict=True))

    def mark(self, squares: Sequence[chess.Square]) -> str:
        """The line that all ``squares`` and no others share; empty if there is none."""
        for axis, lines in enumerate(self.axes):
            found = {self.places[square][axis] for square in squares}
            if len(found) == 1 and len(self.line(axis, line := found.pop())) == len(squares):
                return lines.marks[line]
        return ""


def wiring(board: BoardConfig) -> Grid:
    """How the board with this configuration is wired."""
    if isinstance(board, MatrixConfig):
        axes = _pins("row", board.rows, "rows"), _pins("column", board.columns, "columns")
        return _grid(axes, chess.SQUARES[::-1] if board.rotated else chess.SQUARES)
    if isinstance(board, ShiftConfig):
        return _grid((_numbered("chip", range(1, 9)), _numbered("input", "ABCDEFGH")), board.squares())
    if isinstance(board, ExpanderConfig):
        chips = tuple(f"{chip:#x}" for chip in board.chips)
        inputs = Axis("input", tuple(f"GP{port}" for port in PORTS), PORTS)
        return _grid((Axis("chip", chips, tuple(f"{chip:x}" for chip in board.chips)), inputs), board.squares())
    if isinstance(board, MultiplexerConfig):
        return _multiplexed(board, [f"pin {pin}" for pin in board.signals])
    if isinstance(board, HallSensorsConfig):
        return _multiplexed(board, [f"CH{i} of the converter" for i in range(4)])
    return _grid((_numbered(RANK, range(1, 9)), _numbered("file", "abcdefgh")), chess.SQUARES)


def named(squares: Sequence[chess.Square]) -> str:
    """``e4``, ``e2 e4``, ``rank 3``, ``file c``: squares as people call them, a1 first."""
    found = chess.SquareSet(squares)
    for i in range(8):
        if found == chess.SquareSet(chess.BB_RANKS[i]):
            return f"rank {i + 1}"
        if found == chess.SquareSet(chess.BB_FILES[i]):
            return f"file {chess.FILE_NAMES[i]}"
    return " ".join(chess.square_name(square) for square in found)


def _multiplexed(board: Ordered, read: Sequence[str]) -> Grid:
    """Four multiplexers; ``read``: where the common pin of each is read."""
    chips = tuple(f"{i}, {where}" for i, where in enumerate(read, 1))
    first = Axis("multiplexer", chips, tuple(f"{i}." for i in range(1, 5)))
    return _grid((first, _numbered("channel", range(16))), board.squares())


def _pins(word: str, pins: Sequence[int], option: str) -> Axis:
    names = tuple(f"{i}, pin {pin}" for i, pin in enumerate(pins, 1))
    return Axis(word, names, tuple(map(str, pins)), option)


def _numbered(word: str, names: Sequence[object]) -> Axis:
    shown = tuple(map(str, names))
    return Axis(word, shown, shown)


def _grid(axes: tuple[Axis, Axis], squares: Sequence[chess.Square]) -> Grid:
    width = len(axes[1].names)
    return Grid(axes, tuple(tuple(squares[at : at + width]) for at in range(0, 64, width)))
