"""``jadoube hall replace``: a spare board takes over a table, also in the middle of a game, which goes on."""

import contextlib
import os
import re
import signal
import tomllib
from pathlib import Path

from controller.cli.hall.files import Hall, read_text
from controller.cli.hall.init import SERVICE
from controller.cli.hall.keep import FileKeeper
from controller.cli.hall.places import SIMULATED, BoardTable, as_list, board_at, listed, place_of, places, table
from controller.cli.hardware.fill import toml
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
    keeper = FileKeeper(config.resolve().parent)
    rows = listed(keeper.folder)
    place = rows[spare] if spare.startswith("spare-") and spare in rows else _only(spare, rows)
    block = _block(config, text, number)
    before = tomllib.loads(block)["boards"][0].get("board", {})
    if place != SIMULATED and place in {at for name, at in rows.items() if not name.startswith("spare-")}:
        raise ConfigError(
            f"{place} is the board of a table already", "a slip of the pen", f"cat {keeper.folder}/boards.csv"
        )
    if place != SIMULATED and not Path(port := place.partition("#")[0]).exists():
        raise ConfigError(
            f"{spare} is not plugged in: there is no {port}",
            "a slip of the pen, or another cable or hub than when hall init was called",
            "jadoube boards --ports",
        )
    sees = _senses(text, config, number)
    text = text.replace(block, _with_board(block, before, place))
    same = _senses(text, config, number) == sees
    rows = {name: at for name, at in rows.items() if at != place or not name.startswith("spare-")} | {number: place}
    keeper.change(config.name, text)
    keeper.change("boards.csv", as_list(rows))
    print(f"table {number}: {place}, instead of {place_of(before)}")
    if same:
        print("set up the position on it; the game goes on once it stands")
    else:
        print("it sees other things than the one before: a game that is on there ends on the old one, so leave that")
        print("plugged in until then; jadoube hall check says so, too")
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


_PORT = re.compile(r"""\bport\s*=\s*("[^"]*"|'[^']*')""")


def _senses(text: str, config: Path, number: str) -> str:
    """What the board of that table sees, by this text of the configuration. Raises :exc:`ConfigError`."""
    tables = check(tomllib.loads(text), str(config)).tables
    return next(str(each.senses) for each in tables if each.numbers == number)


def _with_board(block: str, before: BoardTable, place: str) -> str:
    """The same with a board of the same kind elsewhere; all else of it stays. Only what is simulated becomes another
    kind, or was one; and a DGT board one that shares a line, or alone.

    Raises :exc:`ConfigError` where that kind has no port.
    """
    kind, now = before.get("type"), board_at(place)
    if SIMULATED in (kind, now["type"]) or {kind, now["type"]} == {"dgt", "dgt-bus"}:
        line = table("", now).splitlines()[-1]
        return _BOARD.sub(lambda _: line, block)
    if "port" not in before or ("address" in now) != ("address" in before):
        missing = "port" in before and "address" in before
        why = "its address is missing" if missing else "it has no port, or shares no line"
        by_hand = "write its line board = { … } by hand; then: " + RELOAD
        raise ConfigError(f"a board of the kind {kind} cannot be at {place}", why, by_hand)
    line = _BOARD.findall(block)[0]
    line = _PORT.sub(lambda _: f"port = {toml(now['port'])}", line, count=1)
    if "address" in now:
        line = re.sub(r"\baddress\s*=\s*\d+", f"address = {now['address']}", line)
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
