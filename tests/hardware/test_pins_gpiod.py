"""The adapter for libgpiod reads and drives the same boards as the other one, in fewer calls."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pytest

from controller.errors import DeviceError
from hardware import pins_gpiod
from hardware.boards.matrix import Matrix, MatrixConfig
from hardware.header import open_header
from hardware.pins_gpiod import GpiodPins
from hardware.simulator.electrical import START, ElectricalBoard
from hardware.simulator.switches import Switches

gpiochip = pytest.importorskip("hardware.simulator.gpiochip", reason="gpiod is not here", exc_type=ImportError)
GpioChip = gpiochip.GpioChip

Plug = Callable[[Any], Any]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Plug:
    """A machine that has this chip, at a number nobody would guess."""

    def plug(chip: Any) -> Any:
        (tmp_path / "gpiochip4").touch()
        monkeypatch.setattr(pins_gpiod, "DEVICES", tmp_path)
        monkeypatch.setitem(sys.modules, "gpiod", chip)
        return chip

    return plug


def matrix_on(plug: Plug, config: MatrixConfig) -> tuple[Matrix, Any, ElectricalBoard]:
    wires = ElectricalBoard(
        config.rows, config.columns, active=config.active, diodes=config.diodes, settle_us=0, occupied=START
    )
    chip = plug(GpioChip(wires))
    matrix = Matrix(config, lambda: open_header("gpiod"), lambda _: None)
    matrix.open()
    return matrix, chip, wires


@pytest.mark.parametrize("active", ["high", "low"])
@pytest.mark.parametrize("diodes", [True, False])
def test_a_matrix_is_read_through_it(plug: Plug, active: str, diodes: bool) -> None:
    matrix, _, wires = matrix_on(plug, MatrixConfig(active="high" if active == "high" else "low", diodes=diodes))
    assert matrix.scan() == START
    if diodes:
        wires.lift(chess.E2)
        wires.place(chess.E4)
        assert matrix.scan() == START ^ chess.BB_E2 ^ chess.BB_E4
    assert wires.shorts == 0


def test_a_scan_takes_three_calls_a_row(plug: Plug) -> None:
    """One to drive it, one to read all its columns, one to let it rest."""
    matrix, chip, _ = matrix_on(plug, MatrixConfig())
    matrix.scan()
    before = chip.calls
    matrix.scan()
    assert chip.calls - before == 3 * 8


def test_closing_the_board_lets_its_pins_go_and_leaves_the_clock_its_own(plug: Plug) -> None:
    matrix, chip, _ = matrix_on(plug, MatrixConfig())
    matrix.scan()
    assert len(chip.held) == 16
    assert set(chip.held.values()) == {"jadoube"}
    chip.held[26] = "jadoube"
    matrix.close()
    assert chip.held == {26: "jadoube"}
    matrix.open()
    assert matrix.scan() == START


def test_pins_may_be_set_up_one_after_the_other(plug: Plug) -> None:
    switches = Switches()
    plug(GpioChip(switches))
    pins = GpiodPins()
    pins.setup_input(5, "up")
    assert pins.input(5) is True
    pins.setup_input(6, "down")
    assert pins.inputs((6, 5)) == 0b10
    switches.turn(5, False)
    assert pins.input(5) is False


def test_a_pin_that_another_holds_is_named(plug: Plug) -> None:
    chip = plug(GpioChip(Switches()))
    chip.held[4] = "spi0 CS0"
    with pytest.raises(DeviceError, match=r"pin 4 .*busy") as caught:
        GpiodPins().setup_output(4, True)
    assert "gpioinfo" in caught.value.next_step


def test_a_chip_that_is_not_the_header_is_passed_over(plug: Plug) -> None:
    plug(GpioChip(Switches(), label="brcmvirt-gpio"))
    with pytest.raises(DeviceError, match="label"):
        GpiodPins()


def test_this_machine_has_no_header_or_says_why_not() -> None:
    """The real gpiod, here: it works on a Pi, and elsewhere names the group."""
    try:
        GpiodPins()
    except DeviceError as error:
        assert "gpio" in error.next_step


def test_without_the_module_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    with pytest.raises(DeviceError) as caught:
        GpiodPins()
    assert "make gpio" in caught.value.next_step
