"""``jadoube hall up`` and ``hall down`` in a clean Debian under its systemd: one computer that plays three nodes.

RabbitMQ, PostgreSQL and HAProxy are Debian's own, and there from the beginning, so that no network is needed; that they
are installed as well is measured by ``make bench BENCH=hall_up``. Only root can make such a machine.
"""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from clean_debian import package, root
from machine import Machine, NoMachineError, machine

pytestmark = [pytest.mark.engines, pytest.mark.slow, pytest.mark.timeout(1800)]

ENGINES = "openssl,iproute2,rabbitmq-server,haproxy,postgresql"
HALL, ETC = "/srv/lyon", "/etc/jadoube/engines"
INIT = ("--event", "Open de Lyon", "--venue", "lyon", "--clock", "90+30", "--yes")
SIMULATED = ("--simulate", "--boards", "1-2", "--broker", "localhost")
UP_S = 900.0  #: nobody waits so long; a busy machine may
FAKED = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")


PLAY = f"""
boards = [
    {{ number = "1", board = {{ type = "simulated" }} }},
    {{ number = "2", board = {{ type = "simulated" }} }},
]
[event]
venue = "lyon"
[start]
by = "at-once"
ready_s = 0
[mqtt]
host = "localhost"
port = 8883
user = "hall"
password_file = "{HALL}/mqtt-password"
tls = true
ca_file = "{HALL}/ca.crt"
[pgn]
directory = "games"
[journal]
path = "play.sqlite"
"""


class Venue:
    """The machine, and what an organiser does there."""

    def __init__(self, here: Machine) -> None:
        self.here = here

    def jadoube(self, *command: str, hall: str = HALL) -> tuple[int, str]:
        """The exit status, and all that was said."""
        done = self.here.tried("env", "--chdir", hall, "jadoube", *command, within_s=UP_S)
        return done.returncode, done.stdout + done.stderr

    def up(self, *options: str) -> tuple[int, str]:
        return self.jadoube("hall", "up", *options, "--yes")

    def sql(self, statement: str) -> str:
        """What the archive's database answers."""
        psql = ("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-p", "5433", "-d", "jadoube", "-c", statement)
        return self.here.run("runuser", "-u", "postgres", "--", *psql).strip()

    def rabbitmqctl(self, node: str, *command: str) -> str:
        return self.here.run("rabbitmqctl", "-q", "-n", f"rabbit-{node}@localhost", *command)

    def state(self) -> str:
        """Every file that ``hall up`` writes, and when each unit was started."""
        files = self.here.run("sh", "-c", f"find {ETC} /etc/systemd/system -type f | sort | xargs md5sum")
        units = self.here.run("systemctl", "show", "--property=Id,ActiveEnterTimestamp", "jadoube-*")
        return files + units


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Venue]:
    """A hall is written there, and nothing of its engines."""
    debian = root(ENGINES)
    folder = tmp_path_factory.mktemp("engines")
    (folder / "srv").mkdir()
    shutil.copy(package("archive"), folder / "srv/jadoube.deb")
    if FAKED.exists():
        shutil.copy(FAKED, folder / "srv/libfaketime.so")
    try:
        with machine(folder, debian) as here:
            here.run("dpkg", "--install", "/srv/jadoube.deb")
            venue = Venue(here)
            for arguments in (SIMULATED, ("--boards", "1-4", "--tables")):
                status, told = venue.jadoube("hall", "init", HALL, *arguments, *INIT, hall="/srv")
                assert status == 0, told
            yield venue
    except NoMachineError as why:
        pytest.skip(f"no engines were set up under a systemd: {why}")


@pytest.fixture(scope="module")
def venue(bare: Venue) -> Venue:
    """All of it runs."""
    status, told = bare.up("--nodes", "a,b,c", "--local")
    assert status == 0, told
    return bare


# -- before anything is there --------------------------------------------------------------------------------------


def test_what_would_be_done_is_said_and_nothing_is_done(bare: Venue) -> None:
    before = bare.here.run("find", HALL, "/etc", "/var/lib", "-newer", "/srv/jadoube.deb")
    status, told = bare.jadoube("hall", "up", "--nodes", "a,b,c", "--local", "--dry-run")
    assert status == 0, told
    for said in ("files into /etc/jadoube/engines", "make PostgreSQL's cluster jadoube", "start jadoube-broker-c"):
        assert said in told
    assert bare.here.run("find", HALL, "/etc", "/var/lib", "-newer", "/srv/jadoube.deb") == before
    assert bare.here.tried("systemctl", "is-active", "jadoube-broker-a").returncode


