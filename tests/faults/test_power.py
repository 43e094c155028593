"""After a power cut each acknowledged commit is there: a little of what ``power.py`` does for long."""

import random
from collections.abc import Iterator
from pathlib import Path

import power
import pytest
from power import Disk, LostError, Op, applied, tear

from controller.errors import DamageError

strace = pytest.mark.skipif(power.STRACE is None, reason="strace is not installed: apt-get install strace")


@pytest.fixture
def memory() -> Iterator[Path]:
    with power.scratch() as folder:
        yield folder


@strace
def test_nothing_acknowledged_is_lost_in_any_state_of_the_disk(memory: Path) -> None:
    assert power.run(300, 7, memory)["states"] == 300


@strace
def test_a_journal_that_does_not_sync_each_commit_is_found_out(
    memory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises((LostError, DamageError), match=r"was acknowledged|had come to record"):
        power.run(300, 7, memory, lazy=True)
    assert "state" in capsys.readouterr().out


def test_what_was_synced_is_certain_and_what_was_not_may_be_there_or_not() -> None:
    disk = Disk()
    made = [Op("make", "f"), Op("sync", "")]
    for op in (*made, Op("write", "f", 0, b"a" * 1024), Op("sync", "f"), Op("write", "f", 512, b"b" * 1024)):
        disk.take(op)
    chance = random.Random(1)
    found = {disk.cut(chance)["f"] for _ in range(300)}
    assert all(state.startswith(b"a" * 512) for state in found)
    assert found >= {b"a" * 1024, b"a" * 512 + b"b" * 1024, b"a" * 512 + b"b" * 512}, "none, all, and torn"


def test_a_file_is_there_for_certain_once_its_folder_was_synced() -> None:
    disk, chance = Disk(), random.Random(1)
    disk.take(Op("make", "f"))
    assert {tuple(disk.cut(chance)) for _ in range(50)} == {(), ("f",)}
    disk.take(Op("sync", ""))
    assert {tuple(disk.cut(chance)) for _ in range(50)} == {("f",)}


def test_a_torn_write_consists_of_whole_sectors() -> None:
    write, chance = Op("write", "f", 500, b"x" * 1100), random.Random(1)
    for _ in range(50):
        out = applied(bytes(1600), tear(chance, write))
        assert all(len({*out[max(500, begin) : begin + 512]}) == 1 for begin in range(0, 1600, 512))
