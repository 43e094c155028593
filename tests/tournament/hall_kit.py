"""A hall in a folder: its configuration, its journal, games played on its boards, and the commands."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from kit import Board

from controller.cli.main import main
from controller.journal import Journal
from controller.pairing import tags_of_game

TABLES = 12


class Scene:
    """``keep``: the folder has a configuration of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], *, keep: bool = False) -> None:
        self.folder = folder
        self._capsys = capsys
        self.config = folder / "hall.toml"
        if keep:
            return
        boards = "".join(
            f'[[boards]]\nnumber = "{number}"\nboard = {{ type = "simulated" }}\n' for number in range(1, TABLES + 1)
        )
        self.config.write_text(
            f'[event]\npairings = "rounds/current.csv"\n[game]\nevent = "Open"\nsite = "Lyon"\n{boards}', "utf-8"
        )

    def run(self, *arguments: object, exits: int = 0) -> str:
        """What ``jadoube hall …`` says."""
        with pytest.raises(SystemExit) as ended:
            main(["hall", *map(str, arguments), "--config", str(self.config)])
        said = self._capsys.readouterr()
        assert ended.value.code == exits, said.err or said.out
        return said.err if exits == 2 else said.out

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_bytes(text.encode())
        return path

    def read(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def rows(self, name: str) -> list[dict[str, str]]:
        """A CSV of ours, by its columns."""
        return list(csv.DictReader(io.StringIO(self.read(name)), delimiter=";"))

    def all_files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()
        }

    @contextmanager
    def playing(self) -> Iterator[Journal]:
        """The journal of the boards, while they play."""
        journal = Journal(self.folder / "jadoube.sqlite")
        yield journal
        journal.close()

    def game(self, journal: Journal, table: str, name: str, **tags: str) -> Board:
        """A game begun on that table, by those whom the daemon finds in the round in force."""
        paired = tags_of_game(self.read("rounds/current.csv"), "current.csv", table, None)
        return Board(journal, name, paired | tags, number=table)
