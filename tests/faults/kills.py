"""Kills a game in progress at any moment, and demands that what anybody had seen is in the journal afterwards.

    python tests/faults/kills.py [--kills N] [--calls N] [--daemons N] [--seed N]

``--kills``: SIGKILL after a random time to :mod:`player`, which plays on where it was killed before, the same game on
the same board, again and again. ``--calls``: SIGKILL by strace at the first, second, third … call that writes, syncs,
lengthens or removes a file. ``--daemons``: SIGKILL to the whole of ``jadoube run``, heard through a real mosquitto.

After each the journal is opened: it must be whole, each event that an outlet had sent must be in it as it was sent,
each light that a lamp had shown must follow from it, and the game must go on as the same game.
Ends with one JSON line for each form; with status 1 where something was lost.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

import player
from hall import MOSQUITTO, Mosquitto, Subscriber, until

from controller.journal import Record
from controller.journal.journal import opened
from controller.outlets.lamps import LampsOutlet

STRACE = shutil.which("strace")
ROOT = Path(__file__).resolve().parents[2]
JADOUBE = (sys.executable, "-m", "controller.cli.main", "run", "--config")
ANEW = 200  #: kills, after which a new journal is begun: what is proven whole each time must not grow without end
LONGEST_S = 0.08  #: from the first sign of life to the kill
CALLS = ("pwrite64", "fdatasync", "ftruncate", "unlink")
MOVES = 12  #: of the games that are killed at a certain call


class LostError(AssertionError):
    """Something that was seen is not there."""


class Seen:
    """What came out of one life of the player."""

    def __init__(self, said: bytes) -> None:
        lines = [line.split(b" ", 1) for line in said.split(b"\n")[:-1]]  # the last may be cut off
        self.events = [what for kind, what in lines if kind == b"event"]
        self.lamps = [int(what, 16) for kind, what in lines if kind == b"lamp"]
        self.games = [what.decode() for kind, what in lines if kind == b"game"]

    def check(self, path: Path) -> str | None:
        """The game in progress. Raises :exc:`LostError`, and :exc:`JournalError` where the journal is not whole."""
        reader = opened(path)
        try:
            reader.verify()
            for event in self.events:
                seq = json.loads(event)["seq"]
                records = reader.after(seq - 1, 1)
                if not records or records[0].seq != seq or records[0].body[1:-1] not in event:
                    raise LostError(f"sent and not there: {event.decode()}")
            opening = reader.last_game("1")
        finally:
            reader.close()
        if self.lamps:
            possible = _lights(path)
            if strange := [mask for mask in self.lamps if mask not in possible]:
                raise LostError(f"shown, and nothing there says why: {strange[0]:016x}")
        return None if opening is None else opening.game


def _lights(path: Path) -> set[int]:
    """All that the lamps can have shown by the journal, from each of its records on."""
    masks: set[int] = set()
    bit_by_bit = Revealed(path)
    lamps = LampsOutlet("training", bit_by_bit, "1", None, [masks.add])  # type: ignore[arg-type]
    for upto in range(len(bit_by_bit.records) + 1):
        bit_by_bit.upto = upto
        lamps.catch_up()
    return masks


class Revealed:
    """As much of a journal as an outlet reads, known up to a record; all of it is of one board."""

    def __init__(self, path: Path) -> None:
        reader = opened(path)
        self.records = reader.after(0, 1 << 30)
        reader.close()
        self.upto = 0

    def before_last_game(self, _: str) -> int:
        return 0

    def after(self, seq: int, board: str) -> list[Record]:  # noqa: ARG002
        return self.records[seq : self.upto]


# -- at random moments -------------------------------------------------------------------------------------------


def forked(path: Path, seed: int) -> tuple[int, int]:
    """A player in a process of its own: its number, and where what it says can be read."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child:
        os.close(theirs)
        return child, ours
    try:
        os.dup2(theirs, player.OUT)
        os.close(ours)
        player.play(path, seed)
    except BaseException as error:
        os.write(player.OUT, f"game it failed: {error!r}\n".encode())
    finally:
        os._exit(1)


def killed(path: Path, seed: int, after_s: float) -> Seen:
    """Lets it play on for so long after it has said something for the first time."""
    child, ours = forked(path, seed)
    said = b""
    deadline: float | None = None
    while True:
        left = 10.0 if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([ours], [], [], left)
        if not ready:
            break
        more = os.read(ours, 1 << 16)
        if not more:
            break
        said += more
        deadline = deadline or time.monotonic() + after_s
    os.kill(child, signal.SIGKILL)
    while more := os.read(ours, 1 << 16):  # what was sent before is seen, even if it comes late
        said += more
    os.close(ours)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise LostError(f"it ended by itself: {said[-300:].decode(errors='replace')}")
    return Seen(said)


def at_random(kills: int, seed: int, folder: Path) -> dict[str, object]:
    """So many kills. Raises :exc:`LostError`."""
    began, chance = time.monotonic(), random.Random(seed)
    events = lamps = games = 0
    path, game = folder / "0.sqlite", None
    for number in range(kills):
        if number % ANEW == 0:
            for old in folder.iterdir():
                old.unlink()
            path, game = folder / f"{number}.sqlite", None
        try:
            seen = killed(path, chance.randrange(1 << 30), LONGEST_S * chance.random() ** 2)
            if seen.games and seen.games[0] != f"{game} []":
                raise LostError(f"it was game {game}, and went on as {seen.games[0]}")
            before, game = game, seen.check(path)
        except Exception:
            print(f"seed {seed}, kill {number}", flush=True)
            raise
        games += game != before
        events += len(seen.events)
        lamps += len(seen.lamps)
    return {
        "name": "kills at random moments",
        "kills": kills,
        "events_seen": events,
        "lights_seen": lamps,
        "games": games,
        "lost": 0,
        "seconds": round(time.monotonic() - began, 1),
    }


