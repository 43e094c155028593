"""Whoever kills a game in progress takes nothing from anybody: a little of what ``kills.py`` does for long."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import kills
import pytest
from kills import LostError, Seen


@pytest.fixture
def memory() -> Iterator[Path]:
    with kills.scratch() as folder:
        yield folder


def test_what_was_seen_is_there_after_a_kill_and_the_game_goes_on(memory: Path) -> None:
    found = kills.at_random(20, 7, memory)
    assert found["games"] == 1
    assert isinstance(found["events_seen"], int)
    assert found["events_seen"] > 50


@pytest.mark.skipif(kills.STRACE is None, reason="strace is not installed: apt-get install strace")
def test_a_kill_at_a_call_that_writes_syncs_or_removes(memory: Path) -> None:
    found = kills.at_calls((20,), memory)
    assert (found["pwrite64"], found["fdatasync"]) == (1, 1)


@pytest.mark.broker
@pytest.mark.skipif(kills.MOSQUITTO is None, reason="mosquitto is not installed: make broker")
def test_the_whole_daemon_heard_through_a_broker(memory: Path) -> None:
    assert asyncio.run(kills.at_daemons(2, 7, memory))["events_seen"]


def test_what_is_not_there_is_found_out(memory: Path) -> None:
    path = memory / "journal.sqlite"
    seen = kills.killed(path, 7, 0.05)
    assert seen.check(path)
    invented = b'{"seq":2,"type":"touch","side":"white"}'
    with pytest.raises(LostError, match="sent and not there"):
        Seen(b"event " + invented + b"\n").check(path)
    with pytest.raises(LostError, match="nothing there says why"):
        Seen(b"lamp ffffffffffffffff\n").check(path)
