"""Lets the disk fail in the midst of a game: the game must go on, it must be said, and nothing may be lost.

    python tests/faults/disk.py [--starts N]

Full, read-only, failing to write, failing to sync: for a while each such call of :mod:`player` is answered so by
strace, from one call or another on. Where mounting is allowed, a real file system of too few bytes besides, which is
given more later. Demanded is that

- the trouble is said while the hands play on, and that it is over, when it is;
- no outlet sends meanwhile what is not on the disk;
- in the end the journal is whole, and the game in it the same, byte for byte, as on a disk without a fault;
- a card that stalls for a second keeps no hand waiting.

Ends with one JSON line; with status 1 where one of these does not hold.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import player
from kills import STRACE, LostError, Seen, scratch

from controller.journal.journal import opened

ROOT = Path(__file__).resolve().parents[2]
MOVES = 30
SEED = 3
LASTS = 25  #: calls
FAULTS = {
    "full": ("pwrite64", "ENOSPC"),
    "read-only": ("pwrite64", "EROFS"),
    "fails to write": ("pwrite64", "EIO"),
    "fails to sync": ("fdatasync", "EIO"),
}
FIRST = {"pwrite64": 70, "fdatasync": 12}  #: the journal is open by then
STALL_S = 1.0  #: so long a card may take for one sync, and for the next
PATIENCE_MS = 200  #: for which the table may keep a hand waiting, on a busy machine
SMALL = """
mount -t tmpfs -o size=96k none "$1"
"$2" "$3" "$1/journal.sqlite" "$4" "$5" | while read -r line; do
    printf '%s\\n' "$line"
    case "$line" in trouble*full*) sleep "$6"; mount -o remount,size=8m "$1";; esac
done
cp "$1"/journal.sqlite* "$7"
"""
SMALL_S = 1.0  #: the file system stays small for so long, once that is said


class Said(Seen):
    """What the player said of its disk besides."""

    def __init__(self, said: bytes) -> None:
        super().__init__(said)
        self.lines = [line.decode() for line in said.splitlines()]

    def check_trouble(self, word: str) -> int:
        """How many ms of play passed while nothing could be written. Raises :exc:`LostError`."""
        begun: tuple[int, int] | None = None
        passed = 0
        for line in self.lines:
            kind, _, what = line.partition(" ")
            if kind == "trouble":
                head, at, said = what.split(" ", 2)
                if begun is None and word not in said:
                    raise LostError(f"expected {word!r}, but it says {said}")
                if said == "over" and begun is not None:
                    passed += int(at) - begun[1]
                begun = None if said == "over" else (int(head), int(at))
            elif kind == "event" and begun is not None and json.loads(what)["seq"] > begun[0]:
                raise LostError(f"sent before it was safe: {what}")
        if begun is not None or not passed:
            raise LostError("nobody was told of any trouble" if begun is None else "nobody was told that it is over")
        return passed


def game(path: Path) -> list[bytes]:
    """The inputs and events of a journal that is whole."""
    reader = opened(path)
    try:
        reader.verify()
        return [record.body for record in reader.after(0, 1 << 30) if record.kind != "game"]
    finally:
        reader.close()


def play(path: Path, *under: str) -> Said:
    """The same moves again, under a disk as it is or another."""
    command = [*under, sys.executable, player.__file__, str(path), str(SEED), str(MOVES)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False, timeout=120)
    if done.returncode:
        raise LostError(f"the player ended with status {done.returncode}")
    return Said(done.stdout)


def failing(folder: Path, starts: Sequence[int]) -> dict[str, int]:
    """Each fault from each of the ``starts`` on: for how many ms was played without a disk. Raises :exc:`LostError`."""
    assert STRACE is not None
    whole = folder / "whole.sqlite"
    play(whole)
    passed = dict.fromkeys(FAULTS, 0)
    for name, (call, error) in FAULTS.items():
        for start in starts:
            first = FIRST[call] + start
            inject = f"inject={call}:error={error}:when={first}..{first + LASTS}"
            path = folder / f"{name}-{start}.sqlite"
            said = play(path, STRACE, "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject)
            try:
                passed[name] += said.check_trouble("cannot be written")
                if game(path) != game(whole):
                    raise LostError("the game is another one")
            except Exception:
                print(f"{name}, from {call} {first} on", flush=True)
                raise
    return passed


def stalling(folder: Path) -> int:
    """A card that stalls: for how many ms it kept the table waiting at most. Raises :exc:`LostError`."""
    assert STRACE is not None
    whole, path = folder / "never stalls.sqlite", folder / "stalls.sqlite"
    play(whole)
    first = FIRST["fdatasync"]
    inject = f"inject=fdatasync:delay_enter={round(STALL_S * 1e6)}:when={first}..{first + 1}"
    began = time.monotonic()
    said = play(path, STRACE, "-f", "-o", "/dev/null", "-e", "trace=fdatasync", "-e", inject)
    if time.monotonic() - began < 2 * STALL_S:
        raise LostError("it did not stall")
    if game(path) != game(whole):
        raise LostError("the game is another one on a disk that stalls")
    return max(int(line.split()[1]) for line in said.lines if line.startswith("longest "))


def too_small(folder: Path) -> int | None:
    """The same on a file system that is really full; None where none can be mounted. Raises :exc:`LostError`."""
    whole, mount, kept = folder / "whole.sqlite", folder / "mount", folder / "kept"
    for new in (mount, kept):
        new.mkdir()
    play(whole)
    own = ["unshare", "--mount", "--map-root-user"]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*own, "true"], check=False, stderr=subprocess.DEVNULL).returncode
    ):
        return None
    given = [mount, sys.executable, player.__file__, SEED, MOVES, SMALL_S, kept]
    command = [*own, "sh", "-c", SMALL, "sh", *map(str, given)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, timeout=60)
    passed = Said(done.stdout).check_trouble("full")
    if game(kept / "journal.sqlite") != game(whole):
        raise LostError("the game is another one on a disk that is really full")
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--starts", type=int, default=60, help="of each fault, one call after the other")
    given = parser.parse_args()
    if STRACE is None:
        print(json.dumps({"name": "failing disk", "skipped": "apt-get install strace"}))
        return 0
    began = time.monotonic()
    try:
        with scratch() as folder, tempfile.TemporaryDirectory() as other:
            played = failing(folder, range(given.starts)) | {"really full": too_small(Path(other))}
            waited_ms = stalling(folder)
            if waited_ms > PATIENCE_MS:
                raise LostError(f"a card that stalls keeps the table waiting for {waited_ms} ms")
    except Exception as error:
        print(json.dumps({"name": "failing disk", "failed": str(error)}))
        return 1
    found = {"name": "failing disk", "starts": given.starts, "ms_played": played, "ms_waited_for_a_stall": waited_ms}
    print(json.dumps(found | {"lost": 0, "seconds": round(time.monotonic() - began, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
