"""Two hundred spectators on server-sent events: how late each hears of a move, and what that does to the board.

The readers are in a process of their own and read as browsers do; a move is heard when a reader has all of its event.
Every one of them must hear every move. The board's own latency is from the sample of a press to its record on the disk,
as who waits for it in the daemon sees it; games are played with the crowd and without it in turn. Prints one JSON line;
the figure is p99 of all readers and moves.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pages import Shown, configuration, console, side_of, until

from controller.contract import Completed
from controller.daemon.service import Daemon
from controller.wire import decode_event

SPECTATORS = 200
GOAL_MS = 500
REST_S = 0.25
ROUND = 50  #: moves with the crowd, then as many without

CROWD = """
import asyncio, sys, time
async def read(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
    writer.write(b"GET /events HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n")
    await reader.readuntil(b"\\r\\n\\r\\n")
    while (size := int(await reader.readline(), 16)):
        text = await reader.readexactly(size + 2)
        now = time.monotonic_ns()
        at = text.find(b'"moves":[')
        if at >= 0:
            moves = text[at + 9 : text.index(b"]", at)]
            print(now, moves.count(b",") + 1 if moves else 0)
async def main():
    readers = [asyncio.create_task(read(int(sys.argv[1]))) for _ in range(int(sys.argv[2]))]
    async def flush():
        while True:
            await asyncio.sleep(0.05)
            sys.stdout.flush()
    await asyncio.gather(flush(), *readers)
asyncio.run(main())
"""


class Crowd:
    """The readers: when each move of the game, by its number, was heard."""

    def __init__(self) -> None:
        self.heard: dict[int, list[int]] = {}

    async def __aenter__(self) -> "Crowd":
        return self

    async def join(self, port: int, size: int) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CROWD, str(port), str(size), stdout=asyncio.subprocess.PIPE
        )
        self._task = asyncio.create_task(self._listen())

    async def leave(self) -> None:
        self._task.cancel()
        self._process.kill()
        await self._process.wait()

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            at, number = line.split()
            self.heard.setdefault(int(number), []).append(int(at))


async def recorded(daemon: Daemon, since: int) -> int:
    """When the move completed after record ``since`` was known to be on the disk."""
    seq = since
    while True:
        await daemon.journal.wait(seq)
        now = time.monotonic_ns()
        for record in daemon.journal.after(seq):
            seq = record.seq
            if record.kind == "event" and isinstance(decode_event(record.body), Completed):
                return now


async def measure(folder: Path, rounds: int, size: int, seed: int) -> dict[str, Any]:
    daemon = Daemon(configuration(folder))
    serving = asyncio.create_task(daemon.run())
    shown = Shown(daemon)
    await shown.ready()
    late: list[float] = []
    missed = 0
    own: dict[bool, list[float]] = {True: [], False: []}
    crowded, crowd, played = False, Crowd(), 0
    async for board, move in shown.games(seed):
        if played % ROUND == 0:
            if crowded:
                await crowd.leave()
            if played == 2 * ROUND * rounds:
                break
            crowded = not crowded
            if crowded:
                await crowd.join(console(daemon).port, size)
                await until(lambda: sum(map(len, crowd.heard.values())) >= size, 30)
        played += 1
        crowd.heard.clear()
        since = daemon.journal.head.seq
        shown.play(board, move)
        await asyncio.sleep(REST_S / 4)
        pressed = shown.press(side_of(board))
        own[crowded].append((await recorded(daemon, since) - pressed) / 1e6)
        await asyncio.sleep(REST_S)
        if crowded:
            number = board.ply() + 1
            await until(lambda number=number: len(crowd.heard.get(number, [])) >= size, 5)
            heard = crowd.heard[number]
            missed += size - len(heard)
            late += [(at - pressed) / 1e6 for at in heard]
    daemon.stop()
    await serving
    return {
        "name": "spectators",
        "figure": round(p99(late), 1),
        "unit": f"ms from the press to {size} spectators, p99",
        "goal": GOAL_MS,
        "median_ms": round(statistics.median(late), 1),
        "worst_ms": round(max(late), 1),
        "missed": missed,
        "moves": len(own[True]),
        "own_p99_ms": round(p99(own[True]), 2),
        "own_p99_alone_ms": round(p99(own[False]), 2),
        "own_median_ms": round(statistics.median(own[True]), 2),
        "own_median_alone_ms": round(statistics.median(own[False]), 2),
    }


def p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--spectators", type=int, default=SPECTATORS)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(Path(folder), given.rounds, given.spectators, given.seed))))


if __name__ == "__main__":
    main()
