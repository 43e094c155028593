"""A game from hands to record on simulated time: electrical board, matrix driver, scan thread and table as they are.

Only the time is made of numbers: it passes when the driver waits for a line to settle, or for the next scan.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import chess
from hall import moves_of
from msgspec import to_builtins

from controller.config import Config, check
from controller.contract import AnyEvent, Choose, Time
from controller.daemon.game_session import GameSession
from controller.daemon.timeline import Timeline
from controller.journal import Journal
from controller.outlets.notices import Notices, TechnicalNotice
from controller.wire import decode_event
from hardware.boards import FromDevice, LeverPress, scan
from hardware.boards.matrix import Matrix, MatrixConfig
from hardware.boards.scan import ScanThread
from hardware.simulator.electrical import ElectricalBoard
from hardware.simulator.hands import Gesture
from hardware.simulator.sight import switches

MS = 1_000_000
BEGIN_MS = 500  #: the first gesture is so long after the first scan
BOUNCE_MS = 1.0
REST_MS = 3_000  #: how long the board is watched after the last gesture


class Wired:
    """A matrix and the table above it. ``fitted``: whether the board has its diodes, whatever ``board`` says of it.
    ``clock``: a time control; the hands press, and the game begins with the first scan that shows the pieces ready.

    Stands in for the module ``time`` in the scan thread.
    """

    def __init__(
        self,
        folder: Path,
        *,
        fitted: bool = True,
        seed: int = 0,
        fen: str = chess.STARTING_FEN,
        clock: str | None = None,
        **board: Any,
    ) -> None:
        config = _config(folder, fen, clock, board)
        assert isinstance(config.board, MatrixConfig)
        self._ns = 0
        self.electrical = ElectricalBoard(
            config.board.rows,
            config.board.columns,
            occupied=chess.Board(fen).occupied,
            diodes=fitted,
            bounce_ms=BOUNCE_MS,
            seed=seed,
            clock=self.monotonic_ns,
        )
        self.notices = Notices()
        self.noticed: list[tuple[int, TechnicalNotice]] = []  #: each notice and when it was first set, in ms
        self.on_scan: Callable[[], None] = lambda: None  #: called after each scan
        self.journal = Journal(folder / "wired.sqlite")
        self.session = GameSession(config, self.journal, self.notices, Timeline(0), 0)
        self._thread = ScanThread(
            Matrix(config.board, lambda: self.electrical, self.sleep), self._take, config.board.scan_hz
        )
        self._until_ns = 0
        self._buttons: Iterator[Gesture] = iter(())
        self._button: Gesture | None = None

    @property
    def ms(self) -> int:
        return self._ns // MS

    def play(self, gestures: Iterable[Gesture]) -> None:
        """What the hands do, and the scans until all of it has come to rest."""
        gestures = list(gestures)
        for ms, square, closed in switches(gestures):
            (self.electrical.place if closed else self.electrical.lift)(square, (ms + BEGIN_MS) * MS)
        self._buttons = iter([gesture for gesture in gestures if gesture.kind in ("choose", "press")])
        self._button = next(self._buttons, None)
        self.run_until(gestures[-1].ms + BEGIN_MS + REST_MS)

    def run_until(self, ms: int) -> None:
        """Scans up to that time."""
        self._until_ns = ms * MS
        self._thread._stopping.clear()
        with mock.patch.object(scan, "time", self):
            self._thread.work()

    def moves(self) -> list[str]:
        """The moves as the journal has them at the end."""
        self.journal.append("none", Time(ms=0), []).result(10)
        return moves_of(self.journal)

    def events(self) -> list[AnyEvent]:
        """The events as the journal has them at the end."""
        self.journal.append("none", Time(ms=0), []).result(10)
        records = self.journal.after(0, 1_000_000)
        return [decode_event(record.body) for record in records if record.kind == "event"]

    def close(self) -> None:
        self.journal.close()

    # -- the module time -----------------------------------------------------------------------------------------

    def monotonic_ns(self) -> int:
        return self._ns

    def sleep(self, seconds: float) -> None:
        """Lets time pass; on the way the table is woken, and buttons are pressed."""
        end = self._ns + round(seconds * 1e9)
        if seconds > 0.001:  # between two scans; in the midst of one nobody looks
            self.on_scan()
            while (due := self.session.due_ns) is not None and due <= end:
                self._ns = max(self._ns, due)
                self.session.wake(self._ns)
            while self._button is not None and (self._button.ms + BEGIN_MS) * MS <= end:
                self._push(self._button)
                self._button = next(self._buttons, None)
            if end >= self._until_ns:
                self._thread.stop()
        self._ns = max(self._ns, end)

    def _push(self, button: Gesture) -> None:
        if button.kind == "press":
            self._take(LeverPress((button.ms + BEGIN_MS) * MS, button.side))
        else:
            command = Choose(ms=0, side=button.side, piece=button.piece)  # type: ignore[arg-type]
            self.session.command(to_builtins(command), self._ns)

    def _take(self, item: FromDevice) -> None:
        self.session.take(item)
        for notice in self.notices.current:
            if notice not in [known for _, known in self.noticed]:
                self.noticed.append((self.ms, notice))


def _config(folder: Path, fen: str, clock: str | None, board: dict[str, Any]) -> Config:
    return check(
        {
            "board": {"type": "matrix"} | board,
            "event": {"venue": "hall", "board": "7"} | ({"clock": clock} if clock else {}),
            "game": {"fen": fen},
            "start": {"ready_s": 0, "by": "at-once"},
            "pgn": {"directory": str(folder / "games")},
            "journal": {"path": str(folder / "wired.sqlite")},
        },
        "the test",
    )
