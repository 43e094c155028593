"""What each part of a hall takes of the machine, and what others take: beside too much of that no figure counts."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psutil

VOID = 0.2  #: of the machine, taken by others
LOOK_S = 0.5  #: what a process takes after the last look before its end is counted as others'

Parts = Callable[[], dict[str, list[int]]]
"""The processes of each part at present; all that they start belongs to it."""


class Watch:
    """Begins now, and looks again and again, for processes come and go."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._used: defaultdict[str, dict[psutil.Process, float]] = defaultdict(dict)  # seconds of processor
        self._before = {each: _seconds(each) for some in self._now().values() for each in some}
        self._began_s, self._busy, self._own = time.monotonic(), _busy(), _seconds(psutil.Process())
        self._over = threading.Event()
        self._looking = threading.Thread(target=self._look_for_ever, daemon=True)
        self._looking.start()

    def look(self) -> dict[str, Any]:
        """Ends it. Cores taken by each part, by this process and by others, and the memory at present in MB, private to
        each part. ``void`` where others took more than :data:`VOID`.
        """
        self._over.set()
        self._looking.join()
        lasted_s = time.monotonic() - self._began_s
        now = self._look()
        used = {name: sum(self._used[name].values()) for name in now}
        measuring = _seconds(psutil.Process()) - self._own
        others = max(0.0, _busy() - self._busy - sum(used.values()) - measuring)
        share = others / lasted_s / (psutil.cpu_count() or 1)
        cores = used | {"measuring": measuring, "others": others}
        return {
            "cores": {name: round(seconds / lasted_s, 2) for name, seconds in cores.items()},
            "cpu_s": {name: round(seconds, 2) for name, seconds in used.items()},
            "mb": {name: round(sum(map(_private_mb, some)), 1) for name, some in now.items()},
            "others_percent": round(100 * share, 1),
            "load": round(psutil.getloadavg()[0], 1),
            "void": share > VOID,
        }

    def _look_for_ever(self) -> None:
        while not self._over.wait(LOOK_S):
            self._look()

    def _look(self) -> dict[str, list[psutil.Process]]:
        now = self._now()
        for name, some in now.items():
            for each in some:
                if (seconds := _seconds(each)) > 0:
                    self._used[name][each] = seconds - self._before.get(each, 0.0)
        return now

    def _now(self) -> dict[str, list[psutil.Process]]:
        found: dict[str, list[psutil.Process]] = {}
        for name, numbers in self._parts().items():
            some = found[name] = []
            for number in numbers:
                with suppress(psutil.NoSuchProcess):
                    some += [process := psutil.Process(number), *process.children(recursive=True)]
        return found


def _seconds(process: psutil.Process) -> float:
    with suppress(psutil.NoSuchProcess):
        return float(sum(process.cpu_times()[:2]))
    return 0.0


def _private_mb(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        return float(process.memory_full_info().uss) / 2**20
    return 0.0


def _busy() -> float:
    """Seconds of all processors since the machine began, taken by anybody; by other machines on the same one too."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - times.iowait - times.guest - times.guest_nice)
