"""A game goes on with a cluster of three, whichever node is killed; one after another, and the first one again."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from engines import PostgreSQL
from hall import make, running, until
from test_archiver import archiving, rows, whole

from controller.archive import archiver as archiver_module
from controller.archive.settings import ArchiveConfig, BrokerConfig, DatabaseConfig
from controller.config import Config, check
from controller.outlets.mqtt import outlet as mqtt_module
from load.cluster import Cluster

pytestmark = pytest.mark.engines
GAME = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "f8c5")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.close()


@pytest.fixture
def database() -> Iterator[str]:
    server = PostgreSQL()
    yield server.create()
    server.close()


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiver_module, "RETRY_S", (0.1, 0.5))
    monkeypatch.setattr(mqtt_module, "RETRY_S", (0.1, 0.5))


def test_whichever_node_is_killed_the_game_goes_on(cluster: Cluster, database: str, tmp_path: Path) -> None:
    """What was kept for the board by a node that is down must not keep it out at the others."""
    password = cluster.nodes[0].password_file
    broker = BrokerConfig(hosts=tuple(cluster.amqp), user="guest", password_file=password)
    archive = ArchiveConfig(broker=broker, database=DatabaseConfig(url=database), parts=3)
    raw: dict[str, Any] = {
        "board": {"type": "simulated"},
        "event": {"venue": "hall", "board": "7", "settings": {"release_ms": 60, "brush_ms": 20}},
        "mqtt": {"hosts": cluster.mqtt},
        "start": {"ready_s": 0.1},
        "pgn": {"directory": str(tmp_path / "games")},
        "journal": {"path": str(tmp_path / "journal.sqlite")},
    }
    config = check(raw, "the test")
    assert isinstance(config, Config)
    moves = iter(GAME)

    async def scene() -> None:
        async with archiving(archive) as archiver, running(config) as daemon:
            await until(lambda: archiver.tally.events, 60)
            for _ in range(4):
                (node,) = (each for each in cluster.nodes if each.mqtt == daemon.mqtt[0].port)
                node.kill()
                await make(daemon, next(moves))
                await make(daemon, next(moves))
                await whole(database, "hall", daemon, 120)
                await asyncio.to_thread(node.start)

    asyncio.run(scene())
    found = rows(database, "SELECT body ->> 'uci' FROM event WHERE type = 'move' ORDER BY seq")
    assert [uci for (uci,) in found] == [*GAME]
