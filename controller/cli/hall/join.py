"""``jadoube hall join``: another computer of a hall becomes what the line that was carried to it says."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from controller.cli.hall.keep import SECRET, FileKeeper
from controller.cli.hall.places import (
    BoardTable,
    allotted,
    boards_of,
    list_of,
    listed,
    place_of,
    places,
    plugged,
    with_boards,
)
from controller.cli.hall.tables import AUTHORITY, PASSWORD, Instructions, filled, read
from controller.cli.hardware.fill import fill
from controller.cli.hardware.kinds import MANY
from controller.cli.hardware.setup import SYSTEM, kept_options, state_of
from controller.config import check
from controller.errors import ConfigError
from controller.files import text_of
from controller.numbering import numbers

CONFIG = "jadoube.toml"
SHORT = 80  #: hardly a line has so few letters


def join(given: str, folder: Path, *, dgt_serial: Sequence[str], dgt_bus: Sequence[str], simulate: bool) -> int:
    """Writes the configuration of this computer, with its password, into ``folder``; 0, or 1 where somebody has edited
    what stands there. ``given``: the line, or the file that has it. Of a computer that has several boards
    it is said where these are; those that it has already stay where they are.

    Raises :exc:`ConfigError` where that will not do, and :exc:`DeviceError` where nothing can be written.
    """
    path = Path(given)
    try:
        told = read(path.read_text("ascii", "replace") if len(given) < 256 and path.is_file() else given)
    except ConfigError as error:
        if len(given) >= SHORT or path.is_file():
            raise
        what = f"{given}: there is no such file, and this is no line of jadoube hall init"
        raise ConfigError(what, "another folder or name; or the line was not copied whole", f"ls -l {given}") from error
    folder = folder.resolve()
    config, service = folder / CONFIG, folder.is_relative_to(SYSTEM)
    boards, spare = _boards(told, folder, plugged(dgt_serial, dgt_bus, simulate))
    text = with_boards(filled(told, folder), boards)
    found = check(tomllib.loads(text), str(config))
    place = next(iter(found.named.values()))
    paths = kept_options(found, place.board, state_of(config) if service else folder)
    text = fill(text, {name: path for name, path in paths.items() if not (boards and name.startswith("board."))})
    keeper = FileKeeper(folder)
    keeper.keep(CONFIG, text)
    keeper.keep(PASSWORD, f"{told.password}\n", SECRET)
    keeper.keep(AUTHORITY, told.authority)
    if boards:
        keeper.keep("boards.csv", list_of(boards, spare, listed(folder)))
    for said in keeper.report_lines():
        print(said)
    run = "sudo systemctl enable --now jadoube" if service else f"jadoube run --config {config}"
    print(f"Next: jadoube doctor --config {config}, then {run}")
    return 1 if keeper.left else 0


def _boards(told: Instructions, folder: Path, said: Sequence[str]) -> tuple[dict[str, BoardTable], list[str]]:
    """Where each of its boards is, and which places are to spare; nothing of a computer that has but one."""
    if told.kind != MANY:
        return {}, []
    config = folder / CONFIG
    there = boards_of(tomllib.loads(text_of(config.read_bytes()))) if config.exists() else {}
    wanted = numbers(told.boards)
    taken = {place_of(board) for board in there.values()}
    spare = [place for name, place in listed(folder).items() if name.startswith("spare-")]
    free = [place for place in (places(" ".join(said)) if said else spare) if place not in taken]
    new = [number for number in wanted if number not in there]
    if new and not free:
        raise ConfigError(
            f"it is not said where boards {told.boards} are plugged in",
            "this computer has several",
            'add --dgt-serial "/dev/serial/by-id/*"; jadoube boards --ports says what is plugged in',
        )
    boards, left = allotted(new, free)
    return {number: (there | boards)[number] for number in wanted}, left
