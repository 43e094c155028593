"""Whether what was set up works: nodes, their clocks, disks, passwords, the schema, the pages. All this only asks;
:func:`spread` alone changes something: it puts the archive's queues on nodes that joined after these were made.
"""

import asyncio
import re
import socket
import ssl
import tomllib
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from msgspec.structs import replace

from controller.archive import database, queues
from controller.archive.settings import ArchiveConfig
from controller.cli.engines import machine, units
from controller.cli.engines.plan import Engines
from controller.cli.engines.texts import HOME
from controller.errors import DeviceError, JadoubeError
from controller.outlets.mqtt.times import APART_MS, majority

EPMD = 4369  #: where nodes of Erlang find each other
CLOCK = re.compile(r"\{'?([^,'{]+)'?,(-?\d+)\}")
CLOCKS = "[{N, rpc:call(N, os, system_time, [millisecond]) - os:system_time(millisecond)} || N <- [node()|nodes()]]."


def asked(engines: Engines) -> Iterator[JadoubeError]:
    """What is wrong, of all that can be known from here."""
    first = engines.erlang(engines.here[0])
    if not machine.is_active(units.broker(engines.here[0])):
        yield waiting(engines)
    else:
        told = machine.rabbitmq("rabbitmqctl", first, "cluster_status", "--formatter", "json", long=engines.long)
        clocks = machine.rabbitmq("rabbitmqctl", first, "eval", CLOCKS, long=engines.long)
        status = msgspec.json.decode(told)
        yield from of_nodes(engines, status, machine.unanswered)
        yield from full(engines, status)
        yield from apart({name: int(ahead) for name, ahead in CLOCK.findall(clocks)})
    yield from _signed_in()
    yield from _served(engines)


def waiting(engines: Engines) -> DeviceError:
    """What to say where the broker here is on the way, or has given up."""
    here, others = engines.here[0], [node for node in engines.nodes if node not in engines.here]
    if not others:
        unit = units.broker(here)
        return DeviceError(f"{unit} does not run", "its last words say why", f"journalctl --unit {unit}")
    return DeviceError(
        f"the broker of node {here} does not run yet",
        f"it waits for the others, {', '.join(others)}: RabbitMQ 4 begins once most nodes are on the way",
        f"set them up, too, and then call this again; journalctl --unit {units.broker(here)}",
    )


def of_nodes(
    engines: Engines, status: Mapping[str, Any], unanswered: Callable[[str, int], OSError | None]
) -> Iterator[DeviceError]:
    """The nodes that are not in the cluster, and why, as far as that can be seen."""
    there = set(status.get("running_nodes", []))
    for node in engines.nodes:
        if engines.erlang(node) in there:
            continue
        host, port = engines.host(node), engines.port("cluster", node)
        what = f"node {node} is not in the cluster"
        closed = unanswered(host, EPMD) or unanswered(host, port)
        again = f"jadoube hall up, with its folder of engines/, on {node}"
        if closed is not None:
            cause = (
                f"it is not set up yet, or off, or its ports {EPMD} and {port} are closed to this computer: {closed}"
            )
            yield DeviceError(what, cause, f"{again}; ping {host}")
        else:
            cause = "RabbitMQ runs there and does not know of this node: it began a cluster of its own, or is starting"
            reset = f"rabbitmqctl -n {engines.erlang(node)} with stop_app, force_reset, start_app"
            yield DeviceError(what, cause, f"wait a minute and call this again; if it stays so, on {node}: {reset}")


def full(engines: Engines, status: Mapping[str, Any]) -> Iterator[DeviceError]:
    """The nodes that take nothing any more."""
    names = {engines.erlang(node): node for node in engines.nodes}
    for alarm in status.get("alarms", []):
        node = names.get(alarm.get("node"), alarm.get("node"))
        what = "disk" if alarm.get("resource") == "disk" else "memory"
        yield DeviceError(
            f"the {what} of node {node} is full: no node takes anything any more; boards keep what they have to tell",
            f"less than RabbitMQ wants is left; what it keeps is in /var/lib/{units.STATE}"
            if what == "disk"
            else "more is queued than it can hold: archivers do not get on",
            f"on {node}: {'df -h' if what == 'disk' else 'free -h'}; it goes on by itself once there is room",
        )


