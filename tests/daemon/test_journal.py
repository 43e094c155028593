"""The journal keeps what it was given, in order, vouched for by hashes, and never writes over what it cannot read."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.contract import Lift, Place, Session, Touch
from controller.errors import DamageError, JournalError
from controller.journal import GENESIS, Head, Journal, Opening, Record, latest, reading, store, writer
from controller.journal.witness import Witness
from controller.wire import decode_event, decode_input

OPENING = Opening(
    game="g1", venue="club", board="1", started="2026-01-02T10:00:00+01:00", session=Session(version=1, clock="60")
)
LIFT, PLACE = Lift(ms=10, square="e2"), Place(ms=400, square="e4")
TOUCH = Touch(ms=130, side="white", square="e2", piece="P")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games" / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = Journal(path)
    yield journal
    journal.close()


def write(journal: Journal) -> None:
    journal.begin(OPENING)
    journal.append("g1", LIFT, [])
    journal.append("g1", PLACE, [TOUCH]).result(5)


def damage(path: Path, sql: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.executescript("DROP TRIGGER record_stands; DROP TRIGGER record_stays;" + sql)
    connection.close()


def test_an_input_is_followed_by_what_it_led_to(journal: Journal) -> None:
    write(journal)
    opening, lift, place, touch = journal.after(0)
    assert [record.seq for record in (opening, lift, place, touch)] == [1, 2, 3, 4]
    assert [record.kind for record in (opening, lift, place, touch)] == ["game", "input", "input", "event"]
    assert (decode_input(lift.body), decode_input(place.body)) == (LIFT, PLACE)
    assert decode_event(touch.body) == TOUCH
    assert journal.after(3) == [touch]
    assert journal.opening("g1") == OPENING == journal.last_game("1")
    assert journal.last_game("2") is None
    assert journal.head.hash == touch.hash


def test_what_was_acknowledged_is_there_after_the_process_is_killed(path: Path) -> None:
    script = f"""
        import os, signal
        from pathlib import Path
        from controller.journal import Journal
        from tests.daemon.test_journal import LIFT, OPENING
        journal = Journal(Path({str(path)!r}))
        journal.begin(OPENING)
        for _ in range(200):
            future = journal.append("g1", LIFT, [])
        future.result(10)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    root = Path(__file__).resolve().parents[2]
    assert subprocess.run([sys.executable, "-c", textwrap.dedent(script)], cwd=root, check=False).returncode == -9
    again = Journal(path)
    assert again.head.seq == 201
    again.verify()
    again.close()


def test_the_chain_goes_on_where_it_was(path: Path) -> None:
    for _ in range(2):
        journal = Journal(path)
        journal.append("g1", LIFT, []).result(5)
        journal.close()
    journal = Journal(path)
    assert journal.head.seq == 2
    journal.verify()
    journal.close()


