"""``jadoube hall replace``: a spare board takes over a table in mid-game."""

import asyncio
import os
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
    jadoube("replace", "1", "--with", "spare-1", "--config", config)
    found = load(config)
    assert isinstance(found, HallConfig)
    assert (found.boards[0].board.port, found.boards[0].lamps.mode) == (str(ports[1]), "training")  # type: ignore[union-attr]
    jadoube("init", tmp_path / "hall", "--yes")
    assert (tmp_path / "hall/boards.csv").read_text() == f"Board;Place\n1;{ports[1]}\nspare-2;{ports[2]}\n"


def test_who_has_a_journal_open_is_known(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    assert holder(path) is None
    journal = Journal(path)
    assert holder(path) == os.getpid()
    journal.close()
    assert holder(path) is None
