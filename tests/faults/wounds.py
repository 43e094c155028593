"""Damages the files of a journal at rest, and demands that none goes unnoticed and no receiver stays wrong.

    python tests/faults/wounds.py [--wounds N] [--seed N]

Bits flipped, files cut short, emptied, deleted, zeroed by the page or by the sector, exchanged for an
older copy: of database, ``-wal``, ``-shm``, witness and spill, one of them or several, after a kill in the midst of a
game, one soon after the log was folded, one while the disk was full, and after an orderly end. Then the journal is
opened as the daemon opens it, the broker's last head is compared, the game goes on, and a receiver that follows
docs/mqtt.md is told of it. Demanded is that

- what is missing or not what was written is said, at the start, or of an earlier game by ``verify``; or the start is
  refused, with a reason;
- the receiver ends with the game as the journal has it, and no number is given twice under the same name;
- where nothing is said, not a row is another than it was.

Ends with one JSON line; with status 1 where one of these does not hold.
"""

import argparse
import json
import logging
import random
import shutil
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from broker import Play
from kills import scratch
from subscriber import Receiver

from controller.cli.verify import verify
from controller.contract import Session, Time, Touch
from controller.errors import JournalError
from controller.journal import Journal, Opening, Record, store, writer
from controller.journal.pages import PAGE, beside
from controller.journal.spill import Spill
from controller.outlets.follow import Follower
from controller.outlets.mqtt import remembered, topics
from controller.outlets.scoresheet import Scoresheet

NAME = "journal.sqlite"
BOARD = "7"
PARTS = ("", "-wal", "-shm", "-witness", "spill")
ROOM, FOLD_ROWS = 2**15, 60  #: small, so that there is more than one state of the log


class UnnoticedError(AssertionError):
    """Something is wrong, and nobody says so."""


class State:
    """The files of a journal as a kill left them, and all that was known of it by then."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        self.folder = folder
        folder.mkdir()
        for part in PARTS:
            file = place(journal.path, part)
            if file.exists():
                shutil.copy(file, folder / f"copy{part}")
        self.records = {record.seq: record for record in journal.after(0, 10**6)}
        self.kept = {record.seq: record for record in journal.kept_after(journal.head.seq)}
        self.origin = journal.origin
        self.listener = Listener()
        self.listener.catch_up(journal)

    def put(self, path: Path, part: str) -> None:
        """One of them back as it was, or away where there was none."""
        place(path, part).unlink(missing_ok=True)
        if (self.folder / f"copy{part}").exists():
            shutil.copy(self.folder / f"copy{part}", place(path, part))


class Listener:
    """A receiver by the document, and the broker's memory of the head."""

    def __init__(self) -> None:
        self.receiver = Receiver()
        self.applied: list[dict[str, Any]] = []
        self.head = b""

    def catch_up(self, journal: Journal) -> None:
        """All that the outlet has to say from its cursor on; the head comes last, when all has been believed."""
        outlet = follower(journal, journal.cursor("mqtt"))
        for message in told(outlet):
            self._hear(message)
        for message in topics.retained(outlet, {"head"}):
            self.head = message.payload
            if self.receiver.head(json.loads(message.payload)):
                self.applied.clear()
        journal.move_cursor("mqtt", outlet.seq)
        if (wanted := self.receiver.wants) is not None:
            for message in told(follower(journal, wanted)):
                self._hear(message)
        if self.receiver.wants is not None:
            raise UnnoticedError(f"a receiver asks without end for what comes after {self.receiver.wants}")

    def _hear(self, message: topics.Publication) -> None:
        if message.topic == "event" and self.receiver.event(event := json.loads(message.payload)):
            self.applied.append(event)

    def copy(self) -> "Listener":
        twin = Listener()
        twin.receiver.__dict__.update(self.receiver.__dict__)
        twin.applied, twin.head = list(self.applied), self.head
        return twin

    def of(self, game: str | None) -> list[Any]:
        """What it has of that game."""
        return [_bare(event) for event in self.applied if event["game"] == game]


