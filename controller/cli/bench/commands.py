"""The subcommands for the bench. What each needs is imported when it is called."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any


def _board(arguments: argparse.Namespace) -> int:
    from controller.cli.bench.board import show

    return show(arguments.config, arguments.seat, arguments.once)


def _test(arguments: argparse.Namespace) -> int:
    from controller.cli.bench.trial import test

    return test(arguments.config, arguments.seat, arguments.simulate, arguments.patience)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"board": _board, "test": _test}


def add_to(commands: Any) -> None:
    """Adds the subcommands to the parser's."""
    board = commands.add_parser("board", help="what the sensors see, live, with the wires they hang on")
    _of_board(board)
    board.add_argument("--once", action="store_true", help="one picture, and no more")

    test = commands.add_parser("test", help="take a man over the board, and hear what is wrong with the wires")
    _of_board(test)
    slip = "try it without hardware: dead-row:3, exchanged-rows:1,2, no-diode:e4 and others; may be given again"
    test.add_argument("--simulate", action="append", default=[], metavar="SLIP", help=slip)
    test.add_argument(
        "--patience", type=float, default=0.0, metavar="S", help="go on from a square that shows nothing for so long"
    )


def _of_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, default=Path("jadoube.toml"), metavar="FILE", help="jadoube.toml")
    parser.add_argument("--seat", metavar="A|B", help="which board of a match")
