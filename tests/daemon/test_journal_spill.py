"""A program that is stopped, or killed, while the disk takes nothing loses nothing, as long as there is power."""

import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.contract import Lift, Touch
from controller.errors import JournalError
from controller.journal import Journal, store, writer
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
    return path


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


def test_it_is_kept_until_there_is_room(stopped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store, "insert", full)
        with pytest.raises(JournalError, match=r"cannot take over 4 records from") as refused:
            Journal(stopped)
    assert "full" in refused.value.cause
    assert f"df -h {stopped.parent}" in refused.value.next_step
    journal = Journal(stopped)
    assert journal.head.seq == 6
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
    spill = Spill(stopped)
    spill.file.write_bytes(spill.file.read_bytes().replace(b"e2", b"d2"))
    journal = Journal(stopped)
    assert journal.head.seq == 2
    assert "does not follow" in caplog.text
    assert len(list(spill.file.parent.glob(f"{spill.file.name}-*"))) == 1
    journal.close()


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
