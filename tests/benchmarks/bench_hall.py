"""A hall of a thousand boards: three nodes of RabbitMQ, archiver and PostgreSQL on this machine, each in its processes.

    python tests/benchmarks/bench_hall.py [even] [nodes] [quorum] [late] [altered] [cost] [archiver] [--full]

Boards are those of ``tests/load``: real sessions by MQTT, and real streams of games judged beforehand. What they told
is compared with what is archived by ``tests/load/compared.py``, which shares no code with either side. As it stands it
takes a quarter of an hour; with ``--full`` some hours, and a machine on which nothing else runs. Each line says what
each part took, and what others did: it is ``void`` where that is more than a fifth of the machine. From a press to the
row: from the board's journal to the commit in PostgreSQL.
"""

import argparse
import json
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

try:
    from load.figures import FIGURES, Asked, archive_killed
except ImportError as error:
    print(json.dumps({"name": "hall", "skipped": f"{error}: make engines"}))
    raise SystemExit from None

FULL = {"minutes": 10.0, "rounds": 20, "lost": 60.0, "cut": 600.0, "kills": 1000, "databases": 50}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("figures", nargs="*", choices=[*FIGURES, "archiver", []], help="which; none: all")
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--events", type=float, help="a second, of all boards; 1.1 of each")
    parser.add_argument("--minutes", type=float, default=1.0, help="of even play")
    parser.add_argument("--rounds", type=int, default=3, help="nodes killed, one at a time")
    parser.add_argument("--lost", type=float, default=30.0, help="seconds without a quorum")
    parser.add_argument("--cut", type=float, default=60.0, help="seconds that ten boards are cut off")
    parser.add_argument("--kills", type=int, default=20, help="of the archiver")
    parser.add_argument("--databases", type=int, default=2, help="times that PostgreSQL is killed meanwhile")
    parser.add_argument("--no-pages", action="store_true", help="without a worker of the hall's pages, and a spectator")
    parser.add_argument("--full", action="store_true", help=f"as the issue asks: {FULL}")
    given = parser.parse_args()
    if given.full:
        vars(given).update(FULL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # all that was started is ended
    asked = Asked(
        boards=given.boards,
        events=given.events or 1.1 * given.boards,
        seconds=60 * given.minutes,
        rounds=given.rounds,
        lost_s=given.lost,
        cut_s=given.cut,
        shown=not given.no_pages,
    )
    for name in given.figures or [*FIGURES, "archiver"]:
        if name == "archiver":
            print(json.dumps(archive_killed(given.kills, given.databases)), flush=True)
        else:
            for line in FIGURES[name](asked):
                print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
