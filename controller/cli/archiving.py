"""The subcommands of ``jadoube archive``: every event of many boards, kept in PostgreSQL. What they do is imported when
one of them is called."""

import argparse
from pathlib import Path
from typing import Any

from controller.cli import pairing
from controller.errors import ConfigError


def archive(**given: Any) -> int:
    """Does what was asked of the archive. Raises :exc:`ConfigError` where its libraries are not installed."""
    try:
        from controller.cli.archive_acts import ACTS
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"the archive needs the library {error.name}",
            "jadoube was installed as for a table, which has no archive",
            "pip install 'jadoube[archive]'; in a checkout: make engines",
        ) from error
    from controller.archive.settings import load

    arguments = argparse.Namespace(**given)
    return ACTS[arguments.archive](arguments, load(arguments.config))


def add_to(commands: Any) -> None:
    """Adds ``archive`` and its subcommands to the parser's."""
    parser = commands.add_parser("archive", help="every event of many boards, from RabbitMQ kept in PostgreSQL")
    ours = parser.add_subparsers(dest="archive", required=True, metavar="COMMAND")
    parser.set_defaults(act="archiving:archive")
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
