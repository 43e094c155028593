"""What is asked of this computer, and done to it: packages, services, other users' commands. All of it needs root."""

import os
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from controller.errors import DeviceError

PLAIN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
RABBITMQ = Path("/usr/lib/rabbitmq/bin")
POSTGRESQL = Path("/usr/lib/postgresql")
SAID = 1500  #: characters of what a command says that fails
PATIENCE_S = 60.0
ASLEEP = ("rabbitmq-server", "haproxy")  #: packages whose own services are not ours


def check_root() -> None:
    """Raises :exc:`DeviceError` where we are not root, or systemd does not run this computer."""
    if os.geteuid() != 0:
        raise DeviceError("only root may set up a computer", "it was called without sudo", "the same with sudo before")
    if not Path("/run/systemd/system").is_dir():
        what = "systemd does not run this computer, so no service can be started"
        raise DeviceError(what, "it is a container, or another kind of Linux", "use a computer with Debian 12 or 13")


def tried(
    *command: str | Path, told: str = "", user: str | None = None, environment: Mapping[str, str] = PLAIN
) -> "subprocess.CompletedProcess[str]":
    """What a command says, as ``user`` if not as root, whatever comes of it."""
    return subprocess.run(
        [*map(str, command)],
        input=told,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=environment,
        cwd="/",
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )


def run(
    *command: str | Path,
    told: str = "",
    user: str | None = None,
    environment: Mapping[str, str] = PLAIN,
    cause: str = "",
    then: str = "",
) -> str:
    """The same; raises :exc:`DeviceError` with ``cause`` and what to do ``then`` where it fails."""
    done = tried(*command, told=told, user=user, environment=environment)
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())[-SAID:]
        raise DeviceError(f"{' '.join(map(str, command))} fails: {said}", cause, then)
    return done.stdout


# -- packages ------------------------------------------------------------------------------------------------------


def missing(packages: Sequence[str]) -> list[str]:
    """Those that are not installed."""
    found = tried("dpkg-query", "--show", "--showformat=${Package} ${Status}\n", *packages).stdout.splitlines()
    return [package for package in packages if f"{package} install ok installed" not in found]


def install(packages: Sequence[str]) -> None:
    """Installs them, without starting what is not ours. Raises :exc:`DeviceError`."""
    asleep = [f"{package}.service" for package in packages if package in ASLEEP]
    no_main = Path("/etc/postgresql-common/createcluster.d/jadoube.conf")
    if "postgresql" in packages:
        no_main.parent.mkdir(parents=True, exist_ok=True)
        no_main.write_text("# By jadoube hall up: no cluster that nobody asked for.\ncreate_main_cluster = false\n")
    if asleep:
        run("systemctl", "mask", *asleep)
    cause, then = "no network, or no room on the disk", "sudo apt-get update; df -h; then the same again"
    environment = {**PLAIN, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            run("apt-get", "--quiet=2", *command, environment=environment, cause=cause, then=then)
    finally:
        if asleep:
            run("systemctl", "unmask", *asleep)
    if asleep:
        run("systemctl", "disable", *asleep)


# -- services ------------------------------------------------------------------------------------------------------


def is_active(unit: str) -> bool:
    """Whether it runs."""
    return tried("systemctl", "is-active", "--quiet", unit).returncode == 0


def is_enabled(unit: str) -> bool:
    """Whether it is started with the computer."""
    return tried("systemctl", "is-enabled", "--quiet", unit).returncode == 0


def start(verb: str, unit: str) -> None:
    """Starts, or restarts, a unit. Raises :exc:`DeviceError` with the last that it said."""
    if tried("systemctl", verb, unit).returncode == 0:
        return
    log = tried("journalctl", "--output=cat", "--lines=15", "--unit", unit).stdout
    said = " ".join(log.split())[-SAID:]
    raise DeviceError(f"{unit} does not start: {said}", "its last words say why", f"journalctl --unit {unit}")


# -- RabbitMQ and PostgreSQL ---------------------------------------------------------------------------------------


def rabbitmq(tool: str, erlang: str, *command: str, long: bool) -> str:
    """What one of RabbitMQ's tools says of a node. Raises :exc:`DeviceError`."""
    names = ["--longnames"] if long else []
    environment = {**PLAIN, "HOME": "/var/lib/rabbitmq"}
    done = tried(RABBITMQ / tool, "--quiet", "-n", erlang, *names, *command, user="rabbitmq", environment=environment)
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())[:SAID]
        what = f"{tool} {command[0]} fails on {erlang}: {said}"
        raise DeviceError(what, "the node does not run", f"{tool} -n {erlang} {command[0]}")
    return done.stdout


def clusters(name: str) -> list[str]:
    """The versions in which there is a cluster of PostgreSQL of that name."""
    return sorted(path.parts[-3] for path in Path("/etc/postgresql").glob(f"*/{name}/postgresql.conf"))


def newest() -> str:
    """The version of PostgreSQL that is installed. Raises :exc:`DeviceError` where none is."""
    found = [path.parent.name for path in POSTGRESQL.glob("*/bin")]
    if not found:
        raise DeviceError("PostgreSQL is not installed", "its package was removed", "apt-get install postgresql")
    return max(found, key=float)


def psql(port: int, statement: str) -> str:
    """What PostgreSQL answers to its own administrator. Raises :exc:`DeviceError`."""
    command = ("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-p", str(port), "-d", "postgres")
    then = "systemctl status 'postgresql@*'; ls /var/log/postgresql"
    return run(*command, told=statement, user="postgres", cause="it does not run, or its disk is full", then=then)


# -- the network ---------------------------------------------------------------------------------------------------


def unanswered(host: str, port: int) -> OSError | None:
    """Why nobody answers there; None where somebody does."""
    try:
        with socket.create_connection((host, port), 3.0):
            return None
    except OSError as error:
        return error


def until(holds: Callable[[], bool], within_s: float = PATIENCE_S) -> bool:
    """Waits for it; whether it came true."""
    end = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.3)
    return True
