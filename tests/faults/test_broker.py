"""Whatever the broker and the network do, each event is applied once and in order; the long form is broker.py."""

import asyncio
from pathlib import Path

import broker
import pytest
from broker import FAULTS, Hall, suffer
from hall import need_mosquitto
from hypothesis import given
from hypothesis import strategies as st
from subscriber import Event, Receiver

from controller.outlets.mqtt import channel, connection
from controller.outlets.mqtt import outlet as mqtt

CHAIN = (3, 5, 6, 9, 12, 13)  #: the numbers of events; those between belong to inputs


def event(number: int) -> Event:
    after = max((seq for seq in CHAIN if seq < number), default=0)
    return {"seq": number, "after": after, "type": "game" if number == CHAIN[0] else "move"}


def head(last: int, origin: str = "a") -> Event:
    return {"last": last, "origin": origin}


@given(st.lists(st.sampled_from(CHAIN)))
def test_what_is_applied_has_neither_gap_nor_repeat_and_what_is_missing_is_asked_for(heard: list[int]) -> None:
    receiver = Receiver()
    applied = [number for number in heard if receiver.event(event(number))]
    assert applied == list(CHAIN[: len(applied)])
    missing = max(heard, default=0) > (receiver.last or 0)
    assert receiver.wants == ((receiver.last or 0) if missing else None)


def test_a_last_event_that_was_lost_is_known_from_the_head() -> None:
    receiver = Receiver()
    receiver.event(event(3))
    receiver.head(head(5))
    assert receiver.wants == 3
    assert receiver.event(event(5))
    assert receiver.wants is None


def test_answers_to_commands_are_no_events() -> None:
    receiver = Receiver()
    assert not receiver.event({"seq": 3, "type": "done"})
    assert receiver.last is None


def test_another_journal_is_begun_anew() -> None:
    receiver = Receiver()
    receiver.head(head(13))
    for number in CHAIN:
        receiver.event(event(number))
    receiver.head(head(3, origin="b"))
    assert receiver.wants == 0
    assert receiver.event(event(3))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    need_mosquitto()
    patched = ((connection, ("PATIENCE_S", "KEEPALIVE_S")), (mqtt, ("RETRY_S",)), (channel, ("ECHO_S",)))
    for module, names in patched:
        for name in names:
            monkeypatch.setattr(module, name, getattr(module, name))  # put back afterwards
    broker.impatient()


@pytest.mark.broker
@pytest.mark.usefixtures("impatient")
def test_every_event_arrives_once_and_in_order(tmp_path: Path) -> None:
    result = asyncio.run(suffer(tmp_path, 2 * len(FAULTS), seed=7, day=600))
    assert set(result["faults"]) == set(FAULTS)
    assert result["applied"] > 500


@pytest.mark.broker
@pytest.mark.usefixtures("impatient")
def test_a_slow_line_that_keeps_breaking_gets_on(tmp_path: Path) -> None:
    """A backlog of which no connection lasts long enough to carry all."""

    async def scene() -> None:
        async with Hall(tmp_path, 3) as hall:
            hall.play.go_on(300)
            hall.near.delay_s = 0.05
            seen = []
            for _ in range(4):
                await asyncio.sleep(0.8)
                seen.append(hall.journal.cursor("mqtt"))
                hall.near.reset()
            assert len(set(seen)) > 2, seen
            hall.near.heal()
            await hall.settle()

    asyncio.run(scene())
