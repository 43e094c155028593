"""A strip of lamps lights the squares it is asked to, in pulses that its data sheet allows."""

import time
from collections.abc import Callable, Iterator

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.lamps import Lamps
from hardware.lamps.ws2812 import HZ, Strip, StripConfig, encode
from hardware.simulator.spi import SimulatedSpi, SimulatedSpiDevice
from hardware.simulator.strip import LampStrip

wirings = st.builds(
    StripConfig,
    first=st.sampled_from(["a1", "h1", "a8", "h8"]),
    along=st.sampled_from(["rank", "file"]),
    zigzag=st.booleans(),
)


@given(wirings, st.lists(st.booleans(), min_size=64, max_size=64), st.tuples(*[st.integers(0, 255)] * 3))
def test_each_lamp_takes_its_colour(config: StripConfig, lit: list[bool], colour: tuple[int, int, int]) -> None:
    lamps = LampStrip(config.squares())
    lamps.exchange(SimulatedSpiDevice(lamps, 0, HZ), encode(lit, colour))
    assert lamps.shown == [colour if lamp else (0, 0, 0) for lamp in lit]


def test_a_wrong_clock_makes_pulses_that_no_lamp_takes() -> None:
    lamps = LampStrip(chess.SQUARES)
    with pytest.raises(ValueError, match="pulse"):
        lamps.exchange(SimulatedSpiDevice(lamps, 0, HZ // 2), encode([True] * 64, (1, 2, 3)))


class Bench:
    def __init__(self) -> None:
        self.config = StripConfig()
        self.lamps = LampStrip(self.config.squares())
        self.strip = Strip(self.config, SimulatedSpi({0: self.lamps}).open, lambda _: None)
        self.strip.start()

    def until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + 5
        while not condition():
            assert time.monotonic() < end, f"{self.lamps.lit:016x}"
            time.sleep(0.002)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.strip.stop()


def test_the_squares_asked_for_are_lit_and_no_others_and_none_after_the_stop(bench: Bench) -> None:
    assert isinstance(bench.strip, Lamps)
    for mask in (chess.BB_E4 | chess.BB_A8, chess.BB_RANK_2, chess.BB_B3):
        bench.strip.light(mask)
        bench.until(lambda mask=mask: bench.lamps.lit == mask)
    bench.strip.stop()
    assert bench.lamps.lit == 0


def test_a_spark_that_lights_them_lasts_a_second(bench: Bench) -> None:
    bench.until(lambda: bench.strip.alive_ns > 0)
    bench.lamps.spark()
    bench.until(lambda: bench.lamps.lit == 0)


@pytest.mark.parametrize(
    ("how", "squares"),
    [
        ({}, "a1 b1 c1"),
        ({"first": "h8"}, "h8 g8 f8"),
        ({"first": "a8", "along": "file"}, "a8 a7 a6"),
    ],
)
def test_a_strip_begins_in_its_corner(how: dict[str, str], squares: str) -> None:
    order = StripConfig(**how).squares()  # type: ignore[arg-type]
    assert [chess.square_name(square) for square in order[:3]] == squares.split()


def test_a_zigzag_strip_comes_back_on_the_next_rank() -> None:
    names = [chess.square_name(square) for square in StripConfig().squares()]
    assert names[6:10] == ["g1", "h1", "h2", "g2"]
    straight = [chess.square_name(square) for square in StripConfig(zigzag=False).squares()]
    assert straight[6:10] == ["g1", "h1", "a2", "b2"]
