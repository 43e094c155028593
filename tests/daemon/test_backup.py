"""``jadoube backup`` and ``jadoube restore``: all that a machine has, in one file, and on another machine again."""

import hashlib
import json
import os
import random
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from stage import Scene

from controller.cli import backup as backing
from controller.cli import restore as restoring
from controller.cli.archive import LIST
from controller.cli.main import main
from controller.config import load
from controller.contract import Interrupted, Time
from controller.journal import Journal, connect_to_read
from controller.journal.reading import Reader
from controller.wire import decode_event


class Machine:
    """A folder with a daemon's table in it, whose configuration names absolute places as ``jadoube setup`` does."""

    def __init__(self, folder: Path, board: str = "7", more: str = "") -> None:
        self.folder = folder
        (folder / "conf").mkdir(parents=True, exist_ok=True)
        self.config = folder / "conf" / f"board-{board}.toml"
        self.state = folder / "state" / board
        self.config.write_text(
            '[board]\ntype = "simulated"\n'
            f'[event]\nvenue = "hall"\nboard = "{board}"\nclock = "300"\n[start]\nby = "at-once"\nready_s = 0.1\n'
            f'[pgn]\ndirectory = "{self.state / "games"}"\n[journal]\npath = "{self.state / "journal.sqlite"}"\n{more}'
        )
        self.scene = Scene(load(self.config), self.state / "journal.sqlite")  # type: ignore[arg-type]
        self.scene.show()
        self.scene.run(1_000)

    def play(self, *moves: str) -> None:
        for number, move in enumerate(moves):
            self.scene.move(move)
            self.scene.press("black" if number % 2 else "white")
        (self.state / "games").mkdir(exist_ok=True)
        (self.state / "games" / f"game-{self.scene.games()[-1]}.pgn").write_text("as it was written")


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path / "a")
    machine.play("e2e4", "e7e5")
    machine.scene.command(type="resign", side="white")
    machine.scene.command(type="new-game")
    machine.play("d2d4")
    yield machine
    machine.scene.journal.close()


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def made(machine: Machine, out: Path, *more: object) -> Path:
    assert run("backup", "--config", machine.config, "--out", out, *more) == 0
    return out