def test_what_is_queued_together_shares_a_commit(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    commits = []
    commit = journal._writer._commit
    monkeypatch.setattr(journal._writer, "_commit", lambda *given: commits.append(len(given[1])) or commit(*given))
    futures = [journal.append("g1", LIFT, [TOUCH]) for _ in range(300)]
    assert [future.result(5) for future in futures] == list(range(2, 602, 2))
    assert sum(commits) == 600
    assert len(commits) < 150


def test_the_write_ahead_log_is_folded_in_and_does_not_grow(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "FOLD_ROWS", 20)
    journal = Journal(path)
    wal = path.with_name(path.name + "-wal")

    def add(rows: int) -> int:
        for _ in range(rows):
            journal.append("g1", LIFT, []).result(5)
        return wal.stat().st_size

    journal.begin(OPENING)
    once = add(40)
    assert add(200) <= 2 * once
    assert path.stat().st_size > 8192, "the rows have gone where they belong"
    journal.close()


def test_nothing_in_it_can_be_changed(journal: Journal, path: Path) -> None:
    write(journal)
    with sqlite3.connect(path) as connection:
        for statement in ("UPDATE record SET body = ''", "DELETE FROM record WHERE seq = 4"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("sql", "seen"),
    [
        ("UPDATE record SET body = replace(body, 'e2', 'd2') WHERE seq = 2", "record 2 is not what was written"),
        ("UPDATE record SET game = 'g2' WHERE seq = 3", "record 3 is not what was written"),
        ("DELETE FROM record WHERE seq = 2", "record 2 is missing"),
    ],
)
def test_a_changed_row_is_found_when_it_is_opened(path: Path, sql: str, seen: str) -> None:
    journal = Journal(path)
    write(journal)
    journal.close()
    damage(path, sql)
    with pytest.raises(DamageError, match=seen) as raised:
        Journal(path)
    assert "jadoube export" in raised.value.next_step


def test_a_changed_row_of_an_earlier_game_is_found_by_verify(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LATELY", 0)  # as if thousands of rows had followed
    journal = Journal(path)
    write(journal)
    journal.begin(OPENING).result(5)
    journal.close()
    damage(path, "UPDATE record SET body = '{}' WHERE seq = 2")
    journal = Journal(path)
    with pytest.raises(JournalError, match="record 2"):
        journal.verify()
    journal.close()


def test_a_folder_is_no_journal(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(JournalError, match="is no journal: it is a folder"):
        Journal(path)


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to have a header" * 40, b"x"])
def test_a_file_that_is_no_journal_is_refused_and_kept(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    for restore in (False, True):
        with pytest.raises(JournalError, match="is no journal"):
            Journal(path, restore=restore)
    assert path.read_bytes() == content


def test_a_power_cut_at_the_first_moment_of_all_is_no_damage(path: Path) -> None:
    """SQLite makes its first page under a rollback journal, which says how long the file was before: no page."""
    path.parent.mkdir()
    path.write_bytes(bytes(4096))
    numbers = (0, 0x71, 0, 512, 4096)  # of pages in it, at random, of pages before, bytes of a sector and of a page
    header = bytes.fromhex("d9d505f920a163d7") + b"".join(number.to_bytes(4, "big") for number in numbers)
    path.with_name(path.name + "-journal").write_bytes(header.ljust(512, b"\0"))
    journal = Journal(path)
    assert journal.append("g1", LIFT, []).result(5) == 1
    journal.close()


def test_another_programs_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (text)")
    connection.close()
    with pytest.raises(JournalError, match="tables of another program"):
        Journal(path)


def test_a_newer_schema_is_refused(path: Path) -> None:
    Journal(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    Witness(path, 999).begin(Head(0, GENESIS))
    with pytest.raises(JournalError, match="schema 999") as raised:
        Journal(path)
    assert "upgrade" in raised.value.next_step


def test_another_program_that_looks_at_it_takes_nothing_away(journal: Journal, path: Path) -> None:
    """Who has read it here must not have let go of SQLite's locks: the other would take it for one in nobody's use."""
    write(journal)
    store.connect_to_read(path).close()
    look = f"import sqlite3; c = sqlite3.connect('{path}'); print(*c.execute('SELECT max(seq) FROM record')); c.close()"
    assert subprocess.run([sys.executable, "-c", look], capture_output=True, text=True).stdout == "(4,)\n"
    assert path.with_name("journal.sqlite-wal").exists()


@pytest.mark.usefixtures("journal")
def test_one_daemon_a_journal(path: Path) -> None:
    with pytest.raises(JournalError, match="in use") as refused:
        Journal(path)
    assert "that of another board" in refused.value.cause
    assert '[journal] path = "journal-2.sqlite"' in refused.value.next_step
    assert f"ps -fp {os.getpid()}" in refused.value.next_step


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(tmp_path / "file" / "journal.sqlite")


def test_a_full_disk_delays_and_is_told(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "RETRY_S", 0.01)
    told = []
    journal.on_trouble = told.append
    commit, failures = journal._writer._commit, iter([True, True])

    def full(*given: object) -> None:
        if next(failures, False):
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        commit(*given)

    monkeypatch.setattr(journal._writer, "_commit", full)
    assert journal.append("g1", LIFT, []).result(5) == 1
    trouble, over = told
    assert "disk is full" in trouble.what
    assert "df -h" in trouble.next_step
    assert over is None


def test_a_slow_disk_is_measured_whenever_it_was_slow(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    journal.append("g1", LIFT, []).result(5)
    journal.take_slowest_ns()
    insert = store.insert
    monkeypatch.setattr(store, "insert", lambda *given: time.sleep(0.1) or insert(*given))
    journal.append("g1", LIFT, []).result(5)
    assert journal.take_slowest_ns() >= 100_000_000, "though nothing waits any more"
    assert journal.take_slowest_ns() == 0
    waits = journal.append("g1", LIFT, [])
    time.sleep(0.05)
    assert 0 < journal.take_slowest_ns() < 100_000_000, "while it waits"
    waits.result(5)


def test_of_a_disk_that_takes_nothing_no_speed_is_told(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "RETRY_S", 0.1)
    insert, failures = store.insert, iter([True])

    def full(*given: object) -> None:
        if next(failures, False):
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        insert(*given)

    monkeypatch.setattr(store, "insert", full)
    told = threading.Event()
    journal.on_trouble = lambda _: told.set()
    waits = journal.append("g1", LIFT, [])
    assert told.wait(5)
    assert journal.take_slowest_ns() == 0
    waits.result(5)
    assert journal.take_slowest_ns() == 0


def test_who_keeps_up_and_who_falls_behind_read_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latest, "RECENT", 8)
    journal = Journal(path)
    journal.begin(OPENING)
    prompt: list[Record] = []
    for ms in range(30):
        last = journal.append("g1", Lift(ms=ms, square="e2"), [TOUCH]).result(5)
        prompt += journal.after(prompt[-1].seq if prompt else 0)
        assert prompt[-1].seq == last
    slow: list[Record] = []
    while more := journal.after(slow[-1].seq if slow else 0, limit=7):
        slow += more
    assert prompt == slow
    assert [record.seq for record in slow] == list(range(1, 62))
    journal.close()
    journal = Journal(path)
    assert journal.after(0) == slow, "what is remembered is what was written"
    journal.close()


def test_a_cursor_is_where_it_was_left(path: Path) -> None:
    journal = Journal(path)
    assert journal.cursor("mqtt") == 0
    write(journal)
    journal.move_cursor("mqtt", 3)
    assert journal.cursor("mqtt") == 3
    journal.close()
    journal = Journal(path)
    assert journal.cursor("mqtt") == 3
    journal.close()


def test_waiting_ends_with_the_next_record(journal: Journal) -> None:
    async def scene() -> None:
        waiting = asyncio.create_task(journal.wait(0))
        await asyncio.sleep(0.02)
        assert not waiting.done()
        journal.begin(OPENING)
        await asyncio.wait_for(waiting, 5)
        await asyncio.wait_for(journal.wait(0), 5)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(journal.wait(1), 0.02)

    asyncio.run(scene())


def test_a_waiter_may_be_thrown_away_at_any_moment(journal: Journal) -> None:
    async def scene() -> None:
        waiting = journal.wait(0)
        waiting.send(None)
        with journal._latest._lock:  # as when the collector comes by
            waiting.close()
        journal.begin(OPENING).result(5)

    asyncio.run(scene())


def test_a_closed_journal_takes_nothing(path: Path) -> None:
    journal = Journal(path)
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        journal.append("g1", LIFT, []).result(5)


def test_who_no_longer_waits_for_a_record_calls_nothing_off(journal: Journal) -> None:
    """A command whose connection breaks stops waiting; the writer goes on, and the record is there."""
    journal.begin(OPENING)
    nobody = journal.append("g1", LIFT, [])
    assert not nobody.cancel()
    assert journal.append("g1", PLACE, [TOUCH]).result(5) == 4
    assert [record.kind for record in journal.after(0)] == ["game", "input", "input", "event"]
