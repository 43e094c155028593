"""The board drawn in characters, with its wires at the margins: what a look shows, as lines of text. Pure."""

from collections.abc import Iterator, Sequence

import chess

from controller.cli.hardware.wiring import Grid, named
from controller.contract import Senses
from controller.shown import BLACK_PIECE, SOMETHING, START, WHITE_PIECE, Shown

EMPTY, MAN = "·", "●"
FEW = 8  #: so many squares are named
RANKS = [[chess.square(file, rank) for file in range(8)] for rank in range(8)]
FILES = [[chess.square(file, rank) for rank in range(8)] for file in range(8)]


def draw(grid: Grid, shown: Shown, beside: Sequence[str]) -> list[str]:
    """The board as White sees it. ``beside``: for each square what stands beside its piece, four characters at most."""
    ranks, files = [grid.mark(rank) for rank in RANKS], [grid.mark(file) for file in FILES]
    if not (all(ranks) and all(files)) or grid.plain:
        ranks = files = [""] * 8
    lines = ["".join(f"{mark:<7}" for mark in ["", "", *files])[7:].rstrip()] if any(files) else []
    lines.append(" " * 7 + "".join(f"{letter:<7}" for letter in chess.FILE_NAMES).rstrip())
    for rank in reversed(range(8)):
        cells = (f"{_piece(shown[square])} {beside[square]:<5}" for square in RANKS[rank])
        lines.append(f"{ranks[rank]:>4} {rank + 1} {''.join(cells)}".rstrip())
    return lines


def labels(grid: Grid) -> list[str]:
    """The wires of each square, where no margin can say them; else nothing."""
    if all(grid.mark(rank) for rank in RANKS) and all(grid.mark(file) for file in FILES):
        return []
    words = f"{grid.axes[0].word} and {grid.axes[1].word} of each square"
    rows = (
        f"     {rank + 1} {''.join(f'{grid.label(s):<7}' for s in RANKS[rank])}".rstrip() for rank in range(7, -1, -1)
    )
    return ["", words, *rows]


def counted(counts: Sequence[int]) -> list[str]:
    """Counts to stand beside the pieces; nothing for none."""
    return [str(min(count, 9999)) if count else "" for count in counts]


def unlike_start(shown: Shown) -> list[chess.Square]:
    """The squares on which something else stands than at the start of a game."""
    kind = next((reading for reading in shown.readings if reading), SOMETHING)
    coloured = kind in (WHITE_PIECE, BLACK_PIECE)
    senses: Senses = "occupancy" if kind == SOMETHING else "colour" if coloured else "identity"
    return shown.differs(Shown.of(START, senses))


def summary(shown: Shown) -> Iterator[str]:
    """How many pieces stand on the board, and how that compares with the start of a game."""
    yield f"{shown.count} pieces"
    wrong = unlike_start(shown)
    if not wrong:
        yield "they stand as at the start"
    elif len(wrong) <= FEW:
        yield f"unlike the start: {named(wrong)}"


def _piece(shown: str) -> str:
    return EMPTY if not shown else MAN if shown == SOMETHING else shown
