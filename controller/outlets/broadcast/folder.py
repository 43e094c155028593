"""The folder of a broadcast: which rounds are there, which games of a round, which that have not begun, and where a
game belongs.

    round-3/        of round 3, and of a round 3.1
    round-Final/    of a round whose name is no number; what no file may be called is left out of it
    round-1/        of a game that has no round, too, unless games of a numbered round are there
    round-none/     then it is there

A finished game of other players is never replaced: it is kept beside the new one as ``earlier-game-7-1.pgn``.
"""

import contextlib
import hashlib
import io
import logging
import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import chess.pgn
import msgspec
from msgspec import Struct

from controller.outlets.broadcast.cloud import known
from controller.outlets.pgn import is_live
from controller.outlets.writing import write_atomically
from controller.pairing import PLAYERS, round_of, unescaped

log = logging.getLogger(__name__)

OF_NONE = "?"  #: instead of the name of a round: games that have none
NAMED = ".round"  #: in each folder: which round it is of, and since when
LONGEST = 40  #: letters of a round's name in that of its folder


class RoundSince(Struct, frozen=True):
    """What is kept of a round in its folder."""

    round: str
    since: str  #: when it was first written to, in UTC


class RoundFolder(Struct, frozen=True):
    """A round that is written there."""

    path: Path
    name: str
    number: int | None  #: None: its name is none
    since: str = ""


def rounds_in(directory: Path) -> list[RoundFolder]:
    """The rounds written there, in order: games of no round, then by their numbers, and each round that has none after
    those that began before it.
    """
    found = [folder for path in directory.glob("round-*") if (folder := _round(path)) is not None]
    numbered = [folder for folder in found if folder.number is not None]

    def order(folder: RoundFolder) -> tuple[int, str]:
        if folder.number is not None:
            return folder.number, ""
        if folder.name == OF_NONE:
            return -1, ""
        return max((each.number or 0 for each in numbered if each.since <= folder.since), default=0), folder.since

    return sorted(found, key=order)


def _round(path: Path) -> RoundFolder | None:
    """None: it is no folder of ours."""
    name = path.name.removeprefix("round-")
    number = int(name) if name.isdecimal() else None
    try:
        since = msgspec.json.decode((path / NAMED).read_bytes(), type=RoundSince)
    except (OSError, msgspec.MsgspecError):
        return None if number is None else RoundFolder(path, name, number)
    return RoundFolder(path, since.round if number is None else name, number, since.since)


def folder_of(directory: Path, tags: Mapping[str, str], file: str | None = None) -> Path:
    """The folder that the game with these PGN tags belongs in. ``file``: its own there, which stays where it is."""
    number, name = round_of(tags), known(tags.get("Round"))
    if number is not None:
        return directory / f"round-{number}"
    if name is not None:
        return directory / f"round-{_safe(name)}"
    first = directory / "round-1"
    if file is not None and (first / file).exists():
        there = _tags((first / file).read_text("utf-8", "replace"))
        if known(there.get("Round")) is None and _of_the_same(there, tags):
            return first
    others = any(round_of(each) is not None for each in (*round_in(first).values(), *paired_in(first).values()))
    later = any(each.number not in (None, 1) for each in rounds_in(directory))
    return directory / "round-none" if others or later else first


def made(directory: Path, tags: Mapping[str, str], file: str | None = None) -> Path:
    """The same, there to be written to. Raises OSError."""
    folder = folder_of(directory, tags, file)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / NAMED).exists():
        since = RoundSince(known(tags.get("Round")) or OF_NONE, datetime.now(UTC).isoformat())
        write_atomically(folder / NAMED, msgspec.json.encode(since).decode())
    return folder


def _safe(name: str) -> str:
    """What is left of a round's name in the name of a file, and in a URL; never what a number would have, or another
    name in letters that are left out.
    """
    letters = unicodedata.normalize("NFKD", name)
    safe = re.sub(r"[^A-Za-z0-9]+", "-", letters.encode("ascii", "ignore").decode()).strip("-")[:LONGEST]
    if safe and not safe.isdecimal() and all(letter.isascii() or not letter.isalnum() for letter in letters):
        return safe
    return f"{safe or 'x'}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def names_somebody(tags: Mapping[str, str]) -> bool:
    """Whether one of the players of a game, or of a match, is named."""
    return any(known(tags.get(player)) is not None for player in PLAYERS)


def _of_the_same(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(known(one.get(player)) == known(other.get(player)) for player in PLAYERS)


def set_aside(path: Path, text: str) -> None:
    """Keeps the finished game in ``path`` under a name of its own, where ``text``, which is to take its place, is of
    other players. Raises OSError.
    """
    if not path.exists():
        return
    found = path.read_text("utf-8", "replace")
    before, now = _tags(found), _tags(text)
    if is_live(before) or _of_the_same(before, now):
        return
    kept = [*earlier_than(path)]
    if any(each.read_text("utf-8", "replace") == found for each in kept):
        return
    other = path.with_name(f"earlier-{path.stem}-{len(kept) + 1}{path.suffix}")
    write_atomically(other, found)
    was, is_ = (" – ".join(tags[player] for player in PLAYERS if player in tags) for tags in (before, now))
    log.warning("%s: %s is finished and kept as %s, for %s is played there now", path, was, other.name, is_)
    beside = path.with_suffix(".json")
    if beside.exists():
        write_atomically(other.with_suffix(".json"), beside.read_text("utf-8", "replace"))


def earlier_than(path: Path) -> Iterator[Path]:
    """What was set aside of ``path``, in order."""
    for number in range(1, 1 + sum(1 for _ in path.parent.glob(f"earlier-{path.stem}-*{path.suffix}"))):
        if (other := path.with_name(f"earlier-{path.stem}-{number}{path.suffix}")).exists():
            yield other


def together(paths: list[Path]) -> str:
    """The text of these games, each after those that were set aside for it."""
    return "".join(each.read_text("utf-8", "replace") for path in paths for each in (*earlier_than(path), path))


def round_in(folder: Path) -> dict[int, Mapping[str, str]]:
    """The PGN tags of the games of a round, by board."""
    games: dict[int, Mapping[str, str]] = {}
    for path in folder.glob("game-*.pgn"):
        board = path.stem.removeprefix("game-")
        if board.isdecimal() and (tags := _tags(path.read_text("utf-8", "replace"))):
            games[int(board)] = tags
    return dict(sorted(games.items()))


def _tags(text: str) -> Mapping[str, str]:
    headers = chess.pgn.read_headers(io.StringIO(text))
    return {} if headers is None else {tag: unescaped(value) for tag, value in headers.items()}


def paired_in(folder: Path) -> dict[int, Mapping[str, str]]:
    """The PGN tags of what is paired in a round, by board; of what has begun by now as well. A file that a bad card has
    left damaged says nothing, and is written anew."""
    paired: dict[int, Mapping[str, str]] = {}
    for path in folder.glob(".game-*.paired"):
        board = path.stem.removeprefix(".game-")
        if board.isdecimal():
            with contextlib.suppress(msgspec.MsgspecError):
                paired[int(board)] = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    return paired


def paired_at(folder: Path, board: int) -> Path:
    return folder / f".game-{board}.paired"
