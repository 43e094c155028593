"""What fails between the boards and the archive is said with what, why and what next, and no game notices."""

import asyncio
import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from engines import RABBITMQ, PostgreSQL, RabbitMQ
from hall import free_port, make, running, until
from msgspec.structs import replace
from test_archiver import GAME, archive, archiving, eager, rows, table, told, whole  # noqa: F401

from controller.archive import archiver as archiver_module
from controller.archive import database as database_module
from controller.archive.archiver import Archiver
from controller.archive.metrics import ArchiverFigures
from controller.archive.settings import ArchiveConfig, BrokerConfig, DatabaseConfig
from controller.cli.main import main
from controller.errors import JadoubeError

pytestmark = pytest.mark.engines


async def said(config: ArchiveConfig, within_s: float = 30) -> JadoubeError:
    """What an archiver has to say that cannot work."""
    async with archiving(config) as archiver:
        await until(lambda: archiver.trouble is not None, within_s)
        assert archiver.trouble is not None
        assert archiver.trouble.what and archiver.trouble.cause and archiver.trouble.next_step
        return archiver.trouble


def figure(archiver: Archiver, name: str) -> float:
    """As Prometheus has it."""
    (sample,) = [
        sample for metric in ArchiverFigures(archiver).collect() for sample in metric.samples if sample.name == name
    ]
    return float(sample.value)


def test_a_node_that_is_not_there_is_named_and_the_next_one_is_used(
    archive: ArchiveConfig,  # noqa: F811
    table: object,  # noqa: F811
) -> None:
    nowhere = f"127.0.0.1:{free_port()}"

    async def scene() -> None:
        error = await said(replace(archive, broker=replace(archive.broker, hosts=(nowhere,))))
        assert nowhere in error.what and "rabbitmq-diagnostics" in error.next_step
        hosts = (nowhere, *archive.broker.hosts)
        both = replace(archive, broker=replace(archive.broker, hosts=hosts))
        async with archiving(both) as archiver, running(table("hall")):  # type: ignore[operator]
            await until(lambda: archiver.tally.events, 30)
            assert archiver.trouble is None

    asyncio.run(scene())


def test_a_wrong_password_at_the_broker(archive: ArchiveConfig, tmp_path: Path) -> None:  # noqa: F811
    wrong = tmp_path / "wrong"
    wrong.touch(0o600)
    wrong.write_text("no such")
    broker: BrokerConfig = replace(archive.broker, password_file=str(wrong))
    error = asyncio.run(said(replace(archive, broker=broker)))
    assert "refuses guest" in error.what
    assert "password_file" in error.cause and "authenticate_user" in error.next_step


def test_a_wrong_password_at_the_database(
    archive: ArchiveConfig,  # noqa: F811
    postgresql: PostgreSQL,
    tmp_path: Path,
) -> None:
    wrong = tmp_path / "wrong"
    wrong.touch(0o600)
    wrong.write_text("no such")
    rules = postgresql.folder / "data" / "pg_hba.conf"
    before = rules.read_text()
    with psycopg.connect(archive.database.url, autocommit=True) as base:
        base.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        try:
            rules.write_text(f"host all guarded 127.0.0.1/32 scram-sha-256\n{before}")
            base.execute("SELECT pg_reload_conf()")
            url = archive.database.url.replace("//archive@", "//guarded@")
            guarded = replace(archive.database, url=url, password_file=str(wrong))
            end = time.monotonic() + 30
            error = asyncio.run(said(replace(archive, database=guarded)))
            while "password authentication failed" not in error.what and time.monotonic() < end:  # not reloaded yet
                error = asyncio.run(said(replace(archive, database=guarded)))
            assert "password authentication failed" in error.what
            assert "password_file" in error.cause and "psql" in error.next_step
        finally:
            rules.write_text(before)
            base.execute("DROP ROLE guarded")
            base.execute("SELECT pg_reload_conf()")


def test_a_schema_from_the_future(archive: ArchiveConfig, database: str) -> None:  # noqa: F811
    with psycopg.connect(database) as base:
        base.execute("INSERT INTO archive_schema VALUES (999)")
    error = asyncio.run(said(archive))
    assert "has schema 999" in error.what and "later version" in error.cause
    assert not rows(database, "SELECT * FROM event")


def test_a_full_disk_of_the_broker_is_told_and_no_game_notices(
    archive: ArchiveConfig,  # noqa: F811
    database: str,
    table: object,  # noqa: F811
    rabbitmq: RabbitMQ,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archiver_module, "TRY_S", 0.2)

    def limit(size: str) -> None:
        command = [RABBITMQ / "rabbitmqctl", "set_disk_free_limit", size]
        found = subprocess.run(command, env=rabbitmq.environment, check=False, capture_output=True, text=True)
        assert found.returncode == 0, found.stderr

    async def scene() -> None:
        async with archiving(archive) as archiver, running(table("hall")) as daemon:  # type: ignore[operator]
            await until(lambda: archiver.tally.events, 30)
            assert figure(archiver, "jadoube_archive_blocked") == 0
            await asyncio.to_thread(limit, "1000000GB")  # more than there is: the disk is full for it
            try:
                await until(lambda: archiver.blocked, 60)
                assert figure(archiver, "jadoube_archive_blocked") == 1
                assert archiver.refused is not None
                assert "connection.blocked" in archiver.refused.what and "disk" in archiver.refused.cause
                assert "rabbitmq-diagnostics alarms" in archiver.refused.next_step
                await make(daemon, *GAME)
            finally:
                await asyncio.to_thread(limit, "1MB")
            await until(lambda: not archiver.blocked, 60)
            await whole(database, "hall", daemon, 60)

    asyncio.run(scene())


