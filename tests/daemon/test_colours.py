"""A board that sees colours, at the table: scans of white and black pieces become a game."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pytest
from hall import moves_of

from controller.config import Config
from controller.contract import Time
from controller.daemon.game_session import GameSession
from controller.daemon.sensed import Sensed
from controller.daemon.timeline import Timeline
from controller.journal import Journal
from controller.outlets.notices import Notices
from hardware.boards import BoardReading

MS = 1_000_000


class Scanned:
    """A table above a board of Hall sensors, scanned fifty times a second; time is a number."""

    def __init__(self, config: Config, path: Path) -> None:
        self.journal = Journal(path)
        self.session = GameSession(config, self.journal, Notices(), Timeline(0), 0)
        self.ms = 0

    def show(self, board: chess.Board, for_ms: int = 600) -> None:
        for _ in range(0, for_ms, 20):
            self.ms += 20
            self.session.take(BoardReading(self.ms * MS, board.occupied, board.occupied_co[chess.WHITE], self.ms * MS))
            self.session.wake(self.ms * MS)

    def settle(self) -> None:
        """Until all is written."""
        self.journal.append("none", Time(ms=0), []).result(5)


@pytest.fixture
def scanned(configure: Callable[..., Config], tmp_path: Path) -> Any:
    scanned = Scanned(configure(board={"type": "hall"}), tmp_path / "scanned.sqlite")
    yield scanned
    scanned.journal.close()


def test_captures_swapped_between_two_scans_are_seen_at_once(scanned: Scanned) -> None:
    board = chess.Board()
    scanned.show(board)
    ucis = []
    for san in ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxa2", "Rxa2"]:
        ucis.append(board.push_san(san).uci())
        scanned.show(board, for_ms=1000)
    scanned.settle()
    assert moves_of(scanned.journal) == ucis
    assert not [record for record in scanned.journal.after(0, 1000) if b'"type":"violation"' in record.body]


def test_a_piece_that_becomes_one_of_the_other_colour_is_one_edge() -> None:
    sensed = Sensed(15, "colour")
    sensed.take(0, BoardReading(0, chess.BB_E4 | chess.BB_D5, chess.BB_E4))
    assert (sensed.shown[chess.E4], sensed.shown[chess.D5]) == ("w", "b")
    sensed.take(20, BoardReading(0, chess.BB_D5, chess.BB_D5))
    edges = sensed.settle(35)
    assert [(edge.square, edge.shown) for edge in edges] == [(chess.E4, ""), (chess.D5, "w")]