def tree(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def rows(path: Path) -> list[Any]:
    with closing(Reader(connect_to_read(path), path)) as reader:
        reader.verify()
        return reader.after(0, 9_999)


def test_all_is_there_on_the_other_machine_and_the_game_goes_on(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = made(machine, tmp_path / "b.zip")
    assert backup.stat().st_mode & 0o077 == 0
    machine.scene.press("white")  # the daemon there plays on
    assert run("restore", backup, "--to", tmp_path / "b") == 0
    there = tmp_path / "b" / "state" / "7"
    here = rows(machine.state / "journal.sqlite")
    restored = rows(there / "journal.sqlite")
    assert restored == here[: len(restored)]
    config = load(tmp_path / "b" / "conf" / "board-7.toml")
    assert (config.journal.path, config.pgn.directory) == (str(there / "journal.sqlite"), str(there / "games"))
    assert {file.read_text() for file in (there / "games").iterdir()} == {"as it was written"}
    scene = Scene(config, there / "journal.sqlite")  # type: ignore[arg-type]
    assert scene.session.playing
    assert scene.journal.origin != machine.scene.journal.origin
    assert scene.journal.restored is None, "there is no damage to be told of"
    lost = [decode_event(record.body) for record in scene._records() if record.kind == "event"]
    assert any(isinstance(event, Interrupted) for event in lost)
    assert scene.journal.head.seq > machine.scene.journal.head.seq, "no number is given a second time"
    scene.journal.verify()
    scene.journal.close()
    assert "2 games" in capsys.readouterr().out


def test_nobody_has_looked_since_the_backup_was_made(machine: Machine, tmp_path: Path) -> None:
    backup = made(machine, tmp_path / "b.zip")
    told = tmp_path / "told.zip"
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(told, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename == LIST:
                data = json.dumps(json.loads(data) | {"made": "2026-01-02T03:04:05+00:00"}).encode()
            new.writestr(info, data)
    assert run("restore", told, "--to", tmp_path / "b") == 0
    journal = Journal(tmp_path / "b" / "state" / "7" / "journal.sqlite")
    assert journal.last_written == 1767323045
    journal.close()


def test_scores_that_were_not_there_are_written_anew(machine: Machine, tmp_path: Path) -> None:
    shutil.rmtree(machine.state / "games")
    assert run("restore", made(machine, tmp_path / "b.zip"), "--to", tmp_path / "b") == 0
    scores = [file.read_text() for file in (tmp_path / "b" / "state" / "7" / "games").iterdir()]
    assert len(scores) == 2
    assert any("1. e4" in score and "0-1" in score for score in scores)


def test_two_copies_go_by_two_names(machine: Machine, tmp_path: Path) -> None:
    backup = made(machine, tmp_path / "b.zip")
    origins = {machine.scene.journal.origin}
    for name in ("b", "c"):
        assert run("restore", backup, "--to", tmp_path / name) == 0
        with closing(
            Reader(connect_to_read(path := tmp_path / name / "state" / "7" / "journal.sqlite"), path)
        ) as reader:
            origins.add(reader.origin())
    assert len(origins) == 3


def test_two_boards_of_a_hall_with_one_folder(tmp_path: Path) -> None:
    shared = tmp_path / "a" / "broadcast"
    (shared / "round-1").mkdir(parents=True)
    (shared / "round-1" / "games.pgn").write_text("both")
    machines = [Machine(tmp_path / "a", board, f'[broadcast]\ndirectory = "{shared}"\n') for board in "12"]
    configs = [each for machine in machines for each in ("--config", machine.config)]
    assert run("backup", *configs, "--out", tmp_path / "b.zip") == 0
    assert run("restore", tmp_path / "b.zip", "--to", tmp_path / "b") == 0
    for machine in machines:
        machine.scene.journal.close()
        config = load(tmp_path / "b" / "conf" / machine.config.name)
        assert config.broadcast is not None
        assert config.broadcast.directory == str(tmp_path / "b" / "broadcast")
    assert (tmp_path / "b" / "broadcast" / "round-1" / "games.pgn").read_text() == "both"


@pytest.mark.parametrize("asked", [False, True])
def test_secrets_come_along_if_asked(tmp_path: Path, asked: bool) -> None:
    secret = tmp_path / "a" / "conf" / "password"
    secret.parent.mkdir(parents=True)
    secret.write_text("hush")
    secret.chmod(0o600)
    machine = Machine(tmp_path / "a", more=f'[mqtt]\nhost = "h"\nuser = "u"\npassword_file = "{secret}"\n')
    backup = made(machine, tmp_path / "b.zip", *(["--secrets"] if asked else []))
    machine.scene.journal.close()
    with zipfile.ZipFile(backup) as archive:
        assert any(b"hush" in archive.read(name) for name in archive.namelist()) == asked
    assert run("restore", backup, "--to", tmp_path / "b") == 0
    brought = tmp_path / "b" / "conf" / "password"
    assert brought.exists() == asked
    config = load(tmp_path / "b" / "conf" / "board-7.toml")
    assert config.mqtt is not None
    assert config.mqtt.password_file == str(brought if asked else secret)
    if asked:
        assert brought.stat().st_mode & 0o777 == 0o600


# -- what is refused ---------------------------------------------------------------------------------------------


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    capsys.readouterr()
    assert run(*arguments) == 2
    said = capsys.readouterr().err
    assert "Likely cause" in said
    assert "Next" in said
    return said


def test_what_is_there_is_not_written_over(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = made(machine, tmp_path / "b.zip")
    assert "is there already" in refused(capsys, "backup", "--config", machine.config, "--out", backup)
    assert run("restore", backup, "--to", tmp_path / "b") == 0
    before = tree(tmp_path / "b")
    assert "is there already" in refused(capsys, "restore", backup, "--to", tmp_path / "b")
    assert tree(tmp_path / "b") == before
    with closing(Journal(tmp_path / "b" / "state" / "7" / "journal.sqlite")):
        assert "is in use" in refused(capsys, "restore", backup, "--to", tmp_path / "b")


@pytest.mark.parametrize("left", ["-wal", "-journal", ".restored"])
def test_what_is_left_of_another_journal_is_not_put_into_it(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str], left: str
) -> None:
    """Whoever moves away a journal by its name alone leaves its log: SQLite would take it for that of the new one."""
    backup = made(machine, tmp_path / "b.zip")
    log = tmp_path / "b" / "state" / "7" / f"journal.sqlite{left}"
    log.parent.mkdir(parents=True)
    log.write_bytes((machine.state / "journal.sqlite-wal").read_bytes())
    before = tree(tmp_path / "b")
    said = refused(capsys, "restore", backup, "--to", tmp_path / "b")
    assert f"mv {log} {log}.before" in said
    assert tree(tmp_path / "b") == before


def test_a_damaged_journal_is_no_backup(machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machine.scene.journal.close()
    path = machine.state / "journal.sqlite"
    data = bytearray(path.read_bytes())
    at = data.index(b'"e7e5"')
    data[at + 1 : at + 5] = b"e7e6"
    path.write_bytes(data)
    assert "is damaged" in refused(capsys, "backup", "--config", machine.config, "--out", tmp_path / "b.zip")
    assert not list(tmp_path.glob("*b.zip*")) + list(tmp_path.glob(".jadoube*"))


@pytest.mark.parametrize("free", [10, 2**24])
def test_without_room_nothing_begins(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, free: int
) -> None:
    backup = made(machine, tmp_path / "b.zip")
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(restoring.shutil, "disk_usage", lambda _: usage._replace(free=free))
    assert "MB are needed" in refused(capsys, "restore", backup, "--to", tmp_path / "b")
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("where", ["stick/", "stick/hall", "hall"])
def test_no_file_is_made_where_a_folder_was_meant(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    """As where a stick is not mounted."""
    before = tree(tmp_path)
    said = refused(capsys, "backup", "--config", machine.config, "--out", f"{tmp_path}/{where}")
    assert f"there is no folder {tmp_path}/{where.rstrip('/')}" in said
    assert f"mkdir {tmp_path}/{where.rstrip('/')}" in said
    assert tree(tmp_path) == before


def test_a_disk_that_fills_up_leaves_nothing(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = made(machine, tmp_path / "b.zip")
    fsync, times = os.fsync, iter(range(99))

    def full(file: int) -> None:
        if next(times) == 2:
            raise OSError(28, "No space left on device")
        fsync(file)

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left" in refused(capsys, "restore", backup, "--to", tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_no_damage_is_restored(machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever bit is wrong: it is said and nothing is there, or all is as it was."""
    backup = made(machine, tmp_path / "b.zip")
    data, dice = backup.read_bytes(), random.Random(1)
    said = 0
    for number in range(60):
        broken = bytearray(data)
        if number % 3:
            broken[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        else:
            del broken[dice.randrange(len(data)) :]
        (tmp_path / "broken.zip").write_bytes(broken)
        if run("restore", tmp_path / "broken.zip", "--to", tmp_path / "b") == 0:
            restored = rows(tmp_path / "b" / "state" / "7" / "journal.sqlite")
            assert restored == rows(machine.state / "journal.sqlite")[: len(restored)]
            shutil.rmtree(tmp_path / "b")
        else:
            said += 1
            assert "Traceback" not in capsys.readouterr().err
            assert not (tmp_path / "b").exists() or tree(tmp_path / "b") == {}
    assert said > 50


def rewritten(backup: Path, **changed: Any) -> Path:
    """The same with another list."""
    other = backup.with_name("other.zip")
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(other, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            new.writestr(info.filename, json.dumps(json.loads(data) | changed) if info.filename == LIST else data)
    return other


def test_one_of_a_later_version_says_so(machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = rewritten(made(machine, tmp_path / "b.zip"), format=2, version="9.9", boards="of another kind")
    assert "later version of jadoube, 9.9" in refused(capsys, "restore", other, "--to", tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_what_is_no_backup_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot be restored" in refused(capsys, "restore", tmp_path / "none.zip", "--to", tmp_path / "b")
    with zipfile.ZipFile(tmp_path / "holiday.zip", "w") as archive:
        archive.writestr("beach.jpg", b"")
    assert "is no backup" in refused(capsys, "restore", tmp_path / "holiday.zip", "--to", tmp_path / "b")


@pytest.mark.parametrize("place", ["/etc/cron.d/evil", "/var/lib/jadoube/../../../etc/cron.d/evil", "games"])
def test_nothing_is_put_where_it_does_not_belong(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    backup = made(machine, tmp_path / "b.zip")
    with zipfile.ZipFile(backup) as archive:
        told = json.loads(archive.read(LIST))
    data = b"evil"
    evil = {"name": LIST, "path": place, "kind": "kept", "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    other = rewritten(backup, files=[evil], boards=[])
    assert told["files"]
    refused(capsys, "restore", other)
    assert not Path("/etc/cron.d/evil").exists()


def test_paths_that_only_people_read_are_not_guessed_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine(tmp_path / "a")
    text = machine.config.read_text().replace("path = ", "path=")
    machine.config.write_text(text)
    backup = made(machine, tmp_path / "b.zip")
    machine.scene.journal.close()
    assert "journal.path" in refused(capsys, "restore", backup, "--to", tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_the_services_of_a_machine_without_a_word_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served, state = tmp_path / "etc" / "jadoube", tmp_path / "var" / "jadoube"
    for module in (backing, restoring):
        monkeypatch.setattr(module, "SERVED", served)
        monkeypatch.setattr(module, "STATE", state)
    served.mkdir(parents=True)
    for name, folder in (("jadoube", state), ("board-7", state / "board-7")):
        text = '[board]\ntype = "simulated"\n[event]\nboard = "7"\n[journal]\npath = "jadoube.sqlite"\n'
        (served / f"{name}.toml").write_text(text)
        folder.mkdir(parents=True)
        journal = Journal(folder / "jadoube.sqlite")
        journal.append("g", Time(ms=len(name)), []).result(5)
        journal.close()
    (served / "mqtt-password").write_text("hush")
    before = {name: rows(state / name / "jadoube.sqlite") for name in (".", "board-7")}
    assert run("backup", "--out", tmp_path, "--secrets") == 0
    (backup,) = tmp_path.glob("jadoube-*.zip")
    shutil.rmtree(tmp_path / "etc")
    shutil.rmtree(tmp_path / "var")
    assert run("restore", backup) == 0
    assert {name: rows(state / name / "jadoube.sqlite") for name in before} == before
    assert (served / "mqtt-password").read_text() == "hush"
    said = capsys.readouterr().out
    assert "sudo systemctl start jadoube\n" in said
    assert "sudo systemctl start jadoube@board-7\n" in said


def test_a_journal_whose_end_is_missing_is_no_backup(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SQLite itself is content with it: it reads the write-ahead log up to the first frame that is not as written."""
    other = Machine(tmp_path / "c")
    other.scene.journal.close()
    for file in machine.state.glob("journal.sqlite*"):
        shutil.copy(file, other.state)
    wal = other.state / "journal.sqlite-wal"
    data = bytearray(wal.read_bytes())
    last = machine.scene.journal.head.hash
    at = data.rindex(last)
    data[at] ^= 1
    wal.write_bytes(data)
    assert "is damaged" in refused(capsys, "backup", "--config", other.config, "--out", tmp_path / "b.zip")
    assert not (tmp_path / "b.zip").exists()
