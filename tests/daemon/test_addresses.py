"""What is said of where the pages are can be typed into a browser on another machine."""

import asyncio
import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from controller import addresses
from controller.cli.hardware.served import served
from controller.config import check
from controller.outlets.mqtt.broker import EmbeddedBroker
from controller.outlets.notices import Notices
from controller.outlets.serving import Served

ROOT = Path(__file__).resolve().parents[2]

PLUGGED = """
ip link set lo up
for cable in eth0 wlan0 eth1; do ip link add $cable type veth peer name far-$cable; ip link set $cable up; done
for cable in eth0 wlan0; do ip link set far-$cable up; done
ip addr add 169.254.7.7/16 dev eth0
ip addr add 192.168.1.10/24 dev eth0
ip addr add 192.168.1.11/24 dev eth0
ip addr add 10.0.0.5/8 dev wlan0
ip addr add 172.16.0.1/16 dev eth1
ip addr add 2001:db8::7/64 dev eth0 nodad
ip addr add 2001:db8::8/64 dev eth0 nodad preferred_lft 0
ip addr add fd00::9/64 dev wlan0 nodad
ip addr add 2001:db8:1::1/64 dev eth1 nodad
"""
"""A machine with two cables plugged in; nothing is at the other end of eth1."""


def ask(setup: str) -> dict[str, list[str]]:
    """What is reached on a machine that was set up so, in a network name space of its own."""
    script = "import json; from controller.addresses import *; print(json.dumps({h: reached(h) for h in EVERYWHERE}))"
    shell = f"set -e\n{setup}\nexec {sys.executable} -c '{script}'"
    enter = ["unshare", "--net", "--map-root-user", "sh", "-c", shell]
    done = subprocess.run(enter, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, list[str]] = json.loads(done.stdout)
    return told


def apart() -> bool:
    """Whether there can be a network of our own here."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return False
    shell = "ip link add eth0 type veth peer name far"
    done = subprocess.run(["unshare", "--net", "--map-root-user", "sh", "-c", shell], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.skipif(not apart(), reason="no network name spaces here (unshare, ip): addresses are not looked for")
def test_everywhere_is_each_address_that_others_can_reach_and_no_other() -> None:
    told = ask(PLUGGED)
    assert told["0.0.0.0"] == ["192.168.1.10", "192.168.1.11", "10.0.0.5", "169.254.7.7"]
    assert sorted(told["::"]) == ["2001:db8::7", "fd00::9"]


@pytest.mark.skipif(not apart(), reason="no network name spaces here (unshare, ip): addresses are not looked for")
def test_without_a_network_only_this_machine_is_left() -> None:
    assert ask("ip link set lo up") == ask("") == {"0.0.0.0": ["127.0.0.1"], "::": ["::1"]}


def test_the_name_that_avahi_announces_comes_after_the_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_inet", lambda: iter(["192.168.1.10"]))
    monkeypatch.setattr(socket, "gethostname", lambda: "Hall.example.org")
    monkeypatch.setattr(addresses, "AVAHI", tmp_path / "socket")
    assert addresses.reached("0.0.0.0") == ["192.168.1.10"]
    (tmp_path / "socket").touch()
    assert addresses.reached("0.0.0.0") == ["192.168.1.10", "hall.local"]
    monkeypatch.setattr(addresses, "_inet", lambda: iter([]))
    assert addresses.reached("0.0.0.0") == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("host", "url"),
    [("127.0.0.1", "http://127.0.0.1:80"), ("fd00::9", "http://[fd00::9]:80"), ("hall.local", "http://hall.local:80")],
)
def test_one_address_is_what_it_is(host: str, url: str) -> None:
    assert addresses.urls("http", host, 80) == [url]


def test_what_is_served_everywhere_is_said_as_it_can_be_typed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(addresses, "_inet", lambda: iter(["192.168.1.10", "10.0.0.5"]))
    caplog.set_level("INFO")
    pages = Served("console", lambda *_: None, "0.0.0.0", 0, Notices())

    async def scene() -> None:
        serving = asyncio.create_task(pages.run())
        await pages.up.wait()
        serving.cancel()
        await asyncio.wait([serving])

    asyncio.run(scene())
    assert f"console is served at http://192.168.1.10:{pages.port} http://10.0.0.5:{pages.port}" in caplog.text
    assert "0.0.0.0" not in caplog.text


def test_the_doctor_says_where_and_whose_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_inet6", lambda: iter(["2001:db8::7"]))
    monkeypatch.setattr(addresses, "_inet", lambda: iter(["192.168.1.10"]))
    with socket.create_server(("127.0.0.1", 0)) as other, socket.create_server(("127.0.0.1", 0)) as free:
        taken, port = other.getsockname()[1], free.getsockname()[1]
        free.close()
        raw = {
            "board": {"type": "simulated"},
            "console": {"host": "0.0.0.0", "port": port},
            "livechess": {"port": taken},
            "broadcast": {"host": "::", "port": port},
        }
        config = check(raw, "a test")
        at_rest, running = list(served(config, running=False)), list(served(config, running=True))
    assert [(one.area, one.what) for one in running] == [
        ("pages", f"at http://192.168.1.10:{port}"),
        ("livechess", f"at ws://127.0.0.1:{taken}"),
        ("broadcast", f"at http://[2001:db8::7]:{port}"),
    ]
    assert [one.status for one in at_rest[:2]] == ["ok", "fault"]
    assert str(taken) in at_rest[1].next_step


def test_a_broker_of_our_own_yields_to_who_has_its_port() -> None:
    """As where two boards of one machine start at the same moment, at its boot."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]

        async def scene(before: int = 0) -> int:
            async with EmbeddedBroker(taken, before) as ours:
                with socket.create_connection(("127.0.0.1", ours.port), timeout=5):
                    return ours.port

        first = asyncio.run(scene())
        assert first not in (0, taken)
        assert asyncio.run(scene(first)) == first, "its clients look where they found it"
        assert asyncio.run(scene(taken)) not in (0, taken)
