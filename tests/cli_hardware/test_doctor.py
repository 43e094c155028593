"""``jadoube doctor``: what is wrong is found on real parts, and comes with the command that mends it."""

import asyncio
import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import chess
import msgspec
import pytest
from shell import Jadoube

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))
from hall import Mosquitto, need_mosquitto, running

from controller.cli.hardware import doctor, kinds, machine
from controller.cli.hardware.health import CheckResult, fault, ok, status, text, warning
from controller.cli.hardware.health import json as as_json
from controller.config import load
from controller.contract import Lift, Session
from controller.daemon.measured import Measured, kept_at
from controller.daemon.vitals import THROTTLED
from controller.journal import Journal, Opening, hear, store, writer
from controller.journal.witness import Witness
from hardware.boards.dgt import DgtConfig
from hardware.boards.expander import ExpanderConfig
from hardware.boards.matrix import MatrixConfig
from hardware.boards.shift import ShiftConfig
from hardware.boards.simulated import SimulatedBoard, SimulatedConfig

OPENING = Opening(game="g", venue="v", board="1", started="2026-01-01", session=Session(version=1))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    need_mosquitto()
    broker = Mosquitto(tmp_path)
    yield broker
    broker.kill()


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LOOK_S", 0.02)


def configured(folder: Path, more: str = "", board: str = 'type = "simulated"') -> Path:
    config = folder / "board.toml"
    config.write_text(
        f'[board]\n{board}\n[journal]\npath = "{folder}/j.sqlite"\n[pgn]\ndirectory = "{folder}"\n{more}\n'
    )
    return config


def examined(config: Path, area: str) -> list[CheckResult]:
    return [one for one in doctor.examine(config) if one.area == area]


# -- how it is told ------------------------------------------------------------------------------------------------


def test_the_exit_status_is_that_of_the_worst() -> None:
    right, bad = ok("a", "right"), fault("c", "bad", "why", "do")
    assert [status(found) for found in ([], [right], [right, warning("b", "w", "", "")], [bad, right])] == [0, 0, 1, 2]


def test_text_is_within_80_columns_and_commands_are_whole() -> None:
    command = "sudo " + "very-long-command " * 6
    told = text([ok("disk", "word " * 40), fault("ports", "gone", "cause " * 30, command), warning("x", "y", "", "")])
    lines = told.splitlines()
    assert all(len(line) <= 80 or command.strip() in line for line in lines)
    assert lines[-1] == "1 right, 1 warning, 1 fault"
    assert json.loads(as_json([ok("a", "b")])) == [
        {"area": "a", "status": "ok", "what": "b", "cause": "", "next_step": ""}
    ]


