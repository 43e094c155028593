"""The ``jadoube`` command. Each subcommand imports what it needs when it is called: ``replay`` starts at once, and the
daemon carries nothing that is there for the terminal only."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, get_args

from controller.cli import archiving, hall, pairing
from controller.cli.hardware import commands as hardware
from controller.cli.terminal import prepare
from controller.contract import Edition, Play
from controller.errors import JadoubeError, StorageError
from controller.words import LANGUAGES

AGAIN = 75  #: EX_TEMPFAIL of sysexits.h: systemd starts the service again

_EDITIONS: tuple[str, ...] = get_args(Edition)


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point of the ``jadoube`` command.

    Exits with 2 where the arguments or the files given are wrong, with 75 where the disk takes nothing at present.
    """
    for stream in (sys.stdout, sys.stderr):
        prepare(stream)
    arguments = parser().parse_args(argv)
    try:
        status = _COMMANDS[arguments.command](arguments)
    except JadoubeError as error:
        print(f"jadoube: {error}", file=sys.stderr)
        status = AGAIN if isinstance(error, StorageError) else 2
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        status = 0
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


def _run(arguments: argparse.Namespace) -> int:
    from controller.cli.run import run, run_plugged_in

    config = arguments.config or hardware.written()
    return run_plugged_in() if config is None else run(config)


def _replay(arguments: argparse.Namespace) -> int:
    from controller.cli.replay import replay_files

    return replay_files(arguments.files, arguments.out)


def _decode(arguments: argparse.Namespace) -> int:
    from controller.cli.decode import decode_file

    return decode_file(arguments.board, arguments.file)


def _demo(arguments: argparse.Namespace) -> int:
    from controller.cli.demo import demo

    return demo(arguments.game, arguments.speed, arguments.seed)


def _explain(arguments: argparse.Namespace) -> int:
    from controller.cli.explain import explain_file

    return explain_file(arguments.file, arguments.language, arguments.laws)


def _laws(arguments: argparse.Namespace) -> int:
    from controller.cli import laws

    how = {"play": arguments.play, "supervised": not arguments.unsupervised, "code": arguments.language}
    if arguments.diff is not None:
        return laws.compare(*arguments.diff, **how)
    return laws.show(arguments.edition, match=arguments.match, **how)


def _broker_config(arguments: argparse.Namespace) -> int:
    from controller.cli.broker_config import broker_config, hall, matches
    from controller.numbering import numbers

    given = {name: getattr(arguments, name) for name in ("venue", "host", "arbiters", "readers", "organiser", "port")}
    place = hall(
        **given,
        boards=numbers(arguments.boards),
        matches=matches(arguments.match),
        public_port=arguments.public_port,
        certificates=arguments.certificates,
        homeassistant=arguments.homeassistant,
    )
    return broker_config(place, arguments.out, drop=arguments.drop_users)


def _verify(arguments: argparse.Namespace) -> int:
    from controller.cli.verify import verify

    return verify(arguments.journal)


def _export(arguments: argparse.Namespace) -> int:
    from controller.cli.export import export

    return export(arguments.journal, arguments.out)


def _backup(arguments: argparse.Namespace) -> int:
    from controller.cli.backup import backup

    return backup(arguments.config, arguments.out, secrets=arguments.secrets)


def _restore(arguments: argparse.Namespace) -> int:
    from controller.cli.restore import restore

    return restore(arguments.backup, arguments.to)


def _pair(arguments: argparse.Namespace) -> int:
    from controller.cli import pair

    if arguments.sign_out is not None:
        return pair.sign_out(arguments.config, arguments.sign_out)
    if arguments.list:
        return pair.listed(arguments.config)
    return pair.pair(
        arguments.config, arguments.role, boards=arguments.boards, name=arguments.name, live=arguments.live
    )