def follower(journal: Journal, since: int) -> Follower[Scoresheet]:
    return Follower(journal, BOARD, since, Scoresheet)


def told(outlet: Follower[Scoresheet]) -> Iterator[topics.Publication]:
    """All that it has to tell up to the end, also past many records that are no news."""
    before = -1
    while outlet.seq > before:
        before = outlet.seq
        yield from topics.tell(outlet.read())


def _bare(event: dict[str, Any]) -> Any:
    return {key: value for key, value in event.items() if key not in ("after", "ply", "replayed")}


def place(path: Path, part: str) -> Path:
    return Spill(path).file if part == "spill" else beside(path, part)


def full(*_: object) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


def states(work: Path, seed: int) -> dict[str, State]:
    """Those that are damaged; of the last the disk was full."""
    writer.FOLD_ROWS, writer.RETRY_S, store.ROOM = FOLD_ROWS, 0.01, ROOM
    path = work / NAME
    Spill(path).file.unlink(missing_ok=True)
    made: dict[str, State] = {}
    journal = Journal(path)
    play = Play(journal, random.Random(seed))

    def go_on(inputs: int) -> None:
        play.go_on(inputs)
        journal.append("none", Time(ms=0), []).result(10)

    made["empty"] = State(work / "empty", journal)
    go_on(30)
    made["older"] = State(work / "older", journal)
    go_on(40)
    made["in the log alone"] = State(work / "log", journal)
    for _ in range(120):
        go_on(3)
    made["folded"] = State(work / "folded", journal)
    insert, store.insert = store.insert, full
    try:
        play.go_on(12)
        until = time.monotonic() + 10
        while len(journal.kept_after(journal.head.seq)) < 12 or not Spill(path).file.exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        time.sleep(0.05)
        made["the disk was full"] = State(work / "full", journal)
    finally:
        store.insert = insert
    journal.append("none", Time(ms=0), []).result(10)
    last = State(work / "last", journal)
    journal.close()
    for part in PARTS:
        (last.folder / f"copy{part}").unlink(missing_ok=True)
        if place(path, part).exists():
            shutil.copy(place(path, part), last.folder / f"copy{part}")
    made["closed"] = last
    return made


# -- at rest -----------------------------------------------------------------------------------------------------

KINDS = ("bit", "bits", "cut", "emptied", "deleted", "page", "sector", "older")


def wound(chance: random.Random, file: Path, older: Path) -> str:
    """One file, in one way; what was done, nothing where it cannot be."""
    kind = chance.choice(KINDS)
    data = bytearray(file.read_bytes()) if file.exists() else bytearray()
    if kind == "older" and older.exists():
        shutil.copy(older, file)
        return kind
    if not data:
        return ""
    at = chance.randrange(len(data))
    match kind:
        case "bit" | "bits":
            for _ in range(1 if kind == "bit" else chance.randrange(2, 40)):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case "cut":
            del data[at:]
        case "emptied":
            data.clear()
        case "deleted":
            file.unlink()
            return kind
        case "page" | "sector":
            size = PAGE if kind == "page" else 512
            at -= at % size
            data[at : at + size] = bytes(len(data[at : at + size]))
        case _:
            return ""
    file.write_bytes(data)
    return kind


def judged(path: Path, state: State) -> str:
    """Opens the damaged journal and goes on. Raises :exc:`UnnoticedError`."""
    said, proven = _verify(path)
    try:
        journal = Journal(path, restore=True)
    except JournalError as refused:
        if not refused.next_step:
            raise UnnoticedError(f"it is refused without a remedy: {refused}") from refused
        return f"refused: {refused.what.replace(str(path), 'it')}"
    try:
        listener = state.listener.copy()
        before = {record.seq: record for record in journal.after(0, 10**6)}
        head = remembered.read(listener.head)
        if why := remembered.contradicts(head, journal):
            journal.disown(why, head.seq).result(10)
        other = remembered.another(head, journal, "mqtt")
        _go_on(journal)
        listener.catch_up(journal)
        there = {record.seq: record for record in journal.after(0, 10**6)}
        if journal.origin == state.origin:
            _check_numbers({seq: record for seq, record in there.items() if seq not in before}, state)
        _check_receiver(journal, listener)
        whole = all(before.get(seq) == record for seq, record in (state.records | state.kept).items())
        if journal.restored is not None:
            return "restored, nothing lost" if journal.restored.whole else "told at the start"
        if why or other is not None:
            return "told by the broker"
        if proven != 0:
            return "told by verify"
        if not whole:
            if all(before.get(seq) == record for seq, record in state.records.items()):
                return "nobody had been told of what is lost, and nothing is left of it"
            raise UnnoticedError(f"{len(before)} of {len(state.records | state.kept)} are there: {said}")
        return "nothing is changed"
    finally:
        journal.close()


