"""The adapter for the header of a Pi speaks ``RPi.GPIO`` as its manual says, and says what is missing elsewhere."""

import sys
from types import ModuleType
from typing import Any

import pytest

from controller.errors import DeviceError
from hardware.pins import RpiPins


class Header(ModuleType):
    """The few names of ``RPi.GPIO`` that are used, noting each call."""

    BCM, IN, OUT, PUD_OFF, PUD_DOWN, PUD_UP = "BCM", "IN", "OUT", "PUD_OFF", "PUD_DOWN", "PUD_UP"

    def __init__(self) -> None:
        super().__init__("GPIO")
        self.calls: list[tuple[Any, ...]] = []
        self.high: set[int] = set()
        self.wrong: Exception | None = None  #: what opening the chip or a pin meets

    def setwarnings(self, on: bool) -> None:
        self.calls.append(("setwarnings", on))

    def setmode(self, mode: str) -> None:
        self._try()
        self.calls.append(("setmode", mode))

    def setup(self, pin: int, way: str, **how: object) -> None:
        self._try()
        self.calls.append(("setup", pin, way, how))

    def output(self, pin: int, level: bool) -> None:
        self.calls.append(("output", pin, level))

    def input(self, pin: int) -> int:
        return int(pin in self.high)

    def cleanup(self, channels: list[int]) -> None:
        self.calls.append(("cleanup", channels))

    def _try(self) -> None:
        if self.wrong:
            raise self.wrong


@pytest.fixture
def header(monkeypatch: pytest.MonkeyPatch) -> Header:
    gpio, package = Header(), ModuleType("RPi")
    package.GPIO = gpio  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", gpio)
    return gpio


def test_pins_are_numbered_as_the_chip_does(header: Header) -> None:
    RpiPins()
    assert ("setmode", "BCM") in header.calls


@pytest.mark.parametrize(("pull", "name"), [("up", "PUD_UP"), ("down", "PUD_DOWN"), ("off", "PUD_OFF")])
def test_an_input_is_pulled_as_asked(header: Header, pull: Any, name: str) -> None:
    RpiPins().setup_input(18, pull)
    assert header.calls[-1] == ("setup", 18, "IN", {"pull_up_down": name})


def test_an_output_has_its_level_from_the_first_moment(header: Header) -> None:
    pins = RpiPins()
    pins.setup_output(4, True)
    pins.output(4, False)
    assert header.calls[-2:] == [("setup", 4, "OUT", {"initial": True}), ("output", 4, False)]


def test_many_inputs_make_a_mask_in_the_order_asked(header: Header) -> None:
    header.high = {23, 25}
    pins = RpiPins()
    assert pins.inputs((25, 24, 23)) == 0b101
    assert (pins.input(25), pins.input(24)) == (True, False)


def test_cleanup_lets_go_of_its_own_and_leaves_the_clock_those_it_has(header: Header) -> None:
    board, clock = RpiPins(), RpiPins()
    board.setup_output(4, True)
    board.setup_input(18, "down")
    clock.setup_input(26, "up")
    board.cleanup()
    assert header.calls[-1] == ("cleanup", [4, 18])
    board.cleanup()
    clock.cleanup()
    assert header.calls[-2:] == [("cleanup", [4, 18]), ("cleanup", [26])]


def test_without_the_module_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)  # an import of it raises ImportError
    with pytest.raises(DeviceError) as caught:
        RpiPins()
    assert "make gpio" in caught.value.next_step


def test_off_a_pi_the_error_names_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    class Package(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise RuntimeError("This module can only be run on a Raspberry Pi!")

    monkeypatch.setitem(sys.modules, "RPi", Package("RPi"))
    with pytest.raises(DeviceError, match="only be run on a Raspberry Pi") as caught:
        RpiPins()
    assert "gpio" in caught.value.next_step


def test_a_chip_that_cannot_be_opened_is_a_device_error(header: Header) -> None:
    header.wrong = Exception("can not open gpiochip")  # lgpio.error is an Exception and nothing nearer
    with pytest.raises(DeviceError, match="can not open gpiochip"):
        RpiPins()


def test_a_pin_that_another_holds_is_named(header: Header) -> None:
    pins = RpiPins()
    header.wrong = Exception("GPIO busy")
    with pytest.raises(DeviceError, match=r"pin 18 .*GPIO busy") as caught:
        pins.setup_input(18, "down")
    assert "gpioinfo" in caught.value.next_step
