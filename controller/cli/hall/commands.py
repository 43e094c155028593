"""The subcommands of ``jadoube hall``."""

import argparse
from pathlib import Path
from typing import Any

from controller.words import LANGUAGES

ANSWERS = {  # to the questions of init, as they are called in its file and on the command line
    "boards": ("--boards", "1-50", "their numbers"),
    "game.event": ("--event", "NAME", "as it is called"),
    "event.venue": ("--venue", "NAME", "where: one word, part of the MQTT topics"),
    "event.clock": ("--clock", "90+30", "time control"),
    "mqtt.host": ("--broker", "HOST", "the computer of the MQTT broker, by name or address"),
    "spectators": ("--spectators", "WHO", "none; hall, pages on its network; web, broadcasts as well"),
    "event.delay_min": ("--delay", "MIN", "so many minutes later the public sees moves; or game-end"),
}


def add_to(commands: Any) -> None:
    """Adds ``hall`` and its subcommands to the parser's."""
    parser = commands.add_parser("hall", help="a tournament on many boards: rounds, results, exports")
    ours = parser.add_subparsers(required=True, metavar="COMMAND")

    begin = ours.add_parser("init", help="ask little, and write all that a hall of boards needs; or add new boards")
    begin.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="unless given: this one")
    _add_places(begin)
    for name, (option, value, about) in ANSWERS.items():
        begin.add_argument(option, dest=name, metavar=value, help=about)
    tables = "boards of this kind, each with a computer of its own at the table"
    begin.add_argument("--tables", nargs="?", const="dgt", metavar="KIND", help=f"{tables}; dgt, unless said otherwise")
    elsewhere = "boards that are plugged in at another computer, which the hall is to know by that name"
    begin.add_argument("--computer", metavar="NAME", help=elsewhere)
    begin.add_argument(
        "--arbiters", nargs="+", default=[], metavar="NAME", help="who may command by MQTT, and read all"
    )
    begin.add_argument("--readers", nargs="+", default=[], metavar="NAME", help="who may read all by MQTT")
    begin.add_argument("--yes", action="store_true", help="ask nothing, take what is proposed")
    begin.set_defaults(act="hall.init:init")

    table = ours.add_parser("join", help="on another computer: play the board, or the boards, that the hall has for it")
    table.add_argument("given", metavar="FILE", help="of the folder tables that hall init wrote, or the line in it")
    _add_places(table)
    system = Path("/etc/jadoube")
    usual = "unless given: %(default)s"
    table.add_argument("--to", dest="folder", type=Path, default=system, metavar="FOLDER", help=usual)
    table.set_defaults(act="hall.join:join")

    pairings = ours.add_parser("round", help="put a round of pairings in force, after what it changes was shown")
    pairings.add_argument("number", type=_number, metavar="NUMBER", help="of the round")
    pairings.add_argument("file", type=Path, metavar="FILE", help="TRF16, CSV, PGN, or a list of Swiss-Manager")
    pairs = "who plays whom on which table, by start number, as pairing engines write it; beside a TRF"
    pairings.add_argument("--pairs", type=Path, metavar="FILE", help=pairs)
    pairings.add_argument("--yes", action="store_true", help="ask nothing")
    pairings.add_argument("--other-tables", action="store_true", help="also tables that have no board of ours")

    played = "though the round has results, and the file is of other players or of another event"
    pairings.add_argument("--replace-played", action="store_true", help=played)
    pairings.set_defaults(act="hall.round:put_in_force")

    ready = ours.add_parser("check", help="whether the boards are ready for the round, and what is missing where not")
    ready.add_argument("--json", action="store_true", help="as JSON; the exit status is 0 or 1 as ever")
    ready.set_defaults(act="hall.check:check")

    replaced = ours.add_parser("replace", help="a spare board takes over a table; its game goes on")
    replaced.add_argument("number", metavar="TABLE", help="its number")
    spare = "as boards.csv calls it, or the port of another, or PORT#ADDRESS"
    replaced.add_argument("--with", dest="spare", required=True, metavar="SPARE", help=spare)
    replaced.set_defaults(act="hall.replace:replace")

    results = ours.add_parser("results", help="by table, the crosstable, the points of the teams")
    results.add_argument("--json", action="store_true", help="as JSON")
    results.set_defaults(act="hall.results:show")

    result = ours.add_parser("result", help="give a result by hand; the one before is kept in the history")
    result.add_argument("table", metavar="TABLE", help="its number")
    said = result.add_mutually_exclusive_group(required=True)
    said.add_argument("result", nargs="?", metavar="RESULT", help="1-0, 0-1, 1/2-1/2, 0-0, 1/2-0 or 0-1/2")
    taken_back = "the one given by hand; the board's holds again"
    said.add_argument("--take-back", dest="result", action="store_const", const=None, help=taken_back)
    result.add_argument("--reason", default="", metavar="WHY", help="forfeit: without play; or in your own words")
    result.add_argument("--by", metavar="NAME", help="who gives it; unless given: who is signed in here")
    result.add_argument("--at-board", action="store_true", help="the board has it as well, and ends its game")
    result.set_defaults(act="hall.results:give")

    export = ours.add_parser("export", help="a round as TRF, CSV and PGN, and its score sheets to print")
    export.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="for its files")
    export.add_argument("--language", dest="code", choices=LANGUAGES, default="en", help="of the sheets")
    export.set_defaults(act="hall.export:export")

    engines = ours.add_parser(
        "up", help="RabbitMQ, PostgreSQL and what belongs to them, for very many boards: start all"
    )
    carried = "what was carried to this computer, of the folder engines that was written for the hall"
    engines.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help=carried)
    engines.add_argument("--nodes", metavar="A,B,C", help="the computers, by name or address; one, three or five")
    engines.add_argument("--here", metavar="A", help="which of them this computer is, if it has another name")
    engines.add_argument("--local", action="store_true", help="this computer plays all of them, to try it")
    engines.add_argument("--dry-run", dest="dry", action="store_true", help="say what would be done, and do nothing")
    engines.add_argument("--yes", action="store_true", help="ask nothing")
    engines.set_defaults(act="engines.commands:up")

    down = ours.add_parser("down", help="stop all of that on this computer; what it keeps stays")
    down.set_defaults(act="engines.commands:down")

    for each in (results, result, export):
        each.add_argument("--round", dest="number", type=_number, metavar="N", help="unless given: the one in force")
    for each in (pairings, ready, replaced, results, result, export, engines):
        each.add_argument("--config", type=Path, default=Path("hall.toml"), metavar="FILE", help="%(default)s")


def _add_places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dgt-serial", nargs="+", default=[], metavar="PORT", help="boards with a port of their own")
    parser.add_argument("--dgt-bus", nargs="+", default=[], metavar="PORT#ADDRESS", help="boards that share a line")
    parser.add_argument("--simulate", action="store_true", help="boards made of numbers, to try it")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 100):
        raise argparse.ArgumentTypeError(f"expected the number of a round, not {text!r}")
    return int(text)
