"""The subcommands for the bench. What each needs is imported when it is called."""

import argparse
from pathlib import Path
from typing import Any

OPTIONS = {  # of a configuration, as they are called in its file and on the command line
    "event.venue": "--venue",
    "event.board": "--number",
    "event.clock": "--clock",
    "clock.pin": "--lever",
    "board.address": "--address",
    "game.white": "--white",
    "game.black": "--black",
    "mqtt.host": "--broker",
    "console.host": "--pages",
}
HERE, SERVICE = Path("jadoube.toml"), Path("/etc/jadoube/jadoube.toml")
HALL = Path("hall.toml")  #: as ``jadoube hall init`` calls it
USUAL = f"unless given: {HERE} or {HALL} in this folder; without these, {SERVICE}"


def add_to(commands: Any) -> None:
    """Adds the subcommands to the parser's."""
    boards = commands.add_parser("boards", help="the kinds of board there are, or what is plugged in")
    ports = "what is plugged in: asks on these, or on all"
    boards.add_argument("--ports", nargs="*", metavar="PORT", help=ports)
    boards.set_defaults(act="hardware.boards:boards")

    setup = commands.add_parser("setup", help="ask, look what is plugged in, test it, write a configuration")
    setup.add_argument("--out", type=Path, default=Path("jadoube.toml"), metavar="FILE", help="jadoube.toml")
    setup.add_argument("--board", metavar="KIND", help="as jadoube boards has them")
    setup.add_argument("--port", metavar="PORT", help="where it is plugged in")
    for name, option in OPTIONS.items():
        setup.add_argument(option, dest=name, metavar="X", help=f"{name} of the configuration")
    setup.add_argument("--yes", action="store_true", help="ask nothing, take what is proposed")
    setup.add_argument("--force", action="store_true", help="overwrite what is there")
    setup.add_argument("--untested", action="store_true", help="write it though the board was not tested")
    setup.set_defaults(act="hardware.setup:setup")

    doctor = commands.add_parser("doctor", help="look at everything, and name the command that mends what is wrong")
    add_config(doctor)
    as_json = "as JSON; the exit status is 0, 1 or 2 as ever"
    doctor.add_argument("--json", dest="as_json", action="store_true", help=as_json)
    doctor.set_defaults(act="hardware.doctor:doctor")

    board = commands.add_parser("board", help="what the sensors see, live, with the wires they hang on")
    _of_board(board)
    board.add_argument("--once", action="store_true", help="one picture, and no more")
    board.set_defaults(act="hardware.board:show")

    test = commands.add_parser("test", help="take a piece over the board, and hear what is wrong with the wires")
    _of_board(test)
    slip = "try it without hardware: dead-row:3, exchanged-rows:1,2, no-diode:e4 and others; may be given again"
    test.add_argument("--simulate", action="append", default=[], metavar="SLIP", help=slip)
    patience = "go on from a square that shows nothing for so long"
    test.add_argument("--patience", dest="patience_s", type=float, default=0.0, metavar="S", help=patience)
    test.set_defaults(act="hardware.trial:test")

    calibrate = commands.add_parser(
        "calibrate", help="teach a board with Hall sensors or chips what it will see; measure what any other loses"
    )
    _of_board(calibrate)
    losses = "measure how many edges it loses, also if it has Hall sensors or reads chips"
    calibrate.add_argument("--losses", action="store_true", help=losses)
    calibrate.set_defaults(act="hardware.calibrate:calibrate")

    record = commands.add_parser("record", help="everything that the board sends, with times, for a report")
    _of_board(record)
    record.add_argument("--seconds", type=_positive, metavar="S", help="so long; else until Ctrl-C")
    record.add_argument("out", type=Path, metavar="OUT", help="a new file, which jadoube decode reads")
    record.set_defaults(act="hardware.record:record")


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not value > 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, not {text!r}")
    return value


def add_config(parser: argparse.ArgumentParser) -> None:
    usual = written() or HERE
    parser.add_argument("--config", type=Path, default=usual, metavar="FILE", help=USUAL)


def written() -> Path | None:
    """The configuration in this folder; where there is none, that of the service, if there is one."""
    return next((config for config in (HERE, HALL, SERVICE) if config.exists()), None)


def _of_board(parser: argparse.ArgumentParser) -> None:
    add_config(parser)
    parser.add_argument("--board", dest="name", metavar="A|B|NUMBER", help="which board of a match, or of a hall")
