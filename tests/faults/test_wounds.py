"""Of a damaged journal nothing goes unnoticed: a little of what ``wounds``, ``moves`` and ``io_errors`` do for long."""

from collections.abc import Iterator
from pathlib import Path

import io_errors
import moves
import pytest
import wounds
from kills import STRACE, scratch

from controller.journal import reading, store, writer


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for module, name in (
        *((writer, name) for name in ("FOLD_ROWS", "RETRY_S", "LOOK_S", "SYNC_S")),
        (store, "ROOM"),
        (reading, "LATELY"),
    ):
        monkeypatch.setattr(module, name, getattr(module, name))  # what is changed there is put back
    with scratch() as folder:
        yield folder


def test_whatever_file_is_damaged_it_is_said_and_no_receiver_stays_wrong(memory: Path) -> None:
    found = wounds.at_rest(80, 11, memory)
    assert found["wounds"] == 80
    assert {"told at the start", "nothing is changed", "told by the broker"} <= found["outcome"].keys()


def test_files_that_are_moved_at_work_cost_nothing(memory: Path) -> None:
    assert len(moves.at_work(26, 4, memory)["moves"]) > 6


@pytest.mark.skipif(STRACE is None, reason="strace is not installed: apt-get install strace")
@pytest.mark.parametrize(
    "fault", ["pwrite64:error=EIO:when=20", "fdatasync:error=EIO:when=5+", "openat:error=EROFS:when=1+"]
)
def test_an_io_error_loses_nothing_that_was_acknowledged(memory: Path, fault: str) -> None:
    path = memory / io_errors.NAME
    call, _ = fault.split(":", 1)
    said = io_errors.under(path, "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={fault}")
    assert io_errors.check(path, said)
