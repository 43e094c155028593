"""Makes journals of games in progress: ``python tests/daemon/journals/earlier.py FOLDER``, with the version of which
they are to be kept, and from its own tree.

Each is written by a table with seeded or set hands, in a process of its own, which then stops in order or kills itself
with SIGKILL. Beside them ``earlier.json`` says how each game stood, as that version had it.
"""

import gzip
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "daemon"), str(TESTS)]

import msgspec  # noqa: E402
from double import Double, double  # noqa: E402
from guests import evening  # noqa: E402
from guests.evening import Evening  # noqa: E402
from guests.sensors import Line  # noqa: E402
from stage import Scene  # noqa: E402

from controller.config import check  # noqa: E402
from controller.contract import Session, Time  # noqa: E402
from controller.daemon.play import LiveGame  # noqa: E402
from controller.daemon.timeline import MS_NS  # noqa: E402
from controller.journal import Journal, Opening  # noqa: E402
from controller.wire import decode_input  # noqa: E402
from hardware.boards import Fault  # noqa: E402

PROMOTING = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"


def config(path: Path, clock: str = "900+10", fen: str = "startpos") -> Any:
    tables = {
        "board": {"type": "simulated"},
        "event": {"venue": "demo", "board": "1", "clock": clock},
        "game": {"fen": fen},
        "start": {"by": "at-once", "ready_s": 0.5},
        "journal": {"path": str(path)},
    }
    return check(tables, "the test")


def begun(path: Path, clock: str = "900+10", fen: str = "startpos", occupied: int | None = None) -> Scene:
    scene = Scene(config(path, clock, fen), path)
    scene.show(occupied)
    scene.run(2_000)
    return scene


def opened(path: Path) -> Scene:
    """With two moves on each side."""
    scene = begun(path)
    for uci, side in (("e2e4", "white"), ("e7e5", "black"), ("g1f3", "white"), ("b8c6", "black")):
        ply(scene, uci, side)
    return scene


def ply(scene: Scene, uci: str, side: str) -> None:
    scene.run(1_234)
    scene.move(uci)
    scene.run(400)
    scene.press(side)
    scene.run(300)


def touched(path: Path) -> Scene:
    scene = opened(path)
    scene.lift("f1")
    scene.run(1_007)
    return scene


def unpressed(path: Path) -> Scene:
    scene = opened(path)
    scene.move("f1b5")
    scene.run(1_011)
    return scene


def promoting(path: Path) -> Scene:
    scene = begun(path, fen=PROMOTING, occupied=1 << 4 | 1 << 48 | 1 << 60)
    scene.move("a7a8")
    scene.run(3_003)
    return scene


def offence(path: Path) -> Scene:
    scene = opened(path)
    scene.lift("b1")
    scene.run(700)
    scene.place("b1")
    scene.run(600)
    ply(scene, "d2d4", "white")
    scene.run(901)
    return scene


def illegal(path: Path) -> Scene:
    scene = opened(path)
    ply(scene, "d2d5", "white")
    scene.run(809)
    return scene


def upheld(path: Path) -> Scene:
    scene = illegal(path)
    scene.command(type="arbiter", do="uphold")
    scene.run(5_001)
    return scene


def paused(path: Path) -> Scene:
    scene = opened(path)
    scene.command(type="arbiter", do="pause")
    scene.run(30_000)
    return scene


def flag(path: Path) -> Scene:
    scene = begun(path, clock="5")
    ply(scene, "e2e4", "white")
    scene.run(5_300)
    return scene


def gap(path: Path) -> Scene:
    scene = opened(path)
    scene.session.take(Fault(scene.at * MS_NS, "the board does not answer", "a cable", "plug it in"))
    scene.run(4_000)
    return scene


def match(path: Path) -> Scene:
    scene = Double(double(path.parent, event={"clock": "180"}, journal={"path": str(path)}), path)
    scene.set_up()
    scene.run(1_000)
    for board, uci, side in (("A", "e2e4", "white"), ("B", "d2d4", "white"), ("A", "d7d5", "black")):
        scene.on(board)
        ply(scene, uci, side)
    scene.on("A").take("e4d5")
    scene.run(400)
    scene.press("white")
    scene.on("B").lift("g8")
    scene.run(777)
    return scene


