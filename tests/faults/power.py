"""Cuts the power at any moment of a journal's life, and demands that each acknowledged commit is there afterwards.

    python tests/faults/power.py [--states N] [--seed N] [--lazy]

A journal at work is recorded by strace: every write, sync and removal, and each commit as it is acknowledged.
From that the states are made which a disk may show after a cut: of what was written after the last sync of a file any
part, in any order, in whole sectors or torn between two; of files made or removed since the last sync of the folder any
are there or not. Each state is opened as the daemon opens it. Ends with one JSON line; with status 1 where something
that was acknowledged is missing, or a cut looks like damage, and then says which state. ``--lazy`` records a journal
that leaves it to the system when to sync: such a one must be found out.
"""

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from controller.contract import Lift, Session, Touch
from controller.journal import Journal, Opening, store, writer
from controller.journal.journal import opened
from controller.journal.witness import hear

STRACE = shutil.which("strace")
ROOT = Path(__file__).resolve().parents[2]
SECTOR = 512  #: bytes that a disk writes whole or not at all
NAME = "journal.sqlite"
CALLS = "openat,pwrite64,write,fsync,fdatasync,ftruncate,unlink,rename"
LIVES = (25, 40, 15)  #: commits from one opening to the next
WHOLE = 20  #: of so many states one is not only read, but goes on


# -- the journal at work -----------------------------------------------------------------------------------------


def live(folder: Path, *, lazy: bool) -> None:
    """Three times opened; each commit is said when it is acknowledged, with the hash that vouches for all before it."""
    store.ROOM, writer.FOLD_ROWS = 2**15, 40  # small, so that the log is folded and begun anew several times
    if lazy:
        store.SYNCHRONOUS = "NORMAL"
    seq = 0
    for life, commits in enumerate(LIVES):
        journal = Journal(folder / NAME)
        journal.begin(Opening(game=f"g{life}", venue="c", board="1", started="2026", session=Session(version=1)))
        for ms in range(commits):
            lift, touch = Lift(ms=ms, square="e2"), Touch(ms=ms, side="white", square="e2", piece="P")
            futures = [journal.append(f"g{life}", lift, [touch] * (ms % 4)) for _ in range(1 + ms % 3)]
            for future in futures:
                seq = future.result(10)
            journal.move_cursor("mqtt", seq - 1)
            os.write(1, f"ack {seq} {journal.head.hash.hex()}\n".encode())
        if life < len(LIVES) - 1:
            journal.close()


class Op(NamedTuple):
    """A system call that returned without an error."""

    kind: str  #: write, sync, truncate, make, remove, rename, ack
    file: str  #: its name; "" for the folder
    offset: int = 0  #: of a truncation: the length; of an acknowledgement: the number
    data: bytes = b""
    to: str = ""  #: its new name


def record(folder: Path, *, lazy: bool = False) -> list[Op]:
    """What a journal does in ``folder``, call by call."""
    assert STRACE is not None
    trace = folder / "trace"
    command = [STRACE, "-f", "-y", "-xx", "-s", "70000", "-e", f"trace={CALLS}", "-o", str(trace)]
    command += [sys.executable, __file__, "--live", str(folder), *(["--lazy"] if lazy else [])]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return list(_read(trace.read_text(), folder))


_CALL = re.compile(r"^(\d+) +(\w+)\((.*)\) += (\d+)")
_BEGUN = re.compile(r"^(\d+) +(\w+\(.*) <unfinished \.\.\.>$")
_RESUMED = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>(.*)$")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FILE = re.compile(r"\d+<((?:\\x[0-9a-f]{2})+)>")


