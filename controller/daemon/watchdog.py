"""What systemd is told: that we are ready, how we are, and, as long as all is alive, that it need not restart us.

The protocol is sd_notify(3): lines in a datagram to the socket that ``NOTIFY_SOCKET`` names. The watchdog is fed by a
task of the event loop, so the loop is alive, and only once every driver has completed a scan since the last time. A
driver that has said itself what is wrong with its device is excused: no restart plugs a board in again. One that hangs
without a word is not.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Mapping

from controller.outlets.notices import Notices
from hardware.boards import Driver, Fault, FromDevice, Recovered

log = logging.getLogger(__name__)

SHARE = 4  #: of the time within which systemd wants a word: how often we look
STATUS_S = 2.0  #: where no watchdog is set, how often the status is brought up to date

Tell = Callable[[str], None]


def notify(state: str) -> None:
    """Sends ``state``, such as ``READY=1``, to systemd; to nobody where we were not started by it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to_systemd:
        try:
            to_systemd.sendto(state.encode(), "\0" + address[1:] if address[0] == "@" else address)
        except OSError as error:
            log.warning("systemd does not hear us at %s: %s", address, error.strerror)


def patience_s() -> float | None:
    """Within which time systemd wants to hear that we live; None where it does not watch."""
    usec, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    return int(usec) / 1e6 if usec and pid in ("", str(os.getpid())) else None


class Watchdog:
    """Belongs to the thread of the event loop."""

    def __init__(self, tell: Tell = notify) -> None:
        self._tell = tell
        self._excused: set[str] = set()  # the devices that are known to be away
        self._fed: dict[str, int] = {}  # when each device had answered last, the last time

    def hear(self, source: str, item: FromDevice) -> None:
        """Something from the device that is called ``source``."""
        if isinstance(item, Fault):
            self._excused.add(source)
        elif isinstance(item, Recovered):
            self._excused.discard(source)

    def feed(self, drivers: Mapping[str, Driver]) -> bool:
        """Tells systemd that all is alive, if it is; whether it was."""
        now = {source: driver.alive_ns for source, driver in drivers.items()}
        if any(self._fed.get(source, 0) == ns for source, ns in now.items() if source not in self._excused):
            return False
        self._fed = now
        self._tell("WATCHDOG=1")
        return True

    async def run(self, drivers: Callable[[], Mapping[str, Driver]], notices: Notices) -> None:
        """Says that we are ready, then how we are, until cancelled; and then that we stop. ``drivers``: those that
        there are at that moment."""
        watched = patience_s()
        self._tell("READY=1")
        try:
            while True:
                said = "; ".join(notice.what for notice in notices.current) or "all is well"
                self._tell(f"STATUS={said.splitlines()[0]}")
                if watched is not None:
                    self.feed(drivers())
                await asyncio.sleep(STATUS_S if watched is None else watched / SHARE)
        finally:
            self._tell("STOPPING=1")
