"""What the boards had in their journals against what PostgreSQL has; shares no code with either side.

    python -m load.compared LOG URL

The log is the generator's: nanoseconds since 1970, the board's number, the payload. The archive is read by ``psql``.
Says how many events were lost, doubled, altered, invented; and how long it took from the board's journal to the commit
in PostgreSQL, where that keeps its commits' times (``track_commit_timestamp``; they are taken just before the commit
is flushed).
"""

import hashlib
import json
import subprocess
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROWS = (
    "COPY (SELECT origin, board, seq, game, body, CASE WHEN current_setting('track_commit_timestamp')::bool"
    " THEN (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1e6)::bigint END FROM event) TO STDOUT"
)
AROUND = {"seq", "game", "after", "origin", "replayed"}  #: what is said of an event, and is no part of it

Key = tuple[str, str, int]
"""The journal, the board, the number."""


class Compared(NamedTuple):
    """Counts of events; and of those that arrived when each was told, by which board, and how long it took."""

    told: int
    lost: int
    doubled: int
    altered: int
    invented: int
    told_us: "array[int]"
    board: "array[int]"
    delay_us: "array[int]"

    @property
    def counts(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in ("told", "lost", "doubled", "altered", "invented")}

    @property
    def is_whole(self) -> bool:
        return not (self.lost or self.doubled or self.altered or self.invented)


def compare(log: Path, url: str) -> Compared:
    """All of the log with all of the archive."""
    return held(_lines(log), _rows(url))


def held(lines: Iterable[tuple[int, int, bytes]], rows: Iterable[tuple[Key, bytes, int | None]]) -> Compared:
    """What was told (when in µs, by which board, the payload) against rows (their digest, when in µs committed)."""
    told: dict[Key, tuple[bytes, int, int]] = {}
    for at_us, number, payload in lines:
        event = json.loads(payload)
        own = {name: value for name, value in event.items() if name not in AROUND}
        told[event["origin"], f"board/{number}", event["seq"]] = digest(event["game"], own), at_us, number
    found = Compared(len(told), 0, 0, 0, 0, array("q"), array("q"), array("q"))
    came: set[Key] = set()
    doubled = altered = invented = 0
    for key, content, commit_us in rows:
        if key in came:
            doubled += 1
        elif key not in told:
            invented += 1
        else:
            came.add(key)
            known, at_us, number = told[key]
            altered += content != known
            if commit_us is not None:
                found.told_us.append(at_us)
                found.board.append(number)
                found.delay_us.append(commit_us - at_us)
    return found._replace(lost=len(told) - len(came), doubled=doubled, altered=altered, invented=invented)


def _lines(log: Path) -> Iterator[tuple[int, int, bytes]]:
    with log.open("rb") as file:
        for line in file:
            at_ns, number, payload = line.split(b" ", 2)
            yield int(at_ns) // 1000, int(number), payload


def _rows(url: str) -> Iterator[tuple[Key, bytes, int | None]]:
    reading = subprocess.Popen(["psql", "-X", "-q", url, "-c", ROWS], stdout=subprocess.PIPE)
    assert reading.stdout is not None
    for line in reading.stdout:
        origin, board, seq, game, body, commit = line.rstrip(b"\n").split(b"\t")
        content = json.loads(body.replace(b"\\\\", b"\\"))
        commit_us = None if commit == b"\\N" else int(commit)
        yield (origin.decode(), board.decode(), int(seq)), digest(game.decode(), content), commit_us
    if reading.wait():
        raise OSError(f"psql {url} ended with {reading.returncode}")


def digest(game: str, content: dict[str, Any]) -> bytes:
    """Of what an event says, in whatever order."""
    said = json.dumps([game, content], sort_keys=True, ensure_ascii=False).encode()
    return hashlib.blake2b(said, digest_size=8).digest()


def share(values: "array[int] | list[float]", percent: float) -> float:
    """So many per cent of the values are at most that; 0 where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


def main() -> int:
    found = compare(Path(sys.argv[1]), sys.argv[2])
    delays = {f"p{percent}_ms": round(share(found.delay_us, percent) / 1000, 1) for percent in (50, 99)}
    print(json.dumps(found.counts | delays))
    return 0 if found.is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
