"""A machine with jadoube installed as ``make install`` does it, under a real systemd, in name spaces of its own.

Its root is that of this machine, or another, seen through an overlay in memory: what is written there is gone with it,
and nothing of this machine is touched. It has its own processes, network, devices and mounts. Only root may make one,
and only where systemd is installed in that root (Debian: ``systemd``).
"""

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = "lib/systemd/systemd"
PATIENCE_S = 60.0

BOOT = r"""
set -e
base=$1 lower=$2 installed=$3 libraries=$4 python=$5
mount --make-rprivate /
mount -t tmpfs -o mode=755 none "$base"
mkdir "$base/upper" "$base/work" "$base/root"
cp -a "$installed/." "$base/upper/"
chmod 755 "$base/upper"
mount -t overlay -o "lowerdir=$lower,upperdir=$base/upper,workdir=$base/work" none "$base/root"
cd "$base/root"
mount -t proc none proc
mount -t sysfs none sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs -o mode=755 none dev
for device in null zero full random urandom tty; do touch dev/$device; mount --bind /dev/$device dev/$device; done
mkdir dev/shm dev/pts
mount -t tmpfs -o mode=1777 none dev/shm
mount -t tmpfs -o mode=755 none run
mount -t tmpfs -o mode=1777 none tmp
mkdir -p etc/systemd/system.conf.d
if [ -n "$libraries" ]; then
    mkdir opt/libraries opt/python
    mount --bind "$libraries" opt/libraries
    mount --bind "$python" opt/python
    printf '[Manager]\nDefaultEnvironment=LD_LIBRARY_PATH=/opt/python/lib\n' >etc/systemd/system.conf.d/ours.conf
fi
find etc/systemd/system -mindepth 1 ! -name 'jadoube*' -delete
printf '[Unit]\nDefaultDependencies=no\nWants=systemd-journald.service sysinit.target\n' >etc/systemd/system/ours.target
ip link set lo up
mkdir left
pivot_root . left
umount --lazy left
mount --make-rshared /
container=jadoube exec /lib/systemd/systemd --system --unit=ours.target --log-target=console --show-status=no
"""
"""What becomes process 1 there."""

APART = ("unshare", "--pid", "--mount", "--uts", "--ipc", "--cgroup", "--net", "--fork", "--kill-child")
NEEDED = ("unshare", "nsenter", "ip", "pivot_root")


class NoMachineError(Exception):
    """There can be none here, and why."""


class BrokenError(AssertionError):
    """What was promised of the service does not hold."""


