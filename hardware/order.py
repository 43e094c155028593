"""In which order 64 things are wired, one a square: inputs of chips, lamps of a strip.

The first stands in a corner, the others follow along its rank or its file, line after line; a strip usually runs back
and forth (``zigzag``). Squares are python-chess's, as White sees the board: a1 = 0, h8 = 63.
"""

from collections.abc import Sequence
from typing import Literal

import chess
from msgspec import Struct

ALL: int = chess.BB_ALL


class Ordered(Struct, frozen=True, kw_only=True):
    """The options of whatever is wired in such an order."""

    first: Literal["a1", "h1", "a8", "h8"] = "a1"  #: the square of the first
    along: Literal["rank", "file"] = "rank"  #: the second is beside it on the same rank, or the same file
    zigzag: bool = False  #: true: every other line runs back, as a strip does

    def squares(self) -> tuple[chess.Square, ...]:
        """The square of each, the first first."""
        across, up = self.first[0] == "h", self.first[1] == "8"
        order = []
        for line in range(8):
            for step in range(8):
                run = 7 - step if self.zigzag and line % 2 else step
                file, rank = (run, line) if self.along == "rank" else (line, run)
                order.append(chess.square(7 - file if across else file, 7 - rank if up else rank))
        return tuple(order)


class Sorter:
    """Takes bits in the order in which they are wired to where they belong; ``squares`` as of :class:`Ordered`."""

    def __init__(self, squares: Sequence[chess.Square]) -> None:
        places = [1 << square for square in squares]
        self._tables: list[list[int]] | None = None  # of each byte, what its 256 values become; None: they stay
        if places != [1 << i for i in range(64)]:
            self._tables = [
                [
                    sum(place for bit, place in enumerate(places[at : at + 8]) if value >> bit & 1)
                    for value in range(256)
                ]
                for at in range(0, 64, 8)
            ]

    def __call__(self, wired: int) -> int:
        """The 64-bit mask, a1 = bit 0. ``wired``: bit i is the i-th input."""
        if self._tables is None:
            return wired
        mask = 0
        for table, byte in zip(self._tables, wired.to_bytes(8, "little"), strict=True):
            mask |= table[byte]
        return mask