def test_all_is_told_as_json_with_the_status(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("doctor", "--json", "--config", configured(tmp_path))
    found = json.loads(told.out)
    worst = {"ok": 0, "warning": 1, "fault": 2}
    assert told.status == max(worst[one["status"]] for one in found)
    assert {"configuration", "python", "sensors", "broker", "disk", "journal", "time", "service"} <= {
        one["area"] for one in found
    }
    assert all(one["cause"] and one["next_step"] for one in found if one["status"] != "ok")


# -- the configuration, the devices --------------------------------------------------------------------------------


def test_without_a_configuration_setup_is_next(jadoube: Jadoube) -> None:
    told = jadoube("doctor", "--config", "none.toml")
    assert told.status == 2
    assert "Next: jadoube setup --out none.toml" in told.out


def test_a_slip_in_the_configuration_is_a_fault_with_its_name(tmp_path: Path) -> None:
    (found,) = examined(configured(tmp_path, board='type = "simulated"\nbouncing_ms = 1'), "configuration")
    assert (found.status, "bounce_ms" in found.cause) == ("fault", True)


@pytest.mark.parametrize(
    ("board", "kind", "device", "remedy"),
    [
        (DgtConfig(port="/dev/ttyACM7"), "dgt", "/dev/ttyACM7", "jadoube boards --ports"),
        (ShiftConfig(bus=1), "shift", "/dev/spidev1.0", "sudo raspi-config nonint do_spi 0"),
        (MatrixConfig(), "matrix", "/dev/gpiochip0", "gpiodetect"),
    ],
)
def test_a_device_that_is_absent_is_named_with_what_brings_it(
    tmp_path: Path, board: DgtConfig | ShiftConfig | MatrixConfig, kind: str, device: str, remedy: str
) -> None:
    (found, *_) = machine.devices(board, kind, root=tmp_path)
    assert (found.status, found.what, found.next_step) == ("fault", f"there is no {device}", remedy)
    (tmp_path / device[1:]).parent.mkdir()
    (tmp_path / device[1:]).touch()
    (found, *_) = machine.devices(board, kind, root=tmp_path)
    assert found.status == "ok"


@pytest.mark.parametrize(("port", "what"), [("/tmp/notes.txt", "a file"), ("/tmp", "a folder")])
def test_what_is_no_port_is_said_to_be_none(tmp_path: Path, port: str, what: str) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp/notes.txt").touch()
    (found, *_) = machine.devices(DgtConfig(port=port), "dgt", root=tmp_path)
    assert (found.status, found.what) == ("fault", f"{port} is {what}, and no port")


@pytest.mark.parametrize("library", ["RPi.GPIO", "gpiod"])
def test_what_python_lacks_goes_by_the_library_that_is_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setattr(kinds, "_installed", lambda module: module == "gpiod")
    monkeypatch.setattr(doctor, "sensors", lambda _: ())
    config = configured(tmp_path, board=f'type = "matrix"\nlibrary = "{library}"')
    (found, *_) = examined(config, "python")
    assert (found.status == "ok") == (library == "gpiod"), found


def test_a_device_of_another_group_comes_with_the_group_to_join(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = tmp_path / "dev" / "ttyUSB0"
    port.parent.mkdir()
    port.touch()
    monkeypatch.setattr(os, "access", lambda *_: False)  # the tests may run as root, who may do everything
    (found, *_) = machine.devices(DgtConfig(port="/dev/ttyUSB0"), "dgt", root=tmp_path)
    group = port.group()
    assert (found.area, found.status) == ("permissions", "fault")
    assert found.next_step.startswith(f"sudo usermod -aG {group} ")


# -- sensors -------------------------------------------------------------------------------------------------------


def looked(monkeypatch: pytest.MonkeyPatch, change: str) -> list[CheckResult]:
    """What is said of a simulated board after something was done to it."""
    really = SimulatedBoard.start

    def start(board: SimulatedBoard) -> None:
        match change:
            case "weak":
                board.electrical.weaken(chess.E2, 0.5)
            case "stuck":
                board.electrical.stick(chess.E4, "closed")
            case "shorted":
                for square in chess.SQUARES:
                    board.electrical.stick(square, "closed")
            case "unplugged":
                board.electrical.unplug()
        really(board)

    monkeypatch.setattr(SimulatedBoard, "start", start)
    monkeypatch.setattr(doctor, "LOOK_S", 0.3)
    return list(doctor.sensors(SimulatedConfig()))


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ("none", "ok", "they stand as at the start"),
        ("weak", "warning", "flickering: e2"),
        ("stuck", "warning", "nearly the start, but for e4"),
        ("shorted", "fault", "pieces are seen on all 64 squares"),
        ("unplugged", "fault", "the pins do not answer"),
    ],
)
def test_a_short_look_at_the_sensors(monkeypatch: pytest.MonkeyPatch, change: str, status: str, says: str) -> None:
    found = looked(monkeypatch, change)
    assert any(one.status == status and says in one.what for one in found), found


# -- disk and journal ----------------------------------------------------------------------------------------------


