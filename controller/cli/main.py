"""The ``jadoube`` command. What a subcommand does is the ``act`` of its parser: a module here, and the function in it
that takes all options by their names. The module is imported when it is called: ``replay`` starts at once, and the
daemon carries nothing that is there for the terminal only."""

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO, get_args

from controller.cli import archiving, pairing
from controller.cli.hall import commands as hall
from controller.cli.hardware import commands as hardware
from controller.cli.terminal import prepare
from controller.contract import Edition, Play
from controller.errors import JadoubeError, StorageError
from controller.words import LANGUAGES

AGAIN = 75  #: EX_TEMPFAIL of sysexits.h: systemd starts the service again
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  #: what a disk says that takes no more

_EDITIONS: tuple[str, ...] = get_args(Edition)


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point of the ``jadoube`` command.

    Exits with 2 where the arguments or the files given are wrong, with 75 where the disk takes nothing at present.
    """
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        prepare(stream)
    try:
        given = vars(parser().parse_args(argv))
        module, act = given.pop("act").split(":")
        status = getattr(import_module(f"controller.cli.{module}"), act)(**given)
        sys.stdout.flush()
    except JadoubeError as error:
        print(f"jadoube: {error}", file=sys.stderr)
        status = AGAIN if isinstance(error, StorageError) else 2
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        status = 0
    except OSError as error:
        if error.errno not in FULL:
            raise
        with _nowhere() as nowhere:  # or it would be tried once more at the exit
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        what, cause = f"the output cannot be written: {error.strerror}", "the disk that it goes to is full"
        full = StorageError(what, cause, "df -h; or send it elsewhere")
        print(f"jadoube: {full}", file=sys.stderr)
        status = AGAIN
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


def _nowhere() -> TextIO:
    """What stands in for an output that is closed, or takes no more."""
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


class _Parser(argparse.ArgumentParser):
    """Says what was meant, where that is likely, and what to do next, as all errors here do."""

    def error(self, message: str, cause: str = "") -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {JadoubeError(message, cause, f'{self.prog} --help')}\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuses what is left over, for here it is known what may stand; argparse leaves that to the command above."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            wrong = next((each for each in left if each.startswith("-")), left[0])
            known = [name.lstrip("-") for name in self._option_string_actions]
            self.error(
                f"unrecognized arguments: {' '.join(left)}", _slip(wrong.strip("-").partition("=")[0], known, "--")
            )
        return found, left

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Names the choice that was meant, too."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            self.error(str(error), _slip(value, [*map(str, action.choices or ())]))


def _slip(given: str, known: list[str], before: str = "") -> str:
    from controller.options import slip

    return slip(given, known, before)


def parser() -> argparse.ArgumentParser:
    """All commands with their help, of which the man page and the completion are made, too."""
    parser = _Parser(prog="jadoube", description="Hands on a sensor board become a lawful live game.")
    parser.add_argument("--version", action=_Version, dest=argparse.SUPPRESS, nargs=0, help="which version this is")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="the daemon: serve a board until stopped")
    plugged_in = f"{hardware.USUAL}; without any, serve the only board that is plugged in"
    run.add_argument("--config", type=Path, metavar="FILE", help=plugged_in)
    run.set_defaults(act="run:run")

    pair = commands.add_parser("pair", help="a code by which an arbiter signs in on the pages; who is signed in")
    hardware.add_config(pair)
    pairing.add_to(pair)
    pair.set_defaults(act="pair:as_asked")

    replay = commands.add_parser("replay", help="judge session logs: inputs in, events out")
    replay.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="a session log, or - for standard input")
    replay.add_argument("--out", type=Path, metavar="DIR", help="one event log here for each session log")
    replay.set_defaults(act="replay:replay_files")

    decode = commands.add_parser("decode", help="make a session log of the bytes that a board sent")
    decode.add_argument("board", metavar="BOARD", help="the kind of board, such as dgt")
    decode.add_argument("path", type=Path, metavar="FILE", help="binary, or base64 with one read a line")
    decode.set_defaults(act="decode:decode_file")

    demo = commands.add_parser("demo", help="watch a game on a simulated board")
    demo.add_argument("--game", type=Path, metavar="FILE", help="the first game of this PGN file; chess960; bughouse")
    demo.add_argument("--speed", type=_speed, default=1.0, metavar="X", help="so many times faster than life")
    demo.add_argument("--seed", type=_seed, default=1, metavar="N", help="other hands")
    demo.set_defaults(act="demo.commands:demo")

    explain = commands.add_parser("explain", help="a game in plain words, judged from its log")
    explain.add_argument("path", type=Path, metavar="LOG", help="a session or event log, or - for standard input")
    explain.add_argument("--laws", choices=_EDITIONS, metavar="EDITION", help="judge under these, such as fide-2018")
    _add_language(explain)
    explain.set_defaults(act="explain:explain_file")

    laws = commands.add_parser("laws", help="an edition of the Laws in plain words, or what differs between two")
    laws.add_argument(
        "--edition", choices=_EDITIONS, default=_EDITIONS[-1], metavar="EDITION", help="such as fide-2018"
    )
    laws.add_argument("--play", choices=get_args(Play), default="standard", help="standard unless said otherwise")
    laws.add_argument("--unsupervised", action="store_true", help="without the full competition rules")
    laws.add_argument("--match", action="store_true", help="of a match à quatre (bughouse): its own articles, too")
    laws.add_argument("--diff", choices=_EDITIONS, nargs=2, metavar=("A", "B"), help="only what differs between two")
    _add_language(laws)
    laws.set_defaults(act="laws:as_asked")

    verify = commands.add_parser("verify", help="prove that a journal says what was written")
    verify.add_argument("path", type=Path, metavar="JOURNAL", help="such as jadoube.sqlite; a daemon may be at work")
    verify.set_defaults(act="verify:verify")

    export = commands.add_parser("export", help="the games of a journal as session logs and PGN")
    export.add_argument("path", type=Path, metavar="JOURNAL", help="such as jadoube.sqlite")
    export.add_argument("--out", type=Path, required=True, metavar="DIR", help="two files here for each game")
    export.set_defaults(act="export:export")

    backup = commands.add_parser("backup", help="all games of this machine in one file, also while games are played")
    backup.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="a new file, such as b.zip, or a folder for it"
    )
    backup.add_argument(
        "--config",
        dest="configs",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="not of all services; may be given again",
    )
    backup.add_argument("--secrets", action="store_true", help="with the files that hold passwords and keys")
    backup.set_defaults(act="backup:backup")

    restore = commands.add_parser("restore", help="all of a backup, on a machine that has nothing of it")
    restore.add_argument("path", type=Path, metavar="FILE", help="made by jadoube backup")
    restore.add_argument("--to", type=Path, metavar="DIR", help="below this folder, not where the services look")
    restore.set_defaults(act="restore:restore")

    hall.add_to(commands)
    archiving.add_to(commands)
    hardware.add_to(commands)
    _add_broker_config(commands)
    return parser


def _add_broker_config(commands: Any) -> None:
    broker = commands.add_parser("broker-config", help="a mosquitto in which each may do what is his")
    broker.add_argument("--out", type=Path, required=True, metavar="DIR", help="what is secret there already is kept")
    broker.add_argument(
        "--host", required=True, metavar="NAME", help="name or address of the broker, as in [mqtt] host"
    )
    broker.add_argument("--venue", default="club", metavar="NAME", help="as in [event] venue")
    broker.add_argument("--boards", default="1", metavar="N", help="their numbers in the hall, such as 1-8,12")
    broker.add_argument("--match", action="append", default=[], metavar="N=A+B", help="a match and its two boards")
    broker.add_argument("--arbiters", nargs="*", default=[], metavar="NAME", help="who may read all, and command")
    broker.add_argument("--readers", nargs="*", default=[], metavar="NAME", help="who may read all")
    broker.add_argument("--organiser", metavar="NAME", help="the computer that tells all boards the round in force")
    broker.add_argument("--homeassistant", action="store_true", help="a reader of that name, who finds the boards")
    broker.add_argument("--port", type=int, default=8883, metavar="N", help="for all of these")
    broker.add_argument("--public-port", type=int, metavar="N", help="for everybody, to read what is public")
    broker.add_argument("--certificates", action="store_true", help="know users by a certificate, not by a password")
    broker.add_argument("--drop-users", action="store_true", help="also where users there are not named any more")
    broker.set_defaults(act="broker_config:broker_config")


class _Version(argparse.Action):
    """Looked up only when it is asked for: that takes longer than all else at the start."""

    def __call__(self, *_: object) -> None:
        from importlib import metadata

        print(f"jadoube {metadata.version('jadoube')}")
        sys.exit(0)


def _add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language", dest="code", choices=LANGUAGES, default="en", help="English unless said otherwise"
    )


def _speed(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 50:
        raise argparse.ArgumentTypeError(f"expected a number from 0.1 to 50, not {text!r}")
    return value


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected a whole number, not {text!r}") from error


if __name__ == "__main__":
    main()