def test_nobody_at_a_terminal_is_asked_so_nothing_is_done(bare: Venue) -> None:
    status, told = bare.jadoube("hall", "up", "--nodes", "a,b,c", "--local")
    assert status == 2
    assert "add --yes, or --dry-run" in told
    assert bare.here.tried("test", "-e", ETC).returncode


@pytest.mark.parametrize("place", ["/var/lib/jadoube-engines", "/var/lib/postgresql"])
def test_a_disk_that_is_too_small_is_told_before_anything_is_changed(bare: Venue, place: str) -> None:
    bare.here.run("mkdir", "-p", place)
    bare.here.run("mount", "-t", "tmpfs", "-o", "size=200M", "none", place)
    try:
        status, told = bare.up("--nodes", "a,b,c", "--local")
        assert status == 2
        assert "has 0.2 GB left" in told and "Likely cause: it is nearly full" in told and f"df -h {place}" in told
        assert bare.here.tried("test", "-e", ETC).returncode
    finally:
        bare.here.run("umount", place)


# -- once it is up -------------------------------------------------------------------------------------------------


def test_all_of_it_runs(venue: Venue) -> None:
    parts = [f"jadoube-{part}-{node}.service" for part in ("broker", "archiver", "console") for node in "abc"]
    for unit in (*parts, "jadoube-proxy.service", "jadoube-engines.target", "postgresql@15-jadoube.service"):
        assert venue.here.property(unit, "ActiveState") == "active", unit
    told = venue.rabbitmqctl("b", "list_queues", "name", "members", "--no-table-headers")
    parts = [line for line in told.splitlines() if re.match(r"jadoube\.archive\.\d", line)]
    assert len(parts) == 8, told
    assert told.count("jadoube.archive.heads.") == 1, "of three archivers one hears how far boards are"
    assert all(f"rabbit-{node}@localhost" in line for line in parts for node in "abc"), told
    script = (
        "import ssl, urllib.request as r; trusted = ssl.create_default_context(cafile='{}/ca.crt'); "
        "plain = r.urlopen('http://localhost:8064/'); secret = r.urlopen('https://localhost:8443/', context=trusted); "
        "print(plain.status, secret.status)"
    )
    assert venue.here.python(script.format(ETC)) == "200 200\n"


def test_a_second_time_nothing_changes(venue: Venue) -> None:
    before = venue.state()
    status, told = venue.up()
    assert status == 0, told
    assert "nothing changes" in told
    assert venue.state() == before


TALK = """
import json, ssl, sys, threading
from concurrent.futures import ThreadPoolExecutor
import paho.mqtt.client as mqtt

def client(user, password=None):
    found = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311)
    found.username_pw_set(user, password or open(f"/srv/lyon/broker/secrets/{user}").read().strip())
    found.tls_set("/srv/lyon/ca.crt")
    return found

def tried(user, do, password=None):
    '''Whether the broker took it, and kept the connection for a second.'''
    over, done, heard = threading.Event(), threading.Event(), []
    one = client(user, password)
    def connected(one, _, flags, code, properties):
        heard.append(not code.is_failure)
        if code.is_failure or do is None:
            over.set()
        else:
            do(one)
    def taken(*said):
        if not (len(said) > 3 and getattr(said[3], "__iter__", None) and any(c.is_failure for c in said[3])):
            done.set()
    one.on_connect, one.on_publish, one.on_subscribe = connected, taken, taken
    one.on_disconnect = lambda *_: (heard and heard.append(False), over.set())
    one.connect("localhost", 8883)
    one.loop_start()
    if do is None:
        over.wait(30)
        said = heard == [True]
    else:
        said = False
        for _ in range(300):
            if over.wait(0.1) or done.is_set():
                break
        said = done.is_set() and not over.wait(1.0)
    one.loop_stop()
    return said

base = "jadoube/v1/lyon"
publish = lambda topic: lambda one: one.publish(f"{base}/{topic}", b"{}", 1)
subscribe = lambda topic: lambda one: one.subscribe(f"{base}/{topic}", 1)

def may(user, right, topic, expected):
    '''A board that a node has broken off which just began comes again.'''
    do = {"write": publish, "read": subscribe}[right](topic)
    return any(tried(user, do) for _ in range(3 if expected else 1))

with ThreadPoolExecutor(6) as together:
    rights = list(together.map(lambda row: may(*row), json.load(sys.stdin)))
wrong, guest = tried("board-3", None, "no such"), tried("guest", None, "guest")
print(json.dumps(rights + [wrong, any(tried("board-3", None) for _ in range(3)), guest]))
"""