class Machine:
    """One that has booted. Paths are those that it has itself."""

    def __init__(self, process: int, *, lent: bool) -> None:
        self.process = str(process)  #: the first one there, by its number here
        self._enter = ("nsenter", "--target", self.process, "--all")
        self._environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        if lent:
            self._environment["LD_LIBRARY_PATH"] = "/opt/python/lib"

    def run(self, *command: str, told: str = "", within_s: float = PATIENCE_S) -> str:
        """What a command prints as root of that machine. Raises :exc:`BrokenError` where it fails."""
        done = self.tried(*command, told=told, within_s=within_s)
        if done.returncode:
            raise BrokenError(f"{' '.join(command)} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def tried(self, *command: str, told: str = "", within_s: float = PATIENCE_S) -> "subprocess.CompletedProcess[str]":
        """The same, whatever comes of it."""
        return subprocess.run(
            [*self._enter, *command],
            input=told,
            capture_output=True,
            text=True,
            check=False,
            env=self._environment,
            timeout=within_s,
        )

    def python(self, script: str, *arguments: str) -> str:
        """What a script prints that runs with jadoube's own interpreter and libraries."""
        return self.run("/opt/jadoube/bin/python", "-c", script, *arguments)

    def write(self, path: str, text: str, mode: str = "0644") -> None:
        self.run("install", "-D", "-m", mode, "/dev/stdin", path, told=text)

    def log(self, unit: str) -> str:
        """All that a unit has said since the boot."""
        return self.run("journalctl", "--output=cat", "--unit", unit)

    def property(self, unit: str, name: str) -> str:
        """What systemd says of a unit, such as its ``ActiveState``."""
        return self.run("systemctl", "show", "--value", f"--property={name}", unit).strip()

    def until(self, what: str, holds: Callable[[], bool]) -> None:
        """Waits for it. Raises :exc:`BrokenError` where it never comes true."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            if time.monotonic() > end:
                raise BrokenError(f"this never came true: {what}")
            time.sleep(0.05)


def install(folder: Path) -> Path:
    """What ``make install`` writes, for an interpreter and libraries that the machine has at places of their own."""
    environment = {"DESTDIR": str(folder), "NO_DEPS": "1", "PYTHON": sys.executable, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["tools/install.sh"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoMachineError(f"tools/install.sh failed here: {done.stderr}")
    home = folder / "opt/jadoube"
    for link in (home / "bin").glob("python*"):
        link.unlink()
        link.symlink_to(Path("/opt/python", *Path(os.path.realpath(sys.executable)).parts[-2:]))
    (folder / "opt/jadoube/pyvenv.cfg").write_text("home = /opt/python/bin\ninclude-system-site-packages = false\n")
    (packages,) = home.glob("lib/python3*/site-packages")
    (packages / "libraries.pth").write_text("/opt/libraries\n")
    return folder


@contextlib.contextmanager
def machine(installed: Path, root: Path | None = None) -> Iterator[Machine]:
    """Boots one with what :func:`install` wrote; or with any files over another ``root``, and nothing of this machine.

    Raises :exc:`NoMachineError` where that cannot be done here.
    """
    if os.geteuid() != 0:
        raise NoMachineError("only root can boot one")
    systemd = (root or Path("/")) / SYSTEMD
    if absent := [name for name in NEEDED if shutil.which(name) is None] + ["systemd"] * (not systemd.exists()):
        raise NoMachineError(f"not installed: {', '.join(absent)}")
    with tempfile.TemporaryDirectory() as base, _group() as group:
        log = Path(base, "console").open("w+")  # noqa: SIM115
        lent = ("", "") if root else (sysconfig.get_paths()["purelib"], sys.base_prefix)
        where = (base, str(root or "/"), str(installed), *lent)
        inside = ("sh", "-c", 'echo 0 >"$0/cgroup.procs" && exec "$@"', str(group), *APART)
        process = subprocess.Popen([*inside, "sh", "-c", BOOT, "sh", *where], stdout=log, stderr=log)
        try:
            booted = Machine(_first(process.pid), lent=root is None)
            end = time.monotonic() + PATIENCE_S
            while booted.tried("systemctl", "is-active", "ours.target", "sysinit.target").returncode:
                if process.poll() is not None or time.monotonic() > end:
                    raise NoMachineError(f"systemd does not boot here: {Path(base, 'console').read_text()}")
                time.sleep(0.05)
            if root is None:
                booted.run("systemd-sysusers", "/etc/sysusers.d/jadoube.conf")
                booted.run("chown", "jadoube:jadoube", "/var/lib/jadoube")
            yield booted
        finally:
            process.kill()
            process.wait()
            log.close()


def _first(parent: int) -> int:
    """The process that ``unshare`` starts, which becomes the first one there."""
    children = Path(f"/proc/{parent}/task/{parent}/children")
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if numbers := children.read_text().split():
                return int(numbers[0])
        time.sleep(0.01)
    raise NoMachineError("unshare starts nothing here")


@contextlib.contextmanager
def _group() -> Iterator[Path]:
    """A control group for all of it, taken away afterwards."""
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    places = [Path(mount[1]) for mount in mounts if mount[2] == "cgroup2"]
    ours = [line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::")]
    if not places or not ours:
        raise NoMachineError("there are no control groups of the second version here")
    try:
        group = Path(tempfile.mkdtemp(prefix="jadoube-", dir=places[0] / ours[0].lstrip("/")))
    except OSError as error:
        raise NoMachineError(f"no control group can be made here: {error.strerror}") from error
    try:
        yield group
    finally:
        _take_away(group)


def _take_away(group: Path) -> None:
    """Once the last process in it has gone, which the kernel kills after the first one."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            for folder, _, _ in os.walk(group, topdown=False):
                Path(folder).rmdir()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return
