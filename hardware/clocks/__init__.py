"""Clocks that press pins: ``driver = config.open(emit); driver.start(); ...; driver.stop()``. Theirs is to say who
pressed and when; the time itself is kept by the game. One without contacts opens to None, and only shows. A new one is
a Struct with a `type` and a place in the union.

presses         ``gpio``: a lever or buttons on pins; ``simulated``: one made of numbers
what is shown   ``face``: all of it; ``digits``, ``displays``: on seven segments; ``lights``: by two LEDs
"""

from hardware.clocks.gpio import ButtonsConfig, LeverConfig, NoContactsConfig
from hardware.clocks.simulated import SimulatedLeverConfig

ClockConfig = LeverConfig | ButtonsConfig | NoContactsConfig | SimulatedLeverConfig

__all__ = ["ButtonsConfig", "ClockConfig", "LeverConfig", "NoContactsConfig", "SimulatedLeverConfig"]
