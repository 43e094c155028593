"""What SQLite does not see: an end that is missing, a file that is elsewhere, another who has it open."""

import asyncio
import contextlib
import errno
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import aiomqtt
import pytest
from hall import Mosquitto, Subscriber, make, running, until

from controller.cli.verify import verify
from controller.config import Config
from controller.contract import Lift, Session, Touch
from controller.errors import DamageError, JournalError
from controller.journal import Head, Journal, Opening, hear, store, writer
from controller.journal.pages import FRAME_HEAD, PAGE, WAL_HEAD, beside
from controller.journal.witness import Witness
from controller.outlets.mqtt import remembered

PARTS = ("", "-wal", "-shm", "-witness")
LIFT = Lift(ms=1, square="e2")


@pytest.fixture
def killed(tmp_path: Path) -> tuple[Path, Journal]:
    """A journal as a kill left it, with its last rows in the write-ahead log; and what was in it."""
    journal = Journal(tmp_path / "open.sqlite")
    journal.begin(Opening(game="g", venue="c", board="7", started="2026", session=Session(version=1)))
    for ms in range(40):
        touch = Touch(ms=ms, side="white", square="e2", piece="P")
        journal.append("g", Lift(ms=ms, square="e2"), [touch]).result(10)
    path = tmp_path / "killed.sqlite"
    for part in PARTS:
        shutil.copy(beside(journal.path, part), beside(path, part))
    journal.close()
    return path, journal


def flip(file: Path, at: int) -> None:
    data = bytearray(file.read_bytes())
    data[at] ^= 4
    file.write_bytes(data)


def frame(number: int) -> int:
    """Where that one begins in the write-ahead log."""
    return WAL_HEAD + number * (FRAME_HEAD + PAGE)


def frames(path: Path) -> int:
    """How many of them SQLite takes."""
    with sqlite3.connect(shutil.copy(path, path.with_name("counted"))) as connection:
        shutil.copy(beside(path, "-wal"), path.with_name("counted-wal"))
        connection.execute("SELECT count(*) FROM record")
        taken = connection.execute("PRAGMA wal_checkpoint").fetchone()[1]
    connection.close()
    return int(taken)


# -- what is missing ---------------------------------------------------------------------------------------------


