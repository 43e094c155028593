"""The machine under the board: may the user use the devices, is there room, is the time right, does the service run.

``root`` is the root of the file system, so that a machine in a folder can be looked at too. Sources: systemd's own
tools; temperature and voltage are read as the daemon reads them.
"""

import grp
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib import metadata
from pathlib import Path

from controller.cli.hardware.health import CheckResult, fault, ok, warning
from controller.cli.hardware.kinds import KINDS, missing_modules
from controller.daemon.vitals import look_at_machine
from controller.files import nearest
from hardware.boards import BoardConfig
from hardware.pins import Library
from hardware.wires import EEPROM, Wire

FEW_MB, TOO_FEW_MB = 500, 50  #: of free disk; a game takes less than one
SLOW_S, TOO_SLOW_S = 0.1, 1.0  #: for one fsync
HOT_C, TOO_HOT_C = 75.0, 80.0  #: a Pi slows down from 80 °C on
EARLIEST = datetime(2025, 1, 1)  #: no clock that is right is before it
ABSENT = {  # by a part of its name: why there may be no such device, and what to do
    "spidev": ("that bus is not turned on", "sudo raspi-config nonint do_spi 0"),
    "i2c": ("that bus is not turned on", "sudo raspi-config nonint do_i2c 0"),
    "gpiochip": ("this machine is no Raspberry Pi", "gpiodetect"),
    "": ("the board is not plugged in, or switched off", "jadoube boards --ports"),
}
SERVED = Path("/etc/jadoube")  #: where the services have their configurations


def python(kind: str | None, library: Library = "RPi.GPIO") -> Iterator[CheckResult]:
    """The interpreter, and what must be installed for the board, whose pins are reached through ``library``."""
    version = ".".join(map(str, sys.version_info[:3]))
    if absent := missing_modules(kind, library) if kind else []:
        yield fault(
            "python", f"not installed: {', '.join(absent)}", "they are only needed for such a board", "make gpio"
        )
    else:
        yield ok("python", f"Python {version}, jadoube {metadata.version('jadoube')}")
    installed = {distribution.name.lower() for distribution in metadata.distributions()}
    if {"rpi.gpio", "rpi-lgpio"} <= installed:
        yield fault(
            "python",
            "both RPi.GPIO and rpi-lgpio are installed",
            "they are the same module, and only the second works everywhere",
            f"{sys.prefix}/bin/pip uninstall RPi.GPIO rpi-lgpio; make gpio",
        )


def devices(board: BoardConfig, kind: str, root: Path = Path("/")) -> Iterator[CheckResult]:
    """The device files that the board is behind, and whether this user may open them."""
    groups = KINDS[kind].groups
    for device in _devices(board, kind, root):
        named = f"/{device.relative_to(root)}"
        if not device.exists():
            why = next(said for part, said in ABSENT.items() if part in named)
            yield fault("ports", f"there is no {named}", *why)
        elif not os.access(device, os.R_OK | os.W_OK):
            group = _group(device)
            yield fault(
                "permissions",
                f"{_user()} may not use {named}",
                f"it belongs to the group {group}",
                f"sudo usermod -aG {group} {_user()}; then log in again",
            )
        elif device.is_dir() or (device.is_file() and not named.startswith("/dev/")):
            what = f"{named} is {'a folder' if device.is_dir() else 'a file'}, and no port"
            yield fault("ports", what, "a slip in port in the configuration", "jadoube boards --ports")
        else:
            yield ok("ports", f"{named} is there, and {_user()} may use it")
    absent = [group for group in groups if not _member(group)]
    if absent and os.geteuid() != 0:
        yield warning(
            "permissions",
            f"{_user()} is not in the group {' and '.join(absent)}",
            "nobody has put them there, or they have not logged in again since",
            f"sudo usermod -aG {','.join(absent)} {_user()}; then log in again",
        )


def pins(wires: Iterable[Wire]) -> Iterator[CheckResult]:
    """Those that can be used, but had better not be."""
    for wire in wires:
        if wire.to in EEPROM and not wire.bus:
            cause = "the Pi looks there for the memory of a board on top of it, at each start"
            yield warning("pins", f"pin {wire.to} is used as {wire.use}", cause, "take a pin from 2 to 27")


def disk(folder: Path) -> Iterator[CheckResult]:
    """Whether ``folder`` can be written, has room, and how long it takes until something is safe there."""
    near = nearest(folder)
    try:
        slowest = _fsync_s(near)
    except OSError as error:
        cause = "it belongs to another user, or its disk is mounted read-only"
        what = f"{near} cannot be written by {_user()}: {error.strerror}"
        yield fault("disk", what, cause, f"ls -ld {near}; findmnt -T {near}")
        return
    free = shutil.disk_usage(near).free // 2**20
    verdict = fault if free < TOO_FEW_MB else warning
    if free < FEW_MB:
        yield verdict(
            "disk", f"{free} MB are free in {near}", "the disk is nearly full", f"df -h {near}; sudo apt clean"
        )
    else:
        yield ok("disk", f"{near} can be written, {free} MB are free")
    words = f"until something is safe in {near} it takes up to {slowest * 1000:.0f} ms"
    if slowest > SLOW_S:
        verdict = fault if slowest > TOO_SLOW_S else warning
        cause = "a slow or worn memory card, or much else that writes"
        yield verdict("disk", words, cause, "move the journal to a better card or a USB disk; iostat -x 1")
    else:
        yield ok("disk", words)