# -- at certain calls --------------------------------------------------------------------------------------------


def at_call(path: Path, call: str, number: int) -> Seen | None:
    """Kills at the ``number``-th ``call``; None where it does not come to that."""
    assert STRACE is not None
    kill = (STRACE, "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}")
    status, seen = life(path, *kill)
    return seen if status else None


def life(path: Path, *under: str) -> tuple[int, Seen]:
    """A player that would stop in order after some moves; its exit status."""
    command = (*under, sys.executable, player.__file__, str(path), "1", str(MOVES))
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    return done.returncode, Seen(done.stdout)


def at_calls(numbers: Sequence[int], folder: Path) -> dict[str, object]:
    """At these calls of each kind that changes a file, as far as there are so many. Raises :exc:`LostError`."""
    began = time.monotonic()
    kills = dict.fromkeys(CALLS, 0)
    for call in CALLS:
        for number in numbers:
            path = folder / f"{call}-{number}.sqlite"
            seen = at_call(path, call, number)
            if seen is None:
                break
            kills[call] += 1
            try:
                game = seen.check(path)
                status, again = life(path)
                if status or again.games != [f"{game} []"]:
                    raise LostError(f"it was game {game}, and went on as {again.games}, with status {status}")
                again.check(path)
            except Exception:
                print(f"at {call} {number}", flush=True)
                raise
            for old in folder.iterdir():
                old.unlink()
    return {"name": "kills at each call", **kills, "lost": 0, "seconds": round(time.monotonic() - began, 1)}


# -- the whole daemon --------------------------------------------------------------------------------------------


async def at_daemons(kills: int, seed: int, folder: Path) -> dict[str, object]:
    """Kills the daemon while touches are reported to it as fast as it takes them. Raises :exc:`LostError`."""
    began, chance = time.monotonic(), random.Random(seed)
    broker = Mosquitto(folder)
    path, config = folder / "journal.sqlite", folder / "board.toml"
    config.write_text(
        f'[board]\ntype = "simulated"\n[event]\nvenue = "hall"\nboard = "7"\n[start]\nready_s = 0.1\n'
        f'[journal]\npath = "{path}"\n[pgn]\ndirectory = "{folder}/games"\n'
        f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n'
    )
    heard = 0
    try:
        for number in range(kills):
            daemon = subprocess.Popen([*JADOUBE, str(config)], cwd=ROOT, stderr=subprocess.DEVNULL)
            async with Subscriber(broker.port) as hall:
                await until(lambda hall=hall: [one["state"] for one in hall.on("status")][-1:] == ["online"])
                await hall.command(type="new-game", insist=True) if number % 5 == 0 else None
                until_ns = time.monotonic_ns() + chance.randrange(600_000_000)
                while time.monotonic_ns() < until_ns:
                    await hall.command(type="contact", square=chance.choice(chess.SQUARE_NAMES))
                    await asyncio.sleep(0.01)
                daemon.kill()
                daemon.wait()
                await until(lambda hall=hall: hall.on("status")[-1]["state"] == "offline")
                _compare(path, [event for event in hall.on("event") if event["type"] not in ("done", "refused")])
                heard += len(hall.on("event"))
    finally:
        broker.kill()
    seconds = round(time.monotonic() - began, 1)
    return {"name": "kills of the whole daemon", "kills": kills, "events_seen": heard, "lost": 0, "seconds": seconds}


def _compare(path: Path, events: Sequence[dict[str, Any]]) -> None:
    """Each event that was heard is in the journal. Raises :exc:`LostError`."""
    reader = opened(path)
    try:
        reader.verify()
        for event in events:
            record = next(iter(reader.after(event["seq"] - 1, 1)), None)
            body = json.loads(record.body) if record is not None and record.kind == "event" else None
            if event["type"] != "game" and (body is None or {name: event.get(name) for name in body} != body):
                raise LostError(f"sent and not there: {event}")
    finally:
        reader.close()


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder in memory, where there is such a thing: a kill loses nothing that the system was given."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=1000, help="of each kind, if there are so many")
    parser.add_argument("--daemons", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    try:
        with scratch() as folder:
            print(json.dumps(at_random(given.kills, given.seed, folder)), flush=True)
        if MOSQUITTO is None:
            print(json.dumps({"name": "kills of the whole daemon", "skipped": "apt-get install mosquitto"}))
        else:
            with scratch() as folder:
                print(json.dumps(asyncio.run(at_daemons(given.daemons, given.seed, folder))), flush=True)
        if STRACE is None:
            print(json.dumps({"name": "kills at each call", "skipped": "apt-get install strace"}))
        else:
            with scratch() as folder:
                print(json.dumps(at_calls(range(1, given.calls + 1), folder)), flush=True)
    except Exception as error:
        print(json.dumps({"name": "kills", "failed": str(error)}))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