def _read(trace: str, folder: Path) -> Iterator[Op]:
    begun: dict[str, str] = {}
    there: set[str] = set()
    for line in trace.splitlines():
        if unfinished := _BEGUN.match(line):
            begun[unfinished[1]] = unfinished[2]
            continue
        if resumed := _RESUMED.match(line):
            line = f"{resumed[1]} {begun.pop(resumed[1])}{resumed[2]}"
        if not (call := _CALL.match(line)):
            continue
        _, name, arguments, result = call.groups()
        texts = [bytes.fromhex(text.replace("\\x", "")) for text in _TEXT.findall(arguments)]
        paths = [bytes.fromhex(text.replace("\\x", "")).decode() for text in _FILE.findall(arguments)]
        if name == "write":
            if texts[0].startswith(b"ack "):
                _, seq, digest = texts[0].split()
                yield Op("ack", "", int(seq), digest)
            continue
        path = Path(texts[0].decode() if name in ("openat", "unlink", "rename") else paths[0])
        if path == folder and name in ("fsync", "fdatasync"):
            yield Op("sync", "")
        elif path.parent == folder and path.name.startswith(NAME) and not path.name.endswith(("-lock", "-shm")):
            file = path.name
            numbers = [int(number) for number in re.findall(r", (\d+)", _TEXT.sub("", arguments))]
            match name:
                case "openat" if "O_CREAT" in arguments and file not in there:
                    there.add(file)
                    yield Op("make", file)
                case "pwrite64":
                    assert len(texts[0]) == int(result), "a write that was cut short"
                    yield Op("write", file, numbers[-1], texts[0])
                case "fsync" | "fdatasync":
                    yield Op("sync", file)
                case "ftruncate":
                    yield Op("truncate", file, numbers[-1])
                case "unlink":
                    there.discard(file)
                    yield Op("remove", file)
                case "rename":
                    to = Path(texts[1].decode()).name
                    there.discard(file)
                    there.add(to)
                    yield Op("rename", file, to=to)


# -- what a disk may show ----------------------------------------------------------------------------------------


class File:
    """What is certain of a file, whatever its name, and what was written to it since its last sync."""

    def __init__(self) -> None:
        self.data = b""
        self.pending: list[Op] = []


class Disk:
    """What is certain after the first operations, and what is not."""

    def __init__(self) -> None:
        self.now: dict[str, File] = {}  #: as the program sees it
        self.there: dict[str, File] = {}  #: since the last sync of the folder
        self.moved: list[tuple[Op, File]] = []  #: made, removed and renamed since
        self.acknowledged = 0

    def take(self, op: Op) -> None:
        match op.kind:
            case "ack":
                self.acknowledged = op.offset
            case "make" | "remove" | "rename":
                change = (op, File() if op.kind == "make" else self.now[op.file])
                self.now = after(self.now, [change])
                self.moved.append(change)
            case "sync" if op.file:
                file = self.now[op.file]
                file.data, file.pending = applied(file.data, file.pending), []
            case "sync":
                self.there, self.moved = after(self.there, self.moved), []
            case _:
                self.now[op.file].pending.append(op)

    def cut(self, chance: random.Random) -> dict[str, bytes]:
        """One of the states that may be found when the power is back."""
        files = after(self.there, [change for change in self.moved if chance.random() < 0.7])
        return {name: applied(files[name].data, some(chance, files[name].pending)) for name in sorted(files)}


def after(names: dict[str, File], moved: list[tuple[Op, File]]) -> dict[str, File]:
    """Which files there are after these changes."""
    there = dict(names)
    for op, file in moved:
        there.pop(op.file, None)
        if op.kind != "remove":
            there[op.to or op.file] = file
    return there


def applied(data: bytes, ops: list[Op]) -> bytes:
    out = bytearray(data)
    for op in ops:
        if op.kind == "truncate":
            del out[op.offset :]
            continue
        out.extend(bytes(max(0, op.offset + len(op.data) - len(out))))
        out[op.offset : op.offset + len(op.data)] = op.data
    return bytes(out)


def some(chance: random.Random, ops: list[Op]) -> list[Op]:
    """A part of what was written, in some order, some of it torn."""
    share = chance.choice((0.0, 0.2, 0.5, 0.8, 1.0))
    kept = [op for op in ops if chance.random() < share] if chance.random() < 0.7 else ops[: int(share * len(ops))]
    if chance.random() < 0.3:
        chance.shuffle(kept)
    torn = chance.choice((0.0, 0.0, 0.3))
    return [part for op in kept for part in (tear(chance, op) if chance.random() < torn else [op])]


