"""``jadoube hall replace``: a spare board takes over a table, also in the middle of a game, which goes on."""

import contextlib
import os
import re
import signal
import tomllib
from pathlib import Path

from controller.cli.hall_files import Hall, read_text
from controller.cli.hall_init import SERVICE
from controller.cli.hall_keep import FileKeeper
from controller.cli.hall_places import SIMULATED, as_list, board_at, listed, place_of, places, table
from controller.config import check
from controller.errors import ConfigError
from controller.journal import holder

RELOAD = f"sudo systemctl reload {SERVICE}"


def replace(config: Path, number: str, spare: str) -> int:
    """Has the board at ``spare``, as the list of boards calls it or a place, be that of the table ``number``; 0 once
    the daemon was told.

    Raises :exc:`ConfigError`, and changes nothing, where there is no such table, or no such board to spare.
    """
    hall, text = Hall(config), read_text(config)
    keeper = FileKeeper(config.absolute().parent)
    rows = listed(keeper.folder)
    place = rows[spare] if spare.startswith("spare-") and spare in rows else _only(spare, rows)
    block = _block(config, text, number)
    before = tomllib.loads(block)["boards"][0].get("board", {})
    if place != SIMULATED and place in {at for name, at in rows.items() if not name.startswith("spare-")}:
        raise ConfigError(
            f"{place} is the board of a table already", "a slip of the pen", f"cat {keeper.folder}/boards.csv"
        )
    text = text.replace(block, _with_board(block, place))
    check(tomllib.loads(text), str(config))
    rows = {name: at for name, at in rows.items() if at != place or not name.startswith("spare-")} | {number: place}
    keeper.change(config.name, text)
    keeper.change("boards.csv", as_list(rows))
    print(f"table {number}: {place}, instead of {place_of(before)}")
    print("set up the position on it; the game goes on once it stands")
    _tell(hall.journal, config)
    return 0


def _only(spare: str, rows: dict[str, str]) -> str:
    """The one place that is meant."""
    found = places(spare)
    if spare.startswith("spare-") or len(found) != 1 or ("/" not in found[0] and found[0] != SIMULATED):
        there = {name: at for name, at in rows.items() if name.startswith("spare-")}
        ways = f"--with {f'{next(iter(there))}, or a port' if there else 'its port, as /dev/ttyUSB0'}"
        those = ", ".join(f"{name} {at}" for name, at in there.items())
        raise ConfigError(f"{spare} is no board to spare", f"those in the list: {those or 'none'}", ways)
    return found[0]


def _block(config: Path, text: str, number: str) -> str:
    """The table ``[[boards]]`` of that number, as it stands there."""
    blocks = re.findall(r"(?ms)^\[\[boards\]\]\n.*?(?=^\s*\[|\Z)", text)
    for block in blocks:
        if str(tomllib.loads(block)["boards"][0].get("number")) == number and _BOARD.search(block):
            return str(block)
    there = ", ".join(str(tomllib.loads(block)["boards"][0].get("number")) for block in blocks)
    cause = "a slip of the pen; or its board is at another computer, or not on one line, as board = { … }"
    raise ConfigError(f"{config}: there is no table {number} to give another board", cause, f"its tables: {there}")


_BOARD = re.compile(r"(?m)^board = \{.*\}")


def _with_board(block: str, place: str) -> str:
    """The same with another board; all else of it stays."""
    line = table("", board_at(place)).splitlines()[-1]
    return _BOARD.sub(lambda _: line, block)


def _tell(journal: Path, config: Path) -> None:
    """Has the daemon read the file again, where it runs and may be told."""
    pid = holder(journal)
    if pid is None:
        print(f"no daemon plays these boards now; the next one reads {config}")
        return
    with contextlib.suppress(ProcessLookupError):
        try:
            os.kill(pid, signal.SIGHUP)
        except PermissionError:
            print(f"Next: {RELOAD}   (the daemon is another user's)")
        else:
            print("the daemon was told")
