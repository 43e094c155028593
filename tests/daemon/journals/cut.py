"""Makes a journal that a whole daemon wrote and could not close: ``python tests/daemon/journals/cut.py game FOLDER``.

Seeded hands play on simulated boards, with clocks, and the process kills itself with SIGKILL in the middle of a move.
To be run with the version of which a journal is to be kept; see README.md.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

SPEED = 4.0
PLIES = {"game": 9, "match": 10}  #: made before it is killed, with a piece in hand
FRAME_HEAD, WAL_HEAD, PAGE = 24, 32, 4096


def main(kind: str, folder: Path) -> None:
    name = folder / f"{kind}.sqlite"
    for suffix in ("", "-wal", "-shm"):
        name.with_name(name.name + suffix).unlink(missing_ok=True)
    done = subprocess.run([sys.executable, __file__, kind, str(folder), "--die"], check=False)
    assert done.returncode == -signal.SIGKILL
    _shorten(name.with_name(name.name + "-wal"))
    for suffix in ("-shm", "-lock"):
        name.with_name(name.name + suffix).unlink(missing_ok=True)
    name.with_suffix(".json").write_text(json.dumps(_stood(name), indent=1) + "\n")


def die(kind: str, path: Path) -> None:
    """Plays, and is killed."""
    from controller.cli.demo import commands as demo
    from controller.cli.demo import game as demo_game
    from controller.cli.demo import match as demo_match
    from controller.config import JournalConfig
    from controller.contract import Lift, Move
    from controller.daemon.service import Daemon
    from controller.journal import writer
    from controller.outlets.pgn import PgnConfig
    from controller.wire import decode_event, decode_input

    writer.FOLD_ROWS = 20  # so that both files hold some of it, and neither is large
    show: Any = demo_match.show(SPEED, 1) if kind == "match" else demo_game.show(None, SPEED, 1)
    tables = {"journal": JournalConfig(path=str(path)), "pgn": PgnConfig(directory=str(path.parent / "games"))}
    daemon = Daemon(replace(show.config, console=None, **tables), SPEED)

    async def hands(daemon: Daemon) -> None:
        await demo.play(daemon, show, SPEED)

    async def death(daemon: Daemon) -> None:
        seq = made = 0
        while True:
            await daemon.journal.wait(seq)
            for record in daemon.journal.after(seq):
                seq = record.seq
                made += record.kind == "event" and isinstance(decode_event(record.body), Move)
                lifted = record.kind == "input" and isinstance(decode_input(record.body), Lift)
                if lifted and made >= PLIES[kind]:
                    os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(daemon.run(hands, death))


def _shorten(wal: Path) -> None:
    """Cuts off what is behind the last frame of this turn of the log: room made beforehand, and what was folded in."""
    data = wal.read_bytes()
    frames = 0
    for offset in range(WAL_HEAD, len(data), FRAME_HEAD + PAGE):
        if data[offset + 8 : offset + 16] != data[16:24]:
            break
        frames += 1
    wal.write_bytes(data[: WAL_HEAD + frames * (FRAME_HEAD + PAGE)])


def _stood(path: Path) -> dict[str, Any]:
    """How the game stood when it was cut off, by what was told and nothing else: the session's time, and of each board
    the moves, and what was left on both clocks at that time.
    """
    last_ms, boards = 0, dict[str, dict[str, Any]]()
    # Whoever closes it folds the write-ahead log in, and that is to be left as it is.
    with TemporaryDirectory() as folder:
        for file in path.parent.glob(f"{path.name}*"):
            shutil.copy(file, folder)
        with closing(sqlite3.connect(Path(folder) / path.name)) as connection:
            rows = list(connection.execute("SELECT kind, body FROM record ORDER BY seq"))
    for kind, body in rows:
        told = json.loads(body)
        board = boards.setdefault(told.get("board", "-"), {"moves": []}) if kind == "event" else {}
        if kind == "input":
            last_ms = told["ms"]
        elif told.get("type") == "move":
            board["moves"].append(told["uci"])
        elif told.get("type") == "clock":
            board["clock"] = told
    for board in boards.values():
        clock = board.pop("clock")
        if clock.get("running"):
            clock[f"{clock['running']}_ms"] -= last_ms - clock["ms"]
        board |= {name: clock.get(name) for name in ("white_ms", "black_ms", "running")}
    return {"ms": last_ms, "boards": boards}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=PLIES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--die", action="store_true")
    given = parser.parse_args()
    if given.die:
        die(given.kind, given.folder / f"{given.kind}.sqlite")
    else:
        main(given.kind, given.folder)
