"""A real mosquitto under what ``jadoube broker-config`` writes, and clients of all ranks."""

import asyncio
import contextlib
import re
import socket
import ssl
import subprocess
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiomqtt
from hall import MOSQUITTO, free_port

from controller.cli.broker_config import BrokerUsers, hall, write

V5 = aiomqtt.ProtocolVersion.V5
BASE = "jadoube/v1/hall/board/7"


class Secured:
    """The hall ``hall``: boards 7 and 8, the arbiters anna and bruno, the reader screen, and a port for everybody."""

    def __init__(self, folder: Path, *, certificates: bool = False) -> None:
        self.folder = folder / "broker"
        self.port, self.public_port = free_port(), free_port()
        self.place: BrokerUsers = hall(
            venue="hall",
            host="127.0.0.1",
            boards=["7", "8"],
            arbiters=["anna", "bruno"],
            readers=["screen"],
            port=self.port,
            public_port=self.public_port,
            certificates=certificates,
            homeassistant=True,
        )
        write(self.place, self.folder)
        file = self.folder / "mosquitto.conf"
        text = re.sub(r"(?m)^(listener \d+)$", r"\1 127.0.0.1", file.read_text())
        file.write_text(f"user {Path.home().owner()}\n{text}")  # it leaves root, and then may not read what root wrote
        self.start()

    def start(self) -> None:
        assert MOSQUITTO is not None
        command = [MOSQUITTO, "-c", str(self.folder / "mosquitto.conf")]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError):
                for port in (self.port, self.public_port):  # it opens one after the other
                    _connect(port).close()
                return
            time.sleep(0.02)
        raise AssertionError("mosquitto did not start")

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def mqtt(self, user: str, **more: Any) -> dict[str, Any]:
        """The table of a board's configuration."""
        tls, kept = self.folder / "tls", self.folder / "secrets"
        who = {"cert_file": str(tls / f"{user}.crt"), "key_file": str(tls / f"{user}.key")}
        if not self.place.certificates:
            who = {"user": user, "password_file": str(kept / user)}
        return {"host": "127.0.0.1", "port": self.port, "tls": True, "ca_file": str(tls / "ca.crt")} | who | more

    def client(self, user: str | None, **options: Any) -> aiomqtt.Client:
        """Nobody in particular at the port for everybody, or a user at that for users."""
        options.setdefault("protocol", V5)
        context = ssl.create_default_context(cafile=self.folder / "tls/ca.crt")
        if user is None:
            return aiomqtt.Client("127.0.0.1", self.public_port, tls_context=context, **options)
        if self.place.certificates:
            context.load_cert_chain(self.folder / f"tls/{user}.crt", self.folder / f"tls/{user}.key")
        else:
            options |= {"username": user, "password": self.secret(user)}
        return aiomqtt.Client("127.0.0.1", self.port, tls_context=context, **options)

    def secret(self, user: str) -> str:
        return (self.folder / "secrets" / user).read_text().strip()


@contextlib.asynccontextmanager
async def hearing(client: aiomqtt.Client, *topics: str) -> AsyncIterator[list[aiomqtt.Message]]:
    """What the client hears of these topics; ``async with`` it is connected."""
    heard: list[aiomqtt.Message] = []

    async def listen() -> None:
        async for message in client.messages:
            heard.append(message)  # noqa: PERF401 - to be seen as it grows

    async with client:
        for topic in topics:
            await client.subscribe(topic, qos=1)
        task = asyncio.create_task(listen())
        try:
            yield heard
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 0.2)
