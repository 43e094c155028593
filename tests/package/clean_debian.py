"""A clean Debian, made by mmdebstrap once in ``build/``, and the package of jadoube for it."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEBIAN = "bookworm"
THERE = "python3,systemd,udev"  #: what the package needs, and what its scripts talk to
OF_ITS_OWN = ("unshare", "--mount", "--propagation", "private")
"""What is mounted to make it is gone with it, and in no folder that is cleared."""
ADD = r"""
set -e
mount -t proc none "$1/proc"
printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
chmod 755 "$1/usr/sbin/policy-rc.d"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
chroot "$1" apt-get update -qq
chroot "$1" apt-get install -y -qq --no-install-recommends $2
chroot "$1" apt-get clean
rm "$1/usr/sbin/policy-rc.d"
"""
"""Nothing is started that is installed there."""


def root(more: str = "") -> Path:
    """A Debian with what a package needs, in ``build/``; or one with ``more`` packages, made from that one."""
    name = f"debian-{DEBIAN}-engines" if more else f"debian-{DEBIAN}"
    made_before = ROOT / "build" / name
    if made_before.exists():
        return made_before
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        pytest.skip("no package was tried: only root can make a Debian, with mmdebstrap")
    unfinished = made_before.with_name(f"{name}-unfinished")
    made_before.parent.mkdir(exist_ok=True)
    if more:
        least = root()
        shutil.rmtree(unfinished, ignore_errors=True)
        _make("cp", "-a", least, unfinished)
        _make(*OF_ITS_OWN, "sh", "-c", ADD, "add", unfinished, more.replace(",", " "))
        unfinished.rename(made_before)
        return made_before
    with made_before.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another test that needs it makes it just now
        if not made_before.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            _make(*OF_ITS_OWN, "mmdebstrap", "--quiet", "--variant=minbase", f"--include={THERE}", DEBIAN, unfinished)
            unfinished.rename(made_before)
    return made_before


def _make(*command: str | Path) -> None:
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no package was tried: no Debian can be made here: {made.stderr}")


def package(extra: str = "") -> Path:
    """The package, as ``make deb`` makes it, but for the compression: without it that takes a fifth of the time."""
    if not (ROOT / ".venv/bin/pip").exists():
        pytest.skip("not set up by make: no .venv")
    plain = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "EXTRA": extra, "COMPRESS": "none"}
    made = subprocess.run(["tools/deb.sh"], cwd=ROOT, env=plain, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return ROOT / made.stdout.split()[0]
