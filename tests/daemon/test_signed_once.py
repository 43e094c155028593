"""A signed command is carried out once at most, whatever becomes of daemon, disk and clocks; and the next one is not
kept out by it.
"""

import asyncio
import errno
import itertools
import os
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import AccessError, JournalError, StorageError
from controller.outlets.mqtt import memory as memory_module
from controller.outlets.mqtt.memory import AHEAD_MS, HALF, OLD_MS, Memory
from controller.outlets.mqtt.signed import Seal, Signed, sign

TOPICS = ("jadoube/v1/hall/match/1", "jadoube/v1/hall/board/7")
KEYS = {"anna": bytes(range(32)), "bruno": bytes(32)}
NOW = 1_800_000_000_000
UP = 10**9  #: ms that the daemon is said to be up: so that this alone refuses nothing


class Board:
    """Its doors, before which commands arrive. ``clock`` is what it takes for the time."""

    def __init__(self, folder: Path, clock: int = NOW - 10 * AHEAD_MS) -> None:
        self.path = folder / "memory"
        self.clock = clock
        self.carried_out: list[bytes] = []
        self.start()

    def start(self) -> None:
        self.memory = Memory(self.path, self.clock)
        self.seals = {topic: Seal(topic, self.memory) for topic in TOPICS}

    def hear(self, topic: str, payload: bytes) -> None:
        """Raises :exc:`AccessError` where it is refused."""
        self.seals[topic].open(msgspec.json.decode(payload, type=Signed), KEYS, self.clock, UP)
        asyncio.run(self.memory.keep())
        self.carried_out.append(payload)

    def takes(self, topic: str, payload: bytes) -> bool:
        try:
            self.hear(topic, payload)
        except AccessError as refused:
            assert refused.cause
            return False
        return True


def break_down(monkeypatch: pytest.MonkeyPatch, written: int) -> None:
    """The power goes when so many bytes of a half have been written."""

    def torn(file: int, data: bytes, at: int) -> int:
        os.lseek(file, at, os.SEEK_SET)
        os.write(file, data[:written])
        raise OSError(errno.EIO, "the power went")

    monkeypatch.setattr(memory_module.os, "pwrite", torn)


MINUTES = st.integers(-3 * AHEAD_MS, 3 * AHEAD_MS)
STEPS = st.lists(
    st.tuples(st.just("signs"), st.sampled_from(TOPICS), st.sampled_from(sorted(KEYS)), MINUTES)
    | st.tuples(st.just("again"), st.sampled_from(TOPICS), st.integers(0, 99))
    | st.tuples(st.just("passes"), st.integers(0, AHEAD_MS))
    | st.tuples(st.just("clock"), MINUTES | st.sampled_from([-(10**12), 10**11]))
    | st.tuples(st.just("dies"), st.integers(0, HALF))
    | st.tuples(st.just("starts")),
    max_size=40,
)


@settings(max_examples=100, deadline=None)  # each step may wait for the disk
@given(STEPS)
def test_nothing_is_carried_out_twice(steps: list[tuple[object, ...]]) -> None:
    now, off, sent = NOW, 0, list[bytes]()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        board = Board(Path(folder))
        for step in steps:
            board.clock = now + off
            match step:
                case "signs", str(topic), str(by), int(ahead):
                    sent.append(sign(KEYS[by], topic, by, now + ahead, str(len(sent))))
                    board.takes(topic, sent[-1])
                case "again", str(topic), int(which) if sent:
                    board.takes(topic, sent[which % len(sent)])
                case "passes", int(ms):
                    now += ms
                case "clock", int(ms):
                    off = ms
                case "dies", int(written):
                    with patch.context() as broken:
                        break_down(broken, written)
                        sent.append(sign(KEYS["anna"], TOPICS[0], "anna", now, str(len(sent))))
                        assert not board.takes(TOPICS[0], sent[-1])
                    board.start()
                case _:
                    board.start()
        for payload, topic in itertools.product(sent, TOPICS):
            board.takes(topic, payload)
        assert len(board.carried_out) == len(set(board.carried_out))


