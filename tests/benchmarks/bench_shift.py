"""What a board of shift registers costs: the real thread and driver at its usual rate, above SPI made of numbers.

The answers are prepared, for it is the driver that is measured and not the simulation of eight chips; a real transfer
of 80 clocks waits for the kernel 0.1 ms, without work for the processor. The floor, measured after it: as many wake-ups
with nothing to do. Prints one JSON line. ``--seconds`` 20.
"""

import argparse
import json
import time
from collections.abc import Sequence

from hardware.boards.readings import FromDevice
from hardware.boards.scan import ScanThread
from hardware.boards.shift import ShiftBoard, ShiftConfig
from hardware.order import ALL
from hardware.simulator.contacts import START


class Answers:
    """An SPI device that says at once what stands on the board."""

    mode = 0
    max_speed_hz = 0
    answer = (START ^ ALL).to_bytes(8, "little") + b"\0"

    def xfer2(self, values: Sequence[int], /) -> Sequence[int]:
        return list(self.answer[: len(values)])

    def writebytes2(self, _: bytes, /) -> None:
        raise AssertionError("nothing is written to shift registers that are read")

    def close(self) -> None: ...


def measure(seconds: float) -> dict[str, object]:
    items: list[FromDevice] = []
    config = ShiftConfig()
    thread = ScanThread(ShiftBoard(config, lambda *_: Answers()), items.append, config.scan_hz)
    wall, cpu = time.monotonic(), time.process_time()
    thread.start()
    time.sleep(seconds)
    thread.stop()
    wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    bare = time.process_time()
    for _ in range(thread.scans):
        time.sleep(1 / config.scan_hz)
    bare = time.process_time() - bare
    return {
        "name": "shift",
        "figure": round(cpu / wall, 4),
        "unit": "share of one core",
        "goal": 0.01,
        "floor": round(bare / wall, 4),
        "late": thread.late,
        "scans_per_second": round(thread.scans / wall, 1),
        "readings": len(items),
        "seconds": round(wall, 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    print(json.dumps(measure(parser.parse_args().seconds)))