def test_one_flipped_bit_in_the_log_costs_nothing(
    killed: tuple[Path, Journal], capsys: pytest.CaptureFixture[str]
) -> None:
    """SQLite stops there, and gave the numbers behind it a second time."""
    path, was = killed
    flip(beside(path, "-wal"), frame(frames(path) // 2) + FRAME_HEAD + 2000)
    assert verify(path) == 1
    assert "had come to 81" in capsys.readouterr().out
    with pytest.raises(DamageError, match="had come to 81"):
        Journal(path)
    journal = Journal(path, restore=True)
    assert (journal.head, journal.origin) == (was.head, was.origin)
    assert journal.restored is not None
    assert journal.restored.whole
    assert "nothing is lost" in journal.restored.notice().what
    assert journal.append("g", LIFT, []).result(10) == 82
    journal.close()
    assert verify(path) == 0


def test_the_damaged_files_are_kept_as_they_were(killed: tuple[Path, Journal]) -> None:
    """To close them would fold what SQLite sees of the log into the database, and delete the log."""
    path, _ = killed
    flip(beside(path, "-wal"), frame(3))
    before = [beside(path, part).read_bytes() for part in ("", "-wal")]
    journal = Journal(path, restore=True)
    journal.close()
    assert journal.restored is not None
    assert journal.restored.aside is not None
    assert [beside(journal.restored.aside, part).read_bytes() for part in ("", "-wal")] == before


def test_of_a_log_that_is_gone_it_is_said_from_where_to_where_rows_are_missing(
    killed: tuple[Path, Journal], capsys: pytest.CaptureFixture[str]
) -> None:
    path, was = killed
    beside(path, "-wal").unlink()
    journal = Journal(path, restore=True)
    assert journal.restored is not None
    assert journal.restored.lost == ((1, 81),)
    assert "records 1 to 81 are lost" in journal.restored.notice().what
    assert journal.origin != was.origin, "who has received them begins anew"
    assert journal.append("g", LIFT, []).result(10) > 1081, "no number is given twice"
    journal.close()
    assert verify(path) == 0
    assert "before record 1082 rows are missing" in capsys.readouterr().out


def test_a_journal_that_is_gone_is_missed(killed: tuple[Path, Journal]) -> None:
    path, was = killed
    for part in ("", "-wal", "-shm"):
        beside(path, part).unlink()
    journal = Journal(path, restore=True)
    assert journal.restored is not None
    assert journal.restored.lost == ((1, 81),)
    assert journal.origin != was.origin
    journal.close()


def test_what_has_a_witness_was_a_journal(killed: tuple[Path, Journal]) -> None:
    path, _ = killed
    beside(path, "-wal").unlink()
    path.write_bytes(b"nothing of it is left" * 100)
    journal = Journal(path, restore=True)
    assert journal.restored is not None
    assert journal.restored.lost == ((1, 81),)
    journal.close()


def test_a_witness_for_which_there_was_no_room_comes_once_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    head = Head(5, bytes([5] * 32))
    witness = Witness(path, 3)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        witness.begin(Head(4, bytes(32)))
        witness.note(head, 9)
        for _ in range(20):
            witness.look()
    assert len(caplog.records) == 1, "and it is said once"
    witness.look()
    noted = hear(path).noted
    assert noted is not None
    assert (noted.seq, noted.hash, noted.kept) == (head.seq, head.hash, 9)
    witness.close()


@pytest.mark.parametrize("harm", ["deleted", "flipped", "cut", "emptied"])
def test_without_a_witness_all_is_kept_and_receivers_begin_anew(
    killed: tuple[Path, Journal], harm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, was = killed
    witness = beside(path, "-witness")
    match harm:
        case "deleted":
            witness.unlink()
        case "flipped":
            flip(witness, PAGE + 3)
        case "cut":
            witness.write_bytes(witness.read_bytes()[:PAGE])
        case "emptied":
            witness.write_bytes(b"")
    assert verify(path) == 0
    assert "nobody can say whether there were more" in capsys.readouterr().out
    journal = Journal(path, restore=True)
    assert journal.head == was.head
    assert journal.restored is not None
    assert "witness" in journal.restored.notice().what
    assert journal.origin != was.origin
    journal.close()
    again = Journal(path)
    assert again.restored is None
    again.close()


def test_a_bit_in_the_log_is_found_without_a_witness_too(killed: tuple[Path, Journal]) -> None:
    path, was = killed
    beside(path, "-witness").unlink()
    flip(beside(path, "-wal"), frame(4))
    assert verify(path) == 1
    journal = Journal(path, restore=True)
    assert journal.head == was.head
    journal.close()


def test_a_witness_that_is_late_accuses_nobody(killed: tuple[Path, Journal]) -> None:
    path, was = killed
    row = was_row(path, 60)
    Witness(path, store.NEWEST).begin(row)
    journal = Journal(path)
    assert journal.restored is None
    assert (journal.head, journal.origin) == (was.head, was.origin)
    journal.close()


def was_row(path: Path, seq: int) -> Head:
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as connection:
        digest = connection.execute("SELECT hash FROM record WHERE seq = ?", (seq,)).fetchone()[0]
    connection.close()
    return Head(seq, digest)


def test_each_commit_is_noted_before_anybody_is_told(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    for ms in range(20):
        seq = journal.append("g", Lift(ms=ms, square="e2"), []).result(10)
        noted = hear(journal.path).noted
        assert noted is not None
        assert noted.seq >= seq
    journal.close()


# -- where it is -------------------------------------------------------------------------------------------------


def test_a_file_that_was_moved_is_written_anew_as_soon_as_that_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "RETRY_S", 0.01)
    path = tmp_path / "games" / "journal.sqlite"
    journal = Journal(path)
    troubles: list[JournalError | None] = []
    journal.on_trouble = troubles.append
    for ms in range(5):
        journal.append("g", Lift(ms=ms, square="e2"), []).result(10)
    before, origin = journal.after(0), journal.origin
    path.parent.rename(tmp_path / "elsewhere")
    path.parent.write_text("no folder")
    future = journal.append("g", LIFT, [])
    while not troubles:
        assert not future.done(), "what is nowhere to be found is acknowledged to nobody"
    path.parent.unlink()
    assert future.result(10) == 6
    assert journal.after(0)[:5] == before
    assert journal.origin == origin
    journal.close()
    again = Journal(path)
    assert again.verify().records == 6
    again.close()


# -- who may have it ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["symbolic link", "hard link", "link to the folder"])
def test_one_daemon_a_journal_by_whatever_name(tmp_path: Path, way: str) -> None:
    path = tmp_path / "games" / "journal.sqlite"
    journal = Journal(path)
    journal.append("g", LIFT, []).result(10)
    other = tmp_path / "other" / "journal.sqlite"
    if way == "link to the folder":
        other.parent.symlink_to(path.parent)
    else:
        other.parent.mkdir()
        (other.symlink_to if way == "symbolic link" else other.hardlink_to)(path)
    with pytest.raises(JournalError, match="in use"):
        Journal(other, restore=True)
    assert journal.append("g", LIFT, []).result(10) == 2, "its own locks are untouched"
    journal.close()
    assert not list(tmp_path.rglob("*.damaged-*"))


def test_behind_a_link_it_is_the_same_journal(tmp_path: Path) -> None:
    path, link = tmp_path / "journal.sqlite", tmp_path / "link.sqlite"
    journal = Journal(path)
    journal.append("g", LIFT, []).result(10)
    journal.close()
    link.symlink_to(path)
    journal = Journal(link)
    assert journal.append("g", LIFT, []).result(10) == 2
    journal.close()
    assert link.is_symlink()
    assert verify(link) == 0


# -- a rule that was broken is no damage ---------------------------------------------------------------------------


def test_a_row_that_another_program_wrote_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "RETRY_S", 0.01)
    journal = Journal(tmp_path / "journal.sqlite")
    told: list[JournalError | None] = []
    journal.on_trouble = told.append
    journal.append("g", LIFT, []).result(10)
    other = sqlite3.connect(journal.path)
    with other:
        other.execute("INSERT INTO record VALUES (2, 'x', 'input', '{}', zeroblob(32))")
    future = journal.append("g", LIFT, [])
    while not told:
        assert not future.done()
    assert told[0] is not None
    assert "UNIQUE" in told[0].what
    assert "another program" in told[0].cause
    with other:
        other.executescript("DROP TRIGGER record_stays; DELETE FROM record WHERE seq = 2")
    other.close()
    assert future.result(10) == 2, "it was kept, and goes on"
    journal.close()
    assert not list(tmp_path.glob("*.damaged-*"))


@pytest.mark.parametrize(
    ("error", "code", "damage"),
    [
        (sqlite3.DatabaseError, "SQLITE_CORRUPT", True),
        (sqlite3.DatabaseError, "SQLITE_CORRUPT_INDEX", True),
        (sqlite3.DatabaseError, "SQLITE_NOTADB", True),
        (sqlite3.OperationalError, "SQLITE_IOERR_READ", True),
        (sqlite3.OperationalError, "SQLITE_ERROR", True),
        (sqlite3.OperationalError, "SQLITE_IOERR_WRITE", False),
        (sqlite3.OperationalError, "SQLITE_IOERR_FSYNC", False),
        (sqlite3.OperationalError, "SQLITE_FULL", False),
        (sqlite3.OperationalError, "SQLITE_BUSY", False),
        (sqlite3.OperationalError, "SQLITE_READONLY", False),
        (sqlite3.OperationalError, "SQLITE_CANTOPEN", False),
        (sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY", False),
        (sqlite3.InterfaceError, "SQLITE_MISUSE", False),
    ],
)
def test_errors_are_told_apart(error: type[sqlite3.Error], code: str, damage: bool) -> None:
    raised = error("as SQLite says")
    raised.sqlite_errorcode = getattr(sqlite3, code)
    assert store.is_damage(raised) is damage
    assert isinstance(store.explained(Path("it"), raised), DamageError) is damage


# -- what a broker remembers -------------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite")
    for _ in range(5):
        journal.append("g", LIFT, []).result(10)
    yield journal
    journal.close()


@pytest.mark.parametrize("payload", [None, b"", b"no JSON", b"[]", b'{"seq":-1}', b'{"seq":1e30}', b'{"origin":7}'])
def test_what_is_no_head_proves_nothing(journal: Journal, payload: bytes | None) -> None:
    told = remembered.read(payload)
    assert remembered.contradicts(told, journal) is None
    assert remembered.another(told, journal, "mqtt") is None


def test_a_head_is_compared_under_the_journals_own_name_alone(journal: Journal) -> None:
    def told(**head: object) -> remembered.RememberedHead:
        return remembered.read(json.dumps({"seq": 3, "hash": journal.after(2, 1)[0].hash.hex()} | head).encode())

    own = {"origin": journal.origin}
    assert remembered.contradicts(told(**own), journal) is None
    assert "another record 3" in str(remembered.contradicts(told(**own, hash="00ff"), journal))
    assert "ends with record 5" in str(remembered.contradicts(told(**own, seq=9), journal))
    assert remembered.contradicts(told(origin="another", seq=9), journal) is None
    assert "another one than the broker" in str(remembered.another(told(origin="another"), journal, "mqtt"))
    journal.move_cursor("mqtt", 4)
    assert remembered.another(told(origin="another"), journal, "mqtt") is None, "the broker was told of this one, too"


def test_who_reads_one_by_one_goes_on_where_the_name_changed(journal: Journal) -> None:
    seq = journal.head.seq
    journal.disown("is an older copy", 99).result(5)
    written = [journal.append("g1", Lift(ms=ms, square="e2"), []).result(5) for ms in range(3)]
    read = []
    while some := journal.after(seq, 1):
        seq = some[0].seq
        read.append(seq)
    assert read == written


@pytest.mark.broker
def test_an_older_copy_put_in_place_of_all_is_betrayed_by_the_broker(
    configure: Callable[..., Config], tmp_path: Path, mosquitto: Mosquitto
) -> None:
    config = configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port})
    backup = tmp_path / "backup"

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall:
            for side in ("white", "black"):
                async with running(config) as daemon:
                    await until(lambda daemon=daemon: daemon.only.session.playing)
                    await daemon.only.carry_out({"type": "adjust", "side": side})
                    path, origin = daemon.journal.path, daemon.journal.origin
                    await until(
                        lambda daemon=daemon: any(head["seq"] == daemon.journal.head.seq for head in hall.on("head"))
                    )
                if not backup.exists():
                    backup.mkdir()
                    for file in path.parent.glob("journal.sqlite*"):
                        shutil.copy(file, backup)
            last = hall.on("head")[-1]
            for file in path.parent.glob("journal.sqlite*"):
                file.unlink()
            for file in backup.iterdir():
                shutil.copy(file, path.parent)
            async with running(config) as daemon:
                await until(lambda: any(notice.source == "journal restored" for notice in daemon.notices.current))
                (notice,) = (notice for notice in daemon.notices.current if notice.source == "journal restored")
                assert f"the broker was told up to {last['seq']}" in notice.what or "another record" in notice.what
                assert daemon.journal.origin != origin
                await until(lambda: hall.on("head")[-1]["origin"] == daemon.journal.origin)
            async with running(config) as daemon:
                await until(lambda: daemon.mqtt and daemon.mqtt[0]._first_channel._compared)
                assert not any(notice.source == "journal restored" for notice in daemon.notices.current)

    asyncio.run(scene())


@pytest.mark.broker
def test_of_a_game_that_the_journal_has_no_more_nothing_stays_at_the_broker(
    configure: Callable[..., Config], mosquitto: Mosquitto
) -> None:
    """An illegal move awaits its ruling, and the journal is lost: a page that comes later sees neither it nor a clock
    that runs, in the hall or as the public does."""
    begun, waiting = (
        configure(
            event={"venue": "hall", "board": "7", "clock": "300", "settings": {"release_ms": 60, "brush_ms": 20}},
            mqtt={"host": "127.0.0.1", "port": mosquitto.port, "public": True},
            start={"by": by, "ready_s": 0.1},
        )
        for by in ("at-once", "press")
    )
    of_a_game = {"state", "clock", "docket", "public/state", "public/clock"}

    async def remembered_by_the_broker() -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        async with aiomqtt.Client("127.0.0.1", mosquitto.port) as late:
            await late.subscribe("jadoube/v1/hall/board/7/#")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    async for message in late.messages:
                        assert isinstance(message.payload, bytes)
                        found[message.topic.value.removeprefix("jadoube/v1/hall/board/7/")] = message.payload
        return {topic: payload for topic, payload in found.items() if topic in of_a_game}

    async def scene() -> None:
        async with running(begun) as daemon:
            await make(daemon, "e2e4")
            await daemon.only.carry_out({"type": "press", "side": "white"})
            await daemon.only.carry_out({"type": "press", "side": "black"})
            async with asyncio.timeout(20):
                while (await remembered_by_the_broker()).keys() != of_a_game:
                    pass
            folder = daemon.journal.path.parent
        for file in folder.glob("journal.sqlite*"):
            file.unlink()
        async with running(waiting), asyncio.timeout(20):
            while await remembered_by_the_broker():
                pass

    asyncio.run(scene())
