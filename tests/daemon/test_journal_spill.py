"""A program that is stopped, or killed, while the disk takes nothing loses nothing, as long as there is power."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.contract import Lift, Touch
from controller.errors import DamageError, JournalError, StorageError
from controller.journal import Journal, Record, spill, store, writer
from controller.journal.copying import go_on
from controller.journal.spill import Spill

ROOT = Path(__file__).resolve().parents[2]
TOUCH = Touch(ms=130, side="white", square="e2", piece="P")


def full(*_: object) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "journal.sqlite"
    yield path
    for left in Spill(path).file.parent.glob(f"{Spill(path).file.name}*"):
        left.unlink()


@pytest.fixture
def stopped(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal of two rows on the disk and four that it did not take before the program was stopped."""
    leave_waiting(path, monkeypatch)
    return path


def leave_waiting(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "RETRY_S", 0.01)
    journal = Journal(path)
    journal.append("g1", Lift(ms=0, square="e2"), [TOUCH]).result(5)
    with monkeypatch.context() as patch:
        patch.setattr(store, "insert", full)
        waiting = [journal.append("g1", Lift(ms=ms, square="e2"), [TOUCH]) for ms in (1, 2)]
        journal.close()
    for future in waiting:
        with pytest.raises(JournalError, match="closed before"):
            future.result(5)


def row(number: int) -> Record:
    return Record(number, "g1", "input", b'{"type":"lift"}', bytes(32))


def test_who_starts_again_takes_over_what_was_kept(stopped: Path) -> None:
    journal = Journal(stopped)
    assert journal.head.seq == 6
    assert [b'"ms":%d' % ms in record.body for ms, record in zip((1, 2), journal.after(2)[::2], strict=True)] == [
        True
    ] * 2
    assert not Spill(stopped).file.exists()
    assert journal.append("g1", Lift(ms=9, square="e2"), []).result(5) == 7
    journal.verify()
    journal.close()


def test_it_is_kept_until_there_is_room(
    stopped: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store, "insert", full)
        with pytest.raises(StorageError, match=r"cannot take over 4 records from") as refused:
            Journal(stopped)
    assert "are taken over" not in caplog.text
    assert "full" in refused.value.cause
    assert f"df -h {stopped.parent}" in refused.value.next_step
    journal = Journal(stopped)
    assert journal.head.seq == 6
    assert "4 records are taken over" in caplog.text
    journal.close()


def test_a_kill_while_the_disk_is_full_loses_nothing(path: Path) -> None:
    script = f"""
        import os, signal, time
        from pathlib import Path
        from controller.contract import Lift
        from controller.journal import Journal, store, writer
        from tests.daemon.test_journal_spill import TOUCH, full
        writer.RETRY_S = 0.01
        journal = Journal(Path({str(path)!r}))
        journal.append("g1", Lift(ms=0, square="e2"), [TOUCH]).result(5)
        store.insert = full
        for ms in range(1, 100):
            journal.append("g1", Lift(ms=ms, square="e2"), [TOUCH])
        while len(journal.kept_after(2)) < 198:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    journal = Journal(path)
    assert journal.head.seq == 200
    assert journal.verify().records == 200
    journal.close()


def test_once_the_disk_takes_it_nothing_is_left_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "RETRY_S", 0.01)
    journal = Journal(path)
    with monkeypatch.context() as patch:
        patch.setattr(store, "insert", full)
        future = journal.append("g1", Lift(ms=1, square="e2"), [])
        while not Spill(path).file.exists():
            assert not future.done()
    assert future.result(5) == 1
    journal.close()
    assert not Spill(path).file.exists()


def test_what_does_not_follow_is_left_aside(stopped: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = Spill(stopped).file
    file.write_bytes(file.read_bytes().replace(b"e2", b"d2"))
    journal = Journal(stopped)
    assert journal.head.seq == 2
    assert "does not follow" in caplog.text
    assert len(list(file.parent.glob(f"{file.name}-*"))) == 1
    journal.close()


def test_what_another_journal_has_instead_is_left_aside(
    stopped: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The journal was exchanged for a longer one meanwhile, such as a backup: its rows of these numbers are others."""
    file = Spill(stopped).file
    kept = file.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spill, "MEMORY", tmp_path / "none")
        patch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
        journal = Journal(stopped)
        for ms in range(50, 60):
            journal.append("g1", Lift(ms=ms, square="a2"), []).result(5)
        last = journal.head
        journal.close()
    journal = Journal(stopped)
    assert journal.head == last
    assert "does not follow" in caplog.text
    assert [aside.read_bytes() for aside in file.parent.glob(f"{file.name}-*")] == [kept]
    journal.close()


