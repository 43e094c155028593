"""What stands beside a board in its configuration: contacts, lights and displays of the clock, lamps on the squares.

Each is really opened, and what can be lit is lit, for a person who looks: a chain of lamps and some displays take what
they are told without an answer.
"""

import time
from collections.abc import Iterator

from controller.cli.hardware.health import CheckResult, failed, fault, ok
from controller.config import BoardPlace
from hardware.boards import Driver, Fault, FromDevice, Recovered
from hardware.boards.readings import Emit
from hardware.clocks.displays import Display
from hardware.clocks.face import Face
from hardware.clocks.lights import Lights
from hardware.lamps import Lamps
from hardware.order import ALL

ANSWER_S = 3.0
SHOWN = Face(white_ms=754_000, black_ms=2_601_000, called=True)  #: 12:34 and 43:21; the lights blink by turns
TOLD = {
    "clock": "its contacts can be read; jadoube board tells of each press",
    "lights": "both lights blinked by turns for {seconds} s; one that stayed dark is off or the wrong way round",
    "display": "it showed 12:34 for White and 43:21 for Black for {seconds} s, if it has power",
    "lamps": "all 64 lamps were lit for {seconds} s; dark ones come after a broken one",
}


def beside(place: BoardPlace, look_s: float) -> Iterator[CheckResult]:
    """Everything that is wired beside the board, tried for ``look_s``; nothing where there is nothing."""
    faults: dict[str, Fault] = {}
    drivers = _drivers(place, faults)
    for driver in drivers.values():
        driver.start()
        if isinstance(driver, Lights | Display):
            driver.show(SHOWN)
        if isinstance(driver, Lamps):
            driver.light(ALL)
    end = time.monotonic() + ANSWER_S
    while time.monotonic() < end and any(
        not driver.alive_ns and name not in faults for name, driver in drivers.items()
    ):
        time.sleep(0.01)
    if drivers:
        time.sleep(look_s)
    for driver in drivers.values():
        driver.stop()
    for name, driver in drivers.items():
        area = "lamps" if name == "lamps" else "clock"
        if name in faults:
            yield failed(area, faults[name])
        elif not driver.alive_ns:
            yield fault(area, f"the {name} does not answer", "a bus that hangs", "check its wires; dmesg | tail")
        else:
            yield ok(area, TOLD[name].format(seconds=look_s))


def _drivers(place: BoardPlace, faults: dict[str, Fault]) -> dict[str, Driver]:
    """By their names; what they say is wrong comes into ``faults`` as long as it is."""

    def emit_from(name: str) -> Emit:
        def take(item: FromDevice) -> None:
            if isinstance(item, Fault):
                faults[name] = item
            elif isinstance(item, Recovered):
                faults.pop(name, None)

        return take

    drivers: dict[str, Driver] = {}
    if place.clock is not None:
        if (contacts := place.clock.open(emit_from("clock"))) is not None:
            drivers["clock"] = contacts
        drivers |= place.clock.open_shows(emit_from)
    if place.lamps.strip is not None:
        drivers["lamps"] = place.lamps.strip.open(emit_from("lamps"))
    return drivers
