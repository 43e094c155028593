"""What is to be seen of a clock: the patterns of its lights, the digits of its displays, on simulated chips."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel import serve

from hardware.boards.readings import Fault, FromDevice, Recovered
from hardware.buses import open_i2c
from hardware.clocks.digits import digits
from hardware.clocks.displays import Display, Ht16k33, Ht16k33Config, Max7219, Max7219Config
from hardware.clocks.face import MS_NS, Face
from hardware.clocks.lights import Lights, LightsConfig, brightness
from hardware.simulator.i2c import SimulatedI2c
from hardware.simulator.leds import Leds
from hardware.simulator.segments import Ht16k33Module, Max7219Module
from hardware.simulator.spi import SimulatedSpi

CONFIG = LightsConfig()
RUNNING = Face(ns=0, white_ms=300_000, black_ms=200_000, running="white")


def seen(face: Face, *ms: int, config: LightsConfig = CONFIG) -> list[tuple[float, float]]:
    return [brightness(config, face, at * MS_NS) for at in ms]


# -- patterns ------------------------------------------------------------------------------------------------------


def test_the_light_of_the_player_whose_clock_runs_is_steady_and_the_other_dark() -> None:
    assert set(seen(RUNNING, 0, 100, 499, 500, 10_000)) == {(1, 0)}
    black = Face(ns=0, white_ms=300_000, black_ms=200_000, running="black")
    assert set(seen(black, 0, 700)) == {(0, 1)}


def test_low_time_blinks_slowly_from_the_moment_it_is_low() -> None:
    face = Face(ns=0, white_ms=60_500, black_ms=200_000, running="white")
    assert seen(face, 0, 400) == [(1, 0)] * 2
    assert seen(face, 600, 1100, 1600) == [(0, 0), (1, 0), (0, 0)]


def test_a_fallen_flag_blinks_fast_whoever_is_to_move() -> None:
    face = Face(ns=0, white_ms=0, black_ms=90_000, running="black", flagged=("white",))
    assert seen(face, 0, 124, 125, 249, 250) == [(1, 1), (1, 1), (0, 1), (0, 1), (1, 1)]


def test_paused_clocks_are_dim_and_the_arbiter_is_called_by_turns() -> None:
    paused = Face(ns=0, white_ms=1, black_ms=2)
    assert set(seen(paused, 0, 600, 1300)) == {(0.1, 0.1)}
    called = Face(ns=0, white_ms=1, black_ms=2, called=True)
    assert seen(called, 0, 499, 500, 999, 1000) == [(1, 0), (1, 0), (0, 1), (0, 1), (1, 0)]


def test_before_a_game_all_is_dark() -> None:
    assert seen(Face(), 0, 1000) == [(0, 0)] * 2


def test_every_pattern_is_the_configurations() -> None:
    other = LightsConfig(running="dim", dim=0.3, low="fast", low_s=400, paused="off")
    assert seen(RUNNING, 0, 130, config=other) == [(1, 0), (0, 0)]
    assert seen(Face(ns=0, white_ms=500_000, black_ms=0, running="white"), 0, config=other) == [(0.3, 0)]
    assert seen(Face(ns=0, white_ms=1, black_ms=2), 0, config=other) == [(0, 0)]


# -- the face ------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.integers(0, 5_000), st.integers(0, 20_000))
def test_a_delay_is_used_before_the_time(left: int, free: int, spent: int) -> None:
    face = Face(ns=0, white_ms=left, black_ms=7, running="white", free_ms=free)
    assert face.left_ms("white", spent * MS_NS) == max(0, min(left, left + free - spent))
    assert face.left_ms("black", spent * MS_NS) == 7


@pytest.mark.parametrize(
    ("left_ms", "shown"),
    [
        (5_400_000, (-1, 1, 3, 0)),
        (36_000_000, (1, 0, 0, 0)),
        (3_599_999, (5, 9, 5, 9)),
        (61_000, (-1, 1, 0, 1)),
        (20_000, (-1, 0, 2, 0)),
        (19_999, (1, 9, 9, -1)),
        (9_450, (-1, 9, 4, -1)),
        (0, (-1, 0, 0, -1)),
        (None, (-1, -1, -1, -1)),
    ],
)
def test_hours_and_minutes_then_minutes_and_seconds_then_tenths(left_ms: int | None, shown: tuple[int, ...]) -> None:
    assert digits(left_ms, False, 0).digits == shown


def test_the_separator_of_the_running_clock_blinks() -> None:
    assert [digits(90_000, True, ms).separator for ms in (0, 499, 500, 999, 1000)] == [True, True, False, False, True]
    assert digits(90_000, False, 700).separator


# -- the drivers ---------------------------------------------------------------------------------------------------


def until(condition: Callable[[], bool], within_s: float = 30.0) -> None:
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, "never happened"
        time.sleep(0.002)


@pytest.mark.parametrize("active", ["high", "low"])
def test_a_new_face_is_lit_at_once_and_the_stop_is_dark(active: str) -> None:
    leds, items = Leds(), list[FromDevice]()
    config = LightsConfig(active="high" if active == "high" else "low")
    lit = active == "high"
    lights = Lights(config, lambda: leds, items.append)
    lights.start()
    until(lambda: lights.alive_ns > 0)
    for side, pin in (("white", config.white), ("black", config.black)):
        before = time.monotonic_ns()
        lights.show(Face(ns=before, white_ms=9e5, black_ms=9e5, running=side))  # type: ignore[arg-type]
        until(lambda pin=pin: leds.level(pin) == lit)
        assert leds.changes[pin][-1][0] - before < 50 * MS_NS
    until(lambda: leds.level(config.white) != lit)
    lights.stop()
    before_cleanup = leds.changes[config.black][-2]
    assert before_cleanup[1] != lit
    assert not items


def test_a_dimmed_light_is_on_for_its_share_of_the_time() -> None:
    leds = Leds()
    lights = Lights(LightsConfig(dim=0.3), lambda: leds, lambda _: None)
    lights.start()
    lights.show(Face(ns=0, white_ms=1, black_ms=1))
    until(lambda: len(leds.changes.get(CONFIG.white, ())) > 4)
    begin = time.monotonic_ns()
    time.sleep(0.3)
    share = leds.share(CONFIG.white, begin, time.monotonic_ns())
    lights.stop()
    assert 0.1 < share < 0.6, "on a machine that is busy with other things"


class Modules:
    """Both kinds of display with what is to be read on them."""

    def __init__(self, kind: str) -> None:
        self.items: list[FromDevice] = []
        self.white, self.black, self.max = Ht16k33Module(), Ht16k33Module(), Max7219Module()
        self.bus = SimulatedI2c({0x70: self.white, 0x71: self.black})
        self.display: Display
        if kind == "ht16k33":
            self.display = Ht16k33(Ht16k33Config(brightness=3), self.bus.open, self.items.append)
        else:
            self.display = Max7219(Max7219Config(), SimulatedSpi({0: self.max}).open, self.items.append)

    def reads(self, kind: str, white: str, black: str) -> None:
        if kind == "ht16k33":
            until(lambda: (self.white.text, self.black.text) == (white, black))
        else:
            until(lambda: self.max.text == (white + black).replace(":", "."))


@pytest.mark.parametrize("kind", ["ht16k33", "max7219"])
def test_both_times_stand_on_the_display(kind: str) -> None:
    modules = Modules(kind)
    modules.display.start()
    modules.display.show(Face(ns=time.monotonic_ns(), white_ms=5_400_000, black_ms=65_000))
    modules.reads(kind, " 1:30", " 1:05")
    modules.display.show(Face(ns=time.monotonic_ns(), white_ms=5_400_000, black_ms=12_345))
    modules.reads(kind, " 1:30", "12:3 ")
    modules.display.stop()
    modules.reads(kind, "     " if kind == "ht16k33" else "    ", "     " if kind == "ht16k33" else "    ")
    assert not modules.items


def test_a_module_that_comes_off_is_told_and_shows_again_when_it_is_back() -> None:
    modules = Modules("ht16k33")
    modules.display.start()
    modules.display.show(Face(ns=0, white_ms=65_000, black_ms=65_000))
    modules.reads("ht16k33", " 1:05", " 1:05")
    assert modules.white.brightness == 3
    modules.bus.unplug(0x71)
    modules.display.show(Face(ns=0, white_ms=70_000, black_ms=70_000))
    until(lambda: bool(modules.items))
    (fault,) = modules.items
    assert isinstance(fault, Fault)
    assert "0x71" in fault.what
    modules.bus.plug(0x71)
    until(lambda: isinstance(modules.items[-1], Recovered))
    modules.reads("ht16k33", " 1:10", " 1:10")
    modules.display.stop()


def test_a_spark_that_turns_a_display_off_lasts_a_second() -> None:
    modules = Modules("max7219")
    modules.display.start()
    modules.display.show(Face(ns=0, white_ms=65_000, black_ms=65_000))
    modules.reads("max7219", " 1:05", " 1:05")
    modules.max.spark()
    modules.reads("max7219", " 1:05", " 1:05")
    modules.display.stop()


def test_the_real_smbus2_writes_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = Modules("ht16k33")
    serve(monkeypatch, 1, modules.bus)
    display = Ht16k33(Ht16k33Config(), open_i2c, modules.items.append)
    display.start()
    display.show(Face(ns=0, white_ms=65_000, black_ms=600_000))
    until(lambda: (modules.white.text, modules.black.text) == (" 1:05", "10:00"))
    display.stop()
    assert not modules.items
