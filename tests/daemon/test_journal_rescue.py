"""A damaged journal is set aside as it is, and goes on with every row that can be read, wherever the damage is."""

import asyncio
import random
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.cli.export import export
from controller.cli.verify import verify
from controller.contract import Lift, Obligation, Session, Touch
from controller.errors import DamageError, JournalError
from controller.journal import Journal, Opening, Record, rescue, store
from controller.journal.pages import PAGE, beside, rows

LONG = Obligation(ms=9, side="white", must="free", moves=[f"a{n}b{n}" for n in range(1500)], article="4.5")
"""A row that goes over several pages."""

PLAYED = 300
A_PAGE_HOLDS = 60  #: rows at most


def play(journal: Journal, games: int = 3) -> None:
    """Some games, of which the second has a long row."""
    for number in range(games):
        game = f"g{number}"
        journal.begin(Opening(game=game, venue="c", board="1", started="2026-01-02", session=Session(version=1)))
        for ms in range(PLAYED // games // 2):
            last = journal.append(game, Lift(ms=ms, square="e2"), [Touch(ms=ms, side="white", square="e2", piece="P")])
        if number == 1:
            last = journal.append(game, Lift(ms=900, square="e4"), [LONG])
    last.result(10)


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, Record]]:
    """A journal that was closed in order, and what is in it."""
    path = tmp_path_factory.mktemp("closed") / "journal.sqlite"
    journal = Journal(path)
    play(journal)
    written = {record.seq: record for record in journal.after(0, 10_000)}
    journal.move_cursor("mqtt", max(written) - 1)
    journal.move_cursor("pgn", max(written))
    journal.close()
    return path, written


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, Record]]:
    """A journal whose last rows stand in the write-ahead log alone."""
    folder = tmp_path_factory.mktemp("killed")
    journal = Journal(folder / "open.sqlite")
    play(journal)
    written = {record.seq: record for record in journal.after(0, 10_000)}
    for suffix in ("", "-wal", "-witness"):
        shutil.copy(folder / f"open.sqlite{suffix}", folder / f"journal.sqlite{suffix}")
    journal.close()
    return folder / "journal.sqlite", written


