"""A reed matrix that was soldered on a long evening: wires off, crossed or joined, diodes left out.

The contacts are those of :mod:`hardware.simulator.electrical`; what is different is where their wires go. A row that is
held at the passive level wins against a missing diode: that piece is not seen, and two outputs fight.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

import chess
from msgspec import Struct

from hardware.simulator.electrical import ElectricalBoard

Joined: TypeAlias = Sequence[Collection[int]]
"""Lines that touch each other, in groups."""


class Slips(Struct, frozen=True):
    """What went wrong. Rows and columns are numbered from 0, row 0 being rank 1 and column 0 file a."""

    dead_rows: frozenset[int] = frozenset()
    dead_columns: frozenset[int] = frozenset()
    rows: Sequence[int] = range(8)  #: where the wire of each row of the configuration goes
    columns: Sequence[int] = range(8)
    joined_rows: tuple[frozenset[int], ...] = ()  #: those of each group touch
    joined_columns: tuple[frozenset[int], ...] = ()
    crossed: Mapping[chess.Square, chess.Square] = {}  #: a piece here closes the contact there
    no_diode: int = 0  #: a mask of squares
    dead: int = 0  #: sensors that never close
    stuck: int = 0  #: sensors that never open


class MiswiredBoard(ElectricalBoard):
    """The board with these slips; all else as in :class:`ElectricalBoard`."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int], slips: Slips, **how: Any) -> None:
        super().__init__(rows, columns, **how)
        self._slips = slips
        for square in chess.scan_forward(slips.dead):
            self.stick(square, "open")
        for square in chess.scan_forward(slips.stuck):
            self.stick(square, "closed")

    def _columns(self, contacts: int, driven: int, held: int) -> int:
        slips = self._slips
        closed = [0] * 8  # of each row, the columns that its contacts join it to
        for square in chess.scan_forward(contacts):
            row, column = divmod(slips.crossed.get(square, square), 8)
            closed[row] |= 1 << column
        bare = [slips.no_diode >> 8 * row & 0xFF for row in range(8)]
        rows = self._led(driven, slips.rows, slips.dead_rows, slips.joined_rows)
        held_rows = self._led(held, slips.rows, slips.dead_rows, ()) & ~rows
        reached, before = 0, -1
        while reached != before:
            before = reached
            reached = _spread(
                sum(1 << column for column in range(8) if any(rows >> r & closed[r] >> column & 1 for r in range(8))),
                slips.joined_columns,
            )
            back = sum(1 << row for row in range(8) if closed[row] & bare[row] & reached)
            if back & held_rows:
                self.shorts += 1
                for row in range(8):
                    if held_rows >> row & 1:
                        reached &= ~(closed[row] & bare[row])
                break
            rows = _spread(rows | back, slips.joined_rows)
        return sum(
            1 << column
            for column in range(8)
            if column not in slips.dead_columns and reached >> slips.columns[column] & 1
        )

    @staticmethod
    def _led(levels: int, order: Sequence[int], dead: frozenset[int], joined: Joined) -> int:
        """Where the levels at the pins come out on the board."""
        return _spread(sum(1 << order[i] for i in range(8) if levels >> i & 1 and i not in dead), joined)


def _spread(lines: int, joined: Joined) -> int:
    """These lines, and all that touch them, also by way of others."""
    for _ in joined:
        for group in joined:
            together = sum(1 << line for line in group)
            lines |= together if lines & together else 0
    return lines