def test_what_a_copy_of_the_journal_has_not_got_is_left_aside(stopped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup that was made when a part of it was on the disk: under its own name it goes on after a leap."""
    file = Spill(stopped).file
    kept = file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Spill, "clear", lambda _: None)
        file.write_bytes(b"".join(kept.splitlines(keepends=True)[:2]))
        Journal(stopped).close()
    go_on(stopped, "restored")
    file.write_bytes(kept)
    with closing(Journal(stopped)) as journal:
        assert journal.restored is not None
        assert "has not got all" in journal.restored.why
    assert [aside.read_bytes() for aside in file.parent.glob(f"{file.name}-*")] == [kept]


def test_each_vain_start_leaves_no_more_of_it_behind(stopped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """systemd starts it again every two seconds, as long as the disk takes nothing."""
    file = Spill(stopped).file
    file.write_bytes(file.read_bytes() + b"not a row\n")
    with monkeypatch.context() as patch:
        patch.setattr(store, "insert", full)
        for _ in range(3):
            with pytest.raises(StorageError):
                Journal(stopped)
    assert list(file.parent.glob(f"{file.name}*")) == [file]
    with closing(Journal(stopped)) as journal:
        assert journal.head.seq == 6
        assert journal.restored is not None
        (aside,) = file.parent.glob(f"{file.name}*")
        assert str(aside) in journal.restored.why


def test_what_is_in_the_journal_already_is_taken_away(stopped: Path) -> None:
    """The program was killed between the commit and the next moment."""
    file = Spill(stopped).file
    kept = file.read_bytes()
    Journal(stopped).close()
    file.write_bytes(kept)
    Journal(stopped).close()
    assert not list(file.parent.glob(f"{file.name}*"))


# -- where it stands -----------------------------------------------------------------------------------------------


def test_a_service_keeps_it_in_the_folder_that_systemd_gave_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In that folder alone it is safe from what systemd removes with the last session, or the last unit, of a user."""
    given = path.with_name("run")
    given.mkdir()
    with monkeypatch.context() as patch:
        patch.setenv("RUNTIME_DIRECTORY", f"{given}:{path.parent}")
        leave_waiting(path, patch)
        assert [file.parent for file in [Spill(path).file, *given.iterdir()]] == [given, given]
        for file in spill.MEMORY.iterdir():
            assert not file.name.startswith(Spill(path).file.name)
        journal = Journal(path)
        assert journal.head.seq == 6
        journal.close()
    assert not list(given.iterdir())


@pytest.mark.parametrize("below", ["", "board-7"])
def test_what_was_kept_elsewhere_is_found(path: Path, below: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand, what the service has kept; and the service, what an older one had kept where all programs do."""
    service, given = path.with_name("service"), path.with_name("run")
    (service / "board-7").mkdir(parents=True)
    given.mkdir()
    monkeypatch.setattr(spill, "SERVICE", service)
    with monkeypatch.context() as patch:
        patch.setenv("RUNTIME_DIRECTORY", str(service / below))
        leave_waiting(path, patch)
    journal = Journal(path)
    assert journal.head.seq == 6
    journal.close()
    leave_waiting(path, monkeypatch)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(given))
    journal = Journal(path)
    assert journal.head.seq == 12
    journal.close()
    assert not [file for folder in (service, given) for file in folder.rglob("*") if file.is_file()]


def test_what_is_removed_under_a_running_program_is_put_down_again(path: Path) -> None:
    kept = Spill(path)
    records = [row(number) for number in range(1, 6)]
    kept.keep(records[:3])
    whole = kept.file.read_bytes()
    kept.file.unlink()
    kept.keep(records[:3])
    assert kept.file.read_bytes() == whole
    kept.file.unlink()
    kept.keep(records)
    assert kept.file.read_bytes().startswith(whole)
    assert kept.file.read_bytes().count(b"\n") == 5


def test_what_does_not_fit_leaves_no_half_line_and_is_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room = 150
    write = os.write

    def small(file: int, data: bytes) -> int:
        left = room - os.fstat(file).st_size
        if left <= 0:
            raise OSError(28, "No space left on device")
        return write(file, data[:left])

    kept = Spill(path)
    monkeypatch.setattr(os, "write", small)
    for _ in range(3):
        kept.keep([row(1), row(2)])
        assert kept.failed
        assert kept.file.read_bytes() == b""
    assert caplog.text.count("No space left") == 1
    room = 100_000
    kept.keep([row(1), row(2), row(3)])
    assert not kept.failed
    assert kept.file.read_bytes().count(b"\n") == 3


# -- a disk that takes nothing when the program starts ---------------------------------------------------------------

SMALL = """
mount -t tmpfs -o size=4m none "$1"
"$2" -c "$3" "$1"
cat /dev/zero >"$1/filled"
"$2" -c "$3" "$1"
"""
OPENED = """
import sys
from pathlib import Path
from controller.errors import JadoubeError
from controller.journal import Journal
try:
    journal = Journal(Path(sys.argv[1], "journal.sqlite"), restore=True)
    print("opened", journal.restored)
    journal.close()
except JadoubeError as error:
    print(type(error).__name__, error.cause)
"""


def test_room_is_made_beforehand_only_where_there_is_plenty(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else what else is to be written beside the journal finds none."""
    usage = shutil.disk_usage(path.parent)
    for free, made in ((store.ROOM * 3, False), (store.ROOM * 5, True)):
        monkeypatch.setattr(store.shutil, "disk_usage", lambda _, free=free: usage._replace(free=free))
        with closing(Journal(path)) as journal:
            journal.append("g1", Lift(ms=0, square="e2"), []).result(5)
            assert (path.with_name("journal.sqlite-wal").stat().st_size > store.ROOM // 2) == made


def test_a_whole_journal_on_a_full_disk_is_not_taken_for_damaged(tmp_path: Path) -> None:
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", SMALL, "sh", tmp_path, sys.executable, OPENED]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*command[:3], "mount", "-t", "tmpfs", "none", tmp_path]).returncode
    ):
        pytest.skip("nothing can be mounted here: a full disk at the start is not tried")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["opened None", "StorageError the disk is full, read-only or failing"]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("SQLITE_FULL", StorageError),
        ("SQLITE_READONLY_DBMOVED", StorageError),
        ("SQLITE_IOERR_SHMSIZE", StorageError),
        ("SQLITE_IOERR_WRITE", StorageError),
        ("SQLITE_IOERR_FSYNC", StorageError),
        ("SQLITE_IOERR_READ", DamageError),
        ("SQLITE_IOERR_CORRUPTFS", DamageError),
        ("SQLITE_CORRUPT", DamageError),
        ("SQLITE_CANTOPEN", JournalError),
        ("SQLITE_BUSY", JournalError),
    ],
)
def test_what_is_damage_and_what_a_disk_that_takes_nothing(code: str, kind: type[JournalError]) -> None:
    error = sqlite3.OperationalError(code)
    error.sqlite_errorcode = getattr(sqlite3, code)
    assert type(store.explained(Path("journal.sqlite"), error)) is kind


def test_nobody_is_led_elsewhere(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(writer, "RETRY_S", 0.01)
    victim = tmp_path / "victim"
    victim.write_text("something else")
    Spill(path).file.symlink_to(victim)
    journal = Journal(path)
    with monkeypatch.context() as patch:
        patch.setattr(store, "insert", full)
        journal.append("g1", Lift(ms=1, square="e2"), [])
        journal.close()
    assert victim.read_text() == "something else"
    assert "1 records were kept in memory to the end, and are lost" in caplog.text
