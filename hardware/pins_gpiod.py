"""The header of a Raspberry Pi through libgpiod (version 2), the kernel's own interface: many levels in one call.

Inputs share one request, so that a row of a matrix is read by one ioctl instead of eight; each output has a request of
its own. The header is found by the label of its chip, for its number has changed from kernel to kernel. Pins set up
here belong to this object alone: letting go of them leaves those of the clock in peace.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from controller.errors import DeviceError
from hardware.pins import Pull, unusable

HEADERS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")  #: the Pi 5, the Pi 4, and those before
OWNER = "jadoube"  #: what gpioinfo shows beside our pins
DEVICES = Path("/dev")


class GpiodPins:
    """Implements :class:`hardware.pins.Pins`.

    Raises :exc:`DeviceError` when gpiod is missing, when this machine has no such header, and for a pin that cannot be
    had.
    """

    def __init__(self) -> None:
        self._gpiod = gpiod = _gpiod()
        self._path = _header(gpiod)
        line = gpiod.line
        self._active, self._levels = line.Value.ACTIVE, (line.Value.INACTIVE, line.Value.ACTIVE)
        self._pulls = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "off": line.Bias.DISABLED}
        self._outputs: dict[int, Any] = {}  # a request for each pin that was ever an output
        self._inputs: dict[int, Any] = {}  # the settings of the others
        self._reading: Any = None  # the request that they share, once it is needed

    def setup_output(self, pin: int, level: bool) -> None:
        settings = self._gpiod.LineSettings(
            direction=self._gpiod.line.Direction.OUTPUT, output_value=self._levels[level]
        )
        if pin in self._outputs:
            self._outputs[pin].reconfigure_lines({pin: settings})
        else:
            self._drop_input(pin)
            self._outputs[pin] = self._request({pin: settings})

    def setup_input(self, pin: int, pull: Pull) -> None:
        settings = self._gpiod.LineSettings(direction=self._gpiod.line.Direction.INPUT, bias=self._pulls[pull])
        if pin in self._outputs:
            self._outputs[pin].reconfigure_lines({pin: settings})
        else:
            self._drop_input(pin)
            self._inputs[pin] = settings

    def output(self, pin: int, level: bool) -> None:
        self._outputs[pin].set_value(pin, self._levels[level])

    def input(self, pin: int) -> bool:
        return bool(self.inputs((pin,)))

    def inputs(self, pins: Sequence[int]) -> int:
        if self._reading is None:
            self._reading = self._request(self._inputs)
        active = self._active
        return sum(1 << i for i, value in enumerate(self._reading.get_values(pins)) if value is active)

    def cleanup(self) -> None:
        self._release_inputs()
        self._inputs.clear()
        while self._outputs:
            self._outputs.popitem()[1].release()

    def _drop_input(self, pin: int) -> None:
        """The shared request is made anew, with what the pin becomes, at the next reading."""
        self._release_inputs()
        self._inputs.pop(pin, None)

    def _release_inputs(self) -> None:
        if self._reading is not None:
            self._reading.release()
            self._reading = None

    def _request(self, settings: dict[int, Any]) -> Any:
        try:
            return self._gpiod.request_lines(self._path, consumer=OWNER, config=settings)
        except (OSError, ValueError) as error:
            raise unusable(settings, error) from error


def _gpiod() -> Any:
    try:
        import gpiod
    except ImportError as error:
        raise DeviceError(
            "the module gpiod is not installed",
            "the optional packages for the pins were left out",
            'make gpio, or set library = "RPi.GPIO"',
        ) from error
    return gpiod


def _header(gpiod: Any) -> str:
    """The device of the chip that the header's pins belong to."""
    denied: OSError | None = None
    for path in sorted(DEVICES.glob("gpiochip*")):
        try:
            with gpiod.Chip(str(path)) as chip:
                if chip.get_info().label in HEADERS:
                    return str(path)
        except OSError as error:
            denied = error
    raise DeviceError(
        f"the pins cannot be opened{f': {denied.strerror}' if denied else ': no chip has the label of the header'}",
        "this machine is no Raspberry Pi, or the user may not use /dev/gpiochip*",
        "run on a Pi, and add the user to the group: sudo usermod -aG gpio $USER; gpiodetect lists the chips",
    )
