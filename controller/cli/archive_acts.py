"""What each subcommand of ``jadoube archive`` does, where the libraries of the archive are installed."""

import argparse
import asyncio
import signal
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from msgspec.structs import replace
from psycopg import Connection

from controller.archive import metrics
from controller.archive.answers import Answers
from controller.archive.archiver import Archiver
from controller.archive.comparing import compare
from controller.archive.database import connect
from controller.archive.pages import HallPages
from controller.archive.register import InDatabase
from controller.archive.settings import ArchiveConfig, PagesConfig
from controller.cli import pairing
from controller.cli.run import log_to_stderr
from controller.cli.terminal import many
from controller.collector import few_collections
from controller.errors import ConfigError, DamageError

COMMAND = "jadoube archive pair"
NAMED = 10  #: rows that are named of a journal


def _run(_: argparse.Namespace, config: ArchiveConfig) -> int:
    async def scene() -> None:
        archiver = Archiver(config)
        if config.metrics is not None:
            metrics.serve(config.metrics, archiver)
        await archiver.run()

    return _served(scene())


def _console(arguments: argparse.Namespace, config: ArchiveConfig) -> int:
    pages = _pages(config, arguments.config)
    given = {"host": arguments.host, "port": arguments.port, "metrics_port": arguments.metrics_port}
    pages = replace(pages, **{name: value for name, value in given.items() if value is not None})

    async def scene() -> None:
        hall = HallPages(config, pages)
        if pages.metrics_port is not None:
            metrics.serve_pages(pages.metrics_port, hall)
        await hall.run()

    return _served(scene())


def _served(scene: Coroutine[Any, Any, None]) -> int:
    """Runs it until somebody stops it."""
    log_to_stderr()
    few_collections()
    asyncio.run(_until_stopped(scene))
    return 0


async def _until_stopped(run: Coroutine[Any, Any, None]) -> None:
    task = asyncio.create_task(run)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    await asyncio.wait([task])
    if not task.cancelled() and (error := task.exception()) is not None:
        raise error


def _pages(config: ArchiveConfig, file: Path) -> PagesConfig:
    if config.console is None:
        raise ConfigError(f"{file}: there are no pages", "it has no table [console]", 'add [console] venue = "hall"')
    return config.console


def _pair(arguments: argparse.Namespace, config: ArchiveConfig) -> int:
    pages = _pages(config, arguments.config)

    async def scene() -> int:
        answers = Answers(config.database)
        try:
            register = InDatabase(pages.venue, pages.session_h, answers)
            if arguments.listing:
                return pairing.tell_devices(await register.all())
            if arguments.sign_out is not None:
                for name, device in pairing.chosen(await register.all(), arguments.sign_out, COMMAND).items():
                    await register.sign_out(name)
                    pairing.tell_signed_out(device)
                return 0
            grant = pairing.granted(arguments.role, arguments.boards, arguments.name, arguments.live, COMMAND)
            pairing.tell_code(await register.new(grant), grant, pages.served(), arguments.config)
            return 0
        finally:
            await answers.close()

    return asyncio.run(scene())


def _check(arguments: argparse.Namespace, config: ArchiveConfig) -> int:
    """0 if all of each journal is archived as it is; 1 if not."""
    whole = True
    with closing(_opened(config)) as base:
        for path in arguments.journals:
            try:
                found = compare(path, base)
            except DamageError as damage:
                print(damage)
                whole = False
                continue
            whole = whole and found.is_whole
            said = "all archived as they are" if found.is_whole else "not whole"
            print(f"{path}: {many(found.events, 'event')}, {said}")
            for what, numbers in (("not archived", found.missing), ("archived with another content", found.altered)):
                if numbers:
                    named = ", ".join(map(str, numbers[:NAMED])) + (", …" if numbers[NAMED:] else "")
                    print(f"  {what}: {many(len(numbers), 'record')}: {named}")
            if found.head:
                print(f"  {found.head}; the journal says otherwise")
            if found.forgotten:
                print(f"  {many(found.forgotten, 'event')} more archived, which the journal has let go or lost")
    return 0 if whole else 1


def _export(arguments: argparse.Namespace, config: ArchiveConfig) -> int:
    try:
        from controller.archive.parquet import write
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"Parquet needs the library {error.name}",
            "it is larger than all else together, and no table and no node needs it",
            "pip install 'jadoube[archive,parquet]'; of a package: make deb EXTRA=archive,parquet",
        ) from error

    with closing(_opened(config)) as base:
        for path in write(base, arguments.out):
            print(path)
    return 0


def _status(_: argparse.Namespace, config: ArchiveConfig) -> int:
    """0 if nothing is known to be missing; 1 if something is."""
    with closing(_opened(config)) as base:
        (events, games, boards, troubles) = base.execute(
            "SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM game), (SELECT count(*) FROM head),"
            " (SELECT count(*) FROM trouble)"
        ).fetchone() or (0, 0, 0, 0)
        print(f"{many(events, 'event')} of {many(games, 'game')} on {many(boards, 'board')}")
        behind = base.execute("SELECT venue, board, archived, told, heard FROM behind ORDER BY 1, 2").fetchall()
        for venue, board, archived, told, heard in behind:
            print(f"  {venue} {board}: archived up to {archived}, told up to {told} at {heard:%H:%M:%S}")
        for heard, what, topic in base.execute("SELECT heard, what, topic FROM trouble ORDER BY number DESC LIMIT 10"):
            print(f"  {heard:%Y-%m-%d %H:%M:%S} {topic}: {what}")
        if troubles > NAMED:
            print(f"  and {troubles - NAMED} more in the table trouble")
    return 1 if behind else 0


def _opened(config: ArchiveConfig) -> Connection[Any]:
    """The database, with its tables: of one that no archiver has opened yet these are made first."""

    async def made() -> None:
        await (await connect(config.database)).close()

    asyncio.run(made())
    return psycopg.connect(config.database.url, password=config.database.password, connect_timeout=10)


ACTS: dict[str, Callable[[argparse.Namespace, ArchiveConfig], int]] = {
    "run": _run,
    "console": _console,
    "pair": _pair,
    "check": _check,
    "export": _export,
    "status": _status,
}
"""Of each its exit status."""
