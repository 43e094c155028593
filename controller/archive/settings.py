"""Where the archive gets events from, and where it keeps them: ``archive.toml``."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller import credentials, options
from controller.console.settings import PORT as PORT_OF_PAGES
from controller.console.settings import ConsoleConfig
from controller.outlets.settings import Host

LARGEST = 2**16  #: bytes of the file
PORT, PORT_TLS = 5672, 5671  #: of AMQP 0-9-1

Parts = Annotated[int, Meta(ge=1, le=256, description="how many archivers may share the work at most, 1 to 256")]


class BrokerConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The nodes of RabbitMQ, tried in turn, and who we are there."""

    hosts: tuple[Host, ...]
    user: str = "archive"
    password_file: str | None = None  #: a file with the password alone in it, or the name of a systemd credential
    tls: bool = False
    ca_file: str | None = None  #: who vouches for the nodes, where the system's authorities do not
    virtual_host: str = "/"

    def __post_init__(self) -> None:
        if not self.hosts:
            raise ValueError("hosts: there is none")

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """Host and port of each node."""
        usual = PORT_TLS if self.tls else PORT
        parted = (each.partition(":") for each in self.hosts)
        return [(host, int(port) if port else usual) for host, _, port in parted]

    @property
    def password(self) -> str | None:
        """Raises :exc:`ConfigError` where its file cannot be read, or could be by everybody."""
        return None if self.password_file is None else credentials.read(self.password_file, "[broker] password_file")


class DatabaseConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """PostgreSQL, as libpq has it: ``postgresql://user@host:5432/jadoube``; no password stands in there."""

    url: str
    password_file: str | None = None

    @property
    def password(self) -> str | None:
        """Raises :exc:`ConfigError` as that of the broker."""
        return None if self.password_file is None else credentials.read(self.password_file, "[database] password_file")


class ArchiverMetricsConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where Prometheus fetches figures of this archiver."""

    host: str = "127.0.0.1"  #: for this machine alone; ``0.0.0.0`` for all that can reach it
    port: Annotated[int, Meta(ge=1, le=65535)] = 9065


Minutes = Annotated[float, Meta(ge=0)]


class PagesConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hall's pages, by as many workers as are wanted; what is said of the public is to be as at the boards."""

    venue: str  #: whose boards are on them: [event] venue of the boards
    host: str = "127.0.0.1"  #: this machine alone, as behind a proxy; ``0.0.0.0`` for all of the hall's network
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT_OF_PAGES
    cert_file: str | None = None  #: a certificate for its names and addresses: then by TLS
    key_file: str | None = None  #: its private key, where that is not in the same file
    names: tuple[str, ...] = ()  #: under which browsers reach it, besides its addresses and the machine's own name
    trusted_proxy: str | None = None  #: the address of a proxy that passes requests on, and says whose they are
    session_h: Annotated[float, Meta(gt=0)] = 16.0  #: so long an arbiter stays signed in
    delay_min: Minutes | Literal["game-end"] = 0  #: as late the public sees what happens
    hold_below: Annotated[float, Meta(ge=0, le=1)] = 0.8  #: a move that is less certain the public is not told yet
    metrics_port: Annotated[int, Meta(ge=1, le=65535)] | None = None  #: left out: no figures for Prometheus

    def __post_init__(self) -> None:
        self.served()

    def served(self) -> ConsoleConfig:
        """As a daemon's pages are told it."""
        both = [name for name in ConsoleConfig.__struct_fields__ if name in self.__struct_fields__]
        return ConsoleConfig(**{name: getattr(self, name) for name in both})


class ArchiveConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration of an archiver; all archivers of a hall have the same."""

    broker: BrokerConfig
    database: DatabaseConfig
    metrics: ArchiverMetricsConfig | None = None  #: left out: no figures for Prometheus
    console: PagesConfig | None = None  #: left out: there are no pages
    parts: Parts = 8  #: queues among which the boards are shared out; the same for as long as the queues live


def load(path: Path) -> ArchiveConfig:
    """Raises :exc:`ConfigError` naming file and option."""
    return options.converted(options.toml(path, LARGEST, "config/archive.toml is an example"), ArchiveConfig, str(path))
