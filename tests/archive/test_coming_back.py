"""An archiver that was archiving is back at once, however often it was broken off; one that never gets in waits longer
each time."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from controller.archive import archiver as module
from controller.archive.archiver import RETRY_S, Archiver
from controller.archive.settings import ArchiveConfig, BrokerConfig, DatabaseConfig
from controller.errors import DeviceError

BREAK = DeviceError("the broker broke off", "a node was stopped", "rabbitmq-diagnostics status")


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it has waited before each attempt; after eight of them it is ended."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 8:
            raise asyncio.CancelledError

    @contextlib.asynccontextmanager
    async def connected(_: BrokerConfig) -> AsyncIterator[None]:
        yield

    monkeypatch.setattr(module.asyncio, "sleep", sleep)
    monkeypatch.setattr(module.queues, "connected", connected)
    return waits


def broken_off(monkeypatch: pytest.MonkeyPatch, *, served: bool) -> None:
    """Archives, until each attempt is broken off, at once or once it has ``served``."""

    async def serve(self: Archiver, *_: object) -> None:
        if served:
            self.trouble = None
        raise BREAK

    monkeypatch.setattr(Archiver, "_serve", serve)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(
            Archiver(ArchiveConfig(broker=BrokerConfig(hosts=("127.0.0.1",)), database=DatabaseConfig(url=""))).run()
        )


def test_it_is_back_at_once_however_often_it_was_broken_off(
    monkeypatch: pytest.MonkeyPatch, waited: list[float]
) -> None:
    broken_off(monkeypatch, served=True)
    assert waited == [RETRY_S[0]] * 8


def test_it_waits_longer_each_time_where_it_never_gets_in(monkeypatch: pytest.MonkeyPatch, waited: list[float]) -> None:
    broken_off(monkeypatch, served=False)
    assert waited == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]