def scores(folder: Path) -> Iterator[CheckResult]:
    """Whether the scores can be written, which is tried first when a game begins."""
    near = nearest(folder)
    if near.is_dir() and os.access(near, os.W_OK | os.X_OK):
        yield ok("scores", f"they go to {folder}")
    else:
        cause = f"{near} belongs to another user, is no folder, or is read-only"
        yield fault("scores", f"none can be written to {folder}", cause, f"ls -ld {near}; or set [pgn] directory")


def clock() -> Iterator[CheckResult]:
    """The date, which PGN files bear, and the monotonic clock, which the games run on."""
    synchronised = _said("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if datetime.now() < EARLIEST:
        yield fault(
            "time",
            f"it is {datetime.now():%d %B %Y} here",
            "a Pi has no clock of its own",
            "sudo timedatectl set-ntp true",
        )
    elif synchronised == "yes":
        yield ok("time", "the clock is kept right by the network")
    else:
        unknown = not synchronised
        yield warning(
            "time",
            "nobody can say whether the clock is right" if unknown else "the clock is not kept right by the network",
            "systemd does not run here" if unknown else "no network, or nobody asked for it",
            "compare it with another clock: date" if unknown else "sudo timedatectl set-ntp true",
        )
    before = time.monotonic_ns()
    time.sleep(0.02)
    passed = (time.monotonic_ns() - before) / 1e6
    if 19 <= passed < 500 and time.get_clock_info("monotonic").resolution < 1e-3:
        yield ok("time", "the monotonic clock runs evenly")
    else:
        yield fault("time", f"the monotonic clock made {passed:.1f} ms of 20", "a machine under heavy load", "top")


def unit(config: Path) -> str:
    """The service that runs with a configuration of this name."""
    return "jadoube" if config.stem == "jadoube" or config.parent != SERVED else f"jadoube@{config.stem}"


def service(version: str, name: str = "jadoube") -> Iterator[CheckResult]:
    """Whether systemd knows the daemon, starts it at boot, and runs it, in this version."""
    shown = _said("systemctl", "show", f"{name}.service", "--property=LoadState,UnitFileState,ActiveState,ExecStart")
    state = dict(line.partition("=")[::2] for line in shown.splitlines())
    if not state:
        yield warning("service", "systemd does not run here", "another kind of machine", "jadoube run, by hand")
        return
    if state.get("LoadState") != "loaded":
        yield warning("service", "the service is not installed", "jadoube is started by hand here", "sudo make install")
        return
    if state.get("UnitFileState") != "enabled":
        cause = "it was not enabled"
        yield warning("service", "it will not start at boot", cause, f"sudo systemctl enable --now {name}")
    if state.get("ActiveState") != "active":
        cause = "it was not started, or it failed"
        yield fault(
            "service",
            f"it is {state.get('ActiveState')}",
            cause,
            f"journalctl -u {name} -n 30; sudo systemctl start {name}",
        )
    program = state.get("ExecStart", "").partition("path=")[2].partition(" ")[0]
    installed = _said(program, "--version").rpartition(" ")[2] if program else ""
    if installed and installed != version:
        cause = "this one was not installed yet, or is the older one"
        yield warning("service", f"it is version {installed}, and this is {version}", cause, "sudo make install")
    elif state.get("ActiveState") == "active":
        yield ok("service", f"it runs, version {installed or version}")


def pi(root: Path = Path("/")) -> Iterator[CheckResult]:
    """Temperature and voltage, where the machine tells."""
    seen = look_at_machine(root, root)
    if seen.heat_c is not None:
        words = f"it is {seen.heat_c:.0f} °C warm"
        if seen.heat_c >= HOT_C:
            verdict = fault if seen.heat_c >= TOO_HOT_C else warning
            yield verdict("machine", words, "no air, or a case without a fan", "give it air; vcgencmd measure_temp")
        else:
            yield ok("machine", words)
    supply = {
        "undervoltage now": seen.undervoltage,
        "slowed down now": seen.slowed,
        "undervoltage since it was switched on": seen.undervoltage_before,
    }
    if told := ", ".join(words for words, so in supply.items() if so):
        verdict = fault if seen.undervoltage else warning
        cause = "a supply or a cable that is too weak"
        yield verdict("machine", told, cause, "use the supply made for this Pi, with a short cable")
    elif seen.undervoltage is not None:
        yield ok("machine", "the supply is strong enough")


def _devices(board: BoardConfig, kind: str, root: Path) -> Iterator[Path]:
    if port := getattr(board, "port", ""):
        if port != "auto":
            yield root / port.lstrip("/")
        return
    groups = KINDS[kind].groups
    bus = getattr(board, "bus", 0)
    if "gpio" in groups:
        yield root / "dev/gpiochip0"
    if "spi" in groups:
        yield root / f"dev/spidev{bus}.{getattr(board, 'chip_select', 0)}"
    if "i2c" in groups:
        yield root / f"dev/i2c-{bus}"


def _user() -> str:
    return pwd.getpwuid(os.geteuid()).pw_name


def _group(device: Path) -> str:
    number = device.stat().st_gid
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _member(group: str) -> bool:
    try:
        return grp.getgrnam(group).gr_gid in {*os.getgroups(), os.getegid()}
    except KeyError:
        return True  # no such group here: the device tells who may use it


def _fsync_s(folder: Path) -> float:
    """The slowest of five."""
    slowest = 0.0
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(5):
            file.write(bytes(4096))
            file.flush()
            began = time.monotonic()
            os.fsync(file.fileno())
            slowest = max(slowest, time.monotonic() - began)
    return slowest


def _said(*command: str) -> str:
    """What a program prints; nothing where there is none, or it fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
