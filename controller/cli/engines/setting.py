"""At each computer: everything brought into place, and started in order; only what is not so already.

First packages, then files, then the database, the brokers one after the other, then those who need both. What
somebody has edited stays as it is. Raises :exc:`DeviceError` where something cannot be done.
"""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from controller.cli.engines import machine, units
from controller.cli.engines.plan import Engines
from controller.cli.engines.texts import BASE, FREE_GB, HOME, ROLE, SECRETS, SYSTEM
from controller.cli.hall.keep import OPEN, SECRET, FileKeeper
from controller.cli.terminal import many
from controller.errors import ConfigError, DeviceError
from controller.files import nearest

COOKIE = Path("/var/lib/rabbitmq/.erlang.cookie")
KEPT = {"of the brokers": Path("/var/lib") / units.STATE, "of the database": Path("/var/lib/postgresql")}
RESTARTED = {  # which service, where one of these files has changed
    "rabbitmq.conf": "broker",
    "enabled_plugins": "broker",
    "broker.crt": "broker",
    "broker.key": "broker",
    "archive.toml": "archiver",
    "archive-password": "archiver",
    "console.toml": "console",
    "console-password": "console",
    "haproxy.cfg": "proxy",
    "pages.pem": "proxy",
}
LOCAL_S, APART_S = 600.0, 60.0  #: so long brokers may take to start; of several computers the others may not be there
VIRTUAL_HOSTS = "[{{N, rpc:call(N, rabbit_vhost_sup_sup, check, [])}} || N <- [{}]]."
"""For each node the virtual hosts that do not run there, in Erlang."""
CLUSTER = "jadoube"  #: of PostgreSQL, as Debian calls a server with its data


