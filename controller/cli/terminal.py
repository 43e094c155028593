"""What a terminal can show: one without UTF-8, as on a serial line, is sent ASCII that says the same."""

import codecs
import os
import re
import sys
import unicodedata
from collections.abc import Mapping
from io import TextIOWrapper
from typing import TextIO

from controller.errors import ConfigError

PLAIN = {
    "…": "...",
    "–": "-",
    "—": "-",
    "→": "->",
    "·": ".",
    "●": "o",
    "▶": ">",
    "°": " ",
    "’": "'",
    "«": '"',
    "»": '"',
    "\N{NO-BREAK SPACE}": " ",
}
"""What is said instead of a character that cannot be shown; of letters, those without their accents."""

ERRORS = "jadoube.plain"


def prepare(stream: TextIO, environ: Mapping[str, str] = os.environ) -> None:
    """Has ``stream`` write what it cannot show as :func:`plain` text; to a terminal without UTF-8 all of it."""
    if not isinstance(stream, TextIOWrapper):
        return
    codecs.register_error(ERRORS, _replace)
    if stream.isatty() and not _speaks_utf8(environ):
        stream.reconfigure(encoding="ascii", errors=ERRORS)
    else:
        stream.reconfigure(errors=ERRORS)


def plain(text: str) -> str:
    """The same in ASCII."""
    return text if text.isascii() else "".join(map(_plain, text))


def _plain(letter: str) -> str:
    bare = "".join(part for part in unicodedata.normalize("NFKD", letter) if part.isascii())
    return PLAIN.get(letter) or bare or "?"


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


def _speaks_utf8(environ: Mapping[str, str]) -> bool:
    """Whether the locale says so. Python itself sets ``LC_CTYPE`` to UTF-8 where it finds none (PEP 538); that says
    nothing of the terminal."""
    every, kind, lang = (environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    if kind == "C.UTF-8" and not every and lang in ("", "C", "POSIX"):
        kind = lang
    return re.search(r"utf-?8", every or kind or lang, re.IGNORECASE) is not None


def agreed(question: str, wanted: str, instead: str) -> bool:
    """Whether somebody at the terminal says yes to ``question``. Raises :exc:`ConfigError` where there is none, saying
    what was ``wanted``, and what to add ``instead``.
    """
    if not sys.stdin.isatty():
        raise ConfigError(f"nobody is asked whether {wanted}", "this is no terminal", instead)
    try:
        return input(f"{question} (yes/no) [no]: ").strip().lower() in ("yes", "y")
    except EOFError:
        return False


def many(count: int, word: str) -> str:
    """``1 game``, ``2 games``: of words that only take an s."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
