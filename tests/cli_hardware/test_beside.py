"""What is wired beside the board is tried by `jadoube doctor`, and a lever is seen by `jadoube board`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pytest

from controller.cli.hardware import doctor
from controller.cli.hardware.beside import beside
from controller.cli.hardware.look import ReportedBoard, looking
from controller.config import BoardPlace, LampsConfig, load
from hardware.boards import FromDevice
from hardware.boards.certabo import SentioConfig
from hardware.boards.simulated import SimulatedConfig
from hardware.clocks import displays, gpio, lights
from hardware.clocks.simulated import SimulatedLeverConfig
from hardware.lamps import ws2812
from hardware.order import ALL
from hardware.simulator.certabo import SentioEmulator
from hardware.simulator.i2c import SimulatedI2c
from hardware.simulator.leds import Leds
from hardware.simulator.segments import Ht16k33Module
from hardware.simulator.spi import SimulatedSpi, SimulatedSpiDevice
from hardware.simulator.strip import LampStrip
from hardware.simulator.switches import Switches

BESIDE = """
[board]
type = "simulated"
[clock]
type = "lever"
[clock.lights]
[clock.display]
type = "ht16k33"
[lamps.strip]
type = "ws2812"
"""


class Strip(LampStrip):
    """A strip that remembers which squares it has lit."""

    def __init__(self) -> None:
        super().__init__(ws2812.StripConfig().squares())
        self.was_lit: set[int] = set()

    def exchange(self, line: SimulatedSpiDevice, sent: bytes) -> bytes:
        answer = super().exchange(line, sent)
        self.was_lit.add(self.lit)
        return answer


class Module(Ht16k33Module):
    """A module that remembers what could be read on it."""

    def __init__(self) -> None:
        super().__init__()
        self.was_shown: set[str] = set()

    def write(self, sent: bytes) -> None:
        super().write(sent)
        self.was_shown.add(self.text)


class Bench:
    """All that can stand beside a board, made of numbers."""

    def __init__(self) -> None:
        self.switches, self.leds, self.strip = Switches(), Leds(), Strip()
        self.white, self.black = Module(), Module()
        self.i2c = SimulatedI2c({0x70: self.white, 0x71: self.black})


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench()
    monkeypatch.setattr(gpio, "open_header", lambda _: bench.switches)
    monkeypatch.setattr(lights, "open_header", lambda _: bench.leds)
    monkeypatch.setattr(displays, "open_i2c", bench.i2c.open)
    monkeypatch.setattr(ws2812, "open_spi", SimulatedSpi({0: bench.strip}).open)
    return bench


@pytest.fixture
def place(tmp_path: Path) -> BoardPlace:
    config = tmp_path / "board.toml"
    config.write_text(BESIDE)
    return load(config).places[None]


def test_all_of_it_is_lit_for_a_person_who_looks_and_dark_again(bench: Bench, place: BoardPlace) -> None:
    found = list(beside(place, 0.2))
    assert [(one.area, one.status) for one in found] == [("clock", "ok")] * 3 + [("lamps", "ok")], found
    assert ALL in bench.strip.was_lit
    assert "12:34" in bench.white.was_shown
    assert "43:21" in bench.black.was_shown
    white, black = (bench.leds.changes[pin] for pin in (14, 15))
    assert any(level for _, level in [*white, *black])
    assert bench.strip.lit == 0
    assert not white[-1][1]
    assert not black[-1][1]
    assert "12:34" not in bench.white.text


def test_what_does_not_answer_is_a_fault_with_the_next_step(bench: Bench, place: BoardPlace) -> None:
    bench.i2c.unplug(0x71)
    bench.switches.unplug()
    contacts, shining, display, lamps = beside(place, 0.0)
    assert [one.status for one in (contacts, shining, display, lamps)] == ["fault", "ok", "fault", "ok"]
    assert "0x71 does not answer" in display.what
    assert display.next_step.startswith("i2cdetect -y 1")
    assert "is its cable plugged in" in contacts.what


@pytest.mark.skipif(Path("/dev/spidev0.0").exists(), reason="SPI is turned on here")
def test_a_bus_that_is_off_names_the_command_that_turns_it_on() -> None:
    lamps = LampsConfig(strip=ws2812.StripConfig())
    (found,) = beside(BoardPlace(number="1", board=SimulatedConfig(), lamps=lamps), 0.0)
    assert (found.area, found.status) == ("lamps", "fault")
    assert found.next_step.startswith(("sudo raspi-config nonint do_spi 0", "make gpio"))


def test_where_nothing_stands_beside_the_board_nothing_is_said() -> None:
    assert not list(beside(BoardPlace(number="1", board=SimulatedConfig()), 60.0))


def test_the_boards_own_lamps_are_lit_while_its_sensors_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "LOOK_S", 0.2)
    with SentioEmulator(tmp_path / "port") as board:
        found = list(doctor.sensors(SentioConfig(port=str(tmp_path / "port"))))
        assert ("lamps", "ok") in [(one.area, one.status) for one in found]
        assert b"\xff" * 8 in bytes(board.received)


def test_a_press_of_the_lever_is_seen_beside_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    levers = []
    really = SimulatedLeverConfig.open

    def opened(config: SimulatedLeverConfig, emit: Callable[[FromDevice], None]) -> Any:
        levers.append(really(config, emit))
        return levers[-1]

    monkeypatch.setattr(SimulatedLeverConfig, "open", opened)
    with looking(SimulatedConfig(), SimulatedLeverConfig()) as (look, _):
        assert look.wait_whole(5)
        wait(look, lambda: bool(levers[0].alive_ns))
        levers[0].press("black")
        wait(look, lambda: look.presses == ["black"])
        levers[0].switches.unplug()
        wait(look, lambda: "clock" in look.remarks)
        assert look.fault is None
        assert look.occupied == chess.Board().occupied
        levers[0].switches.plug()
        wait(look, lambda: not look.remarks)


def wait(look: ReportedBoard, true: Callable[[], bool]) -> None:
    for _ in range(500):
        if true():
            return
        look.wait(0.02)
    raise AssertionError("it never happened")