@settings(deadline=None)
@given(st.integers(-OLD_MS, AHEAD_MS), st.integers(0, 2 * AHEAD_MS), st.integers(0, 2 * HALF - 1), st.booleans())
def test_nor_where_the_memory_is_damaged_or_gone(ahead: int, later: int, at: int, gone: bool) -> None:
    """As long as the board's own clock is right; where it is not either, nothing can be known."""
    with tempfile.TemporaryDirectory() as folder:
        board = Board(Path(folder))
        board.clock = NOW
        payload = sign(KEYS["anna"], TOPICS[1], "anna", NOW + ahead, "{}")
        assert board.takes(TOPICS[1], payload)
        if gone:
            board.path.unlink()
        else:
            data = bytearray(board.path.read_bytes())
            data[at] ^= 1
            board.path.write_bytes(data)
        board.clock += later
        board.start()
        assert not board.takes(TOPICS[1], payload)
        board.clock += 2 * AHEAD_MS
        assert board.takes(TOPICS[1], sign(KEYS["anna"], TOPICS[1], "anna", board.clock, "{}")), "nor is he kept out"


def test_one_who_signs_keeps_nobody_else_out(tmp_path: Path) -> None:
    board = Board(tmp_path)
    board.clock = NOW
    assert board.takes(TOPICS[0], sign(KEYS["anna"], TOPICS[0], "anna", NOW + AHEAD_MS, "{}"))
    board.start()
    assert board.takes(TOPICS[0], sign(KEYS["bruno"], TOPICS[0], "bruno", NOW - 1000, "{}"))
    assert board.takes(TOPICS[1], sign(KEYS["anna"], TOPICS[1], "anna", NOW, "{}")), "nor himself at another door"
    assert not board.takes(TOPICS[0], sign(KEYS["anna"], TOPICS[0], "anna", NOW + 1, "{}"))


def test_what_was_held_back_is_not_made_new_by_a_clock_that_falls_back(tmp_path: Path) -> None:
    """Bruno signed it in the morning, and somebody held it back; in the evening the Pi boots with that time."""
    board = Board(tmp_path)
    held_back = sign(KEYS["bruno"], TOPICS[0], "bruno", NOW, "{}")
    board.clock = NOW + 8 * 3_600_000
    assert board.takes(TOPICS[0], sign(KEYS["anna"], TOPICS[0], "anna", board.clock, "{}"))
    board.clock = NOW
    board.start()
    with pytest.raises(AccessError) as refused:
        board.hear(TOPICS[0], held_back)
    assert "the board's clock says 20" in refused.value.what
    assert "fell back" in refused.value.cause
    assert str(board.path) in refused.value.next_step


def test_a_new_board_says_from_when_on_it_takes_signed_commands(tmp_path: Path) -> None:
    board = Board(tmp_path, clock=NOW)
    with pytest.raises(AccessError) as refused:
        board.hear(TOPICS[0], sign(KEYS["anna"], TOPICS[0], "anna", NOW, "{}"))
    assert "from 20" in refused.value.what
    board.clock += AHEAD_MS + 1
    assert board.takes(TOPICS[0], sign(KEYS["anna"], TOPICS[0], "anna", board.clock, "{}"))


def test_what_cannot_be_noted_is_refused_and_used_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(tmp_path)
    board.clock = NOW
    payload = sign(KEYS["anna"], TOPICS[0], "anna", NOW, "{}")
    with monkeypatch.context() as broken:
        break_down(broken, 100)
        with pytest.raises(AccessError, match="cannot be noted"):
            board.hear(TOPICS[0], payload)
    assert not board.takes(TOPICS[0], payload)
    assert board.takes(TOPICS[0], sign(KEYS["anna"], TOPICS[0], "anna", NOW + 1, "{}"))


def test_the_good_half_stays_as_long_as_the_other_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(tmp_path / "memory", 0)
    memory.take("anna", 5)
    asyncio.run(memory.keep())
    good = memory.name
    pwrite = os.pwrite

    def torn(file: int, data: bytes, at: int) -> int:
        pwrite(file, data[:90], at)
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", torn)
        for at in (6, 7, 8):
            memory.take("anna", at)
            with pytest.raises(AccessError):
                asyncio.run(memory.keep())
    again = Memory(tmp_path / "memory", 0)
    assert (again.name, again.last("anna")) == (good, 5)


def test_it_keeps_its_name_and_has_one_of_its_own(tmp_path: Path) -> None:
    name = Memory(tmp_path / "one", NOW).name
    assert Memory(tmp_path / "one", NOW).name == name
    assert Memory(tmp_path / "other", NOW).name != name
    assert (tmp_path / "one").stat().st_mode & 0o077 == 0, "who knows it can throw the board out of its broker"


def test_a_memory_out_of_reach_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be read and written"):
        Memory(tmp_path / "nowhere" / "memory", NOW)


def test_a_full_disk_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service is not started again after another error, and the board would stay away."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(StorageError, match="No space left"):
        Memory(tmp_path / "memory", NOW)
