"""What a board of each kind can see of a man: that it is there, its colour, or its kind.

A look is one character: :data:`chess letters <FITS>` on identity boards, ``w``/``b`` on colour boards, ``?`` on
occupancy boards, and nothing for an empty square.
"""

from controller.contract import Senses
from controller.position import EMPTY

SOMETHING = "?"

FITS: dict[str, frozenset[str]] = {
    EMPTY: frozenset({EMPTY}),
    SOMETHING: frozenset("PNBRQKpnbrqk"),
    "w": frozenset("PNBRQK"),
    "b": frozenset("pnbrqk"),
    **{letter: frozenset(letter) for letter in "PNBRQKpnbrqk"},
}
"""Look to the FEN letters it can be."""


def look(symbol: str, senses: Senses) -> str:
    """What a board that senses so shows of a man with this FEN letter."""
    if symbol == EMPTY or senses == "identity":
        return symbol
    if senses == "occupancy":
        return SOMETHING
    return "w" if symbol.isupper() else "b"


def of_colour(seen: str, white: bool) -> bool:
    """Whether what is seen may be a man of that colour."""
    return seen != EMPTY and (seen == SOMETHING or (seen in FITS["w"] or seen == "w") == white)
