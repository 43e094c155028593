"""``jadoube restore``: what a backup holds, on a machine that has nothing of it yet.

All of it is looked through before the first file appears: each by its sum, each journal row by row, up to the record
that was the last when the backup was made. What is there already is never written over. A restored journal goes on
under another name (``origin``), for the machine that it came from may go on, too.
"""

import os
import pwd
import shutil
import sqlite3
import tomllib
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from controller.cli.archive import (
    BROKEN,
    SERVED,
    STATE,
    Backup,
    BackupError,
    File,
    SavedDaemon,
    damaged,
    digest,
    named,
    read_list,
)
from controller.cli.export import write_scores
from controller.cli.hall.places import checked
from controller.cli.hardware.fill import fill
from controller.cli.terminal import many
from controller.errors import JournalError
from controller.files import nearest, text_of
from controller.journal import Reader, connect_to_read, in_use
from controller.journal.copying import go_on, prove
from controller.journal.pages import beside
from controller.journal.rescue import BUILT

SUFFIX = ".restoring"
SPARE = 2**24  #: bytes that are to be left


def restore(path: Path, to: Path | None) -> int:
    """Restores the backup ``path`` to where the services of a machine keep their files, or all of it below ``to``.

    0 once it is there. Raises :exc:`BackupError` and :exc:`JournalError`; nothing is there then that was not before.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            told = read_list(path, archive)
            _Restoring(path, archive, told, _placing(path, told, to)).all()
    except BROKEN as error:
        raise damaged(path, f"it is no whole ZIP file: {error}") from error
    except OSError as error:
        raise BackupError(
            f"{path} cannot be restored: {error.strerror or error}",
            "another name, a folder of another user, or a full disk",
            f"ls -l {path}; df -h; as root where it belongs to the service: sudo jadoube restore {path}",
        ) from error
    return 0


def _placing(path: Path, told: Backup, to: Path | None) -> Callable[[str], Path]:
    """Where what was at some place belongs here."""
    places = [*(file.path for file in told.files), *(board.base for board in told.boards)]
    for place in places:
        if not Path(place).is_absolute() or ".." in Path(place).parts:
            raise damaged(path, f"{place} is no place for a file")
        if to is None and not any(Path(place).is_relative_to(served) for served in (SERVED, STATE)):
            raise BackupError(
                f"{place} does not belong to a service of this machine",
                "the backup is of a daemon that somebody started in a folder of his own",
                f"say where all of it is to be: jadoube restore {path} --to FOLDER",
            )
    if to is None:
        return Path
    folders = [*(str(Path(file.path).parent) for file in told.files), *(board.base for board in told.boards)]
    common, here = os.path.commonpath(folders), to.resolve()
    return lambda place: here / os.path.relpath(place, common)


class _Restoring:
    def __init__(self, path: Path, archive: zipfile.ZipFile, told: Backup, place: Callable[[str], Path]) -> None:
        self._path = path
        self._archive = archive
        self._told = told
        self._place = place
        self._folders: list[Path] = []  # made for it, each before what is in it

    def all(self) -> None:
        self._look_for_room()
        written: list[tuple[File, Path]] = []
        try:
            for file in self._told.files:
                target = self._place(file.path)
                written.append((file, target))
                self._unpack(file, target)
            for board in self._told.boards:
                self._prepare(board)
        except BaseException:
            for _, target in written:
                for suffix in ("", "-wal", "-shm", "-witness"):
                    beside(_new(target), suffix).unlink(missing_ok=True)
            for folder in reversed(self._folders):
                with suppress(OSError):  # somebody else has put something there by now
                    folder.rmdir()
            raise
        for _, target in written:
            _new(target).rename(target)
            if (witness := beside(_new(target), "-witness")).exists():
                witness.rename(beside(target, "-witness"))
        made = datetime.fromisoformat(self._told.made).timestamp()
        for board in self._told.boards:
            if board.journal is not None:  # nobody has looked since, which is told when the game goes on
                os.utime(self._place(board.journal), (made, made))
            self._tell(board)
        _hand_over()
        print("There are two of each board now: switch the old machine off, or give its boards other numbers.")

    def _look_for_room(self) -> None:
        """Before anything is written."""
        for board in self._told.boards:
            if board.journal is not None and in_use(self._place(board.journal)):
                raise JournalError(
                    f"the journal {self._place(board.journal)} is in use",
                    "jadoube is running here with games of its own",
                    "sudo systemctl stop jadoube; or --to another folder",
                )
        for file in self._told.files:
            target = self._place(file.path)
            # What SQLite or we left of another journal of that name would be put into the restored one.
            left = [beside(target, suffix) for suffix in ("-wal", "-journal", BUILT)] if file.kind == "journal" else []
            for there in (each for each in (target, *left) if each.exists()):
                raise BackupError(
                    f"{there} is there already, and is not written over",
                    "this machine has games or a configuration of its own",
                    f"move it away: mv {there} {there}.before; or --to another folder",
                )
        here = nearest(self._place(self._told.files[0].path).parent)
        need, free = sum(file.size for file in self._told.files) + SPARE, shutil.disk_usage(here).free
        if need > free:
            what = f"{need // 2**20} MB are needed in {here}, and {free // 2**20} are free"
            raise BackupError(what, "the disk is full", f"df -h {here}; or --to a folder on another disk")

    def _unpack(self, file: File, target: Path) -> None:
        self._folders += reversed([each for each in target.parents if not each.exists()])
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o600 if file.kind == "secret" else 0o640
        try:
            descriptor = os.open(_new(target), os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
            with os.fdopen(descriptor, "wb") as to, self._archive.open(file.name) as source:
                said = digest(source, to)
                to.flush()
                os.fsync(to.fileno())
        except (KeyError, *BROKEN) as error:
            raise damaged(self._path, f"{file.name}: {error}") from error
        if said != (file.size, file.sha256):
            raise damaged(self._path, f"{file.name} is not what was written")

    def _prepare(self, board: SavedDaemon) -> None:
        """The journal is proven, and goes on by itself; the configuration names where things are now."""
        if board.journal is not None:
            new = _new(self._place(board.journal))
            head = prove(new).head
            if (head.seq, head.hash.hex()) != (board.seq, board.hash):
                raise damaged(self._path, f"the journal ends with record {head.seq}, not {board.seq}")
            try:
                go_on(new, f"restored from the backup of {self._told.host} of {self._told.made},")
            except sqlite3.Error as error:
                raise damaged(self._path, str(error)) from error
        config = _new(self._place(board.config))
        config.write_text(self._moved(board, text_of(config.read_bytes())), "utf-8")

    def _moved(self, board: SavedDaemon, text: str) -> str:
        """The configuration with the new places, where it names absolute ones."""
        raw = tomllib.loads(text)
        there = {file.path for file in self._told.files}
        moved = {}
        for each in named(checked(raw, board.config)):
            old = Path(each.path).expanduser()
            brought = each.kind != "secret" or str(old) in there
            if old.is_absolute() and brought and (new := self._place(str(old))) != old:
                moved[each.option] = str(new)
        if not moved:
            return text
        try:
            filled = fill(text, moved)
            config = checked(tomllib.loads(filled), board.config)
        except (KeyError, tomllib.TOMLDecodeError) as error:
            raise self._unmoved(board, moved) from error
        if any(each.path != moved.get(each.option, each.path) for each in named(config)):
            raise self._unmoved(board, moved)
        return filled

    def _unmoved(self, board: SavedDaemon, moved: dict[str, str]) -> BackupError:
        return BackupError(
            f"{', '.join(moved)} of {board.config} cannot be changed to the new place",
            "they are written in a form that only people read well",
            "restore it to where it was, or change them in the configuration and make the backup once more",
        )

    def _tell(self, board: SavedDaemon) -> None:
        config, base = self._place(board.config), self._place(board.base)
        raw = tomllib.loads(config.read_text("utf-8"))
        setup = checked(raw, str(config))
        print(f"{config}:")
        if board.journal is not None:
            path = self._place(board.journal)
            with closing(Reader(connect_to_read(path), path)) as reader:
                written = write_scores(reader, base / Path(setup.pgn.directory).expanduser())
                games = [opening.game for opening in reader.openings()]
            found, anew = many(len(games), "game"), many(written, "score")
            print(f"  {path}: {found}, up to record {board.seq}; {anew} written anew")
        if base.is_relative_to(STATE):
            print(f"  Next: sudo systemctl start jadoube{'' if config.stem == 'jadoube' else f'@{config.stem}'}")
        elif all("board" in each for each in raw.get("boards", [])):  # else nothing is played at this computer
            print(f"  Next: cd {base} && jadoube run --config {os.path.relpath(config, base)}")


def _hand_over() -> None:
    """Gives what the service keeps to the service's user. If there is none yet, systemd does so at the start."""
    try:
        user = pwd.getpwnam("jadoube")
    except KeyError:
        return
    if os.geteuid() == 0 and STATE.exists():
        for path in (STATE, *STATE.rglob("*")):
            os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)


def _new(target: Path) -> Path:
    return beside(target, SUFFIX)
