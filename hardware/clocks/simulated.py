"""The simulated clock: the lever's driver as it is, above a switch made of numbers."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from controller.contract import Side
from hardware.boards.readings import Emit
from hardware.clocks.displays import Display
from hardware.clocks.gpio import LeverConfig, PinClock
from hardware.clocks.lights import Lights
from hardware.simulator.leds import Leds
from hardware.simulator.switches import Switches


class SimulatedLeverConfig(LeverConfig, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="simulated"):
    """A lever whose switch is simulated, and so are its lights."""

    bounce_ms: Annotated[float, Meta(ge=0)] = 1.0  #: how long the contact may chatter
    seed: int = 0

    def open(self, emit: Emit) -> "SimulatedLever":
        return SimulatedLever(self, emit)

    def open_shows(self, emit: Callable[[str], Emit]) -> dict[str, Lights | Display]:
        shows = super().open_shows(emit)
        if self.lights is not None:
            shows["lights"] = Lights(self.lights, Leds, emit("lights"))
        return shows


class SimulatedLever(PinClock):
    """The driver of a simulated lever; :meth:`press` is what hands do to it."""

    def __init__(self, config: SimulatedLeverConfig, emit: Emit) -> None:
        self._pin, self._high = config.pin, config.high
        self.switches = Switches(bounce_ms=config.bounce_ms, seed=config.seed)
        self.switches.turn(config.pin, config.high == "white")  # as before a game: Black's press is the first
        super().__init__(lambda: self.switches, config.meaning, config.pull, config.debounce_ms, emit)

    def press(self, side: Side) -> None:
        """``side`` pushes its end of the lever down."""
        self.switches.turn(self._pin, side == self._high)
