"""A whole hall on this machine, in processes of its own: three nodes, PostgreSQL, archivers, a thousand boards."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from engines import PostgreSQL, answers
from hall import free_port

from load.cluster import Cluster
from load.compared import Compared, compare
from load.watched import Watch

ROOT = Path(__file__).resolve().parents[2]
PYTHONPATH = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
PATIENCE_S = 300.0
PARTS = 8


class House:
    """``with House(...)`` has it all running; boards play from :meth:`play` on."""

    def __init__(self, boards: int, events: float, *, archivers: int = 1, games: int = 24, shown: bool = False) -> None:
        self.boards, self.events = boards, events
        self._temporary = tempfile.TemporaryDirectory(prefix="jadoube-load-")
        self.folder = Path(self._temporary.name)
        self.log, self.journals = self.folder / "told", self.folder / "journals"
        self.journals.mkdir()
        self.config = self.folder / "archive.toml"
        self._games = games
        self._shown = shown
        self.heard = self.folder / "heard"
        self.console: subprocess.Popen[bytes] | None = None
        self.spectator: subprocess.Popen[str] | None = None
        self._wanted = archivers
        self.archivers: list[subprocess.Popen[bytes]] = []
        self.generator: subprocess.Popen[str] | None = None
        self.cluster: Cluster | None = None
        self.database: PostgreSQL | None = None

    def __enter__(self) -> "House":
        try:
            games = self.folder / "games.gz"
            run_module("load.recording", games, "--games", self._games, "--journals", self.journals).wait()
            self.database = PostgreSQL("track_commit_timestamp = on", "max_connections = 200")
            self.url = self.database.create()
            self.cluster = Cluster(self.folder)
            self.begin_archiving()
            time.sleep(3)  # its queues
            self.generator = run_module(
                *("load.generator", games, self.log, "--boards", self.boards, "--events", self.events),
                *("--hosts", *self.cluster.mqtt),
            )
            began_s = time.monotonic()
            self.said()
            self.connected_s = time.monotonic() - began_s
            if self._shown:
                self._show()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for process in [*self.archivers, self.generator, self.console, self.spectator]:
            if process is not None:
                process.kill()
                process.wait()
        for engine in (self.cluster, self.database):
            if engine is not None:
                engine.close()
        self._temporary.cleanup()

    @property
    def nodes(self) -> Cluster:
        assert self.cluster is not None
        return self.cluster

    def _show(self) -> None:
        """The hall's pages, by one worker, and one who follows all boards there."""
        port = free_port()
        with self.config.open("a") as file:
            file.write(f'[console]\nvenue = "load"\nport = {port}\n')
        self.console = started("console", self.config, self.folder / "console")
        end_s = time.monotonic() + PATIENCE_S
        while not answers(port):
            assert self.console.poll() is None and time.monotonic() < end_s, (self.folder / "console").read_text()
            time.sleep(0.2)
        self.spectator = run_module("load.spectator", port, self.heard)
        assert self.spectator.stdout is not None
        assert self.spectator.stdout.readline()

    # -- the boards ----------------------------------------------------------------------------------------------

    def tell(self, *words: object) -> None:
        """The generator is told to ``play``, to ``cut`` a board off, to ``stop``."""
        assert self.generator is not None
        assert self.generator.stdin is not None
        self.generator.stdin.write(" ".join(map(str, words)) + "\n")
        self.generator.stdin.flush()

    def said(self) -> dict[str, Any]:
        """What the generator says next."""
        assert self.generator is not None
        assert self.generator.stdout is not None
        found: dict[str, Any] = json.loads(self.generator.stdout.readline())
        return found

    def stop(self) -> dict[str, Any]:
        """No board plays on; what the generator did, once the broker has all; and how soon the archive had, in s."""
        self.tell("stop")
        did, ended_s = self.said(), time.monotonic()
        end_s = ended_s + PATIENCE_S
        while self.archived() < did["events"] and time.monotonic() < end_s:
            time.sleep(0.2)
        return did | {"archived_s": round(time.monotonic() - ended_s, 1)}

    # -- the archive ---------------------------------------------------------------------------------------------

    def begin_archiving(self) -> None:
        """Into the database that is there."""
        hosts, password = json.dumps(self.nodes.amqp), self.nodes.nodes[0].password_file
        self.config.write_text(
            f'parts = {PARTS}\n[broker]\nhosts = {hosts}\nuser = "guest"\npassword_file = "{password}"\n'
            f'[database]\nurl = "{self.url}"\n'
        )
        for _ in range(self._wanted):
            self.archivers.append(started("run", self.config, self.folder / "archiver"))

    def forget_archive(self) -> None:
        """There never was one: no archiver, no queue, no row."""
        assert self.database is not None
        for each in self.archivers:
            each.kill()
            each.wait()
        self.archivers.clear()
        self.nodes.nodes[0].empty(PARTS)
        self.url = self.database.create()

    def is_whole(self, since: float) -> bool:
        """Whether all boards have said how far they are, after ``since`` (seconds since 1970), and all that is here."""
        with suppress(psycopg.Error), psycopg.connect(self.url) as base:
            told = base.execute("SELECT count(*) FROM head WHERE heard > to_timestamp(%s)", (since,)).fetchone()
            behind = base.execute("SELECT count(*) FROM behind WHERE archived = 0").fetchone()
            return told == (self.boards,) and behind == (0,)
        return False

    def archived(self) -> int:
        """Rows."""
        with suppress(psycopg.Error), psycopg.connect(self.url) as base:
            row = base.execute("SELECT count(*) FROM event").fetchone()
            return int(row[0]) if row else 0
        return 0

    def compared(self) -> Compared:
        return compare(self.log, self.url)

    def watch(self) -> Watch:
        """What each part takes from now on."""

        def parts() -> dict[str, list[int]]:
            assert self.database is not None
            running = (
                [node.process for node in self.nodes.nodes],
                self.archivers,
                [self.database.process],
                [self.generator],
                [self.console],
            )
            names = "broker", "archiver", "database", "generator", "console"
            return {
                name: [each.pid for each in some if each is not None] for name, some in zip(names, running, strict=True)
            }

        return Watch(parts)


def started(work: str, config: Path, log: Path) -> "subprocess.Popen[bytes]":
    """One ``jadoube archive run`` or ``console``."""
    command = [sys.executable, "-m", "controller.cli.main", "archive", work, "--config", str(config)]
    with log.open("ab") as output:
        return subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)


def run_cli(*arguments: str, program: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """``jadoube`` with these arguments, or another program; what it said."""
    mine = ["-m", "controller.cli.main"] if program is None else [str(program)]
    return subprocess.run([sys.executable, *mine, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def run_module(module: str, *arguments: object, **more: Any) -> "subprocess.Popen[str]":
    """A program of this room; what it says can be read."""
    command: Sequence[str] = [sys.executable, "-m", module, *map(str, arguments)]
    pipe = subprocess.PIPE
    environment = os.environ | {"PYTHONPATH": PYTHONPATH}
    return subprocess.Popen(command, env=environment, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, **more)
