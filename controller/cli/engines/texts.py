"""Every file that a computer needs to play its nodes, as text. Keys of RabbitMQ's are those that 3.10 and 4.0 both
know; HAProxy is 2.6 and later, PostgreSQL 15 and later.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from controller.cli.engines import plan, units
from controller.cli.engines.plan import Engines
from controller.cli.engines.rights import ARCHIVE, CONSOLE
from controller.cli.hardware.fill import toml

HOME = Path("/etc/jadoube/engines")
SYSTEM = Path("/etc/systemd/system")
PLUGINS = ("rabbitmq_mqtt", "rabbitmq_consistent_hash_exchange", "rabbitmq_prometheus")
BASE = "jadoube"  #: the database
ROLE = "archive"  #: its owner
FREE_GB = 1  #: RabbitMQ takes nothing any more while its disk has less
WORDS = ("archive-password", "console-password", "database-password")  #: files with one password each


SECRETS = {
    **dict.fromkeys(("cookie", "pages.pem", *WORDS), "root"),
    **dict.fromkeys(("definitions.json", "broker.key"), "rabbitmq"),
    "database.key": "postgres",
}
"""The files that hold a secret, by their names, and which user alone may read each; all others are for everybody."""


class GivenTexts(Struct, frozen=True):
    """What stands in files without being made of the plan."""

    authority: str  #: the hall's own, a certificate
    certificate: str  #: with the names of all nodes
    key: str
    definitions: str
    cookie: str  #: by which nodes of Erlang know each other
    passwords: Mapping[str, str]  #: by the names of :data:`WORDS`


def files(engines: Engines, here: tuple[str, ...], given: GivenTexts, python: str) -> dict[Path, str]:
    """All of a computer that plays the nodes ``here``, by their paths there."""
    common = dict(_common(engines, here, given))
    own = {f"{node}/{name}": text for node in here for name, text in _of(engines, node)}
    system = units.texts(engines, here, HOME, python)
    return {HOME / name: text for name, text in (common | own).items()} | {
        SYSTEM / name: text for name, text in system.items()
    }


def _common(engines: Engines, here: tuple[str, ...], given: GivenTexts) -> Iterator[tuple[str, str]]:
    yield plan.FILE, plan.text(engines)
    yield "ca.crt", given.authority
    yield "broker.crt", given.certificate
    yield "broker.key", given.key
    yield "pages.pem", given.certificate + given.key
    yield "cookie", given.cookie
    yield "definitions.json", given.definitions
    yield "enabled_plugins", f"[{','.join(PLUGINS)}].\n"
    yield "haproxy.cfg", proxy(engines, here)
    yield from ((name, f"{given.passwords[name]}\n") for name in WORDS)
    if engines.database in here:
        yield "database.crt", given.certificate
        yield "database.key", given.key
        yield "database.conf", database(engines)
        yield "pg_hba.conf", admitted()


def _of(engines: Engines, node: str) -> Iterator[tuple[str, str]]:
    yield "rabbitmq.conf", broker(engines, node)
    yield "archive.toml", archive(engines, node, ARCHIVE)
    yield "console.toml", archive(engines, node, CONSOLE) + console(engines, node)


def broker(engines: Engines, node: str) -> str:
    """RabbitMQ's configuration."""
    nodes = "".join(
        f"cluster_formation.classic_config.nodes.{number} = {engines.erlang(each)}\n"
        for number, each in enumerate(engines.nodes, 1)
    )
    loopback = "distribution.listener.interface = 127.0.0.1\n" if engines.local else ""
    memory = 0.4 / (len(engines.nodes) if engines.local else 1)
    return f"""# RabbitMQ of the hall {engines.venue}, node {node}; written by jadoube hall up.
cluster_formation.peer_discovery_backend = classic_config
{nodes}cluster_partition_handling = pause_minority
queue_leader_locator = balanced
{loopback}
listeners.tcp = none
listeners.ssl.1 = {_address(engines, "amqp", node)}
ssl_options.cacertfile = {HOME}/ca.crt
ssl_options.certfile = {HOME}/broker.crt
ssl_options.keyfile = {HOME}/broker.key
ssl_options.verify = verify_none
ssl_options.fail_if_no_peer_cert = false

mqtt.listeners.tcp = none
mqtt.listeners.ssl.1 = {_address(engines, "broker", node)}
mqtt.allow_anonymous = false
mqtt.vhost = /
mqtt.exchange = amq.topic

# Figures for Prometheus, to this computer alone.
prometheus.tcp.ip = 127.0.0.1
prometheus.tcp.port = {engines.port("broker_metrics", node)}

# Users, and what each may write and read.
load_definitions = {HOME}/definitions.json

disk_free_limit.absolute = {FREE_GB}GB
vm_memory_high_watermark.relative = {memory:.2f}
log.console = true
log.file = false
"""


