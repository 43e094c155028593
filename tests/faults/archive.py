"""Kills the archiver in mid-batch, and the database besides: the archive must equal what the boards told.

    python tests/faults/archive.py [--kills N] [--databases N] [--boards N] [--seed N]

Boards tell their events by MQTT on a real RabbitMQ, each event once that before it was acknowledged. Meanwhile
``jadoube archive run`` is killed again and again at moments drawn by lot, and now and then all of PostgreSQL. In the
end each event that a board told stands in the archive once and as it was told, and no other.

Ends with one JSON line; with status 1 where that does not hold.
"""

import argparse
import asyncio
import contextlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aiomqtt
import psycopg

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "daemon"), str(ROOT / "tests" / "archive")]

from engines import PostgreSQL, RabbitMQ  # noqa: E402

LONG = 40  #: events that a game has in the mean
ALIVE_S = (0.5, 2.5)  #: how long an archiver lives: it needs about a second to begin
PAUSE_S = 0.02  #: between two events of a board
PATIENCE_S = 120.0  #: without anything more in the archive

Told = dict[tuple[str, str, int], dict[str, Any]]


async def board(number: int, port: int, told: Told, over: asyncio.Event) -> None:
    """Tells one event after another until it is ``over``, and then how far it has come."""
    origin, base, game, seq, after = f"{number:064x}", f"jadoube/v1/hall/board/{number}", "", 0, 0
    chance = random.Random(number)
    async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V311) as client:
        while not over.is_set():
            seq += chance.randint(1, 4)
            if not game or chance.random() < 1 / LONG:
                game = f"game-{number}-{seq}"
                body = {"type": "game", "ply": 0, "opening": {"started": "2026-11-22T10:00:00+01:00"}}
            else:
                body = {"type": "touch", "ply": seq % 80, "ms": seq * 10, "side": "white", "square": "e2", "piece": "P"}
            about = {"seq": seq, "game": game, "after": after, "origin": origin}
            await client.publish(f"{base}/event", json.dumps(about | body), qos=1)
            told[origin, f"board/{number}", seq] = body
            after = seq
            await asyncio.sleep(PAUSE_S)
        head = {"seq": seq, "hash": f"{seq:064x}", "last": seq, "origin": origin}
        await client.publish(f"{base}/head", json.dumps(head), qos=1)


async def kill(config: Path, kills: int, databases: int, base: PostgreSQL, chance: random.Random) -> None:
    """Starts and kills archivers; and as often as is said the database beside one."""
    when = {round((n + 1) * kills / (databases + 1)) for n in range(databases)}
    for n in range(kills):
        archiver = start(config)
        await asyncio.sleep(chance.uniform(*ALIVE_S))
        if n in when:
            await asyncio.to_thread(base.kill)
            await asyncio.to_thread(base.start)
        archiver.kill()
        await asyncio.to_thread(archiver.wait)


def start(config: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "controller.cli.main", "archive", "run", "--config", str(config)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def archived(url: str) -> Told:
    with psycopg.connect(url) as base:
        rows = base.execute("SELECT origin, board, seq, body FROM event").fetchall()
    return {(origin, name, seq): body for origin, name, seq, body in rows}


async def campaign(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    broker, base = RabbitMQ(folder), PostgreSQL()
    try:
        url = base.create()
        config = folder / "archive.toml"
        config.write_text(
            f'parts = 4\n[broker]\nhosts = ["127.0.0.1:{broker.amqp}"]\nuser = "guest"\n'
            f'password_file = "{broker.password_file}"\n[database]\nurl = "{url}"\n'
        )
        first = start(config)  # the queues are to be there before anything is told
        while not await ready(url):
            await asyncio.sleep(0.1)
        await asyncio.sleep(2)
        first.send_signal(signal.SIGTERM)
        first.wait()
        told: Told = {}
        over = asyncio.Event()
        began_s = time.monotonic()
        async with asyncio.TaskGroup() as tasks:
            for number in range(given.boards):
                tasks.create_task(board(number, broker.mqtt, told, over))
            await kill(config, given.kills, given.databases, base, random.Random(given.seed))
            over.set()
        last = start(config)
        found, came_s = archived(url), time.monotonic()
        while found.keys() != told.keys() and time.monotonic() - came_s < PATIENCE_S:
            await asyncio.sleep(0.5)
            if len(now := archived(url)) != len(found):
                found, came_s = now, time.monotonic()
        last.kill()
        last.wait()
        return {
            "name": "archiver killed",
            "kills": given.kills,
            "databases_killed": given.databases,
            "events": len(told),
            "missing": len(told.keys() - found.keys()),
            "invented": len(found.keys() - told.keys()),
            "altered": sum(found[key] != told[key] for key in told.keys() & found.keys()),
            "seconds": round(time.monotonic() - began_s),
        }
    finally:
        broker.kill()
        base.close()


async def ready(url: str) -> bool:
    with contextlib.suppress(psycopg.Error):
        archived(url)
        return True
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--databases", type=int, default=50)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(campaign(Path(folder), given))
    print(json.dumps(found))
    return 1 if found["missing"] or found["invented"] or found["altered"] else 0


if __name__ == "__main__":
    sys.exit(main())
