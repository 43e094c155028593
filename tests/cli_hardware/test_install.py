"""``make install`` into a folder: what is there runs, and ``make uninstall`` leaves the games alone. And the unit."""

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "systemd" / "jadoube.service"
BEST = 1.4  #: the exposure that systemd-analyze may find at most


def run(*command: object, **environment: str) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, env=environment or None)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def destined(folder: Path) -> dict[str, str]:
    return {"DESTDIR": str(folder), "PATH": "/usr/bin:/bin", "PYTHON": sys.executable, "NO_DEPS": "1"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / ".venv/bin/pip").exists():
        pytest.skip("not set up by make: no .venv")
    folder = tmp_path_factory.mktemp("root")
    run("tools/install.sh", **destined(folder))
    return folder


def test_what_was_installed_runs_and_what_was_played_stays(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(installed, tmp_path, symlinks=True, dirs_exist_ok=True)
    home = tmp_path / "opt" / "jadoube"
    script = (home / "bin" / "jadoube").read_text()
    assert script.startswith("#!/opt/jadoube/bin/python"), "it runs from where it will be, not from where it was made"
    assert str(installed) not in (home / "pyvenv.cfg").read_text()
    assert (tmp_path / "usr/local/bin/jadoube").readlink() == Path("/opt/jadoube/bin/jadoube")
    assert (tmp_path / "etc/systemd/system/jadoube.service").read_text() == UNIT.read_text()
    assert (tmp_path / "var/lib/jadoube").stat().st_mode & 0o777 == 0o750

    # Where the installed tree is asked for its examples it must find its own, not those of the checkout.
    libraries = sysconfig.get_paths()["purelib"]
    python = [home / "bin" / "python", "-m", "controller.cli.main"]
    config = tmp_path / "etc" / "jadoube" / "jadoube.toml"
    options = ["--board", "simulated", "--yes", "--out", config]
    alone = {"PYTHONPATH": libraries, "PATH": "/usr/bin:/bin", "PYTHONSAFEPATH": "1"}
    assert str(home / "share") in run(*python, "boards", **alone)
    assert "is written" in run(*python, "setup", *options, **alone)
    assert "32 pieces" in run(*python, "board", "--once", "--config", config, **alone)

    played = tmp_path / "var" / "lib" / "jadoube" / "jadoube.sqlite"
    played.touch()
    run("tools/uninstall.sh", **destined(tmp_path))
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file() or path.is_symlink()}
    assert left == {"etc/jadoube/jadoube.toml", "var/lib/jadoube/jadoube.sqlite"}
    run("tools/uninstall.sh", **destined(tmp_path), PURGE="1")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_unit_is_as_closed_as_a_board_allows(tmp_path: Path) -> None:
    said = run("systemd-analyze", "security", "--offline=true", "--no-pager", UNIT)
    exposure = re.search(r"Overall exposure level for jadoube.service: ([\d.]+)", said)
    assert exposure is not None
    assert float(exposure[1]) <= BEST
    unit = tmp_path / "jadoube.service"  # with a program that is there
    unit.write_text(UNIT.read_text().replace("/opt/jadoube/bin/jadoube", "/bin/true"))
    assert run("systemd-analyze", "verify", unit) == ""


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_each_of_several_boards_has_its_own_folders(installed: Path) -> None:
    template = installed / "etc/systemd/system/jadoube@.service"
    text = template.read_text()
    assert text.count("%i") == 7
    assert "--config /etc/jadoube/%i.toml" in text
    assert "LoadCredential=mqtt-password:/etc/jadoube/%i.mqtt-password\n" in text
    template.write_text(text.replace("/opt/jadoube/bin/jadoube", "/bin/true"))
    assert run("systemd-analyze", "verify", template.with_name("jadoube@board-7.service")) == ""


def test_boards_that_had_one_password_for_all_keep_it_each(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(installed, tmp_path, symlinks=True, dirs_exist_ok=True)
    template, folder = tmp_path / "etc/systemd/system/jadoube@.service", tmp_path / "etc/jadoube"
    template.write_text(template.read_text().replace("%i.mqtt-password", "mqtt-password"))
    for name in ("jadoube.toml", "board-7.toml", "board-8.toml"):
        (folder / name).touch()
    (folder / "mqtt-password").touch(0o600)
    (folder / "mqtt-password").write_text("for all")
    (folder / "board-8.mqtt-password").write_text("its own")
    for _ in range(2):  # the second time, nothing is left to be done
        run("tools/install.sh", **destined(tmp_path))
        found = {path.name: path.read_text() for path in folder.glob("*mqtt-password")}
        assert found.pop("mqtt-password") == "for all"
        assert found.pop("board-7.mqtt-password") == "for all"
        assert found == {"board-8.mqtt-password": "its own"}
    assert (folder / "board-7.mqtt-password").stat().st_mode & 0o777 == 0o600


def test_what_waits_for_a_full_disk_outlives_the_service() -> None:
    """Tried under a real systemd by tests/faults/unit.py: what it deletes at a stop is gone for good."""
    unit = UNIT.read_text()
    assert "RuntimeDirectory=jadoube\n" in unit
    assert "RuntimeDirectoryPreserve=yes\n" in unit
    assert "RemoveIPC=yes" not in unit, "an older version had it in /dev/shm"


def test_the_unit_allows_the_devices_of_every_kind_of_board() -> None:
    allowed = set(re.findall(r"DeviceAllow=char-(\w+) rw", UNIT.read_text()))
    assert {"gpiochip", "spi", "i2c", "ttyUSB", "ttyACM", "ttyAMA", "rfcomm", "hidraw"} <= allowed
    assert "DevicePolicy=closed" in UNIT.read_text()
