"""What the scan loop costs: the real thread and matrix driver above simulated pins, 200 scans a second.

Prints one JSON line: the share of one core, and how many scans were late by more than a period. ``--seconds`` 60.
"""

import argparse
import json
import time

from hardware.boards.readings import FromDevice
from hardware.boards.simulated import SimulatedBoard, SimulatedConfig


def measure(seconds: float) -> dict[str, object]:
    """Half of it a resting board, half one on which a piece is set down or taken up ten times a second."""
    items: list[FromDevice] = []
    board = SimulatedBoard(SimulatedConfig(), items.append)
    wall, cpu = time.monotonic(), time.process_time()
    board.start()
    time.sleep(seconds / 2)
    for _ in range(round(seconds / 2 / 0.2)):
        board.electrical.lift(12)
        time.sleep(0.1)
        board.electrical.place(12)
        time.sleep(0.1)
    board.stop()
    wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    return {
        "name": "scan",
        "figure": round(cpu / wall, 4),
        "unit": "share of one core",
        "goal": 0.10,
        "late": board.late,
        "late_goal": 0,
        "scans_per_second": round(board.scans / wall, 1),
        "readings": len(items),
        "seconds": round(wall, 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    print(json.dumps(measure(parser.parse_args().seconds)))
