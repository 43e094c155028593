"""The Debian package in a clean Debian, under its systemd: installed, used, upgraded, removed, purged.

The root is made by mmdebstrap, once, in ``build/``; the package by ``tools/deb.sh``. No network is there when it is
installed.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from clean_debian import package, root
from machine import Machine, NoMachineError, machine

NEWER = "9.9"
SIMULATED = """
[board]
type = "simulated"
[event]
venue = "hall"
board = "1"
[start]
by = "at-once"
ready_s = 0
[pgn]
directory = "/var/lib/jadoube/games"
[journal]
path = "/var/lib/jadoube/jadoube.sqlite"
"""
TRACES = ("find", "/", "-xdev", "-name", "*jadoube*", "-not", "-path", "/srv/*", "-not", "-path", "/proc/*")
OF_OTHERS = ("/var/lib/dpkg/", "/var/log/", "/etc/systemd/system/multi-user.target.wants")


@pytest.fixture(scope="module")
def debian() -> Path:
    """A Debian without anything of jadoube."""
    return root()


@pytest.fixture(scope="module")
def packages(debian: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    """What is put onto the machine: ``/srv/now.deb``, and the same as a later version, ``/srv/later.deb``."""
    folder = tmp_path_factory.mktemp("packages")
    srv = folder / "upper" / "srv"
    srv.mkdir(parents=True)
    shutil.copy(package(), srv / "now.deb")
    later = folder / "later"
    subprocess.run(["dpkg-deb", "--raw-extract", srv / "now.deb", later], check=True)
    control = later / "DEBIAN" / "control"
    lines = control.read_text().splitlines(keepends=True)
    control.write_text("".join(f"Version: {NEWER}\n" if line.startswith("Version: ") else line for line in lines))
    subprocess.run(["dpkg-deb", "-Znone", "--build", later, srv / "later.deb"], check=True, capture_output=True)
    return srv.parent


@pytest.fixture
def here(debian: Path, packages: Path) -> Iterator[Machine]:
    try:
        with machine(packages, debian) as booted:
            yield booted
    except NoMachineError as why:
        pytest.skip(f"no package was tried under a systemd: {why}")


def left(here: Machine) -> set[str]:
    """What there is of jadoube, but for dpkg's own lists and logs."""
    return {path for path in here.run(*TRACES).splitlines() if not path.startswith(OF_OTHERS)}


def test_a_package_is_installed_serves_is_upgraded_removed_and_purged(here: Machine) -> None:
    unit, state = "jadoube", "/var/lib/jadoube"
    assert left(here) == set()

    # A new machine: nothing runs before there is a configuration, and it is said what to do.
    told = here.run("dpkg", "--install", "/srv/now.deb")
    assert "Next: sudo jadoube setup --out /etc/jadoube/jadoube.toml" in told
    assert here.run("jadoube", "--version").startswith("jadoube ")
    assert {"dialout", "gpio", "plugdev"} <= set(here.run("id", "-nG", "jadoube").split())
    assert here.run("stat", "-c", "%U %a", state) == "jadoube 750\n"
    assert here.property(unit, "ActiveState") == "inactive"
    assert "is written" in here.run(
        "jadoube", "setup", "--board", "simulated", "--yes", "--out", "/etc/jadoube/jadoube.toml"
    )

    # A game is played, and goes on through an upgrade, by another process.
    here.write("/etc/jadoube/jadoube.toml", SIMULATED)
    here.run("systemctl", "enable", "--now", unit)
    here.until("a game begins", lambda: "begins" in here.log(unit))
    before = here.property(unit, "MainPID")
    told = here.run("dpkg", "--install", "/srv/later.deb")
    assert "Next: sudo jadoube setup" not in told, "there is a configuration"
    here.until("it runs anew", lambda: here.property(unit, "MainPID") not in ("0", before))
    here.until("it serves", lambda: here.property(unit, "ActiveState") == "active")
    assert here.log(unit).count(" begins") == 1, "the game goes on, and no other begins"
    assert f"Version: {NEWER}\n" in here.run("dpkg", "--status", "jadoube")

    # Removed, it leaves what was played and written, and nothing else.
    told = here.run("dpkg", "--remove", "jadoube")
    assert f"Its games are in {state}, its configuration is in /etc/jadoube" in told
    assert here.property(unit, "ActiveState") == "inactive"
    assert not here.tried("systemctl", "cat", unit).stdout
    kept = left(here)
    assert {"/etc/jadoube", "/etc/jadoube/jadoube.toml", f"{state}/jadoube.sqlite"} <= kept
    assert {path for path in kept if not path.startswith(("/etc/jadoube", state, "/run/jadoube"))} == set()

    # Purged, it leaves nothing.
    here.run("dpkg", "--install", "/srv/now.deb")
    told = here.run("dpkg", "--purge", "jadoube")
    assert "games and configuration are gone" in told
    assert left(here) == set()
    assert here.tried("id", "jadoube").returncode


def test_a_package_leaves_alone_what_make_install_brought(here: Machine) -> None:
    here.run("ln", "-s", "/opt/jadoube/bin/jadoube", "/usr/local/bin/jadoube")
    refused = here.tried("dpkg", "--install", "/srv/now.deb")
    assert refused.returncode
    assert "Next: sudo make uninstall" in refused.stderr
    assert left(here) == {"/usr/local/bin/jadoube"}