@pytest.fixture
def small(postgresql: PostgreSQL, archive: ArchiveConfig) -> Iterator[tuple[ArchiveConfig, Path]]:  # noqa: F811
    """A database on a disk of 24 MB, and where that is."""
    if os.geteuid() != 0:
        pytest.skip("a disk that is full is mounted by root: sudo make test ARGS=tests/archive/test_failures.py")
    with TemporaryDirectory(prefix="jadoube-full-") as folder:
        if subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=24m,mode=777", "jadoube", folder], check=False
        ).returncode:
            pytest.skip("nothing can be mounted here: a disk that is full is not tested")
        place = Path(folder) / "space"
        place.mkdir()
        assert postgresql._user is not None
        os.chown(place, postgresql._user.pw_uid, postgresql._user.pw_gid)
        with psycopg.connect(postgresql.create(), autocommit=True) as base:
            base.execute(f"CREATE TABLESPACE small LOCATION '{place}'".encode())
            base.execute("CREATE DATABASE on_small TABLESPACE small")
        url = f"postgresql://archive@127.0.0.1:{postgresql.port}/on_small"
        try:
            yield replace(archive, database=replace(archive.database, url=url)), Path(folder)
        finally:
            with psycopg.connect(archive.database.url, autocommit=True) as base:
                base.execute("DROP DATABASE on_small WITH (FORCE)")
                base.execute("DROP TABLESPACE small")
            subprocess.run(["umount", folder], check=True)


def test_a_full_disk_of_the_database_is_told_and_no_game_notices(
    small: tuple[ArchiveConfig, Path],
    table: object,  # noqa: F811
) -> None:
    config, disk = small

    async def scene() -> None:
        await (await database_module.connect(config.database)).close()  # makes the tables
        filler = disk / "filler"
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        async with archiving(config) as archiver, running(table("hall")) as daemon:  # type: ignore[operator]
            await until(lambda: daemon.only.session.playing, 30)
            await make(daemon, *GAME)
            await until(lambda: archiver.trouble is not None, 30)
            assert archiver.trouble is not None
            assert archiver.trouble.cause == "its disk is full" and "df -h" in archiver.trouble.next_step
            assert figure(archiver, "jadoube_archive_trouble") == 1
            filler.unlink()
            await whole(config.database.url, "hall", daemon, 60)

    asyncio.run(scene())


@pytest.mark.parametrize(
    "said",
    [
        'could not extend file "pg_tblspc/1": No space left on device HINT: Check free disk space.',
        "connection failed: FATAL: could not write init file",
    ],
)
def test_a_full_disk_is_known_by_what_the_database_says(said: str) -> None:
    trouble = database_module.unreachable(
        DatabaseConfig(url="postgresql://archive@db/archive"), psycopg.OperationalError(said)
    )
    assert trouble.cause == "its disk is full"


def test_a_board_that_is_named_twice(
    archive: ArchiveConfig,  # noqa: F811
    database: str,
    table: object,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = table("hall")  # type: ignore[operator]
    journal = replace(one.journal, path=str(tmp_path / "other.sqlite"))
    other = replace(one, journal=journal, pgn=replace(one.pgn, directory=str(tmp_path / "other")))

    async def scene() -> None:
        async with archiving(archive) as archiver, running(one) as first, running(other) as second:
            await until(lambda: first.only.session.playing and second.only.session.playing, 30)
            await make(first, "e2e4")
            await make(second, "d2d4")
            await make(first, "e7e5")
            await make(second, "d7d5")
            await until(lambda: rows(database, "SELECT FROM trouble WHERE what LIKE 'two boards%%'"), 60)
            await until(lambda: archiver.lag is not None and archiver.lag.twins == 1, 30)
            assert figure(archiver, "jadoube_archive_twins") == 1

    asyncio.run(scene())
    ((what, topic),) = rows(database, "SELECT what, topic FROM trouble WHERE what LIKE 'two boards%%'")
    assert topic == "jadoube.v1.hall.board.7.head"
    assert "two boards are called hall board/7" in what and "[event] venue or board" in what
    file = tmp_path / "archive.toml"
    file.write_text(f'[broker]\nhosts = ["127.0.0.1"]\n[database]\nurl = "{database}"\n')
    with pytest.raises(SystemExit):
        main(["archive", "status", "--config", str(file)])
    assert "two boards are called hall board/7" in capsys.readouterr().out


def test_a_clock_that_differs_is_told(
    archive: ArchiveConfig,  # noqa: F811
    table: object,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The archive's own clock is an hour ahead: only the difference can be known."""
    monkeypatch.setattr("controller.outlets.mqtt.times.TELL_S", 0.3)
    real = time.time_ns

    class Ahead:
        monotonic_ns = staticmethod(time.monotonic_ns)

        @staticmethod
        def time_ns() -> int:
            return real() + 3600 * 10**9

    monkeypatch.setattr("controller.archive.clocks.time", Ahead)

    async def scene() -> None:
        async with archiving(archive) as archiver, running(table("hall")) as daemon:  # type: ignore[operator]
            await until(lambda: archiver.clocks.ahead(), 30)
            assert archiver.clocks.ahead()["hall", "board/7"] == pytest.approx(-3600, abs=5)
            await make(daemon, *GAME[:1])

    asyncio.run(scene())
    assert "the times of day here and at hall board/7 are 36" in caplog.text
    assert "timedatectl" in caplog.text
