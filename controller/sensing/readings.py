"""What a board of each kind can see of a piece: that it is there, its colour, or its kind.

A reading is a FEN letter on identity boards, :data:`WHITE_PIECE` or :data:`BLACK_PIECE` on colour boards,
:data:`SOMETHING` on occupancy boards, and ``EMPTY`` for an empty square. A square whose sensor does not work reads
:data:`UNKNOWN`, which fits any piece and none.
"""

import chess

from controller.contract import Senses
from controller.errors import LogError
from controller.position import EMPTY

SOMETHING = "?"
WHITE_PIECE = "white"
BLACK_PIECE = "black"
UNKNOWN = "unknown"

FITS: dict[str, frozenset[str]] = {
    EMPTY: frozenset({EMPTY}),
    SOMETHING: frozenset("PNBRQKpnbrqk"),
    WHITE_PIECE: frozenset("PNBRQK"),
    BLACK_PIECE: frozenset("pnbrqk"),
    UNKNOWN: frozenset({EMPTY, *"PNBRQKpnbrqk"}),
    **{letter: frozenset(letter) for letter in "PNBRQKpnbrqk"},
}
"""Reading to the FEN letters it can be."""


def reading(symbol: str, senses: Senses) -> str:
    """The reading of a board with these ``senses`` for a piece with this FEN letter."""
    if symbol == EMPTY or senses == "identity":
        return symbol
    if senses == "occupancy":
        return SOMETHING
    return WHITE_PIECE if symbol.isupper() else BLACK_PIECE


def reported(piece: str | None, senses: Senses) -> str:
    """The reading of a board with these ``senses`` where its log says ``piece``: a FEN letter, ``w``, ``b`` or nothing.

    Raises :exc:`LogError` for ``w`` from a board that tells kinds apart; its ``b`` is a bishop.
    """
    if piece is None or senses == "occupancy":
        return SOMETHING
    if senses == "colour" and piece in ("w", "b"):
        return WHITE_PIECE if piece == "w" else BLACK_PIECE
    if piece == "w":
        raise LogError("malformed input: expected a FEN letter, of a board that senses `identity` - at `$.piece`")
    return reading(piece, senses)


def of_colour(seen: str, white: bool) -> bool:
    """Whether what is seen may be a piece of that colour."""
    return bool(FITS[seen] & FITS[WHITE_PIECE if white else BLACK_PIECE])


LINES = (*chess.BB_RANKS, *chess.BB_FILES)
"""Ranks and files, as bitboards: in a matrix, the sensors of one share a wire, and may fail together."""
