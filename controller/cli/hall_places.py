"""The boards of a hall: their numbers, and where they are plugged in. Pure, but for the names of ports.

A place is written as on the command line: the path of a port, ``PORT#ADDRESS`` for one of several DGT boards that share
a line, or ``simulated``.
"""

import glob
import re
from collections.abc import Mapping, Sequence
from typing import Any

from controller.cli.bench.fill import toml
from controller.errors import ConfigError
from controller.occasion import ranges

SIMULATED = "simulated"
Board = Mapping[str, Any]
"""The table ``board`` of a configuration."""
ELSEWHERE: Board = {}  #: a board at a computer of its own


def places(said: str) -> list[str]:
    """Each place of ``/dev/serial/by-id/* /dev/ttyUSB7#1025``, in the order of the names; a pattern stands for all
    that there are. Raises :exc:`ConfigError` for one that matches nothing, or an address that is no number."""
    found: list[str] = []
    for word in said.split():
        port, line, address = word.partition("#")
        if line and not address.isdecimal():
            cause = "after # the number is wanted that jadoube boards --ports names"
            raise ConfigError(f"{word} is no board of a line", cause, "/dev/ttyUSB0#1025")
        matched = [word] if not glob.has_magic(port) else sorted(glob.glob(port), key=_natural)  # noqa: PTH207 - of any folder
        if not matched:
            cause = "nothing is plugged in, or the ports have other names"
            raise ConfigError(f"there is no port {word}", cause, "jadoube boards --ports")
        found += [each for each in matched if each not in found]
    return found


def board_at(place: str) -> Board:
    """The board at a place, as a configuration has it."""
    port, line, address = place.partition("#")
    if place == SIMULATED:
        return {"type": "simulated"}
    return {"type": "dgt-bus", "port": port, "address": int(address)} if line else {"type": "dgt", "port": port}


def place_of(board: Board) -> str:
    """The reverse; of other kinds of boards their kind and their port, if they have one."""
    if board.get("type") == "dgt-bus":
        return f"{board.get('port')}#{board.get('address')}"
    return str(board.get("port", board.get("type", "at its table")))


def allotted(new: Sequence[str], there: Sequence[str]) -> tuple[dict[str, Board], list[str]]:
    """The boards of the ``new`` numbers, of those ``there`` in their order, and which are left to spare.

    Raises :exc:`ConfigError` where they are too few.
    """
    if list(there) == [SIMULATED]:
        return dict.fromkeys(new, board_at(SIMULATED)), []
    if len(there) < len(new):
        raise ConfigError(
            f"{len(new)} boards are to be found a place, and {len(there)} places are free",
            "some are not plugged in, or the numbers are too many",
            f"jadoube boards --ports; or --boards {ranges(new[: len(there)]) or '…'}",
        )
    return {number: board_at(place) for number, place in zip(new, there, strict=False)}, [*there[len(new) :]]


def table(number: str, board: Board) -> str:
    """The table ``[[boards]]`` of a board; without the board itself where a computer of its own has it."""
    lines = ["[[boards]]", f"number = {toml(number)}"]
    if board:
        options = ", ".join(f"{name} = {toml(value)}" for name, value in board.items())
        lines.append(f"board = {{ {options} }}")
    return "\n".join(lines) + "\n"


def _natural(name: str) -> list[tuple[int, str]]:
    """``ttyUSB9`` before ``ttyUSB10``."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