def copied(source: Path, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for suffix in ("", "-wal", "-witness"):
        if beside(source, suffix).exists():
            shutil.copy(beside(source, suffix), folder / f"journal.sqlite{suffix}")
    return folder / "journal.sqlite"


def overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def there(journal: Journal) -> dict[int, Record]:
    return {record.seq: record for record in journal.after(0, 10_000)}


Damage = Literal["zeros", "noise", "sector"]


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damage=st.sampled_from(["zeros", "noise", "sector"]), seed=st.integers(0, 10_000))
def test_one_bad_page_costs_the_rows_on_it_and_no_others(
    closed: tuple[Path, dict[int, Record]], tmp_path: Path, damage: Damage, seed: int
) -> None:
    source, written = closed
    path, chance = copied(source, tmp_path / "it"), random.Random(seed)
    number = chance.randrange(source.stat().st_size // PAGE)
    if damage == "sector":
        overwrite(path, number * PAGE + 512 * chance.randrange(8), chance.randbytes(512))
    else:
        overwrite(path, number * PAGE, bytes(PAGE) if damage == "zeros" else chance.randbytes(PAGE))
    broken = path.read_bytes()
    journal = Journal(path, restore=True)
    kept = there(journal)
    wrong = [seq for seq in kept if kept[seq] != written[seq]]
    if journal.restored is None and (wrong or len(kept) < len(written)):
        with pytest.raises(DamageError):
            journal.verify()
        assert written[min(wrong)].game != "g2", "of an earlier game, found when all is verified"
    else:
        assert not wrong, "nothing is invented"
        assert len(kept) >= len(written) - A_PAGE_HOLDS
        assert journal.verify().records == len(kept)
    if journal.restored is not None:
        assert journal.restored.aside.read_bytes() == broken
        lost = {seq for first, last in journal.restored.lost for seq in range(first, last + 1)}
        assert len(written.keys() - kept.keys() - lost) == 0 or max(written) not in kept, "of the last nobody may know"
    assert journal.append("g2", Lift(ms=1000, square="e2"), []).result(5) > max(written), "no number is given twice"
    journal.close()


@pytest.mark.parametrize(("was", "column"), [(0x11, 0), (0x17, 1)])
def test_one_bit_that_makes_text_what_is_none_is_damage_and_no_defect(
    closed: tuple[Path, dict[int, Record]], tmp_path: Path, was: int, column: int
) -> None:
    path = copied(closed[0], tmp_path / "copy")
    head = bytearray(b"\x00\x11\x17")  # of a row: no number, a game of two letters, an "input" or "event"
    at = path.read_bytes().index(head)
    overwrite(path, at + 1 + column, bytes([was ^ 1]))
    assert verify(path) == 1
    assert export(path, tmp_path / "games") == 1
    with closing(Journal(path, restore=True)) as journal:
        assert journal.restored is not None
        assert journal.restored.whole
        assert {record.seq: record for record in journal.after(0, 10_000)} == closed[1], "the letters are the same"


@pytest.mark.parametrize("what", ["origin", "cursor"])
def test_a_name_that_is_no_text_keeps_no_board_from_starting(
    closed: tuple[Path, dict[int, Record]], tmp_path: Path, what: str
) -> None:
    """SQLite looks at the types of what stands in a page, not whether its letters are any."""
    path = copied(closed[0], tmp_path / "copy")
    with closing(Journal(path)) as journal:
        name = journal.origin if what == "origin" else "mqtt"
    overwrite(path, path.read_bytes().rindex(name.encode()) + 2, b"\xff")
    with closing(Journal(path, restore=True)) as journal:
        assert journal.restored is not None
        assert journal.restored.lost == ()
        assert {record.seq: record for record in journal.after(0, 10_000)} == closed[1]


def test_what_stood_in_the_write_ahead_log_alone_is_restored_too(
    killed: tuple[Path, dict[int, Record]], tmp_path: Path
) -> None:
    source, written = killed
    path = copied(source, tmp_path / "it")
    assert {record.seq: record for record in rows(path)} == written
    overwrite(path, 0, bytes(100))
    journal = Journal(path, restore=True)
    assert there(journal) == written
    journal.close()


@pytest.mark.parametrize("at", [0, 3, 8])
@pytest.mark.parametrize("byte", [0x0D, 0x0E, 0xFF])
def test_pages_full_of_nonsense_are_soon_read(
    closed: tuple[Path, dict[int, Record]], tmp_path: Path, at: int, byte: int
) -> None:
    """So many cells, columns and pages of a chain as damage may claim, there cannot be."""
    path = copied(closed[0], tmp_path / "it")
    pages = path.stat().st_size // PAGE
    chain = (2).to_bytes(4, "big")
    for page in range(1, pages):
        nonsense = bytes((byte,)) * (PAGE - 4 - at)
        overwrite(path, page * PAGE, bytes((0x0D, 0, 0))[:at] + nonsense[: PAGE - 8] + chain)
    began = time.process_time()
    list(rows(path))
    assert time.process_time() - began < 0.02 * pages


def test_a_chain_of_pages_that_is_a_circle_ends(tmp_path: Path) -> None:
    endless = b"\xff" * 9  # as long as a row can be said to be
    first = bytearray(PAGE)
    first[100:110] = b"\x0d\0\0\0\1\0\0\0" + (200).to_bytes(2, "big")  # a leaf with one cell
    first[200:210] = endless + b"\1"
    for shift in range(210, PAGE, 4):
        first[shift : shift + 4] = (2).to_bytes(4, "big")
    for shift in range(4):  # wherever the chain is said to begin
        path = tmp_path / "journal.sqlite"
        path.write_bytes(first[:210] + bytes(shift) + first[210 : PAGE - shift] + (2).to_bytes(4, "big") * (PAGE // 4))
        assert list(rows(path)) == []


def test_a_journal_cut_short_goes_on_with_what_is_left(closed: tuple[Path, dict[int, Record]], tmp_path: Path) -> None:
    source, written = closed
    path = copied(source, tmp_path / "it")
    overwrite(path, 0, b"")
    with path.open("r+b") as file:
        file.truncate(12 * PAGE)
    journal = Journal(path, restore=True)
    kept = there(journal)
    assert len(kept) > 20
    assert list(kept) == list(range(1, len(kept) + 1))
    assert kept == {seq: written[seq] for seq in kept}
    journal.close()


def test_the_cursors_go_back_to_a_row_that_is_there(closed: tuple[Path, dict[int, Record]], tmp_path: Path) -> None:
    source, written = closed
    path, last = copied(source, tmp_path / "it"), max(written)
    with sqlite3.connect(path) as connection:
        connection.executescript(f"DROP TRIGGER record_stands; UPDATE record SET body = '{{}}' WHERE seq >= {last - 1}")
    connection.close()
    journal = Journal(path, restore=True)
    assert journal.cursor("mqtt") == journal.cursor("pgn") == last - 2
    assert journal.restored is not None
    assert journal.restored.lost == ((last - 1, last),)
    assert f"records {last - 1} to {last} are lost" in journal.restored.notice().what
    journal.close()


def test_nobody_is_woken_by_the_numbers_that_were_left_out(
    closed: tuple[Path, dict[int, Record]], tmp_path: Path
) -> None:
    """An outlet that found nothing behind them would look again and again, and keep everybody else from working."""
    path = copied(closed[0], tmp_path / "it")
    overwrite(path, 2 * PAGE, bytes(PAGE))
    journal = Journal(path, restore=True)
    assert journal.head.seq == max(there(journal))

    async def scene() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(journal.wait(max(there(journal))), 0.05)

    asyncio.run(scene())
    journal.close()


def test_a_changed_row_is_left_out_and_those_after_it_are_still_proven(
    closed: tuple[Path, dict[int, Record]], tmp_path: Path
) -> None:
    source, written = closed
    path, row = copied(source, tmp_path / "it"), max(written) - 5
    with sqlite3.connect(path) as connection:
        script = f"DROP TRIGGER record_stands; UPDATE record SET body = replace(body, 'e2', 'd2') WHERE seq = {row}"
        connection.executescript(script)
    connection.close()
    journal = Journal(path, restore=True)
    assert there(journal) == {seq: record for seq, record in written.items() if seq != row}
    assert journal.restored is not None
    assert f"record {row} is lost" in journal.restored.notice().what
    seam, *_ = journal.verify().seams
    assert (seam.seq, seam.before) == (row + 1, written[row].hash)
    journal.close()


def test_it_is_opened_again_as_any_other_and_may_be_damaged_again(
    closed: tuple[Path, dict[int, Record]], tmp_path: Path
) -> None:
    path = copied(closed[0], tmp_path / "it")
    asides = set()
    for _ in range(2):
        overwrite(path, 3 * PAGE, bytes(PAGE))
        journal = Journal(path, restore=True)
        journal.append("g2", Lift(ms=1000, square="e2"), []).result(5)
        before = there(journal)
        journal.close()
        journal = Journal(path, restore=True)
        assert journal.restored is None
        assert there(journal) == before
        journal.verify()
        journal.close()
        asides = {file for file in path.parent.iterdir() if ".damaged-" in file.name}
    assert len({file for file in asides if not file.name.endswith(("-wal", "-shm"))}) == 2


@pytest.mark.parametrize("renamed", [0, 1, 2])
def test_a_power_cut_in_the_midst_of_it_is_made_good(
    killed: tuple[Path, dict[int, Record]], tmp_path: Path, renamed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, written = killed
    path = copied(source, tmp_path / "it")
    overwrite(path, 0, bytes(100))
    rename: Callable[[Path, Path], Path] = Path.rename
    done: list[Path] = []

    def cut(self: Path, target: Path) -> Path:
        if len(done) == renamed:
            raise KeyboardInterrupt
        done.append(self)
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", cut)
        with pytest.raises(KeyboardInterrupt):
            rescue.set_aside(path)
    journal = Journal(path, restore=True)
    assert there(journal) == written
    journal.close()
    assert not list(path.parent.glob("*.restored"))


def test_a_disk_that_takes_no_new_file_leaves_all_as_it_is(
    closed: tuple[Path, dict[int, Record]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copied(closed[0], tmp_path / "it")
    overwrite(path, 2 * PAGE, bytes(PAGE))
    before = path.read_bytes()

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(store, "migrate", full)
    with pytest.raises(JournalError, match="no new one can be made"):
        Journal(path, restore=True)
    assert path.read_bytes() == before


def test_who_does_not_ask_for_it_gets_nothing_restored(closed: tuple[Path, dict[int, Record]], tmp_path: Path) -> None:
    path = copied(closed[0], tmp_path / "it")
    overwrite(path, 2 * PAGE, bytes(PAGE))
    with pytest.raises(DamageError):
        Journal(path)
    assert [file.name for file in path.parent.iterdir() if "damaged" in file.name] == []


def test_damage_that_comes_to_light_at_work_is_mended_without_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = Journal(path)
    told: list[rescue.RescuedJournal] = []
    journal.on_restored = told.append
    play(journal)
    before = there(journal)
    work = sqlite3.connect(path)
    work.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    work.close()
    for number in range(1, path.stat().st_size // PAGE):
        if number % 3 != 1:
            overwrite(path, number * PAGE, b"\xff" * PAGE)
    futures = [journal.append("g2", Lift(ms=5000 + ms, square="a1"), []) for ms in range(20)]
    seqs = [future.result(10) for future in futures]
    assert len(told) == 1
    assert told[0].aside.exists()
    kept = there(journal)
    assert set(seqs) <= kept.keys()
    assert {seq: record for seq, record in kept.items() if seq <= max(before)}.items() <= before.items()
    journal.verify()
    journal.close()
