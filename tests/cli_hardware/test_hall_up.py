"""What ``jadoube hall up`` writes, without a machine to try it on."""

import json
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from paho.mqtt.client import topic_matches_sub
from shell import Jadoube

from controller.archive.settings import ArchiveConfig
from controller.cli.engines import asking, paper, plan, rights, texts
from controller.cli.engines.plan import Engines
from controller.errors import ConfigError
from controller.options import converted, toml

NODES = ("node-a", "node-b.hall", "10.0.0.3")
LEVELS = st.lists(st.sampled_from(["jadoube", "v1", "board", "7", "77", "cmd", "anna", "a.b", "x-y"]), min_size=1)


def written(jadoube: Jadoube, tmp_path: Path, *, local: bool) -> tuple[Path, paper.Papers]:
    """A hall, and what each of its nodes is given."""
    options = ("--broker", ",".join(NODES), "--venue", "lyon", "--clock", "90+30", "--delay", "15", "--yes")
    assert jadoube("hall", "init", "lyon", "--simulate", "--boards", "1-2", *options).status == 0
    assert jadoube("hall", "init", "lyon", "--tables", "--boards", "1-3", "--yes").status == 0
    folder = tmp_path / "lyon"
    engines = plan.planned(None, "a,b,c" if local else ",".join(NODES), local=local, default="")
    return folder, paper.write(folder / "hall.toml", engines)[1]


@given(LEVELS, LEVELS, st.data())
def test_an_expression_matches_what_the_access_list_means(
    some: list[str], other: list[str], data: st.DataObject
) -> None:
    allowed = [data.draw(st.sampled_from([level, "+"])) for level in some]
    if data.draw(st.booleans()):
        allowed.append("#")
    topic = data.draw(st.sampled_from([some, [*some, *other], other, [*some[:-1], other[0]]]))
    assume(topic)
    key = "/".join(topic).translate(str.maketrans("./", "/."))  # as the MQTT plugin makes it
    found = re.fullmatch(rights.pattern("/".join(allowed)), key) is not None
    assert found == topic_matches_sub("/".join(allowed), "/".join(topic))


@pytest.mark.parametrize("wider", ["jadoube.v1.lyon.#", "jadoube.v1.lyon.*.#", "#", "jadoube.v1.*.*.7.event"])
def test_a_subscription_that_is_wider_than_what_is_allowed_is_none_of_it(wider: str) -> None:
    assert re.fullmatch(rights.pattern("jadoube/v1/lyon/+/+/event"), wider) is None
    assert re.fullmatch(rights.pattern("jadoube/v1/lyon/board/7/#"), wider) is None


@pytest.mark.parametrize(
    ("nodes", "said"), [("a,b", "of two or four"), ("a,b,a", "a is there twice"), ("a,b c,d", "nodes"), ("", "nodes")]
)
def test_nodes_that_will_not_do_are_told(nodes: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        plan.planned(None, nodes, local=False, default="")


def test_several_brokers_are_told_to_every_table(jadoube: Jadoube, tmp_path: Path) -> None:
    folder, _ = written(jadoube, tmp_path, local=False)
    assert jadoube("hall", "join", folder / "tables/board-3", "--to", "pi").status == 0
    mqtt = toml(tmp_path / "pi/jadoube.toml", 2**20)["mqtt"]
    assert [mqtt["host"], *mqtt["hosts"]] == [*NODES]
    assert "nothing changes" in jadoube("hall", "init", "lyon", "--yes").out


def test_what_each_computer_is_given_is_its_own_alone(jadoube: Jadoube, tmp_path: Path) -> None:
    folder, papers = written(jadoube, tmp_path, local=False)
    assert [*papers] == [(node,) for node in NODES]
    for (node,), files in papers.items():
        carried = paper.read(folder / "engines" / node)
        assert carried == files
        assert (texts.HOME / "database.conf" in files) == (node == NODES[0]), "the database is on the first"
        names = {path.name for path in files if path.name.startswith("jadoube-broker-")}
        assert names == {f"jadoube-broker-{node}.service"}
        for path in files:
            mode = stat.S_IMODE((folder / "engines" / node / path.relative_to("/")).stat().st_mode)
            assert mode == (0o600 if path.name in texts.SECRETS else 0o644)
    (folder / "engines" / NODES[0] / "etc/passwd").write_text("root::0:0::/:/bin/sh\n")
    with pytest.raises(ConfigError, match="does not belong there"):
        paper.read(folder / "engines" / NODES[0])


def test_a_second_time_nothing_is_written(jadoube: Jadoube, tmp_path: Path) -> None:
    folder, _ = written(jadoube, tmp_path, local=True)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    engines = plan.planned(plan.load(folder), None, local=False, default="")
    assert engines.local and engines.nodes == ("a", "b", "c")
    keeper, _ = paper.write(folder / "hall.toml", engines)
    assert [*keeper.report_lines()] == ["nothing changes"]
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_plan_that_somebody_has_edited_is_followed(jadoube: Jadoube, tmp_path: Path) -> None:
    folder, _ = written(jadoube, tmp_path, local=True)
    file = folder / plan.FILE
    text = file.read_text().replace("amqp = 5671", "amqp = 6671").replace("readers = []", 'readers = ["screen"]')
    file.write_text(text)
    engines = plan.planned(plan.load(folder), None, local=False, default="")
    _, papers = paper.write(folder / "hall.toml", engines)
    files = papers["a", "b", "c"]
    assert file.read_text() == text
    assert "listeners.ssl.1 = 127.0.0.1:6771" in files[texts.HOME / "b/rabbitmq.conf"]
    told = json.loads(files[texts.HOME / "definitions.json"])
    assert "screen" in {user["name"] for user in told["users"]}
    assert [policy["definition"] for policy in told["policies"]] == [{"expires": 3_600_000}]


def test_an_archiver_understands_what_it_is_told(jadoube: Jadoube, tmp_path: Path) -> None:
    _, papers = written(jadoube, tmp_path, local=True)
    path = tmp_path / "archive.toml"
    path.write_text(papers["a", "b", "c"][texts.HOME / "b/archive.toml"])
    config = converted(toml(path, 2**16), ArchiveConfig, "archive.toml")
    assert config.broker.addresses[0] == ("localhost", 5771), "the own node first"
    assert len(config.broker.addresses) == 3
    assert "sslmode=verify-full" in config.database.url
    assert config.metrics is not None and config.metrics.port == 9165


def test_a_hall_without_a_broker_of_its_own_is_told(jadoube: Jadoube, tmp_path: Path) -> None:
    jadoube("hall", "init", "lyon", "--simulate", "--clock", "90+30", "--yes")
    with pytest.raises(ConfigError, match="has no broker of its own"):
        paper.write(tmp_path / "lyon/hall.toml", Engines(nodes=("a",)))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
@pytest.mark.parametrize("local", [True, False])
def test_systemd_understands_the_units(jadoube: Jadoube, tmp_path: Path, local: bool) -> None:
    _, papers = written(jadoube, tmp_path, local=local)
    folder = tmp_path / "units"
    folder.mkdir()
    units = []
    for path, text in next(iter(papers.values())).items():
        if path.parent == texts.SYSTEM:
            units.append(folder / path.name)
            units[-1].write_text(text)
    assert len(units) == (11 if local else 5)
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "jadoube-" in line and "is not executable" not in line]
    assert ours == [], "programs that are not installed here are not looked at"


