"""The pins of this machine, through the library that the configuration names."""

from hardware.pins import Library, Pins, RpiPins
from hardware.pins_gpiod import GpiodPins


def open_header(library: Library) -> Pins:
    """The header of this Pi. Raises :exc:`DeviceError` as :class:`.RpiPins` and :class:`.GpiodPins` do."""
    return RpiPins() if library == "RPi.GPIO" else GpiodPins()
