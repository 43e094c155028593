"""A lever or two buttons on pins: each press is told once, with its side and its time, whatever the contact does."""

import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.boards.readings import Fault, FromDevice, LeverPress, Recovered
from hardware.clocks.gpio import ButtonsConfig, DebouncedLevel, LeverConfig, PinClock
from hardware.clocks.simulated import SimulatedLever, SimulatedLeverConfig
from hardware.simulator.switches import Switches

HOLD = 10


# -- one contact ---------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(1, HOLD - 1), st.booleans()), max_size=40))
def test_a_level_that_does_not_last_is_none(runs: list[tuple[int, bool]]) -> None:
    """Runs of the other level, each shorter than the hold, with at least one sample of rest between."""
    contact, now = DebouncedLevel(HOLD, False), 0
    for length, pause in runs:
        for _ in range(length):
            assert contact.feed(now, True) is None
            now += 1
        contact.feed(now, False)
        now += 1 + pause
    assert contact.level is False


@given(st.booleans(), st.lists(st.integers(1, HOLD - 1), max_size=10), st.integers(HOLD, 100))
def test_a_level_that_lasts_bears_the_time_it_began(level: bool, chatter: list[int], lasts: int) -> None:
    contact, now, told = DebouncedLevel(HOLD, not level), 0, []
    for length in chatter:
        for sample in [level] * length + [not level]:
            told.append(contact.feed(now, sample))
            now += 1
    began = now
    told += [contact.feed(began + i, level) for i in range(lasts + 1)]
    assert [ns for ns in told if ns is not None] == [began]
    assert contact.level is level


# -- the driver ----------------------------------------------------------------------------------------------------


class Bench:
    """A clock at work."""

    def __init__(self) -> None:
        self.items: list[FromDevice] = []
        self.clock: PinClock | None = None

    def run(self, clock: PinClock) -> PinClock:
        self.clock = clock
        clock.start()
        self.until(lambda: clock.alive_ns > 0)
        return clock

    def pressed(self) -> list[str]:
        return [item.side for item in self.items if isinstance(item, LeverPress)]

    def until(self, condition: Callable[[], bool], within_s: float = 30.0) -> None:
        end = time.monotonic() + within_s
        while not condition():
            assert time.monotonic() < end, f"never happened; sent: {self.items}"
            time.sleep(0.002)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    if bench.clock is not None:
        bench.clock.stop()


@pytest.mark.parametrize("high", ["white", "black"])
def test_a_lever_tells_who_pressed_it_whichever_way_it_is_built_in(bench: Bench, high: str) -> None:
    config = SimulatedLeverConfig(high="white" if high == "white" else "black", bounce_ms=5)
    lever = SimulatedLever(config, bench.items.append)
    bench.run(lever)
    for count, side in enumerate(["black", "white", "black"], 1):
        before = time.monotonic_ns()
        lever.press("white" if side == "white" else "black")
        bench.until(lambda count=count: len(bench.pressed()) == count)
        press = bench.items[-1]
        assert isinstance(press, LeverPress)
        assert before <= press.ns <= time.monotonic_ns() - 4_000_000, "its own time, not that of its telling"
    assert bench.pressed() == ["black", "white", "black"]


def test_a_lever_pressed_twice_by_the_same_player_is_pressed_once(bench: Bench) -> None:
    lever = SimulatedLever(SimulatedLeverConfig(), bench.items.append)
    bench.run(lever)
    lever.press("white")  # it lies there already
    lever.press("black")
    lever.press("black")
    time.sleep(0.05)
    assert bench.pressed() == ["black"]


@pytest.mark.parametrize("active", ["low", "high"])
def test_a_button_counts_when_it_goes_down_and_not_when_it_comes_up(bench: Bench, active: str) -> None:
    config = ButtonsConfig(active="low" if active == "low" else "high")
    switches, down = Switches(bounce_ms=3), active == "high"
    pull = "down" if down else "up"
    bench.run(PinClock(lambda: switches, config.meaning, pull, config.debounce_ms, bench.items.append))
    for count, (pin, side) in enumerate([(config.black, "black"), (config.white, "white"), (config.white, "white")], 1):
        switches.turn(pin, down)
        bench.until(lambda count=count: len(bench.pressed()) == count)
        switches.turn(pin, not down)
        time.sleep(0.04)
        assert len(bench.pressed()) == count
        assert bench.pressed()[-1] == side


def test_how_it_rests_when_it_is_found_is_nobodys_press(bench: Bench) -> None:
    config, switches = LeverConfig(), Switches()
    switches.turn(config.pin, False)
    bench.run(PinClock(lambda: switches, config.meaning, config.pull, config.debounce_ms, bench.items.append))
    time.sleep(0.04)
    assert not bench.items


def test_a_cable_that_comes_off_is_told_and_the_clock_comes_back(bench: Bench) -> None:
    lever = SimulatedLever(SimulatedLeverConfig(), bench.items.append)
    bench.run(lever)
    lever.switches.unplug()
    bench.until(lambda: bool(bench.items))
    (fault,) = bench.items
    assert isinstance(fault, Fault)
    assert "cable" in fault.what
    assert fault.cause
    assert fault.next_step
    lever.switches.plug()
    bench.until(lambda: isinstance(bench.items[-1], Recovered))
    lever.press("black")
    bench.until(lambda: bench.pressed() == ["black"])


def test_a_switch_cannot_be_driven() -> None:
    with pytest.raises(ValueError, match="short"):
        Switches().setup_output(3, True)
