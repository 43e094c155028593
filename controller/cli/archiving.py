"""``jadoube archive``: every event of many boards, kept in PostgreSQL. What each needs is imported when called."""

import argparse
import signal
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.cli import pairing
from controller.cli.terminal import many
from controller.collector import few_collections
from controller.errors import ConfigError, DamageError

if TYPE_CHECKING:
    from psycopg import Connection

    from controller.archive.settings import ArchiveConfig, PagesConfig

COMMAND = "jadoube archive pair"
NAMED = 10  #: rows that are named of a journal


def archive(arguments: argparse.Namespace) -> int:
    """Does what was asked of the archive. Raises :exc:`ConfigError` where its libraries are not installed."""
    try:
        from controller.archive import archiver  # noqa: F401
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"the archive needs the library {error.name}",
            "jadoube was installed as for a table, which has no archive",
            "pip install 'jadoube[archive]'; in a checkout: make engines",
        ) from error
    from controller.archive.settings import load

    return _COMMANDS[arguments.archive](arguments, load(arguments.config))


def _run(_: argparse.Namespace, config: "ArchiveConfig") -> int:
    import asyncio

    from controller.archive import metrics
    from controller.archive.archiver import Archiver
    from controller.cli.run import log_to_stderr

    async def scene() -> None:
        archiver = Archiver(config)
        if config.metrics is not None:
            metrics.serve(config.metrics, archiver)
        await _until_stopped(archiver.run())

    log_to_stderr()
    few_collections()
    asyncio.run(scene())
    return 0


def _console(arguments: argparse.Namespace, config: "ArchiveConfig") -> int:
    import asyncio

    from msgspec.structs import replace

    from controller.archive import metrics
    from controller.archive.pages import HallPages
    from controller.cli.run import log_to_stderr

    pages = _pages(config, arguments.config)
    given = {"host": arguments.host, "port": arguments.port, "metrics_port": arguments.metrics_port}
    pages = replace(pages, **{name: value for name, value in given.items() if value is not None})

    async def scene() -> None:
        hall = HallPages(config, pages)
        if pages.metrics_port is not None:
            metrics.serve_pages(pages.metrics_port, hall)
        await _until_stopped(hall.run())

    log_to_stderr()
    few_collections()
    asyncio.run(scene())
    return 0


async def _until_stopped(run: Coroutine[Any, Any, None]) -> None:
    import asyncio

    task = asyncio.create_task(run)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    await asyncio.wait([task])
    if not task.cancelled() and (error := task.exception()) is not None:
        raise error


def _pages(config: "ArchiveConfig", file: Path) -> "PagesConfig":
    if config.console is None:
        raise ConfigError(f"{file}: there are no pages", "it has no table [console]", 'add [console] venue = "hall"')
    return config.console


def _pair(arguments: argparse.Namespace, config: "ArchiveConfig") -> int:
    import asyncio

    from controller.archive.answers import Answers
    from controller.archive.register import InDatabase

    pages = _pages(config, arguments.config)

    async def scene() -> int:
        answers = Answers(config.database)
        try:
            register = InDatabase(pages.venue, pages.session_h, answers)
            if arguments.list:
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


def _check(arguments: argparse.Namespace, config: "ArchiveConfig") -> int:
    """0 if all of each journal is archived as it is; 1 if not."""
    from controller.archive.comparing import compare

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


def _export(arguments: argparse.Namespace, config: "ArchiveConfig") -> int:
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


def _status(_: argparse.Namespace, config: "ArchiveConfig") -> int:
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


def _opened(config: "ArchiveConfig") -> "Connection[Any]":
    import psycopg

    from controller.archive.database import unreachable

    try:
        return psycopg.connect(config.database.url, password=config.database.password, connect_timeout=10)
    except psycopg.OperationalError as error:
        raise unreachable(config.database, error) from error


_COMMANDS: dict[str, Callable[[argparse.Namespace, "ArchiveConfig"], int]] = {
    "run": _run,
    "console": _console,
    "pair": _pair,
    "check": _check,
    "export": _export,
    "status": _status,
}


def add_to(commands: Any) -> None:
    """Adds ``archive`` and its subcommands to the parser's."""
    parser = commands.add_parser("archive", help="every event of many boards, from RabbitMQ kept in PostgreSQL")
    ours = parser.add_subparsers(dest="archive", required=True, metavar="COMMAND")
    usual = Path("archive.toml")
    about = {
        "run": "archive what comes until stopped; as many of these as are wanted",
        "console": "the pages of all boards, for arbiters and spectators; as many of these as are wanted",
        "pair": "a code by which an arbiter signs in on those pages; who is signed in",
        "check": "hold journals against the archive, row by row",
        "export": "all of it as Parquet, a file a month",
        "status": "how much there is, what is missing, what made no sense",
    }
    for name, text in about.items():
        one = ours.add_parser(name, help=text)
        one.add_argument("--config", type=Path, default=usual, metavar="FILE", help="unless given: %(default)s")
        if name == "console":
            one.add_argument("--host", help="instead of that of the table [console]")
            one.add_argument("--port", type=int, help="likewise: each on a computer has its own")
            one.add_argument("--metrics-port", type=int, metavar="PORT", help="likewise, for Prometheus")
        if name == "pair":
            pairing.add_to(one)
        if name == "check":
            one.add_argument("journals", nargs="+", type=Path, metavar="JOURNAL", help="such as jadoube.sqlite")
        if name == "export":
            one.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="for the files")
