"""What is amiss with the machine is said with cause and remedy, and is over when it is over. Time is set by hand."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hall import Mosquitto, Subscriber, make, running, until

from controller.config import Config
from controller.daemon import health, vitals
from controller.daemon.health import Judge
from controller.daemon.vitals import THROTTLED, Machine, Vitals, look_at_machine

Configure = Callable[..., Config]
WELL = Vitals(wall_s=1e9, machine=Machine(free_mb=9000, heat_c=50.0, undervoltage=False, undervoltage_before=False))


def machine(**measured: object) -> Vitals:
    return Vitals(wall_s=1e9, machine=Machine(**measured))


@pytest.mark.parametrize(
    ("seen", "source", "says"),
    [
        (machine(free_mb=120), "disk space", "120 MB are free"),
        (machine(heat_c=81.4), "temperature", "81 °C"),
        (machine(undervoltage=True), "power", "voltage is too low"),
        (machine(undervoltage=False, undervoltage_before=True), "power", "voltage was too low for a moment"),
        (Vitals(wall_s=1e9, waiting_s=60.0), "disk speed", "60.0 s and more to reach the disk"),
        (Vitals(wall_s=1e9, late_s=61.0), "machine", "held up for 61.0 s"),
        (Vitals(wall_s=1e9 + 3600), "time of day", "set forward by 3600 s"),
        (Vitals(wall_s=1e9 - 3600), "time of day", "set back by 3600 s"),
        (Vitals(wall_s=1e9 + 300, slept_s=300), "sleep", "asleep for 300 s"),
    ],
)
def test_each_trouble_is_told_with_cause_and_remedy_and_is_over(seen: Vitals, source: str, says: str) -> None:
    judge = Judge()
    assert judge.look(0, WELL) == {}
    (told,) = judge.look(2, seen).items()
    assert told[0] == source
    assert says in told[1].what
    assert told[1].cause
    assert told[1].next_step
    well = Vitals(wall_s=seen.wall_s, slept_s=seen.slept_s, machine=WELL.machine)
    judge.look(4, well)
    assert judge.look(4 + health.LASTS_S, well) == {}


def test_a_machine_that_tells_nothing_is_well() -> None:
    assert Judge().look(0, Vitals(wall_s=0.0)) == {}


def test_the_network_pulling_the_clock_along_is_no_step() -> None:
    judge = Judge()
    for second in range(600):
        assert judge.look(second, Vitals(wall_s=1e9 + second * 500e-6)) == {}


@pytest.mark.parametrize(
    ("source", "just_bad", "a_little_better"),
    [
        ("temperature", machine(heat_c=80.0), machine(heat_c=78.0)),
        ("disk space", machine(free_mb=199), machine(free_mb=220)),
    ],
)
def test_what_wavers_about_a_limit_is_told_once(source: str, just_bad: Vitals, a_little_better: Vitals) -> None:
    judge = Judge()
    assert judge.look(0, a_little_better) == {}
    assert source in judge.look(2, just_bad)
    assert source in judge.look(4, a_little_better)
    assert judge.look(6, WELL) == {}


def test_an_outlet_that_takes_no_step_is_stuck_and_one_that_lags_is_not() -> None:
    judge = Judge()
    for second in range(0, 62, 2):
        behind = {"pgn": (7, 5 + second), "mqtt": (second, 3), "webhook": (9, 0)}
        found = judge.look(second, Vitals(wall_s=0.0, behind=behind))
        assert set(found) == ({"outlet pgn"} if second >= health.STUCK_S else set())
    assert "65 records wait to be sent by pgn" in found["outlet pgn"].what
    assert judge.look(64, Vitals(wall_s=0.0, behind={"pgn": (8, 60)})) == {}


def test_a_pi_is_read_from_its_files(tmp_path: Path) -> None:
    files = {"sys/class/thermal/thermal_zone0/temp": "61234\n", str(THROTTLED): "50005\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    seen = look_at_machine(tmp_path, tmp_path)
    assert (seen.heat_c, seen.undervoltage, seen.undervoltage_before, seen.slowed) == (61.234, True, True, True)
    assert seen.free_mb is not None


def test_undervoltage_is_read_from_the_kernels_sensor_where_the_firmware_does_not_tell(tmp_path: Path) -> None:
    sensor = tmp_path / "sys/class/hwmon/hwmon3"
    sensor.mkdir(parents=True)
    (sensor / "name").write_text("rpi_volt\n")
    (sensor / "in0_lcrit_alarm").write_text("1\n")
    assert look_at_machine(tmp_path, tmp_path).undervoltage
    (sensor / "in0_lcrit_alarm").write_text("0\n")
    assert look_at_machine(tmp_path, tmp_path).undervoltage is False


def test_another_machine_tells_nothing_and_that_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "sys/class/thermal/thermal_zone0").mkdir(parents=True)
    (tmp_path / "sys/class/thermal/thermal_zone0/temp").write_text("unknown")
    assert look_at_machine(tmp_path / "none", tmp_path) == Machine()


@pytest.mark.broker
def test_the_wall_clock_jumps_in_mid_game(
    configure: Configure, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The chess clocks are unmoved; it is told on ``health`` and in the log, and it is told that it is over."""
    monkeypatch.setattr(health, "LOOK_S", 0.05)
    monkeypatch.setattr(health, "LASTS_S", 0.5)
    config = configure(
        mqtt={"host": "127.0.0.1", "port": mosquitto.port}, event={"clock": "300+2"}, start={"by": "at-once"}
    )
    real = time.time

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and hall.on("health"))
            assert hall.on("health")[-1]["state"] == "well"
            await until(lambda: hall.on("health")[-1]["measured"]["memory_mb"] > 10)
            monkeypatch.setattr(vitals.time, "time", lambda: real() - 3600)
            await until(lambda: hall.on("health")[-1]["state"] == "degraded")
            (notice,) = hall.on("health")[-1]["notices"]
            assert notice["what"] == "the time of day was set back by 3600 s"
            await make(daemon, "e2e4")
            await daemon.only.carry_out({"type": "press", "side": "white"})
            await until(lambda: hall.on("clock") and hall.on("clock")[-1]["running"] == "black")
            clock = hall.on("clock")[-1]
            assert 295_000 < clock["white_ms"] < 304_000
            assert clock["black_ms"] == 302_000
            await until(lambda: hall.on("health")[-1]["state"] == "well")
            assert "time of day: all right again" in caplog.text

    caplog.set_level("INFO")
    asyncio.run(scene())
