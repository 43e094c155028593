"""The pins protocol: all that a matrix, a lever or a lamp may ask of general purpose pins.

Pins are numbered as the Broadcom chip does (BCM), not as they stand on the header. The adapter below speaks the
``RPi.GPIO`` module, which ``rpi-lgpio`` provides on every Raspberry Pi including the 5 (the package ``RPi.GPIO``
does not run there); :mod:`hardware.pins_gpiod` does the same through libgpiod, and :mod:`hardware.simulator` has wires
made of numbers behind the same protocol.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Protocol

from msgspec import Meta

from controller.errors import DeviceError
from hardware.wires import HEADER

Pin = Annotated[int, Meta(ge=HEADER[0], le=HEADER[-1], description="a BCM number from 0 to 27, as pinout shows them")]
Pull = Literal["up", "down", "off"]
Library = Literal["RPi.GPIO", "gpiod"]  #: see :func:`hardware.header.open_header`


class Pins(Protocol):
    """Levels are True (high) and False (low)."""

    def setup_output(self, pin: int, level: bool) -> None:
        """Drives ``pin``, from the first moment at ``level``."""

    def setup_input(self, pin: int, pull: Pull) -> None:
        """Lets go of ``pin``; the pull resistor holds it where nothing else does."""

    def output(self, pin: int, level: bool) -> None: ...

    def input(self, pin: int) -> bool: ...

    def inputs(self, pins: Sequence[int]) -> int:
        """Many levels at once, in one call where the chip can: bit i is the level of ``pins[i]``."""

    def cleanup(self) -> None:
        """Lets go of every pin that was set up."""


class RpiPins:
    """The header of a Raspberry Pi, through the ``RPi.GPIO`` module.

    One call a pin. Three calls were reported to take 120 to 250 µs on a Zero 2 W with rpi-lgpio, so the 80 of a full
    matrix scan take 3 to 7 ms there: on the smallest Pi set ``scan_hz`` to 100, or ``library`` to gpiod.

    Raises :exc:`DeviceError` when that module is missing, when this machine has no such header, and for a pin that
    cannot be had.
    """

    def __init__(self) -> None:
        self._gpio = gpio = _rpi_gpio()
        self._pulls = {"up": gpio.PUD_UP, "down": gpio.PUD_DOWN, "off": gpio.PUD_OFF}
        self._mine: set[int] = set()

    def setup_output(self, pin: int, level: bool) -> None:
        self._setup(pin, self._gpio.OUT, initial=level)

    def setup_input(self, pin: int, pull: Pull) -> None:
        self._setup(pin, self._gpio.IN, pull_up_down=self._pulls[pull])

    def output(self, pin: int, level: bool) -> None:
        self._gpio.output(pin, level)

    def input(self, pin: int) -> bool:
        return bool(self._gpio.input(pin))

    def inputs(self, pins: Sequence[int]) -> int:
        read = self._gpio.input
        return sum(1 << i for i, pin in enumerate(pins) if read(pin))

    def cleanup(self) -> None:
        if self._mine:  # and no others: with no pins named, the module would let go of the clock's as well
            self._gpio.cleanup(sorted(self._mine))
            self._mine.clear()

    def _setup(self, pin: int, way: int, **how: object) -> None:
        try:
            self._gpio.setup(pin, way, **how)
        except Exception as error:  # as below: each implementation has errors of its own
            raise unusable([pin], error) from error
        self._mine.add(pin)


def unusable(pins: Iterable[int], error: Exception) -> DeviceError:
    """The error for pins that cannot be had."""
    return DeviceError(
        f"pin {' '.join(map(str, pins))} (BCM) cannot be used: {error}",
        "another program or an overlay such as SPI or I2C holds it, or there is no such pin",
        "gpioinfo shows who holds which; choose other pins, or turn the overlay off in raspi-config",
    )


def _rpi_gpio() -> Any:
    """The module with its chip open. Imported only now: off a Pi its import alone raises."""
    try:
        from RPi import GPIO

        GPIO.setwarnings(False)
        GPIO.setmode(GPIO.BCM)
    except ImportError as error:
        raise DeviceError(
            "the RPi.GPIO module is not installed",
            "the optional packages for the pins were left out",
            'make gpio, or set type = "simulated" on another machine',
        ) from error
    except Exception as error:  # RuntimeError, OSError, lgpio.error: whatever the C part meets
        raise DeviceError(
            f"the pins cannot be opened: {error}",
            "this machine is no Raspberry Pi, or the user may not use /dev/gpiochip*",
            "run on a Pi, and add the user to the group: sudo usermod -aG gpio $USER",
        ) from error
    return GPIO
