"""A real RabbitMQ and a real PostgreSQL for tests, each with a folder of its own, on free ports of the loopback."""

import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import aio_pika
import pytest
from hall import free_port

from controller.archive import queues

RABBITMQ = Path("/usr/lib/rabbitmq/bin")
POSTGRESQL = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: float(each.parent.name))
PLUGINS = "rabbitmq_mqtt,rabbitmq_consistent_hash_exchange"


def need(found: object, what: str) -> None:
    """Skips the test where an engine is missing; fails it where everything has to be there."""
    if not found:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{what} is not installed: make engines")


TRIES = 3


class RabbitMQ:
    """A node of the broker, that can be stopped and started again with what it has kept. Of a cluster it joins the one
    that is ``first`` there, and has a ``name`` of its own in the folder.
    """

    def __init__(self, folder: Path, name: str = "rabbitmq", first: "RabbitMQ | None" = None, *more: str) -> None:
        need(shutil.which("erl") and (RABBITMQ / "rabbitmq-server").exists(), "rabbitmq-server")
        self.folder = folder / name
        self.folder.mkdir()
        self.amqp, self.mqtt = free_port(), free_port()
        self.node = f"jadoube{self.amqp}@localhost"
        with (self.folder / "rabbitmq.conf").open("w") as file:
            file.write(
                f"listeners.tcp.1 = 127.0.0.1:{self.amqp}\nmqtt.listeners.tcp.1 = 127.0.0.1:{self.mqtt}\n"
                "loopback_users = none\nmqtt.allow_anonymous = true\nmqtt.exchange = amq.topic\nlog.console = false\n"
            )
            if first is not None:
                file.write(f"cluster_formation.classic_config.nodes.1 = {first.node}\n")
            file.writelines(f"{line}\n" for line in more)
        (self.folder / "plugins").write_text(f"[{PLUGINS}].\n")
        self.environment = os.environ | {
            "HOME": str(self.folder if first is None else first.folder),  # where the cookie is that nodes share
            "RABBITMQ_NODENAME": self.node,
            "RABBITMQ_CONFIG_FILE": str(self.folder / "rabbitmq"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(self.folder / "data"),
            "RABBITMQ_LOG_BASE": str(self.folder / "log"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
            "ERL_EPMD_ADDRESS": "127.0.0.1",
        }
        password = self.folder / "password"
        password.touch(0o600)
        password.write_text("guest")
        self.password_file = str(password)
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """A port that was free may be somebody's the next moment: where the node ends at once, it is started again."""
        for _ in range(TRIES):
            output = (self.folder / "output").open("ab")
            self.process = subprocess.Popen(
                [RABBITMQ / "rabbitmq-server"],
                env=self.environment | {"RABBITMQ_DIST_PORT": str(free_port())},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            _wait(self._answers_or_has_ended, self.folder / "output")
            if self._answers():
                return
        raise AssertionError((self.folder / "output").read_text()[-2000:])

    def _answers(self) -> bool:
        return answers(self.amqp) and answers(self.mqtt)

    def _answers_or_has_ended(self) -> bool:
        return self._answers() or self.process is None or self.process.poll() is not None

    def stop(self) -> None:
        """In order: killed within minutes after a queue was made, 3.10 does not find it again on its only node."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait()
            self.process = None

    def kill(self) -> None:
        """At the end, when nothing of it is wanted any more."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def empty(self, parts: int = 3) -> None:
        """Without queues and exchanges of ours."""

        async def scene() -> None:
            if self.process is None:
                await asyncio.to_thread(self.start)
            async with await aio_pika.connect(host="127.0.0.1", port=self.amqp, timeout=10) as connection:
                channel = await connection.channel()
                for part in range(parts):
                    await channel.queue_delete(f"{queues.PART}.{part}")
                await channel.exchange_delete(queues.BOARDS)

        asyncio.run(scene())


class PostgreSQL:
    """A server that can be killed and started again. ``more``: lines of its configuration."""

    def __init__(self, *more: str) -> None:
        need(POSTGRESQL, "postgresql")
        self.bin = POSTGRESQL[-1]
        self.port = free_port()
        # Not below pytest's own folder, which is for the tester alone: it refuses to be root.
        self._temporary = TemporaryDirectory(prefix="jadoube-postgresql-")
        self.folder = Path(self._temporary.name)
        self._user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        data = self.folder / "data"
        self._do("initdb", "-D", data, "-U", "archive", "-A", "trust", "-E", "UTF8", "--no-sync")
        with (data / "postgresql.conf").open("a") as file:
            file.write(f"listen_addresses = '127.0.0.1'\nport = {self.port}\nunix_socket_directories = ''\n")
            file.writelines(f"{line}\n" for line in more)
        self.process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        self.start()

    def create(self) -> str:
        """A new database, without anything in it; its URL."""
        self._databases += 1
        name = f"jadoube{self._databases}"
        self._do("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "archive", name)
        return f"postgresql://archive@127.0.0.1:{self.port}/{name}"

    def start_again(self) -> None:
        """Where a test has killed it."""
        if self.process is None:
            self.start()

    def start(self) -> None:
        output = (self.folder / "output").open("ab")
        command = [self.bin / "postgres", "-D", self.folder / "data"]
        self.process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True, **self._as())
        ready = [self.bin / "pg_isready", "-q", "-U", "archive", "-h", "127.0.0.1", "-p", str(self.port)]
        _wait(lambda: subprocess.run(ready, check=False).returncode == 0, self.folder / "output")

    def kill(self) -> None:
        """As if the power had gone."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
            # Its children notice a moment later.
            _wait(lambda: not answers(self.port), self.folder / "output")

    def close(self) -> None:
        self.kill()
        self._temporary.cleanup()

    def _do(self, program: str, *arguments: object) -> None:
        found = subprocess.run(
            [self.bin / program, *map(str, arguments)], check=False, capture_output=True, text=True, **self._as()
        )
        assert found.returncode == 0, found.stderr

    def _as(self) -> dict[str, int]:
        return {} if self._user is None else {"user": self._user.pw_uid, "group": self._user.pw_gid}


def answers(port: int) -> bool:
    """Whether something listens there."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
        return True
    return False


def _wait(true: object, output: Path, within_s: float = 180.0) -> None:
    end = time.monotonic() + within_s
    while not true():  # type: ignore[operator]
        assert time.monotonic() < end, output.read_text()[-2000:]
        time.sleep(0.1)
