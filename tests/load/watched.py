"""What each part of a hall takes of the machine, and what all else takes: a measurement beside too much else is void."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import psutil

VOID = 0.2  #: of the machine, taken by others


class Watch:
    """Begins now. ``parts``: the processes of each, with all that they start."""

    def __init__(self, parts: Mapping[str, Sequence[int]]) -> None:
        self._parts = {name: [_process(number) for number in numbers] for name, numbers in parts.items()}
        self._began_s = time.monotonic()
        self._used = {name: self._seconds(name) for name in self._parts}
        self._own = _own(psutil.Process())
        self._busy = _busy()

    def look(self) -> dict[str, Any]:
        """Since the beginning: cores taken by each part, by this process and by others, and the memory at present in
        MB, private to each part. ``void`` where others took more than :data:`VOID`.
        """
        lasted_s = time.monotonic() - self._began_s
        cores = {name: (self._seconds(name) - self._used[name]) / lasted_s for name in self._parts}
        measuring = (_own(psutil.Process()) - self._own) / lasted_s
        others = max(0.0, (_busy() - self._busy) / lasted_s - sum(cores.values()) - measuring)
        share = others / (psutil.cpu_count() or 1)
        return {
            "cores": {name: round(value, 2) for name, value in cores.items()} | {"measuring": round(measuring, 2)},
            "cpu_s": {name: round(value * lasted_s, 2) for name, value in cores.items()},
            "mb": {name: round(sum(map(_private_mb, self._all(name)))) for name in self._parts},
            "others_percent": round(100 * share, 1),
            "load": round(psutil.getloadavg()[0], 1),
            "void": share > VOID,
        }

    def _seconds(self, name: str) -> float:
        return sum(map(_own, self._all(name))) + sum(map(_ended, self._all(name)))

    def _all(self, name: str) -> list[psutil.Process]:
        found = [each for each in self._parts[name] if each is not None]
        for each in [*found]:
            with suppress(psutil.NoSuchProcess):
                found += each.children(recursive=True)
        return found


def _process(number: int) -> psutil.Process | None:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(number)
    return None


def _own(process: psutil.Process) -> float:
    with suppress(psutil.NoSuchProcess):
        return sum(process.cpu_times()[:2])
    return 0.0


def _ended(process: psutil.Process) -> float:
    """Of children that it has waited for."""
    with suppress(psutil.NoSuchProcess):
        return sum(process.cpu_times()[2:4])
    return 0.0


def _private_mb(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        return float(process.memory_full_info().uss) / 2**20
    return 0.0


def _busy() -> float:
    """Seconds of all processors since the machine began, taken by anybody; by other machines on the same one too."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - times.iowait - times.guest - times.guest_nice)
