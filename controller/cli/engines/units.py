"""Systemd's units of what a computer plays: a broker, an archiver and a console worker for each node, and the proxy.

They want each other and require nothing: an archiver whose broker is stopped goes on with the next one, and one whose
database is away waits. So what is needed first is started first (``After=``), and no part takes another one with it.
PostgreSQL has Debian's own unit.
"""

from pathlib import Path

from controller.cli.engines.plan import Engines

TARGET = "jadoube-engines.target"
PROXY = "jadoube-proxy.service"
STATE = "jadoube-engines"  #: below ``/var/lib``: what the brokers keep
HARDENED = """DynamicUser=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
NoNewPrivileges=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
Restart=on-failure
RestartSec=2
# 2: a configuration that no restart will mend.
RestartPreventExitStatus=2
"""


def broker(node: str) -> str:
    """The name of its unit."""
    return f"jadoube-broker-{node}.service"


def archiver(node: str) -> str:
    """The name of its unit."""
    return f"jadoube-archiver-{node}.service"


def console(node: str) -> str:
    """The name of its unit."""
    return f"jadoube-console-{node}.service"


def started(here: tuple[str, ...]) -> list[str]:
    """All units of a computer that plays these nodes, in the order in which they are started."""
    of_nodes = [make(node) for make in (broker, archiver, console) for node in here]
    return [*of_nodes, PROXY]


def texts(engines: Engines, here: tuple[str, ...], home: Path, python: str) -> dict[str, str]:
    """Each unit as text, by its name. ``python``: the interpreter that has jadoube."""
    found = {TARGET: _target(here), PROXY: _proxy(here, home)}
    for node in here:
        found[broker(node)] = _broker(engines, node, home)
        found[archiver(node)] = _ours(engines, node, home, python, "archiver")
        found[console(node)] = _ours(engines, node, home, python, "console")
    return found


def _target(here: tuple[str, ...]) -> str:
    return f"""# Written by jadoube hall up.
[Unit]
Description=The engines of a chess hall: {", ".join(here)}
Wants={" ".join(started(here))}

[Install]
WantedBy=multi-user.target
"""


def _broker(engines: Engines, node: str, home: Path) -> str:
    names = "Environment=RABBITMQ_USE_LONGNAME=true\n" if engines.long else ""
    return f"""# Written by jadoube hall up. What it says: journalctl --unit {broker(node)}
# No node waits for another one: after a power cut they find each other once all of them are on the way.

[Unit]
Description=RabbitMQ of a chess hall, node {node}
Wants=network-online.target epmd.socket
After=network-online.target time-sync.target epmd.socket
Conflicts=rabbitmq-server.service
PartOf={TARGET}

[Service]
Type=notify
NotifyAccess=all
User=rabbitmq
Group=rabbitmq
UMask=0027
StateDirectory={STATE}/{node}
StateDirectoryMode=0750
WorkingDirectory=/var/lib/rabbitmq
Environment=HOME=/var/lib/rabbitmq
Environment=RABBITMQ_NODENAME={engines.erlang(node)}
{names}Environment=RABBITMQ_CONFIG_FILE={home}/{node}/rabbitmq.conf
Environment=RABBITMQ_ENABLED_PLUGINS_FILE={home}/enabled_plugins
Environment=RABBITMQ_MNESIA_BASE=/var/lib/{STATE}/{node}
Environment=RABBITMQ_DIST_PORT={engines.port("cluster", node)}
# Erlang waits for work without turning in circles: archiver, pages and database share these cores.
Environment="RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=+sbwt none +sbwtdcpu none +sbwtdio none"
ExecStart=/usr/lib/rabbitmq/bin/rabbitmq-server
TimeoutStartSec=600
TimeoutStopSec=120
LimitNOFILE=65536
OOMScoreAdjust=-500
Restart=on-failure
RestartSec=5

[Install]
WantedBy={TARGET}
"""


def _ours(engines: Engines, node: str, home: Path, python: str, part: str) -> str:
    """An archiver or a console worker; neither keeps anything."""
    user, config, command = {
        "archiver": ("archive", "archive.toml", "run"),
        "console": ("console", "console.toml", "console"),
    }[part]
    after = [broker(node), *(["postgresql.service"] if engines.local or node == engines.database else [])]
    return f"""# Written by jadoube hall up. What it says: journalctl --unit jadoube-{part}-{node}

[Unit]
Description=The {part} of a chess hall, node {node}
Wants=network-online.target {" ".join(after)}
After=network-online.target time-sync.target {" ".join(after)}
PartOf={TARGET}

[Service]
ExecStart={python} -m controller.cli.main archive {command} --config {home}/{node}/{config}
LoadCredential={user}-password:{home}/{user}-password
LoadCredential=database-password:{home}/database-password
WorkingDirectory=/
{HARDENED}
[Install]
WantedBy={TARGET}
"""


def _proxy(here: tuple[str, ...], home: Path) -> str:
    after = " ".join(make(node) for node in here for make in (broker, console))
    return f"""# Written by jadoube hall up. What it says: journalctl --unit {PROXY}

[Unit]
Description=HAProxy of a chess hall
Wants=network-online.target
After=network-online.target {after}
PartOf={TARGET}

[Service]
Type=notify
RuntimeDirectory=jadoube-proxy
ExecStartPre=/usr/sbin/haproxy -c -q -f {home}/haproxy.cfg
ExecStart=/usr/sbin/haproxy -Ws -f {home}/haproxy.cfg -p /run/jadoube-proxy/pid
ExecReload=/usr/sbin/haproxy -c -q -f {home}/haproxy.cfg
ExecReload=/bin/kill -USR2 $MAINPID
KillMode=mixed
SuccessExitStatus=143
LimitNOFILE=65536
Restart=always

[Install]
WantedBy={TARGET}
"""
