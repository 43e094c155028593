"""How long from an edge to a subscriber: a press handed to the daemon, the move it makes heard from a broker.

Real mosquitto, real journal with a commit to disk before anything is sent. A press releases at once, so nothing of the
debounce, brush or release times is in it. The floor, measured in turn with it: a bare aiomqtt publication of the same
size to the same subscriber. Prints one JSON line; the figure is p99 ÷ p99.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiomqtt
import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from hall import MOSQUITTO, Mosquitto, until

from controller.config import check
from controller.daemon.sensed import shown_at
from controller.daemon.service import Daemon
from hardware.boards import Change, LeverPress
from hardware.simulator.games import random_game

GOAL = 2.0
REST_S = 0.05  #: between two acts; players are ten times slower
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


class Ears:
    """A subscriber in a process of its own, which says when it heard of a move."""

    async def open(self, port: int) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", LISTENER, str(port), stdout=asyncio.subprocess.PIPE
        )
        await self._next()

    async def after(self, act: Callable[[], Awaitable[None] | None]) -> float:
        """Milliseconds from ``act`` to what it leads to."""
        began = time.monotonic_ns()
        if (done := act()) is not None:
            await done
        return (await self._next() - began) / 1e6

    async def close(self) -> None:
        self._process.kill()
        await self._process.wait()

    async def _next(self) -> int:
        assert self._process.stdout is not None
        return int(await asyncio.wait_for(self._process.stdout.readline(), 10))


async def measure(port: int, folder: Path, plies: int, seed: int) -> dict[str, Any]:
    """Plays random games on an identity board, a bare publication after each ply."""
    config = check(
        {
            "board": {"type": "dgt", "port": "/dev/null/none"},  # no device: the edges are handed over below
            "event": {"venue": "bench", "clock": "36000"},
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
    bare: list[float] = []
    ears = Ears()
    await ears.open(port)
    async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as publisher:
        shown = [""] * 64

        def show(board: chess.Board) -> None:
            for empty in (True, False):  # squares left come before squares taken
                for square in chess.SQUARES:
                    piece = board.piece_at(square)
                    now = piece.symbol() if piece else ""
                    if (now == "") == empty and now != shown[square]:
                        shown[square] = now
                        daemon.emit(Change(time.monotonic_ns(), square, now))

        for square, piece in enumerate(shown_at(chess.Board(), identity=True)):
            shown[square] = piece
            daemon.emit(Change(time.monotonic_ns(), square, piece))
        await until(lambda: daemon.table.playing and daemon.journal.cursor("mqtt"))
        number = 0
        while len(ours) < plies:
            board = chess.Board()
            for move in random_game(seed + number, 100):
                side = "white" if board.turn else "black"
                board.push(move)
                if board.is_game_over():
                    break
                show(board)
                await asyncio.sleep(REST_S)
                press = LeverPress(time.monotonic_ns(), "white" if side == "white" else "black")
                ours.append(await ears.after(lambda press=press: daemon.emit(press)))
                await asyncio.sleep(REST_S)
                payload = b'{"seq":1234,"type":"move","filler":"' + b"x" * 160 + b'"}'
                bare.append(await ears.after(lambda payload=payload: publisher.publish(BASE, payload, qos=1)))
            number += 1
            show(chess.Board())
            await asyncio.sleep(0.05)
            await daemon.carry_out(b'{"type":"new-game"}')
    await ears.close()
    daemon.stop()
    await serving
    p99, floor = _p99(ours), _p99(bare)
    return {
        "name": "edge to subscriber",
        "figure": round(p99 / floor, 2),
        "unit": "p99 ÷ p99 of a bare publication",
        "goal": GOAL,
        "p99_ms": round(p99, 2),
        "median_ms": round(statistics.median(ours), 2),
        "floor": round(floor, 2),
        "floor_median_ms": round(statistics.median(bare), 2),
        "plies": len(ours),
    }


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if MOSQUITTO is None:
        print(json.dumps({"name": "edge to subscriber", "skipped": "mosquitto is not installed: make broker"}))
        return
    build = Path(__file__).resolve().parents[2] / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        broker = Mosquitto(Path(folder))
        try:
            print(json.dumps(asyncio.run(measure(broker.port, Path(folder), arguments.plies, arguments.seed))))
        finally:
            broker.kill()


if __name__ == "__main__":
    main()
