"""How long from an edge to a subscriber: a press handed to the daemon, the move it makes heard from a broker.

Real mosquitto, real journal with a commit to disk before anything is sent; the pieces stand on an emulated DGT board,
read from a pseudo-terminal. A press releases at once, so nothing of the debounce, brush or release times is in it. It
comes from a thread of its own, as a driver's does, while the loop rests; `--rest 0.03`: so soon after the last piece
was set down that it waits until the board has been asked once more. The floor, measured in turn with it: a bare durable
commit of SQLite, in the same folder, followed by a bare aiomqtt publication, of the same size and quality of service,
from the same process to the same subscriber in another. No daemon that commits before it sends can be faster. Prints
one JSON line; the figure is p99 ÷ p99.
"""

import argparse
import asyncio
import json
import queue
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiomqtt
import chess
from aiomqtt import ProtocolVersion

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from hall import MOSQUITTO, Mosquitto, until

from controller.config import check
from controller.contract import Side
from controller.daemon.service import Daemon
from controller.journal.store import connect
from hardware.boards import LeverPress
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.games import random_game

GOAL = 1.3
REST_S = 0.03  #: between two acts; players are thirty times slower
STILL_S = (
    0.3  #: from the last piece set down to the press; sooner, the board would be asked once more what stands there
)
PAYLOAD = b'{"seq":1234,"type":"move","filler":"' + b"x" * 160 + b'"}'
ROWS = 4  #: of a press: the input, the move, that it is completed, the clock
BASE = "jadoube/v1/bench/board/1/move"


LISTENER = f"""
import asyncio, sys, time, aiomqtt
async def listen():
    async with aiomqtt.Client("127.0.0.1", int(sys.argv[1]), protocol=aiomqtt.ProtocolVersion.V5) as client:
        await client.subscribe("{BASE}", qos=1)
        print(0, flush=True)
        async for message in client.messages:
            now = time.monotonic_ns()
            if b'"type":"move"' in message.payload:
                print(now, flush=True)
asyncio.run(listen())
"""


class Driver:
    """A thread that lasts, as a driver's does: it sleeps, samples a press, hands it over, and sleeps again."""

    def __init__(self, daemon: Daemon, rest_s: float) -> None:
        self._daemon, self._rest_s = daemon, rest_s
        self._asked: queue.SimpleQueue[Side] = queue.SimpleQueue()
        self.sampled_ns = 0  #: when the last press was
        threading.Thread(target=self._run, daemon=True).start()

    def press(self, side: Side) -> None:
        """Within a moment, when all has come to rest."""
        self._asked.put(side)

    def _run(self) -> None:
        while True:
            side = self._asked.get()
            time.sleep(self._rest_s)
            self.sampled_ns = time.monotonic_ns()
            self._daemon.only.emit(LeverPress(self.sampled_ns, side))


class Ears:
    """A subscriber in a process of its own, which says when it heard of a move."""

    async def open(self, port: int) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", LISTENER, str(port), stdout=asyncio.subprocess.PIPE
        )
        await self._next()

    async def after_press(self, driver: Driver, side: Side) -> float:
        """Milliseconds from the sample of a press to the move that it makes."""
        driver.press(side)
        return (await self._next() - driver.sampled_ns) / 1e6

    async def after_commit(self, disk: "Disk", client: aiomqtt.Client) -> tuple[float, float]:
        """Milliseconds from the beginning of a bare commit to the arrival of a bare publication after it; and those of
        the commit alone.
        """
        await asyncio.sleep(REST_S)
        began = time.monotonic_ns()
        disk.commit()
        committed = time.monotonic_ns()
        await client.publish(BASE, PAYLOAD, qos=1)
        return (await self._next() - began) / 1e6, (committed - began) / 1e6

    async def close(self) -> None:
        self._process.kill()
        await self._process.wait()

    async def _next(self) -> int:
        assert self._process.stdout is not None
        return int(await asyncio.wait_for(self._process.stdout.readline(), 10))


class Disk:
    """A database of its own beside the journal, with nothing but rows."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        self._connection.execute("CREATE TABLE row (body BLOB)")

    def commit(self) -> None:
        """Makes as many rows durable as a press writes."""
        with self._connection:
            self._connection.executemany("INSERT INTO row VALUES (?)", [(PAYLOAD,)] * ROWS)


async def measure(port: int, folder: Path, pieces: DgtEmulator, plies: int, seed: int, rest_s: float) -> dict[str, Any]:
    """Plays random games on an identity board, a bare commit and publication after each ply."""
    config = check(
        {
            "board": {"type": "dgt", "port": str(folder / "dgt")},
            "event": {"venue": "bench", "clock": "36000", "settings": {"release_ms": 60_000}},  # a press releases
            "start": {"by": "at-once", "ready_s": 0},
            "mqtt": {"host": "127.0.0.1", "port": port},
            "pgn": {"directory": str(folder / "games")},
            "journal": {"path": str(folder / "journal.sqlite")},
        },
        "the benchmark",
    )
    daemon = Daemon(config)
    serving = asyncio.create_task(daemon.run())
    ours: list[float] = []
    bare: list[tuple[float, float]] = []
    driver, ears, disk = Driver(daemon, rest_s), Ears(), Disk(folder / "probe")
    await ears.open(port)
    async with aiomqtt.Client("127.0.0.1", port, protocol=ProtocolVersion.V5) as publisher:

        def show(board: chess.Board) -> None:
            for empty in (True, False):  # squares left come before squares taken
                for square in chess.SQUARES:
                    piece = board.piece_at(square)
                    now = piece.symbol() if piece else ""
                    if (now == "") == empty and now != pieces.pieces[square]:
                        pieces.place(square, now)

        await until(lambda: daemon.only.session.playing and daemon.journal.cursor("mqtt"))
        number = 0
        while len(ours) < plies:
            board = chess.Board()
            for move in random_game(seed + number, 100):
                side: Side = "white" if board.turn else "black"
                board.push(move)
                if board.is_game_over():
                    break
                show(board)
                ours.append(await ears.after_press(driver, side))
                bare.append(await ears.after_commit(disk, publisher))
            number += 1
            show(chess.Board())
            await asyncio.sleep(0.05)
            await daemon.only.carry_out({"type": "new-game", "insist": True})
        daemon.stop()
        await serving
    await ears.close()
    both, commits = zip(*bare, strict=True)
    p99, floor = _p99(ours), _p99(both)
    return {
        "name": "edge to subscriber",
        "figure": round(p99 / floor, 2),
        "unit": "p99 ÷ p99 of a bare commit and a bare publication",
        "goal": GOAL,
        "p99_ms": round(p99, 2),
        "median_ms": round(statistics.median(ours), 2),
        "floor": round(floor, 2),
        "floor_median_ms": round(statistics.median(both), 2),
        "commit_p99_ms": round(_p99(commits), 2),
        "commit_median_ms": round(statistics.median(commits), 2),
        "plies": len(ours),
    }


def _p99(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rest", type=float, default=STILL_S)
    arguments = parser.parse_args()
    if MOSQUITTO is None:
        print(json.dumps({"name": "edge to subscriber", "skipped": "mosquitto is not installed: make broker"}))
        return
    build = Path(__file__).resolve().parents[2] / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        broker = Mosquitto(Path(folder))
        try:
            with DgtEmulator(Path(folder) / "dgt") as pieces:
                found = asyncio.run(
                    measure(broker.port, Path(folder), pieces, arguments.plies, arguments.seed, arguments.rest)
                )
            print(json.dumps(found))
        finally:
            broker.kill()


if __name__ == "__main__":
    main()
