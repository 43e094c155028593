"""The boards of a hall: their numbers, and where they are plugged in. Pure, but for the names of ports.

A place is written as on the command line: the path of a port, ``PORT#ADDRESS`` for one of several DGT boards that share
a line, or ``simulated``.
"""

import glob
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from controller.cli.hardware.fill import toml
from controller.cli.hardware.kinds import MANY, example
from controller.cli.terminal import many
from controller.config import Setup, check
from controller.errors import ConfigError
from controller.numbering import natural, ranges

SIMULATED = "simulated"
BoardTable = Mapping[str, Any]
"""The table ``board`` of a configuration."""
TABLE = "table"  #: what a board with a computer of its own is ``at``


def plugged(dgt_serial: Sequence[str], dgt_bus: Sequence[str], simulate: bool) -> list[str]:
    """What the options of the command line say of where boards are, in one order."""
    return [*dgt_serial, *dgt_bus, *([SIMULATED] if simulate else [])]


def places(said: str) -> list[str]:
    """Each place of ``/dev/serial/by-id/* /dev/ttyUSB7#1025``, in the order of the names; a pattern stands for all
    that there are. Raises :exc:`ConfigError` for one that matches nothing, or an address that is no number."""
    found: list[str] = []
    for word in said.split():
        port, line, address = word.partition("#")
        if line and not address.isdecimal():
            cause = "after # the number is wanted that jadoube boards --ports names"
            raise ConfigError(f"{word} is no board of a line", cause, "/dev/ttyUSB0#1025")
        matched = [word] if not glob.has_magic(port) else sorted(glob.glob(port), key=natural)  # noqa: PTH207 - of any folder
        if not matched:
            cause = "nothing is plugged in, or the ports have other names"
            raise ConfigError(f"there is no port {word}", cause, "jadoube boards --ports")
        found += [each for each in matched if each not in found]
    return found


def board_at(place: str) -> BoardTable:
    """The board at a place, as a configuration has it."""
    port, line, address = place.partition("#")
    if place == SIMULATED:
        return {"type": "simulated"}
    return {"type": "dgt-bus", "port": port, "address": int(address)} if line else {"type": "dgt", "port": port}


def checked(raw: Mapping[str, Any], source: str) -> Setup:
    """A configuration as :func:`~controller.config.check` has it, which may leave out the boards of a hall where these
    are at other computers."""
    if "boards" not in raw:
        return check(raw, source)
    simulated = {"board": board_at(SIMULATED)}
    boards = [
        {"number": board["number"]} | simulated if at(board) is not None else simulated | board
        for board in raw["boards"]
    ]
    return check({**raw, "boards": boards}, source)


def place_of(board: BoardTable) -> str:
    """The reverse; of other kinds of boards their port, or else their kind; of one that is elsewhere where."""
    if board.get("type") == "dgt-bus":
        return f"{board.get('port')}#{board.get('address')}"
    if (computer := at(board)) is not None:
        return "at its table" if computer == TABLE else f"at {computer}"
    return str(board.get("port", board.get("type")))


def at(board: BoardTable) -> str | None:
    """The other computer that it is at; None: it is at this one."""
    return board.get("at")


def allotted(new: Sequence[str], there: Sequence[str]) -> tuple[dict[str, BoardTable], list[str]]:
    """The boards of the ``new`` numbers, of those ``there`` in their order, and which are left to spare.

    Raises :exc:`ConfigError` where they are too few.
    """
    if list(there) == [SIMULATED]:
        return dict.fromkeys(new, board_at(SIMULATED)), []
    if len(there) < len(new):
        raise ConfigError(
            f"{many(len(new), 'new board')}, and only {many(len(there), 'free port')} for them",
            "some are not plugged in, or the numbers are too many",
            f"jadoube boards --ports; or --boards {ranges(new[: len(there)]) or '…'}",
        )
    return {number: board_at(place) for number, place in zip(new, there, strict=False)}, [*there[len(new) :]]


def table(number: str, board: BoardTable) -> str:
    """The table ``[[boards]]`` of a board; of one at another computer no more than which."""
    lines = ["[[boards]]", f"number = {toml(number)}"]
    if (computer := at(board)) is not None:
        lines.append(f"at = {toml(computer)}")
    else:
        options = ", ".join(f"{name} = {toml(value)}" for name, value in board.items())
        lines.append(f"board = {{ {options} }}")
    return "\n".join(lines) + "\n"


# -- as it stands in files -----------------------------------------------------------------------------------------


def boards_of(raw: Mapping[str, Any]) -> dict[str, BoardTable]:
    return {str(row["number"]): row.get("board") or {"at": row.get("at", TABLE)} for row in raw.get("boards", [])}


def of_many() -> str:
    """The configuration of a hall without its boards: those come last, so that there can be more."""
    text = example(MANY).replace("config/tournament.toml", "hall.toml")
    return "\n\n".join(part for part in text.strip().split("\n\n") if not part.startswith("[[boards]]")) + "\n"


def with_boards(text: str, new: Mapping[str, BoardTable]) -> str:
    """The configuration ``text``, with the tables of the new boards."""
    return "\n".join([text, *(table(number, board) for number, board in new.items())]) if new else text


def listed(folder: Path) -> dict[str, str]:
    """The list of boards: their places by number, and by ``spare-1`` and so on."""
    path = folder / "boards.csv"
    rows = path.read_text("utf-8").splitlines()[1:] if path.exists() else []
    return {name: place for name, _, place in (row.partition(";") for row in rows)}


def as_list(rows: Mapping[str, str]) -> str:
    """The same as text, to be carried along the tables."""
    return "\n".join(["Board;Place", *(f"{name};{place}" for name, place in rows.items())]) + "\n"


def list_of(boards: Mapping[str, BoardTable], spare: Iterable[str], before: Mapping[str, str]) -> str:
    """That of these ``boards``; what is to spare keeps the name that it had ``before``."""
    names = {place: name for name, place in before.items() if name.startswith("spare-")}
    free = (name for number in count(1) if (name := f"spare-{number}") not in before)
    left = {names.get(place) or next(free): place for place in spare}
    return as_list({number: place_of(board) for number, board in boards.items()} | left)