def test_the_journal_is_read_to_its_end_and_left_as_it_is(tmp_path: Path) -> None:
    config = configured(tmp_path)
    assert "with the first game" in examined(config, "journal")[0].what
    journal = Journal(tmp_path / "j.sqlite")
    journal.begin(OPENING).result(5)
    (found,) = examined(config, "journal")
    assert (found.status, "1 records, each as it was written, in use" in found.what) == ("ok", True)
    assert "the running daemon holds the board" in examined(config, "sensors")[0].what
    journal.close()
    data = bytearray((tmp_path / "j.sqlite").read_bytes())
    at = data.index(b'"venue":"v"')
    data[at + 9 : at + 10] = b"x"
    (tmp_path / "j.sqlite").write_bytes(data)
    (found,) = examined(config, "journal")
    assert found.status == "fault"
    assert "record 1 is not what was written" in found.what
    assert f"{tmp_path}/j.sqlite" in found.next_step
    assert (tmp_path / "j.sqlite").read_bytes() == data


def test_records_that_wait_in_the_memory_of_a_running_daemon_are_not_said_to_be_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who reads "lost" turns the machine off, and then they may be."""

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(writer, "RETRY_S", 0.01)
    config, path = configured(tmp_path), tmp_path / "j.sqlite"
    journal = Journal(path)
    journal.begin(OPENING).result(5)
    with monkeypatch.context() as patch:
        patch.setattr(store, "insert", full)
        waiting = [journal.append("g", Lift(ms=ms, square="e2"), []) for ms in (1, 2)]
        until = time.monotonic() + 30
        while (noted := hear(path).noted) is None or noted.kept < 3:
            assert time.monotonic() < until
            time.sleep(0.01)
        (found,) = examined(config, "journal")
        assert (found.status, "records 2 to 3 wait in the daemon's memory" in found.what) == ("warning", True)
        assert "lost" not in found.what.replace("nothing is lost", "")
        assert "make room, and leave the machine and jadoube on" in found.next_step
        assert "exchange" not in found.next_step
    assert [future.result(5) for future in waiting] == [2, 3]
    assert "3 records, each as it was written" in examined(config, "journal")[0].what
    journal.close()


def test_records_that_no_daemon_has_any_more_are_said_to_be_lost(tmp_path: Path) -> None:
    config, path = configured(tmp_path), tmp_path / "j.sqlite"
    with closing(Journal(path)) as journal:
        journal.begin(OPENING).result(5)
        head = journal.head
    with closing(Witness(path, store.NEWEST)) as witness:
        witness.begin(head)
        witness.note(head, 3)
    (found,) = examined(config, "journal")
    assert (found.status, "records 2 to 3 are lost" in found.what) == ("warning", True)


def test_a_file_that_is_no_journal_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "j.sqlite").write_text("what a power cut left")
    (found,) = examined(configured(tmp_path), "journal")
    assert (found.status, f"{tmp_path}/j.sqlite" in found.what) == ("fault", True)


def test_a_slow_disk_and_a_full_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "SLOW_S", 60.0)
    assert {one.status for one in machine.disk(tmp_path / "not" / "yet")} == {"ok"}
    monkeypatch.setattr(machine, "SLOW_S", 0.0)
    assert [one.status for one in machine.disk(tmp_path)] == ["ok", "warning"]
    monkeypatch.setattr(machine, "TOO_FEW_MB", 10**9)
    monkeypatch.setattr(machine, "FEW_MB", 10**9)
    assert next(machine.disk(tmp_path)).status == "fault"
    (found,) = machine.disk(Path("/proc"))
    assert "cannot be written" in found.what


def test_scores_need_a_folder(tmp_path: Path) -> None:
    config = configured(tmp_path)
    (found,) = examined(config, "scores")
    assert (found.status, found.what) == ("ok", f"they go to {tmp_path}")
    config.write_text(config.read_text().replace(f'directory = "{tmp_path}"', f'directory = "{config}/games"'))
    (found,) = examined(config, "scores")
    assert found.status == "fault"
    assert f"{config} belongs to another user, is no folder" in found.cause


# -- the broker ----------------------------------------------------------------------------------------------------


def told_by_a_daemon(config: Path) -> list[CheckResult]:
    """What is found at its broker once a daemon at work has something to say, but that the broker answers."""

    async def scene() -> list[CheckResult]:
        async with running(load(config)) as daemon:
            while not daemon.notices.current:
                await asyncio.sleep(0.02)
            found: list[CheckResult] = []
            while not found:
                await asyncio.sleep(0.1)
                _, *found = await asyncio.to_thread(lambda: list(doctor.broker(load(config))))
            return found

    return asyncio.run(scene())


@pytest.mark.broker
def test_a_broker_that_answers_and_what_a_daemon_says_there(tmp_path: Path, broker: Mosquitto) -> None:
    config = configured(
        tmp_path, f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}', 'type = "dgt"\nport = "/dev/none"'
    )
    assert [one.status for one in examined(config, "broker")] == ["ok"]
    (notice,) = told_by_a_daemon(config)
    assert (notice.area, notice.status) == ("daemon", "fault")
    assert "/dev/none" in notice.what
    assert notice.next_step


def test_what_a_daemon_says_at_the_broker_that_it_brings_along(tmp_path: Path) -> None:
    config = configured(tmp_path, "", 'type = "dgt"\nport = "/dev/none"')
    assert "one of its own" in examined(config, "broker")[0].what
    (notice,) = told_by_a_daemon(config)
    assert (notice.area, notice.status, "/dev/none" in notice.what) == ("daemon", "fault", True)


@pytest.mark.broker
def test_a_broker_that_is_down_and_one_that_refuses(tmp_path: Path, broker: Mosquitto) -> None:
    table = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}'
    broker.kill()
    (down,) = examined(configured(tmp_path, table), "broker")
    assert (down.status, "does not answer" in down.what) == ("fault", True)
    closed = Mosquitto(tmp_path, "allow_anonymous false")
    (refused,) = examined(configured(tmp_path, table.replace(str(broker.port), str(closed.port))), "broker")
    closed.kill()
    assert "refuses us" in refused.what
    assert "password_file" in refused.cause


def test_a_password_file_that_is_missing_is_said(tmp_path: Path) -> None:
    table = '[mqtt]\nhost = "127.0.0.1"\npassword_file = "/none"'
    (found,) = examined(configured(tmp_path, table), "broker")
    assert (found.status, found.next_step) == ("fault", "ls -l /none")


# -- time, service, machine ----------------------------------------------------------------------------------------


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What programs of the system print, by their first word; those that are not there print nothing."""
    said: dict[str, str] = {}
    monkeypatch.setattr(machine, "_said", lambda *command: said.get(command[0], ""))
    return said


