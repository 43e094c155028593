"""The watch over machine and daemon: what is amiss is a notice, with cause and remedy, that goes away with its cause.

:class:`Judge` decides, and knows neither clock nor file: what was measured comes in. None of this stops a game. The
sensors have a watch of their own, :mod:`.watch`; a driver that hangs is seen by :mod:`.silence`.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import structs

from controller.daemon.vitals import Machine, Vitals, look, look_at_machine, memory_mb
from controller.errors import DeviceError
from controller.journal import Journal
from controller.outlets.notices import Notices

LOOK_S = 2.0
MACHINE_S = 15.0  #: between two looks at what may take a moment
FEW_MB, ENOUGH_MB = 200, 250  #: of free disk; a game takes less than one
HOT_C, COOL_C = 80.0, 75.0  #: a Pi slows down from 80 °C on
SLOW_S = 1.0  #: for a record to reach the disk
LATE_S = 2.0  #: for the daemon to have its turn
STEP_S = 1.0  #: of the time of day; what is less is no step
STUCK_S = 30.0  #: for an outlet to take no step
LASTS_S = 60.0  #: what was seen for a moment is told for so long

NamedTrouble = tuple[str, DeviceError]


class Judge:
    """What is amiss, from one look to the next. Times are seconds of any clock that never goes back."""

    def __init__(self) -> None:
        self._before: Vitals | None = None
        self._told: dict[str, tuple[float, DeviceError]] = {}  # what was seen for a moment, and until when it is told
        self._moved: dict[str, tuple[int, float]] = {}  # of each outlet that is behind its cursor, and since when
        self._in_force: set[str] = set()

    def look(self, now: float, seen: Vitals) -> dict[str, DeviceError]:
        """What is to be told at this moment, by its source."""
        for source, error in self._momentary(seen):
            self._told[source] = (now + LASTS_S, error)
        self._told = {source: told for source, told in self._told.items() if told[0] > now}
        found = {source: error for source, (_, error) in self._told.items()}
        found |= dict(self._lasting(seen.machine)) | dict(self._stuck(now, seen))
        self._before, self._in_force = seen, set(found)
        return found

    def stuck_s(self, now: float) -> dict[str, float]:
        """For how long each outlet that is behind has taken no step, in seconds."""
        return {outlet: now - at for outlet, (_, at) in self._moved.items()}

    def _momentary(self, seen: Vitals) -> Iterator[NamedTrouble]:
        if seen.waiting_s >= SLOW_S:
            cause = "a slow or worn memory card, or much else that writes; nothing is sent before it is safe"
            what = f"what happens takes {seen.waiting_s:.1f} s and more to reach the disk"
            yield "disk speed", DeviceError(what, cause, "iostat -x 1; a better card, or the journal on a USB disk")
        if seen.late_s >= LATE_S:
            what = f"the daemon was held up for {seen.late_s:.1f} s"
            cause = "other programs keep the processors busy, or memory is short; clocks go by when things were sensed"
            yield "machine", DeviceError(what, cause, "top; free -m")
        if self._before is not None:
            if seen.machine.undervoltage_before and self._before.machine.undervoltage_before is False:
                yield "power", _weak("the supply's voltage was too low for a moment")
            step, slept = seen.wall_s - self._before.wall_s, seen.slept_s - self._before.slept_s
            if slept >= STEP_S:
                cause = "it was suspended; the chess clocks stood still, and no move was seen"
                error = DeviceError(f"the machine was asleep for {slept:.0f} s", cause, "systemctl mask suspend.target")
                yield "sleep", error
            elif abs(step) >= STEP_S:
                what = f"the time of day was set {'forward' if step > 0 else 'back'} by {abs(step):.0f} s"
                cause = "the network's time (NTP) arrived, or somebody set it; the chess clocks run on by another clock"
                yield "time of day", DeviceError(what, cause, "timedatectl; dates of games before that may be wrong")

    def _lasting(self, machine: Machine) -> Iterator[NamedTrouble]:
        room = ENOUGH_MB if "disk space" in self._in_force else FEW_MB
        if machine.free_mb is not None and machine.free_mb < room:
            what = f"{machine.free_mb} MB are free where the journal is"
            cause = "the disk is nearly full; a game goes on in memory when it is"
            yield "disk space", DeviceError(what, cause, "df -h; sudo apt clean; sudo journalctl --vacuum-size=50M")
        limit = COOL_C if "temperature" in self._in_force else HOT_C
        if machine.heat_c is not None and machine.heat_c >= limit:
            cause = "no air, or a case without a fan; it will slow down"
            yield "temperature", DeviceError(f"the machine is {machine.heat_c:.0f} °C warm", cause, "give it air")
        if machine.undervoltage:
            yield "power", _weak("the supply's voltage is too low")

    def _stuck(self, now: float, seen: Vitals) -> Iterator[NamedTrouble]:
        """Outlets that have something to send, and have not got on for long."""
        since = {}
        for outlet, (cursor, behind) in seen.behind.items():
            if behind:
                before, at = self._moved.get(outlet, (-1, now))
                since[outlet] = (cursor, at if before == cursor else now)
        self._moved = since
        for outlet, (_, at) in since.items():
            if now - at >= STUCK_S:
                what = f"{seen.behind[outlet][1]} records wait to be sent by {outlet}, the first for {now - at:.0f} s"
                cause = "whoever receives them is away or slow; all of them are kept"
                yield f"outlet {outlet}", DeviceError(what, cause, "see to the receiver; it goes on by itself")


def _weak(what: str) -> DeviceError:
    cause = "a supply or a cable that is too weak; the machine may stop at any moment"
    return DeviceError(what, cause, "use the supply made for this Pi, with a short cable")


class Health:
    """Looks every :data:`LOOK_S` and keeps the notices. ``outlets``: those that send at once, by their
    cursors, with the board that each follows.
    """

    def __init__(self, journal: Journal, notices: Notices, outlets: Callable[[], Mapping[str, str]]) -> None:
        self._journal = journal
        self._notices = notices
        self._outlets = outlets
        self._judge = Judge()
        self._machine = Machine()
        self._slowest_s = 0.0
        self._began = (time.monotonic_ns(), time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW))

    async def run(self) -> None:
        """Until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._watch_machine(), name="health machine")
            late_s, in_force = 0.0, set[str]()
            while True:
                seen = look(self._journal, self._outlets(), late_s, self._machine)
                self._slowest_s = max(self._slowest_s, seen.waiting_s)
                now = time.monotonic()
                found = self._judge.look(now, seen)
                for source, error in found.items():
                    self._notices.set(source, error)
                for source in in_force - found.keys():
                    self._notices.clear(source)
                in_force = set(found)
                await asyncio.sleep(LOOK_S)
                late_s = time.monotonic() - now - LOOK_S

    def measured(self, board: str) -> dict[str, Any]:
        """The figures, for people and for graphs; of the outlets those that follow ``board``."""
        behind = {name: self._journal.waiting_for(name, on) for name, on in self._outlets().items() if on == board}
        return self.machine | {"behind": behind}

    @property
    def machine(self) -> dict[str, Any]:
        """The figures of the machine and of this process; None where it does not tell."""
        monotonic, raw = time.monotonic_ns(), time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        up_ns, raw_ns = monotonic - self._began[0], raw - self._began[1]
        return structs.asdict(self._machine) | {
            "up_s": up_ns // 1_000_000_000,
            "memory_mb": round(memory_mb(), 1),
            "slowest_commit_ms": round(1000 * self._slowest_s),
            "drift_ppm": round((up_ns - raw_ns) / raw_ns * 1e6, 1) if raw_ns else 0.0,  #: of the clocks, against quartz
        }

    def outboxes(self) -> Iterator[tuple[str, str, int, float]]:
        """Of each outlet the board that it follows, its name, how many records wait for it, and for how many seconds it
        has taken no step."""
        stuck = self._judge.stuck_s(time.monotonic())
        for name, board in self._outlets().items():
            yield board, name, self._journal.waiting_for(name, board), stuck.get(name, 0.0)

    async def _watch_machine(self) -> None:
        folder = Path(self._journal.path).absolute().parent
        while True:
            with contextlib.suppress(OSError):
                self._machine = await asyncio.to_thread(look_at_machine, folder)
            await asyncio.sleep(MACHINE_S)