_COMMANDS = {
    "run": _run,
    "pair": _pair,
    "replay": _replay,
    "decode": _decode,
    "demo": _demo,
    "explain": _explain,
    "laws": _laws,
    "verify": _verify,
    "broker-config": _broker_config,
    "export": _export,
    "backup": _backup,
    "restore": _restore,
    "hall": hall.hall,
    "archive": archiving.archive,
    **hardware.COMMANDS,
}


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
    parser.add_argument("--version", action=_Version, nargs=0, help="which version this is")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="the daemon: serve a board until stopped")
    plugged_in = f"{hardware.USUAL}; without any, serve the only board that is plugged in"
    run.add_argument("--config", type=Path, metavar="FILE", help=plugged_in)

    pair = commands.add_parser("pair", help="a code by which an arbiter signs in on the pages; who is signed in")
    hardware.add_config(pair)
    pairing.add_to(pair)

    replay = commands.add_parser("replay", help="judge session logs: inputs in, events out")
    replay.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a session log, or - for standard input")
    replay.add_argument("--out", type=Path, metavar="DIR", help="one event log here for each session log")

    decode = commands.add_parser("decode", help="make a session log of the bytes that a board sent")
    decode.add_argument("board", metavar="BOARD", help="the kind of board, such as dgt")
    decode.add_argument("file", type=Path, metavar="FILE", help="binary, or base64 with one read a line")

    demo = commands.add_parser("demo", help="watch a game on a simulated board")
    demo.add_argument("--game", type=Path, metavar="FILE", help="the first game of this PGN file; chess960; bughouse")
    demo.add_argument("--speed", type=_speed, default=1.0, metavar="X", help="so many times faster than life")
    demo.add_argument("--seed", type=_seed, default=1, metavar="N", help="other hands")

    explain = commands.add_parser("explain", help="a game in plain words, judged from its log")
    explain.add_argument("file", type=Path, metavar="LOG", help="a session or event log, or - for standard input")
    explain.add_argument("--laws", choices=_EDITIONS, metavar="EDITION", help="judge under these, such as fide-2018")
    _add_language(explain)

    laws = commands.add_parser("laws", help="an edition of the Laws in plain words, or what differs between two")
    laws.add_argument(
        "--edition", choices=_EDITIONS, default=_EDITIONS[-1], metavar="EDITION", help="such as fide-2018"
    )
    laws.add_argument("--play", choices=get_args(Play), default="standard", help="standard unless said otherwise")
    laws.add_argument("--unsupervised", action="store_true", help="without the full competition rules")
    laws.add_argument("--match", action="store_true", help="of a match à quatre (bughouse): its own articles, too")
    laws.add_argument("--diff", choices=_EDITIONS, nargs=2, metavar=("A", "B"), help="only what differs between two")
    _add_language(laws)

    verify = commands.add_parser("verify", help="prove that a journal says what was written")
    verify.add_argument("journal", type=Path, metavar="JOURNAL", help="such as jadoube.sqlite; a daemon may be at work")

    export = commands.add_parser("export", help="the games of a journal as session logs and PGN")
    export.add_argument("journal", type=Path, metavar="JOURNAL", help="such as jadoube.sqlite")
    export.add_argument("--out", type=Path, required=True, metavar="DIR", help="two files here for each game")

    backup = commands.add_parser("backup", help="all games of this machine in one file, also while games are played")
    backup.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="a new file, such as b.zip, or a folder for it"
    )
    backup.add_argument(
        "--config",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="not of all services; may be given again",
    )
    backup.add_argument("--secrets", action="store_true", help="with the files that hold passwords and keys")

    restore = commands.add_parser("restore", help="all of a backup, on a machine that has nothing of it")
    restore.add_argument("backup", type=Path, metavar="FILE", help="made by jadoube backup")
    restore.add_argument("--to", type=Path, metavar="DIR", help="below this folder, not where the services look")

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


class _Version(argparse.Action):
    """Looked up only when it is asked for: that takes longer than all else at the start."""

    def __call__(self, *_: object) -> None:
        from importlib import metadata

        print(f"jadoube {metadata.version('jadoube')}")
        sys.exit(0)


def _add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="English unless said otherwise")


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
