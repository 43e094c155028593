"""Which computers play RabbitMQ, PostgreSQL and the rest for a hall, and at which ports: ``engines.toml``."""

from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from controller import options
from controller.cli.hardware.fill import toml
from controller.errors import ConfigError
from controller.outlets.settings import Port

FILE = "engines.toml"
LARGEST = 2**16  #: bytes of the file
APART = 100  #: between the ports of two nodes that one computer plays

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$", description="a name or an address")]


class EnginePorts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where each part listens; of nodes that one computer plays, the first one. No part of the first three is on more
    than one port of a computer."""

    mqtt: Port = 8883  #: HAProxy's, by TLS: the one that boards are told
    pages: Port = 8064  #: HAProxy's
    pages_tls: Port = 8443  #: the same by TLS
    amqp: Port = 5671  #: RabbitMQ's, by TLS
    broker: Port = 18883  #: RabbitMQ's for MQTT, by TLS, behind the first
    cluster: Port = 25672  #: between the nodes of RabbitMQ
    broker_metrics: Port = 15692
    database: Port = 5433  #: PostgreSQL's, by TLS; 5432 may be another one's
    archiver_metrics: Port = 9065
    worker: Port = 18064  #: a console worker's, behind the second
    worker_metrics: Port = 9066


class Engines(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The plan of a hall, or of the computer that it was carried to."""

    nodes: tuple[Name, ...]  #: computers by name or address; the database is on the first
    local: bool = False  #: this computer plays them all
    ports: EnginePorts = EnginePorts()
    arbiters: tuple[Name, ...] = ()  #: who may command by MQTT, besides those of the pages
    readers: tuple[Name, ...] = ()  #: who may read everything by MQTT, as a screen behind the scenes
    venue: str = ""  #: of the hall; in what is carried
    called: str = ""  #: the computer of the broker, as the hall has it; in what is carried
    here: tuple[Name, ...] = ()  #: which nodes the computer plays that it was carried to
    delay_min: int | str = 0  #: of the hall; in what is carried

    def __post_init__(self) -> None:
        if len(self.nodes) not in (1, 3, 5, 7):
            raise ValueError("nodes: one, three, five or seven; of two or four no more may fail than of one or three")
        if twice := {node for node in self.nodes if self.nodes.count(node) > 1}:
            raise ValueError(f"nodes: {', '.join(twice)} is there twice")

    @property
    def long(self) -> bool:
        """Whether Erlang has to take the names as whole ones: those with a dot in them."""
        return not self.local and any("." in node for node in self.nodes)

    @property
    def database(self) -> str:
        """The node that has it."""
        return self.nodes[0]

    def host(self, node: str) -> str:
        """Where a node is to be reached."""
        return "localhost" if self.local else node

    def erlang(self, node: str) -> str:
        """As RabbitMQ calls it."""
        return f"rabbit-{node}@localhost" if self.local else f"rabbit@{node}"

    def port(self, of: str, node: str) -> int:
        """A port of the part ``of`` on that node."""
        first: int = getattr(self.ports, of)
        return first + APART * self.nodes.index(node) if self.local else first


def load(folder: Path) -> Engines | None:
    """The plan in a folder; None where there is none. Raises :exc:`ConfigError` naming the option."""
    path = folder / FILE
    return options.converted(options.toml(path, LARGEST), Engines, str(path)) if path.exists() else None


def planned(before: Engines | None, nodes: str | None, *, local: bool, default: str) -> Engines:
    """What ``--nodes`` and ``--local`` say, beyond what is there. Raises :exc:`ConfigError`."""
    names = nodes or (",".join(before.nodes) if before else default)
    raw: dict[str, Any] = {} if before is None else msgspec.to_builtins(before)
    return options.converted(
        {**raw, "nodes": names.split(","), "local": local or (before is not None and before.local)}, Engines, "--nodes"
    )


def text(engines: Engines) -> str:
    """As a file."""
    lines = [
        "# The engines of the hall, for very many boards, written by jadoube hall up: docs/engines.md",
        f"nodes = {toml(engines.nodes)}",
        f"local = {toml(engines.local)}",
        f"arbiters = {toml(engines.arbiters)}",
        f"readers = {toml(engines.readers)}",
        *([f"venue = {toml(engines.venue)}", f"here = {toml(engines.here)}"] if engines.here else []),
        *([f"called = {toml(engines.called)}", f"delay_min = {toml(engines.delay_min)}"] if engines.here else []),
        "",
        "[ports]",
    ]
    ports = msgspec.to_builtins(engines.ports)
    return "\n".join([*lines, *(f"{name} = {number}" for name, number in ports.items())]) + "\n"


def mine(engines: Engines, hostname: str, here: str | None) -> tuple[str, ...]:
    """The nodes that this computer plays; ``here``: as which it was said to be. Raises :exc:`ConfigError`."""
    if engines.local:
        return engines.nodes
    if here is not None and here not in engines.nodes:
        known = ", ".join(engines.nodes)
        raise ConfigError(f"there is no node {here}", "a slip of the pen", f"--here with one of {known}")
    if here is not None:
        return (here,)
    short = hostname.partition(".")[0]
    return tuple(node for node in engines.nodes if node.removesuffix(".local") in (hostname, short))[:1]
