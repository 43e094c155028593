"""The folder of a broadcast, read: which rounds are there, which games of a round, and which that have not begun."""

from collections.abc import Mapping
from pathlib import Path

import chess.pgn
import msgspec

from controller.pairing import unescaped


def rounds_in(directory: Path) -> list[int]:
    """The numbers of the rounds written there, in order."""
    names = (path.name.removeprefix("round-") for path in directory.glob("round-*"))
    return sorted(int(name) for name in names if name.isdecimal())


def round_in(folder: Path) -> dict[int, Mapping[str, str]]:
    """The PGN tags of the games of a round, by board."""
    games: dict[int, Mapping[str, str]] = {}
    for path in folder.glob("game-*.pgn"):
        board = path.stem.removeprefix("game-")
        with path.open(encoding="utf-8") as file:
            headers = chess.pgn.read_headers(file)
        if board.isdecimal() and headers is not None:
            games[int(board)] = {tag: unescaped(value) for tag, value in headers.items()}
    return dict(sorted(games.items()))


def paired_in(folder: Path) -> dict[int, Mapping[str, str]]:
    """The PGN tags of what is paired in a round, by board; of what has begun by now as well."""
    paired: dict[int, Mapping[str, str]] = {}
    for path in folder.glob(".game-*.paired"):
        board = path.stem.removeprefix(".game-")
        if board.isdecimal():
            paired[int(board)] = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    return paired


def paired_at(folder: Path, board: int) -> Path:
    return folder / f".game-{board}.paired"
