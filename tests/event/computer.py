"""The organiser's computer: what ``jadoube hall init`` wrote, the broker, the daemon, the commands; and its power."""

import asyncio
import contextlib
import json
import os
import re
import signal
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any

import aiomqtt
from hall import free_port
from hall_host import Host
from secured import V5

ROOT = Path(__file__).resolve().parents[2]
JADOUBE = (sys.executable, "-m", "controller.cli.main")
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}
VENUE = "lyon"
READY_S = 60  #: on a busy machine


class Computer:
    """The hall in ``folder``, whose boards are plugged in at ``ports``; use it with ``async with``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "hall"
        self.config = self.folder / "hall.toml"
        self.log = folder / "log"
        self.page = f"http://127.0.0.1:{free_port()}"
        self._daemon: subprocess.Popen[bytes] | None = None
        self._broker: Host | None = None

    async def init(self, boards: int, ports: str) -> None:
        """The files of the hall; then ports that nobody else has, for this is no computer of our own, and less time for
        the pieces to stand before a game."""
        options = ("--boards", f"1-{boards}", "--dgt-serial", ports, "--event", "Coupe des Clubs", "--clock", "90+30")
        more = ("--venue", VENUE, "--broker", "localhost", "--spectators", "none", "--delay", 0, "--yes")
        await self.jadoube("hall", "init", self.folder, *options, *more)
        self._broker = Host(self.folder)
        text = self.config.read_text().replace("port = 8883", f"port = {self._broker.port}")
        text = re.sub(r"(?m)^# port = 8064\b", f"port = {self.page.rpartition(':')[2]}", text)
        self.config.write_text(re.sub(r"(?m)^# ready_s = 3.0", "ready_s = 0.5", text))

    async def __aenter__(self) -> "Computer":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut_power()

    def start(self) -> None:
        """The daemon, as its unit starts it."""
        with self.log.open("ab") as log:
            self._daemon = subprocess.Popen(
                [*JADOUBE, "run", "--config", "hall.toml"], cwd=self.folder, env=ENVIRONMENT, stderr=log
            )

    def stop(self) -> None:
        """As systemd ends it."""
        assert self._daemon is not None
        self._daemon.send_signal(signal.SIGTERM)
        assert self._daemon.wait(15) == 0
        self._daemon = None

    def cut_power(self) -> None:
        """Whatever runs on it ends at once: the daemon, and the broker."""
        if self._daemon is not None:
            self._daemon.kill()
            self._daemon.wait()
            self._daemon = None
        if self._broker is not None:
            self._broker.stop()

    def power_on(self) -> None:
        assert self._broker is not None
        self._broker.start()
        self.start()

    async def jadoube(self, *arguments: object) -> str:
        """What a command says that does what it should."""
        status, out, err = await self._run(*arguments)
        assert status == 0, f"{arguments}: {out}{err}"
        return out

    async def hall(self, *arguments: object) -> str:
        """The same of ``jadoube hall …``."""
        return await self.jadoube("hall", *arguments, "--config", self.config)

    async def code(self) -> str:
        """By which an arbiter signs in, once the daemon is there."""
        async with asyncio.timeout(READY_S):
            while True:
                with contextlib.suppress(AssertionError):
                    said = await self.jadoube("pair", "--config", self.config)
                    return said.partition("pairing code: ")[2][:9]
                await asyncio.sleep(0.2)

    async def is_ready(self) -> dict[str, Any]:
        """Asks ``hall check`` until it says so, and returns what it then says."""
        found: dict[str, Any] = {}
        try:
            async with asyncio.timeout(READY_S):
                while not found.get("ready"):
                    _, out, _ = await self._run("hall", "check", "--json", "--config", self.config)
                    found = json.loads(out or "{}")
        except TimeoutError:
            unready = [board for board in found.get("boards", ()) if not board["ready"]]
            raise AssertionError(f"never ready: {found.get('wants')}, {unready}") from None
        return found

    async def _run(self, *arguments: object) -> tuple[int | None, str, str]:
        process = await asyncio.create_subprocess_exec(
            *JADOUBE,
            *map(str, arguments),
            cwd=self.folder.parent,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, err = await process.communicate()
        return process.returncode, out.decode(), err.decode()

    def client(self) -> aiomqtt.Client:
        """A connection to the broker."""
        context = ssl.create_default_context(cafile=self.folder / "ca.crt")
        password = (self.folder / "mqtt-password").read_text().strip()
        port = self._broker.port if self._broker is not None else 0
        return aiomqtt.Client(
            "localhost", port, username="hall", password=password, protocol=V5, tls_context=context, timeout=5
        )