@pytest.mark.skipif(shutil.which("haproxy", path="/usr/sbin:/usr/bin") is None, reason="haproxy is not here")
@pytest.mark.parametrize("local", [True, False])
def test_haproxy_understands_its_configuration(jadoube: Jadoube, tmp_path: Path, local: bool) -> None:
    _, papers = written(jadoube, tmp_path, local=local)
    files, home = next(iter(papers.values())), tmp_path / "home"
    home.mkdir()
    for name in ("pages.pem", "haproxy.cfg"):
        (home / name).write_text(files[texts.HOME / name].replace(str(texts.HOME), str(home)))
    text = (home / "haproxy.cfg").read_text()
    (home / "haproxy.cfg").write_text(text.replace("user haproxy", "").replace("group haproxy", ""))
    done = subprocess.run(["/usr/sbin/haproxy", "-c", "-f", home / "haproxy.cfg"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# -- what is said of what was found --------------------------------------------------------------------------------

THREE = Engines(nodes=("a", "b", "c"), venue="lyon", here=("a",))


def test_a_node_that_is_not_there_is_told_with_why() -> None:
    status = {"running_nodes": ["rabbit@a", "rabbit@b"]}
    (off,) = asking.of_nodes(THREE, status, lambda *_: ConnectionRefusedError(111, "refused"))
    assert "node c is not in the cluster" in off.what
    assert "ports 4369 and 25672" in off.cause and "refused" in off.cause and "on c" in off.next_step
    (alone,) = asking.of_nodes(THREE, status, lambda *_: None)
    assert "a cluster of its own" in alone.cause and "force_reset" in alone.next_step


def test_clocks_of_nodes_that_differ_are_told() -> None:
    assert [*asking.apart({"rabbit@a": 0, "rabbit@b": 300, "rabbit@c": -200})] == []
    (late,) = asking.apart({"rabbit@a": 0, "rabbit@b": 3, "rabbit@c": -5_000})
    assert "the time of day of rabbit@c is 5.0 s behind" in late.what and late.next_step.startswith("on c: timedatectl")
    (both,) = asking.apart({"rabbit@a": 0, "rabbit@b": 5_000, "rabbit@c": 10_000})
    assert "cannot be known from here" in both.cause


def test_a_node_that_takes_nothing_is_told() -> None:
    alarms = [{"node": "rabbit@b", "resource": "disk"}, {"node": "rabbit@c", "resource": "memory"}]
    disk, memory = asking.full(THREE, {"alarms": alarms})
    assert "the disk of node b is full" in disk.what and "df -h" in disk.next_step
    assert "the memory of node c is full" in memory.what and "archivers" in memory.cause
