"""How late a spectator hears of what was told; shares no code with either side.

    python -m load.shown LOG HEARD

``LOG`` is the generator's, ``HEARD`` a spectator's. A move is heard once the board has as many moves for him, or more.
"""

import json
import sys
from bisect import bisect_left
from collections import defaultdict
from pathlib import Path

WITHIN_NS = 120 * 10**9  #: later is never, for it may be of another game


def late_ms(log: Path, heard: Path) -> tuple[list[tuple[int, float]], int]:
    """Of each move when it came to the board's journal, in ns, and how late it was, in ms; and how many were never
    heard of.
    """
    seen: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for line in heard.read_text().splitlines():
        at, number, moves = line.split()
        seen[number].append((int(at), int(moves)))
    late, missed = list[tuple[int, float]](), 0
    with log.open("rb") as file:
        for line in file:
            if b'"type":"move"' not in line:
                continue
            at_text, number_text, payload = line.split(b" ", 2)
            at, ply = int(at_text), json.loads(payload)["ply"]
            known = seen[number_text.decode()]
            first = bisect_left(known, (at, 0))
            then = next((when for when, moves in known[first:] if moves >= ply), None)
            if then is None or then - at > WITHIN_NS:
                missed += 1
            else:
                late.append((at, (then - at) / 1e6))
    return late, missed


if __name__ == "__main__":
    found, missed = late_ms(Path(sys.argv[1]), Path(sys.argv[2]))
    delays = sorted(delay for _, delay in found)
    print(json.dumps({"moves": len(delays), "missed": missed, "p50_ms": delays[len(delays) // 2]}))
