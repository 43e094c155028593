"""``jadoube backup``: all that the daemons of a machine keep, in one file, also while games are played."""

import contextlib
import os
import platform
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib import metadata
from pathlib import Path

import msgspec

from controller.cli.archive import (
    FORMAT,
    LIST,
    SERVED,
    STATE,
    Backup,
    BackupError,
    File,
    FileKind,
    SavedDaemon,
    beside,
    digest,
    named,
)
from controller.cli.hall.places import checked
from controller.cli.hardware.commands import HALL, HERE
from controller.cli.terminal import many
from controller.config import Setup, read
from controller.journal.copying import copy

UNFINISHED = (".part", ".lock")  #: of files that somebody is about to write


def backup(configs: Sequence[Path], out: Path, *, secrets: bool) -> int:
    """Writes ``out``, a file that is not there yet, or one in that folder; 0 once it is whole and on the disk.

    ``secrets``: with the files that hold keys and passwords. Raises :exc:`BackupError`, :exc:`ConfigError`, and
    :exc:`JournalError` for a journal that cannot be read whole.
    """
    if not out.is_dir() and out.suffix != ".zip":
        raise BackupError(
            f"there is no folder {out}, and a backup is a file that ends in .zip",
            "a stick that is not mounted, or a slip in the name",
            f"lsblk shows what is plugged in; mkdir {out}; or name a file: --out {out}.zip",
        )
    configs = configs or _usual()
    target = out / f"jadoube-{platform.node()}-{datetime.now():%Y%m%d-%H%M%S}.zip" if out.is_dir() else out
    unfinished = target.with_name(f"{target.name}.part")
    if target.exists():
        raise BackupError(f"{target} is there already", "an earlier backup", "give another name, or a folder")
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".jadoube-backup-") as folder:
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # touches and names are in it
            with os.fdopen(descriptor, "wb") as file:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                    writing = _Writing(archive, Path(folder), secrets=secrets)
                    writing.all(configs)
                file.flush()
                os.fsync(file.fileno())
        unfinished.rename(target)
    except FileExistsError as error:
        raise BackupError(
            f"{unfinished} is there already", "another backup is being made, or was interrupted", f"rm {unfinished}"
        ) from error
    except (OSError, sqlite3.Error) as error:
        _remove(unfinished)
        raise BackupError(
            f"{target} cannot be written: {getattr(error, 'strerror', None) or error}",
            "the disk is full or read-only, or the folder belongs to another user",
            f"df -h {target.parent}; ls -ld {target.parent}; or name a folder on another disk",
        ) from error
    except BaseException:
        _remove(unfinished)
        raise
    print(*writing.said, sep="\n")
    print(f"{target}: {target.stat().st_size // 1024 + 1} kB. On the other machine: jadoube restore {target.name}")
    return 0


def _remove(unfinished: Path) -> None:
    """If it is there, and can be."""
    with contextlib.suppress(OSError):
        unfinished.unlink()


class _Writing:
    def __init__(self, archive: zipfile.ZipFile, folder: Path, *, secrets: bool) -> None:
        self._archive = archive
        self._folder = folder
        self._secrets = secrets
        self.said: list[str] = []  #: of each journal, how far it goes
        self._files: dict[str, File] = {}  # by where they were: boards of a hall may share a folder

    def all(self, configs: Sequence[Path]) -> None:
        boards = [self._board(f"{number}-{path.stem}", path) for number, path in enumerate(configs, 1)]
        told = Backup(
            format=FORMAT,
            version=metadata.version("jadoube"),
            made=datetime.now().astimezone().isoformat(timespec="seconds"),
            host=platform.node(),
            boards=boards,
            files=list(self._files.values()),
        )
        self._archive.writestr(LIST, msgspec.json.format(msgspec.json.encode(told)))

    def _board(self, folder: str, path: Path) -> SavedDaemon:
        """First the journal, then what is made of it: so no file is older than the journal says it is."""
        path = path.absolute()
        config = checked(read(path), str(path))
        base = _base(path, config)
        journal = base / Path(config.journal.path).expanduser()
        seq, said = 0, ""
        if journal.exists():
            new = self._folder / f"{folder}.sqlite"
            proof = copy(journal, new)
            seq, said = proof.head.seq, proof.head.hash.hex()
            self._add(new, f"{folder}/{journal.name}", journal, "journal")
            new.unlink()
            self.said.append(f"{path}: {many(proof.records, 'record')}, the last is number {seq}")
        else:
            print(f"{path}: there is no journal {journal} yet", file=sys.stderr)
        self._add(path, f"{folder}/{path.name}", path, "config")
        for place, about, kind in self._others(path, base, config):
            for file in _files(place):
                inside = file.relative_to(place) if file != place else file.name
                self._add(file, f"{folder}/{about}/{inside}", file, kind)
        return SavedDaemon(
            config=str(path), base=str(base), journal=str(journal) if journal.exists() else None, seq=seq, hash=said
        )

    def _others(self, path: Path, base: Path, config: Setup) -> Iterator[tuple[Path, str, FileKind]]:
        """Where they are, what their folder in the backup is called, and what they are."""
        for each in (*named(config), *beside(path.parent)):
            if each.kind == "kept" or (each.kind == "secret" and self._secrets):
                yield base / Path(each.path).expanduser(), each.option.removesuffix(".directory"), each.kind
        if self._secrets and path.parent == SERVED:  # handed over by systemd under another name
            for file in sorted(SERVED.glob("mqtt-password*")):
                yield file, "mqtt", "secret"

    def _add(self, source: Path, name: str, belongs: Path, kind: FileKind) -> None:
        where = os.path.normpath(belongs)
        if where not in self._files:
            with source.open("rb") as file, self._archive.open(name, "w", force_zip64=True) as to:
                size, said = digest(file, to)
            self._files[where] = File(name=name, path=where, kind=kind, size=size, sha256=said)


def _usual() -> list[Path]:
    """Those of all services; without any, those in this folder."""
    found = sorted(SERVED.glob("*.toml")) or [path for path in (HERE, HALL) if path.exists()]
    if not found:
        raise BackupError(
            f"there is no configuration in {SERVED} and no {HERE} or {HALL} in this folder",
            "it has another name, or was made for another user",
            "jadoube backup --out FOLDER --config my-board.toml",
        )
    return found


def _base(path: Path, config: Setup) -> Path:
    """The folder in which the daemon under the configuration ``path`` runs: a service in its own; else this one, if it
    names anything from there.
    """
    if path.parent == SERVED:
        return STATE if path.stem == "jadoube" else STATE / path.stem
    absolute = all(Path(each.path).expanduser().is_absolute() for each in named(config))
    return path.parent if absolute else Path.cwd()


def _files(place: Path) -> Iterator[Path]:
    """The file, or those in the folder; nothing where there is none yet."""
    found = [place] if place.is_file() else sorted(place.rglob("*"))
    yield from (file for file in found if file.is_file() and not file.name.endswith(UNFINISHED))
