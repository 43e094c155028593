"""A gpiochip made of numbers: the names of the gpiod module that are used, above whatever wires are simulated.

The settings are gpiod's own types, so this needs gpiod. As in the kernel, a line belongs to one request at a time, and
a request knows no other lines than its own.
"""

import errno
from collections.abc import Iterable, Mapping
from types import SimpleNamespace

from gpiod import LineSettings as Settings
from gpiod import line
from gpiod.line import Bias, Direction, Value

from hardware.pins import Pins, Pull

PULLS: dict[Bias, Pull] = {Bias.PULL_UP: "up", Bias.PULL_DOWN: "down", Bias.DISABLED: "off"}


class GpioChip:
    """Stands in for the module ``gpiod`` on a machine with one chip, called ``label``."""

    line = line
    LineSettings = Settings

    def __init__(self, wires: Pins, label: str = "pinctrl-rp1", lines: int = 28) -> None:
        self.wires = wires
        self.held: dict[int, str] = {}  #: lines in use, and by whom
        self.calls = 0  #: into the kernel
        self._label = label
        self._lines = lines

    def Chip(self, path: str) -> "GpioChip":  # noqa: N802 (as gpiod has it)
        if not path:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        return self

    def __enter__(self) -> "GpioChip":
        return self

    def __exit__(self, *_: object) -> None: ...

    def get_info(self) -> SimpleNamespace:
        return SimpleNamespace(label=self._label)

    def request_lines(self, path: str, *, consumer: str, config: Mapping[int, Settings]) -> "HeldLines":
        self.Chip(path)
        for number in config:
            if not 0 <= number < self._lines:
                raise OSError(errno.EINVAL, "Invalid argument")
            if number in self.held:
                raise OSError(errno.EBUSY, "Device or resource busy")
        self.held |= dict.fromkeys(config, consumer)
        return HeldLines(self, config)


class HeldLines:
    """Lines held, as of ``gpiod.LineRequest``."""

    def __init__(self, chip: GpioChip, config: Mapping[int, Settings]) -> None:
        self._chip = chip
        self._settings = dict(config)
        self.reconfigure_lines(config)

    def reconfigure_lines(self, config: Mapping[int, Settings]) -> None:
        wires = self._use(config)
        for number, settings in config.items():
            self._settings[number] = settings
            if settings.direction is Direction.OUTPUT:
                wires.setup_output(number, settings.output_value is Value.ACTIVE)
            else:
                wires.setup_input(number, PULLS[settings.bias])

    def set_value(self, number: int, value: Value) -> None:
        wires = self._use((number,))
        if self._settings[number].direction is not Direction.OUTPUT:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        wires.output(number, value is Value.ACTIVE)

    def get_values(self, numbers: Iterable[int]) -> list[Value]:
        numbers = tuple(numbers)
        levels = self._use(numbers).inputs(numbers)
        return [Value.ACTIVE if levels >> i & 1 else Value.INACTIVE for i in range(len(numbers))]

    def release(self) -> None:
        for number in self._settings:
            del self._chip.held[number]
        self._settings.clear()

    def _use(self, numbers: Iterable[int]) -> Pins:
        if not self._settings.keys() >= set(numbers):
            raise ValueError("these lines are not all of this request")
        self._chip.calls += 1
        return self._chip.wires
