"""The values that a session, its inputs and its events share: who, where, when, and under which Laws."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

Side = Literal["white", "black"]
BoardId = Literal["A", "B"]
Ms = Annotated[int, Meta(ge=0)]
SQUARE_PATTERN, PIECE_PATTERN, SCAN_PATTERN = "^[a-h][1-8]$", "^[PNBRQKpnbrqkw]$", "^[0-9a-fA-F]{16}$"
SHOWN_PATTERN = "^[PNBRQKpnbrqkwx.]{64}$"
UCI_PATTERN = "^[a-h][1-8][a-h][1-8][qrbn]?$"
Square = Annotated[str, Meta(pattern=SQUARE_PATTERN)]
Piece = Annotated[str, Meta(pattern=PIECE_PATTERN)]
Uci = Annotated[str, Meta(pattern=UCI_PATTERN)]
Ply = Annotated[int, Meta(ge=1)]
MoveCount = Annotated[int, Meta(ge=0, le=9999)]
"""What a clock counts of a player's moves; a time control asks for no more."""
Edition = Literal["fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023"]
Play = Literal["standard", "rapid", "blitz"]
Senses = Literal["occupancy", "colour", "identity"]
Variant = Literal["standard", "chess960"]
Score = Literal["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+-", "-+", "--"]
"""What both players score. By play it is one of the first three; the others an arbiter gives: both lose, one of them
scores half a point and his opponent none, and with ``+`` and ``-`` one wins by forfeit, or neither."""

POINTS: Mapping[Score, tuple[float, float]] = {
    "1-0": (1, 0),
    "0-1": (0, 1),
    "1/2-1/2": (0.5, 0.5),
    "0-0": (0, 0),
    "1/2-0": (0.5, 0),
    "0-1/2": (0, 0.5),
    "+-": (1, 0),
    "-+": (0, 1),
    "--": (0, 0),
}
"""White's points and Black's."""

WHITE: Side = "white"
BLACK: Side = "black"


def other(side: Side) -> Side:
    """The opponent of ``side``."""
    return BLACK if side == WHITE else WHITE
