"""The engines are started once for all tests here; each test has a database and queues without anything in them."""

import asyncio
from collections.abc import Iterator

import pytest
from engines import PostgreSQL, RabbitMQ

from controller.archive.database import connect
from controller.archive.settings import DatabaseConfig


@pytest.fixture(scope="session")
def rabbitmq(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RabbitMQ]:
    broker = RabbitMQ(tmp_path_factory.mktemp("broker"))
    yield broker
    broker.kill()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    server = PostgreSQL()
    yield server
    server.close()


@pytest.fixture
def database(postgresql: PostgreSQL) -> Iterator[str]:
    """A database of its own for a test, with its tables; by its URL."""
    url = postgresql.create()

    async def scene() -> None:
        await (await connect(DatabaseConfig(url=url))).close()

    asyncio.run(scene())
    yield url
    postgresql.start_again()


@pytest.fixture(autouse=True)
def emptied(rabbitmq: RabbitMQ) -> Iterator[None]:
    """No queue of one test has messages for the next."""
    yield
    rabbitmq.empty()
