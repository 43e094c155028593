"""Feeds every parser of text absurd inputs, and demands one thing: it reads them, or refuses them by an error of ours.

    python tests/faults/fuzz.py [--inputs N] [--parser NAME] [--seed N] [--processes N]

What the inputs are is said in :mod:`damage`. One input is one text to one parser: a line of a log, a command, a
FEN, a configuration of a board and one more table, a PGN of a few moves; so many of each. Whole files, and whole logs
through the game and into words, are a twentieth as many: they take long, but what is read must be playable too.
Ends with one JSON line a parser; with status 1 where one failed, and then says with what.
"""

import argparse
import io
import json
import logging
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from damage import KEY, TOPIC, damaged, genuine, whole

from controller import pairing
from controller.cli.demo import game as demo_game
from controller.cli.explain import explain
from controller.cli.replay import judge, lines_of
from controller.config import load
from controller.contract import Session
from controller.daemon.commands import read_command
from controller.errors import JadoubeError
from controller.game import Game
from controller.game_details import GameConfig, GameDetails, MatchConfig
from controller.match import game_of
from controller.outlets.mqtt.command import read
from controller.outlets.mqtt.door import Door
from controller.outlets.mqtt.memory import Memory
from controller.tournament.reading import as_csv, is_trf, read_round, rounds_in
from controller.tournament.trf import Trf
from controller.wire import decode_event, decode_input, decode_session

MOVES = 40  #: inputs to one game, before the next begins
SLOW_S = 5.0  #: of the processor's time: no input may take longer
SLICE = 50_000  #: inputs that one process is given at a time; each slice has a seed of its own
FEWER = 20  #: times fewer, of what is whole

Parser = Callable[[bytes], object]


class Text:
    """A file that need not be written."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def open(self, _: str) -> io.BytesIO:
        return io.BytesIO(self._data)

    def __str__(self) -> str:
        return "fuzz"


def configuration(data: bytes) -> object:
    return load(Text(data))  # type: ignore[arg-type]


def pgn(data: bytes) -> object:
    return demo_game.read(Text(data))  # type: ignore[arg-type]


def pairings(data: bytes) -> object:
    return pairing.tags_of_game(pairing.decode(data), "fuzz", "3", None)


def rounds(data: bytes) -> object:
    """The last one, as an organiser gives it; then written, and filled in where it came from a report."""
    text = pairing.decode(data)
    found = read_round(text, "fuzz", max(rounds_in(text, "fuzz"), default=1))
    return as_csv(found), Trf(text, "fuzz").filled(found) if is_trf(text) else None


def fen(data: bytes) -> object:
    """As a configuration, a command and a session log say it; then the end of whatever game that is."""
    text = data.decode("utf-8", "replace")
    return game_of(decode_session(json.dumps({"type": "session", "version": 1, "fen": text}).encode())).finish()


def session_line(data: bytes) -> object:
    return game_of(decode_session(data))


DETAILS: tuple[GameDetails, GameDetails] = (GameConfig(), MatchConfig())


class Commands:
    """They come one after the other, to one game and then the next."""

    def __init__(self) -> None:
        self._number = 0
        self._game = Game(Session(version=1))

    def __call__(self, data: bytes) -> object:
        self._number += 1
        if self._number % MOVES == 0:
            self._game = Game(Session(version=1, clock=("300+2", None)[self._number // MOVES % 2]))
        item = read_command(read(data), 40 * (self._number % MOVES), DETAILS[self._number % 5 == 0])
        if isinstance(item, GameDetails) or item.board is not None:
            return item
        return self._game.handle(item)


class Signed:
    """One who knows a key of the door's, and many who do not; who is no signer is passed on as who he is."""

    def __init__(self) -> None:
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write(f"anna {KEY.hex()}\n")
        self._file = Path(file.name)
        self._memory = self._file.with_suffix(".memory")
        self._door = Door(TOPIC, "open", file.name, Memory(self._memory, 0))

    def __call__(self, data: bytes) -> object:
        return self._door.admit(read(data), "bob")

    def __del__(self) -> None:
        self._file.unlink(missing_ok=True)
        self._memory.unlink(missing_ok=True)


def session_log(data: bytes) -> object:
    return sum(map(len, judge(lines_of(io.BytesIO(data)), "fuzz")))


def told(data: bytes) -> object:
    """A session log or an event log, in words."""
    return sum(map(len, explain(lines_of(io.BytesIO(data)), "fuzz", "en")))


PARSERS: dict[str, Callable[[], Parser]] = {
    "configuration": lambda: configuration,
    "pgn": lambda: pgn,
    "pairings": lambda: pairings,
    "rounds": lambda: rounds,
    "fen": lambda: fen,
    "commands": Commands,
    "signed commands": Signed,
    "session lines": lambda: session_line,
    "input lines": lambda: decode_input,
    "event lines": lambda: decode_event,
}
WHOLE: dict[str, Callable[[], Parser]] = {
    "whole configurations": lambda: configuration,
    "whole games": lambda: pgn,
    "session logs": lambda: session_log,
    "event logs": lambda: told,
}


def fuzz(name: str, inputs: int, seed: int) -> Counter[str]:
    """How many were ``read``, and how many ``refused``.

    Raises whatever is raised that is no error of ours, and :exc:`TimeoutError` for one that takes too long.
    """
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # it says what we say too
    parse, seeds = (WHOLE[name](), whole(name)) if name in WHOLE else (PARSERS[name](), genuine(name))
    chance = random.Random(f"{name} {seed}")
    found = Counter[str]()
    for number in range(inputs):
        data = damaged(chance, seeds)
        began = time.process_time()
        try:
            parse(data)
            found["read"] += 1
        except JadoubeError:
            found["refused"] += 1
        except Exception:
            _show(name, seed, number, data)
            raise
        if time.process_time() - began > SLOW_S:
            _show(name, seed, number, data)
            raise TimeoutError(f"{name}: an input that takes {time.process_time() - began:.1f} s")
    return found


def _show(name: str, seed: int, number: int, data: bytes) -> None:
    print(f"{name}, seed {seed}, input {number}: {data[:3000]!r} ({len(data)} bytes)", file=sys.stderr, flush=True)


def at_length(name: str, inputs: int, seed: int, processes: int) -> dict[str, object]:
    """So many inputs, in slices with seeds from ``seed`` on. Raises what :func:`fuzz` raises."""
    since, found = time.monotonic(), Counter[str]()
    with multiprocessing.Pool(processes) as pool:
        for some in pool.imap_unordered(partial(_slice, name, inputs, seed), range(0, inputs, SLICE)):
            found += some
    return {"parser": name, "inputs": inputs, **found, "seed": seed, "seconds": round(time.monotonic() - since, 1)}


def _slice(name: str, inputs: int, seed: int, begin: int) -> Counter[str]:
    return fuzz(name, min(SLICE, inputs - begin), seed + begin // SLICE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=10_000_000, help=f"of what is whole, {FEWER} times fewer")
    parser.add_argument("--parser", choices=[*PARSERS, *WHOLE], action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    given = parser.parse_args()
    for name in given.parser or [*PARSERS, *WHOLE]:
        inputs = given.inputs // FEWER if name in WHOLE else given.inputs
        found: dict[str, Any] = at_length(name, inputs, given.seed, given.processes)
        print(json.dumps(found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
