"""What is measured of the machine and of the daemon itself: thin readers, which decide nothing.

Sources: ``/sys/class/thermal`` and ``rpi_volt`` of hwmon (Linux' own documentation), ``get_throttled`` as firmware,
kernel and ``vcgencmd`` of a Raspberry Pi tell it, ``/proc/self/statm``, and the clocks of clock_gettime(2). What a
machine does not tell is None. ``jadoube doctor`` reads the machine with the same.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from controller.journal import Journal

THROTTLED = Path("sys/devices/platform/soc/soc:firmware/get_throttled")
PAGE = os.sysconf("SC_PAGE_SIZE")  #: bytes; four times as many on a Pi 5 as on others


class Machine(Struct, frozen=True, kw_only=True):
    """What may take a moment to read."""

    free_mb: int | None = None  #: where the journal is
    heat_c: float | None = None
    undervoltage: bool | None = None  #: at this moment
    undervoltage_before: bool | None = None  #: at some moment since it was switched on
    slowed: bool | None = None  #: by the firmware at this moment, for heat or voltage


class Vitals(Struct, frozen=True, kw_only=True):
    wall_s: float  #: the time of day, of which the time since 1970 is told, against the monotonic clock
    slept_s: float = 0.0  #: for which the machine was asleep since it was switched on
    waiting_s: float = 0.0  #: for which a record has waited for the disk, at most since the last look
    late_s: float = 0.0  #: by which this look comes later than it should
    behind: dict[str, tuple[int, int]] = {}  #: of each outlet its cursor, and how many records are beyond it
    machine: Machine = Machine()


def look(journal: Journal, outlets: Mapping[str, str], late_s: float, machine: Machine) -> Vitals:
    """Reads the clocks and the cursors; ``outlets``: with the board that each follows."""
    monotonic = time.monotonic()
    return Vitals(
        wall_s=time.time() - monotonic,
        slept_s=time.clock_gettime(time.CLOCK_BOOTTIME) - monotonic,
        waiting_s=journal.take_slowest_ns() / 1e9,
        late_s=late_s,
        behind={name: (journal.cursor(name), journal.waiting_for(name, board)) for name, board in outlets.items()},
        machine=machine,
    )


def look_at_machine(folder: Path, root: Path = Path("/")) -> Machine:
    """Reads the disk of ``folder``, temperature and voltage. ``root``: of the file system, also of another machine."""
    bits = _throttled(root)
    return Machine(
        free_mb=_free_mb(folder),
        heat_c=_heat_c(root),
        undervoltage=_alarm(root) if bits is None else bool(bits & 1),
        undervoltage_before=None if bits is None else bool(bits & 1 << 16),
        slowed=None if bits is None else bool(bits & 0b110),
    )


def memory_mb() -> float:
    """What the daemon holds in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 2**20


def _free_mb(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free // 2**20
    except OSError:
        return None


def _heat_c(root: Path) -> float | None:
    try:
        return int((root / "sys/class/thermal/thermal_zone0/temp").read_text()) / 1000
    except (OSError, ValueError):
        return None


def _alarm(root: Path) -> bool | None:
    try:
        for name in root.glob("sys/class/hwmon/hwmon*/name"):
            if name.read_text().strip() == "rpi_volt":
                return (name.parent / "in0_lcrit_alarm").read_text().strip() == "1"
    except OSError:
        return None
    return None


def _throttled(root: Path) -> int | None:
    """The bits. 0: undervoltage, 1: frequency capped, 2: throttled, each now; 16: undervoltage since it was on."""
    try:
        return int((root / THROTTLED).read_text(), 16)
    except (OSError, ValueError):
        if shutil.which("vcgencmd") is None:
            return None
    try:
        said = subprocess.run(("vcgencmd", "get_throttled"), capture_output=True, text=True, timeout=5, check=True)
        return int(said.stdout.partition("=")[2], 16)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
