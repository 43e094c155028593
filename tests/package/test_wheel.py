"""A wheel, as ``pip`` and ``pipx`` install it: all that a checkout has is there without one."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from controller.cli.hardware.kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("controller", "hardware", "config", "pyproject.toml", "setup.py", "README.md", "tools")
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def run(*command: object, cwd: Path) -> str:
    """What a command prints, with nothing of this checkout in its environment."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=plain, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def jadoube(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, installed from a wheel that was built of a copy; what it needs is borrowed from the tests' own."""
    if subprocess.run([*PIP, "--version"], capture_output=True, check=False).returncode:
        pytest.skip("no wheel was tried: there is no pip here")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in SOURCES:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, source / name)
    run(*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source, cwd=folder)
    (wheel,) = folder.glob("jadoube-*.whl")
    home = folder / "home"
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=folder)
    run(*PIP, "--python", home / "bin/python", "install", "--no-deps", "--no-index", wheel, cwd=folder)
    (packages,) = home.glob("lib/python3*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return home / "bin" / "jadoube"


def test_a_wheel_knows_its_version_its_boards_and_their_examples(jadoube: Path, tmp_path: Path) -> None:
    assert run(jadoube, "--version", cwd=tmp_path).startswith("jadoube ")
    told = run(jadoube, "boards", cwd=tmp_path)
    for kind in KINDS:
        assert f"example: {jadoube.parents[1]}/share/jadoube/config/{kind}.toml" in told
    assert "is written" in run(jadoube, "setup", "--board", "simulated", "--yes", cwd=tmp_path)
    assert "32 pieces" in run(jadoube, "board", "--once", cwd=tmp_path)


def test_a_wheel_plays_its_demonstration_in_an_empty_folder(jadoube: Path, tmp_path: Path) -> None:
    """With the pages, whose files it has to have."""
    told = run(jadoube, "demo", "--speed", "20", cwd=tmp_path)
    assert "The game is over: White wins by checkmate" in told
    assert "arbiter: http://127.0.0.1:" in told
    (score,) = (tmp_path / "build/demo/games").glob("*.pgn")
    assert "Rd8#" in score.read_text()


def test_a_wheel_speaks_french(jadoube: Path, tmp_path: Path) -> None:
    assert run(jadoube, "laws", "--language", "fr", cwd=tmp_path).startswith("Règles du jeu d’échecs de la FIDE")
