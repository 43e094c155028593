"""The same as ``haste.py`` with real processes: ``jadoube run`` on a pseudo-terminal, killed by SIGKILL and started
anew, or with its cable pulled, while hands go on playing and pressing the clock on the board itself. In real time.

    python tests/faults/haste_real.py [--runs N] [--seed N]
"""

import argparse
import contextlib
import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import haste
from kills import JADOUBE, ROOT, scratch

from controller.contract import AnyEvent
from controller.journal.journal import opened
from controller.wire import decode_event
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.games import random_game
from hardware.simulator.habits import Gesture, Habits
from hardware.simulator.hands import play
from hardware.simulator.line import LineEmulator

BOARDS = ("dgt", "line")
KNOWN_MS = {"dgt": 200}  #: so much later than a hand the board's memory is, by which it reports and answers
PLIES = 12
QUICK = Habits(
    think_ms=(150, 500), carry_ms=(100, 200), reach_ms=(80, 150), press_ms=(80, 250), mover_first=0.3, choose_queen=True
)
START_S = 30.0  #: within which a daemon begins its game, on a busy machine
REST_S = 4.0


class Bench:
    """A board that players use, and the daemon that watches it."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.path = kind, folder / "journal.sqlite"
        self.board: Any = (DgtEmulator if kind == "dgt" else LineEmulator)(folder / "port")
        self.board.plug()
        self._config = folder / "board.toml"
        self._config.write_text(
            f'[board]\ntype = "{kind}"\nport = "{folder}/port"\n[event]\nclock = "7200+30"\n'
            f'[start]\nready_s = 0.1\nby = "at-once"\n[journal]\npath = "{self.path}"\n'
            f'[pgn]\ndirectory = "{folder}/games"\n'
        )
        self.start()

    def start(self) -> None:
        command = [*JADOUBE, str(self._config)]
        self._daemon = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        self._daemon.kill()
        self._daemon.wait()

    def stop(self) -> None:
        self._daemon.send_signal(signal.SIGTERM)
        self._daemon.wait()
        self.board.unplug()

    def begun(self) -> bool:
        """Whether there is a game; asked beside a daemon that may just be making the file."""
        try:
            with contextlib.closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)) as connection:
                return bool(connection.execute("SELECT 1 FROM record WHERE kind = 'event'").fetchone())
        except sqlite3.OperationalError:
            return False

    def events(self) -> list[AnyEvent]:
        reader = opened(self.path)
        try:
            return [decode_event(record.body) for record in reader.after(0, 1 << 30) if record.kind == "event"]
        finally:
            reader.close()

    def do(self, gesture: Gesture) -> None:
        if gesture.kind == "place":
            self.board.place(gesture.square, gesture.piece)
        elif gesture.kind == "lift":
            self.board.lift(gesture.square)
        elif gesture.kind == "press" and self.kind == "line":
            self.board.press(gesture.side)
        elif gesture.kind == "press":
            self.board.clock(3600, 3600, "right" if gesture.side == "white" else "left")


def game(kind: str, fault: str, seed: int, folder: Path) -> list[AnyEvent]:
    """Plays a game with a fault at a random moment; the accusations."""
    gestures = play(chess.Board(), random_game(seed, PLIES), QUICK, seed)
    begin, end = haste.anywhere(seed)(gestures)
    bench = Bench(kind, folder)
    lag = KNOWN_MS.get(kind, 0)
    acts: list[tuple[int, Callable[[], None]]] = [
        (g.ms + lag * (g.square >= 0), lambda g=g: bench.do(g))  # type: ignore[misc]
        for g in gestures
    ]
    acts += [(begin, bench.kill), (end, bench.start)] if fault == "kill" else []
    acts += [(begin, bench.board.unplug), (end, bench.board.plug)] if fault == "cable" else []
    try:
        deadline = time.monotonic() + START_S
        while not bench.begun():
            if time.monotonic() > deadline:
                raise TimeoutError("no game begins")
            time.sleep(0.05)
        if kind == "dgt":
            bench.board.clock(3600, 3600, "left")
        began = time.monotonic()
        for ms, act in sorted(acts, key=lambda one: one[0]):
            time.sleep(max(0.0, began + ms / 1000 - time.monotonic()))
            act()
        time.sleep(REST_S)
    finally:
        bench.stop()
    return [event for event in bench.events() if isinstance(event, haste.ACCUSED)]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    failed = False
    for fault in haste.FAULTS:
        for kind in BOARDS:
            accused = 0
            for seed in range(given.seed, given.seed + given.runs):
                with scratch() as folder:
                    said = game(kind, fault, seed, folder)
                accused += len(said)
                for event in said:
                    print(f"{kind} {fault} {seed}: {event}", flush=True)
            print(json.dumps({"name": f"real {fault}s, {kind} board", "runs": given.runs, "accusations": accused}))
            failed |= bool(accused)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
