"""Moves, deletes and replaces the files of a journal at work, and demands that nothing is lost and nobody misled.

    python tests/faults/moves.py [--moves N] [--seed N]

What is acknowledged must be found at the path by then, by another that looks there; it must be said what happened, and
nothing may be lost. Ends with one JSON line; with status 1 where one of these does not hold.
"""

import argparse
import json
import logging
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from broker import Play
from kills import scratch
from wounds import NAME, ROOM, State, UnnoticedError, states

from controller.contract import Time
from controller.journal import Journal, store, writer
from controller.journal.pages import beside


def moved(path: Path, chance: random.Random, older: State) -> str:
    """Does something to the files of a journal that is open."""
    elsewhere = path.with_name("elsewhere")

    def replace(part: str, data: bytes) -> None:
        new = path.with_name("new")
        new.write_bytes(data)
        new.rename(beside(path, part))

    def folder() -> None:
        path.parent.rename(path.parent.with_name(f"moved-{time.monotonic_ns()}"))

    ways: dict[str, Callable[[], object]] = {
        "database moved": lambda: path.rename(elsewhere),
        "database deleted": path.unlink,
        "database emptied by replacement": lambda: replace("", b""),
        "database replaced by a copy": lambda: replace("", path.read_bytes()),
        "database replaced by an older copy": lambda: replace("", (older.folder / "copy").read_bytes()),
        "database replaced by something else": lambda: replace("", b"something else" * 1000),
        "log deleted": beside(path, "-wal").unlink,
        "log replaced": lambda: replace("-wal", b""),
        "index deleted": beside(path, "-shm").unlink,
        "all deleted": lambda: [file.unlink() for file in path.parent.glob(f"{NAME}*")],
        "folder moved": folder,
        "witness deleted": beside(path, "-witness").unlink,
        "lock deleted": beside(path, "-lock").unlink,
    }
    way = chance.choice(sorted(ways))
    ways[way]()
    return way


def at_work(moves: int, seed: int, work: Path) -> dict[str, Any]:
    """So many of these. Raises :exc:`UnnoticedError`."""
    began, chance = time.monotonic(), random.Random(seed)
    writer.RETRY_S, writer.LOOK_S, writer.SYNC_S, store.ROOM = 0.01, 0.02, 0.01, ROOM
    made = states(work, seed)
    done: Counter[str] = Counter()
    for number in range(moves):
        path = work / f"at-work-{number}" / NAME
        journal = Journal(path)
        told: list[str] = []
        journal.on_restored = lambda restored, told=told: told.append(restored.notice().what)  # type: ignore[misc]
        Play(journal, random.Random(number)).go_on(chance.randrange(1, 80))
        journal.append("none", Time(ms=0), []).result(10)
        origin, before = journal.origin, {record.seq: record for record in journal.after(0, 10**6)}
        way = moved(path, chance, made["older"])
        done[way] += 1
        try:
            if chance.random() < 0.5:  # nobody plays: it is noticed all the same
                until = time.monotonic() + 10
                while not told and way not in ("witness deleted", "lock deleted") and time.monotonic() < until:
                    time.sleep(0.005)
            for ms in range(5):
                seq = journal.append("none", Time(ms=ms), []).result(10)
                _check_found(path, seq)
            after = {record.seq: record for record in journal.after(0, 10**6)}
            if any(after.get(seq) != record for seq, record in before.items()) or journal.origin != origin:
                raise UnnoticedError("rows are lost, or the name is another one")
            if bool(told) == (way in ("witness deleted", "lock deleted")):
                raise UnnoticedError(f"it is said that {told}")
            journal.close()
            again = Journal(path)
            again.verify()
            if again.restored is not None or again.head.seq != seq:
                raise UnnoticedError("it is not whole afterwards")
            again.close()
        except Exception:
            print(f"seed {seed}, move {number}: {way}", flush=True)
            raise
        shutil.rmtree(path.parent)
    return {
        "name": "files moved at work",
        "moves": dict(sorted(done.items())),
        "lost": 0,
        "seconds": round(time.monotonic() - began, 1),
    }


def _check_found(path: Path, seq: int) -> None:
    """Whoever looks at the path by now finds that row."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / NAME
        for suffix in ("", "-wal"):
            shutil.copy(beside(path, suffix), beside(copy, suffix))
        with sqlite3.connect(copy) as connection:
            if connection.execute("SELECT max(seq) FROM record").fetchone()[0] < seq:
                raise UnnoticedError(f"{seq} was acknowledged, and is not there")
        connection.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--moves", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.disable()
    try:
        with scratch() as work:
            print(json.dumps(at_work(given.moves, given.seed, work)), flush=True)
    except Exception as error:
        print(json.dumps({"name": "files moved at work", "failed": repr(error)}))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
