"""Two LEDs beside the clock, one for each player: whose clock runs, whose time is short, whose flag is down.

What they do in which state is the configuration's (``[clock.lights]``); :func:`brightness` says what that is at a given
moment. A brightness between dark and bright is made by turning the pin on and off a hundred times a second, which all
libraries for the pins can.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.contract import WHITE, Side
from hardware.boards.readings import Emit
from hardware.boards.worker import Shower
from hardware.clocks.face import MS_NS, SIDES, Face
from hardware.header import open_header
from hardware.pins import Library, Pin, Pins
from hardware.wires import Wire

CYCLE_S = 0.01  #: of a dimmed light: not seen to flicker
LOOK_S = 0.05  #: how often a pattern is looked up; a new face is shown at once

Pattern = Literal["off", "steady", "dim", "slow", "fast", "alternate"]
PeriodMs = Annotated[int, Meta(ge=100, le=10_000)]


class LightsConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the LEDs are, by BCM number, each through a resistor, and their patterns."""

    white: Pin = 14  #: pins by BCM number
    black: Pin = 15
    active: Literal["high", "low"] = "high"  #: the level that lights them
    running: Pattern = "steady"  #: the player whose clock runs; or "off", "dim", "slow", "fast", "alternate"
    low: Pattern = "slow"  #: the same, once he has less than low_s
    flag: Pattern = "fast"  #: whose time has run out
    paused: Pattern = "dim"  #: both, while the clocks stand still
    called: Pattern = "alternate"  #: both, after a player has stopped the clocks to call the arbiter
    low_s: Annotated[float, Meta(ge=0)] = 60.0
    slow_ms: PeriodMs = 1000  #: once on and off
    fast_ms: PeriodMs = 250
    dim: Annotated[float, Meta(gt=0, lt=1)] = 0.1  #: share of full brightness
    library: Library = "RPi.GPIO"

    @property
    def wires(self) -> list[Wire]:
        return [Wire(self.white, "white"), Wire(self.black, "black")]

    def open(self, emit: Emit) -> "Lights":
        return Lights(self, partial(open_header, self.library), emit)


def brightness(config: LightsConfig, face: Face, now_ns: int) -> tuple[float, float]:
    """How bright White's light and Black's are at ``now_ns``: 0 dark, 1 bright."""
    white, black = (_light(config, face, side, now_ns) for side in SIDES)
    return white, black


def _light(config: LightsConfig, face: Face, side: Side, now_ns: int) -> float:
    left = face.left_ms(side, now_ns)
    if left is None:
        return 0.0
    if side in face.flagged:
        pattern = config.flag
    elif face.called:
        pattern = config.called
    elif face.running is None:
        pattern = config.paused
    elif face.running != side:
        return 0.0
    else:
        pattern = config.low if left < config.low_s * 1000 else config.running
    return _level(config, pattern, side, (now_ns - face.ns) // MS_NS)


def _level(config: LightsConfig, pattern: Pattern, side: Side, ms: int) -> float:
    """What ``pattern`` is ``ms`` after the face was set: each begins with the light on."""
    if pattern in ("off", "steady"):
        return float(pattern == "steady")
    if pattern == "dim":
        return config.dim
    period = config.fast_ms if pattern == "fast" else config.slow_ms
    first_half = ms % period < period / 2
    return float(first_half == (side == WHITE) if pattern == "alternate" else first_half)


class Lights(Shower[Face]):
    """The driver; dark before the first face, and after the stop."""

    def __init__(self, config: LightsConfig, open_pins: Callable[[], Pins], emit: Emit) -> None:
        super().__init__("clock lights", emit, Face())
        self._config = config
        self._open_pins = open_pins
        self.pins: Pins | None = None  #: once they are opened

    def work(self) -> None:
        config = self._config
        self.pins = pins = self._open_pins()
        leds, lit = (config.white, config.black), config.active == "high"
        try:
            for pin in leds:
                pins.setup_output(pin, not lit)
            shown = [False, False]
            self.ready()
            while not self.stopping:
                levels = brightness(config, self.wanted(), time.monotonic_ns())
                for i, pin in enumerate(leds):
                    if (levels[i] > 0) != shown[i]:
                        shown[i] = levels[i] > 0
                        pins.output(pin, lit == shown[i])
                self.alive_ns = time.monotonic_ns()
                dimmed = [i for i in (0, 1) if 0 < levels[i] < 1]
                if not dimmed:
                    self.rest(LOOK_S)
                    continue
                time.sleep(CYCLE_S * levels[dimmed[0]])
                for i in dimmed:
                    pins.output(leds[i], not lit)
                    shown[i] = False
                self.rest(CYCLE_S * (1 - levels[dimmed[0]]))
        finally:
            try:
                for pin in leds:
                    pins.output(pin, not lit)
            finally:
                pins.cleanup()
