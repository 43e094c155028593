"""Through how many files of ours a move passes, from the port to MQTT: a real move on an emulated DGT board, the daemon
with nothing else to do, a real mosquitto.

Prints one JSON line: the files in which something runs between the lift and the ``move`` that is heard, and did not run
while the board stood still. ``--list`` names them, each with what runs there.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType

import chess

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "daemon"))

from hall import Mosquitto, Subscriber, running, until  # noqa: E402

from controller.config import check  # noqa: E402
from hardware.simulator.dgt import DgtEmulator  # noqa: E402

STILL_S = 3.0

Ran = dict[str, set[str]]


class Seen:
    """What runs, as long as somebody looks."""

    def __init__(self) -> None:
        self.ran: Ran | None = None

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if self.ran is not None and event == "call" and path.startswith(str(ROOT)):
            name = path.removeprefix(f"{ROOT}/")
            if name.startswith(("controller/", "hardware/")) and "/simulator/" not in name:
                self.ran[name].add(frame.f_code.co_qualname)


async def passed(folder: Path, seen: Seen) -> Ran:
    """What runs for a move."""
    broker = Mosquitto(folder)
    tables = {
        "board": {"type": "dgt", "port": str(folder / "port")},
        "event": {"venue": "hall", "board": "7"},
        "start": {"ready_s": 0.2},
        "mqtt": {"host": "127.0.0.1", "port": broker.port},
        "journal": {"path": str(folder / "journal.sqlite")},
        "pgn": {"directory": str(folder / "games")},
    }
    with DgtEmulator(folder / "port") as board:
        async with Subscriber(broker.port) as hall, running(check(tables, "the measurement")) as daemon:
            await until(lambda: daemon.only.session.playing)
            await asyncio.sleep(STILL_S)
            seen.ran = still = defaultdict(set)
            await asyncio.sleep(STILL_S)
            seen.ran = moved = defaultdict(set)
            board.lift(chess.E2)
            await asyncio.sleep(0.1)
            board.place(chess.E4, "P")
            await until(lambda: any(topic == "move" for topic, _, _ in hall.heard))
            seen.ran = None
    broker.kill()
    return {name: more for name, ran in sorted(moved.items()) if (more := ran - still[name])}


def measure(names: bool) -> dict[str, object]:
    began, seen = time.monotonic(), Seen()
    threading.setprofile(seen)
    sys.setprofile(seen)
    with tempfile.TemporaryDirectory() as folder:
        ran = asyncio.run(passed(Path(folder), seen))
    sys.setprofile(None)
    rooms: dict[str, int] = defaultdict(int)
    for name, functions in ran.items():
        rooms["/".join(name.split("/")[:2])] += 1
        if names:
            print(f"{name:<36} {' '.join(sorted(functions))}", file=sys.stderr)
    figures = {room: count for room, count in rooms.items() if not room.endswith(".py")}
    figures["controller/*.py"] = len(ran) - sum(figures.values())
    seconds = round(time.monotonic() - began, 1)
    return {"name": "way", "figure": len(ran), "unit": "files", "rooms": figures, "seconds": seconds}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true")
    print(json.dumps(measure(parser.parse_args().list)))