def test_the_clock_is_as_right_as_systemd_says(programs: dict[str, str]) -> None:
    assert [one.status for one in machine.clock()] == ["warning", "ok"]
    programs["timedatectl"] = "yes"
    assert [one.status for one in machine.clock()] == ["ok", "ok"]
    programs["timedatectl"] = "no"
    assert next(machine.clock()).next_step == "sudo timedatectl set-ntp true"


SHOWN = (
    "LoadState=loaded\nUnitFileState=enabled\nActiveState=active\n"
    "ExecStart={ path=/opt/jadoube/bin/jadoube ; argv[]=/opt/jadoube/bin/jadoube run ; }"
)


@pytest.mark.parametrize(
    ("shown", "version", "says"),
    [
        (SHOWN, "jadoube 0.1.0", ["it runs, version 0.1.0"]),
        (SHOWN, "jadoube 0.0.9", ["it is version 0.0.9, and this is 0.1.0"]),
        (SHOWN.replace("=active", "=failed"), "jadoube 0.1.0", ["it is failed"]),
        (
            SHOWN.replace("enabled", "disabled"),
            "jadoube 0.1.0",
            ["it will not start at boot", "it runs, version 0.1.0"],
        ),
        ("LoadState=not-found\nActiveState=inactive", "", ["the service is not installed"]),
        ("", "", ["systemd does not run here"]),
    ],
)
def test_the_service_as_systemd_knows_it(programs: dict[str, str], shown: str, version: str, says: list[str]) -> None:
    programs |= {"systemctl": shown, "/opt/jadoube/bin/jadoube": version}
    found = list(machine.service("0.1.0"))
    assert [one.what for one in found] == says
    assert all(one.next_step for one in found if one.status != "ok")


