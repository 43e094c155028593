"""``jadoube hall replace``: a spare board takes over a table in mid-game."""

import asyncio
import os
import re
from pathlib import Path

import chess
import pytest
from hall import until
from many import moves_on

from controller.cli.main import main
from controller.config import HallConfig, load
from controller.daemon.service import Daemon
from controller.journal import Journal, holder
from hardware.simulator.dgt import DgtEmulator


def jadoube(*arguments: object, exits: int = 0) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["hall", *map(str, arguments)])
    assert int(stopped.value.code or 0) == exits


def hall_of(folder: Path, *ports: Path) -> Path:
    """One table, at the first of these ports; the others are to spare."""
    for port in ports:
        port.touch()
    jadoube("init", folder, "--boards", "1", "--dgt-serial", *ports, "--broker", "", "--spectators", "none", "--yes")
    config = folder / "hall.toml"
    text = config.read_text().replace("# port = 8064", "port = 0").replace("# ready_s = 3.0", "ready_s = 0.1")
    config.write_text(text)
    for port in ports:
        port.unlink()
    return config


def move(board: DgtEmulator, uci: str, symbol: str) -> None:
    made = chess.Move.from_uci(uci)
    board.lift(made.from_square)
    board.place(made.to_square, symbol)


def test_in_mid_game_a_spare_board_takes_over_and_the_game_goes_on(tmp_path: Path) -> None:
    ports = [tmp_path / "port-1", tmp_path / "port-2"]
    config = hall_of(tmp_path / "hall", *ports)

    async def scene() -> None:
        with DgtEmulator(ports[0]) as one, DgtEmulator(ports[1]) as two:
            daemon = Daemon(load(config), reread=lambda: load(config))
            task = asyncio.create_task(daemon.run())
            await until(lambda: daemon.stations["1"].session.playing)
            move(one, "e2e4", "P")
            await until(lambda: moves_on(daemon.journal, "1") == ["e2e4"])
            before = daemon.stations["1"]
            move(two, "e2e4", "P")
            await asyncio.to_thread(jadoube, "replace", "1", "--with", "spare-1", "--config", config)
            await until(lambda: daemon.stations.get("1") not in (None, before))
            await until(lambda: daemon.stations["1"].session._boards[None].seen)
            move(two, "e7e5", "p")
            await until(lambda: moves_on(daemon.journal, "1") == ["e2e4", "e7e5"])
            assert len([*daemon.journal.openings()]) == 1
            daemon.stop()
            await asyncio.wait_for(task, 15)

    asyncio.run(scene())
    assert (tmp_path / "hall/boards.csv").read_text() == f"Board;Place\n1;{ports[1]}\n"
    found = load(config)
    assert isinstance(found, HallConfig)
    assert [getattr(place.board, "port", None) for place in found.boards] == [str(ports[1])]


@pytest.mark.parametrize(
    ("table", "spare", "said"),
    [
        ("2", "spare-1", "there is no table 2"),
        ("1", "spare-7", "spare-7 is no board to spare"),
        ("1", "{folder}/port-1", "is the board of a table already"),
        ("1", "/dev/none-*", "there is no port"),
        ("1", "spaer", "spaer is no board to spare"),
        ("1", "spare-1", "spare-1 is not plugged in: there is no"),
        ("1", "/dev/nothere", "/dev/nothere is not plugged in: there is no /dev/nothere"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str, spare: str, said: str
) -> None:
    config = hall_of(tmp_path / "hall", tmp_path / "port-1", tmp_path / "port-2")
    before = config.read_text(), (tmp_path / "hall/boards.csv").read_text()
    jadoube("replace", table, "--with", spare.format(folder=tmp_path), "--config", config, exits=2)
    assert said in capsys.readouterr().err
    assert (config.read_text(), (tmp_path / "hall/boards.csv").read_text()) == before


def test_spares_keep_their_names_and_lamps_of_the_table_stay(tmp_path: Path) -> None:
    ports = [tmp_path / f"port-{number}" for number in (1, 2, 3)]
    config = hall_of(tmp_path / "hall", *ports)
    config.write_text(config.read_text() + 'lamps = { mode = "training" }\n')
    for port in ports:
        port.touch()
    jadoube("replace", "1", "--with", "spare-1", "--config", config)
    found = load(config)
    assert isinstance(found, HallConfig)
    assert (found.boards[0].board.port, found.boards[0].lamps.mode) == (str(ports[1]), "training")  # type: ignore[union-attr]
    jadoube("init", tmp_path / "hall", "--yes")
    assert (tmp_path / "hall/boards.csv").read_text() == f"Board;Place\n1;{ports[1]}\nspare-2;{ports[2]}\n"


def changed_to(folder: Path, board: str, spare: str, exits: int = 0) -> str:
    """The line of table 1, which was ``board``, once ``spare`` has taken over."""
    config = hall_of(folder / "hall", folder / "port-1", folder / "port-2")
    for name in ("port-1", "port-2"):
        (folder / name).touch()
    config.write_text(re.sub(r"(?m)^board = .*$", f"board = {board.format(folder=folder)}", config.read_text()))
    jadoube("replace", "1", "--with", spare.format(folder=folder), "--config", config, exits=exits)
    return next(line for line in config.read_text().splitlines() if line.startswith("board = "))


@pytest.mark.parametrize(
    ("board", "spare", "becomes"),
    [
        (
            '{{ type = "line", port = "{folder}/port-1", rotated = true, silence_s = 9 }}',
            "{folder}/port-2",
            '{{ type = "line", port = "{folder}/port-2", rotated = true, silence_s = 9 }}',
        ),
        (
            "{{ port = '{folder}/port-1', type = \"certabo\" }}",
            "spare-1",
            '{{ port = "{folder}/port-2", type = "certabo" }}',
        ),
        ('{{ type = "dgt", port = "{folder}/port-1", bluetooth = true }}', "spare-1", None),
        (
            '{{ type = "dgt", port = "{folder}/port-1" }}',
            "{folder}/port-2#1025",
            '{{ type = "dgt-bus", port = "{folder}/port-2", address = 1025 }}',
        ),
        (
            '{{ type = "dgt-bus", port = "{folder}/port-1", address = 7 }}',
            "{folder}/port-2#1025",
            '{{ type = "dgt-bus", port = "{folder}/port-2", address = 1025 }}',
        ),
        ('{{ type = "simulated" }}', "spare-1", '{{ type = "dgt", port = "{folder}/port-2" }}'),
    ],
)
def test_kind_and_options_of_the_board_stay(tmp_path: Path, board: str, spare: str, becomes: str | None) -> None:
    wanted = (becomes or board.replace("port-1", "port-2")).format(folder=tmp_path)
    assert changed_to(tmp_path, board, spare) == f"board = {wanted}"


def test_a_board_that_has_no_port_is_not_given_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = '{{ type = "line", port = "{folder}/port-1" }}'
    assert changed_to(tmp_path, board, "{folder}/port-2#3", exits=2) == "board = " + board.format(folder=tmp_path)
    assert "a board of the kind line cannot be at" in capsys.readouterr().err


def test_a_board_that_sees_other_things_is_said_to_wait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed_to(tmp_path, '{{ type = "simulated" }}', "spare-1")
    assert "it sees other things than the one before" in capsys.readouterr().out


def test_who_has_a_journal_open_is_known(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    assert holder(path) is None
    journal = Journal(path)
    assert holder(path) == os.getpid()
    journal.close()
    assert holder(path) is None
