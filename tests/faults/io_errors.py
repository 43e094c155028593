"""Answers each system call of a journal with an I/O error: what was acknowledged must be there, and nothing may hang.

    python tests/faults/io_errors.py [--every N]

A journal is opened, written to, closed and opened again, as by :func:`live`. Of each kind of call that concerns one of
its files the first, second, third … is answered by strace with EIO, once, and then so from that one on for good; and
with EROFS those that write, as by a disk that turned read-only. Not those that lock: no card fails there, and where
unlocking fails SQLite waits for ten seconds, again and again.

Demanded is that each life ends, goes on or says why not; that all which was acknowledged is in the journal afterwards,
on a disk that works again. Ends with one JSON line; with status 1 where one of these does not hold.
"""

import argparse
import json
import logging
import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from kills import STRACE, LostError, scratch

from controller.contract import Lift, Session, Touch
from controller.errors import JournalError
from controller.journal import Journal, Opening, store, writer

ROOT = Path(__file__).resolve().parents[2]
NAME = "journal.sqlite"
FILES = ("", "-wal", "-shm", "-journal", "-lock", "-witness", "-witness.new", ".building", ".restored")
WRITES = ("pwrite64", "fdatasync", "fsync", "ftruncate", "unlink", "rename", "openat")
CALLS = (*WRITES, "pread64", "read", "newfstatat", "fstat", "mmap", "access", "lseek")
PATIENCE_S = 60.0


def live(path: Path) -> int:
    """Three times opened and written to; what is acknowledged is said, and why it is not."""
    writer.RETRY_S, writer.LOOK_S, writer.SYNC_S, store.ROOM, writer.FOLD_ROWS = 0.01, 0.02, 0.01, 2**15, 10
    logging.disable()
    for life in range(3):
        try:
            journal = Journal(path, restore=True)
        except JournalError as refused:
            os.write(1, f"refused {refused.what}\n".encode())
            if not refused.next_step:
                return 3
            continue
        game = f"g{life}"
        futures = [journal.begin(Opening(game=game, venue="c", board="1", started="2026", session=Session(version=1)))]
        for ms in range(6):
            lift, touch = Lift(ms=ms, square="e2"), Touch(ms=ms, side="white", square="e2", piece="P")
            futures.append(journal.append(game, lift, [touch]))
            try:
                seq = futures[-1].result(0.3)
            except TimeoutError:
                break  # the disk takes nothing
            os.write(1, f"ack {seq} {journal.after(seq - 1, 1)[0].hash.hex()}\n".encode())
            journal.move_cursor("mqtt", seq)
            time.sleep(0.03)  # somebody looks after the files meanwhile
        journal.close()
    return 0


def under(path: Path, *how: str) -> list[str]:
    """What such a life says. Raises :exc:`LostError` where it does not end as it should."""
    assert STRACE is not None
    files = [option for suffix in FILES for option in ("-P", f"{path}{suffix}")]
    command = [STRACE, "-f", *files, *how, sys.executable, __file__, "--live", str(path)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired as error:
        raise LostError("it hangs") from error
    if done.returncode:
        raise LostError(f"it ended with {done.returncode}: {done.stderr[-1500:].decode(errors='replace')}")
    return done.stdout.decode().splitlines()


def calls(folder: Path) -> Counter[str]:
    """How often each is made in a life without a fault."""
    path, trace = folder / "whole" / NAME, folder / "trace"
    path.parent.mkdir()
    said = under(path, "-o", str(trace), "-e", f"trace={','.join(CALLS)}")
    if len(said) != 18:
        raise LostError(f"without a fault it says {said}")
    return Counter(re.findall(r"(?m)^\d+ +(\w+)\(", trace.read_text()))


def check(path: Path, said: list[str]) -> str:
    """What came of it. Raises :exc:`LostError`."""
    acknowledged = [line.split()[1:] for line in said if line.startswith("ack ")]
    journal = Journal(path, restore=True)
    try:
        for seq, digest in acknowledged:
            if [digest] != [r.hash.hex() for r in journal.after(int(seq) - 1, 1) if r.seq == int(seq)]:
                raise LostError(f"{seq} was acknowledged, and is not there")
        journal.verify()
        if any(line.startswith("refused") for line in said):
            return "refused to start, and said why"
        if len(acknowledged) == 18:
            return "all was written"
        return "waited for the disk"
    finally:
        journal.close()


def run(every: int, folder: Path) -> dict[str, Any]:
    """Each ``every``-th call. Raises :exc:`LostError`, and has then said which it was."""
    began = time.monotonic()
    made, tried, came = calls(folder), Counter[str](), Counter[str]()
    for call, times in sorted(made.items()):
        faults = [("EIO", ""), ("EIO", "+"), *([("EROFS", "+")] if call in WRITES else [])]
        for error, on in faults:
            for number in range(1, times + 1, every):
                path = folder / f"{call}-{error}{on}-{number}" / NAME
                path.parent.mkdir()
                inject = f"inject={call}:error={error}:when={number}{on}"
                try:
                    came[check(path, under(path, "-o", "/dev/null", "-e", f"trace={call}", "-e", inject))] += 1
                except Exception:
                    print(inject, flush=True)
                    raise
                tried[call] += 1
    return {
        "name": "I/O errors of a journal",
        "calls": dict(sorted(tried.items())),
        "outcome": dict(came.most_common()),
        "lost": 0,
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, help="only each N-th call of a kind")
    parser.add_argument("--live", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.live is not None:
        return live(given.live)
    if STRACE is None:
        print(json.dumps({"name": "I/O errors", "skipped": "strace is not installed: apt-get install strace"}))
        return 0
    try:
        with scratch() as folder:
            print(json.dumps(run(given.every, folder)), flush=True)
    except Exception as error:
        print(json.dumps({"name": "I/O errors", "failed": str(error)}))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
