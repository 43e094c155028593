"""A disk that fails in the midst of a game stops no game and loses nothing: a little of what ``disk.py`` does."""

from collections.abc import Iterator
from pathlib import Path

import disk
import pytest
from disk import LostError, Said
from kills import STRACE, scratch


@pytest.fixture
def memory() -> Iterator[Path]:
    with scratch() as folder:
        yield folder


@pytest.mark.skipif(STRACE is None, reason="strace is not installed: apt-get install strace")
def test_a_disk_that_answers_with_errors(memory: Path) -> None:
    played = disk.failing(memory, (7,))
    assert all(ms > 5_000 for ms in played.values()), "there was no waiting for the disk"


@pytest.mark.skipif(STRACE is None, reason="strace is not installed: apt-get install strace")
def test_a_card_that_stalls_keeps_no_hand_waiting(memory: Path) -> None:
    assert disk.stalling(memory) < disk.PATIENCE_MS


def test_a_file_system_that_is_really_full(tmp_path: Path) -> None:
    if disk.too_small(tmp_path) is None:
        pytest.skip("nothing can be mounted here")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "nobody was told of any trouble"),
        ("trouble 7 100 it cannot be written", "nobody was told that it is over"),
        ('trouble 7 100 it cannot be written\nevent {"seq":8}\ntrouble 9 200 over', "sent before it was safe"),
        ("trouble 7 100 something else\ntrouble 9 200 over", "it says something else"),
    ],
)
def test_what_is_not_as_promised_is_found_out(said: str, why: str) -> None:
    with pytest.raises(LostError, match=why):
        Said("".join(f"{line}\n" for line in said.splitlines()).encode()).check_trouble("cannot be written")
