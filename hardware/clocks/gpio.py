"""The lever of a chess clock, or two buttons, on pins: polled, debounced, told as presses. Or none of these.

Polling because edges are what the libraries for the pins disagree on, and 2 ms are less than a hand can tell. A press
bears the time at which its contact came to rest; it is told once that has lasted for ``debounce_ms``. To believe the
first edge would be quicker, but a spark on the wire would then complete a move that nobody has made.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.contract import Side, other
from hardware.boards.readings import Driver, Emit, LeverPress
from hardware.boards.worker import Worker
from hardware.clocks.displays import Display, DisplayConfig
from hardware.clocks.lights import Lights, LightsConfig
from hardware.header import open_header
from hardware.pins import Library, Pin, Pins, Pull
from hardware.wires import Wire

POLL_S = 0.002
MS_NS, SECOND_NS = 1_000_000, 1_000_000_000

DebounceMs = Annotated[float, Meta(ge=0, le=100)]
PressedBy = Mapping[tuple[int, bool], Side]
"""Who has pressed when this pin comes to this level."""


class LightsAndDisplay(Struct, frozen=True, kw_only=True):
    """What a clock on pins may have to be looked at."""

    lights: LightsConfig | None = None  #: two LEDs, each through a resistor to ground
    display: DisplayConfig | None = None  #: both times in digits

    def open_shows(self, emit: Callable[[str], Emit]) -> "dict[str, Lights | Display]":
        """The drivers of these, not started yet, by the names under which ``emit`` has their faults told."""
        shows: dict[str, Lights | Display] = {}
        if self.lights is not None:
            shows["lights"] = self.lights.open(emit("lights"))
        if self.display is not None:
            shows["display"] = self.display.open(emit("display"))
        return shows


class NoContactsConfig(LightsAndDisplay, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="none"):
    """Lights and displays alone: the presses come from the board, as those of a DGT clock do, or by command."""

    def open(self, _: Emit) -> None:
        """Nothing is asked of such a clock."""


class LeverConfig(LightsAndDisplay, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="lever"):
    """One switch under the lever. Pins are BCM numbers."""

    pin: Pin = 26  #: by BCM number; the switch closes to ground
    high: Side = "white"  #: whose press leaves the pin high: turn it round if the sides are the wrong way
    pull: Pull = "up"
    debounce_ms: DebounceMs = 5.0  #: the contact must hold so long
    library: Library = "RPi.GPIO"

    @property
    def wires(self) -> list[Wire]:
        return [Wire(self.pin, "pin")]

    @property
    def meaning(self) -> PressedBy:
        return {(self.pin, True): self.high, (self.pin, False): other(self.high)}

    def open(self, emit: Emit) -> Driver:
        return PinClock(partial(open_header, self.library), self.meaning, self.pull, self.debounce_ms, emit)


class ButtonsConfig(LightsAndDisplay, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="buttons"):
    """A button for each player. Pins are BCM numbers."""

    white: Pin = 26  #: by BCM number
    black: Pin = 7
    active: Literal["high", "low"] = "low"  #: the level of a button held down; pulled to the other
    debounce_ms: DebounceMs = 5.0
    library: Library = "RPi.GPIO"

    @property
    def wires(self) -> list[Wire]:
        return [Wire(self.white, "white"), Wire(self.black, "black")]

    @property
    def meaning(self) -> PressedBy:
        down = self.active == "high"
        return {(self.white, down): "white", (self.black, down): "black"}

    def open(self, emit: Emit) -> Driver:
        return PinClock(
            partial(open_header, self.library),
            self.meaning,
            "up" if self.active == "low" else "down",
            self.debounce_ms,
            emit,
        )


class DebouncedLevel:
    """One level, debounced. Times in ns."""

    def __init__(self, hold_ns: int, level: bool) -> None:
        self.level = level  #: as it has settled
        self._hold_ns = hold_ns
        self._since: int | None = None

    @property
    def due(self) -> int | None:
        """When a level that has changed will have held long enough; None where none has."""
        return None if self._since is None else self._since + self._hold_ns

    def feed(self, ns: int, level: bool) -> int | None:
        """Takes a sample; where the level has changed for good, when that began."""
        if level == self.level:
            self._since = None
            return None
        since = self._since = ns if self._since is None else self._since
        if ns - since < self._hold_ns:
            return None
        self.level, self._since = level, None
        return since


class PinClock(Worker):
    """The driver. How the contacts rest when it opens them is nobody's press."""

    silence_s = 0.25

    def __init__(
        self, open_pins: Callable[[], Pins], meaning: PressedBy, pull: Pull, debounce_ms: float, emit: Emit
    ) -> None:
        super().__init__("clock", emit)
        self._open_pins = open_pins
        self._meaning = meaning
        self._pull = pull
        self._hold_ns = round(debounce_ms * MS_NS)

    def work(self) -> None:
        pins, numbers = self._open_pins(), sorted({pin for pin, _ in self._meaning})
        try:
            for pin in numbers:
                pins.setup_input(pin, self._pull)
            contacts = {pin: DebouncedLevel(self._hold_ns, pins.input(pin)) for pin in numbers}
            self.ready()
            while not self.stopping:
                for pin, contact in contacts.items():
                    level, ns = pins.input(pin), time.monotonic_ns()
                    self.alive_ns = ns
                    pressed_ns = contact.feed(ns, level)
                    if pressed_ns is not None and (side := self._meaning.get((pin, level))) is not None:
                        self.emit(LeverPress(pressed_ns, side))
                due = min((contact.due for contact in contacts.values() if contact.due is not None), default=None)
                time.sleep(POLL_S if due is None else min(POLL_S, max(0, due - time.monotonic_ns()) / SECOND_NS))
        finally:
            pins.cleanup()
