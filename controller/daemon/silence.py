"""Watches over the drivers: one that hangs in a call that never returns cannot say so itself.

A driver shows by :attr:`Driver.alive_ns` that it lives. To find that unchanged once proves nothing: the whole machine
may have stood still, and the driver not have had its turn since.
"""

import asyncio

from controller.errors import DeviceError
from controller.outlets.notices import Notices
from hardware.boards import Driver

LOOKS = 2  #: so many in a row have to find nothing new
OPENING_S = 3.0  #: how long a device may take to answer for the first time


async def watch(source: str, driver: Driver, notices: Notices) -> None:
    """Sets the notice ``source`` while ``driver`` hangs and has said nothing of a fault itself; until cancelled."""
    if driver.silence_s is None:
        return
    pause_s = driver.silence_s / LOOKS
    seen, idle, hangs = driver.alive_ns, 0, False
    while True:
        await asyncio.sleep(pause_s)
        idle = idle + 1 if driver.alive_ns == seen else 0
        seen = driver.alive_ns
        limit_s = driver.silence_s if seen else OPENING_S
        if idle == 0 and hangs:
            hangs = False
            notices.clear(source)
        elif idle * pause_s >= limit_s and all(notice.source != source for notice in notices.current):
            hangs = True
            notices.set(source, _hanging(source, limit_s))


def _hanging(source: str, limit_s: float) -> DeviceError:
    return DeviceError(
        f"the {source} has not answered for {limit_s * 1000:.0f} ms",
        "a bus or a pin that hangs: a loose wire, or a device without power",
        "check wires and power; it goes on by itself when the device answers (dmesg | tail says what Linux saw)",
    )