class Setting:
    """Of one computer. ``did``: what was done, or where it is ``dry``, what would be."""

    def __init__(self, engines: Engines, files: dict[Path, str], *, dry: bool) -> None:
        self._engines = engines
        self._here = engines.here
        self._files = files
        self._dry = dry
        self.keeper = FileKeeper(Path("/"), HOME / ".written.json", dry=dry)
        self.did: list[str] = []

    def run(self) -> None:
        self._check()
        packages = ["rabbitmq-server", "haproxy", *(["postgresql"] if self._has_base else [])]
        if absent := machine.missing(packages):
            self._do(f"install {' '.join(absent)}", lambda: machine.install(absent))
        self._write()
        if self._has_base:
            self._set_up_database()
        self._start()

    # -- before anything is changed --------------------------------------------------------------------------------

    def _check(self) -> None:
        there = HOME / "ca.crt"
        if there.exists() and there.read_text() != self._files[there]:
            raise another_hall(self._engines.venue)
        for whose, place in KEPT.items():
            unit = "postgresql.service" if place.name == "postgresql" else units.broker(self._here[0])
            if (place.name == "postgresql" and not self._has_base) or machine.is_active(unit):
                continue
            check_room(whose, place)

    @property
    def _has_base(self) -> bool:
        return self._engines.database in self._here

    def _do(self, what: str, action: Callable[[], object]) -> None:
        self.did.append(what)
        print(f"  {what}", flush=True)
        if not self._dry:
            action()

    # -- files -----------------------------------------------------------------------------------------------------

    def _write(self) -> None:
        for path, text in self._files.items():
            user = SECRETS.get(path.name)
            self.keeper.keep(str(path.relative_to("/")), text, OPEN if user is None else SECRET)
            if user is not None and not self._dry:
                shutil.chown(path, user, user)
        for place in (HOME, SYSTEM):
            if new := [name for name in self.keeper.new if Path("/", name).is_relative_to(place)]:
                self._do(f"write {many(len(new), 'file')} into {place}", _nothing)
        for name in self.keeper.changed:
            self._do(f"change /{name}", _nothing)
        if not self._dry:
            for folder in (HOME, *(HOME / node for node in self._here)):
                folder.chmod(0o755)  # whatever the umask is: archivers and workers have users of their own
        if self._changed("jadoube-"):
            self._do("have systemd read its units", lambda: machine.run("systemctl", "daemon-reload"))
        cookie = self._files[HOME / "cookie"]
        stands = COOKIE.read_text() if COOKIE.exists() else None
        if stands not in (None, cookie) and any((COOKIE.parent / "mnesia").glob("*")):
            raise DeviceError(
                f"RabbitMQ on this computer belongs to another cluster, by its cookie {COOKIE}",
                "it was installed for something else, and has kept things",
                f"if nobody needs it: sudo systemctl disable --now rabbitmq-server; sudo rm -r {COOKIE.parent}/mnesia",
            )
        if stands != cookie:  # its package makes one by chance
            self._do(f"write {COOKIE}", lambda: _write_cookie(cookie))

    def _changed(self, *beginnings: str) -> list[str]:
        names = (*self.keeper.new, *self.keeper.changed)
        return [name for name in names if Path(name).name.startswith(beginnings)]

    # -- the database ----------------------------------------------------------------------------------------------

    def _set_up_database(self) -> None:
        port = self._engines.port("database", self._engines.database)
        there = machine.clusters(CLUSTER)
        if not there:
            self._do(f"make PostgreSQL's cluster {CLUSTER}, at port {port}", lambda: make_cluster(port))
        if not there and self._dry:
            self._do(f"make its database {BASE}, and the user {ROLE}", _nothing)
            return
        version = machine.clusters(CLUSTER)[-1]
        unit = f"postgresql@{version}-{CLUSTER}.service"
        folder = Path("/etc/postgresql") / version / CLUSTER
        if not (folder / "conf.d/jadoube.conf").exists():
            included = f"include '{HOME}/database.conf'\n"
            self._do(f"include {HOME}/database.conf", lambda: _include(folder, included))
        if (folder / "start.conf").read_text().split()[-1] != "auto":
            self._do("have PostgreSQL start with the computer", lambda: (folder / "start.conf").write_text("auto\n"))
        if not machine.is_active(unit):
            self._do(f"start {unit}", lambda: machine.start("start", unit))
        elif self._changed("database.conf"):
            self._do(f"restart {unit}", lambda: machine.start("restart", unit))
        elif self._changed("pg_hba.conf", "database."):
            self._do(f"reload {unit}", lambda: machine.start("reload", unit))
        if self._dry and not machine.is_active(unit):
            return
        self._make_base(port, version)

    def _make_base(self, port: int, version: str) -> None:
        ready = machine.until(lambda: not machine.tried("pg_isready", "-q", "-p", str(port)).returncode)
        if not ready:
            raise DeviceError(
                f"PostgreSQL does not answer at port {port}",
                "its disk is full, or its configuration does not fit",
                f"tail /var/log/postgresql/postgresql-{version}-{CLUSTER}.log",
            )
        password = self._files[HOME / "database-password"].strip()
        if machine.psql(port, f"SELECT count(*) FROM pg_roles WHERE rolname = '{ROLE}'").strip() == "0":
            statement = f"CREATE ROLE {ROLE} LOGIN PASSWORD '{password}'"
            self._do(f"make the user {ROLE}", lambda: machine.psql(port, statement))
        elif not _may_enter(port, password):
            statement = f"ALTER ROLE {ROLE} PASSWORD '{password}'"
            self._do(f"set the password of the user {ROLE}", lambda: machine.psql(port, statement))
        if machine.psql(port, f"SELECT count(*) FROM pg_database WHERE datname = '{BASE}'").strip() == "0":
            statement = f"CREATE DATABASE {BASE} OWNER {ROLE}"
            self._do(f"make the database {BASE}", lambda: machine.psql(port, statement))

    # -- services --------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        target = units.TARGET
        if not machine.is_enabled(target):
            self._do(f"enable {target}", lambda: machine.run("systemctl", "enable", target))
        if self._start_brokers() and self._changed("definitions.json"):
            self._do("tell the brokers their users", lambda: self._tell("import_definitions", self._here[0]))
        for node in () if self._dry else self._without_virtual_host():
            self._do(f"start the virtual host of broker {node}", partial(self._start_virtual_host, node))
        for part, make in (("archiver", units.archiver), ("console", units.console)):
            for node in self._here:
                self._start_unit(make(node), part, node)
        self._start_unit(units.PROXY, "proxy", "")
        if not machine.is_active(target):
            self._do(f"start {target}", lambda: machine.start("start", target))

    def _start_brokers(self) -> bool:
        """Whether one goes on as it was, and has to be told what is new.

        Those that do not run are started all at once: RabbitMQ 4 begins a cluster once most of its nodes are on the
        way, and 3.10 sees to it that there is but one. Those that run are started anew one after the other.
        """
        resting = [node for node in self._here if not machine.is_active(units.broker(node))]
        running = [node for node in self._here if node not in resting]
        for node in resting:
            unit = units.broker(node)
            self._do(f"start {unit}", partial(machine.run, "systemctl", "start", "--no-block", unit))
        if resting and not self._dry:
            machine.until(lambda: all(map(_is_settled, resting)), LOCAL_S if self._engines.local else APART_S)
        for node in resting if self._engines.local and not self._dry else ():
            machine.start("start", units.broker(node))  # raises if it has failed
        anew = [node for node in running if self._start_unit(units.broker(node), "broker", node)]
        return len(anew) < len(running)

    def _without_virtual_host(self) -> list[str]:
        """The nodes here on which the virtual host does not run. Of nodes that begin at the same time one may come up
        without it, by RabbitMQ 3.10, and then breaks off with every board."""
        erlang = {node: self._engines.erlang(node) for node in self._here}
        # All at once: each call of a tool begins with a second of Erlang.
        asked = VIRTUAL_HOSTS.format(", ".join(f"'{name}'" for name in erlang.values()))
        try:
            told = machine.rabbitmq("rabbitmqctl", erlang[self._here[0]], "eval", asked, long=self._engines.long)
        except DeviceError:
            return list(self._here)
        return [node for node, name in erlang.items() if f"{{{name},[]}}" not in told.replace("'", "")]

    def _start_virtual_host(self, node: str) -> None:
        machine.rabbitmq("rabbitmqctl", self._engines.erlang(node), "restart_vhost", long=self._engines.long)
        if not machine.until(lambda: node not in self._without_virtual_host()):
            raise DeviceError(
                f"broker {node} runs without its virtual host, and so breaks off with every board",
                "it began while the cluster did, or what it keeps on its disk is damaged",
                f"journalctl -u {units.broker(node)}; sudo systemctl restart {units.broker(node)}",
            )

    def _start_unit(self, unit: str, part: str, node: str) -> bool:
        """Whether it was started, or started anew."""
        ours = [name for name in self._changed("") if RESTARTED.get(Path(name).name) == part]
        mine = [name for name in ours if Path(name).parent.name in (node, HOME.name)]
        if not machine.is_active(unit):
            self._do(f"start {unit}", lambda: machine.start("start", unit))
        elif mine or self._changed(unit) or (part in ("archiver", "console") and self._changed("database-password")):
            verb = "reload" if part == "proxy" and not self._changed(unit) else "restart"
            self._do(f"{verb} {unit}", lambda: machine.start(verb, unit))
        else:
            return False
        return True

    def _tell(self, command: str, node: str) -> str:
        engines = self._engines
        told = str(HOME / "definitions.json")
        return machine.rabbitmq("rabbitmqctl", engines.erlang(node), command, told, long=engines.long)


