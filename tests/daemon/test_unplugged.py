"""A cable that is pulled out in mid-move and put back: the game goes on, and what differs is reported, not played.
What a device only remarks on is a notice beside the game.

Boards on a wire, with their real drivers, and the table as it is; what the daemon does between them is a queue.
"""

import queue
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest
from hall import moves_of

from controller.config import Config
from controller.daemon.game_session import GameSession
from controller.daemon.timeline import Timeline
from controller.journal import Journal
from controller.outlets.notices import Notices
from hardware.boards import Driver, FromDevice, open_board
from hardware.boards.certabo_stones import save
from hardware.boards.chessnut import ChessnutBoard, ChessnutConfig
from hardware.boards.ports import PortWork
from hardware.simulator.certabo import CertaboEmulator, SentioEmulator
from hardware.simulator.chesslink import ChessLinkEmulator
from hardware.simulator.chessnut import ChessnutEmulator
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.line import LineEmulator

EMULATORS: dict[str, Any] = {
    "dgt": DgtEmulator,
    "chesslink": ChessLinkEmulator,
    "certabo": CertaboEmulator,
    "sentio": SentioEmulator,
    "chessnut": lambda _: ChessnutEmulator(),
    "line": LineEmulator,
}
AWAY_S = 5.0  #: for one kind as long as the goal says; the others show that nothing hangs on the kind of board


class Scene:
    """A table, its board, and hands."""

    def __init__(self, kind: str, folder: Path, configure: Callable[..., Config]) -> None:
        port, stones = folder / "port", folder / "stones.json"
        table: dict[str, Any] = {"type": kind, "port": str(port)}
        self.kind = kind
        self.board: Any = EMULATORS[kind](port)
        if kind == "certabo":
            save(stones, {tag: piece for tag, piece in zip(self.board.chips, self.board.pieces, strict=True) if piece})
            table["stones"] = str(stones)
        config, now = configure(board=table), time.monotonic_ns()
        self.journal, self.notices = Journal(Path(config.journal.path)), Notices()
        self.session = GameSession(config, self.journal, self.notices, Timeline(now), now)
        self._items: queue.SimpleQueue[FromDevice] = queue.SimpleQueue()
        if isinstance(config.board, ChessnutConfig):
            self._driver: Driver = ChessnutBoard(config.board, self._items.put, open_file=self.board.open)
        else:
            self._driver = open_board(config.board, self._items.put)
        assert isinstance(self._driver, PortWork)
        self._driver.retry_s = (0.05, 0.1)
        self._driver.start()

    def close(self) -> None:
        self._driver.stop()
        self.board.unplug()
        self.journal.close()

    def until(self, true: Callable[[], Any], within_s: float = 30.0) -> None:
        """Time passes, and the table hears of everything, until that holds."""
        end = time.monotonic() + within_s
        while not true():
            assert time.monotonic() < end, (self.moves, self.said)
            try:
                self.session.take(self._items.get(timeout=0.01))
            except queue.Empty:
                self.session.wake(time.monotonic_ns())

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() > end)

    @property
    def moves(self) -> list[str]:
        return moves_of(self.journal)

    @property
    def said(self) -> dict[str, str]:
        return {notice.source: notice.what for notice in self.notices.current}

    def make(self, uci: str, piece: str) -> None:
        move, made = chess.Move.from_uci(uci), self.moves
        self.board.lift(move.from_square)
        self.wait(0.12)
        self.board.place(move.to_square, piece)
        self.until(lambda: self.moves == [*made, uci])

    def begin(self) -> None:
        self.board.plug()
        self.until(lambda: self.session.playing)
        self.make("e2e4", "P")
        self.make("e7e5", "p")
        self.board.lift(chess.G1)
        self.wait(0.2)

    def unplugged(self, away_s: float, hands: Callable[[], None]) -> None:
        """The cable is out while ``hands`` are at work, and in again."""
        self.board.unplug()
        self.until(lambda: "board" in self.said)
        hands()
        self.wait(away_s)
        self.board.plug()
        self.until(lambda: "board" not in self.said)


@pytest.fixture
def scene(request: pytest.FixtureRequest, tmp_path: Path, configure: Callable[..., Config]) -> Iterator[Scene]:
    scene = Scene(request.param, tmp_path, configure)
    yield scene
    scene.close()


@pytest.mark.parametrize("scene", ["dgt", "line"], indirect=True)
def test_a_move_that_was_ended_meanwhile_is_made(scene: Scene) -> None:
    scene.begin()
    scene.unplugged(AWAY_S if scene.kind == "dgt" else 0.2, lambda: scene.board.place(chess.F3, "N"))
    scene.until(lambda: scene.moves == ["e2e4", "e7e5", "g1f3"])
    scene.make("b8c6", "n")
    assert scene.said == {}


@pytest.mark.parametrize("scene", ["chesslink", "certabo", "sentio", "chessnut"], indirect=True)
def test_pieces_that_were_disturbed_meanwhile_are_named_and_no_move_is_invented(scene: Scene) -> None:
    def disturb() -> None:
        scene.board.place(chess.G1, "N")  # back where it came from
        scene.board.lift(chess.A7)
        scene.board.lift(chess.D8)
        scene.board.place(chess.D3, "q")

    scene.begin()
    scene.unplugged(0.2, disturb)
    scene.until(lambda: "position" in scene.said)
    assert {"a7", "d3", "d8"} <= set(scene.said["position"].split())
    scene.wait(0.3)
    assert scene.moves == ["e2e4", "e7e5"]
    scene.board.lift(chess.D3)
    scene.board.place(chess.D8, "q")
    scene.board.place(chess.A7, "p")
    scene.until(lambda: "position" not in scene.said)
    scene.make("g1f3", "N")


@pytest.mark.parametrize("scene", ["line"], indirect=True)
def test_a_low_battery_is_a_notice_and_the_game_goes_on(scene: Scene) -> None:
    scene.board.plug()
    scene.until(lambda: scene.session.playing)
    scene.board.battery(7)
    scene.until(lambda: "7 %" in scene.said.get("board-battery", ""))
    scene.make("e2e4", "P")
    scene.board.battery(80)
    scene.until(lambda: "board-battery" not in scene.said)
