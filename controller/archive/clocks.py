"""The clocks of the boards' computers against ours: each tells its time of day every minute, by MQTT.

How that is compared is :mod:`controller.outlets.mqtt.times`'; where two differ, who is right is not known here. Months
and dates in the archive are the boards', so a wrong one puts games where nobody looks for them.
"""

import logging
import time

from controller.archive.heard import OTHERWAYS
from controller.errors import DeviceError
from controller.outlets.mqtt.times import APART_MS, Known, TimeOfDay
from controller.wire import heard_as

log = logging.getLogger(__name__)

SILENT_MS = 300_000  #: who has said nothing for so long is not compared any more


class Clocks:
    """What was heard of each, by venue and board."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Known] = {}
        self._told: set[tuple[str, str]] = set()

    def hear(self, key: str, payload: bytes) -> None:
        """A message of the routing key ``….time``; logs a clock that differs, once, and when it does so no more."""
        said, levels = heard_as(payload, TimeOfDay), key.translate(OTHERWAYS).split("/")
        if said is None or len(levels) != 6:
            return
        place = levels[2], f"{levels[3]}/{levels[4]}"
        self._known.setdefault(place, Known()).heard.append((said.at, time.monotonic_ns() // 1_000_000))
        ahead_s = self.ahead().get(place, 0.0)
        if abs(ahead_s) * 1000 <= APART_MS:
            if place in self._told:
                self._told.discard(place)
                log.info("%s %s: the time of day there is ours again", *place)
        elif place not in self._told:
            self._told.add(place)
            log.warning("%s", differs(*place, ahead_s))

    def ahead(self) -> dict[tuple[str, str], float]:
        """By so many seconds each is ahead of us, as far as that is known."""
        now = time.monotonic_ns() // 1_000_000
        wall_ms = time.time_ns() // 1_000_000 - now
        self._known = {place: known for place, known in self._known.items() if now - known.heard[-1][1] < SILENT_MS}
        ahead = {place: known.ahead_ms(wall_ms) for place, known in self._known.items()}
        return {place: ms / 1000 for place, ms in ahead.items() if ms is not None}


def differs(venue: str, board: str, ahead_s: float) -> DeviceError:
    """What to say of a clock."""
    return DeviceError(
        f"the times of day here and at {venue} {board} are {abs(ahead_s):.1f} s apart",
        "one of the two computers does not get the network's time (NTP); which of them cannot be known from here",
        "look at both: timedatectl; dates and months of games in the archive are the board's",
    )
