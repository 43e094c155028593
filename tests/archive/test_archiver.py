"""Every event of a board comes to the archive once, whoever goes away in between: real engines, a real daemon."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aio_pika
import psycopg
import pytest
from engines import PostgreSQL, RabbitMQ
from filled import Board
from hall import make, running, until

from controller.archive import archiver as archiver_module
from controller.archive import queues
from controller.archive.archiver import Archiver
from controller.archive.database import connect
from controller.archive.settings import ArchiveConfig, BrokerConfig, DatabaseConfig
from controller.config import Config, check
from controller.daemon.service import Daemon
from controller.outlets.mqtt import outlet as mqtt_module

pytestmark = pytest.mark.engines
GAME = ("e2e4", "e7e5", "g1f3", "b8c6")


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiver_module, "RETRY_S", (0.1, 0.5))
    monkeypatch.setattr(archiver_module, "AGAIN_S", (0.2, 1.0))
    monkeypatch.setattr(archiver_module, "LOOK_S", 0.1)
    monkeypatch.setattr(mqtt_module, "RETRY_S", (0.1, 0.5))


@pytest.fixture
def archive(rabbitmq: RabbitMQ, database: str) -> ArchiveConfig:
    broker = BrokerConfig(hosts=(f"127.0.0.1:{rabbitmq.amqp}",), user="guest", password_file=rabbitmq.password_file)
    return ArchiveConfig(broker=broker, database=DatabaseConfig(url=database), parts=3)


@pytest.fixture
def table(tmp_path: Path, rabbitmq: RabbitMQ) -> Callable[[str], Config]:
    """The configuration of board 7 of that venue."""

    def build(venue: str) -> Config:
        raw: dict[str, Any] = {
            "board": {"type": "simulated"},
            "event": {"venue": venue, "board": "7", "settings": {"release_ms": 60, "brush_ms": 20}},
            "mqtt": {"host": "127.0.0.1", "port": rabbitmq.mqtt},
            "start": {"ready_s": 0.1},
            "pgn": {"directory": str(tmp_path / f"games-{venue}")},
            "journal": {"path": str(tmp_path / f"journal-{venue}.sqlite")},
        }
        config = check(raw, "the test")
        assert isinstance(config, Config)
        return config

    return build


@contextlib.asynccontextmanager
async def archiving(config: ArchiveConfig) -> AsyncIterator[Archiver]:
    archiver = Archiver(config)
    task = asyncio.create_task(archiver.run())
    try:
        yield archiver
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def rows(database: str, question: str, *given: object) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(question, given).fetchall()  # type: ignore[call-overload, no-any-return]


def told(daemon: Daemon) -> list[int]:
    """The numbers of all games and events in the journal."""
    return [record.seq for record in daemon.journal.after(0, 100_000) if record.kind != "input"]


async def whole(database: str, venue: str, daemon: Daemon, within_s: float = 30) -> None:
    """Returns once the archive has what the journal of that venue has, neither more nor less, and knows it."""
    async with asyncio.timeout(within_s), await psycopg.AsyncConnection.connect(database, autocommit=True) as base:
        while True:
            asked = await base.execute("SELECT seq FROM event WHERE venue = %s ORDER BY seq", (venue,))
            archived = [seq for (seq,) in await asked.fetchall()]
            behind = await (await base.execute("SELECT * FROM behind")).fetchall()
            if archived == told(daemon) and not behind:
                return
            await asyncio.sleep(0.05)


def test_every_event_of_a_game_is_archived_once(
    archive: ArchiveConfig, database: str, table: Callable[[str], Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine an event may be on its way for longer than the other tests wait: a minute was not enough.
    monkeypatch.setattr(archiver_module, "AGAIN_S", (600.0, 600.0))

    async def scene() -> None:
        async with archiving(archive) as archiver:
            # What is told before there is a queue has to be asked for.
            await until(lambda: archiver.lag is not None, 30)
            async with running(table("hall")) as daemon:
                await until(lambda: archiver.tally.events, 30)
                await make(daemon, *GAME)
                await whole(database, "hall", daemon)
                assert not rows(database, "SELECT * FROM behind")
                assert archiver.tally.foreign == archiver.tally.asked == 0
                moves = rows(database, "SELECT body ->> 'uci' FROM event WHERE type = 'move' ORDER BY seq")
                assert [uci for (uci,) in moves] == [*GAME]
                assert rows(database, "SELECT count(*), count(opening), count(started) FROM game") == [(1, 1, 1)]
                touches = rows(database, "SELECT side, number, touches FROM move_effort ORDER BY ply")
                assert touches == [("white", 1, 1), ("black", 1, 1), ("white", 2, 1), ("black", 2, 1)]

    asyncio.run(scene())


def test_what_a_move_earns_is_no_time_that_it_took(archive: ArchiveConfig, database: str) -> None:
    events = Board("7").next(200)

    async def filled() -> None:
        base = await connect(archive.database)
        await base.write(events, (), ())
        await base.close()

    asyncio.run(filled())
    done = [event.body for event in events if event.body["type"] == "completed"]
    begun = next(event.body["ms"] for event in events if event.body["type"] == "clock")
    turns = zip([begun, *(body["ms"] for body in done)], done, strict=False)
    used = rows(database, "SELECT side, used_ms FROM time_used ORDER BY ply")
    assert used == [(body["side"], body["ms"] - since) for since, body in turns]
    assert all(ms > 0 for _, ms in used), used


def test_an_archiver_that_comes_late_asks_for_what_it_missed(
    archive: ArchiveConfig, database: str, table: Callable[[str], Config]
) -> None:
    async def scene() -> None:
        async with running(table("hall")) as daemon:
            await until(lambda: daemon.only.session.playing, 30)
            await make(daemon, *GAME)
            async with archiving(archive):
                await make(daemon, "f1c4")
                await whole(database, "hall", daemon)

    asyncio.run(scene())


def test_nothing_is_lost_while_no_archiver_is_there(
    archive: ArchiveConfig, database: str, table: Callable[[str], Config]
) -> None:
    async def scene() -> None:
        async with archiving(archive) as archiver, running(table("hall")) as daemon:
            await until(lambda: archiver.tally.events, 30)
        async with running(table("hall")) as daemon:
            await until(lambda: daemon.only.session.playing, 30)
            await make(daemon, *GAME)
            await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
            async with archiving(archive) as archiver:
                await whole(database, "hall", daemon)
                assert not archiver.tally.asked

    asyncio.run(scene())


def test_what_awaits_a_ruling_is_not_lost_while_no_archiver_is_there(
    archive: ArchiveConfig, database: str, rabbitmq: RabbitMQ
) -> None:
    """Of a game that is over nobody says it again."""
    said = {"game": "one", "origin": "a journal", "last": 12, "open": [[10, [[10, ["3"]]]], [12, []]], "said": []}

    async def scene() -> None:
        async with archiving(archive) as archiver:
            await until(lambda: archiver.lag is not None, 30)
        async with await aio_pika.connect(host="127.0.0.1", port=rabbitmq.amqp) as connection:
            published = await (await connection.channel()).get_exchange("amq.topic")
            message = aio_pika.Message(json.dumps(said).encode(), delivery_mode=aio_pika.DeliveryMode.PERSISTENT)
            await published.publish(message, "jadoube.v1.hall.board.7.docket")
        async with archiving(archive):
            asked = "SELECT board, last, body -> 'open' FROM docket"
            await until(lambda: rows(database, asked) == [("board/7", 12, said["open"])], 30)

    asyncio.run(scene())


def test_who_hears_the_heads_is_missed_within_half_a_minute(database: str) -> None:
    """Else no other archiver would hear them for hours after the computer of that one lost its power."""

    async def scene() -> None:
        one, other = [await connect(DatabaseConfig(url=database)) for _ in range(2)]
        assert await one.is_chief()
        assert not await other.is_chief()
        kept = [await one.connection.execute(f"SHOW tcp_keepalives_{name}") for name in ("idle", "interval", "count")]
        idle, interval, count = [int(row[0]) for cursor in kept if (row := await cursor.fetchone()) is not None]
        assert 0 < idle + interval * count <= 30
        await one.close()
        async with asyncio.timeout(30):
            while not await other.is_chief():
                await asyncio.sleep(0.05)
        await other.close()

    asyncio.run(scene())


def test_two_archivers_share_the_boards_and_one_takes_over(
    archive: ArchiveConfig, database: str, table: Callable[[str], Config]
) -> None:
    async def scene() -> None:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(archiving(archive))
            async with archiving(archive) as other:
                daemons = [await stack.enter_async_context(running(table(venue))) for venue in "abcd"]
                for daemon in daemons:
                    await until(lambda daemon=daemon: daemon.only.session.playing)
                    await make(daemon, *GAME[:2])
            assert other.tally.foreign == 0
            for daemon, venue in zip(daemons, "abcd", strict=True):
                await make(daemon, *GAME[2:])
                await whole(database, venue, daemon)

    asyncio.run(scene())


def test_a_database_that_is_killed_is_waited_for(
    archive: ArchiveConfig, database: str, table: Callable[[str], Config], postgresql: PostgreSQL
) -> None:
    async def scene() -> None:
        async with archiving(archive) as archiver, running(table("hall")) as daemon:
            await until(lambda: archiver.tally.events, 30)
            postgresql.kill()
            await make(daemon, *GAME)
            await until(lambda: archiver.trouble is not None, 30)
            assert "database" in str(archiver.trouble)
            postgresql.start()
            await until(lambda: archiver.trouble is None, 30)
            await whole(database, "hall", daemon)

    asyncio.run(scene())


def test_a_broker_that_goes_as_its_events_are_acknowledged_is_waited_for(
    archive: ArchiveConfig, database: str, table: Callable[[str], Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are written by then, and come again."""
    ack, broken = aio_pika.IncomingMessage.ack, list[bool]()

    async def gone_at_first(message: aio_pika.IncomingMessage, multiple: bool = False) -> None:
        if not broken:
            broken.append(True)
            raise aio_pika.exceptions.ChannelInvalidStateError
        await ack(message, multiple=multiple)

    async def scene() -> None:
        monkeypatch.setattr(aio_pika.IncomingMessage, "ack", gone_at_first)
        async with archiving(archive), running(table("hall")) as daemon:
            await make(daemon, *GAME)
            await whole(database, "hall", daemon, 30)

    asyncio.run(scene())
    assert broken


def test_a_broker_that_does_not_say_goodbye_is_left_all_the_same(
    archive: ArchiveConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Silent:
        async def close(self) -> None:
            await asyncio.Event().wait()

    async def connect(**_: object) -> Silent:
        return Silent()

    async def scene() -> None:
        monkeypatch.setattr(aio_pika, "connect", connect)
        monkeypatch.setattr(queues, "PATIENCE_S", 0.05)
        async with queues.connected(archive.broker):
            pass

    asyncio.run(asyncio.wait_for(scene(), 30))


def test_a_broker_that_is_started_anew_loses_nothing(
    archive: ArchiveConfig, database: str, table: Callable[[str], Config], rabbitmq: RabbitMQ
) -> None:
    async def scene() -> None:
        async with archiving(archive) as archiver, running(table("hall")) as daemon:
            await until(lambda: archiver.tally.events, 30)
            await make(daemon, *GAME[:2])
            await asyncio.to_thread(rabbitmq.stop)
            await make(daemon, *GAME[2:])
            await until(lambda: archiver.trouble is not None, 30)
            assert "rabbitmq" in str(archiver.trouble)
            await asyncio.to_thread(rabbitmq.start)
            await whole(database, "hall", daemon, 30)

    asyncio.run(scene())