def database(engines: Engines) -> str:
    """PostgreSQL's, read after its own."""
    return f"""# PostgreSQL of the hall {engines.venue}; written by jadoube hall up.
listen_addresses = '{"127.0.0.1" if engines.local else "*"}'
port = {engines.port("database", engines.database)}
ssl = on
ssl_cert_file = '{HOME}/database.crt'
ssl_key_file = '{HOME}/database.key'
hba_file = '{HOME}/pg_hba.conf'
password_encryption = 'scram-sha-256'
"""


def admitted() -> str:
    """Who may connect to PostgreSQL, from where and how."""
    return f"""# Written by jadoube hall up. Who may connect, from where, how.
# type   database  user      address  method
local    all       postgres           peer
hostssl  {BASE}   {ROLE}   all      scram-sha-256
"""


def archive(engines: Engines, node: str, user: str) -> str:
    """What an archiver is told, or a console worker."""
    nodes = engines.nodes[engines.nodes.index(node) :] + engines.nodes[: engines.nodes.index(node)]  # the own one first
    hosts = toml([f"{engines.host(each)}:{engines.port('amqp', each)}" for each in nodes])
    base = f"{engines.host(engines.database)}:{engines.port('database', engines.database)}/{BASE}"
    metrics = f"\n[metrics]\nport = {engines.port('archiver_metrics', node)}\n" if user == ARCHIVE else ""
    return f"""# The {user} of node {node}, written by jadoube hall up.
[broker]
hosts = {hosts}
user = "{user}"
password_file = "{user}-password"
tls = true
ca_file = "{HOME}/ca.crt"

[database]
url = "postgresql://{ROLE}@{base}?sslmode=verify-full&sslrootcert={HOME}/ca.crt"
password_file = "database-password"
{metrics}"""


def console(engines: Engines, node: str) -> str:
    """What a console worker is told besides."""
    names = toml(list(dict.fromkeys([engines.called, *(() if engines.local else engines.nodes)])))
    return f"""
[console]
venue = "{engines.venue}"
host = "{"127.0.0.1" if engines.local else "0.0.0.0"}"
port = {engines.port("worker", node)}
names = {names}
trusted_proxy = "127.0.0.1"
delay_min = {toml(engines.delay_min)}
metrics_port = {engines.port("worker_metrics", node)}
"""


def proxy(engines: Engines, here: tuple[str, ...]) -> str:
    """HAProxy's: one port for boards, one for browsers, whichever node is there."""
    ports = engines.ports
    boards = "".join(f"    server {node} {_reached(engines, node, 'broker')} check\n" for node in engines.nodes)
    # Of other computers only where none here answers: a worker believes its own proxy alone whose requests they are.
    pages = "".join(
        f"    server {node} {_reached(engines, node, 'worker')} check{'' if node in here else ' backup'}\n"
        for node in engines.nodes
    )
    return f"""# HAProxy of the hall {engines.venue}, written by jadoube hall up.
global
    user haproxy
    group haproxy
    maxconn 8000
    log stdout format raw local0 notice

defaults
    log global
    timeout connect 3s
    timeout client 60s
    timeout server 60s
    # A name that nobody knows yet holds up nobody else.
    default-server init-addr libc,none inter 1s fall 2 rise 2 on-marked-down shutdown-sessions
    option redispatch
    retries 2

# Boards: TLS is spoken with the broker itself. A board says something every 15 s.
frontend boards
    mode tcp
    bind :{ports.mqtt}
    default_backend brokers

backend brokers
    mode tcp
    balance leastconn
{boards}
# Pages: plain, and by TLS.
frontend pages
    mode http
    bind :{ports.pages}
    bind :{ports.pages_tls} ssl crt {HOME}/pages.pem
    option forwardfor
    http-request set-header X-Forwarded-Proto https if {{ ssl_fc }}
    http-request set-header X-Forwarded-Proto http if !{{ ssl_fc }}
    default_backend workers

backend workers
    mode http
    balance roundrobin
    option httpchk
    http-check send meth GET uri / ver HTTP/1.1 hdr Host localhost
{pages}"""


def _reached(engines: Engines, node: str, part: str) -> str:
    """HAProxy takes the first address of a name, and the first of localhost may be ::1."""
    return f"{'127.0.0.1' if engines.local else node}:{engines.port(part, node)}"


def _address(engines: Engines, part: str, node: str) -> str:
    """Where a listener is: of nodes at one computer only there."""
    port = engines.port(part, node)
    return f"127.0.0.1:{port}" if engines.local else f"0.0.0.0:{port}"
