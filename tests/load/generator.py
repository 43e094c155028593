"""The process of all boards. It begins at ``play`` on its standard input, and plays no more after ``stop``. The boards
stay to tell again what a broker that was killed had taken and lost, until that input ends.

    python -m load.generator GAMES LOG --boards 1000 --events 1000 --hosts 127.0.0.1:1883 …

``cut N SECONDS``: the cable of that board is out. ``LOG``: of each event a line as it came to stand in its journal,
before it is sent: nanoseconds since 1970, the board's number, the payload. Says on its standard output, a JSON object a
line, when all are ``connected``, and at the end what it did.
"""

import argparse
import asyncio
import gc
import gzip
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from load import session
from load.outbox import HEAD_S, HEALTH_S, Board, Message, Step, Stream

HOLES = {"ORIGIN": -1, "GAME": -2, "BOARD": -3}
ARRIVE_S = 50  #: boards that come a second
LOOK_S = 0.2


class Generator:
    """All boards; ``events``: a second, of all of them."""

    def __init__(
        self, games: Path, log: Path, hosts: list[tuple[str, int]], events: float, boards: int, level: int
    ) -> None:
        self.hosts, self.level = hosts, level
        self.streams = [*read(games)]
        self.events_s = events / boards
        self.over = False
        self._left = asyncio.Event()  # by who told us what to do
        self.published = self.again = self.breaks = self.events = 0
        self._log = log.open("wb", buffering=2**16)
        self.boards = [Board(self, number) for number in range(1, boards + 1)]

    def log(self, number: int, payload: bytes) -> None:
        """What stands in a journal from now on."""
        self.events += 1
        self._log.write(b"%d %d %b\n" % (time.time_ns(), number, payload))

    async def run(self) -> None:
        """Until told to stop, all is told, and nobody is there any more."""
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(self._arrive(n, board)) for n, board in enumerate(self.boards)]
            running.append(tasks.create_task(self._obey()))
            while not all(board._compared for board in self.boards):
                await asyncio.sleep(LOOK_S)
            print(json.dumps({"connected": len(self.boards)}), flush=True)
            while not self.over:
                await asyncio.sleep(LOOK_S)
            ended_s = loop.time()
            while not all(board.is_told for board in self.boards):
                await asyncio.sleep(LOOK_S)
            self._log.flush()
            print(json.dumps(self._did() | {"outboxes_empty_s": round(loop.time() - ended_s, 1)}), flush=True)
            await self._left.wait()
            for task in running:
                task.cancel()

    async def _arrive(self, turn: int, board: Board) -> None:
        await asyncio.sleep(turn / ARRIVE_S)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(board.run())
            tasks.create_task(_again(HEAD_S, board.tell_head))
            tasks.create_task(_again(HEALTH_S, board.tell_health))

    async def _obey(self) -> None:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        async for line in reader:
            match line.decode().split():
                case ["play"]:
                    for n, board in enumerate(self.boards):  # within the first ten seconds
                        loop.call_later(10 * n / len(self.boards), board.begin)
                case ["cut", number, seconds]:
                    self.boards[int(number) - 1].cut(float(seconds))
                case ["stop"]:
                    self.over = True
        self.over = True
        self._left.set()

    def _did(self) -> dict[str, Any]:
        used = resource.getrusage(resource.RUSAGE_SELF)
        return {
            "events": self.events,
            "published": self.published,
            "sent_again": self.again,
            "breaks": self.breaks,
            "cpu_s": round(used.ru_utime + used.ru_stime, 1),
            "peak_mb": round(used.ru_maxrss / 1024),
        }


async def _again(every_s: float, do: Any) -> None:
    while True:
        await asyncio.sleep(every_s)
        do()


def read(games: Path) -> list[Stream]:
    """What :mod:`load.recording` wrote."""
    found = []
    with gzip.open(games, "rt") as file:
        for line in file:
            game = json.loads(line)
            steps = [
                Step(
                    step["ms"],
                    step["last"],
                    tuple((_message(*each[:3]), each[3]) for each in step["events"]),
                    tuple(_message(*each) for each in step["retained"]),
                )
                for step in game["steps"]
            ]
            found.append(Stream(game["origin"], game["game"], game["board"], steps))
    return found


def _message(topics: list[str], form: str, holes: list[int | str]) -> Message:
    numbers = tuple(HOLES[hole] if isinstance(hole, str) else hole for hole in holes)
    return tuple(topic.encode() for topic in topics), form.encode(), numbers


def address(text: str) -> tuple[str, int]:
    host, _, port = text.partition(":")
    return host, int(port)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=Path)
    parser.add_argument("log", type=Path)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--events", type=float, default=1000.0, help="a second, of all boards")
    parser.add_argument("--hosts", type=address, nargs="+", required=True)
    parser.add_argument("--mqtt", type=int, choices=(session.V311, session.V5), default=session.V311)
    given = parser.parse_args()
    generator = Generator(given.games, given.log, given.hosts, given.events, given.boards, given.mqtt)
    gc.freeze()
    await generator.run()


if __name__ == "__main__":
    asyncio.run(main())