RIGHTS = [  # user, what, topic, whether
    ("board-3", "write", "board/3/health", True),
    ("board-3", "write", "board/4/health", False),
    ("board-3", "write", "board/33/health", False),
    ("board-3", "write", "round", False),
    ("board-3", "read", "board/3/cmd", True),
    ("board-3", "read", "board/3/cmd/+", True),
    ("board-3", "read", "board/4/cmd", False),
    ("board-3", "read", "board/+/cmd", False),
    ("board-3", "read", "+/3/event", False),
    ("board-3", "read", "#", False),
    ("board-3", "read", "round", True),
    ("board-3", "read", "+/+/time", True),
    ("hall", "read", "board/+/event", True),
    ("hall", "read", "board/+/cmd", False),
    ("hall", "write", "round", True),
    ("hall", "write", "board/3/health", False),
    ("hall", "write", "board/3/replay", True),
]


def test_a_board_writes_its_own_topics_and_reads_its_own_commands_and_nobody_comes_in_by_a_wrong_password(
    venue: Venue,
) -> None:
    told = json.loads(venue.here.run("/opt/jadoube/bin/python", "-c", TALK, told=json.dumps(RIGHTS), within_s=300.0))
    *rights, wrong, right, guest = told
    assert dict(zip([row[:3] for row in RIGHTS], rights, strict=True)) == {row[:3]: row[3] for row in RIGHTS}
    assert (wrong, right, guest) == (False, True, False)


def test_what_is_played_is_archived(venue: Venue) -> None:
    venue.here.write(f"{HALL}/play.toml", PLAY)
    command = ("--unit=jadoube-play", f"--working-directory={HALL}", "jadoube", "run", "--config", "play.toml")
    venue.here.run("systemd-run", *command)
    venue.here.until("two games are archived", lambda: venue.sql("SELECT count(*) FROM game") == "2")
    venue.here.until("nothing is missing", lambda: venue.sql("SELECT count(*) FROM behind") == "0")
    assert venue.sql("SELECT DISTINCT venue FROM event") == "lyon"
    assert venue.sql("SELECT count(*) FROM trouble") == "0"


def test_a_hall_that_has_grown_has_more_users(venue: Venue) -> None:
    status, told = venue.jadoube("hall", "init", HALL, "--boards", "1-5", "--tables", "--yes", hall="/srv")
    assert status == 0, told
    status, told = venue.up()
    assert status == 0, told
    assert "tell the brokers their users" in told
    assert "restart" not in told
    password = venue.here.run("cat", f"{HALL}/broker/secrets/board-5").strip()
    assert "Success" in venue.here.run(
        "rabbitmqctl", "-n", "rabbit-c@localhost", "authenticate_user", "board-5", password
    )


def test_a_file_that_somebody_has_edited_stays(venue: Venue) -> None:
    file = f"{ETC}/haproxy.cfg"
    venue.here.run("sed", "-i", "s/maxconn 8000/maxconn 7000/", file)
    try:
        status, told = venue.up()
        assert status == 1
        assert f"{file} was edited, and stays as it is" in told and "-    maxconn 7000" in told
        assert "maxconn 7000" in venue.here.run("cat", file)
    finally:
        venue.here.run("sed", "-i", "s/maxconn 7000/maxconn 8000/", file)


# -- what fails, and what is said ----------------------------------------------------------------------------------


def test_a_node_that_was_stopped_is_started_again(venue: Venue) -> None:
    venue.here.run("systemctl", "kill", "--signal", "KILL", "jadoube-broker-c")
    venue.here.run("systemctl", "stop", "jadoube-broker-c")
    status, told = venue.up()
    assert status == 0, told
    assert told.count("start jadoube-broker-c.service") == 2, "foreseen, and done"
    assert "broker-a" not in told.partition("Doing it")[2]