def _is_settled(node: str) -> bool:
    """Whether a broker runs, or has given up."""
    state = machine.tried("systemctl", "show", "--value", "--property=ActiveState", units.broker(node)).stdout.strip()
    return state in ("active", "failed")


def _nothing() -> None:
    """It is done already."""


def another_hall(venue: str) -> ConfigError:
    """What to say where a computer serves another hall already."""
    stands = HOME / "engines.toml"
    there = next((line.partition('"')[2][:-1] for line in stands.read_text().splitlines() if "venue" in line), "")
    cause = "a venue is named twice: its topics, and its boards in the archive, would be those of both"
    return ConfigError(
        f"this computer serves another hall already, {there}, with an authority of its own",
        cause if there == venue else "the folder is that of another hall, or its broker/tls was made anew",
        f"use other computers, or another --venue in jadoube hall init; or give that one up: sudo jadoube hall down, "
        f"sudo rm -r {HOME}",
    )


def check_room(whose: str, place: Path) -> None:
    """Raises :exc:`DeviceError` where what is kept has too little room."""
    there = nearest(place)
    free = shutil.disk_usage(there).free
    if free < (FREE_GB + 0.5) * 10**9:
        raise DeviceError(
            f"the disk {whose} has {free / 10**9:.1f} GB left, in {there}",
            f"it is nearly full; RabbitMQ takes nothing below {FREE_GB} GB, and PostgreSQL stops when nothing is left",
            f"df -h {there}; make room, or mount a larger disk at {place}",
        )


def make_cluster(port: int) -> None:
    """PostgreSQL's, as Debian keeps several of them."""
    options = ("--port", str(port), "--start-conf", "auto", "--locale", "C.UTF-8", "--encoding", "UTF8")
    cause, then = "no room, or the port is taken", "pg_lsclusters; df -h /var/lib/postgresql"
    machine.run(
        "pg_createcluster", *options, machine.newest(), CLUSTER, "--", "--data-checksums", cause=cause, then=then
    )
    machine.run("systemctl", "daemon-reload")  # Debian makes a unit of each


def _include(folder: Path, line: str) -> None:
    (folder / "conf.d").mkdir(exist_ok=True)
    (folder / "conf.d/jadoube.conf").write_text(line)


def _write_cookie(cookie: str) -> None:
    COOKIE.unlink(missing_ok=True)
    COOKIE.touch(0o600)
    shutil.chown(COOKIE, "rabbitmq", "rabbitmq")
    COOKIE.write_text(cookie)
    COOKIE.chmod(0o400)


def _may_enter(port: int, password: str) -> bool:
    """Whether PostgreSQL lets the archive in by that password."""
    import psycopg

    try:
        psycopg.connect(
            host="127.0.0.1", port=port, user=ROLE, password=password, dbname=BASE, sslmode="require"
        ).close()
    except psycopg.OperationalError as error:
        return "password authentication" not in str(error)
    return True
