"""Which diodes of a matrix are missing, from a piece taken over its squares while others stand on an edge. Pure.

Current goes through a contact without a diode backwards, from a column into a row. To see it takes three pieces: one
there, one on its row and one in its column; then the fourth corner of that rectangle shows a piece that is not there.
With pieces on the rest of rank 1 and of file a, and none on a1, every square beyond is such a corner of a rectangle
with a1. One piece taken over these 49 squares, and over a1 at last, tries all 64 diodes. The rows that are not driven
must be let go meanwhile, for a missing diode would join a driven row to one held at the other level.
"""

from collections.abc import Iterator

import chess

from controller.cli.hardware.diagnose import Finding, Walk
from controller.cli.hardware.wiring import named

CORNER = chess.A1
EDGE = (chess.BB_RANK_1 | chess.BB_FILE_A) & ~chess.BB_A1  #: the pieces that stand meanwhile
BEYOND = chess.BB_ALL & ~EDGE & ~chess.BB_A1
ORDER = (*chess.scan_forward(BEYOND), CORNER)  #: the squares over which one piece is taken, in this order


def missing(walk: Walk) -> list[Finding]:
    """The diodes that ``walk``, taken in :data:`ORDER` with pieces on :data:`EDGE`, shows to be missing."""
    squares = sorted({square for piece, mask in walk.seen.items() for square in _suspects(piece, mask)})
    if not squares:
        return []
    joined = named(squares) if len(squares) < len(chess.SQUARES) else "all squares"
    return [
        Finding(
            f"no diode works on {joined}",
            "it was left out, or is broken, or is bridged by solder",
            "solder one in, or exchange it; where the board has none at all, set diodes = false in [board]",
        )
    ]


def _suspects(piece: chess.Square, mask: int) -> Iterator[chess.Square]:
    """Whose diode is missing, if this is seen with a piece on ``piece``."""
    more = mask & ~EDGE & ~chess.BB_SQUARES[piece]
    if piece == CORNER:
        if more:
            yield CORNER
        return
    rank, file = chess.square_rank(piece), chess.square_file(piece)
    if more & chess.BB_A1:
        yield piece
    if _shows(more, chess.BB_RANKS[rank] & BEYOND & ~chess.BB_SQUARES[piece]):
        yield chess.square(file, 0)
    if _shows(more, chess.BB_FILES[file] & BEYOND & ~chess.BB_SQUARES[piece]):
        yield chess.square(0, rank)


def _shows(mask: int, part: int) -> bool:
    return mask & part == part