def tear(chance: random.Random, op: Op) -> list[Op]:
    """Only some sectors of it."""
    parts = []
    begin, end = op.offset, op.offset + len(op.data)
    while begin < end:
        edge = min(end, (begin // SECTOR + 1) * SECTOR)
        if chance.random() < 0.5:
            parts.append(op._replace(offset=begin, data=op.data[begin - op.offset : edge - op.offset]))
        begin = edge
    return parts


# -- what must be there ------------------------------------------------------------------------------------------


class LostError(AssertionError):
    """A state in which something is missing."""


def check(files: dict[str, bytes], acknowledged: int, hashes: dict[int, str], folder: Path, *, go_on: bool) -> None:
    """Raises :exc:`LostError` or :exc:`JournalError` where the state is not as promised."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file, data in files.items():
        (folder / file).write_bytes(data)
    if go_on:
        journal = Journal(folder / NAME)  # not to be restored: a cut is no damage
        if journal.restored is not None:
            raise LostError(f"a cut looks like damage: {journal.restored.notice().what}")
        journal.append("on", Lift(ms=1, square="a1"), []).result(10)
        journal.close()
    testimony = hear(folder / NAME)
    if testimony.trouble and acknowledged:
        raise LostError(testimony.trouble)
    reader = opened(folder / NAME, testimony)
    try:
        proof = reader.verify()
        records = reader.after(max(0, acknowledged - 1), 1)
    finally:
        reader.close()
    if proof.head.seq < acknowledged:
        raise LostError(f"{acknowledged} was acknowledged, {proof.head.seq} is the last one there")
    if acknowledged and records[0].hash.hex() != hashes[acknowledged]:
        raise LostError(f"{acknowledged} is not what was acknowledged")


def run(states: int, seed: int, work: Path, *, lazy: bool = False) -> dict[str, object]:
    """So many different states. Raises as :func:`check` does, and has then said which state it was."""
    began, chance = time.monotonic(), random.Random(seed)
    recording = work / "recording"
    recording.mkdir(parents=True)
    ops = record(recording, lazy=lazy)
    hashes = {op.offset: op.data.decode() for op in ops if op.kind == "ack"}
    seen: set[int] = set()
    rounds = 0
    while len(seen) < states:
        rounds += 1
        disk, upto = Disk(), len(seen)
        cuts = sorted(chance.choices(range(len(ops)), k=min(states, len(ops))))
        for number, op in enumerate(ops):
            disk.take(op)
            while cuts and cuts[0] <= number:
                cuts.pop(0)
                files = disk.cut(chance)
                state = hash((disk.acknowledged, tuple(files.items())))
                if state in seen or len(seen) >= states:
                    continue
                seen.add(state)
                try:
                    check(files, disk.acknowledged, hashes, work / "state", go_on=len(seen) % WHOLE == 0)
                except Exception:
                    at = f"after call {number} of {len(ops)}, {op.kind} {op.file}"
                    print(
                        f"seed {seed}, state {len(seen)}: {at}: { ({f: len(d) for f, d in files.items()}) }", flush=True
                    )
                    raise
        if len(seen) == upto:
            break  # there are no more
    return {
        "name": "power cuts",
        "states": len(seen),
        "calls": len(ops),
        "commits": len(hashes),
        "lost": 0,
        "seconds": round(time.monotonic() - began, 1),
    }


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder in memory, where there is such a thing: a hundred thousand journals are written there."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lazy", action="store_true")
    parser.add_argument("--live", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.live is not None:
        live(given.live, lazy=given.lazy)
        return 0
    if STRACE is None:
        print(json.dumps({"name": "power cuts", "skipped": "strace is not installed: apt-get install strace"}))
        return 0
    try:
        with scratch() as work:
            print(json.dumps(run(given.states, given.seed, work, lazy=given.lazy)), flush=True)
    except Exception as error:
        print(json.dumps({"name": "power cuts", "failed": str(error)}))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