@pytest.fixture(scope="module")
def troubled(venue: Venue) -> str:
    """What is said where a password is another one, a disk is full, and the archive is of a later version."""
    password = venue.here.run("cat", f"{ETC}/archive-password").strip()
    venue.rabbitmqctl("a", "change_password", "archive", "no such")
    venue.rabbitmqctl("b", "set_disk_free_limit", "1000000GB")  # more than there is: the disk is full for it
    venue.sql("INSERT INTO archive_schema VALUES (999)")
    try:
        status, told = venue.up()
        assert status == 1
        return told
    finally:
        venue.sql("DELETE FROM archive_schema WHERE version = 999")
        venue.rabbitmqctl("b", "set_disk_free_limit", "1GB")
        venue.rabbitmqctl("a", "change_password", "archive", password)


def test_a_wrong_password_at_the_broker_is_told(troubled: str) -> None:
    assert "refuses archive" in troubled and "Likely cause: " in troubled
    assert "rabbitmqctl authenticate_user archive" in troubled


def test_a_full_disk_of_a_broker_is_told(troubled: str) -> None:
    assert "the disk of node b is full" in troubled and "on b: df -h" in troubled


def test_a_schema_from_the_future_is_told(troubled: str) -> None:
    assert "the archive has schema 999" in troubled and "of a later version" in troubled


def test_a_wrong_password_at_the_database_is_set_right(venue: Venue) -> None:
    venue.sql("ALTER ROLE archive PASSWORD 'no such'")
    status, told = venue.up()
    assert status == 0, told
    assert "set the password of the user archive" in told


def test_clocks_that_differ_are_told(venue: Venue) -> None:
    if not FAKED.exists():
        pytest.skip("no clock was set wrong: sudo apt-get install libfaketime")
    drop = "/etc/systemd/system/jadoube-broker-b.service.d/late.conf"
    fake = "Environment=LD_PRELOAD=/srv/libfaketime.so FAKETIME=-1h FAKETIME_DONT_FAKE_MONOTONIC=1"
    venue.here.write(drop, f"[Service]\n{fake}\n")
    venue.here.run("systemctl", "daemon-reload")
    venue.here.run("systemctl", "restart", "jadoube-broker-b", within_s=UP_S)
    try:
        status, told = venue.up()
        assert status == 1
        assert "the time of day of rabbit-b@localhost is 3600." in told and "s behind that of most nodes" in told
        assert "timedatectl" in told
    finally:
        venue.here.run("rm", drop)
        venue.here.run("systemctl", "daemon-reload")
        venue.here.run("systemctl", "restart", "jadoube-broker-b", within_s=UP_S)


def test_a_venue_that_is_named_twice_is_told_and_nothing_changes(venue: Venue) -> None:
    status, told = venue.jadoube("hall", "init", "/srv/other", *SIMULATED, *INIT, hall="/srv")
    assert status == 0, told
    before = venue.state()
    status, told = venue.jadoube("hall", "up", "--nodes", "a,b,c", "--local", "--yes", hall="/srv/other")
    assert status == 2
    assert "serves another hall already, lyon" in told
    assert "a venue is named twice" in told and "another --venue" in told
    assert venue.state() == before


def test_down_keeps_the_data_and_says_where_it_is(venue: Venue) -> None:
    venue.here.run("systemctl", "stop", "jadoube-play")
    before = venue.sql("SELECT count(*) FROM event")
    assert int(before) > 0
    status, told = venue.jadoube("hall", "down")
    assert status == 0, told
    assert "/var/lib/jadoube-engines " in told and "/var/lib/postgresql/15/jadoube " in told
    running = venue.here.run(
        "systemctl", "list-units", "--state=active", "--no-legend", "jadoube-*", "postgresql@15-jadoube*"
    )
    assert running == ""
    assert venue.here.tried("systemctl", "is-enabled", "jadoube-engines.target").returncode
    assert "nothing runs" in venue.jadoube("hall", "down")[1]
    venue.here.run("systemctl", "start", "postgresql@15-jadoube")  # of all that `up` starts again what has the data
    assert venue.sql("SELECT count(*) FROM event") == before
