"""A backup of a machine: one ZIP file with a list of what is in it, from where, and by what it is known to be whole.

backup.json                  the list
1-jadoube/jadoube.toml       a folder for each configuration, with all that it names
1-jadoube/jadoube.sqlite
1-jadoube/pgn/game-20261121-161913-9f72.pgn
1-jadoube/rounds/4.csv       what a hall keeps beside its configuration
"""

import hashlib
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from controller.config import Setup
from controller.errors import JadoubeError
from controller.game_details import AT_BROKER

FORMAT = 1
LIST = "backup.json"
LARGEST = 2**26  #: bytes of the list
CHUNK = 2**20
SERVED, STATE = Path("/etc/jadoube"), Path("/var/lib/jadoube")  #: what belongs to the services of a machine

FileKind = Literal["config", "journal", "kept", "secret"]


class BackupError(JadoubeError):
    """A backup that cannot be made, or is none, or cannot be restored here."""


class File(Struct, frozen=True):
    name: str  #: in the ZIP file
    path: str  #: where it was, and belongs
    kind: FileKind
    size: int
    sha256: str


class SavedDaemon(Struct, frozen=True):
    config: str  #: the path of its configuration
    base: str  #: the folder in which it runs, from which the paths in that are taken
    journal: str | None  #: the path of the journal; None where there was none yet
    seq: int = 0  #: of its last record
    hash: str = ""


class Backup(Struct, frozen=True):
    """The list."""

    format: int
    version: str  #: of jadoube
    made: str
    host: str
    boards: list[SavedDaemon]
    files: list[File]


BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError, OverflowError)
"""What comes of reading a ZIP file that is not as it was written; RuntimeError: it seems to be encrypted."""


class _Format(Struct):
    format: int = 0
    version: str = "?"


class NamedPath(Struct, frozen=True):
    """A path that a configuration names, under ``option``."""

    option: str
    path: str
    kind: FileKind = "kept"


def named(config: Setup) -> Iterator[NamedPath]:
    """All that a daemon under ``config`` keeps or needs in files."""
    yield NamedPath("journal.path", config.journal.path, "journal")
    yield NamedPath("pgn.directory", config.pgn.directory)
    if config.broadcast is not None:
        yield NamedPath("broadcast.directory", config.broadcast.directory)
    if config.event.pairings not in (None, AT_BROKER):
        yield NamedPath("event.pairings", str(config.event.pairings))
    for name, place in config.named.items():
        table = f"{name}.board" if name else "board"
        for option in ("stones", "calibration"):
            if (path := getattr(place.board, option, None)) is not None:
                yield NamedPath(f"{table}.{option}", path)
    for table, read in asdict(config).items():
        for option in read.__struct_fields__ if isinstance(read, Struct) else ():
            if option.endswith(OF_SECRETS) and (path := getattr(read, option)) is not None:
                yield NamedPath(f"{table}.{option}", path, "secret")


def beside(folder: Path) -> Iterator[NamedPath]:
    """What ``jadoube hall`` keeps beside a configuration in that folder, without a word of it in there."""
    yield NamedPath("rounds", str(folder / "rounds"))
    boards = folder / "boards.csv"
    if boards.exists():  # ``jadoube hall init`` was here
        yield NamedPath("hall", str(boards))
        for name in ("broker", "tables"):
            yield NamedPath(name, str(folder / name), "secret")


OF_SECRETS = "_file"
"""How options end that name a secret, or what goes with one: a password, a token, a key, a certificate."""


def digest(file: IO[bytes], to: IO[bytes]) -> tuple[int, str]:
    """Copies ``file``; how many bytes it has, and their SHA-256."""
    seen, size = hashlib.sha256(), 0
    while chunk := file.read(CHUNK):
        seen.update(chunk)
        size += len(chunk)
        to.write(chunk)
    return size, seen.hexdigest()


def read_list(path: Path, archive: zipfile.ZipFile) -> Backup:
    """Raises :exc:`BackupError` where there is none, it cannot be read, or it is of a later version."""
    try:
        info = archive.getinfo(LIST)
        if info.file_size > LARGEST:
            raise ValueError("a list of that length")
        raw = archive.read(info)
        told = msgspec.json.decode(raw, type=_Format)
        if told.format > FORMAT:
            raise BackupError(
                f"{path} is a backup of a later version of jadoube, {told.version}",
                "this machine has an older one than the machine it was made on",
                "bring this one up to date first: git pull; sudo make install",
            )
        return msgspec.json.decode(raw, type=Backup)
    except KeyError as error:
        raise BackupError(f"{path} is no backup of jadoube", "another ZIP file", f"unzip -l {path}") from error
    except (msgspec.DecodeError, OSError, *BROKEN) as error:
        raise damaged(path, f"its list cannot be read: {error}") from error


def damaged(path: Path, seen: str) -> BackupError:
    """The error for a backup that is not what was written; nothing of it is restored."""
    return BackupError(
        f"the backup {path} is damaged: {seen}",
        "it was cut short when it was copied, or the disk it was kept on fails",
        "copy it once more from where it was made, or take an older one; nothing was changed here",
    )
