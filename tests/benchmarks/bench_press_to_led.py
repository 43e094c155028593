"""How long from a press of the lever to the LED of the other player: the whole daemon, simulated switch and LEDs.

In it: the poll of the lever, the debounce of its contact and of the board, the commit to disk, the journal read back,
the light's thread. Prints one JSON line, in ms.
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

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from hall import running, until

from controller.config import check
from controller.contract import Side
from hardware.boards.simulated import SimulatedBoard
from hardware.clocks.lights import Lights
from hardware.clocks.simulated import SimulatedLever
from hardware.simulator.games import random_game
from hardware.simulator.leds import Leds

GOAL_MS = 20.0
REST_S = 0.12  #: from the move to the press


async def measure(folder: Path, presses: int) -> dict[str, Any]:
    config = check(
        {
            "board": {"type": "simulated"},
            "event": {"clock": "36000", "settings": {"release_ms": 60, "brush_ms": 20}},
            "clock": {"type": "simulated", "lights": {}},
            "start": {"ready_s": 0.1},
            "pgn": {"directory": str(folder / "games")},
            "journal": {"path": str(folder / "journal.sqlite")},
        },
        "the benchmark",
    )
    waits: list[float] = []
    async with running(config) as daemon:
        board, lever, lights = daemon.only.boards[None], daemon.only.clocks[None], daemon.only.shows.drivers["lights"]
        assert isinstance(board, SimulatedBoard)
        assert isinstance(lever, SimulatedLever)
        assert isinstance(lights, Lights)
        pin_of: dict[Side, int] = {"white": 14, "black": 15}
        await until(lambda: lever.alive_ns and board.alive_ns and lights.alive_ns)
        leds = lights.pins
        assert isinstance(leds, Leds)
        await asyncio.sleep(0.3)
        lever.press("black")
        await until(lambda: leds.level(pin_of["white"]))
        moves = [move for move in random_game(1, presses) if not move.promotion]
        position = chess.Board()
        for move in moves:
            side: Side = "white" if position.turn else "black"
            other: Side = "black" if position.turn else "white"
            before = position.occupied
            position.push(move)
            if position.is_game_over():
                break
            for square in chess.scan_forward(before & ~position.occupied):
                board.electrical.lift(square)
            if before >> move.to_square & 1:  # a capture: the square is seen empty
                board.electrical.lift(move.to_square)
            await asyncio.sleep(0.05)
            for square in chess.scan_forward(position.occupied & ~(before & ~chess.BB_SQUARES[move.to_square])):
                board.electrical.place(square)
            await asyncio.sleep(REST_S)
            pressed = time.monotonic_ns()
            lever.press(side)
            await until(lambda other=other: leds.level(pin_of[other]))
            lit = next(ns for ns, level in leds.changes[pin_of[other]] if ns >= pressed and level)
            waits.append((lit - pressed) / 1e6)
    return {
        "name": "press to LED",
        "figure": round(statistics.quantiles(waits, n=100)[98], 1),
        "unit": "ms, p99",
        "goal": GOAL_MS,
        "median_ms": round(statistics.median(waits), 1),
        "presses": len(waits),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=100)
    build = Path(__file__).resolve().parents[2] / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        print(json.dumps(asyncio.run(measure(Path(folder), parser.parse_args().presses))))
