"""A clean Debian, made by mmdebstrap once in ``build/``, and the package of jadoube for it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEBIAN = "bookworm"
OF_ITS_OWN = ("unshare", "--mount")  #: what is mounted to make it is gone with it, and in no folder that is cleared


def root(name: str, packages: str) -> Path:
    """The Debian of that name in ``build/``, with these packages besides the least that there is."""
    made_before = ROOT / "build" / name
    if not made_before.exists():
        if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
            pytest.skip("no package was tried: only root can make a Debian, with mmdebstrap")
        unfinished = made_before.with_name(f"{name}-unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        made_before.parent.mkdir(exist_ok=True)
        made = subprocess.run(
            [*OF_ITS_OWN, "mmdebstrap", "--quiet", "--variant=minbase", f"--include={packages}", DEBIAN, unfinished],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            pytest.skip(f"no package was tried: no Debian can be made here: {made.stderr}")
        unfinished.rename(made_before)
    return made_before


def package(extra: str = "") -> Path:
    """The package, as ``make deb`` makes it."""
    if not (ROOT / ".venv/bin/pip").exists():
        pytest.skip("not set up by make: no .venv")
    plain = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "EXTRA": extra}
    made = subprocess.run(["tools/deb.sh"], cwd=ROOT, env=plain, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return ROOT / made.stdout.split()[0]