def told(path: Path, lines: list[Line], inputs: int) -> Journal:
    """The game of a log, as far as so many inputs, with the time told when something fell due."""
    journal, session = Journal(path), msgspec.convert(lines[0], Session)
    play = LiveGame("20261120-101500-a1b2", session)
    opening = Opening(game=play.id, venue="demo", board="1", started="2026-11-20T10:15:00+00:00", session=session)
    journal.begin(opening)
    heard = 0
    for line in lines[1:]:
        item = decode_input(json.dumps(line))
        while (falls := play.falls_due()) is not None and falls[1] < item.ms and heard < inputs:
            heard += 1
            passing = Time(ms=falls[0])
            journal.append(play.id, passing, play.handle(passing))
        if heard == inputs:
            break
        heard += 1
        journal.append(play.id, item, play.handle(item))
    return journal


def aside() -> tuple[Evening, list[Line]]:
    """A piece pushed aside by the hand that takes."""
    return evening.by_touches(207, "occupancy", "fide-2023", clock=True, pushes=True)


def unplugged() -> tuple[Evening, list[Line]]:
    """A press while a cable is out."""
    return evening.with_gap(500, 1, clock=True)


def otherwise(path: Path) -> Journal:
    """Held to be a breach then, and of another move."""
    return told(path, aside()[1], OTHERWISE)


def corrected(path: Path) -> Journal:
    """Held to be a press without a move then."""
    return told(path, unplugged()[1], CORRECTED)


OTHERWISE, CORRECTED = 118, 86
KILLED: dict[str, Callable[[Path], Any]] = {
    each.__name__: each
    for each in (touched, unpressed, promoting, offence, illegal, gap, match, flag, otherwise, corrected)
}
STOPPED: dict[str, Callable[[Path], Any]] = {each.__name__: each for each in (paused, upheld)}


def stood(path: Path) -> dict[str, Any]:
    """How the game stood, and the names that were told."""
    with closing(sqlite3.connect(path)) as connection:
        rows = [(kind, body) for kind, body in connection.execute("SELECT kind, body FROM record ORDER BY seq")]
        game = connection.execute("SELECT game FROM record WHERE kind = 'game' ORDER BY seq DESC").fetchone()[0]
    journal = Journal(path)
    opening = next(o for o in [journal.last_game("1"), journal.last_game("1+2")] if o is not None)
    play = LiveGame(game, opening.session)
    play.replay(journal.game(game))
    journal.close()
    boards = {
        board_id or "-": {
            "fen": each.state.position.board.fen(),
            "clocks": list(each.state.both_left()),
            "open": [list(notice.ids) for notice in each.state.notices],
            "record": [made.move.uci() for made in each.state.made if made.reported and made.move],
        }
        for board_id, each in play._games.items()
    }
    events = [json.loads(body) for kind, body in rows if kind == "event"]
    return {"ms": play.last_ms, "boards": boards, "ids": [event["id"] for event in events if event.get("id")]}


def main(folder: Path) -> None:
    kept = {}
    for name in (*KILLED, *STOPPED):
        path = folder / f"earlier-{name}.sqlite"
        for file in folder.glob(f"{path.name}*"):
            file.unlink()
        done = subprocess.run([sys.executable, __file__, str(folder), name], check=False)
        assert done.returncode == (-signal.SIGKILL if name in KILLED else 0), (name, done.returncode)
        kept[name] = stood(path)  # which folds the write-ahead log in
        for suffix in ("-shm", "-wal", "-lock", "-witness"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("VACUUM")
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        path.unlink()
    kept["otherwise"]["played"] = aside()[0].truth[:16]
    kept["corrected"]["played"] = unplugged()[0].truth[:1]
    (folder / "earlier.json").write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        one = sys.argv[2]
        path = Path(sys.argv[1]) / f"earlier-{one}.sqlite"
        scene = {**KILLED, **STOPPED}[one](path)
        journal = scene if isinstance(scene, Journal) else scene.journal
        time.sleep(1)  # until all of it is on the disk
        if one in KILLED:
            os.kill(os.getpid(), signal.SIGKILL)
        journal.close()
    else:
        main(Path(sys.argv[1]))
