"""Results as programs and people write them."""

from typing import get_args

from controller.contract import Score
from controller.errors import ConfigError
from controller.tournament.values import BYES, Bye

SCORES: tuple[Score, ...] = get_args(Score)
OPEN = ("", "*", "-", ":", "?")  #: no result yet
NOBODY = ("bye", "spielfrei", "freilos", "exempt", "not paired", "not paired off", "descansa")
"""What stands for the opponent of a player without one, as :func:`.values.folded` has it."""

_SIGNS = str.maketrans({":": "-", "–": "-", "−": "-", "½": "1/2", ",": ".", " ": None, "\N{NO-BREAK SPACE}": None})
_ALONE = {"1": "1-0", "0": "0-1", "1/2": "1/2-1/2"}  #: White's points, and no more
_BYES: dict[str, Bye] = {"1": "U", "+": "U", "1/2": "H", "=": "H", "0": "Z", "-": "Z"}


def score(text: str, source: str) -> Score | None:
    """The result of a game: ``1-0``, ``1 : 0``, ``½-½``, ``+ - -`` by forfeit; None: there is none yet.

    Raises :exc:`ConfigError` naming ``source`` for what is no result.
    """
    plain = _plain(text)
    if plain in OPEN:
        return None
    plain = _ALONE.get(plain, plain)
    found: dict[str, Score] = {each: each for each in SCORES}
    found |= {"+--": "+-", "--+": "-+", "---": "--", "=-=": "1/2-1/2"}
    if plain not in found:
        known = ", ".join(SCORES)
        raise ConfigError(f"{source}: {text!r} is no result", "another column, or a slip of the pen", f"known: {known}")
    return found[plain]


def bye(text: str, source: str) -> Bye:
    """What a player without an opponent scores: a letter of TRF16, or the points; the whole point if nothing is said.

    Raises :exc:`ConfigError` naming ``source`` for anything else.
    """
    plain = _plain(text).upper()
    for letter in BYES:
        if plain == letter:
            return letter
    if plain in OPEN and plain != "-":
        return "U"
    alone = plain.removesuffix("-0").removesuffix("--") or plain  # of an opponent who is not there
    if alone not in _BYES:
        known = ", ".join(["1", "1/2", "0", *BYES])
        raise ConfigError(f"{source}: {text!r} is not what a bye scores", "the opponent is missing", f"known: {known}")
    return _BYES[alone]


def forfeited(result: Score) -> Score | None:
    """The same result without play; None where there is no such."""
    played: dict[Score, Score] = {"1-0": "+-", "0-1": "-+", "0-0": "--"}
    return played.get(result)


def reversed_score(result: Score) -> Score:
    """The same with colours exchanged."""
    both: dict[Score, Score] = {"1-0": "0-1", "+-": "-+", "1/2-0": "0-1/2"}
    return (both | {black: white for white, black in both.items()}).get(result, result)


def _plain(text: str) -> str:
    return text.strip().translate(_SIGNS).replace("0.5", "1/2").replace(".5", "1/2").replace(".0", "")
