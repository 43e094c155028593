"""What goes on the line arrives in order, each message once, and is confirmed; on a real mosquitto."""

import asyncio
import contextlib
import json
import sys
from itertools import islice
from pathlib import Path

import aiomqtt
import pytest
from hall import Mosquitto, Subscriber, strictly, until

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "words"))

from every import EVENTS, every

from controller.contract import Event, Session, Violation
from controller.journal import Opening, Record
from controller.outlets.follow import News
from controller.outlets.mqtt import line as line_module
from controller.outlets.mqtt import topics
from controller.outlets.mqtt.line import WINDOW, Outgoing
from controller.outlets.mqtt.topics import Publication
from controller.outlets.scoresheet import Scoresheet
from controller.wire import encode

BASE = "jadoube/v1/hall/board/7"


def room() -> asyncio.Semaphore:
    return asyncio.Semaphore(WINDOW)


def messages(*numbers: int) -> list[Publication]:
    return [Publication("event", b'{"n":%d}' % number) for number in numbers]


@pytest.mark.broker
def test_bundles_of_any_size_arrive_in_order_and_are_confirmed(mosquitto: Mosquitto) -> None:
    sizes = [0, 1, 3, 2, 0, 5, 1, 1, 4]

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, aiomqtt.Client("127.0.0.1", mosquitto.port) as client:
            async with asyncio.TaskGroup() as tasks:
                line = Outgoing(client, BASE, tasks, room())
                for seq, size in enumerate(sizes):
                    await line.hand_over(seq, messages(*range(10 * seq, 10 * seq + size)))
            confirmed = line.confirmed()
            assert [(await anext(confirmed)).seq for _ in sizes] == list(range(len(sizes)))
            sent = [10 * seq + i for seq, size in enumerate(sizes) for i in range(size)]
            await until(lambda: len(hall.on("event")) == len(sent))
            assert [event["n"] for event in hall.on("event")] == sent

    asyncio.run(scene())


@pytest.mark.broker
def test_the_first_message_leaves_before_the_others_are_made_ready(
    mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "START_S", 0.5)

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, aiomqtt.Client("127.0.0.1", mosquitto.port) as client:
            async with asyncio.TaskGroup() as tasks:
                handing = tasks.create_task(Outgoing(client, BASE, tasks, room()).hand_over(1, messages(1, 2, 3)))
                await until(lambda: hall.on("event"))
                assert not handing.done()
                assert hall.on("event") == [{"n": 1}]
            await until(lambda: hall.on("event") == [{"n": 1}, {"n": 2}, {"n": 3}])

    asyncio.run(scene())


def test_an_event_is_published_as_it_was_written_with_its_number_game_and_ply() -> None:
    breach = Violation(ms=13, side="black", kind="touch-move", article="4.3.1", report="arbiter")
    body = encode(breach)
    opening = Opening(game="g", venue="v", board="7", started="2026-01-01", session=Session(version=1))
    news = News(Record(9, "g", "event", body, b""), Scoresheet(opening), 4, breach, origin="ab")
    about = {"seq": 9, "game": "g", "ply": 4, "after": 0, "origin": "ab"}
    assert json.loads(topics.event(news)) == about | json.loads(body)
    assert json.loads(topics.event(news, replayed=True)) == about | {"replayed": True} | json.loads(body)


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__struct_config__.tag)
def test_nothing_stands_twice_in_what_is_published(kind: type[Event]) -> None:
    opening = Opening(game="g", venue="v", board="7", started="2026-01-01", session=Session(version=1))
    for said in islice(every(kind), 100):
        news = News(Record(9, "g", "event", encode(said), b""), Scoresheet(opening), 1, said, origin="ab")
        assert strictly(topics.event(news, replayed=True)) == json.loads(encode(said)) | {
            "seq": 9,
            "game": "g",
            "ply": 1,
            "after": 0,
            "origin": "ab",
            "replayed": True,
        }


class Deaf:
    """A client whose wait passes over a cancellation, as ``asyncio.wait_for`` may do up to Python 3.11."""

    async def publish(self, *_: object, **__: object) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(10)


def test_who_sends_ends_with_his_group_although_the_client_passed_over_that() -> None:
    async def report() -> None:
        while True:
            await line_module.publish(Deaf(), BASE, messages(1)[0])  # type: ignore[arg-type]
            await asyncio.sleep(10)

    async def scene() -> None:
        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(report())
            await asyncio.sleep(0)
            task.cancel()
            done, _ = await asyncio.wait([task], timeout=1)
            assert done, "it goes on"
            assert task.cancelled()

    asyncio.run(scene())