def test_a_further_board_has_a_service_of_its_own() -> None:
    assert machine.unit(Path("/etc/jadoube/jadoube.toml")) == "jadoube"
    assert machine.unit(Path("/etc/jadoube/board-7.toml")) == "jadoube@board-7"
    assert machine.unit(Path("config/dgt.toml")) == "jadoube"


@pytest.mark.parametrize(
    ("heat", "bits", "expected"),
    [
        ("45123", "0x0", ["ok", "ok"]),
        ("77000", "0x50000", ["warning", "warning"]),
        ("81000", "0x50005", ["fault", "fault"]),
    ],
)
def test_heat_and_undervoltage(tmp_path: Path, heat: str, bits: str, expected: list[str]) -> None:
    for name, said in (("sys/class/thermal/thermal_zone0/temp", heat), (str(THROTTLED), bits)):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(f"{said}\n")
    assert [one.status for one in machine.pi(tmp_path)] == expected
    assert list(machine.pi(tmp_path / "elsewhere")) == []


def test_the_pins_of_a_hats_memory_are_warned_of() -> None:
    board = MatrixConfig(rows=(0, 1, 27, 22, 5, 6, 13, 19))
    assert [one.what for one in machine.pins(board.wires)] == [
        "pin 0 is used as rows (rank 1)",
        "pin 1 is used as rows (rank 2)",
    ]
    assert not list(machine.pins(ExpanderConfig(bus=0).wires)), "there, they are a bus"


# -- what was lost ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edges", "lost", "found", "told"),
    [
        (300, 0, "ok", "too few to make anything of it: 400 are wanted; jadoube calibrate"),
        (600, 0, "ok", "the next game reckons with 0.17 % and a look every 15 ms"),
        (600, 29, "warning", "the next game reckons with 5 % and a look every 15 ms"),
    ],
)
def test_it_tells_what_the_board_loses(tmp_path: Path, edges: int, lost: int, found: str, told: str) -> None:
    config, journal = load(configured(tmp_path)), Journal(tmp_path / "j.sqlite")
    journal.begin(OPENING).result(5)
    journal.close()
    measured = Measured(edges=edges, lost=lost, scan_ms=5.0, at=datetime(2026, 11, 1, tzinfo=UTC))
    kept_at(journal.path).write_bytes(msgspec.json.encode(measured))
    (one,) = doctor.lost(config, journal.path)
    assert one.status == found
    assert f"{lost} of {edges} when it was calibrated" in one.what
    assert told in one.what


@pytest.mark.parametrize(("bounce_ms", "found"), [(14, []), (15, ["debounce_ms = 20"])])
def test_it_warns_of_contacts_that_bounce_for_longer_than_readings_are_held(
    tmp_path: Path, bounce_ms: int, found: list[str]
) -> None:
    config, journal = load(configured(tmp_path)), Journal(tmp_path / "j.sqlite")
    journal.close()
    at = datetime(2026, 11, 1, tzinfo=UTC)
    measured = Measured(edges=512, lost=0, scan_ms=5.0, bounce_ms=bounce_ms, at=at)
    kept_at(journal.path).write_bytes(msgspec.json.encode(measured))
    losses, *bounce = doctor.lost(config, journal.path)
    assert losses.status == "ok"
    assert [one.next_step for one in bounce] == [f"[event.settings] {step}" for step in found]


def test_what_calibrate_wrote_and_nobody_can_read_is_a_fault(tmp_path: Path) -> None:
    config, journal = load(configured(tmp_path)), Journal(tmp_path / "j.sqlite")
    journal.close()
    kept_at(journal.path).write_text("{")
    (one,) = doctor.lost(config, journal.path)
    assert one.status == "fault"
    assert "jadoube calibrate" in one.next_step
