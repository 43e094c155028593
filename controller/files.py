"""Files that somebody else has written, read whole, but never more of them than makes sense; and as text."""

import codecs
from pathlib import Path

import msgspec

from controller.errors import ConfigError


def read(path: Path, most: int) -> bytes:
    """What is in the file. Raises OSError, and :exc:`ConfigError` where that is more than ``most`` bytes."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ConfigError(f"{path}: more than {most // 1024} kB", "this is another kind of file", f"ls -l {path}")
    return data


def nearest(path: Path) -> Path:
    """What there is of ``path``: itself, or the nearest folder above it that is there."""
    return next(each for each in (path, *path.parents) if each.exists())


def text_of(raw: bytes) -> str:
    """The text of a file in UTF-8, or in UTF-16 as editors of Windows write it, with its byte order mark or without.

    Raises :exc:`UnicodeDecodeError` where it is neither.
    """
    return raw.decode("utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")


def kept_words(path: Path) -> dict[str, str]:
    """What a command of ours has kept in the file, as JSON; nothing where that cannot be read, or not any more."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