def apart(ahead_ms: Mapping[str, int]) -> Iterator[DeviceError]:
    """The nodes whose time of day differs from that of most. ``ahead_ms``: of ours, by the names of the nodes."""
    if len(ahead_ms) < 2:
        return
    most = majority(list(ahead_ms.values()))
    for name, ms in ahead_ms.items():
        if most is None or abs(ms - most) <= APART_MS:
            continue
        which = "ahead of" if ms > most else "behind"
        yield DeviceError(
            f"the time of day of {name} is {abs(ms - most) / 1000:.1f} s {which} that of most nodes",
            "that computer does not get the network's time (NTP)",
            f"on {name.rpartition('@')[2]}: timedatectl; sudo timedatectl set-ntp true",
        )
    if most is None:
        told = ", ".join(f"{name} {ms / 1000:+.1f} s" for name, ms in ahead_ms.items())
        cause = "one or more of them do not get the network's time (NTP); which of them cannot be known from here"
        yield DeviceError(f"the times of day of the nodes differ: {told}", cause, "on each of them: timedatectl")


def _signed_in() -> Iterator[JadoubeError]:
    """Whether broker and database take the passwords of archive and console, and have the schema of this version."""
    for name in ("archive", "console"):
        for found in sorted(HOME.glob(f"*/{name}.toml"))[:1]:
            config = _with_passwords(_config(found))
            if (error := asyncio.run(_broker(config))) is not None:
                yield error
            if name == "archive" and (error := asyncio.run(_database(config))) is not None:
                yield error


def _with_passwords(config: ArchiveConfig) -> ArchiveConfig:
    """As a service has them from systemd."""
    broker = replace(config.broker, password_file=str(HOME / str(config.broker.password_file)))
    base = replace(config.database, password_file=str(HOME / str(config.database.password_file)))
    return replace(config, broker=broker, database=base)


def _config(path: Path) -> ArchiveConfig:
    """What archivers and console workers have in common."""
    tables = tomllib.loads(path.read_text())
    return msgspec.convert({name: tables[name] for name in ("broker", "database")}, ArchiveConfig)


async def _broker(config: ArchiveConfig) -> JadoubeError | None:
    try:
        async with queues.connected(config.broker):
            return None
    except JadoubeError as error:
        return error


async def _database(config: ArchiveConfig) -> JadoubeError | None:
    try:
        await (await database.connect(config.database)).close()
    except JadoubeError as error:
        return error
    except psycopg.Error as error:
        return database.unreachable(config.database, error)
    return None


def _served(engines: Engines) -> Iterator[DeviceError]:
    """What each service of this computer does not do."""
    for node in engines.here:
        for unit in (units.archiver(node), units.console(node)):
            if not machine.until(partial(machine.is_active, unit), 10.0):
                cause = (
                    "its last words say why; it is started again every two seconds unless its configuration is wrong"
                )
                yield DeviceError(f"{unit} does not run", cause, f"journalctl --unit {unit}")
        url = f"http://127.0.0.1:{engines.port('worker', node)}/"
        if machine.is_active(units.console(node)) and not machine.until(partial(_is_page, url), 30.0):
            what = f"the pages of node {node} are not served: {url}"
            yield DeviceError(
                what, "the database is away, or has not been read yet", f"journalctl --unit {units.console(node)}"
            )
    proxy = f"journalctl --unit {units.PROXY}; ss -ltnp"
    if not machine.until(partial(_is_broker, engines.ports.mqtt), 30.0):
        cause = "it finds no broker that runs, or that port is another program's"
        yield DeviceError(f"no broker answers boards through HAProxy at port {engines.ports.mqtt}", cause, proxy)
    url = f"http://127.0.0.1:{engines.ports.pages}/"
    if not machine.until(partial(_is_page, url), 30.0):
        cause = "it finds no console worker that answers, or that port is another program's"
        yield DeviceError(f"HAProxy serves no pages: {url}", cause, proxy)


def _is_broker(port: int) -> bool:
    """Whether a broker answers there that the hall's authority vouches for."""
    trusted = ssl.create_default_context(cafile=str(HOME / "ca.crt"))
    try:
        with (
            socket.create_connection(("127.0.0.1", port), 5) as plain,
            trusted.wrap_socket(plain, server_hostname="127.0.0.1"),
        ):
            return True
    except OSError:
        return False


def _is_page(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def spread(engines: Engines) -> list[str]:
    """Puts the archive's queues on those nodes here that lack one, and returns these nodes. A queue stands only on the
    nodes that there were when it was made."""
    first = engines.erlang(engines.here[0])
    if not machine.is_active(units.broker(engines.here[0])):
        return []
    told = machine.rabbitmq(
        "rabbitmqctl", first, "list_queues", "type", "members", "--formatter", "json", long=engines.long
    )
    quorum = [queue["members"] for queue in msgspec.json.decode(told) if queue["type"] == "quorum"]
    lacking = [node for node in engines.here if any(engines.erlang(node) not in members for members in quorum)]
    for node in lacking:
        machine.rabbitmq("rabbitmq-queues", first, "grow", engines.erlang(node), "all", long=engines.long)
    return lacking