def _verify(path: Path) -> tuple[str, int]:
    said = StringIO()
    with redirect_stdout(said):
        try:
            status = verify(path)
        except JournalError as error:
            return str(error), 2
    return said.getvalue(), status


def _check_numbers(there: dict[int, Record], state: State) -> None:
    for seq, record in there.items():
        if state.records.get(seq, record) != record:
            raise UnnoticedError(f"number {seq} was given twice")


def _check_receiver(journal: Journal, listener: Listener) -> None:
    current = journal.last_game(BOARD)
    game = None if current is None else current.game
    messages = told(follower(journal, 0))
    there = [json.loads(message.payload) for message in messages if message.topic == "event"]
    of_game = [_bare(event) for event in there if event["game"] == game]
    if of_game != listener.of(game):
        raise UnnoticedError(f"the receiver has {len(listener.of(game))} events, the journal {len(of_game)}")


def _go_on(journal: Journal) -> None:
    """The game in progress, or a new one, as the daemon would begin it."""
    current = journal.last_game(BOARD)
    if current is None:
        current = Opening(game="new", venue="hall", board=BOARD, started="2026-01-02", session=Session(version=1))
        journal.begin(current)
    for ms in range(3):
        touch = Touch(ms=10**6 + ms, side="white", square="e2", piece="P")
        journal.append(current.game, Time(ms=10**6 + ms), [touch]).result(10)


def at_rest(wounds: int, seed: int, work: Path) -> dict[str, Any]:
    """So many. Raises :exc:`UnnoticedError`, and has then said which it was."""
    began, chance = time.monotonic(), random.Random(seed)
    made = states(work, seed)
    older = made.pop("older")
    names = sorted(made)
    outcome: Counter[str] = Counter()
    harmless: Counter[str] = Counter()
    path = work / "damaged" / NAME
    done = 0
    while done < wounds:
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir()
        for stray in Spill(path).file.parent.glob(f"{Spill(path).file.name}*"):
            stray.unlink()
        name = chance.choice(names)
        state = made[name]
        for part in PARTS:
            state.put(path, part)
        if chance.random() < 0.04:
            for part in PARTS:
                older.put(path, part)
            what = ["all: older"]
        else:
            parts = chance.sample(PARTS, chance.choice((1, 1, 1, 2, 2, 3, 5)))
            what = [
                f"{part or 'database'}: {kind}"
                for part in parts
                if (kind := wound(chance, place(path, part), older.folder / f"copy{part}"))
            ]
        if not what:
            continue
        done += 1
        try:
            came = judged(path, state)
        except Exception:
            print(f"seed {seed}, wound {done}, {name}: {what}", flush=True)
            raise
        outcome[came] += 1
        if came == "nothing is changed":
            harmless[" and ".join(sorted({one.split(":")[0] for one in what}))] += 1
    return {
        "name": "wounds of a journal at rest",
        "wounds": done,
        "outcome": dict(outcome.most_common()),
        "nothing is changed by those of": dict(harmless.most_common()),
        "unnoticed": 0,
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--wounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.disable()
    try:
        with scratch() as work:
            print(json.dumps(at_rest(given.wounds, given.seed, work)), flush=True)
    except Exception as error:
        print(json.dumps({"name": "wounds of a journal at rest", "failed": repr(error)}))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
